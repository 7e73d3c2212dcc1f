"""The library where compiled code cannot be kept, and where nothing is compiled."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "foldse"

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
"""


def run(folder, **variables):
    return subprocess.run(
        [sys.executable, "-c", FIT],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )


def test_same_rules_without_compilation():
    compiled = run(PACKAGE.parent)
    plain = run(PACKAGE.parent, NUMBA_DISABLE_JIT="1")
    assert compiled.stdout == plain.stdout
    assert len(compiled.stdout.splitlines()) > 50
    assert plain.stderr == ""


def test_nowhere_to_keep_compiled_code_is_one_warning(tmp_path):
    shutil.copytree(PACKAGE, tmp_path / "foldse", ignore=shutil.ignore_patterns("__pycache__"))
    # Files where the folders of the cache would be: not even root can write there.
    (tmp_path / "foldse" / "__pycache__").touch()
    (tmp_path / "nothing").touch()
    done = run(tmp_path, HOME=str(tmp_path / "nothing"), XDG_CACHE_HOME=str(tmp_path / "nothing"))
    assert done.stdout == run(PACKAGE.parent).stdout
    assert done.stderr.count("RuntimeWarning: foldse can keep its compiled code nowhere") == 1
