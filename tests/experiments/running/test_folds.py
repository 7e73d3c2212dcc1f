import numpy as np
import pytest
from sklearn.metrics import accuracy_score, precision_recall_fscore_support

from experiments.learners import LearnerSpec
from experiments.metrics import TIMES
from experiments.records import Fold, FoldResult
from experiments.running.cross_validation import CrossValidation
from experiments.running.folds import (
    run_fold,
    run_folds,
    score,
    warm_up,
)
from experiments.running.summary import summarize
from tests.experiments import stand_ins
from tests.experiments.stand_ins import make_dataset, two_classes


def spec(name, **settings):
    return LearnerSpec(name.lower(), f"tests.experiments.stand_ins.{name}", settings)


def array(text):
    return np.array(text.split(), dtype=object)


def test_scores_of_the_positive_class_by_hand():
    # 3 true positives, 1 false negative, 2 false positives, 4 true negatives
    truth = array("p p p p n n n n n n")
    predicted = array("p p p n p p n n n n")

    scores = score(truth, predicted, "p")

    assert scores["accuracy"] == pytest.approx(7 / 10)
    assert scores["precision"] == pytest.approx(3 / 5)
    assert scores["recall"] == pytest.approx(3 / 4)
    assert scores["f1"] == pytest.approx(2 * 3 / (2 * 3 + 2 + 1))


def test_scores_of_three_classes_are_weighted_by_their_rows_by_hand():
    # class: rows, claimed, hits; a: 3, 4, 3; b: 2, 1, 1; c: 1, 1, 0
    truth = array("a a a b b c")
    predicted = array("a a a b c a")

    scores = score(truth, predicted, None)

    assert scores["accuracy"] == pytest.approx(4 / 6)
    assert scores["precision"] == pytest.approx((3 * (3 / 4) + 2 * (1 / 1) + 1 * 0) / 6)
    assert scores["recall"] == pytest.approx((3 * 1 + 2 * (1 / 2) + 1 * 0) / 6)
    assert scores["f1"] == pytest.approx((3 * (6 / 7) + 2 * (2 / 3) + 1 * 0) / 6)


def test_what_is_not_defined_is_zero():
    assert score(array("n n"), array("n n"), "p") == {
        "accuracy": 1.0,
        "precision": 0.0,
        "recall": 0.0,
        "f1": 0.0,
    }


def test_a_row_without_a_label_is_wrong_and_claimed_for_no_class():
    truth = array("a a a b b c")
    predicted = np.array(["a", "b", None, "b", None, "c"], dtype=object)

    # class: rows, claimed, hits; a: 3, 1, 1; b: 2, 2, 1; c: 1, 1, 1
    assert score(truth, predicted, None) == pytest.approx(
        {
            "accuracy": 3 / 6,
            "precision": (3 * 1 + 2 * (1 / 2) + 1 * 1) / 6,
            "recall": (3 * (1 / 3) + 2 * (1 / 2) + 1 * 1) / 6,
            "f1": (3 * (2 / 4) + 2 * (2 / 4) + 1 * 1) / 6,
        }
    )
    # of b alone: one of two rows is found, one of two claims is right
    assert score(truth, predicted, "b") == pytest.approx(
        {"accuracy": 3 / 6, "precision": 1 / 2, "recall": 1 / 2, "f1": 2 / 4}
    )


def test_no_label_at_all_is_nothing_right():
    nothing = np.array([None, None], dtype=object)
    assert set(score(array("a b"), nothing, None).values()) == {0.0}
    assert set(score(array("a b"), nothing, "a").values()) == {0.0}


@pytest.mark.parametrize("positive", ["a", None])
def test_a_label_is_missing_as_a_label_of_its_own_would_be(positive):
    # scikit-learn refuses None beside text; a text that no row has says the same to it.
    rng = np.random.default_rng(5)
    for _ in range(50):
        truth = rng.choice(np.array(["a", "b", "c"], dtype=object), 9)
        predicted = rng.choice(np.array(["a", "b", "c", None], dtype=object), 9)
        named = np.array(["-" if label is None else label for label in predicted])
        which = {"labels": ["a"], "average": None} if positive else {"average": "weighted"}
        parts = precision_recall_fscore_support(truth.astype(str), named, zero_division=0, **which)
        expected = [accuracy_score(truth.astype(str), named), *(np.ravel(part)[0] for part in parts[:3])]
        assert list(score(truth, predicted, positive).values()) == pytest.approx(expected)


@pytest.mark.parametrize("positive", ["a", None])
def test_scores_agree_with_scikit_learn_on_random_labels(positive):
    rng = np.random.default_rng(3)
    for _ in range(50):
        labels = np.array(["a", "b"] if positive else ["a", "b", "c", "d"], dtype=object)
        truth, predicted = rng.choice(labels, size=(2, rng.integers(1, 12)))
        which = {"labels": ["a"], "average": None} if positive else {"average": "weighted"}
        parts = precision_recall_fscore_support(
            truth.astype(str), predicted.astype(str), zero_division=0, **which
        )
        expected = [
            accuracy_score(truth.astype(str), predicted.astype(str)),
            *(np.ravel(part)[0] for part in parts[:3]),
        ]
        assert list(score(truth, predicted, positive).values()) == pytest.approx(expected)


