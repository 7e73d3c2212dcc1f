"""FOLD-SE and FOLD-R++ as scikit-learn classifiers."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from foldse.classifiers.base import TableClassifier
from foldse.classifiers.weights import IntegerWeights
from foldse.explain.counterfactual import Counterfactual, counterfactual
from foldse.explain.english import describe
from foldse.learning.covering import (
    ClassWeights,
    Induction,
    RuleList,
    learn_all_classes,
    learn_one_class,
)
from foldse.model.rules import RuleSet
from foldse.reading.containers import as_table
from foldse.reading.encoding import EncodedTable
from foldse.search.examples import SearchOptions

__all__ = ["FoldRPPClassifier", "FoldSEClassifier"]

REMOVE_COVERED = ("all", "correct")


class _RuleClassifier(TableClassifier):
    """What the rule learners share."""

    ratio: float
    remove_covered: str
    # As FOLD-R++ does it; parameters of FOLD-SE.
    negated_thresholds: bool = False
    prune_exceptions: bool = True

    def _min_cover(self, n_rows: float) -> int:
        return 1

    def _check_parameters(self) -> None:
        super()._check_parameters()
        is_number = isinstance(self.ratio, numbers.Real) and not isinstance(self.ratio, bool)
        if not is_number or not 0 <= self.ratio < math.inf:
            raise ValueError(f"ratio must be a number of at least 0, got {self.ratio!r}")
        for name in ("negated_thresholds", "prune_exceptions"):
            value = getattr(self, name)
            if not isinstance(value, bool | np.bool_):
                raise ValueError(f"{name} must be True or False, got {value!r}")
        if self.remove_covered not in REMOVE_COVERED:
            raise ValueError(
                f"remove_covered must be one of {', '.join(REMOVE_COVERED)}; got {self.remove_covered!r}"
            )

    def _learn(
        self,
        table: EncodedTable,
        labels: np.ndarray,
        target: str,
        weights: IntegerWeights | None,
        positive: int | None,
    ) -> None:
        values = None if weights is None else weights.values
        total = len(labels) if weights is None else weights.total
        scale = 1 if weights is None else weights.scale
        classes = ClassWeights(labels, len(self.classes_), values)
        induction = Induction(
            table,
            classes,
            SearchOptions(self.heuristic, bool(self.negated_thresholds)),
            self.ratio,
            math.ceil(self._min_cover(total) * scale),
            bool(self.prune_exceptions),
        )
        if len(self.classes_) == 1:
            learned, default = RuleList(classes), 0
        elif positive is not None:
            learned, default = learn_one_class(induction, positive), 1 - positive
        else:
            learned = learn_all_classes(induction, self.remove_covered == "all")
            default = int(np.argmax(np.bincount(labels, weights=values)))
        heads = self.classes_.tolist()
        raw = RuleSet(
            tuple(rule.translate(table, scale, heads[head]) for head, rule in learned.rules),
            features=tuple(self.feature_names_),
            target=target,
            classes=tuple(heads),
            default=heads[default],
            default_support=tuple((learned.default_support() / scale).tolist()),
        )
        self.raw_rules_ = raw
        self.rules_ = raw.simplified()
        self.n_rules_raw_, self.n_predicates_raw_ = raw.n_rules, raw.n_predicates
        self.n_rules_, self.n_predicates_ = self.rules_.n_rules, self.rules_.n_predicates

    def _first_firing(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self.rules_.first_firing(self._columns(X, self.rules_.used_features))

    def predict(self, X: Any) -> np.ndarray:
        """Return the label that the rules conclude for each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            In any container that `fit` takes. Columns are matched by name, in any order, where there are
            names; further columns are left out with a warning. A category that was not there at fit is
            equal to no category of a rule.

        Returns
        -------
        numpy.ndarray of shape (n_rows,)
            The head of the first rule that fires; where none does, the other class of two, and the most
            frequent class of the training data of more.
        """
        fired = self._first_firing(X)
        heads = [rule.head for rule in self.rules_] + [self.rules_.default]
        positions = np.searchsorted(self.classes_, np.array(heads, dtype=self.classes_.dtype))
        return self.classes_[positions[fired]]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the share of each class among the training rows that the same rule decides.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        numpy.ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``. Smoothed by Laplace: (n_k + 1) / (n + n_classes), with
            n_k the weight of class k among the training rows for which this rule was the first to fire.
            The largest share need not be that of the predicted class.
        """
        fired = self._first_firing(X)
        supports = np.array([rule.support for rule in self.rules_] + [self.rules_.default_support])
        shares = (supports + 1.0) / (supports.sum(axis=1, keepdims=True) + len(self.classes_))
        return shares[fired]

    def counterfactual(
        self,
        x: Any,
        target: Any = None,
        fixed: Sequence[str] = (),
        allow_missing: bool = True,
        name: str | None = None,
    ) -> Counterfactual:
        """Find the smallest change of one row that changes its label.

        Parameters
        ----------
        x : pandas.Series, dict, array-like of shape (n_features,), or table of one row
            A table keeps its dtypes, which matter where numbers are categories by their dtype only.
        target : object, optional
            The label to reach; any other by default.
        fixed : sequence of str
            Features that may not change.
        allow_missing : bool, default=True
            Whether a value may become missing.
        name : str, optional
            What the row is called.

        Returns
        -------
        Counterfactual
            With the fewest changed features, and among those the fewest literals changed; exact.

        Raises
        ------
        ValueError
            If no change reaches the label.
        """
        if isinstance(x, Mapping) and any(isinstance(v, str) or np.ndim(v) == 0 for v in x.values()):
            x = [x]
        has_names = isinstance(x, Mapping) or getattr(getattr(x, "dtype", None), "names", None) is not None
        has_names |= isinstance(x, list | tuple) and any(isinstance(row, Mapping) for row in x)
        if has_names or (hasattr(x, "__arrow_c_stream__") and not isinstance(x, pd.Series)):
            x = as_table(x)
        return counterfactual(self, x, target, fixed, allow_missing, name)

    def describe(self, templates: Any = None, subject: str = "X") -> str:
        """Tell the whole model in English.

        Parameters
        ----------
        templates : mapping of str to str, optional
            For a feature a sentence with ``@(X)`` for the subject and ``@(V)`` for the value, such as
            ``"@(X) is a passenger of class @(V)"``.
        subject : str, default="X"
            What the sentences speak of.

        Returns
        -------
        str
            A paragraph a rule, exceptions as ``unless``, then the default.
        """
        return describe(self, templates, subject)


class FoldSEClassifier(_RuleClassifier):
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
    remove_covered : {"all", "correct"}, default="all"
        More than two classes: which of the rows covered by a rule are removed before the next rule is
        learned, all of them or only those of the rule's own class. The paper leaves it open (FOLD-SE-M);
        its published rule counts fit ``"correct"``, the code of FOLD-RM removes all.

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
        remove_covered: str = "all",
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

    def _min_cover(self, n_rows: float) -> int:
        return math.floor(self.tail * n_rows) if self.tail < 1 else int(self.tail)


class FoldRPPClassifier(_RuleClassifier):
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

    def __init__(
        self,
        ratio: float = 0.5,
        heuristic: str = "information_gain",
        pos_label: Any = None,
        numeric_features: Sequence[str] | None = None,
        categorical_features: Sequence[str] | None = None,
        class_weight: Mapping[Any, float] | str | None = None,
        remove_covered: str = "all",
    ):
        self.ratio = ratio
        self.heuristic = heuristic
        self.pos_label = pos_label
        self.numeric_features = numeric_features
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.remove_covered = remove_covered
