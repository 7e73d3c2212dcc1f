"""Counterfactuals against every change there could be: which answers there are, in which order."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from foldse import FoldRPPClassifier, FoldSEClassifier, Literal, Op, Rule, RuleSet
from tests.foldse.explain.oracle import every_answer, may_become, predicted, truths
from tests.tables import frame, mixed_tables

BOUNDS = st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 1.7, 2.0, 5.0, 100.0])
WORDS = st.sampled_from(["a", "b", "c", "", "Z", "new"])
THRESHOLDS = st.sampled_from([op for op in Op if op.is_threshold])
EQUALITIES = st.sampled_from([Op.EQ, Op.NE])


@st.composite
def literals(draw, names, types):
    i = draw(st.integers(0, len(names) - 1))
    held = types[i].split("+")
    options = [st.builds(Literal, st.just(names[i]), EQUALITIES, st.none())]
    if "number" in held or types[i] == "":
        options.append(st.builds(Literal, st.just(names[i]), THRESHOLDS, BOUNDS))
    if "text" in held:
        options.append(st.builds(Literal, st.just(names[i]), EQUALITIES, WORDS))
    return draw(st.one_of(options))


@st.composite
def some_rules(draw, names, types, heads, depth=2, max_size=3):
    """Rules whose exceptions may have exceptions."""
    rules = []
    for _ in range(draw(st.integers(0 if depth < 2 else 1, max_size))):
        body = draw(st.lists(literals(names, types), min_size=1, max_size=2))
        below = draw(some_rules(names, types, [None], depth - 1, 1)) if depth else ()
        rules.append(Rule(draw(st.sampled_from(heads)), tuple(body), below))
    return tuple(rules)


@st.composite
def some_wishes(draw, names, types, row):
    wishes = {
        "fixed": [name for name in names if draw(st.integers(0, 6)) == 0],
        "allow_missing": draw(st.booleans()),
        "within": {},
        "directions": {},
        "costs": {name: draw(st.sampled_from([0.1, 0.2, 0.3, 1, 2.5, math.inf])) for name in names},
        "constraints": draw(some_rules(names, types, [None], 1, 2)),
    }
    if draw(st.booleans()):
        wishes["costs"] = {}
    for name, held, value in zip(names, types, row, strict=True):
        kind = draw(st.sampled_from(["", "range", "list"]))
        has_numbers = held == "" or "number" in held.split("+")
        if kind == "range" and has_numbers:
            low, high = sorted([draw(BOUNDS), draw(BOUNDS)])
            wishes["within"][name] = draw(st.sampled_from([(low, high), (None, high), (low, None)]))
        elif kind == "list" and held not in ("number", "number+object"):
            values = draw(st.lists(WORDS, unique=True, max_size=3))
            values += [draw(BOUNDS)] * (has_numbers and draw(st.booleans()))
            wishes["within"][name] = values + [None] * (wishes["allow_missing"] and draw(st.booleans()))
        if has_numbers and isinstance(value, float) and draw(st.integers(0, 3)) == 0:
            wishes["directions"][name] = draw(st.sampled_from(["up", "down"]))
    return wishes


@settings(max_examples=150)
@given(
    table=st.one_of(mixed_tables(max_columns=3), mixed_tables(labels=("a", "b", "c"), max_columns=3)),
    kind=st.sampled_from([FoldSEClassifier, FoldRPPClassifier]),
    n=st.sampled_from([1, 2, 3, 1000]),
    data=st.data(),
)
@pytest.mark.filterwarnings("ignore:no valid rule")
def test_the_answers_are_all_there_are_in_order(table, kind, n, data):
    rows, labels = table
    X = frame(rows)
    clf = kind().fit(X, labels)
    names, types = tuple(X.columns), clf.feature_types_
    if data.draw(st.booleans()):
        program = data.draw(some_rules(names, types, clf.classes_.tolist()))
        clf.rules_ = RuleSet(
            program, names, clf.rules_.target, clf.rules_.classes, data.draw(st.sampled_from(labels))
        )
    assume(len(clf.rules_))
    position = data.draw(st.integers(0, len(rows) - 1))
    row, x = rows[position], X.iloc[[position]]
    wishes = data.draw(some_wishes(names, types, row))
    original = clf.predict(x)[0]
    targets = [label for label in clf.classes_ if label != original]
    expected = every_answer(clf.rules_, types, row, targets, wishes)
    if not expected:
        with pytest.raises(ValueError, match=f"leads to another label than '{original}'"):
            clf.counterfactual(x, n=n, **wishes)
        return
    answers = clf.counterfactual(x, n=n, **wishes)
    costs = [(answer.cost, len(answer.changes), len(answer.literals)) for answer in answers]
    assert costs == [(float(total), *rest) for total, *rest in sorted(expected.values())[:n]]
    known = [x for rule in (*clf.rules_, *wishes["constraints"]) for x in literals_in(rule)]
    keys = set()
    for answer in answers:
        assert clf.predict(answer.row.to_frame().T)[0] == answer.prediction in targets
        changed = tuple(None if value != value else value for value in answer.row)
        assert predicted(clf.rules_, changed) == answer.prediction
        told = []
        for feature, old, new in answer.changes:
            i = names.index(feature)
            assert may_become(old, new, feature, wishes)
            about = list(dict.fromkeys(x for x in known if x.feature == feature))
            of_program = [x for x in about if x in set(clf.rules_.literals())]
            about = [*of_program, *(x for x in about if x not in of_program)]
            told.append((i, truths(about, changed)))
        keys.add(frozenset(told))
    assert len(keys) == len(answers)
    assert keys <= expected.keys()
    best = clf.counterfactual(x, **wishes)
    assert str(best) == str(answers[0])


def literals_in(rule):
    return [literal for part in rule.parts() for literal in part.body]
