"""A comparison as sentences and tables, on screen and in files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import matplotlib
import pandas as pd

from experiments.comparison.compare import Comparison, Pair
from experiments.comparison.diagram import draw
from experiments.comparison.statistics.ranks import cliques
from experiments.comparison.text import p_text, table
from experiments.metrics import metric_of


def markdown(comparison: Comparison, title: str) -> str:
    """Return the whole of a comparison as Markdown."""
    parts = [f"# {title}: {metric_of(comparison.scores.metric).heading}"]
    parts += [*_ranks(comparison), *_pairs(comparison), *_datasets(comparison), *_front(comparison)]
    parts += [*_left_out(comparison), *(f"Note: {note}." for note in comparison.scores.notes)]
    return "\n\n".join(parts) + "\n"


def write(comparison: Comparison, title: str, folder: Path, name: str) -> list[Path]:
    """Write a comparison: ``.md``, CSV files of its tables, and the diagram as ``.svg`` and ``.png``.

    Parameters
    ----------
    comparison : Comparison
    title : str
    folder : Path
        Made where it does not exist.
    name : str
        How the names of the files begin.

    Returns
    -------
    list of Path
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = [folder / f"{name}.md"]
    written[0].write_text(markdown(comparison, title), encoding="utf-8")
    tables = {
        "scores": comparison.scores.means.rename_axis("dataset").reset_index(),
        "pairs": pd.DataFrame([_row(pair) for pair in comparison.pairs]),
        "datasets": comparison.datasets,
        "front": comparison.front.reset_index() if len(comparison.front) else comparison.front,
    }
    if comparison.friedman is not None and comparison.nemenyi is not None:
        ranks = comparison.friedman.ranks.rename("mean_rank")
        by_learner = pd.concat([ranks, comparison.nemenyi.add_prefix("p_")], axis=1).rename_axis("learner")
        tables["ranks"] = by_learner.sort_values("mean_rank", kind="stable").reset_index()
    for part, rows in tables.items():
        path = folder / f"{name}_{part}.csv"
        if len(rows):
            rows.to_csv(path, index=False, lineterminator="\n", float_format="%.6g")
            written.append(path)
        else:
            path.unlink(missing_ok=True)  # of an earlier comparison of this name
    written += _diagram(comparison, folder / f"{name}_ranks")
    return written


def _diagram(comparison: Comparison, path: Path) -> list[Path]:
    paths = [path.with_suffix(suffix) for suffix in (".svg", ".png")]
    if comparison.friedman is None or comparison.critical_difference is None:
        for each in paths:
            each.unlink(missing_ok=True)
        return []
    figure = draw(comparison.friedman.ranks, comparison.critical_difference, comparison.settings.alpha)
    with matplotlib.rc_context({"svg.hashsalt": "foldse", "svg.fonttype": "none"}):
        figure.savefig(paths[0], metadata={"Date": None}, bbox_inches="tight")
        figure.savefig(paths[1], dpi=150, bbox_inches="tight")
    return paths


def _row(pair: Pair) -> dict[str, object]:
    return {
        "first": pair.first,
        "second": pair.second,
        "datasets": pair.n_blocks,
        "wins": pair.exact.wins,
        "ties": pair.exact.ties,
        "losses": pair.exact.losses,
        **{f"rope_{part}": count for part, count in asdict(pair.practical).items()},
        "p": pair.test.p,
        "p_holm": pair.p_holm,
        "rank_biserial": pair.test.effect,
        "difference": pair.difference.estimate,
        "low": pair.difference.low,
        "high": pair.difference.high,
        "p_better": pair.bayes.better,
        "p_alike": pair.bayes.alike,
        "p_worse": pair.bayes.worse,
        "left_out": "; ".join(pair.left_out),
    }


