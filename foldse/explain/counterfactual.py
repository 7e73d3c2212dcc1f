"""What would have to be different for a row to be predicted otherwise: the cheapest changes, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from foldse.explain.actions import Actions, Constraints, Within, read_actions
from foldse.explain.domains import Domain, Region, domain, observed_value
from foldse.explain.justify import subject_names
from foldse.explain.proof import ObservedValue, plain
from foldse.explain.region_search import cheapest_rows
from foldse.explain.wording import observed_words
from foldse.model.literals import Literal, Value, quote
from foldse.model.rules import RuleSet
from foldse.reading.values import column_names

__all__ = ["Counterfactual", "FeatureChange", "counterfactuals"]


class FeatureChange(NamedTuple):
    """One feature's change: its name, the value it has and the value it would have to have."""

    feature: str
    old: Value
    new: Value


@dataclass(frozen=True, eq=False)
class Counterfactual:
    """A change to a row that makes it be predicted otherwise, from which nothing can be left out.

    Attributes
    ----------
    subject : str
        Name of the row.
    original, prediction : object
        What is predicted for the row as it is, None if that is no label, and once it is changed.
    changes : tuple of FeatureChange
        In the order of the features.
    literals : tuple of Literal
        The program's literals that hold for one of the two and not for the other.
    cost : float
        What the changes cost together: their number, unless costs were given.
    row : pandas.Series
        The changed row.
    """

    subject: str
    original: Any
    prediction: Any
    changes: tuple[FeatureChange, ...]
    literals: tuple[Literal, ...]
    cost: float
    row: pd.Series
    _rules: RuleSet
    # For each change, how the old and the new value read, and the condition on any new one.
    _texts: tuple[tuple[str, str, str], ...]

    def __str__(self) -> str:
        names = self._rules.predicate_names()
        heads = [
            "no label" if label is None else f"{self._rules.target}({self.subject},{quote(str(label))})"
            for label in (self.prediction, self.original)
        ]
        clauses = [
            f"    the value of {names[change.feature]} were {new} instead of {old}"
            for change, (old, new, _) in zip(self.changes, self._texts, strict=True)
        ]
        return f"{heads[0]} would hold instead of {heads[1]} if\n" + " and\n".join(clauses)

    def __repr__(self) -> str:
        return f"<counterfactual: {' '.join(str(self).split())}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the counterfactual as plain JSON values.

        Returns
        -------
        dict
            ``schema`` (1), ``subject``, ``target``, ``original``, ``prediction``, ``cost`` and ``changes``,
            each ``feature``, ``from``, ``to`` and ``condition``, which is what any other value has to meet.
        """
        return {
            "schema": 1,
            "subject": self.subject,
            "target": self._rules.target,
            "original": plain(self.original),
            "prediction": plain(self.prediction),
            "cost": plain(self.cost),
            "changes": [
                {"feature": feature, "from": plain(old), "to": plain(new), "condition": condition}
                for (feature, old, new), (_, _, condition) in zip(self.changes, self._texts, strict=True)
            ],
        }


def counterfactuals(
    clf: Any,
    x: Any,
    target: Any = None,
    fixed: Iterable[str] = (),
    allow_missing: bool = True,
    name: str | None = None,
    n: int = 1,
    within: Within | None = None,
    directions: Mapping[str, str] | None = None,
    costs: Mapping[str, float] | None = None,
    constraints: Constraints = (),
) -> list[Counterfactual]:
    """Return the smallest changes to a row that make it be predicted otherwise.

    Parameters
    ----------
    clf : fitted FoldSEClassifier or FoldRPPClassifier
    x : pandas.Series, pandas.DataFrame of one row, or array-like of shape (n_features,)
        The row. As one row of a frame it keeps its dtypes, which matter where numbers are categories by
        their dtype only.
    target : object, optional
        The label to reach; by default any other than the predicted one.
    fixed : iterable of str, default=()
        Features that must stay as they are.
    allow_missing : bool, default=True
        Whether a value may become missing where that is the smallest change.
    name : str, optional
        What to call the row; by default its label where it is text, and X0 elsewhere.
    n : int, default=1
        How many changes to find, at least 1.
    within : mapping of str to tuple or list, optional
        For a feature the values that it may be changed to: of numbers the closed range, as a tuple
        ``(low, high)`` of which either may be None, or a list of categories, in which None is a missing
        value. The row's own value may stay wherever it is.
    directions : mapping of str to str, optional
        For a feature of numbers ``"up"`` or ``"down"``: a new value may only be larger, or smaller.
    costs : mapping of str to float, optional
        What it costs to change a feature, above 0; 1 for those that are not named. One that costs infinity
        is fixed.
    constraints : Rule, Literal, or iterable of them, default=()
        What the changed row has to meet, whether or not the row as it is does: a rule whose head is None
        says what must not hold (all of its body, and none of its exceptions), a literal what must.

    Returns
    -------
    list of Counterfactual
        By total cost, then as in the notes; fewer than `n` if there are no more. None of them goes beyond
        another: no answer makes all changes of another one, be it the same or, of a number, further the same
        way. So to 20 and to 30 are one answer, and the nearer is given; down to 3, or to another category,
        is another answer.

    Raises
    ------
    ValueError
        If no change that is allowed reaches the target, the target is not a label or is the one predicted, a
        setting names what is no feature or gives what the setting does not take, a feature with a
        direction is no number in the row, or `x` is not one row.
    TypeError
        If the model has no rules, or a constraint is neither a rule nor a literal.

    Notes
    -----
    Not in the paper. The rules tell only finitely many values of a feature apart: the intervals between
    their thresholds, the categories that they name, any other category, missing. Constraints part them
    further, and a range cuts them. Over these regions the search is exact (see
    `foldse.explain.region_search.cheapest_rows`). It minimises, compared in this order, the total cost, the
    number of features changed, the number of the program's literals whose truth changes, how unnatural the
    changes are, how far numbers move, and the positions of the features (see
    `foldse.explain.domains.domain`); what is equal in all of it is decided by the order of the rules.

    A feature with a range or a direction becomes neither missing nor a category. Costs are added as they
    are written, without rounding: 0.1 and 0.2 are as much as 0.3.
    """
    check_is_fitted(clf)
    if not hasattr(clf, "rules_"):
        raise TypeError(f"a counterfactual is found from rules, and {type(clf).__name__} has none")
    if not isinstance(n, Integral) or isinstance(n, bool) or n < 1:
        raise ValueError(f"n must be a whole number of at least 1, got {n!r}")
    rules: RuleSet = clf.rules_
    frame = _one_row(clf, x)
    original = clf.predict(frame).tolist()[0]
    targets = _targets(rules, original, target)
    actions = read_actions(clf, fixed, allow_missing, within, directions, costs, constraints)
    domains = _domains(clf, frame, actions)
    subject = subject_names(frame, 1, None if name is None else [name])[0]
    found = []
    for regions in islice(cheapest_rows(rules, actions.forbidden, domains, targets), n):
        changed = [(d, d.regions[region]) for d, region in zip(domains, regions, strict=True) if region]
        row = frame.copy()
        for d, region in changed:
            _put(row, d.feature, region.value)
        found.append(_checked(clf, row, changed, targets, original, subject, actions))
    if not found:
        other = "a label" if original is None else f"another label than {original!r}"
        wanted = other if target is None else f"the label {target!r}"
        free = [d.feature for d in domains if d.feature not in actions.fixed]
        restricted = f"; restricted by {actions}" if str(actions) else ""
        raise ValueError(
            f"no change of {', '.join(free) if free else 'any feature that may change'} leads to "
            f"{wanted}{restricted}"
        )
    return found


def _domains(clf: Any, frame: pd.DataFrame, actions: Actions) -> list[Domain]:
    """Return the domains of the features that the program or a constraint compares, in their order."""
    rules: RuleSet = clf.rules_
    of_program = dict.fromkeys(rules.literals())
    asked = [x for rule in actions.forbidden for part in rule.parts() for x in part.body]
    of_constraints = [literal for literal in dict.fromkeys(asked) if literal not in of_program]
    compared = {literal.feature for literal in (*of_program, *of_constraints)}
    table = clf._columns(frame, frozenset(compared | actions.directions.keys()))
    for feature in actions.directions:
        actions.allowed(feature, observed_value(table[feature]))
    features = [feature for feature in rules.features if feature in compared]
    return [
        domain(
            table[feature],
            [literal for literal in of_program if literal.feature == feature],
            rules.features.index(feature),
            actions.allowed(feature, observed_value(table[feature])),
            clf.feature_types_[rules.features.index(feature)],
            [literal for literal in of_constraints if literal.feature == feature],
            price,
        )
        for feature, price in zip(features, actions.prices(features), strict=True)
    ]


def _checked(
    clf: Any,
    row: pd.DataFrame,
    changed: Sequence[tuple[Domain, Region]],
    targets: Sequence[Any],
    original: Any,
    subject: str,
    actions: Actions,
) -> Counterfactual:
    """Return the counterfactual of a changed row, once predict and the constraints have confirmed it."""
    prediction = clf.predict(row).tolist()[0]
    holds = [rule.covers(clf._columns(row, rule.features))[0] for rule in actions.forbidden]
    if prediction not in targets or any(holds):
        raise RuntimeError(
            f"the search and predict disagree on {row.to_dict('records')[0]}; please report this"
        )
    program = set(clf.rules_.literals())
    return Counterfactual(
        subject=subject,
        original=original,
        prediction=prediction,
        changes=tuple(FeatureChange(d.feature, d.observed.value, region.value) for d, region in changed),
        literals=tuple(
            literal
            for d, region in changed
            for bit, literal in enumerate(d.literals)
            if literal in program and (d.regions[0].truths ^ region.truths) >> bit & 1
        ),
        cost=float(actions.cost(d.feature for d, _ in changed)),
        row=row.iloc[0],
        _rules=clf.rules_,
        _texts=tuple(
            (
                str(d.observed),
                _with_condition(ObservedValue(region.value, region.is_number), region.says),
                region.says,
            )
            for d, region in changed
        ),
    )


def _with_condition(new: ObservedValue, says: str) -> str:
    """Return the new value and, where others would do as well, what they have in common."""
    return str(new) if says == observed_words(new) else f"{new} ({says})"


def _one_row(clf: Any, x: Any) -> pd.DataFrame:
    """Return a row as a frame."""
    if isinstance(x, pd.Series):
        return x.to_frame().T
    if not isinstance(x, pd.DataFrame):
        # The values of a list may be of several types; an array is of one.
        values = x if isinstance(x, np.ndarray) else np.array(x, dtype=object)
        if values.ndim == 1:
            values = values.reshape(1, -1)
        if values.ndim != 2 or values.shape[1] != clf.n_features_in_:
            raise ValueError(
                f"x has shape {values.shape}, but one row of {clf.n_features_in_} features is needed"
            )
        x = pd.DataFrame(values, columns=list(clf.feature_names_))
    if len(x) != 1:
        raise ValueError(f"x has {len(x)} rows; a counterfactual is found for one, such as X.iloc[[0]]")
    return x


def _put(frame: pd.DataFrame, feature: str, value: Value) -> None:
    position = column_names(frame).index(feature)
    if isinstance(frame.dtypes.iloc[position], pd.CategoricalDtype):
        # Its dtype may be all that says that a number is a category here.
        frame.isetitem(position, pd.Categorical([value]))
    else:
        frame.isetitem(position, np.array([value], dtype=object))


def _targets(rules: RuleSet, original: Any, target: Any) -> list[Any]:
    """Return the labels that will do; to abstain is one only where it is asked for by its name."""
    if target is None:
        return [label for label in rules.classes if label != original]
    labels = [*rules.classes]
    if rules.otherwise is not None and rules.otherwise not in labels:
        labels.append(rules.otherwise)
    found = [label for label in labels if label == target]
    if not found:
        known = ", ".join(map(repr, labels))
        raise ValueError(f"target {target!r} is not a label; the labels are {known}")
    if found[0] == original:
        raise ValueError(f"target {target!r} is what is predicted already")
    return found
