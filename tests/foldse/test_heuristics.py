"""The scores: the paper's worked example, values worked out by hand, and what the search relies on."""

import os
import re
import shutil
import subprocess
import sys
from math import inf, log, sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldse.heuristics import SCORES
from foldse.search.split_scores import HEURISTICS, improve_on
from tests import naive

counts = st.tuples(*[st.integers(0, 10**6)] * 4).filter(any)

# The paper's example of literal selection: one feature of 7 positive and 8 negative rows.
EXAMPLE_POSITIVE = [3, 4, 4, 5, "x", "x", "y"]
EXAMPLE_NEGATIVE = [1, 1, 1, 2, 3, "y", "y", "z"]
EXAMPLE_SCORES = {
    "<=": {1: -inf, 2: -inf, 3: -inf, 4: -inf, 5: -inf},
    "not<=": {1: -0.39, 2: -0.35, 3: -0.43, 4: -0.49, 5: -0.50},
    ">": {1: -0.47, 2: -0.44, 3: -0.38, 4: -0.46, 5: -0.50},
    "not>": {1: -inf, 2: -inf, 3: -inf, 4: -inf, 5: -inf},
    "=": {"x": -0.42, "y": -inf, "z": -inf},
    "!=": {"x": -inf, "y": -0.49, "z": -0.47},
}


def example_counts(op, value):
    tp = sum(naive.holds((0, op, value), (v,)) for v in EXAMPLE_POSITIVE)
    fp = sum(naive.holds((0, op, value), (v,)) for v in EXAMPLE_NEGATIVE)
    return tp, len(EXAMPLE_POSITIVE) - tp, len(EXAMPLE_NEGATIVE) - fp, fp


@pytest.mark.parametrize("op", EXAMPLE_SCORES)
def test_worked_example_of_the_paper(op):
    for value, expected in EXAMPLE_SCORES[op].items():
        score = SCORES["magic_gini"](*example_counts(op, value))
        assert score == expected if expected == -inf else round(score, 2) == expected


def test_worked_example_has_13_finite_scores():
    assert sum(s > -inf for row in EXAMPLE_SCORES.values() for s in row.values()) == 13


def test_magic_gini_by_hand():
    assert SCORES["magic_gini"](3, 4, 8, 0) == pytest.approx(-sqrt(32) / 15)
    assert SCORES["magic_gini"](4, 1, 9, 1) == pytest.approx(-(2 + 3) / 15)
    assert SCORES["magic_gini"](5, 0, 5, 0) == 0


def test_information_gain_by_hand():
    expected = 0.3 * log(3 / 4) + 0.1 * log(1 / 4) + 0.5 * log(5 / 6) + 0.1 * log(1 / 6)
    assert SCORES["information_gain"](3, 1, 5, 1) == pytest.approx(expected)
    assert SCORES["information_gain"](5, 0, 5, 0) == 0


def test_weighted_gini_by_hand():
    # 4 rows inside, 3 of them positive: 2*3/4*1/4 = 0.375; 6 outside, 1 positive: 2*5/6*1/6 = 10/36.
    assert SCORES["weighted_gini"](3, 1, 5, 1) == pytest.approx(-(0.4 * 0.375 + 0.6 * 10 / 36))


def test_chi_square_by_hand():
    # Expected counts 1.6, 2.4, 2.4, 3.6: the sum of (observed - expected)^2 / expected.
    expected = 1.4**2 / 1.6 + 1.4**2 / 2.4 + 1.4**2 / 2.4 + 1.4**2 / 3.6
    assert SCORES["chi_square"](3, 1, 5, 1) == pytest.approx(expected)
    assert SCORES["chi_square"](5, 0, 0, 3) == 0  # everything inside: nothing to test


def test_gini_printed_by_hand():
    assert SCORES["gini_printed"](3, 1, 5, 1) == pytest.approx(-(sqrt(3) / 4 + sqrt(5) / 6))
    assert SCORES["gini_printed"](3, 4, 8, 0) == pytest.approx(-sqrt(32) / 12)


@pytest.mark.parametrize("name", SCORES)
def test_invalid_where_more_are_wrong_than_right(name):
    assert SCORES[name](1, 2, 1, 1) == -inf
    assert SCORES[name](1, 1, 1, 1) > -inf


