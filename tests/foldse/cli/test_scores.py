"""Scores by hand, and of splits that cannot be as they should."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator

from foldse.cli.errors import CommandError
from foldse.cli.problem import Problem
from foldse.cli.report import aligned
from foldse.cli.scoring import folds, held_out, metrics


def test_metrics_of_two_labels():
    # Of p: three predicted, two rightly; four there are.
    y = ["p", "p", "p", "p", "n", "n"]
    predicted = ["p", "p", "n", "n", "p", "n"]
    found = metrics(y, predicted, "p")
    assert found == pytest.approx({"accuracy": 3 / 6, "precision": 2 / 3, "recall": 2 / 4, "f1": 4 / 7})


def test_metrics_with_weights():
    found = metrics(["p", "p", "n"], ["p", "n", "n"], "p", [3, 1, 4])
    assert found == pytest.approx({"accuracy": 7 / 8, "precision": 1, "recall": 3 / 4, "f1": 6 / 7})


def test_metrics_of_several_labels_are_means_over_them():
    # a: precision 1/2, recall 1; b: 0, 0; c: 1, 1.
    found = metrics(["a", "b", "c", "c"], ["a", "a", "c", "c"])
    assert found == pytest.approx(
        {
            "accuracy": 3 / 4,
            "precision": (1 / 2 + 0 + 1) / 3,
            "recall": (1 + 0 + 1) / 3,
            "f1": (2 / 3 + 0 + 1) / 3,
        }
    )


def test_a_label_that_nobody_has_scores_nothing():
    assert metrics([1, 1], [1, 1], 0) == {"accuracy": 1, "precision": 0, "recall": 0, "f1": 0}


def problem(labels):
    return Problem(pd.DataFrame({"a": range(len(labels))}), pd.Series(labels, name="y"), None)


SEEN: list[str] = []  # the labels that the learner below was given


class AlwaysP(BaseEstimator):
    """A learner that predicts p whatever it is given."""

    pos_label = "p"

    def fit(self, X, y, sample_weight=None):
        SEEN[:] = y
        self.classes_ = np.array(["n", "p"])
        return self

    def predict(self, X):
        return ["p"] * len(X)


def test_a_part_is_held_out_with_the_same_shares():
    scores = held_out(AlwaysP(), problem(["p"] * 30 + ["n"] * 10), 0.25, seed=1)
    # Of 40 rows 10 are held out, a quarter of each label: 7 or 8 of p.
    assert len(SEEN) == 30
    assert SEEN.count("p") in (22, 23)
    held_p = 30 - SEEN.count("p")
    assert scores.mean["accuracy"] == pytest.approx(held_p / 10)
    assert "held out 10 of 40 rows (stratified, seed 1)" in scores.how


def test_a_label_of_one_row_cannot_be_stratified():
    scores = held_out(AlwaysP(), problem(["p"] * 9 + ["n"]), 0.2, seed=0)
    assert "held out 2 of 10 rows (seed 0)" in scores.how


def test_too_few_rows():
    with pytest.raises(CommandError, match="too few to hold some out"):
        held_out(AlwaysP(), problem(["p"]), 0.2, seed=0)
    with pytest.raises(CommandError, match="no label has 4 rows"):
        folds(problem(["p", "p", "n", "n"]), 4, 0)


def test_folds_cover_every_row_once():
    parts = folds(problem(["p", "n"] * 10), 5, seed=3)
    assert sorted(row for _, held in parts for row in held) == list(range(20))
    for learned, held in parts:
        assert not set(learned) & set(held)
        assert sum(row % 2 for row in held) == 2  # of the four, two of each label


def test_a_table_is_aligned():
    assert aligned(["who", "n"], [["Anna", "7"], ["Bo", "123"]]) == "who     n\nAnna    7\nBo    123"
