"""List what in the paper's printed figures does not follow from its own rows.

``python scripts/audit_paper.py [FILE]``; by default of ``results/published/results.csv``.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path

from experiments.config import ROOT
from experiments.metrics import METRICS
from experiments.tables.published import AVERAGE, Published, PublishedError


@dataclass(frozen=True, slots=True)
class WrongAverage:
    """A printed average that its table's rows do not give, neither rounded nor cut off."""

    table: str
    learner: str
    metric: str
    printed: float
    recomputed: float
    rows: int


_LAST_PLACE = {metric.published_as: metric.last_place for metric in METRICS.values()}


def wrong_averages(published: Published) -> list[WrongAverage]:
    """Return the printed averages that do not follow from the paper's rows, its NA left out."""
    found = []
    by_table: dict[tuple[str, str, str], dict[str, float]] = {}
    for (dataset, learner, metric), figures in published.figures.items():
        for figure in figures:
            by_table.setdefault((figure.table, learner, metric), {})[dataset] = figure.mean
    for (table, learner, metric), means in by_table.items():
        printed = means.pop(AVERAGE, None)
        if printed is None or not means:
            continue
        mean, unit = math.fsum(means.values()) / len(means), _LAST_PLACE[metric]
        places = printed / unit
        rounded, cut = math.floor(mean / unit + 0.5 + 1e-9), math.floor(mean / unit + 1e-9)
        if round(places) not in (rounded, cut):
            found.append(WrongAverage(table, learner, metric, printed, mean, len(means)))
    order = list(published.cells)
    return sorted(found, key=lambda wrong: order.index(wrong.table))


def disagreements(published: Published) -> list[str]:
    """Return, a line each, where two tables of the paper print different sizes or figures."""
    lines = []
    for place, what in enumerate(("rows", "columns")):
        by_dataset: dict[str, dict[int, list[str]]] = {}
        for (table, dataset), size in published.sizes.items():
            if dataset != AVERAGE:
                by_dataset.setdefault(dataset, {}).setdefault(size[place], []).append(table)
        lines += [
            f"{dataset}: {what} " + "; ".join(f"{n} in {', '.join(tables)}" for n, tables in sizes.items())
            for dataset, sizes in by_dataset.items()
            if len(sizes) > 1
        ]
    for (dataset, learner, metric), figures in published.figures.items():
        if dataset != AVERAGE and len({figure.mean for figure in figures}) > 1:
            said = "; ".join(f"{figure.mean:g} in {figure.table}" for figure in figures)
            lines.append(f"{dataset}: {metric} of {learner} {said}")
    for table in published.cells:
        sizes_here = [
            size for (t, dataset), size in published.sizes.items() if t == table and dataset != AVERAGE
        ]
        printed = published.sizes.get((table, AVERAGE))
        if printed is None:
            continue
        for place, what in enumerate(("rows", "columns")):
            mean = sum(size[place] for size in sizes_here) / len(sizes_here)
            if printed[place] not in (math.floor(mean), math.floor(mean + 0.5)):
                lines.append(
                    f"{table}: average of the {what} {printed[place]} printed, {mean:.1f} recomputed"
                )
    return lines


def audit(published: Published) -> str:
    """Return what does not follow from the paper's own rows, as text."""
    wrong = wrong_averages(published)
    lines = [f"{len(wrong)} printed averages do not follow from the rows of their table:"]
    for w in wrong:
        printed, recomputed = (
            (f"{w.printed:.0f}", f"{w.recomputed:.0f}")
            if w.metric == "train_ms"
            else (f"{w.printed:g}", f"{w.recomputed:.4g}")
        )
        lines.append(
            f"  {w.table}: {w.metric} of {w.learner}: {printed} printed, {recomputed} from {w.rows} rows"
        )
    lines += ["The tables disagree, or their sizes do not follow:"]
    lines += [f"  {line}" for line in disagreements(published)]
    return "\n".join(lines)


def main() -> int:
    """Print the audit; return the exit code."""
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "results" / "published" / "results.csv"
    try:
        print(audit(Published.read(path)))
    except PublishedError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
