"""What is measured, by the name of the benchmark.

A measure yields the name of each stage as it begins, and each row of results as it is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from benchmarks.measures import compare, memory, roofline, startup
from benchmarks.records import Case, Row
from benchmarks.settings import Settings

__all__ = ["MEASURES"]

MEASURES: Final[dict[str, Callable[[Case, Settings], Iterator[str | Row]]]] = {
    "compare": compare.compare,
    "growth": compare.growth,
    "memory": memory.measure,
    "roofline": roofline.measure,
    "startup": startup.measure,
}
