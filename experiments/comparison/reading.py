"""Scores of a file of one's own: one line a data set, or one line a score."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd

from experiments.comparison.scores import ComparisonError, Folds, Scores

_SPLIT = ("repeat", "fold")


def read_scores(
    path: Path,
    metric: str,
    high: bool,
    families: Mapping[str, str] | None = None,
    test_train_ratio: float = 1 / 9,
) -> Scores:
    """Read scores from a CSV file.

    Parameters
    ----------
    path : Path
        Either a column ``dataset`` and one column of scores for each learner; or the columns ``dataset``,
        ``learner`` and one named as the metric, with ``fold`` and ``repeat`` where there is a line for each
        split; or a table that ``python -m experiments.tables`` wrote, with ``metric`` and
        ``mean``.
    metric : str
    high : bool
        Whether the higher score is the better one.
    families : mapping of str to str, optional
        By data set, what it is a version of.
    test_train_ratio : float, default=1/9
        Of the splits, if there are any.

    Returns
    -------
    Scores

    Raises
    ------
    ComparisonError
        If the file cannot be read, or holds no such scores.
    """
    try:
        table = pd.read_csv(
            path, dtype={"dataset": str, "learner": str}, keep_default_na=False, na_values=[""]
        )
    except (OSError, ValueError) as error:
        raise ComparisonError(f"{path} cannot be read ({' '.join(str(error).split())})") from None
    if "dataset" not in table:
        raise ComparisonError(f"{path} has no column dataset; it has {', '.join(map(str, table))}")
    if "learner" not in table:
        return _wide(path, table, metric, high, families or {})
    notes: list[str] = []
    if {"metric", "mean"} <= set(table):
        table, notes = _of_table(path, table, metric)
    if metric not in table:
        raise ComparisonError(
            f"{path} has no column {metric}; say metric=<one of {', '.join(map(str, table))}>"
        )
    table[metric] = _numbers(path, table, metric)
    split = [name for name in _SPLIT if name in table]
    key = ["dataset", "learner", *split]
    if (twice := table.duplicated(key)).any():
        row = table[twice].iloc[0]
        what = ", ".join(f"{name} {row[name]}" for name in key)
        raise ComparisonError(
            f"{path} has two scores of {what}; leave one, or name the splits in a column fold"
        )
    means = table.pivot_table(metric, "dataset", "learner", sort=False)
    folds: dict[tuple[str, str], Folds] = {}
    if split:
        for place, rows in table.dropna(subset=[metric]).groupby(["dataset", "learner"], sort=False):
            index = pd.MultiIndex.from_frame(rows[split])
            folds[str(place[0]), str(place[1])] = Folds(
                pd.Series(rows[metric].to_numpy(), index=index), test_train_ratio
            )
    means.columns.name = means.index.name = None
    return Scores(metric, high, means, {}, folds, families or {}, notes)


def _wide(path: Path, table: pd.DataFrame, metric: str, high: bool, families: Mapping[str, str]) -> Scores:
    if table["dataset"].duplicated().any():
        name = table["dataset"][table["dataset"].duplicated()].iloc[0]
        raise ComparisonError(f"{path} has two lines for the data set {name}; leave one")
    for name in table.columns.drop("dataset"):
        table[name] = _numbers(path, table, str(name))
    means = table.set_index("dataset")
    means.index.name = None
    return Scores(metric, high, means, families=families)


def _of_table(path: Path, table: pd.DataFrame, metric: str) -> tuple[pd.DataFrame, list[str]]:
    """Return the lines of one metric of a table; a learner with several settings becomes several."""
    known = sorted(table["metric"].dropna().unique())
    if metric not in known:
        raise ComparisonError(f"{path} has no metric {metric}; it has {', '.join(known)}")
    table = table[table["metric"] == metric].rename(columns={"mean": metric})
    notes = []
    if "repeats" in table and table["repeats"].nunique() > 1:
        notes.append(
            "the means are of different numbers of repetitions; --from runs.csv compares the same ones"
        )
    names = table["learner"]
    if "settings" in table and table.duplicated(["dataset", "learner"]).any():
        names = names + table["settings"].map(lambda text: f" ({text})" if pd.notna(text) else "")
    return pd.DataFrame({"dataset": table["dataset"], "learner": names, metric: table[metric]}), notes


def _numbers(path: Path, table: pd.DataFrame, column: str) -> pd.Series:
    made = pd.to_numeric(table[column], errors="coerce")
    bad = table[column][made.isna() & table[column].notna()]
    if len(bad):
        raise ComparisonError(
            f"{path}, column {column}: {bad.iloc[0]!r} in row {bad.index[0] + 2} is not a number; "
            "leave the field empty where there is no score"
        )
    return made.astype("float64")
