"""What happens around the jobs: the store is prepared, progress is shown, the table is rebuilt."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra.experimental.callback import Callback
from omegaconf import DictConfig, flag_override
from rich.table import Table as RichTable
from rich.text import Text

from experiments.config import jobs, written_overrides
from experiments.console import err, out, say_error, without_password
from experiments.data.config import OWN
from experiments.metrics import METRICS, ordered
from experiments.statuses import BAD_INPUT, NOT_INSTALLED, OK
from experiments.store.location import TrackingError, was_deleted
from experiments.store.tracking import Store
from experiments.sweep import progress
from experiments.sweep.job import OUTCOME_FILE, Outcome, job_name
from experiments.sweep.own import print_comparison
from experiments.tables.published import PublishedError
from experiments.tables.rebuild import rebuild, show

# Lines of a learned model that a summary shows, and run ids that a sweep does.
LONGEST_MODEL = 30
MOST_RUN_IDS = 40

_URI_VARIABLE = "FOLDSE_TRACKING_URI"


class Session(Callback):
    """Hydra's callback for single runs and sweeps. Launchers copy it to workers, so it keeps no state.

    Hydra hands no result back to its caller, and turns exceptions of a callback into warnings: where
    something went wrong, the process ends here, by `SystemExit`.
    """

    def on_multirun_start(self, config: DictConfig, **kwargs: Any) -> None:
        _hide_password(config)
        _prepare(config)
        chosen = config.hydra.runtime.choices
        progress.begin([job_name(job, chosen) for job in jobs(config)], sweep=True)

    def on_multirun_end(self, config: DictConfig, **kwargs: Any) -> None:
        progress.current().stop()
        paths = Path(config.hydra.sweep.dir).glob(f"*/{OUTCOME_FILE}")
        outcomes = [Outcome.read(path) for path in sorted(paths, key=lambda path: int(path.parent.name))]
        good = True
        if config.hydra.runtime.choices.get("experiment"):
            good = _rebuild(config, outcomes)
        else:
            _print_sweep(outcomes)
            if config.hydra.runtime.choices.get("dataset") == OWN:
                print_comparison(config, outcomes)
        _print_run_ids(outcomes)
        _report(outcomes, good)

    def on_run_start(self, config: DictConfig, **kwargs: Any) -> None:
        _hide_password(config)
        _prepare(config)
        progress.begin()

    def on_run_end(self, config: DictConfig, **kwargs: Any) -> None:
        progress.current().stop()
        outcome = Outcome.read(Path(kwargs["job_return"].hydra_cfg.hydra.runtime.output_dir) / OUTCOME_FILE)
        if outcome.status == OK:
            _print_run(outcome)
        _report([outcome])


def _hide_password(config: DictConfig) -> None:
    """Move a tracking URI with a password into the environment: Hydra writes configs and overrides to files.

    Jobs compose their own configuration from the overrides, here or in a worker, and read it from there.
    """
    uri = str(config.tracking.uri)
    if without_password(uri) == uri:
        return
    os.environ[_URI_VARIABLE] = uri
    reference = f"${{oc.env:{_URI_VARIABLE}}}"
    hydra = config.hydra
    with flag_override(config, ["readonly", "struct"], [False, False]):
        config.tracking.uri = reference
        others = [o for o in written_overrides(hydra) if not o.startswith("tracking.uri=")]
        hydra.overrides.task = [*others, f"tracking.uri={reference}"]
        hydra.job.override_dirname = without_password(hydra.job.override_dirname)


def _prepare(config: DictConfig) -> None:
    """Make schema and MLflow experiment before any worker does: several at once spoil a fresh database."""
    if was_deleted(config.tracking.uri):
        err().print(f"note: {config.tracking.uri} is gone; a new store is begun without its runs")
    try:
        Store.from_config(config.tracking)
    except TrackingError as error:
        say_error(str(error))
        raise SystemExit(1) from None


def _rebuild(config: DictConfig, outcomes: Sequence[Outcome]) -> bool:
    """Rebuild the tables that the jobs are part of, and show them; tell whether that went well."""
    names = list(dict.fromkeys(outcome.table for outcome in outcomes if outcome.table))
    try:
        for written in rebuild(config, names):
            show(written)
    except (TrackingError, PublishedError, OSError) as error:
        say_error(f"the table {', '.join(names)} was not written: {error}")
        return False
    except Exception:
        traceback.print_exc()  # Hydra would make a warning of it
        return False
    return True


def _report(outcomes: Sequence[Outcome], good: bool = True) -> None:
    """Name every job that went wrong, one line each, and end the process with 1 if there is one."""
    broken = [outcome for outcome in outcomes if not outcome.good]
    for outcome in broken:
        if outcome.status in (BAD_INPUT, NOT_INSTALLED):  # neither has a traceback
            say_error(f"{outcome.name}: {outcome.message}")
        else:
            where = f" (MLflow run {outcome.run_id} has the traceback)" if outcome.run_id else ""
            say_error(f"{outcome.name}: {outcome.status}: {outcome.message}{where}")
    if broken and len(outcomes) > 1:
        say_error(f"{len(broken)} of {len(outcomes)} jobs went wrong")
    elif len(outcomes) == 1 and outcomes[0].good and outcomes[0].status != OK:
        out().print(outcomes[0].line(), soft_wrap=True)
    if broken or not good:
        raise SystemExit(1)


def _print_run(outcome: Outcome) -> None:
    console = out()
    grid = RichTable(box=None, padding=(0, 2), show_header=False, pad_edge=False)
    for metric in ordered(outcome.summary):
        figures = outcome.summary[metric]
        grid.add_row(metric, f"{figures.mean:.4g}", Text(f"± {figures.std:.3g}", style="dim"))
    console.print(Text(outcome.name, style="bold"))
    console.print(grid)
    if outcome.message:
        console.print(outcome.message)
    if outcome.rules:
        console.print(Text("\nthe model of the last fold", style="bold"))
        text = outcome.rules.splitlines()
        console.print(Text("\n".join(text[:LONGEST_MODEL])), soft_wrap=True)
        if len(text) > LONGEST_MODEL:
            console.print(
                Text(f"... and {len(text) - LONGEST_MODEL} lines more, in the run's rules/", style="dim")
            )
    if outcome.recalled:
        note = f"\nfound: MLflow run {outcome.run_id}; tracking.rerun=true runs it again"
        console.print(Text(note, style="dim"), soft_wrap=True)
        return
    overhead = outcome.seconds - outcome.learning_seconds
    spent = f"{outcome.seconds:.2f} s, of it {overhead:.2f} s besides learning"
    console.print(Text(f"\n{spent}; MLflow run {outcome.run_id}", style="dim"), soft_wrap=True)


def _print_sweep(outcomes: Sequence[Outcome]) -> None:
    there = ordered(metric for outcome in outcomes for metric in outcome.summary)
    metrics = [metric for metric in there if metric not in METRICS or METRICS[metric].summary]
    grid = RichTable(box=None, padding=(0, 1), pad_edge=False)
    grid.add_column("job", no_wrap=True)
    for metric in metrics:
        grid.add_column(metric.replace("_", "\n"), justify="right")
    for outcome in outcomes:
        figures = (outcome.summary.get(metric) for metric in metrics)
        cells = [f"{figure.mean:.3g}" if figure else "" for figure in figures]
        grid.add_row(outcome.name, *(cells if outcome.status == OK else [Text(outcome.status, style="dim")]))
    out().print(grid)


def _print_run_ids(outcomes: Sequence[Outcome]) -> None:
    """Print where the runs of a sweep are found in MLflow."""
    made = [outcome for outcome in outcomes if outcome.run_id]
    if len(made) > MOST_RUN_IDS:
        out().print(f"{len(made)} MLflow runs: python -m experiments.export lists them", soft_wrap=True)
        return
    for outcome in made:
        out().print(Text(f"MLflow run {outcome.run_id}  {outcome.name}", style="dim"), soft_wrap=True)
