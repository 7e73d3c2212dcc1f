"""FOLD-SE and FOLD-R++ whose settings are chosen by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from foldse.classifiers.fold import FoldRPPClassifier, FoldSEClassifier
from foldse.classifiers.front import FrontSearch

__all__ = ["FoldRPPCV", "FoldSECV"]


class FoldSECV(FrontSearch, FoldSEClassifier):
    """FOLD-SE with its settings chosen by cross-validation: how large the program may be.

    Parameters
    ----------
    cv : int, float, splitter or iterable, default=5
        A number of stratified folds, a share of the rows that is held out once, one of scikit-learn's
        splitters, or pairs of positions of rows to learn from and to score on.
    max_predicates, max_rules : int, optional
        The best setting is taken whose program, learned from all rows, has at most so many literals or rules.
    choose : {"one_se", "best"}, default="one_se"
        Without such a limit: the smallest program whose score is within one standard error of the best one's,
        or the best. On one split there is no such error: the smallest of the best is taken.
    scoring : str, callable or None, default=None
        Any scorer of scikit-learn; by default accuracy.
    tail, ratio, heuristic : value, sequence of values or None
        What is tried; by default ten tails from 0 to 0.2, the ratios 0.5 and 1, and the heuristics
        ``"magic_gini"`` and ``"information_gain"``: 40 settings.
    pos_label, numeric_features, categorical_features, class_weight : object, optional
        As in `FoldSEClassifier`.
    negated_thresholds, prune_exceptions, remove_covered, stop_at_invalid, ties, blocking : object, optional
        As in `FoldSEClassifier`.
    improvement_threshold, confidence_threshold, max_rule_length, abstain : object, optional
        As in `FoldSEClassifier`.
    expert_rules, exclude_features, operators, directions : object, optional
        As in `FoldSEClassifier`.

    Attributes
    ----------
    cv_results_ : dict of arrays
        As of `sklearn.model_selection.GridSearchCV`, an entry a setting; moreover ``n_rules`` and
        ``n_predicates`` of the program learned from all rows, and means and deviations of those of the
        splits.
    front_ : pandas.DataFrame
        The settings that no other beats in mean score and in ``n_predicates``, the smallest program first; of
        settings that are equal in both the first. The index is the position in ``cv_results_``.
    best_index_, best_params_, best_score_ : int, dict, float
        Of the setting that was chosen.
    best_estimator_ : FoldSEClassifier
        With this setting, fitted to all rows. What it has after ``fit``, such as ``rules_``, is here, too.
    n_splits_ : int
    scorer_ : callable

    Notes
    -----
    The table is read and encoded once. The rows of a split are taken from the codes with the values that
    occur among them only, so that no threshold comes from a row to be scored: each score is that of
    `sklearn.model_selection.GridSearchCV` with plain estimators on the same splits. A scorer is given a
    table in codes for its X, which ``predict`` and ``predict_proba`` take.

    Breiman et al., "Classification and Regression Trees" (1984), section 3.4.3: the rule of one standard
    error, here with the deviation of the scores (ddof=1) over the square root of the number of splits.
    """

    saved_as = None  # type: ignore[assignment]  # what is saved is the chosen model
    plain = FoldSEClassifier
    default_grid: ClassVar = {
        "tail": (0.0, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2),
        "ratio": (0.5, 1.0),
        "heuristic": ("magic_gini", "information_gain"),
    }

    def __init__(
        self,
        cv: Any = 5,
        max_predicates: int | None = None,
        max_rules: int | None = None,
        choose: str = "one_se",
        scoring: Any = None,
        tail: Any = None,
        ratio: Any = None,
        heuristic: Any = None,
        pos_label: Any = None,
        numeric_features: Sequence[str] | None = None,
        categorical_features: Sequence[str] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        negated_thresholds: bool = True,
        prune_exceptions: bool = True,
        remove_covered: str = "correct",
        stop_at_invalid: bool = False,
        ties: str = "columns",
        blocking: str = "value",
        improvement_threshold: float | None = None,
        confidence_threshold: float | None = None,
        max_rule_length: int | None = None,
        abstain: Any = False,
        expert_rules: Any = None,
        exclude_features: Sequence[str] | None = None,
        operators: Sequence[str] | None = None,
        directions: Mapping[str, str] | None = None,
    ):
        super().__init__(
            ratio=ratio,
            tail=tail,
            heuristic=heuristic,
            pos_label=pos_label,
            numeric_features=numeric_features,
            categorical_features=categorical_features,
            class_weight=class_weight,
            negated_thresholds=negated_thresholds,
            prune_exceptions=prune_exceptions,
            remove_covered=remove_covered,
            stop_at_invalid=stop_at_invalid,
            ties=ties,
            blocking=blocking,
            improvement_threshold=improvement_threshold,
            confidence_threshold=confidence_threshold,
            max_rule_length=max_rule_length,
            abstain=abstain,
            expert_rules=expert_rules,
            exclude_features=exclude_features,
            operators=operators,
            directions=directions,
        )
        self.cv = cv
        self.max_predicates = max_predicates
        self.max_rules = max_rules
        self.choose = choose
        self.scoring = scoring


class FoldRPPCV(FrontSearch, FoldRPPClassifier):
    """FOLD-R++ with its settings chosen by cross-validation: how large the program may be.

    Parameters
    ----------
    cv : int, float, splitter or iterable, default=5
        A number of stratified folds, a share of the rows that is held out once, one of scikit-learn's
        splitters, or pairs of positions of rows to learn from and to score on.
    max_predicates, max_rules : int, optional
        The best setting is taken whose program, learned from all rows, has at most so many literals or rules.
    choose : {"one_se", "best"}, default="one_se"
        Without such a limit: the smallest program whose score is within one standard error of the best one's,
        or the best. On one split there is no such error: the smallest of the best is taken.
    scoring : str, callable or None, default=None
        Any scorer of scikit-learn; by default accuracy.
    ratio, heuristic : value, sequence of values or None
        What is tried; by default ten ratios from 0.05 to 10, and the heuristics ``"information_gain"``,
        ``"magic_gini"``, ``"weighted_gini"`` and ``"chi_square"``: 40 settings.
    pos_label, numeric_features, categorical_features, class_weight : object, optional
        As in `FoldRPPClassifier`.
    remove_covered, stop_at_invalid : object, optional
        As in `FoldRPPClassifier`.

    Attributes
    ----------
    cv_results_ : dict of arrays
        As of `sklearn.model_selection.GridSearchCV`, an entry a setting; moreover ``n_rules`` and
        ``n_predicates`` of the program learned from all rows, and means and deviations of those of the
        splits.
    front_ : pandas.DataFrame
        The settings that no other beats in mean score and in ``n_predicates``, the smallest program first; of
        settings that are equal in both the first. The index is the position in ``cv_results_``.
    best_index_, best_params_, best_score_ : int, dict, float
        Of the setting that was chosen.
    best_estimator_ : FoldRPPClassifier
        With this setting, fitted to all rows. What it has after ``fit``, such as ``rules_``, is here, too.
    n_splits_ : int
    scorer_ : callable

    Notes
    -----
    The table is read and encoded once. The rows of a split are taken from the codes with the values that
    occur among them only, so that no threshold comes from a row to be scored: each score is that of
    `sklearn.model_selection.GridSearchCV` with plain estimators on the same splits. A scorer is given a
    table in codes for its X, which ``predict`` and ``predict_proba`` take.

    Breiman et al., "Classification and Regression Trees" (1984), section 3.4.3: the rule of one standard
    error, here with the deviation of the scores (ddof=1) over the square root of the number of splits.
    """

    saved_as = None  # type: ignore[assignment]  # what is saved is the chosen model
    plain = FoldRPPClassifier
    default_grid: ClassVar = {
        "ratio": (0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 5.0, 10.0),
        "heuristic": ("information_gain", "magic_gini", "weighted_gini", "chi_square"),
    }

    def __init__(
        self,
        cv: Any = 5,
        max_predicates: int | None = None,
        max_rules: int | None = None,
        choose: str = "one_se",
        scoring: Any = None,
        ratio: Any = None,
        heuristic: Any = None,
        pos_label: Any = None,
        numeric_features: Sequence[str] | None = None,
        categorical_features: Sequence[str] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        remove_covered: str = "all",
        stop_at_invalid: bool = False,
    ):
        super().__init__(
            ratio=ratio,
            heuristic=heuristic,
            pos_label=pos_label,
            numeric_features=numeric_features,
            categorical_features=categorical_features,
            class_weight=class_weight,
            remove_covered=remove_covered,
            stop_at_invalid=stop_at_invalid,
        )
        self.cv = cv
        self.max_predicates = max_predicates
        self.max_rules = max_rules
        self.choose = choose
        self.scoring = scoring
