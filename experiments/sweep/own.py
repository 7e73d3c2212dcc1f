"""What a sweep over a table of one's own ends with: the learners side by side, and the rules."""

from __future__ import annotations

from collections.abc import Sequence

from omegaconf import DictConfig
from rich.text import Text

from experiments.comparison.one_dataset import on_one_dataset
from experiments.comparison.runs import parse_folds, ratio_of
from experiments.console import out
from experiments.statuses import OK
from experiments.store.tracking import Store
from experiments.sweep.job import Outcome
from experiments.tables.runs import from_store

LONGEST_MODEL = 30


def print_comparison(config: DictConfig, outcomes: Sequence[Outcome]) -> None:
    """Print for each table the learners with intervals and ranks, and the rules of the last split.

    Parameters
    ----------
    config : omegaconf.DictConfig
        The config group ``tracking`` is read.
    outcomes : sequence of Outcome
        Those of a sweep.
    """
    store = Store.from_config(config.tracking)
    runs = {run.run_id: run for run in from_store(store.read())}
    good = [outcome for outcome in outcomes if outcome.status == OK]
    for dataset in dict.fromkeys(outcome.dataset for outcome in good):
        mine = [outcome for outcome in good if outcome.dataset == dataset]
        learners = [outcome.learner for outcome in mine]
        results = {
            # With several settings of a learner, these are part of its name.
            outcome.learner
            if learners.count(outcome.learner) == 1
            else outcome.name.removeprefix(f"{dataset} · "): parse_folds(
                store.text(outcome.run_id, "folds.json")
            )
            for outcome in mine
        }
        console = out()
        if min(map(len, results.values())) > 1:
            console.print(Text(f"\n{dataset}", style="bold"))
            console.print(on_one_dataset(results, ratio_of(runs[mine[0].run_id])), soft_wrap=True)
        for name, folds in results.items():
            lines = folds[-1].rules.splitlines()
            if 0 < len(lines) <= LONGEST_MODEL:
                console.print(Text(f"\n{name}, the last of {len(folds)} splits", style="bold"))
                console.print("\n".join(lines), soft_wrap=True)
