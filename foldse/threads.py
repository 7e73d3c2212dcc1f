"""Running independent compiled work in threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numba

__all__ = ["MOST_PARALLEL_ROWS", "in_parallel", "n_threads"]

MOST_PARALLEL_ROWS = 5_000_000  # of a table: beyond, what each thread needs besides the codes is too much

T = TypeVar("T")

_pool: ThreadPoolExecutor | None = None


def _forget_pool() -> None:
    """Drop the pool in a forked child, which has none of its threads."""
    global _pool
    _pool = None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_pool)


def n_threads() -> int:
    """Return how many threads numba is configured for: ``NUMBA_NUM_THREADS``, by default one a processor."""
    return int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]


def in_parallel(tasks: Sequence[Callable[[], T]], worthwhile: bool) -> list[T]:
    """Run tasks and return their results in order.

    Parameters
    ----------
    tasks : sequence of callable
        Independent of each other.
    worthwhile : bool
        Whether there is enough to do to hand it to threads; False runs the tasks one by one. What a task
        does while it holds the interpreter's lock keeps the others waiting.

    Notes
    -----
    Threads of our own rather than numba's: after a parallel region of numba's a fork is unsafe.
    """
    if not worthwhile or n_threads() == 1 or len(tasks) == 1:
        return [task() for task in tasks]
    global _pool
    if _pool is None:
        _pool = ThreadPoolExecutor(n_threads(), thread_name_prefix="foldse")
    return list(_pool.map(lambda task: task(), tasks))
