"""What is said on standard error, beside the results: notes, and how far long work is."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

__all__ = ["count", "note", "progress", "set_quiet"]

_quiet = False


def set_quiet(value: bool) -> None:
    """Say nothing but errors, if `value` is true."""
    global _quiet
    _quiet = value


def count(number: int, what: str) -> str:
    """Return a number of things in words."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def note(text: str) -> None:
    """Say something that is no result."""
    if not _quiet:
        print(f"foldse: {text}", file=sys.stderr)


@contextlib.contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """Show on a terminal that work goes on.

    Parameters
    ----------
    what : str
    total : int, optional
        Number of steps; None where they are not known.

    Yields
    ------
    callable
        To be called after each step. Nothing is shown where standard error is no terminal.
    """
    if _quiet or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = [SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()]
    if total is not None:
        columns[2:2] = [BarColumn(), TextColumn("{task.completed}/{task.total}")]
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda: bar.advance(task)
