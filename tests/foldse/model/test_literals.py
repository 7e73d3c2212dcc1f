"""The comparisons on mixed values, and how literals print."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldse.model.literals import (
    Literal,
    Op,
    number_text,
    quote,
)

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
