"""Independent work in threads: in order, errors and all, from any thread and in a forked child."""

from __future__ import annotations

import gc
import multiprocessing
import threading
import time
import weakref
from functools import partial

import pytest

from foldse.runtime.threads import run_parallel


@pytest.fixture(autouse=True)
def three_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")


def squares(n: int) -> list[int]:
    return run_parallel([partial(pow, base, 2) for base in range(n)], parallel=True)


@pytest.mark.parametrize("n_tasks", [1, 2, 3, 50])
def test_results_are_in_the_order_of_the_tasks(n_tasks: int) -> None:
    assert squares(n_tasks) == [base**2 for base in range(n_tasks)]


def test_tasks_run_at_the_same_time() -> None:
    # Each waits until all three are there: one after another they would never be.
    together = threading.Barrier(3, timeout=30)
    assert sorted(run_parallel([together.wait] * 3, parallel=True)) == [0, 1, 2]


def test_without_threads_it_stays_in_the_thread() -> None:
    assert set(run_parallel([threading.get_ident] * 5, parallel=False)) == {threading.get_ident()}


@pytest.mark.parametrize("failing", [0, 1, 4])
def test_an_error_is_raised_once_all_tasks_ended(failing: int) -> None:
    ended = []

    def task(position: int) -> None:
        ended.append(position)
        if position == failing:
            raise ValueError(f"task {position}")

    with pytest.raises(ValueError, match=f"task {failing}"):
        run_parallel([partial(task, position) for position in range(5)], parallel=True)
    assert sorted(ended) == [0, 1, 2, 3, 4]
    assert squares(4) == [0, 1, 4, 9]


def test_callers_at_once_get_their_own_results() -> None:
    found: dict[int, list[int]] = {}

    def call(caller: int) -> None:
        for _ in range(50):
            found[caller] = run_parallel(
                [partial(lambda c, k: c * 100 + k, caller, k) for k in range(7)], True
            )

    callers = [threading.Thread(target=call, args=(caller,)) for caller in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(timeout=60)
    assert found == {caller: [caller * 100 + k for k in range(7)] for caller in range(6)}


def test_a_task_may_share_out_work_itself() -> None:
    assert run_parallel([partial(squares, 3)] * 6, parallel=True) == [[0, 1, 4]] * 6


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork on this system")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_child_has_threads_of_its_own() -> None:
    squares(3)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(squares, (4,)).get(timeout=60) == [0, 1, 4, 9]


def test_nothing_of_a_task_is_kept() -> None:
    class Large:
        pass

    large = Large()
    gone = weakref.ref(large)
    run_parallel([partial(lambda kept, _: None, large, k) for k in range(5)], parallel=True)
    del large
    for _ in range(500):  # a thread gives its result before it lets go of the task
        gc.collect()
        if gone() is None:
            break
        time.sleep(0.01)
    assert gone() is None