def test_a_summary_is_the_mean_and_the_population_standard_deviation():
    results = [FoldResult(i, "ok", {"accuracy": value}) for i, value in enumerate([0.5, 1.0, 0.6, 0.7])]

    figures = summarize(results)["accuracy"]

    assert figures.mean == pytest.approx(0.7)
    # squares of -0.2, 0.3, -0.1, 0.0 over 4, not over 3
    assert figures.std == pytest.approx((0.14 / 4) ** 0.5)


def test_there_is_no_summary_where_a_fold_failed():
    assert summarize([FoldResult(0, "ok", {"accuracy": 1.0}), FoldResult(1, "failed")]) == {}


def test_a_fold_has_metrics_rules_and_both_times():
    dataset = two_classes()
    fold = CrossValidation(folds=4).split(dataset.y)[0]

    result = run_fold(dataset, spec("Majority", rules_per_fold=5), fold)

    assert result.status == "ok"
    expected = (dataset.y.iloc[fold.test] == dataset.y.iloc[fold.train].mode()[0]).mean()
    assert result.metrics["accuracy"] == pytest.approx(expected)
    assert result.metrics["rules"] == 5
    assert all(result.metrics[name] > 0 for name in TIMES)
    assert "nodes" not in result.metrics
    assert result.rules.startswith("always ")


def test_figures_of_the_learner_may_have_any_name_but_those_of_the_runner():
    dataset = two_classes()
    fold = CrossValidation(folds=4).split(dataset.y)[0]

    free, taken = (run_fold(dataset, spec("Measures", figure=name), fold) for name in ("loops", "accuracy"))

    assert free.metrics["loops"] == 0.5
    assert taken.error == "ValueError: the learner's measure() returns accuracy, which the runner measures"


def test_training_rows_of_one_label_are_not_given_to_the_learner():
    dataset = two_classes()
    big = np.flatnonzero(dataset.y == "big")
    stand_ins.Measures.fits.clear()

    result = run_fold(dataset, spec("Measures"), Fold(0, 0, big, np.arange(len(dataset.y))))

    assert stand_ins.Measures.fits == []
    assert (result.metrics["accuracy"], result.metrics["loops"]) == (0.5, 0.0)


def test_a_learner_that_raises_is_a_failed_fold_and_the_others_go_on():
    dataset = two_classes()
    folds = CrossValidation(folds=4).split(dataset.y)

    seen = []
    results = run_folds(dataset, spec("FailsOnRow", row=3), folds, seen.append)

    # Row 3 is a training row of all folds but the one that tests it.
    tests_it = [3 in fold.test for fold in folds]
    assert [result.status == "ok" for result in results] == tests_it
    failed = results[tests_it.index(False)]
    assert failed.error == "RuntimeError: row 3 is not to my taste"
    assert "in fit" in failed.traceback
    assert failed.metrics == {}
    assert "traceback" not in failed.to_dict()
    assert tuple(seen) == results


def test_compiled_learners_are_warmed_once_a_data_set_and_others_never():
    dataset = make_dataset({"x": [float(i) for i in range(20)]}, ["a", "b"] * 10, "a", id="warm")
    folds = CrossValidation(folds=4).split(dataset.y)
    for name, expected in (("CompiledMajority", 1), ("Majority", 0)):
        fits = getattr(stand_ins, name).fits
        fits.clear()
        warm_up(dataset, spec(name), folds[0])
        warm_up(dataset, spec(name), folds[0])
        assert fits == [15] * expected


def test_a_fold_in_which_code_was_compiled_is_measured_once_more():
    dataset = two_classes()
    folds = CrossValidation(folds=4).split(dataset.y)
    fits = stand_ins.Compiles.fits
    fits.clear()

    results = run_folds(dataset, spec("Compiles"), folds[:2])

    assert fits == [30, 30, 30]  # the first fold twice, the second once
    assert results[0].metrics["fit_seconds"] < 0.05  # compiling took longer
    assert [result.status for result in results] == ["ok", "ok"]


def test_a_learner_that_fails_while_it_is_warmed_fails_in_its_fold():
    dataset = make_dataset({"x": [float(i) for i in range(20)]}, ["a", "b"] * 10, "a", id="cold")
    folds = CrossValidation(folds=4).split(dataset.y)
    broken = spec("FailsCompiled")

    warm_up(dataset, broken, folds[0])

    assert run_fold(dataset, broken, folds[0]).error == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_a_metric_that_is_not_a_finite_number_fails_its_fold(value):
    dataset = two_classes()
    fold = CrossValidation(folds=2).split(dataset.y)[0]

    result = run_fold(dataset, spec("Majority", rules_per_fold=value), fold)

    assert result.status == "failed"
    assert result.error == f"ValueError: a metric of the learner is not a finite number: rules is {value}"
    assert result.metrics == {}
