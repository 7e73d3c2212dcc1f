"""The machine code of kernels, and where it is kept."""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foldse.runtime.callers import outside

if TYPE_CHECKING:
    from numba.core.caching import IndexDataCacheFile

__all__ = ["dispatcher", "is_kept"]

PACKAGE = Path(__file__).parents[1]
COMPILED = ("heuristics.py", "model/literals.py", "reading/*.py", "runtime/*.py", "search/*.py")

_warned = False


def dispatcher(function: Callable[..., Any]) -> Any:
    """Return a function as numba compiles it, with its machine code kept on disk.

    Parameters
    ----------
    function : callable
        In the part of Python that numba compiles.

    Returns
    -------
    numba.core.registry.CPUDispatcher
        Runs without the interpreter's lock.

    Notes
    -----
    Numba takes machine code from disk if the file that holds the function is as it was, though kernels and
    constants of other files are compiled in. Here all files of `COMPILED` have to be as they were.
    """
    global _warned
    from numba import njit
    from numba.core.caching import IndexDataCacheFile

    try:
        compiled: Any = njit(cache=True, nogil=True)(function)
    except RuntimeError as error:
        if "cannot cache" not in str(error):
            raise
    else:
        # Numba has no public way to say either.
        kept: Any = getattr(getattr(compiled, "_cache", None), "_cache_file", None)
        if isinstance(kept, IndexDataCacheFile):
            kept._source_stamp = (kept._source_stamp, _source_stamp())
            setattr(kept, "save", functools.partial(_save, kept))  # noqa: B010  (a method to mypy)
        return compiled
    if not _warned:
        _warned = True
        warnings.warn(
            "foldse can keep its compiled code nowhere: every process that learns much will compile it anew, "
            "which takes some seconds. Set NUMBA_CACHE_DIR to a folder that can be written to.",
            RuntimeWarning,
            stacklevel=outside(),
        )
    return njit(nogil=True)(function)


def is_kept() -> bool:
    """Return whether an earlier process has left machine code of the present kernels, told without numba.

    It may be of another processor: then kernels are compiled when they are called.
    """
    return any((folder / _mark()).exists() for folder in _mark_folders())


@functools.cache
def _source_stamp() -> tuple[tuple[str, int, int], ...]:
    """Return name, time and size of every file from which kernels take code or constants."""
    paths = sorted(path for pattern in COMPILED for path in PACKAGE.glob(pattern))
    return tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in paths)


@functools.cache
def _mark() -> str:
    """Return the name of an empty file that says that machine code is kept."""
    settings = sorted(item for item in os.environ.items() if item[0].startswith("NUMBA_"))
    of = (_source_stamp(), importlib.metadata.version("numba"), sys.version, settings)
    return f"foldse-{hashlib.sha256(repr(of).encode()).hexdigest()[:16]}.compiled"


def _mark_folders() -> Iterator[Path]:
    """Yield where the mark may be, in the order of numba's own places."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen)
    else:
        yield PACKAGE / "runtime" / "__pycache__"
        yield Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "foldse"


def _leave_mark() -> None:
    for folder in _mark_folders():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _mark()).touch()
        except OSError:
            continue
        return


def _save(kept: IndexDataCacheFile, key: object, machine_code: object) -> None:
    """Save the machine code of one signature in a file that no other signature has.

    Numba takes the next number that its index does not have. Two processes that compile at once can then
    write the code of two signatures to one file, and whoever reads it runs the wrong one. Here at worst an
    entry of the index is lost, and compiled again.
    """
    number = int.from_bytes(hashlib.sha256(repr(key).encode()).digest()[:6])
    name = kept._data_name(number)
    kept._save_data(name, machine_code)
    kept._save_index(kept._load_index() | {key: name})
    _leave_mark()
