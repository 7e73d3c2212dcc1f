"""The scikit-learn classifiers."""

from foldse.classifiers.fold import FoldRPPClassifier, FoldSEClassifier
from foldse.classifiers.tree import HeuristicTreeClassifier

__all__ = ["FoldRPPClassifier", "FoldSEClassifier", "HeuristicTreeClassifier"]
