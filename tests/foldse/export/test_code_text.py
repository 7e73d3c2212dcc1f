"""Source code: what is refused, and that names and comments are those of the language."""

import re

import pandas as pd
import pytest

from foldse import Literal, Op, Rule
from foldse.export import to_c, to_java, to_javascript, to_rust
from tests.foldse.export.test_sql import model

X = pd.DataFrame({"x": ["a", "b"], "for": [1.0, 2.0]})


def test_a_reserved_word_is_no_parameter():
    clf = model(Rule("0", (Literal("for", Op.LE, 1.5),)), X=X, target="double")
    assert "int double__rule(double for_2)" in to_c(clf)
    assert "public final class Double_" not in to_java(clf)
    assert 'const for_2 = typeof row["for"]' in to_javascript(clf)
    assert "pub fn double_rule(for_2: f64)" in to_rust(clf)


@pytest.mark.parametrize("write", [to_c, to_java, to_javascript, to_rust])
def test_what_cannot_be_written(write):
    clf = model(Rule("0", (Literal("x", Op.EQ, "a"),)), X=X)
    for name in ("for", "a b", "", "1x"):
        with pytest.raises(ValueError, match=re.escape(f"name is {name!r}, which cannot name a function in")):
            write(clf, name)
    with pytest.raises(ValueError, match="is not valid Unicode, which"):
        write(model(Rule("0", (Literal("x", Op.EQ, "\ud800"),)), X=X))
    large = model(Rule("0", (Literal("for", Op.EQ, 2**53 + 1),)), X=X, categorical_features=["for"])
    with pytest.raises(
        ValueError, match="column 'for' is compared with 9007199254740993, which is no 64-bit"
    ):
        write(large)


def test_c_ends_text_at_nul():
    with pytest.raises(ValueError, match="C ends text at the NUL character"):
        to_c(model(Rule("0", (Literal("x", Op.EQ, "a\0"),)), X=X))
