"""FOLD-SE and its relatives: classifiers whose model is a handful of readable default rules.

What is public is imported at its first use, so that ``import foldse`` does not wait for scikit-learn and
numba.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foldse.classifiers import ConFoldClassifier as ConFoldClassifier
    from foldse.classifiers import FoldRPPClassifier as FoldRPPClassifier
    from foldse.classifiers import FoldRPPCV as FoldRPPCV
    from foldse.classifiers import FoldSEClassifier as FoldSEClassifier
    from foldse.classifiers import FoldSECV as FoldSECV
    from foldse.classifiers import HeuristicTreeClassifier as HeuristicTreeClassifier
    from foldse.editing.parse import parse_rules as parse_rules
    from foldse.editing.tokens import RuleSyntaxError as RuleSyntaxError
    from foldse.model.confidence import Confidence as Confidence
    from foldse.model.confidence import inverse_brier_score as inverse_brier_score
    from foldse.model.literals import Literal as Literal
    from foldse.model.literals import Op as Op
    from foldse.model.rule import Rule as Rule
    from foldse.model.rules import RuleSet as RuleSet
    from foldse.model.similarity import similarity as similarity
    from foldse.persistence import ModelFileError as ModelFileError
    from foldse.persistence import load_model as load_model
    from foldse.scoring import Scorer as Scorer

__version__ = "0.1.0"

LEARNING_VERSION = 2
"""Raised by hand whenever any learned program or prediction changes, so that stored results of earlier
versions are known to differ. ``tests/foldse/test_golden.py`` fails where it has to be raised."""

# Where each public name is defined.
_HOME = {
    "ConFoldClassifier": "classifiers",
    "Confidence": "model.confidence",
    "FoldRPPCV": "classifiers",
    "FoldRPPClassifier": "classifiers",
    "FoldSECV": "classifiers",
    "FoldSEClassifier": "classifiers",
    "HeuristicTreeClassifier": "classifiers",
    "Literal": "model.literals",
    "ModelFileError": "persistence",
    "Op": "model.literals",
    "Rule": "model.rule",
    "RuleSet": "model.rules",
    "RuleSyntaxError": "editing.tokens",
    "Scorer": "scoring",
    "inverse_brier_score": "model.confidence",
    "load_model": "persistence",
    "parse_rules": "editing.parse",
    "similarity": "model.similarity",
}
_MODULES = ("export", "heuristics")

__all__ = ["LEARNING_VERSION", "__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(importlib.import_module(f"foldse.{_HOME[name]}"), name)
    elif name in _MODULES:
        value = importlib.import_module(f"foldse.{name}")
    else:
        raise AttributeError(f"module 'foldse' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_MODULES})
