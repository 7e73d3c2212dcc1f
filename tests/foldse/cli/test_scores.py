"""Scores by hand, and of splits that cannot be as they should."""

import json
from math import nan

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator
from sklearn.metrics import recall_score
from sklearn.model_selection import StratifiedKFold, train_test_split

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
from foldse.cli.errors import CommandError
from foldse.cli.problem import Problem
from foldse.cli.report import aligned, scores_text
from foldse.cli.scoring import averaged, folds, hold_out, metrics, run_folds

from .running import call


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


def test_a_score_that_divides_by_nothing_is_not_defined():
    # Nobody has 0 and nobody is predicted to have it; all are right.
    found = metrics([1, 1], [1, 1], 0)
    assert found == pytest.approx({"accuracy": 1, "precision": nan, "recall": nan, "f1": nan}, nan_ok=True)
    # p is there and never predicted.
    found = metrics(["p", "n"], ["n", "n"], "p")
    assert found == {"accuracy": 0.5, "precision": 0, "recall": 0, "f1": 0}
    # The mean over labels leaves out what is not defined: no row has c, which is predicted once.
    found = metrics(["a", "b", "b"], ["a", "b", "c"])
    assert found == pytest.approx(
        {"accuracy": 2 / 3, "precision": 2 / 3, "recall": (1 + 1 / 2) / 2, "f1": (1 + 2 / 3 + 0) / 3}
    )


def problem(labels, positive=None):
    return Problem(pd.DataFrame({"a": range(len(labels))}), pd.Series(labels, name="y"), None, positive)


SEEN: list[str] = []  # the labels that the learner below was given


class AlwaysP(BaseEstimator):
    """A learner that predicts p whatever it is given."""

    def __init__(self, pos_label=None):
        self.pos_label = pos_label

    def fit(self, X, y, sample_weight=None):
        SEEN[:] = y
        return self

    def predict(self, X):
        return ["p"] * len(X)


def test_a_part_is_held_out_with_the_same_shares():
    given = problem(["p"] * 30 + ["n"] * 10, "p")
    part, how = hold_out(given, 0.25, seed=1)
    scores = averaged(list(run_folds(AlwaysP(), given, [part])), how)
    # Of 40 rows 10 are held out, a quarter of each label: 7 or 8 of p.
    assert len(SEEN) == 30
    assert SEEN.count("p") in (22, 23)
    held_p = 30 - SEEN.count("p")
    assert scores.mean["accuracy"] == scores.mean["precision"] == pytest.approx(held_p / 10)
    assert (scores.mean["recall"], scores.std) == (1, {})
    assert how == "held out 10 of 40 rows (stratified, seed 1)"


def test_a_label_of_one_row_cannot_be_stratified():
    _, how = hold_out(problem(["p"] * 9 + ["n"]), 0.2, seed=0)
    assert how == "held out 2 of 10 rows (seed 0)"


def test_too_few_rows():
    with pytest.raises(CommandError, match="too few to hold some out"):
        hold_out(problem(["p"]), 0.2, seed=0)
    with pytest.raises(CommandError, match="no label has 4 rows"):
        folds(problem(["p", "p", "n", "n"]), 4, 0)


def test_folds_cover_every_row_once():
    parts, how = folds(problem(["p", "n"] * 10), 5, seed=3)
    assert how == "5-fold cross-validation (stratified, seed 3)"
    assert sorted(row for _, held in parts for row in held) == list(range(20))
    for learned, held in parts:
        assert not set(learned) & set(held)
        assert sum(row % 2 for row in held) == 2  # of the four, two of each label


