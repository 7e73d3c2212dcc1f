"""Timing two things in turn, and what is made of the times: medians, and ratios pair by pair.

A machine that slows down for a while slows both of a pair, so that the ratio of a pair says more than the
ratio of two medians that were taken one after the other.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Self

from benchmarks.records import Case, Row

REST = 0.01  # seconds before each call, in which the idle threads of the one before stop spinning


@dataclass(frozen=True, slots=True)
class Rounds:
    """How often a pair is timed.

    Attributes
    ----------
    repeats : int
        Rounds at most.
    least : int
        Rounds that are done even if they take longer than `seconds`.
    seconds : float
        After which no further round is begun.
    patience : float
        Of the call that is compared: where its first, untimed call would take more seconds than this, that
        call counts, since it is too long to be done for nothing.
    hard_stop : float
        Seconds after which no further round is begun, even if there are fewer than `least`.
    """

    repeats: int
    least: int
    seconds: float
    patience: float
    hard_stop: float


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and extremes of some figures."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Self:
        """Summarise at least one figure."""
        return cls(statistics.median(values), min(values), max(values))


def ratios(pairs: Sequence[tuple[float, float]]) -> list[float]:
    """Return second over first for each pair."""
    return [second / first for first, second in pairs]


def alternate(
    first: Callable[[], object],
    second: Callable[[], object],
    rounds: Rounds,
    clock: Callable[[], float] = time.perf_counter,
    rest: Callable[[float], object] = time.sleep,
) -> list[tuple[float, float]]:
    """Time two calls in turn, A B A B ..., and return the seconds of each pair.

    Both are called once before, which does not count, unless the second takes long (`Rounds.patience`).

    Parameters
    ----------
    first, second : callable
    rounds : Rounds
    clock, rest : callable
        Replaced in tests.
    """

    def seconds(call: Callable[[], object]) -> float:
        rest(REST)
        start = clock()
        call()
        return clock() - start

    begun = clock()
    seconds(first)
    warm = seconds(second)
    pairs = [(seconds(first), warm)] if warm > rounds.patience else []
    return repeated(lambda: (seconds(first), seconds(second)), rounds, clock, pairs, clock() - begun)


def repeated(
    measure: Callable[[], tuple[float, float]],
    rounds: Rounds,
    clock: Callable[[], float] = time.perf_counter,
    pairs: Sequence[tuple[float, float]] = (),
    spent: float = 0.0,
) -> list[tuple[float, float]]:
    """Take a pair of figures again and again, as often as `rounds` says.

    Parameters
    ----------
    measure : callable
    rounds : Rounds
    clock : callable
        Replaced in tests.
    pairs : sequence of (float, float)
        Those that there are already.
    spent : float
        Seconds that they took.
    """
    found = list(pairs)
    begun, duration = clock() - spent, spent
    while len(found) < rounds.repeats:
        ahead = clock() - begun + duration  # when the next round would end, if it took as long as the last
        if found and (ahead > rounds.hard_stop or (len(found) >= rounds.least and ahead > rounds.seconds)):
            break
        start = clock()
        found.append(measure())
        duration = clock() - start
    return found


def summarise(
    case: Case,
    shape: tuple[int, int],
    measure: str,
    pairs: Sequence[tuple[float, float]],
    unit: str = "s",
    **changes: Any,
) -> Row:
    """Return the row for pairs of (baseline, contender).

    Parameters
    ----------
    case : Case
    shape : (int, int)
        Rows and columns of the table.
    measure, unit : str
    pairs : sequence of (float, float)
        At least one; the baseline's figures above 0.
    **changes
        Fields of the row that are not the case's.
    """
    base = Spread.of([first for first, _ in pairs])
    own = Spread.of([second for _, second in pairs])
    ratio = Spread.of(ratios(pairs))
    fields: dict[str, Any] = {
        "benchmark": case.benchmark,
        "table": case.table,
        "rows": shape[0],
        "columns": shape[1],
        "contender": case.contender,
        "baseline": case.baseline,
        "measure": measure,
        "unit": unit,
        "median": own.median,
        "min": own.low,
        "max": own.high,
        "baseline_median": base.median,
        "baseline_min": base.low,
        "baseline_max": base.high,
        "ratio": ratio.median,
        "ratio_min": ratio.low,
        "ratio_max": ratio.high,
        "n": len(pairs),
    }
    return Row(**{**fields, **changes})
