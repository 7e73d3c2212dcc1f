"""Notes and progress on standard error."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Iterator

from foldse.model.lines import amount

__all__ = ["count", "note", "progress", "set_quiet", "visible"]

# All but line breaks and tabs, and the marks that reverse the direction of text.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")

_quiet = False


def visible(text: str) -> str:
    r"""Return text with control characters written out, as ``\x1b``."""
    return CONTROLS.sub(lambda found: repr(found[0])[1:-1], text)


def set_quiet(value: bool) -> None:
    """Suppress notes and progress, if `value` is true."""
    global _quiet
    _quiet = value


def count(number: float, what: str, plural: str | None = None) -> str:
    """Return a number with its noun, in the plural unless it is one."""
    return f"{amount(number)} {what if number == 1 else plural or what + 's'}"


def note(text: str) -> None:
    """Print a note."""
    if not _quiet:
        print(f"foldse: {visible(text)}", file=sys.stderr)


@contextlib.contextmanager
def progress(what: str, total: int | None = None) -> Iterator[Callable[[], None]]:
    """Show progress on a terminal.

    Parameters
    ----------
    what : str
    total : int, optional
        Number of steps; None where it is not known.

    Yields
    ------
    callable
        To be called after each step. Nothing is shown unless standard error is a terminal.
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