def test_a_fold_without_the_positive_label_is_left_out_of_the_mean_of_its_scores():
    """One n among ten rows, which the constant p misses."""
    given = problem(["n", *["p"] * 9], "n")
    parts = [(np.arange(1, 10), np.array([0])), (np.arange(5), np.arange(5, 10))]
    scores = averaged(list(run_folds(AlwaysP(), given, parts)), "")
    # n is never predicted; only the first part has a row of it.
    assert scores.mean == {"accuracy": 0.5, "precision": 0, "recall": 0, "f1": 0}
    assert scores.undefined == {"precision": 1, "recall": 1, "f1": 1}
    assert scores_text(scores, "n").splitlines() == [
        "accuracy 0.500 +/- 0.500; label 'n': precision 0.000 +/- 0.000, recall 0.000 +/- 0.000, "
        "F1 0.000 +/- 0.000",
        "not defined, and left out of the mean: precision in 1 fold, recall in 1 fold, F1 in 1 fold",
    ]


def test_a_part_of_one_label_predicts_it():
    given = problem(["n", *["p"] * 9], "n")
    [fold] = run_folds(AlwaysP(), given, [(np.arange(1, 10), np.array([0, 1, 2]))])
    assert SEEN != ["p"] * 9  # nothing was learned
    assert fold.model.predict(given.X) == ["p"] * 10
    assert fold.scores["accuracy"] == pytest.approx(2 / 3)


@pytest.mark.parametrize("learner", ["foldse", "foldrpp", "tree"])
@pytest.mark.parametrize("command", ["fit", "cv", "compare"])
def test_the_positive_label_is_that_of_all_rows(command, learner, tmp_path):
    """21 rows of b and 20 of a: in parts of them a may be as frequent, or more."""
    rows = [(row % 7, "b" if row < 21 else "a") for row in range(41)]
    path = tmp_path / "t.csv"
    pd.DataFrame(rows, columns=["x", "y"]).to_csv(path, index=False)
    table = pd.read_csv(path)
    seed = 2
    if command == "compare":
        done = json.loads(call("compare", path, "-t", "y", "--cv", "2", "--seed", seed, "--json").stdout)
        assert done["positive"] == "b"
        return
    options = ["--cv", "5"] if command == "cv" else ["--holdout", "0.5"]
    done = json.loads(call("fit", path, "-t", "y", "-l", learner, *options, "--seed", seed, "--json").stdout)
    kind = {"foldse": FoldSEClassifier, "foldrpp": FoldRPPClassifier, "tree": HeuristicTreeClassifier}[
        learner
    ]
    if command == "cv":
        parts = list(StratifiedKFold(5, shuffle=True, random_state=seed).split(table[["x"]], table["y"]))
    else:
        parts = [train_test_split(np.arange(41), test_size=21, random_state=seed, stratify=table["y"])]
    recalls = []
    for learned, held in parts:
        clf = kind(pos_label="b").fit(table[["x"]].iloc[learned], table["y"].iloc[learned])
        recalls.append(
            recall_score(table["y"].iloc[held], clf.predict(table[["x"]].iloc[held]), pos_label="b")
        )
    assert done["data"]["positive"] == "b"
    assert done["score"]["mean"]["recall"] == pytest.approx(np.mean(recalls))


@pytest.mark.parametrize("learner", ["foldse", "foldrpp", "tree"])
def test_a_rare_label_named_as_positive(learner, tmp_path):
    """One yes in a hundred: a training part has none of it, and predicts no."""
    path = tmp_path / "t.csv"
    path.write_text("x,y\n" + "".join(f"{'5,yes' if row == 50 else '1,no'}\n" for row in range(100)))
    given = ["-t", "y", "-l", learner, "--json"]
    done = json.loads(call("fit", path, *given, "-p", "no", "--cv", "10").stdout)
    assert done["score"]["mean"]["accuracy"] == pytest.approx(0.99)
    assert done["score"]["mean"]["recall"] == 1  # of 99 rows, all are predicted no
    assert done["score"]["mean"]["precision"] == pytest.approx(0.99)  # one fold 9 of 10, the others 1
    done = json.loads(call("fit", path, *given, "-p", "yes", "--cv", "10").stdout)
    assert done["score"]["mean"]["recall"] == 0
    assert done["score"]["undefined"] == {"precision": 9, "recall": 9, "f1": 9}


def test_a_table_is_aligned():
    assert aligned(["who", "n"], [["Anna", "7"], ["Bo", "123"]]) == "who     n\nAnna    7\nBo    123"
