"""The two consoles: results go to standard output, progress and errors to standard error."""

from __future__ import annotations

import os
import sys

from rich.console import Console
from rich.text import Text

# Tables in a log file need not be folded to the 80 columns of a terminal that is not there.
_WIDTH_OF_A_FILE = 160


def out() -> Console:
    """Return the console for results."""
    wide = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return Console(width=_WIDTH_OF_A_FILE if wide else None, highlight=False)


def err() -> Console:
    """Return the console for progress and errors."""
    return Console(stderr=True, highlight=False)


def say_error(message: str) -> None:
    """Print one line to standard error."""
    err().print(Text.assemble(("error: ", "bold red"), " ".join(message.split())), soft_wrap=True)
