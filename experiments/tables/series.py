"""The lines of a table (a learner, its settings, its protocol), and which runs they show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from omegaconf import OmegaConf

from experiments.config import CONF
from experiments.tables.experiment import Experiment
from experiments.tables.runs import TableRun

Key = tuple[str, tuple[tuple[str, str], ...], str]


@dataclass(frozen=True, slots=True)
class Series:
    """One line of every data set of a table.

    Attributes
    ----------
    learner : str
        The plain id.
    settings : str
        Those in which the runs of the learner differ in this table, such as ``"tail=0.01"``; else empty.
    protocol : str
        All parameters of the cross-validation.
    label : str
        Title of the learner, settings and, where tables have several protocols, what is special of this one.
    parameters : dict of str to str
        All parameters of the learner.
    varied : tuple of str
        The parameters that `settings` names.
    """

    learner: str
    settings: str
    protocol: str
    label: str
    parameters: Mapping[str, str] = field(default_factory=dict, compare=False)
    varied: tuple[str, ...] = ()


def key(run: TableRun) -> Key:
    """Return what makes two runs on one data set runs of the same line."""
    return run.learner, tuple(run.settings.items()), run.tags["protocol"]


def series(experiment: Experiment, runs: Sequence[TableRun]) -> dict[Key, Series]:
    """Return the lines of a table by `key`, in the order of its sweep; others follow as they were asked for.

    Parameters
    ----------
    experiment : Experiment
        A setting that the command line changed is always named.
    runs : sequence of TableRun
        Of one table.
    """
    kinds: dict[Key, TableRun] = {}
    for run in runs:
        kinds.setdefault(key(run), run)
    said = {part.split(".", 1)[1] for part in experiment.changed if part.startswith("learner.")}
    varied: dict[str, list[str]] = {}
    for learner in {run.learner for run in kinds.values()}:
        mine = [run.settings for run in kinds.values() if run.learner == learner]
        varied[learner] = [name for name in _names(mine) if name in said or _several(mine, name)]
    protocols = [run.protocol for run in kinds.values()]
    split = {part.split(".", 1)[1] for part in experiment.changed if part.startswith("protocol.")}
    split |= {name for name in _names(protocols) if _several(protocols, name)}
    titles = _titles(kinds.values())
    asked: dict[str, int] = {}
    for run in runs:
        asked[run.learner] = min(
            run.asked[experiment.name], asked.get(run.learner, run.asked[experiment.name])
        )
    made = {}
    for one, run in kinds.items():
        names = varied[run.learner]
        settings = ", ".join(f"{name}={run.settings.get(name, 'unset')}" for name in names)
        extra = ", ".join(f"{name}={run.protocol.get(name, 'unset')}" for name in sorted(split))
        label = ", ".join(part for part in (titles[run.learner], settings, extra) if part)
        made[one] = Series(run.learner, settings, run.tags["protocol"], label, run.settings, tuple(names))

    def rank(one: Key) -> tuple[object, ...]:
        run, line = kinds[one], made[one]
        return (
            experiment.rank("learner", run.learner)[0],
            asked[run.learner],
            run.learner,
            [experiment.rank(f"learner.{name}", run.settings.get(name, "")) for name in line.varied],
            [experiment.rank(f"protocol.{name}", value) for name, value in run.protocol.items()],
        )

    return {one: made[one] for one in sorted(made, key=rank)}


@cache
def title_of(learner: str) -> str:
    """Return the title that ``conf/learner`` gives a learner, else its id."""
    path = CONF / "learner" / f"{learner}.yaml"
    return (
        str(OmegaConf.select(OmegaConf.load(path), "title", default=learner)) if path.is_file() else learner
    )


def _titles(runs: Iterable[TableRun]) -> dict[str, str]:
    """Return the titles of learners by id; where two have the same, the id stands behind it."""
    titles = {run.learner: run.tags.get("title") or title_of(run.learner) for run in runs}
    shared = list(titles.values())
    return {
        learner: title if shared.count(title) == 1 else f"{title} ({learner})"
        for learner, title in titles.items()
    }


def _names(each: Iterable[Mapping[str, str]]) -> list[str]:
    return list(dict.fromkeys(name for settings in each for name in settings))


def _several(each: Sequence[Mapping[str, str]], name: str) -> bool:
    return len({settings.get(name) for settings in each}) > 1


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
