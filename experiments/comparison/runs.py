"""Scores of finished runs, from the tracking store or from ``runs.csv``."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from experiments.comparison.scores import ComparisonError, Folds, Scores
from experiments.records import FoldResult
from experiments.tables.runs import TableRun
from experiments.tables.series import Chosen, choose

# The fold results of a run by its id; empty where the source has none.
FoldsOf = Callable[[str], Sequence[FoldResult]]
# Files of runs have so many decimals.
_DECIMALS = 6
_ALL = "all runs"


def select(runs: Iterable[TableRun], experiments: Sequence[str]) -> list[Chosen]:
    """Return the runs that the tables of experiments show; without any experiment, the latest of all runs.

    Raises
    ------
    ComparisonError
        If there is no run of an experiment.
    """
    runs = list(runs)
    if not experiments:
        asked = [replace(run, asked={_ALL: place}) for place, run in enumerate(reversed(runs))]
        return [choose(_ALL, asked)]
    known = sorted({name for run in runs for name in run.asked})
    for name in experiments:
        if name not in known:
            raise ComparisonError(f"there is no run of the experiment {name}; there are {', '.join(known)}")
    return [choose(name, runs) for name in experiments]


def scores_of_runs(
    chosen: Sequence[Chosen],
    metric: str,
    high: bool,
    families: Mapping[str, str] | None = None,
    folds_of: FoldsOf | None = None,
) -> Scores:
    """Return the scores of runs, one line of a table a learner.

    Parameters
    ----------
    chosen : sequence of Chosen
        The runs of each experiment; of two that have the same learner on a data set, the first counts.
    metric : str
    high : bool
        Whether the higher score is the better one.
    families : mapping of str to str, optional
        By data set, what it is a version of.
    folds_of : callable, optional
        Reads the results of the folds of a run.

    Returns
    -------
    Scores
        A learner is called by its id, with its settings where a table has several of them.

    Raises
    ------
    ComparisonError
        If the runs are of several protocols, or none has the metric.

    Notes
    -----
    Repetitions of a protocol differ by their seeds, and repetition i of two learners has the same splits. So
    the learners are compared on the repetitions that all of them have on a data set.
    """
    places, notes = runs_by_place(chosen)
    protocols = Counter(_protocol(run) for run in places.values())
    if len(protocols) > 1:
        kinds = "; ".join(protocols)
        raise ComparisonError(f"the runs are of several protocols ({kinds}); compare experiments of one")
    repeats: dict[str, int] = {}
    for (dataset, _), run in places.items():
        if run.ok and metric in run.means:
            repeats[dataset] = min(run.repeats, repeats.get(dataset, run.repeats))
    if not repeats:
        known = sorted({name for run in places.values() for name in run.means})
        raise ComparisonError(f"no run has the metric {metric}; there are {', '.join(known)}")
    found: dict[tuple[str, str], float] = {}
    why_not: dict[tuple[str, str], str] = {}
    folds: dict[tuple[str, str], Folds] = {}
    shortened = set()
    for place, run in places.items():
        if not run.ok or metric not in run.means:
            why_not[place] = f"has no {metric}" if run.ok else run.status
            continue
        use = repeats[place[0]]
        found[place] = _mean(run, metric, use)
        if use < run.repeats:
            shortened.add(place[1])
        if folds_of is not None and (results := folds_of(run.run_id)):
            folds[place] = _folds(results, metric, use, run)
    if shortened:
        notes.append(f"of {', '.join(sorted(shortened))} only those repetitions count that all learners have")
    datasets = list(dict.fromkeys(dataset for dataset, _ in places))
    learners = list(dict.fromkeys(learner for _, learner in places))
    why_not |= {(d, n): "has no run" for d in datasets for n in learners if (d, n) not in places}
    means = pd.DataFrame(np.nan, index=datasets, columns=learners)
    for (dataset, learner), value in found.items():
        means.at[dataset, learner] = round(value, _DECIMALS)
    return Scores(metric, high, means, why_not, folds, families or {}, notes)


def runs_by_place(chosen: Sequence[Chosen]) -> tuple[dict[tuple[str, str], TableRun], list[str]]:
    """Return the run of each data set and learner, and what has to be said of how they were joined."""
    places: dict[tuple[str, str], TableRun] = {}
    notes = []
    for table in chosen:
        lines: dict[str, list[str]] = {}
        for dataset, key in table.runs:
            lines.setdefault(table.lines[key].learner, []).append(dataset)
        # Lines of a learner that share no data set are one: its settings were written otherwise, or its
        # repetitions are others.
        single = {learner for learner, datasets in lines.items() if len(set(datasets)) == len(datasets)}
        for (dataset, key), run in table.runs.items():
            line = table.lines[key]
            name = line.learner if line.learner in single else _name(line.learner, line.settings)
            places.setdefault((dataset, name), run)
        for learner in sorted(single):
            if sum(line.learner == learner for line in table.lines.values()) > 1:
                notes.append(
                    f"runs of {learner} have different settings or repetitions on different data sets"
                )
    return places, notes


def _name(learner: str, settings: str) -> str:
    return f"{learner} ({settings})" if settings else learner


def _protocol(run: TableRun) -> str:
    """Return the protocol without its repetitions."""
    return re.sub(r"\brepeats=\d+ ", "", run.tags["protocol"])


def _mean(run: TableRun, metric: str, repeats: int) -> float:
    each = run.repetitions.get(metric, ())
    return float(np.mean(each[:repeats])) if repeats < run.repeats and each else run.means[metric]


def _folds(results: Sequence[FoldResult], metric: str, repeats: int, run: TableRun) -> Folds:
    kept = [result for result in results if result.repeat < repeats and metric in result.metrics]
    index = [result.fold for result in kept]
    return Folds(
        pd.Series([result.metrics[metric] for result in kept], index=index, dtype=np.float64),
        ratio_of(run),
    )


def ratio_of(run: TableRun) -> float:
    """Return the test rows of a split of a run for each of its training rows."""
    settings = run.protocol
    if "folds" in settings:
        return 1 / (int(settings["folds"]) - 1)
    share = float(settings["hold_out"])
    return share / (1 - share)


def parse_folds(text: str) -> list[FoldResult]:
    """Return the results of the folds of the artifact ``folds.json``."""
    return [FoldResult.from_dict(values) for values in json.loads(text)]
