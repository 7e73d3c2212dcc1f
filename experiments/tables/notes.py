"""What a reader must know of the figures of a table, as sentences below it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from experiments.metrics import METRICS, metric_of
from experiments.statuses import OK, STATUSES, TIMEOUT
from experiments.tables.experiment import Experiment
from experiments.tables.published import AVERAGE, BOTH_SETTINGS, CONFOLD, READINGS, SERVICE, Published
from experiments.tables.repetitions import MIDDLE
from experiments.tables.runs import TableRun
from experiments.tables.series import Chosen, Series

Row = Mapping[str, Any]
_BUNDLED = "bundled"
_SERVICE_EXACT = 1e-5
# How near figures are to those of CON-FOLD's authors: a difference of accuracy, and a share of their rules.
_NEAR_ACCURACY, _NEAR_RULES = 0.01, 0.1


def notes(
    chosen: Chosen, rows: Sequence[Row], lines: Sequence[Series], published: Published
) -> tuple[str, ...]:
    """Return the notes of a table.

    Parameters
    ----------
    chosen : Chosen
        Its runs.
    rows : sequence of mapping
        Its rows, averages included.
    lines : sequence of Series
        Its lines.
    published : Published
    """
    experiment, runs = chosen.experiment, list(chosen.runs.values())
    labels = {(line.learner, line.settings, line.protocol): line.label for line in lines}
    label = {id(run): chosen.lines[one].label for (_, one), run in chosen.runs.items()}
    repeated = any(row["agrees"] is not None for row in rows)
    return (
        *([experiment.description] if experiment.description else []),
        f"Made by {command(experiment, runs)}.",
        f"{_spread_note(runs)} ({'; '.join(_protocols(runs))}); the best accuracy on a data set in bold.",
        *_cut_notes(runs, label),
        *_published_notes(experiment.base, rows, labels),
        *_average_notes(rows, labels),
        *_meanings(rows),
        *_data_notes(experiment.base, runs, label, published),
        *(
            _repetition_notes()
            if repeated
            else _confold_notes(rows, labels)
            if experiment.base == CONFOLD
            else _agreement_notes(rows, labels)
        ),
        *([BOTH_SETTINGS[experiment.base]] if experiment.base in BOTH_SETTINGS else []),
        *_status_notes(rows, runs, label),
        *_shared_notes(runs, label),
        *_version_notes(chosen, label),
    )


def _shared_notes(runs: Sequence[TableRun], label: Mapping[int, str]) -> Iterator[str]:
    """Say which times are left out, since other jobs ran beside."""
    shared: dict[str, list[str]] = {}
    for run in runs:
        if run.shared_machine and run.ok:
            shared.setdefault(label[id(run)], []).append(run.dataset)
    if shared:
        parts = "; ".join(f"{name} on {', '.join(there)}" for name, there in shared.items())
        yield f"Without times, since other jobs ran beside: {parts}."


def command(experiment: Experiment, runs: Sequence[TableRun]) -> str:
    """Return the command that makes a table of these runs, with what it changes of the experiment."""
    parts = [f"python -m experiments -m experiment={experiment.base}"]
    there = {
        "dataset": list(dict.fromkeys(run.dataset for run in runs)),
        "learner": list(dict.fromkeys(run.learner for run in runs)),
    }
    for group, ids in there.items():
        swept = experiment.axes.get(group, [])
        # A data set that no run could be made of, and a choice of another id, are no change.
        if group in experiment.changed or (group == "dataset" and swept and 2 * len(ids) < len(swept)):
            parts.append(f"{group}={','.join(ids)}")
    for name in experiment.changed:
        group, _, key = name.partition(".")
        each = [run.settings if group == "learner" else run.protocol for run in runs]
        values = list(dict.fromkeys(parameters[key] for parameters in each if key in parameters))
        if values:
            parts.append(f"{name}={','.join(values)}")
        elif key:
            parts.append(f"{name}=...")
    return " ".join(parts)


def _protocols(runs: Iterable[TableRun]) -> list[str]:
    return list(dict.fromkeys(run.tags["protocol"] for run in runs))


def _spread_note(runs: Sequence[TableRun]) -> str:
    """Say what stands behind ±."""
    if any(run.repetitions for run in runs):
        single = ""
        if any(run.ok and not run.repetitions for run in runs):
            single = " (of a single repetition over its folds, ddof=0)"
        return (
            f"Mean over repetitions ± standard deviation between them, ddof=1{single}; "
            "the population standard deviation over all folds is in the CSV"
        )
    ddofs = {run.protocol.get("ddof", "0") for run in runs}
    if ddofs == {"0"}:
        return "Mean ± population standard deviation over the folds"
    return f"Mean ± standard deviation over the splits, ddof={' and '.join(sorted(ddofs))}"


def _cut_notes(runs: Sequence[TableRun], label: Mapping[int, str]) -> Iterator[str]:
    """Name the runs that have fewer repetitions than their protocol."""
    short = [run for run in runs if run.ok and run.repeats < int(run.protocol.get("repeats", "1"))]
    if short:
        each = ", ".join(f"{label[id(run)]} on {run.dataset} {run.repeats}" for run in short)
        yield f"Fewer repetitions, as many as ended within the time of a job: {each}."


def _repetition_notes() -> Iterator[str]:
    yield (
        "Behind a published figure: its percentile among our repetitions, rounded as it is. It agrees where "
        f"it lies within the middle {MIDDLE:.0%} of them, bounds rounded as it is."
    )


def _published_notes(
    name: str, rows: Sequence[Row], labels: Mapping[tuple[str, str, str], str]
) -> Iterator[str]:
    published = [row for row in rows if row["published_mean"] is not None and row["dataset"] != AVERAGE]
    if name == SERVICE and published:
        yield "Published figures are those of the authors' web service, not of the paper."
        each = []
        for line, label in labels.items():
            means = [row for row in published if _line(row) == line and row["difference"] is not None]
            stds = [row for row in means if row["published_std"] is not None]
            equal = sum(abs(row["difference"]) < _SERVICE_EXACT for row in means)
            spreads = sum(abs(row["std"] - row["published_std"]) < _SERVICE_EXACT for row in stds)
            if means:
                each.append(f"{label} {equal} of {len(means)} means, {spreads} of {len(stds)} deviations")
        yield f"Equal to the service's to five decimals: {'; '.join(each)}."
    elif name == CONFOLD and published:
        yield "Published figures are those of the notebook of CON-FOLD's authors, not of the paper."
    elif published:
        yield (
            "Published figures, in brackets or in columns of their own, are as the paper prints them; "
            "its times come from its authors' machine."
        )


def _average_notes(rows: Sequence[Row], labels: Mapping[tuple[str, str, str], str]) -> Iterator[str]:
    """Say over which data sets the averages are, and which lines have none."""
    averages = [row for row in rows if row["dataset"] == AVERAGE and row["metric"] == "accuracy"]
    if not averages:
        return
    accuracy = [
        row for row in rows if row["metric"] == "accuracy" and row["dataset"] not in (AVERAGE, *READINGS)
    ]
    measured: dict[tuple[str, str, str], set[str]] = {}
    for row in accuracy:
        if row["mean"] is not None:
            measured.setdefault(_line(row), set()).add(row["dataset"])
    having = {_line(row) for row in averages}
    total = list(dict.fromkeys(row["dataset"] for row in accuracy))
    left_out = [name for name in total if any(name not in measured[line] for line in having)]
    n = averages[0]["folds"]
    note = (
        f"Averages are plain means over the same {n} data sets for every learner, published ones recomputed"
    )
    yield f"{note}; left out: {', '.join(left_out)}." if left_out else f"{note}."
    without = [
        f"{label} ({len(measured.get(line, ()))} of {len(total)} data sets)"
        for line, label in labels.items()
        if line not in having
    ]
    if without:
        yield f"No average: {'; '.join(without)}."


def _meanings(rows: Sequence[Row]) -> Iterator[str]:
    metrics = {row["metric"] for row in rows}
    if "rules" in metrics:
        yield "Rules and predicates of FOLD-SE are counted after simplification, those of FOLD-R++ before it."
    if any(row["learner"].startswith("confold") for row in rows):
        yield "Rules of CON-FOLD are counted before simplification, every exception as one."
    if "inverse_brier" in metrics:
        yield (
            "Inverse Brier score: 1 minus the mean of (1 - c)² for a right label, c² for a wrong one, and "
            "0.25 where no rule fires; c is the confidence of the rule that decides."
        )
    if "depth" in metrics:
        yield "The mean leaf depth counts the root as 1."
    if "f1" in metrics:
        yield "F1: positive class (two classes); support-weighted mean (more)."


def _data_notes(
    name: str, runs: Sequence[TableRun], label: Mapping[int, str], published: Published
) -> Iterator[str]:
    """Say where data are not the paper's, where its tables differ about them, and where they are mixed."""
    there = {run.dataset: run for run in runs}
    for dataset, run in there.items():
        printed = published.sizes_of(READINGS.get(dataset, dataset))
        expected = printed.get(name, next(iter(printed.values()), None))
        size = (run.count("rows"), run.count("cols"))
        if expected is not None and expected != size:
            yield (
                f"{dataset} has {size[0]:,} rows and {size[1]} columns here, "
                f"{expected[0]:,} and {expected[1]} in the paper."
            )
    remarks = {run.dataset: run.tags["notes"] for run in runs if run.tags.get("notes")}
    for dataset, remark in remarks.items():
        yield from (f"{dataset}: {text}." for text in json.loads(remark))
    for dataset in dict.fromkeys(dataset for dataset, _ in published.printed(name)):
        printed = published.sizes_of(dataset)
        if dataset not in there and len(set(printed.values())) > 1:
            sizes = dict.fromkeys(f"{rows:,} × {cols}" for rows, cols in printed.values())
            yield f"{dataset} is {' or '.join(sizes)} in the paper, depending on the table."
    for dataset in there:
        digests: dict[str, list[str]] = {}
        for run in runs:
            if run.dataset == dataset:
                digests.setdefault(run.tags.get("digest", "")[:8], []).append(label[id(run)])
        if len(digests) > 1:
            each = "; ".join(f"{', '.join(learners)}: {digest}" for digest, learners in digests.items())
            yield f"{dataset} differs between the runs, whose figures do not compare (digests, {each})."
    others = {run.dataset: run.tags["source"] for run in runs if run.tags["source"] != _BUNDLED}
    if others:
        yield f"Not bundled: {', '.join(f'{dataset} from {source}' for dataset, source in others.items())}."


