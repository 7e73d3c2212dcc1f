"""Learners that misbehave, in real processes."""

import multiprocessing
import os
import subprocess
import sys
import time

import numpy as np
import pytest

from experiments.config import ROOT, compose
from experiments.learners import LearnerSpec
from experiments.running import memory
from experiments.running.cross_validation import CrossValidation
from experiments.running.folds import run_fold, run_limited
from experiments.running.worker import Limits, LimitsError, Worker
from tests.experiments.stand_ins import two_classes

DATASET = two_classes()
FOLDS = CrossValidation(folds=4).split(DATASET.y)
SECONDS = 10**6 + os.getpid()  # tells the sleepers of this process apart
linux = pytest.mark.skipif(sys.platform != "linux", reason="memory is limited on Linux only")


def run(name, limits, **settings):
    spec = LearnerSpec(name, f"tests.experiments.stand_ins.{name}", settings)
    results, _ = run_limited(DATASET, spec, FOLDS, limits)
    return results


def row_tested_in(fold):
    return int(FOLDS[fold].test[0])


def sleepers():
    done = subprocess.run(["pgrep", "-f", f"^sleep {SECONDS}$"], capture_output=True, text=True)
    return done.stdout.split()


def test_a_fold_in_a_worker_is_as_one_in_the_process():
    results = run("Majority", Limits(seconds=60))

    here = run_fold(DATASET, LearnerSpec("m", "tests.experiments.stand_ins.Majority", {}), FOLDS[1])
    assert [result.status for result in results] == ["ok"] * 4
    assert results[1].metrics["accuracy"] == here.metrics["accuracy"]
    assert results[1].rules == here.rules
    assert multiprocessing.active_children() == []


@linux
@pytest.mark.parametrize("name", ["Greedy", "GreedyInPieces"])
def test_a_learner_that_allocates_without_end_is_out_of_memory_and_the_other_folds_go_on(name):
    results = run(name, Limits(memory_mb=150, seconds=60), row=row_tested_in(2))

    expected = ["out of memory"] * 4
    expected[2] = "ok"
    assert [result.status for result in results] == expected
    assert "MemoryError" in results[0].error


def test_a_learner_that_sleeps_for_ever_is_over_the_time_and_not_tried_again():
    start = time.perf_counter()

    results = run("Sleeper", Limits(seconds=0.5), seconds=SECONDS, row=row_tested_in(2))

    assert [result.status for result in results] == ["timeout", "not tried", "not tried", "not tried"]
    assert results[0].error == "over limits.seconds=0.5"
    assert time.perf_counter() - start < 15
    assert sleepers() == []


def test_a_timeout_after_the_first_fold_leaves_the_others_to_be_tried():
    results = run("Sleeper", Limits(seconds=0.5), seconds=SECONDS, row=row_tested_in(0))

    assert [result.status for result in results] == ["ok", "timeout", "timeout", "timeout"]
    assert sleepers() == []


def test_a_learner_that_hangs_while_it_is_warmed_is_over_the_time():
    results = run("SleeperCompiled", Limits(seconds=0.5), seconds=SECONDS, row=row_tested_in(2))

    assert [result.status for result in results] == ["timeout"] + ["not tried"] * 3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("Quitter", "the worker process ended with exit code 7"),
        ("Killed", "the worker process was ended by SIGKILL"),
    ],
)
def test_a_learner_that_ends_its_process_has_crashed_and_the_other_folds_go_on(name, message):
    results = run(name, Limits(seconds=60), row=row_tested_in(2))

    expected = ["crashed"] * 4
    expected[2] = "ok"
    assert [result.status for result in results] == expected
    assert results[0].error == message


@linux
def test_the_peak_of_memory_is_what_fit_adds():
    small = run("Majority", Limits())
    large = run("Large", Limits())

    assert all(0 <= result.metrics["peak_memory_mb"] < 10 for result in small)
    assert all(48 < result.metrics["peak_memory_mb"] < 60 for result in large)


@linux
def test_the_peak_without_a_way_to_set_it_back_is_what_goes_beyond_the_highest_so_far(monkeypatch, tmp_path):
    monkeypatch.setattr(memory, "_CLEAR", tmp_path / "none" / "such")
    peak = memory.Peak()
    assert peak.start is None
    more = (memory._highest() - memory._status_bytes("VmRSS")) // 8 + (30 << 17)
    np.ones(more).sum()
    assert 25 < peak.mb() < 45


@linux
def test_a_bound_is_lifted_again():
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    with memory.Bound(10), pytest.raises(MemoryError):
        np.ones(100 << 17)
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    with memory.Bound(None):
        assert resource.getrlimit(resource.RLIMIT_AS) != before
        memory.lift()
        assert resource.getrlimit(resource.RLIMIT_AS) == before


class Echo:
    def __call__(self, work):
        return os.getpid() if work == "pid" else lambda: work


def test_one_process_does_all_the_work_and_what_cannot_be_sent_is_said():
    from experiments.running.worker import StoppedError

    with Worker(Echo, (), Limits()) as worker:
        first = worker.call("pid")
        assert worker.call("pid") == first != os.getpid()
        with pytest.raises(StoppedError, match="pickle") as caught:
            worker.call("anything else")
        assert caught.value.status == "crashed"
        assert worker.call("pid") != first


def test_a_worker_ends_with_its_parent():
    code = (
        "from tests.experiments.running.test_worker import *\n"
        f"settings = {{'row': row_tested_in(2), 'seconds': {SECONDS}}}\n"
        "spec = LearnerSpec('s', 'tests.experiments.stand_ins.Sleeper', settings)\n"
        "print('begun', flush=True)\n"
        "run_limited(DATASET, spec, FOLDS, Limits(seconds=600))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    deadline = time.monotonic() + 60
    while not sleepers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sleepers()

    process.kill()
    process.wait()

    while sleepers() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sleepers() == []


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["limits.seconds=0"], "limits.seconds=0 must be a number above 0"),
        (["limits.seconds=soon"], "limits.seconds=soon"),
        (["limits.memory_mb=-5"], "limits.memory_mb=-5"),
        (["limits=none", "limits.seconds=5"], "limits.seconds=5 needs limits.subprocess=true"),
        (["limits.subprocess=maybe"], "limits.subprocess=maybe must be true or false"),
    ],
)
def test_limits_that_cannot_be_kept_are_named_in_one_line(overrides, message):
    with pytest.raises(LimitsError, match=message) as caught:
        Limits.from_config(compose(overrides).limits)
    assert "\n" not in str(caught.value)


def test_without_a_worker_folds_run_in_the_process_itself():
    limits = Limits.from_config(compose(["limits=none"]).limits)
    assert limits == Limits(subprocess=False)
    from tests.experiments import stand_ins

    stand_ins.Majority.fits.clear()
    assert [result.status for result in run("Majority", limits)] == ["ok"] * 4
    assert len(stand_ins.Majority.fits) == 4
