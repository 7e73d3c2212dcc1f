"""What the process imports that workers are forked from; only `experiments.running.worker` names this module.

The library's compiled code is loaded, too, by fits of a few rows: too few for it to start a thread, which no
fork would survive.
"""

from __future__ import annotations

import contextlib
import importlib

import pandas as pd

from experiments.learners import estimators, fold  # noqa: F401
from experiments.running.folds import FoldRunner  # noqa: F401
from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
from foldse.runtime.kernels import compile_kernels

for _name in ("wittgenstein", "xgboost", "sklearn.ensemble", "sklearn.neural_network"):
    with contextlib.suppress(ImportError):
        importlib.import_module(_name)

_X = pd.DataFrame({"number": [1.0, 2.0, 3.0, 4.0, 5.0, None], "text": ["a", "b", "a", "b", None, "a"]})
_Y = pd.Series(["yes", "no", "yes", "no", "no", "yes"])
compile_kernels()
for _kind in (FoldSEClassifier, FoldRPPClassifier, HeuristicTreeClassifier):
    with contextlib.suppress(Exception):  # a worker will say what is wrong
        _kind().fit(_X, _Y).predict(_X)
