"""How the kernels are compiled."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

__all__ = ["kernel"]

F = TypeVar("F", bound=Callable[..., Any])

_warned = False


def kernel(function: F) -> F:
    """Compile a function to machine code that runs without the interpreter's lock.

    The machine code is kept on disk, beside the source or in the user's cache folder. Where neither can be
    written, it is compiled anew in every process, and one warning says so. With ``NUMBA_DISABLE_JIT=1``
    the function stays as it is.
    """
    global _warned
    try:
        return njit(cache=True, nogil=True)(function)  # type: ignore[return-value]
    except RuntimeError as error:
        if "cannot cache" not in str(error):
            raise
    if not _warned:
        _warned = True
        warnings.warn(
            "foldse can keep its compiled code nowhere: every process will compile it anew, which takes some "
            "seconds. Set NUMBA_CACHE_DIR to a folder that can be written to.",
            RuntimeWarning,
            stacklevel=3,
        )
    return njit(nogil=True)(function)  # type: ignore[return-value]