def _confold_notes(rows: Sequence[Row], labels: Mapping[tuple[str, str, str], str]) -> Iterator[str]:
    """Count for each line on how many data sets it is near the figures of CON-FOLD's authors."""
    counts: dict[str, dict[str, list[bool]]] = {}
    for row in rows:
        if row["difference"] is None or row["dataset"] == AVERAGE:
            continue
        allowed = _NEAR_ACCURACY if row["metric"] == "accuracy" else _NEAR_RULES * row["published_mean"]
        by_metric = counts.setdefault(labels[_line(row)], {})
        by_metric.setdefault(row["metric"], []).append(abs(row["difference"]) <= allowed + 1e-9)
    each = [
        f"{label} {', '.join(f'{name} {sum(near)} of {len(near)}' for name, near in by_metric.items())}"
        for label, by_metric in counts.items()
    ]
    if each:
        yield (
            f"Data sets with an accuracy within {_NEAR_ACCURACY:g} and rules within {_NEAR_RULES:.0%} of the "
            f"authors': {'; '.join(each)}."
        )


def _agreement_notes(rows: Sequence[Row], labels: Mapping[tuple[str, str, str], str]) -> Iterator[str]:
    """Count for each line on how many data sets it is near the published figures."""
    counts: dict[str, dict[str, list[bool]]] = {}
    for row in rows:
        tolerance = metric_of(row["metric"]).tolerance
        if row["difference"] is None or tolerance is None or row["dataset"] in (AVERAGE, *READINGS):
            continue
        by_metric = counts.setdefault(labels[_line(row)], {})
        by_metric.setdefault(row["metric"], []).append(abs(row["difference"]) <= tolerance)
    if counts:
        bounds = [f"{m.tolerance:g} ({m.heading})" for m in METRICS.values() if m.tolerance is not None]
        each = [
            f"{label} {' / '.join(str(sum(near)) for near in by_metric.values())} "
            f"of {max(map(len, by_metric.values()))}"
            for label, by_metric in counts.items()
        ]
        yield f"Agreement with the paper (data sets within {' / '.join(bounds)}): {'; '.join(each)}."


