"""How long and how often the benchmark measures."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.pairing import Rounds


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a run.

    Attributes
    ----------
    quick : bool
        Whether it is the quick plan.
    threads : int
        For every contender that can use them.
    data : str
        Folder with the data files; empty where none is set.
    limit : float
        Seconds after which a case is ended.
    rounds : Rounds
        For times.
    memory_rounds : Rounds
        For peaks of memory and for start-up, where a round is a process or two.
    together : bool
        Whether the cases of one table share a process: quicker, less strictly apart.
    """

    quick: bool
    threads: int
    data: str
    limit: float
    rounds: Rounds
    memory_rounds: Rounds
    together: bool

    @classmethod
    def make(
        cls, quick: bool, threads: int, data: str, limit: float | None = None, seconds: float | None = None
    ) -> Settings:
        """Return the settings of the quick or the full run.

        Parameters
        ----------
        quick : bool
        threads : int
        data : str
        limit, seconds : float, optional
            In place of the run's own: seconds after which a case is ended, seconds that pairs are repeated.
        """
        limit = limit or (20.0 if quick else 900.0)
        if quick:
            rounds = Rounds(repeats=5, least=1, seconds=seconds or 1.0, patience=1.0, hard_stop=0.3 * limit)
            processes = Rounds(repeats=1, least=1, seconds=3.0, patience=0.0, hard_stop=0.4 * limit)
        else:
            rounds = Rounds(
                repeats=15, least=3, seconds=seconds or 30.0, patience=5.0, hard_stop=0.35 * limit
            )
            processes = Rounds(repeats=3, least=1, seconds=200.0, patience=0.0, hard_stop=0.4 * limit)
        return cls(quick, threads, data, limit, rounds, processes, together=quick)
