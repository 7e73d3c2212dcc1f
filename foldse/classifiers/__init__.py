"""The scikit-learn classifiers."""

from foldse.classifiers.confold import ConFoldClassifier
from foldse.classifiers.cross_validated import FoldRPPCV, FoldSECV
from foldse.classifiers.fold import FoldRPPClassifier, FoldSEClassifier
from foldse.classifiers.tree import HeuristicTreeClassifier

__all__ = [
    "ConFoldClassifier",
    "FoldRPPCV",
    "FoldRPPClassifier",
    "FoldSECV",
    "FoldSEClassifier",
    "HeuristicTreeClassifier",
]
