"""What is measured, by the name of the benchmark."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from benchmarks.measures import compare, growth, memory, roofline, startup
from benchmarks.records import Case, Report
from benchmarks.settings import Settings

__all__ = ["MEASURES"]

MEASURES: Final[dict[str, Callable[[Case, Settings, Report], None]]] = {
    "compare": compare.run,
    "growth": growth.run,
    "memory": memory.run,
    "roofline": roofline.run,
    "startup": startup.run,
}
