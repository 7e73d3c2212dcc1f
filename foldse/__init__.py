"""FOLD-SE and its relatives: classifiers whose model is a handful of readable default rules."""

from foldse.classifiers import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
from foldse.literals import Literal, Op
from foldse.persistence import ModelFileError, load_model
from foldse.rules import Rule, RuleSet

__version__ = "0.1.0"

__all__ = [
    "FoldRPPClassifier",
    "FoldSEClassifier",
    "HeuristicTreeClassifier",
    "Literal",
    "ModelFileError",
    "Op",
    "Rule",
    "RuleSet",
    "__version__",
    "load_model",
]
