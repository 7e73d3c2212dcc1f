"""Timing two calls alternately, and summarising the times: medians, and ratios pair by pair.

A machine that slows down for a while slows both calls of a pair, so the ratio of a pair is more reliable than
the ratio of two medians that were measured one after the other.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.records import Case, Row
from benchmarks.settings import Rounds

REST = 0.01  # seconds before each call, in which idle threads of the previous one stop spinning

Pairs = Sequence[tuple[float, float]]


def alternate(
    first: Callable[[], Any],
    second: Callable[[], Any],
    rounds: Rounds,
    clock: Callable[[], float] = time.perf_counter,
    rest: Callable[[float], object] = time.sleep,
) -> tuple[list[tuple[float, float]], list[Any]]:
    """Time two calls alternately, A B A B ...

    Each is called once before, untimed, unless the second takes long (`Rounds.patience`).

    Parameters
    ----------
    first, second : callable
    rounds : Rounds
    clock, rest : callable
        Replaced in tests.

    Returns
    -------
    pairs : list of (float, float)
        The seconds of each pair of calls.
    results : list
        What the last call of each returned.
    """
    calls, results = (first, second), [None, None]

    def seconds(which: int) -> float:
        results[which] = None  # the previous result does not count as memory in use
        rest(REST)
        start = clock()
        results[which] = calls[which]()
        return clock() - start

    begun = clock()
    seconds(0)
    warm = seconds(1)
    pairs = [(seconds(0), warm)] if warm > rounds.patience else []
    return repeated(lambda: (seconds(0), seconds(1)), rounds, clock, pairs, clock() - begun), results


def repeated(
    measure: Callable[[], tuple[float, float]],
    rounds: Rounds,
    clock: Callable[[], float] = time.perf_counter,
    pairs: Pairs = (),
    spent: float = 0.0,
) -> list[tuple[float, float]]:
    """Take a pair of figures repeatedly, as often as `rounds` allows.

    Parameters
    ----------
    measure : callable
    rounds : Rounds
    clock : callable
        Replaced in tests.
    pairs : sequence of (float, float)
        Pairs that exist already.
    spent : float
        Seconds that they took.
    """
    found = list(pairs)
    begun, duration = clock() - spent, spent
    while len(found) < rounds.repeats:
        ahead = clock() - begun + duration  # when the next round would end if it took as long as the last
        if found and (ahead > rounds.hard_stop or (len(found) >= rounds.least and ahead > rounds.seconds)):
            break
        start = clock()
        found.append(measure())
        duration = clock() - start
    return found


def summarise(case: Case, shape: tuple[int, int], measure: str, pairs: Pairs, unit: str = "s") -> Row:
    """Return the row for pairs of (baseline, contender).

    Parameters
    ----------
    case : Case
    shape : (int, int)
        Rows and columns of the table.
    measure, unit : str
    pairs : sequence of (float, float)
        At least one; the baseline's figures are above 0.
    """
    ratios = [second / first for first, second in pairs]
    fields: dict[str, Any] = {}
    for prefix, values in (
        ("", [second for _, second in pairs]),
        ("baseline_", [first for first, _ in pairs]),
        ("ratio_", ratios),
    ):
        fields |= {f"{prefix}{of.__name__}": of(values) for of in (statistics.median, min, max)}
    fields["ratio"] = fields.pop("ratio_median")
    ids = case.benchmark, case.table, *shape, case.contender, case.baseline
    return Row(*ids, measure, unit, n=len(pairs), **fields)
