"""The scikit-learn classifiers."""

from foldse.classifiers.confold import ConFoldClassifier
from foldse.classifiers.fold import FoldRPPClassifier, FoldSEClassifier
from foldse.classifiers.tree import HeuristicTreeClassifier

__all__ = ["ConFoldClassifier", "FoldRPPClassifier", "FoldSEClassifier", "HeuristicTreeClassifier"]
