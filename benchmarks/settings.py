"""How long and how often the benchmark measures."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rounds:
    """How often a pair of calls is timed.

    Attributes
    ----------
    repeats : int
        Largest number of rounds.
    least : int
        Rounds that are run even if they take longer than `seconds`.
    seconds : float
        Time after which no further round begins.
    patience : float
        If the first, untimed call of the contender would take longer than this many seconds, it is timed and
        counts: it is too long to be wasted.
    hard_stop : float
        Seconds after which no further round begins, even if there are fewer than `least`.
    """

    repeats: int
    least: int
    seconds: float
    patience: float
    hard_stop: float


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run.

    Attributes
    ----------
    quick : bool
        Whether the quick plan is run. Its cases of one table share a process: faster, less isolated.
    threads : int
        For every contender that can use them.
    data : str
        Folder with the data files; empty if none is set.
    limit_seconds, pair_seconds : float or None
        Time limit of a case, and time for which it repeats its pairs; None for 900 and 30 (quick: 20 and 1).
    """

    quick: bool
    threads: int
    data: str
    limit_seconds: float | None = None
    pair_seconds: float | None = None

    @property
    def limit(self) -> float:
        """Time limit of a case in seconds."""
        return self.limit_seconds or (20.0 if self.quick else 900.0)

    @property
    def rounds(self) -> Rounds:
        """How often calls are timed."""
        if self.quick:
            return Rounds(5, 1, self.pair_seconds or 1.0, patience=1.0, hard_stop=0.3 * self.limit)
        return Rounds(15, 3, self.pair_seconds or 30.0, patience=5.0, hard_stop=0.35 * self.limit)

    @property
    def process_rounds(self) -> Rounds:
        """How often start-up and peak memory are measured, which take a process or two each time."""
        repeats, seconds = (1, 3.0) if self.quick else (3, 200.0)
        return Rounds(repeats, 1, seconds, patience=0.0, hard_stop=0.4 * self.limit)
