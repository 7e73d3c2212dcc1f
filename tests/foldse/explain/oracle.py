"""Every change there could be, as plainly as it can be said: what counterfactuals are compared with."""

import itertools
import math
from fractions import Fraction

from tests import naive
from tests.tables import as_naive


def literals_of(rule):
    return [*rule.body, *(x for exception in rule.exceptions for x in literals_of(exception))]


def predicted(rules, row):
    return next((rule.head for rule in rules if naive.covers(as_naive(rule), row)), rules.default)


def truths(literals, row):
    return tuple(naive.holds((int(x.feature[1:]), str(x.op), x.value), row) for x in literals)


def candidates(literals, types):
    """Return values that show all that literals can tell of their feature, of the types that it held."""
    # Where a feature held numbers only, a word would be refused or, in a column of objects, is not proposed.
    values = {None: None, "another": 0.0 if types in ("number", "number+object") else "neither"}
    for literal in literals:
        if literal.op.is_threshold:
            for number in (literal.value, literal.value - 1e-3, literal.value + 1e-3):
                values["number", number] = number
        else:
            values["text", literal.value] = literal.value
    return list(values.values())


def may_become(old, new, feature, wishes):
    """Whether a value may be changed to another."""
    if feature in wishes["fixed"] or wishes["costs"].get(feature) == math.inf:
        return False
    if new is None and not wishes["allow_missing"]:
        return False
    within, way = wishes["within"].get(feature), wishes["directions"].get(feature)
    if isinstance(within, tuple):
        low, high = within
        if not naive.is_number(new) or (low is not None and new < low) or (high is not None and new > high):
            return False
    elif within is not None and not any(type(new) is type(v) and new == v for v in within):
        return False
    return way is None or (naive.is_number(new) and (new > old if way == "up" else new < old))


def every_answer(rules, types, row, targets, wishes):
    """Return all changes that reach a target and go beyond no other, as costs by what changes.

    Parameters
    ----------
    wishes : dict
        The settings of `counterfactual`: fixed, allow_missing, within, directions, costs, and constraints as
        rules that must not hold.

    Returns
    -------
    dict
        The cost, as the total, the number of features and that of the program's literals that change, by the
        changed features and the truths of all literals about each of them once it is changed.
    """
    program = list(dict.fromkeys(x for rule in rules for x in literals_of(rule)))
    known = list(dict.fromkeys([*program, *(x for rule in wishes["constraints"] for x in literals_of(rule))]))
    choices = []  # of each feature: by truths a value; the first is the row's
    for i, feature in enumerate(rules.features):
        about = [x for x in known if x.feature == feature]
        found = {truths(about, row): row[i]}
        within = wishes["within"].get(feature, ())
        values = [*candidates(about, types[i]), *within] if about else []
        # Of what is told apart no further, a number is the same kind of value as a number.
        for new in sorted(values, key=lambda v: not naive.is_number(v)):
            if may_become(row[i], new, feature, wishes):
                found.setdefault(truths(about, (*row[:i], new, *row[i + 1 :])), new)
        choices.append(list(found.items()))
    found = {}
    for chosen in itertools.product(*choices):
        changed = tuple(value for _, value in chosen)
        if predicted(rules, changed) not in targets:
            continue
        if any(naive.covers(as_naive(rule), changed) for rule in wishes["constraints"]):
            continue
        changes = {i: chosen[i] for i in range(len(row)) if chosen[i] != choices[i][0]}
        costs = [Fraction(str(wishes["costs"].get(rules.features[i], 1))) for i in changes]
        flipped = sum(a != b for a, b in zip(truths(program, row), truths(program, changed), strict=True))
        key = frozenset((i, told) for i, (told, _) in changes.items())
        found[key] = (sum(costs), len(changes), flipped), {i: value for i, (_, value) in changes.items()}
    return {
        key: cost
        for key, (cost, changes) in found.items()
        if not any(
            goes_beyond(key, changes, *other, row) for other in ((k, c) for k, (_, c) in found.items())
        )
    }


def goes_beyond(key, changes, other_key, other, row):
    """Whether a change makes all of another one, and more or further."""
    return key != other_key and all(
        i in changes and (as_far(row[i], other[i], changes[i]) or dict(key)[i] == dict(other_key)[i])
        for i in other
    )


def as_far(old, near, far):
    numbers = all(naive.is_number(value) for value in (old, near, far))
    return numbers and (old < near <= far or old > near >= far)