@pytest.mark.parametrize("name", SCORES)
@given(counts)
def test_equal_to_the_oracle(name, c):
    expected = naive.SCORES[name](*c)
    assert SCORES[name](*c) == (
        expected if expected == -inf else pytest.approx(expected, rel=1e-12, abs=1e-15)
    )


@pytest.mark.parametrize("name", SCORES)
@given(st.tuples(*[st.integers(0, 10**6)] * 2), st.integers(0, 10**6))
def test_a_literal_and_its_complement_score_the_same_to_the_last_bit(name, wrong, right):
    fn, fp = wrong
    tp, tn = right, fn + fp - right
    if tn < 0 or not any((tp, fn, tn, fp)):
        return
    assert SCORES[name](tp, fn, tn, fp) == SCORES[name](fn, tp, fp, tn)


@pytest.mark.parametrize("name", SCORES)
@given(st.tuples(*[st.integers(0, 10**6)] * 4).filter(lambda c: c[0] + c[2] >= c[1] + c[3] > 0))
def test_the_search_scores_as_the_table_does(name, c):
    tp, fn, tn, fp = c
    found = improve_on(-inf, HEURISTICS.index(name), (tp, fp), (tp + fn, tn + fp), 3)
    assert found == (SCORES[name](*c), 0)


@pytest.mark.parametrize("position", [-1, len(SCORES)])
def test_a_position_of_no_score_raises(position):
    with pytest.raises(ValueError, match="no score has this position"):
        improve_on(-inf, position, (3, 1), (4, 6), 3)


@pytest.mark.parametrize("name", [name for name, score in SCORES.items() if score.convex])
@given(st.data())
def test_no_point_of_a_rectangle_beats_its_best_corner_where_a_score_is_convex(name, data):
    def drawn(low, high):
        return data.draw(st.integers(low, high))

    def scored(tp, fp):
        counts = tp, n_pos - tp, n_neg - fp, fp
        return max(SCORES[name](*counts), SCORES[name](n_pos - tp, tp, fp, n_neg - fp))

    n_pos, n_neg = drawn(1, 60), drawn(1, 60)
    (tp_low, tp_high), (fp_low, fp_high) = (sorted((drawn(0, n), drawn(0, n))) for n in (n_pos, n_neg))
    inside = scored(drawn(tp_low, tp_high), drawn(fp_low, fp_high))
    corners = [scored(tp, fp) for tp in (tp_low, tp_high) for fp in (fp_low, fp_high)]
    assert inside <= max(corners) + 1e-12


SIXTH = """
import pandas as pd
from foldse import HeuristicTreeClassifier
from foldse.heuristics import SCORES
# "narrow" holds for 7 of 8 positives and 7 of 12 negatives (12 right), "wide" for 8 and 9 (11 right).
X = pd.DataFrame({"wide": [1] * 17 + [0] * 3, "narrow": [1] * 7 + [0] + [1] * 7 + [0] * 5})
y = ["yes"] * 8 + ["no"] * 12
for name in SCORES:
    clf = HeuristicTreeClassifier(heuristic=name, pos_label="yes").fit(X, y)
    print(name, clf.tree_.root.literal.feature)
"""


@pytest.mark.commands
def test_a_score_added_as_the_documentation_says_is_searched_with(tmp_path):
    root = Path(__file__).parents[2]
    shutil.copytree(root / "foldse", tmp_path / "foldse")  # with what is compiled of the five
    page = (root / "docs" / "howto" / "experiments.md").read_text(encoding="utf-8")
    function = re.search(r"```python\n(def accuracy.*?)```", page, re.DOTALL).group(1)
    line = re.search(r'^    "accuracy": .*,$', page, re.MULTILINE).group(0)
    path = tmp_path / "foldse" / "heuristics.py"
    before, table = path.read_text(encoding="utf-8").split("SCORES: Final")
    table = table.replace("\n}\n", f"\n{line}\n}}\n", 1)
    path.write_text(f"{before}{function}\n\nSCORES: Final{table}", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SIXTH],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    chosen = dict(row.split() for row in done.stdout.splitlines())
    assert chosen == dict.fromkeys(SCORES, "wide") | {"accuracy": "narrow"}
