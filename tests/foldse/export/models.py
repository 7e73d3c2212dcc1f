"""Models that every home has to run: of the bundled data sets, and programs over every kind of value."""

import random
from functools import cache
from typing import NamedTuple

import pandas as pd

from foldse import Literal, Op, Rule, RuleSet
from tests.foldse.export.test_engines import (
    BUNDLED,
    LABELS,
    LEARNERS,
    POOLS,
    TABLE,
    UNSEEN,
    dataset,
    nasty_rows,
    with_rules,
)

KINDS = [v if v != "\ud800" else "lone" for v in TABLE["kinds"]]  # half a character has no UTF-8
CODES = [v if v != 2**53 + 1 else 7 for v in TABLE["code"]]  # which no float tells from 2**53
ROWS = TABLE.assign(kinds=pd.Series(KINDS, dtype=object), code=pd.Series(CODES, dtype=object)).iloc[:200]


class Model(NamedTuple):
    """A classifier, and rows for it."""

    clf: object
    X: pd.DataFrame

    @property
    def labels(self):
        return self.clf.predict(self.X).tolist()

    @property
    def rules(self):
        """The number of the rule that decides each row, from 1; 0 for the default."""
        return (self.clf.apply(self.X) + 1).tolist()


@cache
def learned():
    """Return models of the bundled data sets, with some of their rows and rows made to be nasty."""
    found = []
    for name in BUNDLED.split():
        data, X, y = dataset(name)
        for learner in LEARNERS.values():
            clf = learner(
                pos_label=data.positive, numeric_features=data.numeric, categorical_features=data.categorical
            ).fit(X, y)
            rows = pd.concat([X.iloc[:50].astype(object), nasty_rows(data, X, clf, 150)], ignore_index=True)
            found.append(Model(clf, rows))
    return found


def is_exact(value):
    """Whether a category can be written everywhere: no whole number that is no float, valid Unicode."""
    try:
        return not isinstance(value, int) or float(value) == value
    except OverflowError:
        return False


@cache
def written(features=tuple(POOLS), sized=tuple(POOLS), n_models=25, allowed=is_exact):
    """Return random programs that compare the features `sized` by size and all with categories."""
    draw = random.Random(7)

    def literal():
        feature = draw.choice(features)
        pool = [value for value in POOLS[feature] if value != "\ud800" and allowed(value)]
        numbers = [v for v in pool if isinstance(v, float) and abs(v) < float("inf")]
        by_size = feature == "age (years)" or (feature in sized and draw.random() < 0.5)
        op = draw.choice([op for op in Op if op.is_threshold == by_size])
        if by_size:
            return Literal(feature, op, draw.choice([*numbers, draw.gauss(0, 10)]))
        categories = [v for v in pool if feature in ("code", "kinds") or not isinstance(v, float)]
        return Literal(feature, op, draw.choice(categories + (UNSEEN if feature == "kinds" else [])))

    def rule(head, depth=0):
        body = tuple(literal() for _ in range(draw.randint(1, 3)))
        below = tuple(rule(None, depth + 1) for _ in range(draw.randint(0, 2))) if depth < 2 else ()
        return Rule(head, body, below)

    found = []
    for number in range(n_models):
        rules = tuple(rule(draw.choice(LABELS)) for _ in range(draw.randint(0 if number else 5, 5)))
        abstain = draw.choice([False, False, None, "nothing"])
        found.append(RuleSet(rules, tuple(POOLS), "is_2", tuple(sorted(LABELS)), LABELS[0], abstain=abstain))
    return [Model(with_rules(program), ROWS) for program in found]
