"""Which runs a table shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from experiments.tables.experiment import Experiment
from experiments.tables.runs import TableRun
from experiments.tables.series import Key, Series, key, series

Place = tuple[str, Key]


@dataclass(slots=True)
class Chosen:
    """The runs that a table shows, and those whose place another run of the same line has taken.

    Attributes
    ----------
    experiment : Experiment
    runs : dict
        By data set and `series.key`: of several runs the latest that is ok, else the latest.
    lines : dict
        By `series.key`, in order.
    replaced : list
        Data set and key, and the run.
    """

    experiment: Experiment
    runs: dict[Place, TableRun] = field(default_factory=dict)
    lines: dict[Key, Series] = field(default_factory=dict)
    replaced: list[tuple[Place, TableRun]] = field(default_factory=list)


def names(runs: Iterable[TableRun]) -> list[str]:
    """Return the tables that the runs are part of, sorted."""
    return sorted({name for run in runs for name in run.asked})


def choose(name: str, runs: Iterable[TableRun]) -> Chosen:
    """Return the runs that a table shows: small data sets first, lines as the sweep names them."""
    experiment = Experiment.read(name)
    mine = sorted((run for run in runs if name in run.asked), key=lambda run: run.asked[name], reverse=True)
    chosen = Chosen(experiment, lines=series(experiment, mine))
    found: dict[Place, TableRun] = {}
    for run in mine:
        place = (run.dataset, key(run))
        kept = found.setdefault(place, run)
        if kept is not run:
            better = run.ok and not kept.ok
            found[place] = run if better else kept
            chosen.replaced.append((place, kept if better else run))
    order = list(chosen.lines)
    chosen.runs = dict(
        sorted(found.items(), key=lambda item: (item[1].count("rows"), item[0][0], order.index(item[0][1])))
    )
    return chosen
