"""Telling whether code was compiled, or loaded from the cache on disk, meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def watched() -> Iterator[Callable[[], bool]]:
    """Watch a block; the callable that it yields tells whether numba has made or loaded a kernel in it."""
    from numba.core import event  # only learners with compiled code have it loaded already

    # Held for either: compiling alone is an event of its own, loading is not.
    with event.install_recorder("numba:compiler_lock") as recorder:
        yield lambda: bool(recorder.buffer)
