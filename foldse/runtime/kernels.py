"""Kernels: functions that run as machine code, or as the plain Python that they are written in.

Compiling all kernels takes about ten seconds, once an installation; interpreted they learn a table of a
million cells in about three. So nothing is compiled until the work is worth it, see `prepare`, unless an
earlier process has left its machine code. What comes out is the same.
"""

from __future__ import annotations

import builtins
import functools
import os
import threading
import types
from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

from foldse.runtime import machine_code

__all__ = ["INTERPRETED_CELLS", "Kernel", "compile_kernels", "compiled_in", "kernel", "prepare"]

P = ParamSpec("P")
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

INTERPRETED_CELLS = 1_000_000
"""Cells of all tables that a process learns from before its kernels are compiled; the environment variable
``FOLDSE_INTERPRETED_CELLS`` is another number of them, 0 for none."""

_kernels: list[Kernel[..., Any]] = []
_helpers: list[Callable[..., Any]] = []
_switching = threading.RLock()
_cells_left = int(os.environ.get("FOLDSE_INTERPRETED_CELLS") or INTERPRETED_CELLS)
_compiled = False


class Kernel(Generic[P, T]):
    """A function of host code that calls machine code once there is some.

    Parameters
    ----------
    function : callable
        In the part of Python that numba compiles.

    Notes
    -----
    Numba takes it for the compiled function where another kernel calls it.
    """

    def __init__(self, function: Callable[P, T]) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self._run = self._first_run
        _kernels.append(self)
        if _compiled:
            self.switch()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """Return what the function returns."""
        return self._run(*args, **kwargs)

    def _first_run(self, *args: P.args, **kwargs: P.kwargs) -> T:
        # Not at once: what the function calls may be defined below it.
        with _switching:
            if self._run == self._first_run:
                self._run = self.plain
        return self._run(*args, **kwargs)

    @functools.cached_property
    def plain(self) -> Callable[P, T]:
        """The function as it is interpreted: it calls the plain form of other kernels, without a detour."""
        scope = self.function.__globals__
        called = {name: scope[name] for name in self.function.__code__.co_names if name in scope}
        called = {name: value.plain if isinstance(value, Kernel) else value for name, value in called.items()}
        plain = types.FunctionType(self.function.__code__, {**called, "__builtins__": builtins})
        plain.__defaults__ = self.function.__defaults__
        return plain

    def switch(self) -> None:
        """Call machine code from now on."""
        self.dispatcher = machine_code.dispatcher(self.function)
        self._run = self.dispatcher


def kernel(function: Callable[P, T]) -> Kernel[P, T]:
    """Make a function a kernel.

    Its machine code runs without the interpreter's lock. It is kept on disk, beside the source or in the
    user's cache folder; where neither can be written, it is compiled anew in every process that has enough to
    do, and one warning says so. With ``NUMBA_DISABLE_JIT=1`` nothing is compiled.

    Parameters
    ----------
    function : callable
        In the part of Python that numba compiles.

    Returns
    -------
    Kernel
    """
    return Kernel(function)


def compiled_in(function: F) -> F:
    """Let kernels call a function that is no kernel: its code becomes a part of theirs."""
    _helpers.append(function)
    return function


def prepare(cells: int) -> None:
    """Decide, before a table is read, whether kernels run as machine code.

    They do if machine code was left on disk, or once all tables of this process have more cells than
    `INTERPRETED_CELLS`.

    Parameters
    ----------
    cells : int
        Of the table, times how often it will be learned from; more where a cell is more work than FOLD-SE's.
    """
    global _cells_left
    if _compiled or not _may_compile():
        return
    with _switching:
        _cells_left -= cells
        if _cells_left < 0 or machine_code.is_kept():
            compile_kernels()


def compile_kernels() -> None:
    """Run all kernels as machine code from now on, each compiled or loaded at its first call."""
    global _compiled
    with _switching:
        if _compiled or not _may_compile():
            return
        from numba.core.types import Dispatcher
        from numba.extending import register_jitable, typeof_impl

        @typeof_impl.register(Kernel)
        def _typeof(value: Kernel[..., Any], context: Any) -> Any:
            return Dispatcher(value.dispatcher)

        for helper in _helpers:
            register_jitable(helper)
        for each in _kernels:
            each.switch()
        _compiled = True


def _may_compile() -> bool:
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
