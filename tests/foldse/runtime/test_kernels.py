"""The library where compiled code cannot be kept, and where nothing is compiled."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from numba.core.caching import IndexDataCacheFile

from foldse.runtime.machine_code import _save

PACKAGE = Path(__file__).parents[3] / "foldse"

# Small, mixed, with ties, missing values and more than 256 rows, so that narrow integers would overflow.
FIT = """
import numpy as np, pandas as pd
from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
r = np.random.default_rng(0)
n = 700
X = pd.DataFrame({
    "a": r.normal(size=n), "b": r.integers(0, 9, n), "c": r.choice(list("xyz"), n),
    "d": np.where(r.random(n) < 0.2, np.nan, r.normal(size=n).round(1)),
})
y = np.where((X["a"] > 0.3) ^ (X["c"] == "x") ^ (r.random(n) < 0.1), "p", "q")
z = np.where(X["b"] > 6, "r", y)
for clf in (FoldSEClassifier(), FoldRPPClassifier(), FoldRPPClassifier(heuristic="chi_square")):
    print(clf.fit(X, y).rules_)
    print(clf.fit(X, z).rules_)
    print(clf.fit(X, y, sample_weight=r.random(n)).rules_)
print(HeuristicTreeClassifier("information_gain").fit(X, z).tree_)
# So many numbers that several share a counter.
many = r.normal(size=1500)
for clf in (FoldSEClassifier(), FoldRPPClassifier()):
    print(clf.fit(pd.DataFrame({"many": many, "noise": r.normal(size=1500)}), many > 0.25).rules_)
"""


def run(folder, program=FIT, **variables):
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )


def test_same_rules_without_compilation():
    compiled = run(PACKAGE.parent, FOLDSE_INTERPRETED_CELLS="0")
    plain = run(PACKAGE.parent, NUMBA_DISABLE_JIT="1")
    assert compiled.stdout == plain.stdout
    assert len(compiled.stdout.splitlines()) > 50
    assert plain.stderr == ""


# Whether numba is there tells whether anything was compiled or loaded.
TWO_FITS = """
import sys, numpy as np, pandas as pd
from foldse import FoldSEClassifier, HeuristicTreeClassifier
r = np.random.default_rng(0)
X = pd.DataFrame(r.normal(size=(100, 4)), columns=list("abcd"))
y = X["a"] > 0.2 * X["b"]
for clf in (FoldSEClassifier(), FoldSEClassifier(), HeuristicTreeClassifier()):
    clf.fit(X, y)
    print("numba" in sys.modules)
"""


def test_kernels_are_compiled_when_a_process_has_learned_from_enough_cells(tmp_path):
    def compiled(cells):
        done = run(PACKAGE.parent, TWO_FITS, FOLDSE_INTERPRETED_CELLS=cells, NUMBA_CACHE_DIR=str(tmp_path))
        return [line == "True" for line in done.stdout.splitlines()]

    # A fit has 400 cells, and a cell is ten times the work for a tree.
    assert compiled("4800") == [False, False, False]
    assert compiled("4799") == [False, False, True]
    assert compiled("4800") == [True, True, True]  # machine code was left on disk
    for kept in tmp_path.glob("**/*.compiled"):
        kept.unlink()
    assert compiled("799") == [False, True, True]
    assert compiled("0") == [True, True, True]


EQUAL_COLUMNS = """
import numpy as np, pandas as pd
from foldse import FoldSEClassifier
r = np.random.default_rng(0)
n = 150_000
values = [r.normal(size=n), r.integers(0, 90_000, n), r.integers(0, 300, n), r.integers(0, 9, n)]
# Columns of every width of codes, each twice: of equal literals the first column's must win.
X = pd.DataFrame({f"c{i}": values[i % 4] for i in range(8)})
y = (X["c0"] > 0.3) ^ (X["c1"] > 50_000) ^ (X["c2"] > 100) ^ (r.random(n) < 0.1)
for heuristic in ("magic_gini", "information_gain"):
    print(sorted({str(FoldSEClassifier(tail=200, heuristic=heuristic).fit(X, y).rules_) for _ in range(4)}))
"""


def test_the_number_of_threads_does_not_matter():
    one, *more = (run(PACKAGE.parent, EQUAL_COLUMNS, NUMBA_NUM_THREADS=n).stdout for n in ("1", "2", "3"))
    assert more == [one, one]
    assert [len(ast.literal_eval(line)) for line in one.splitlines()] == [1, 1]
    assert "c0(" in one
    assert not re.search(r"c[4-7]\(", one)


def test_nowhere_to_keep_compiled_code_is_one_warning(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "foldse", ignore=shutil.ignore_patterns("__pycache__"))
    # Files where the folders of the cache would be: not even root can write there.
    for folder in (tmp_path / "foldse", *(tmp_path / "foldse").glob("*/")):
        (folder / "__pycache__").touch()
    (tmp_path / "nothing").touch()
    everything = {"FOLDSE_INTERPRETED_CELLS": "0"}
    done = run(
        tmp_path, **everything, HOME=str(tmp_path / "nothing"), XDG_CACHE_HOME=str(tmp_path / "nothing")
    )
    assert done.stdout == run(PACKAGE.parent).stdout
    assert done.stderr.count("RuntimeWarning: foldse can keep its compiled code nowhere") == 1


def test_two_processes_that_compile_at_once_never_run_each_others_code(tmp_path):
    # Two signatures of one kernel are saved at once: the second comes between the first's look at the index
    # and its writing of it.
    first, second = (IndexDataCacheFile(str(tmp_path), "kernel", "stamp") for _ in range(2))
    looks = []
    load_index = first._load_index

    def interrupted():
        index = load_index()
        if not looks:
            looks.append(index)
            _save(second, "int32", "code for int32")
        return index

    first._load_index = interrupted
    _save(first, "int64", "code for int64")
    assert looks == [{}]
    reader = IndexDataCacheFile(str(tmp_path), "kernel", "stamp")
    assert reader.load("int64") == "code for int64"
    assert reader.load("int32") in ("code for int32", None)
    _save(second, "int32", "code for int32")
    assert [reader.load(key) for key in ("int32", "int64")] == ["code for int32", "code for int64"]
