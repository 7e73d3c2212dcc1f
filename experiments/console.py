"""The two consoles: results go to standard output, progress and errors to standard error."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.segment import Segment
from rich.text import Text

# Tables in a log file need not be folded to the 80 columns of a terminal that is not there.
_WIDTH_OF_A_FILE = 160


class _PlainConsole(Console):
    """A console for text of others: labels, names and messages are shown as they are, and rule no terminal.

    Brackets are not markup, and a control character, such as the one that opens an escape sequence, is shown
    by its code.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(printable(text), **options)  # before widths are measured

    def render(self, *arguments: Any, **options: Any) -> Iterable[Segment]:
        for segment in super().render(*arguments, **options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


def out() -> Console:
    """Return the console for results."""
    wide = not sys.stdout.isatty() and "COLUMNS" not in os.environ
    return _PlainConsole(width=_WIDTH_OF_A_FILE if wide else None)


def err() -> Console:
    """Return the console for progress and errors."""
    return _PlainConsole(stderr=True)


def say_error(message: str) -> None:
    """Print one line to standard error."""
    text = " ".join(without_password(message).split())
    err().print(Text.assemble(("error: ", "bold red"), text), soft_wrap=True)


def printable(text: str) -> str:
    r"""Return text with its control characters, but for line ends and tabs, written as codes: ``\x1b``."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", lambda found: f"\\x{ord(found[0]):02x}", text)


def without_password(text: str) -> str:
    """Return text in which the passwords of addresses, ``scheme://user:password@host``, are ``***``."""
    text = re.sub(r"(\w://[^\s/:@]*:)\S+@", r"\1***@", text)
    return re.sub(r"([?&](?:password|passwd|pwd|token)=)[^&\s'\"]+", r"\1***", text, flags=re.IGNORECASE)
