import pytest

from experiments.records import FoldResult
from experiments.running.summary import summarize


def results(*repetitions):
    return [
        FoldResult(10 * repeat + i, "ok", {"accuracy": value}, repeat=repeat)
        for repeat, values in enumerate(repetitions)
        for i, value in enumerate(values)
    ]


def test_repetitions_are_summarised_by_hand():
    # Means of the repetitions: 0.6, 0.8, 0.7; their mean is 0.7.
    figures = summarize(results((0.5, 0.7), (0.7, 0.9), (0.6, 0.8)))["accuracy"]

    assert figures.mean == pytest.approx(0.7)
    # Over all six folds, squares of -0.2, 0, 0, 0.2, -0.1, 0.1 over 6.
    assert figures.std == pytest.approx((0.1 / 6) ** 0.5)
    assert figures.repetitions == pytest.approx((0.6, 0.8, 0.7))
    # Between repetitions, squares of -0.1, 0.1, 0 over 2.
    assert figures.spread == pytest.approx((0.02 / 2) ** 0.5)


def test_a_single_repetition_has_no_spread():
    figures = summarize(results((0.5, 0.7)))["accuracy"]

    assert figures.repetitions == ()
    assert figures.spread is None


def test_the_ddof_of_the_folds_is_a_setting():
    # Squares of -0.1 and 0.1 over 1.
    assert summarize(results((0.5, 0.7)), ddof=1)["accuracy"].std == pytest.approx(0.02**0.5)
