"""What the package offers, and what importing it brings in."""

import subprocess
import sys

import pytest

import foldse


@pytest.mark.parametrize("name", foldse.__all__)
def test_all_that_is_public_is_there(name):
    assert getattr(foldse, name) is not None
    assert name in dir(foldse)


def test_submodules_need_no_import_of_their_own():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import foldse; print(foldse.heuristics.SCORES['magic_gini'](3, 4, 8, 0) < 0)",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "True\n"


def test_import_waits_for_nothing_heavy():
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, foldse; print(*(m for m in ('sklearn', 'numba', 'pandas') if m in sys.modules))",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "\n"


def test_a_name_that_is_not_there():
    with pytest.raises(AttributeError, match="module 'foldse' has no attribute 'FoldSE'"):
        foldse.FoldSE  # noqa: B018
