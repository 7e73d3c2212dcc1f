"""The comparisons on mixed values, and how literals print."""

import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
from foldse.model.literals import Literal, Op, number_text, printable, quote

# The comparison table of the paper for mixed types, and what it implies for missing values:
# (value, op, bound): holds.
TABLE = [
    (10.0, Op.LE, 10.0, True),
    (10.0, Op.GT, 10.0, False),
    (10.0, Op.NOT_GT, 10.0, True),
    (11.0, Op.LE, 10.0, False),
    (11.0, Op.NOT_LE, 10.0, True),
    (11.0, Op.GT, 10.0, True),
    ("cat", Op.LE, 10.0, False),
    ("cat", Op.GT, 10.0, False),
    ("cat", Op.NOT_LE, 10.0, True),
    ("cat", Op.NOT_GT, 10.0, True),
    (None, Op.LE, 10.0, False),
    (None, Op.NOT_LE, 10.0, True),
    ("cat", Op.EQ, "cat", True),
    ("cat", Op.NE, "cat", False),
    ("dog", Op.EQ, "cat", False),
    ("dog", Op.NE, "cat", True),
    (10.0, Op.EQ, "10.0", False),
    (10.0, Op.NE, "10.0", True),
    (None, Op.EQ, None, True),
    (None, Op.EQ, "None", False),
    ("cat", Op.EQ, None, False),
    (1, Op.EQ, 1.0, True),
    (True, Op.EQ, 1, False),
    (True, Op.EQ, True, True),
    (True, Op.LE, 1.0, False),
]


@pytest.mark.parametrize(("value", "op", "bound", "expected"), TABLE)
def test_comparison_table(value, op, bound, expected):
    assert Literal("i", op, bound).holds(value) is expected


@given(
    st.sampled_from(Op),
    st.one_of(st.floats(allow_nan=False), st.text(), st.none(), st.booleans()),
    st.floats(allow_nan=False, allow_infinity=False),
    st.one_of(st.text(), st.none()),
)
def test_negation_holds_exactly_where_the_literal_does_not(op, value, threshold, category):
    literal = Literal("i", op, threshold if op.is_threshold else category)
    assert literal.negated().holds(value) is not literal.holds(value)
    assert literal.negated().negated() == literal


@pytest.mark.parametrize("bound", ["10", None, math.inf, math.nan, True])
def test_threshold_must_be_a_finite_number(bound):
    with pytest.raises(ValueError, match="threshold of 'age' <="):
        Literal("age", Op.LE, bound)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("<=50K", "'<=50K'"), ("it's", r"'it\'s'"), ("a\\b", r"'a\\b'"), ("a\nb", r"'a\nb'"), ("", "''")],
)
def test_quote(text, expected):
    assert quote(text) == expected


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_print_so_that_they_read_back(value):
    text = number_text(value)
    assert float(text) == value
    assert "." in text


def test_missing_value_is_not_the_text_question_mark():
    assert str(Literal("work", Op.EQ, None)) == "work = ?"
    assert str(Literal("work", Op.EQ, "?")) == "work = '?'"


# What a terminal would obey


BAD = "\x1b]0;title\x07 \x1b[2J\u202e\x9b"
SHOWN = "\\x1b\\]0;title\\x7\\ \\x1b\\[2J\\x202e\\\\x9b\\"


def test_control_characters_are_shown_and_not_obeyed():
    assert printable(BAD) == SHOWN
    assert printable("a\nb\tc\u2028") == "a\\nb\\tc\\x2028\\"
    assert printable("été 日本 👩‍🚀 \xa0") == "été 日本 👩‍🚀 \xa0"
    assert quote("'" + BAD) == r"'\'" + SHOWN + "'"
    assert str(Literal(BAD, Op.EQ, BAD)) == f"{SHOWN} = '{SHOWN}'"


@pytest.mark.parametrize("kind", [FoldSEClassifier, FoldRPPClassifier, HeuristicTreeClassifier])
def test_nothing_that_is_printed_holds_control_characters(kind):
    X = pd.DataFrame({f"a{BAD}": [f"x{BAD}", "y", f"x{BAD}", "y"], f"b{BAD}": [1.0, 2.0, 3.0, 4.0]})
    clf = kind(pos_label=f"p{BAD}").fit(X, pd.Series([f"p{BAD}", "q", f"p{BAD}", "q"], name=BAD))
    justification = clf.explain(X, names=[BAD] * 4)[0]
    texts = [str(justification), repr(justification), justification.to_text("english")]
    if hasattr(clf, "rules_"):
        changed = clf.counterfactual(X.iloc[[0]])
        texts += [str(clf.rules_), clf.describe(), str(changed), repr(changed), repr(clf.rules_)]
    else:
        texts += [str(clf.tree_)]
    for text in texts:
        assert not set(BAD) - set(" ;[]0title2J") & set(text), text
