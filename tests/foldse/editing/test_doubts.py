"""Rules that never fire: what comparing literals finds is so, and rules that do fire are not doubted."""

import itertools
import warnings

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldse import FoldSEClassifier, Literal, Op, parse_rules
from foldse.editing.doubts import contradiction, implies

THRESHOLDS = [Literal("f", op, bound) for op in Op if op.is_threshold for bound in (1.0, 2.0, 3.0)]
CATEGORIES = [Literal("f", op, value) for op in (Op.EQ, Op.NE) for value in (1, "1", True, None)]
LITERALS = st.sampled_from(THRESHOLDS + CATEGORIES)
# Numbers below, between, on and above the bounds; each category, and one that is no literal's.
VALUES = [(value, True) for value in (0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0)]
VALUES += [(value, False) for value in (1, "1", True, None, "else")]


def satisfiable(body):
    return any(all(x.holds(value, by_size) for x in body) for value, by_size in VALUES)


@given(st.lists(LITERALS, max_size=4))
def test_a_contradiction_is_found_exactly_if_no_value_satisfies_all(body):
    assert (contradiction(body) is None) == satisfiable(body)


def test_two_literals_imply_what_every_value_shows():
    for first, second, third in itertools.product(THRESHOLDS + CATEGORIES, repeat=3):
        body = (first, second)
        holds = all(third.holds(v, s) for v, s in VALUES if first.holds(v, s) and second.holds(v, s))
        assert implies(body, third) == holds


def warned(text, like=None):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        parse_rules(text, like)
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


EARLIER = "never decides a row: rule 1 comes before it and fires wherever it does"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("y(X,'a') :- f(X,N), N>5, N=<6.", []),
        ("y(X,'a') :- f(X,N), not(N=<6), not(N>5).", []),  # of what is no number
        (
            "y(X,'a') :- f(X,N), N>5, N=<5.",
            ["rule 1, {}, can never fire: f > 5.0 and f <= 5.0 exclude each other"],
        ),
        ("y(X,'a') :- f(X,'p').\ny(X,'b') :- f(X,'p'), g(X,'q').", ["rule 2, {}, " + EARLIER]),
        ("y(X,'a') :- f(X,'p'), g(X,'q').\ny(X,'b') :- f(X,'p').", []),
        # The first rule has an exception, so that what it covers is not known from its body.
        ("y(X,'a') :- f(X,'p'), not ab1(X,'True').\nab1(X,'True') :- g(X,'q').\ny(X,'b') :- f(X,'p').", []),
        (
            "y(X,'a') :- f(X,'p'), g(X,N), N>5, not ab1(X,'True').\nab1(X,'True') :- g(X,N), N>3.",
            ["rule 1, {}, can never fire: its exception ab1(X,'True') :- g(X,N1), N1>3.0 always does"],
        ),
        (
            "ab1(X,'True') :- f(X,'q').\ny(X,'a') :- f(X,'p'), not ab1(X,'True').",
            ["the exception {} can never fire: f = 'p' and f = 'q' exclude each other"],
        ),
    ],
)
def test_what_is_doubted(text, expected):
    found = warned(text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        lines = [line.removesuffix(".") for line in str(parse_rules(text)).splitlines()]
    # Each message is about the first rule, except where it speaks of the second or of an exception.
    named = [lines[0] if "rule 1, " in message else lines[1] for message in expected]
    assert found == [message.format(name) for message, name in zip(expected, named, strict=True)]


def test_a_rule_that_never_fires_covers_nothing():
    text = "y(X,'a') :- f(X,'p'), not f(X,'p').\ny(X,'b') :- f(X,'p'), not f(X,'p'), g(X,'q')."
    assert [message.split("can never")[0].split(",")[0] for message in warned(text)] == ["rule 1", "rule 2"]


def test_learned_rules_are_doubted_only_because_of_others():
    X = pd.DataFrame({"f": list("ppqq"), "g": list("uvuv")})
    clf = FoldSEClassifier(pos_label="a", tail=0).fit(X, pd.Series(list("aabb"), name="y"))
    assert str(clf.rules_) == "y(X,'a') :- f(X,'p')."
    assert warned(str(clf.rules_) * 2, clf) == []
    assert warned("y(X,'b') :- not f(X,'q').\n" + str(clf.rules_), clf) == [
        "rule 2, y(X,'a') :- f(X,'p'), never decides a row: rule 1 comes before it and fires wherever it does"
    ]
