import pytest

from benchmarks.measures.pairing import alternate, repeated, summarise
from benchmarks.records import Case
from benchmarks.settings import Rounds

CASE = Case("compare", "adult", "xgboost", "foldse")


class Clock:
    """A clock that stands still but for the calls that are timed."""

    def __init__(self):
        self.now = 0.0
        self.order = []

    def call(self, name, *durations):
        remaining = list(durations)

        def run():
            self.order.append(name)
            self.now += remaining.pop(0) if len(remaining) > 1 else remaining[0]

        return run

    def __call__(self):
        return self.now


def rounds(**changes):
    given = {"repeats": 3, "least": 1, "seconds": 1000.0, "patience": 100.0, "hard_stop": 1000.0}
    return Rounds(**{**given, **changes})


def time_in_turn(clock, first, second, **changes):
    calls = clock.call("A", *first), clock.call("B", *second)
    return alternate(*calls, rounds(**changes), clock, lambda _: None)[0]


def test_the_median_of_ratios_is_not_the_ratio_of_medians():
    row = summarise(CASE, (10, 2), "fit", [(1.0, 10.0), (10.0, 40.0), (2.0, 30.0)])
    assert (row.baseline_median, row.median) == (2.0, 30.0)
    assert (row.ratio, row.ratio_min, row.ratio_max) == (10.0, 4.0, 15.0)
    assert (row.min, row.max, row.baseline_min, row.baseline_max, row.n) == (10.0, 40.0, 1.0, 10.0, 3)
    assert (row.case, row.rows, row.columns, row.unit, row.status) == (CASE, 10, 2, "s", "ok")


def test_an_even_number_of_figures_has_the_mean_of_the_middle_two_as_median():
    row = summarise(CASE, (10, 2), "fit", [(1.0, 4.0), (1.0, 1.0), (1.0, 2.0), (1.0, 10.0)])
    assert (row.median, row.min, row.max) == (3.0, 1.0, 10.0)


def test_calls_take_turns_and_the_first_of_each_does_not_count():
    clock = Clock()
    assert time_in_turn(clock, (9.0, 1.0), (7.0, 2.0)) == [(1.0, 2.0)] * 3
    assert "".join(clock.order) == "AB" * 4


def test_the_last_results_come_back_and_earlier_ones_are_dropped_before_each_call():
    kept = []

    class Model:
        alive = 0

        def __init__(self):
            kept.append(Model.alive)
            Model.alive += 1

        def __del__(self):
            Model.alive -= 1

    _, (first, second) = alternate(Model, lambda: "B", rounds(repeats=2), Clock(), lambda _: None)
    assert kept == [0, 0, 0]
    assert isinstance(first, Model)
    assert second == "B"


def test_a_long_first_call_counts_beside_a_warm_baseline():
    clock = Clock()
    pairs = time_in_turn(clock, (9.0, 1.0), (50.0, 40.0), patience=30.0, repeats=2)
    assert pairs == [(1.0, 50.0), (1.0, 40.0)]
    assert "".join(clock.order) == "ABAAB"


def test_no_round_is_begun_that_would_end_after_the_time():
    clock = Clock()
    # Warm-up until 20, rounds until 40 and 60; the next would end at 80.
    assert len(time_in_turn(clock, (10.0,), (10.0,), repeats=9, seconds=70.0)) == 2


def test_a_least_number_of_rounds_takes_longer_than_the_time_but_not_than_the_hard_stop():
    kept = {"repeats": 9, "least": 3, "seconds": 1.0}
    assert len(time_in_turn(Clock(), (10.0,), (10.0,), **kept)) == 3
    assert len(time_in_turn(Clock(), (10.0,), (10.0,), **kept, hard_stop=50.0)) == 1


def test_there_is_always_one_pair():
    assert repeated(lambda: (1.0, 2.0), rounds(seconds=0.0, hard_stop=0.0), Clock(), spent=5.0) == [
        (1.0, 2.0)
    ]


@pytest.mark.parametrize("repeats", [1, 4])
def test_repeats_are_kept(repeats):
    assert len(repeated(lambda: (1.0, 2.0), rounds(repeats=repeats), Clock())) == repeats
