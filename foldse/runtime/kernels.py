"""How the kernels are compiled."""

from __future__ import annotations

import functools
import hashlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit
from numba.core.caching import IndexDataCacheFile

__all__ = ["kernel"]

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).parents[1]
COMPILED = ("heuristics.py", "model/literals.py", "reading/*.py", "runtime/*.py", "search/*.py")

_warned = False


@functools.cache
def _source_stamp() -> tuple[tuple[str, int, int], ...]:
    """Return name, time and size of every file from which kernels take code or constants."""
    paths = sorted(path for pattern in COMPILED for path in PACKAGE.glob(pattern))
    return tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in paths)


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


def kernel(function: F) -> F:
    """Compile a function to machine code that runs without the interpreter's lock.

    The machine code is kept on disk, beside the source or in the user's cache folder. Where neither can be
    written, it is compiled anew in every process, and one warning says so. With ``NUMBA_DISABLE_JIT=1``
    the function stays as it is.

    Parameters
    ----------
    function : callable
        In the part of Python that numba compiles.

    Returns
    -------
    callable

    Notes
    -----
    Numba takes machine code from disk if the file that holds the function is as it was, though kernels and
    constants of other files are compiled in. Here all files of `COMPILED` have to be as they were.
    """
    global _warned
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
        return cast(F, compiled)
    if not _warned:
        _warned = True
        warnings.warn(
            "foldse can keep its compiled code nowhere: every process will compile it anew, which takes some "
            "seconds. Set NUMBA_CACHE_DIR to a folder that can be written to.",
            RuntimeWarning,
            stacklevel=3,
        )
    return cast(F, njit(nogil=True)(function))
