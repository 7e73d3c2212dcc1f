"""The paper's decision tree as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from foldse.classifiers.base import TableClassifier
from foldse.learning.training import TrainingData
from foldse.learning.tree import grow
from foldse.model.tree import Tree
from foldse.search.examples import SearchOptions

__all__ = ["HeuristicTreeClassifier"]


class HeuristicTreeClassifier(TableClassifier):
    """The unpruned decision tree with which the FOLD-SE paper compares its heuristics.

    Parameters
    ----------
    heuristic : str, default="magic_gini"
        How splits are scored; a key of `foldse.heuristics.SCORES`.
    pos_label : object, optional
        Of two classes, the positives of the score; by default the more frequent one. It only decides ties.
    numeric_features, categorical_features : sequence of str, optional
        As in `FoldSEClassifier`.

    Attributes
    ----------
    tree_ : Tree
        ``print(clf.tree_)`` shows it.
    n_leaves_ : int
        What the paper's tables call Nodes.
    mean_depth_ : float
        Mean depth of the leaves, the root alone being 1: what the paper's tables call Depth.
    classes_ : numpy.ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : numpy.ndarray of shape (n_features_in_,)
        Only where all column names are text.

    Notes
    -----
    `foldse.learning.tree.grow` documents how gaps in the paper are filled, `foldse.reading` how values are
    read. There is no ``class_weight``: leaves are as pure as possible, so class weights would hardly change
    a prediction.
    """

    saved_as = "HeuristicTreeClassifier"
    interpreted_cost = 10

    def __init__(
        self,
        heuristic: str = "magic_gini",
        pos_label: Any = None,
        numeric_features: Sequence[str] | None = None,
        categorical_features: Sequence[str] | None = None,
    ):
        self.heuristic = heuristic
        self.pos_label = pos_label
        self.numeric_features = numeric_features
        self.categorical_features = categorical_features

    def _learn(self, data: TrainingData) -> None:
        weights = data.weighted(self.class_weight)
        self.target_ = data.target
        self.tree_: Tree = grow(
            data.table,
            data.labels,
            tuple(self.classes_.tolist()),
            SearchOptions(self.heuristic, negated_thresholds=False),
            None if weights is None else weights.values,
            data.positive,
        )
        depths = [depth for _, depth in self.tree_.leaves()]
        self.n_leaves_ = len(depths)
        self.mean_depth_ = sum(depths) / len(depths)

    def predict(self, X: Any) -> np.ndarray:
        """Return the most frequent class of each row's leaf, of several as frequent the first.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `fit`; columns are matched by name where there are names.

        Returns
        -------
        numpy.ndarray of shape (n_rows,)
            Labels, of the dtype of ``classes_``.
        """
        shares = self.predict_proba(X)
        return self.classes_[np.argmax(shares, axis=1)]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the share of each class in each row's leaf.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        numpy.ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``.
        """
        check_is_fitted(self)
        return self.tree_.shares(self._columns(X, self.tree_.features))
