"""CON-FOLD as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foldse.classifiers.rules import RuleClassifier
from foldse.learning.rule_list import TiedClasses

__all__ = ["ConFoldClassifier"]


class ConFoldClassifier(RuleClassifier):
    """CON-FOLD: FOLD-RM with a confidence for every rule, and two prunings by it.

    Parameters
    ----------
    improvement_threshold : float or None, default=0.02
        An exception by which the confidence of its rule grows less is removed; None removes none.
    confidence_threshold : float or None, default=0.75
        Rules of less confidence are dropped after learning; None drops none.
    ratio : float, default=0.5
        As in `FoldSEClassifier`.
    heuristic : str, default="information_gain"
        How literals are scored; a key of `foldse.heuristics.SCORES`.
    abstain : object, default=None
        What `predict` says of a row for which no rule fires: None or a label of its own, such as
        ``"unknown"``; False for the most frequent class of the training data.
    numeric_features, categorical_features : sequence of str, optional
        As in `FoldSEClassifier`.
    class_weight : "balanced" or dict, optional
        As in `FoldSEClassifier`.
    max_rule_length : int, optional
        As in `FoldSEClassifier`.
    expert_rules, exclude_features : object, optional
        As in `FoldSEClassifier`.

    Attributes
    ----------
    rules_, raw_rules_ : RuleSet
        The learned program, simplified and as it was learned, each rule with its ``confidence``.
    n_rules_, n_predicates_, n_rules_raw_, n_predicates_raw_ : int
        Rules (exceptions included) and literals of either.
    classes_ : numpy.ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : numpy.ndarray of shape (n_features_in_,)
        Only where all column names are text.

    Notes
    -----
    McGinness and Baumgartner, "CON-FOLD: Explainable Machine Learning with Confidence", TPLP 24(4), arXiv
    2408.07854, as its authors' code has it: rules are learned for every class, of two as well; what an
    exception covers leaves the search for the next one on both sides (FOLD-RM: only what is correct);
    of classes that are equally frequent the one whose first remaining row comes last is taken, where the rows
    of the last rule's class come first. So the program may depend on the order of the rows. In one point the
    code is not followed: where the most frequent class yields no valid literal, it adds a rule without
    conditions, which covers all that is left; here the list ends.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldse import ConFoldClassifier
    >>> X = pd.DataFrame({"sex": ["m", "f"] * 20})
    >>> y = pd.Series(["no", "yes"] * 20, name="survived")
    >>> clf = ConFoldClassifier().fit(X, y)
    >>> print(clf.rules_)
    survived(X,'yes') :- sex(X,'f').
    survived(X,'no') :- sex(X,'m').
    >>> clf.predict_confidence(X.head(1)).round(3)
    array([0.845])
    """

    saved_as = "ConFoldClassifier"
    interpreted_cost = 3
    pos_label = None
    remove_covered = "all"
    stop_at_invalid = True
    learns_all_classes = True
    exceptions_remove_all = True
    tied_classes: TiedClasses = "last_seen"

    def __init__(
        self,
        improvement_threshold: float | None = 0.02,
        confidence_threshold: float | None = 0.75,
        ratio: float = 0.5,
        heuristic: str = "information_gain",
        abstain: Any = None,
        numeric_features: Sequence[str] | None = None,
        categorical_features: Sequence[str] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        max_rule_length: int | None = None,
        expert_rules: Any = None,
        exclude_features: Sequence[str] | None = None,
    ):
        self.improvement_threshold = improvement_threshold
        self.confidence_threshold = confidence_threshold
        self.ratio = ratio
        self.heuristic = heuristic
        self.abstain = abstain
        self.numeric_features = numeric_features
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.max_rule_length = max_rule_length
        self.expert_rules = expert_rules
        self.exclude_features = exclude_features
