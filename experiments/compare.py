"""``python -m experiments.compare``: which learner is better, by how much, and how sure that is."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd
from omegaconf import DictConfig

from experiments.comparison import report
from experiments.comparison.arguments import Arguments, run_command
from experiments.comparison.compare import Settings, compare
from experiments.comparison.reading import read_scores
from experiments.comparison.runs import parse_folds, scores_of_runs, select
from experiments.comparison.scores import ComparisonError, Scores
from experiments.config import compose
from experiments.console import out
from experiments.data.families import families
from experiments.metrics import METRICS
from experiments.store.location import TrackingError, exists
from experiments.store.tracking import Store
from experiments.tables.runs import from_store, read_csv

_USAGE = """\
usage: python -m experiments.compare [EXPERIMENT ... | SCORES.csv] [--from runs.csv] [KEY=VALUE ...]

Compare learners over data sets: ranks, tests, intervals, and who is on the front of score and size. Scores
are those of the runs of named experiments (without one, of all runs) in the tracking store, or in a file that
python -m experiments.export wrote; or those of a CSV file with a column dataset and a column of scores for
each learner. Files go to <paths.results>/comparisons.

  metric=accuracy     what is compared
  better=high         or low: which scores are the better ones, where the metric is not known
  learners=a,b        only these, in this order
  control=foldse      the learner that each other one is compared with; all: every pair
  rope=0.01           a difference of at most this counts as none
  alpha=0.05          level of the tests
  seed=42             of the Bayesian test
  tracking.uri=...    another store
  paths.results=...   another folder"""
_PREDICATES = "predicates"
# A region of practical equivalence that is usual for shares, such as accuracy.
_ROPE = 0.01


_KEYS = ("metric", "better", "learners", "control", "rope", "alpha", "seed")


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare what `arguments` name; return the exit code."""
    return run_command(_compare, _USAGE, _KEYS, arguments)


def _compare(asked: Arguments) -> None:
    cfg = compose(asked.overrides)
    metric = asked.settings.get("metric", "accuracy")
    high = _is_high(metric, asked.settings.get("better"))
    scores, sizes = _read(asked, cfg, metric, high)
    if wanted := asked.names("learners"):
        if unknown := [name for name in wanted if name not in scores.means]:
            raise ComparisonError(
                f"there is no learner {unknown[0]}; there are {', '.join(map(str, scores.means))}"
            )
        scores = replace(scores, means=scores.means[wanted])
    names = list(map(str, scores.means))
    control = asked.settings.get("control") or ("foldse" if "foldse" in names else names[0] if names else "")
    settings = Settings(
        control,
        asked.number("rope", _ROPE if high else 0.0),
        asked.number("alpha", 0.05),
        int(asked.number("seed", 42)),
    )
    title = ", ".join(Path(source).stem for source in asked.sources) or "all runs"
    found = compare(scores, settings, sizes)
    out().print(report.markdown(found, title), soft_wrap=True)
    name = f"{title.replace(', ', '-').replace('/', '-').replace(' ', '_')}_{metric}"
    first, *others = report.write(found, title, Path(cfg.paths.results) / "comparisons", name)
    endings = " ".join(path.name.removeprefix(name) for path in others)
    out().print(f"{first} {endings}", soft_wrap=True)


def _is_high(metric: str, given: str | None) -> bool:
    better = given or (METRICS[metric].better if metric in METRICS else "")
    if better not in ("high", "low"):
        raise ComparisonError(f"say which {metric} is the better one: better=high or better=low")
    return better == "high"


def _read(asked: Arguments, cfg: DictConfig, metric: str, high: bool) -> tuple[Scores, pd.DataFrame | None]:
    """Return the scores, and the numbers of predicates where they are known."""
    known = families()
    files = [source for source in asked.sources if source.lower().endswith(".csv")]
    if files:
        if len(asked.sources) > 1 or asked.runs:
            raise ComparisonError(f"{files[0]} is a file of scores; give it alone, without --from")
        return read_scores(Path(files[0]), metric, high, known), None
    store = None
    if asked.runs is not None:
        runs = read_csv(Path(asked.runs))
    else:
        if not exists(cfg.tracking.uri):
            raise TrackingError(f"tracking.uri={cfg.tracking.uri}: no such file; --from reads runs.csv")
        store = Store.from_config(cfg.tracking)
        runs = from_store(store.read())
    chosen = select(runs, asked.sources)
    folds_of = (lambda run: parse_folds(store.text(run, "folds.json"))) if store is not None else None
    scores = scores_of_runs(chosen, metric, high, known, folds_of)
    try:
        sizes = scores_of_runs(chosen, _PREDICATES, False).means
    except ComparisonError:  # no learner has predicates
        sizes = None
    return scores, None if metric == _PREDICATES else sizes


if __name__ == "__main__":
    sys.exit(main())