def _ranks(comparison: Comparison) -> list[str]:
    found = comparison.friedman
    n = len(comparison.complete.gains)
    if found is None or comparison.critical_difference is None:
        if comparison.scores.means.shape[1] == 2:
            return []
        return [f"No mean ranks: {n} of the data sets have a score of every learner, and two are needed."]
    apart = found.p_f < comparison.settings.alpha
    k = len(found.ranks)
    said = (
        f"Mean ranks on the {n} data sets that all {k} learners have (1 is best). Friedman: chi square "
        f"{found.chi_square:.2f}, p {p_text(found.p_chi_square)}; Iman and Davenport: F({k - 1}, "
        f"{(k - 1) * (n - 1)}) {found.f:.2f}, p {p_text(found.p_f)}: "
        + (
            "the learners differ."
            if apart
            else "no difference is shown, and pairs by rank are not to be read."
        )
    )
    ranks = found.ranks.sort_values(kind="stable")
    lines = [["learner", "mean rank"], *([str(name), f"{rank:.2f}"] for name, rank in ranks.items())]
    groups = cliques(found.ranks, comparison.critical_difference)
    alike = "; ".join(", ".join(group) for group in groups) or "none"
    distance = (
        f"Two mean ranks differ if they are {comparison.critical_difference:.2f} apart (Nemenyi, "
        f"{comparison.settings.alpha:g}). Groups without a difference: {alike}."
    )
    return [said, table(lines), distance]


def _pairs(comparison: Comparison) -> list[str]:
    settings = comparison.settings
    level = f"{100 * (1 - settings.alpha):g} %"
    lines = [
        [
            "pair", "data sets", "wins-ties-losses", f"beyond {settings.rope:g}", "p", "p (Holm)", "effect",
            f"difference ({level})", "better", "alike", "worse",
        ]
    ]  # fmt: skip
    for pair in comparison.pairs:
        gap = pair.difference
        lines.append(
            [
                f"{pair.first} : {pair.second}",
                str(pair.n_blocks),
                str(pair.exact),
                str(pair.practical),
                p_text(pair.test.p),
                p_text(pair.p_holm),
                f"{pair.test.effect:+.2f}",
                f"{gap.estimate:+.4g} ({gap.low:+.3g} to {gap.high:+.3g})",
                *(f"{share:.2f}" for share in (pair.bayes.better, pair.bayes.alike, pair.bayes.worse)),
            ]
        )
    said = (
        "Pairs on the data sets that both have, seen from the first: wins, ties and losses; Wilcoxon's "
        "signed-rank test; its effect, from -1 to 1; the typical difference; and the Bayesian probability "
        f"that the first is better by more than {settings.rope:g}, alike, or worse."
    )
    return [said, table(lines)]


def _datasets(comparison: Comparison) -> list[str]:
    found = comparison.datasets
    if not len(found):
        return []
    alpha = comparison.settings.alpha
    lines = [["pair", "data sets", "better", "no difference", "worse"]]
    for (first, second), rows in found.groupby(["first", "second"], sort=False):
        shown = rows["p_holm"] < alpha
        better, worse = rows[shown & (rows["difference"] > 0)], rows[shown & (rows["difference"] < 0)]
        lines.append(
            [
                f"{first} : {second}",
                str(len(rows)),
                _counted(better["dataset"]),
                str(int((~shown).sum())),
                _counted(worse["dataset"]),
            ]
        )
    return [
        f"Single data sets, by the corrected resampled t-test over their splits (Holm, {alpha:g}):",
        table(lines),
    ]


def _front(comparison: Comparison) -> list[str]:
    if len(comparison.front) < 2:
        return []
    lines = [["learner", "data sets with both", "on the front"]]
    lines += [
        [str(name), str(row.datasets), str(row.on_front)]
        for name, row in zip(comparison.front.index, comparison.front.itertuples(index=False), strict=True)
    ]
    return [
        f"Front of {metric_of(comparison.scores.metric).heading} and predicates: on how many data sets no "
        "other learner with predicates is as good in both and better in one.",
        table(lines),
    ]


def _left_out(comparison: Comparison) -> list[str]:
    out = comparison.complete.left_out
    if not out:
        return []
    what = "Left out of the ranks" if comparison.friedman is not None else "Left out"
    return [f"{what}: " + "; ".join(f"{name} ({why})" for name, why in out.items()) + "."]


def _counted(names: pd.Series) -> str:
    return f"{len(names)} ({', '.join(names)})" if len(names) else "0"
