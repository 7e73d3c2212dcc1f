"""FOLD-SE and FOLD-R++ as scikit-learn classifiers."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

from foldse.classifiers.rules import RuleClassifier
from foldse.learning.weights import IntegerWeights

__all__ = ["FoldRPPClassifier", "FoldSEClassifier"]


class FoldSEClassifier(RuleClassifier):
    """FOLD-SE: a handful of default rules with exceptions; for more than two classes FOLD-SE-M.

    Parameters
    ----------
    ratio : float, default=0.5
        A rule is specialised until it covers at most this many negatives for each positive; at least 0.
        What negatives remain are left to its exceptions.
    tail : float or int, default=0.005
        A rule or an exception that covers fewer positives is dropped. Below 1 a share of the weight of
        the training rows, rounded down; an int is a count of rows; 0 drops none.
    heuristic : str, default="magic_gini"
        How literals are scored; a key of `foldse.heuristics.SCORES`.
    pos_label : object, optional
        Of two classes, the one that rules are learned for; by default the more frequent one
        (by ``sample_weight``), of two as frequent the first.
    numeric_features, categorical_features : sequence of str, optional
        Features to be read as numbers (what is no number stays a category) or as categories. The others are
        read by dtype: numbers numeric, text, categorical and bool categorical, object by each value's type.
    class_weight : "balanced" or dict, optional
        A weight for each label, 1 for one that is left out; the weight of a row is multiplied by that of its
        label. ``"balanced"`` gives all labels the same weight in total: n_rows / (n_classes * rows of the
        label), rows counted by ``sample_weight``. A share ``tail``, coverage, and the label of rows that no
        rule covers go by these weights; which label is positive by default does not.
    negated_thresholds : bool, default=True
        Whether numbers are compared by ``not <=`` and ``not >`` as well as ``<=`` and ``>``. The negated
        comparisons also hold for what is not a number. False leaves FOLD-R++'s four comparisons.
    prune_exceptions : bool, default=True
        Whether `tail` applies to exceptions as well as to rules. In the paper's listings it does, since
        LearnRule learns the exceptions by LearnRuleSet; its text speaks of rules only.
    remove_covered : {"all", "correct"}, default="correct"
        More than two classes: which of the rows covered by a rule are removed before the next rule is
        learned, all of them or only those of the rule's own class. The paper leaves it open (FOLD-SE-M);
        its published rule counts fit ``"correct"``.
    stop_at_invalid : bool, default=False
        More than two classes: whether the list of rules ends where the most frequent remaining class yields
        no valid rule. By default the next most frequent one is tried, until none yields a rule. The paper
        lists it without saying; where many classes are equally frequent, ending leaves no rule at all.
    ties : {"columns", "categories_first", "last_category_first", "service"}, default="columns"
        Which of several literals with the same score is taken, see `foldse.search.ties.order_ties`.
    blocking : {"value", "comparison"}, default="value"
        What a literal blocks in the rest of its rule and in the exceptions below it: all comparisons with
        its value, or only its own and the negation of that. ``ties="service", blocking="comparison"`` gives
        the programs of the authors' own FOLD-SE.
    improvement_threshold : float, optional
        From 0 to 1: an exception by which the confidence of its rule grows less is removed, see
        `foldse.learning.pruning`. By default all exceptions stay.
    confidence_threshold : float, optional
        From 0 to 1: rules of less confidence, see `foldse.model.confidence.Confidence`, are dropped after
        learning. By default none is.
    max_rule_length : int, optional
        A rule, and an exception, has at most so many literals, also when simplified; what negatives it then
        covers are left to its exceptions. No limit by default.
    abstain : object, default=False
        What `predict` says of a row for which no rule fires: None, or a label of its own such as
        ``"unknown"``. By default the other class of two, and of more the most frequent one.
    expert_rules : str, Rule, RuleSet, mapping, or iterable of these, optional
        Rules that come first: text as a program prints, see `foldse.parse_rules`, rules as objects, or as
        they stand in a model file; each may be paired with a confidence, ``(rules, 0.9)``, which is otherwise
        computed. Learning goes on with the rows that they do not cover; `tail` stays a share of all rows.
        They are neither simplified nor dropped.
    exclude_features : sequence of str, optional
        Features that no learned rule compares.
    operators : sequence of str, optional
        Comparisons that learned rules may make: some of ``"<="``, ``"not<="``, ``">"``, ``"not>"``, ``"="``,
        ``"!="``; by default all that `negated_thresholds` leaves.
    directions : mapping of str to {"up", "down"}, optional
        Thresholds of a feature in one direction only: ``"up"`` allows those that hold of large numbers, ``>``
        and ``not<=``, and ``"down"`` the others. It holds for rules and exceptions alike.

    Attributes
    ----------
    rules_ : RuleSet
        The learned program, simplified; ``print(clf.rules_)`` shows it.
    n_rules_, n_predicates_ : int
        Rules (exceptions included) and literals of ``rules_``.
    raw_rules_ : RuleSet
        The program as it was learned, which says the same.
    n_rules_raw_, n_predicates_raw_ : int
        Rules and literals of ``raw_rules_``.
    classes_ : numpy.ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : numpy.ndarray of shape (n_features_in_,)
        Only where all column names are text.

    Notes
    -----
    Wang and Gupta, "FOLD-SE: An Efficient Rule-based Machine Learning Algorithm with Scalable
    Explainability", arXiv 2208.07912. The score differs from the one printed in the paper, see
    `foldse.heuristics.magic_gini`; `foldse.learning.covering.Induction` documents how gaps in the listings
    are filled, `foldse.reading` how values are read (missing, text and numbers, True and 1, infinities), and
    `foldse.reading.containers.as_table` which containers are accepted.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldse import FoldSEClassifier
    >>> X = pd.DataFrame({"sex": ["m", "f", "m", "f"], "age": [30.0, 40.0, 5.0, 8.0]})
    >>> y = pd.Series(["no", "yes", "no", "yes"], name="survived")
    >>> print(FoldSEClassifier(pos_label="yes").fit(X, y).rules_)
    survived(X,'yes') :- sex(X,'f').
    """

    saved_as = "FoldSEClassifier"

    def __init__(
        self,
        ratio: float = 0.5,
        tail: float = 0.005,
        heuristic: str = "magic_gini",
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
        self.ratio = ratio
        self.tail = tail
        self.heuristic = heuristic
        self.pos_label = pos_label
        self.numeric_features = numeric_features
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.negated_thresholds = negated_thresholds
        self.prune_exceptions = prune_exceptions
        self.remove_covered = remove_covered
        self.stop_at_invalid = stop_at_invalid
        self.ties = ties
        self.blocking = blocking
        self.improvement_threshold = improvement_threshold
        self.confidence_threshold = confidence_threshold
        self.max_rule_length = max_rule_length
        self.abstain = abstain
        self.expert_rules = expert_rules
        self.exclude_features = exclude_features
        self.operators = operators
        self.directions = directions

    def _check_parameters(self) -> None:
        super()._check_parameters()
        is_count = isinstance(self.tail, numbers.Integral) and not isinstance(self.tail, bool)
        is_share = (
            isinstance(self.tail, numbers.Real) and not isinstance(self.tail, bool) and 0 <= self.tail < 1
        )
        if not is_share and not (is_count and self.tail >= 0):
            raise ValueError(
                "tail must be a share of the rows, at least 0 and below 1, or an int count of rows; "
                f"got {self.tail!r}"
            )

    def _min_cover(self, n_rows: int, weights: IntegerWeights | None) -> int:
        total, scale = (n_rows, 1) if weights is None else (weights.total, weights.scale)
        least = math.floor(self.tail * total) if self.tail < 1 else int(self.tail)
        return math.ceil(least * scale)


class FoldRPPClassifier(RuleClassifier):
    """FOLD-R++: the predecessor of FOLD-SE; for more than two classes FOLD-RM.

    Parameters
    ----------
    ratio : float, default=0.5
        As in `FoldSEClassifier`.
    heuristic : str, default="information_gain"
        How literals are scored; a key of `foldse.heuristics.SCORES`.
    pos_label : object, optional
        As in `FoldSEClassifier`.
    numeric_features, categorical_features : sequence of str, optional
        As in `FoldSEClassifier`.
    class_weight : "balanced" or dict, optional
        As in `FoldSEClassifier`.
    remove_covered : {"all", "correct"}, default="all"
        As in `FoldSEClassifier`; FOLD-RM's own code removes all.
    stop_at_invalid : bool, default=False
        As in `FoldSEClassifier`; FOLD-RM's own code stops.

    Attributes
    ----------
    rules_, raw_rules_ : RuleSet
        The learned program, simplified and as it was learned.
    n_rules_, n_predicates_, n_rules_raw_, n_predicates_raw_ : int
        Rules (exceptions included) and literals of either.
    classes_ : numpy.ndarray of shape (n_classes,)
    n_features_in_ : int
    feature_names_in_ : numpy.ndarray of shape (n_features_in_,)
        Only where all column names are text.

    Notes
    -----
    Wang and Gupta, "FOLD-R++: A Scalable Toolset for Automated Inductive Learning of Default Theories
    from Mixed Data", arXiv 2110.07843; Wang, Shakerin and Gupta, "FOLD-RM", arXiv 2202.06913. Differs from
    FOLD-SE in the score, in having only the comparisons ``<=``, ``>``, ``=``, ``!=``, and in keeping
    every rule that covers anything. The papers count its rules before simplification: ``n_rules_raw_``.
    `foldse.reading` documents how values are read.
    """

    saved_as = "FoldRPPClassifier"
    interpreted_cost = 3

    def __init__(
        self,
        ratio: float = 0.5,
        heuristic: str = "information_gain",
        pos_label: Any = None,
        numeric_features: Sequence[str] | None = None,
        categorical_features: Sequence[str] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        remove_covered: str = "all",
        stop_at_invalid: bool = False,
    ):
        self.ratio = ratio
        self.heuristic = heuristic
        self.pos_label = pos_label
        self.numeric_features = numeric_features
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.remove_covered = remove_covered
        self.stop_at_invalid = stop_at_invalid
