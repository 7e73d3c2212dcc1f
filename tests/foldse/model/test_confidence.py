"""Wilson's score interval: numbers worked out by hand, and the equation that its ends solve."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldse.model.confidence import Confidence


@pytest.mark.parametrize(
    ("correct", "covered", "expected"),
    [
        (0, 0, (0.5, 0.0, 1.0)),
        (9, 9, (0.75, 0.5, 1.0)),  # 13.5 / 18, -+ 3 / 18 * sqrt(9 / 4)
        (0, 9, (0.25, 0.0, 0.5)),
        (8, 16, (0.5, 0.2, 0.8)),  # 12.5 / 25, -+ 3 / 25 * sqrt(8 * 8 / 16 + 9 / 4) = 3 / 25 * 2.5
    ],
)
def test_by_hand(correct, covered, expected):
    found = Confidence.of(correct, covered)
    assert (found.value, found.low, found.high) == pytest.approx(expected)


@given(st.integers(1, 10**6), st.floats(0, 1))
def test_the_ends_are_where_the_share_is_three_deviations_away(covered, share):
    correct = math.floor(share * covered)
    found = Confidence.of(correct, covered)
    assert 0 <= found.low <= found.value <= found.high <= 1
    for end in (found.low, found.high):
        deviation = math.sqrt(max(end * (1 - end), 0) / covered)
        assert abs(correct / covered - end) == pytest.approx(3 * deviation, abs=1e-6)


@pytest.mark.parametrize(("correct", "covered"), [(-1, 2), (3, 2), (math.nan, 2), (1, math.inf)])
def test_what_no_rule_covers(correct, covered):
    with pytest.raises(ValueError, match="correct must be from 0 to covered, got"):
        Confidence.of(correct, covered)
