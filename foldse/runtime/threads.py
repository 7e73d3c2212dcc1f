"""Running independent compiled work in threads."""

from __future__ import annotations

import functools
import os
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

__all__ = ["MAX_PARALLEL_ROWS", "n_threads", "run_parallel"]

MAX_PARALLEL_ROWS = 5_000_000  # of a table: with more, what each thread needs beside the codes is too much

T = TypeVar("T")

_Job = tuple[int, Callable[[], Any], queue.SimpleQueue[Any]]

_jobs: queue.SimpleQueue[_Job] = queue.SimpleQueue()
_workers: list[threading.Thread] = []
_starting = threading.Lock()


def _forget_workers() -> None:
    """Start anew in a forked child, which has none of the threads."""
    global _jobs, _starting
    _jobs, _starting = queue.SimpleQueue(), threading.Lock()
    _workers.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_workers)


def _work(jobs: queue.SimpleQueue[_Job]) -> None:
    while True:
        _do(jobs.get())  # keeps nothing that the job holds until the next one


def _do(job: _Job) -> None:
    position, task, done = job
    done.put((position, _outcome(task)))


def _outcome(task: Callable[[], T]) -> tuple[T | None, BaseException | None]:
    try:
        return task(), None
    except BaseException as error:  # raised again where it was asked for
        return None, error


def n_threads() -> int:
    """Return how many threads learning takes: ``NUMBA_NUM_THREADS``, by default one a processor."""
    return int(os.environ.get("NUMBA_NUM_THREADS") or _n_processors())


@functools.cache
def _n_processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_parallel(tasks: Sequence[Callable[[], T]], parallel: bool = True) -> list[T]:
    """Run tasks and return their results in order.

    Parameters
    ----------
    tasks : sequence of callable
        Independent of each other.
    parallel : bool, default=True
        False runs the tasks one by one, where there is too little to do for threads. What a task does while
        it holds the interpreter's lock keeps the others waiting.

    Returns
    -------
    list

    Notes
    -----
    Threads of our own rather than numba's: after a parallel region of numba's a fork is unsafe. And rather
    than an executor's, since a search hands over work of some ten microseconds: a queue alone takes a third
    of the time, and the caller works, too, on whatever no thread has begun.
    """
    if not parallel or n_threads() == 1 or len(tasks) == 1:
        return [task() for task in tasks]
    with _starting:
        while len(_workers) < n_threads() - 1:
            _workers.append(threading.Thread(target=_work, args=(_jobs,), name="foldse", daemon=True))
            _workers[-1].start()
    done: queue.SimpleQueue[Any] = queue.SimpleQueue()
    for position, task in enumerate(tasks[1:], start=1):
        _jobs.put((position, task, done))
    _do((0, tasks[0], done))
    while True:
        try:
            job = _jobs.get_nowait()
        except queue.Empty:
            break
        _do(job)
        del job
    outcomes = dict(done.get() for _ in tasks)
    for _, error in outcomes.values():
        if error is not None:
            raise error
    return [outcomes[position][0] for position in range(len(tasks))]
