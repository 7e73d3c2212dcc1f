"""The examples of the docstrings, which the reference shows, give what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import foldse

MODULES = sorted(
    name
    for _, name, _ in pkgutil.walk_packages(foldse.__path__, "foldse.")
    if not name.startswith("foldse.cli") and name != "foldse.__main__"
)
EXAMPLES = [
    test
    for name in MODULES
    for test in doctest.DocTestFinder().find(importlib.import_module(name), name)
    if test.examples
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda test: test.name)
def test_an_example_gives_what_it_shows(example):
    report: list[str] = []
    failed, tried = doctest.DocTestRunner(verbose=False).run(example, out=report.append)
    assert tried
    assert not failed, "".join(report)


def test_the_main_class_and_the_exports_have_examples():
    names = {test.name for test in EXAMPLES}
    assert "foldse.classifiers.fold.FoldSEClassifier" in names
    assert {f"foldse.export.{module}.to_{module}" for module in ("prolog", "clingo", "sql")} <= names