def _status_notes(rows: Sequence[Row], runs: Sequence[TableRun], label: Mapping[int, str]) -> Iterator[str]:
    """Say what each status without figures means, and the limits that folds exceeded."""
    there = {row["status"] for row in rows}
    for name, status in STATUSES.items():
        if name not in there or not status.note:
            continue
        over: dict[float, dict[str, list[str]]] = {}
        for run in runs:
            if run.status == name == TIMEOUT:
                learners = over.setdefault(float(run.tags["limit_seconds"]), {})
                learners.setdefault(label[id(run)], []).append(run.dataset)
        each = [
            f"{limit:g} s: " + ", ".join(f"{who} on {', '.join(where)}" for who, where in over[limit].items())
            for limit in sorted(over)
        ]
        yield f"{name}: {status.note} ({'; '.join(each)})." if each else f"{name}: {status.note}."


def _version_notes(chosen: Chosen, label: Mapping[int, str]) -> Iterator[str]:
    """Say which learners' runs are of several versions of their code, and what later runs have replaced."""
    versions: dict[str, set[str]] = {}
    for run in chosen.runs.values():
        if run.status == OK:
            versions.setdefault(label[id(run)], set()).add(run.tags.get("code", ""))
    several = [learner for learner, found in versions.items() if len(found) > 1]
    if several:
        yield f"Runs of more than one version of the code, see runs.csv: {', '.join(several)}."
    replaced: dict[str, int] = {}
    for place, run in chosen.replaced:
        if any(run.tags.get(tag) != chosen.runs[place].tags.get(tag) for tag in ("code", "digest")):
            name = chosen.lines[place[1]].label
            replaced[name] = replaced.get(name, 0) + 1
    if replaced:
        each = ", ".join(f"{label} {n}" for label, n in replaced.items())
        yield f"Replaced by runs of another version of the code or data, see runs.csv: {each}."


def _line(row: Row) -> tuple[str, str, str]:
    return row["learner"], row["settings"], row["protocol"]
