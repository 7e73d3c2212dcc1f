"""Who called the package: warnings point there."""

from __future__ import annotations

import sys

__all__ = ["outside"]


def outside() -> int:
    """Return the stack level, for the caller, of the first frame that is not of this package."""
    frame, level = sys._getframe(1), 1
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "foldse":
        frame, level = frame.f_back, level + 1
    return level
