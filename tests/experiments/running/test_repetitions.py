"""Repetitions that a job does not run: those of an interrupted run, and those beyond its time."""

import pytest

from experiments.learners import LearnerSpec
from experiments.records import FoldResult
from experiments.running.cross_validation import CrossValidation
from experiments.running.folds import run_limited
from experiments.running.worker import Limits
from experiments.store.checkpoint import Checkpoint
from tests.experiments import stand_ins
from tests.experiments.stand_ins import two_classes

DATASET = two_classes()
FOLDS = CrossValidation(folds=2, repeats=5).split(DATASET.y)


def run(name, job_seconds=None, done=None, **settings):
    spec = LearnerSpec(name, f"tests.experiments.stand_ins.{name}", settings)
    limits = Limits(subprocess=False, job_seconds=job_seconds)
    return run_limited(DATASET, spec, FOLDS, limits, done=done)[0]


def test_one_repetition_is_run_however_little_time_a_job_has():
    results = run("Slow", job_seconds=0.001, seconds=0.02)

    assert [(result.fold, result.repeat) for result in results] == [(0, 0), (1, 0)]


def test_a_repetition_begins_only_if_it_would_end_in_time():
    # A repetition takes 0.4 s at least: the third would end after a second.
    results = run("Slow", job_seconds=1.0, seconds=0.2)

    assert len(results) in (2, 4)
    assert results[0].seconds >= 0.2


def test_without_a_limit_every_repetition_is_run():
    assert [result.repeat for result in run("Majority")] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


def test_after_a_repetition_with_a_broken_fold_there_is_no_other():
    # Row 3 is a training row of one fold of each repetition.
    results = run("FailsOnRow", row=3)

    assert sorted(result.status for result in results) == ["failed", "ok"]


def test_folds_of_an_interrupted_run_are_not_run_again():
    stand_ins.Majority.fits.clear()
    done = {0: FoldResult(0, "ok", {"accuracy": 0.25}, seconds=3.0)}

    results = run("Majority", done=done)

    assert results[0] is done[0]
    assert len(results) == 10
    assert len(stand_ins.Majority.fits) == 9


def test_the_time_of_an_interrupted_run_counts():
    done = {i: FoldResult(i, "ok", {"accuracy": 0.25}, seconds=3.0) for i in (0, 1)}

    assert len(run("Majority", job_seconds=11.0, done=done)) == 2


def test_a_checkpoint_gives_back_what_is_ok_and_whole(tmp_path):
    checkpoint = Checkpoint(tmp_path / "job.jsonl")
    assert checkpoint.read() == {}
    kept = FoldResult(1, "ok", {"accuracy": 1 / 3}, "a :- b.", repeat=0, seconds=0.1)
    checkpoint.add(kept)
    checkpoint.add(FoldResult(2, "timeout", error="over it"))
    with checkpoint.path.open("a") as file:
        file.write('{"fold": 3, "stat')  # the process was killed here

    assert checkpoint.read() == {1: kept}

    checkpoint.remove()
    checkpoint.remove()
    assert checkpoint.read() == {}


@pytest.mark.parametrize("value", [0, -1, "long"])
def test_a_time_of_a_job_out_of_range_is_named(value):
    with pytest.raises(ValueError, match=f"limits.job_seconds={value} must be a number above 0"):
        Limits(job_seconds=value)
