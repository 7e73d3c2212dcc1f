"""Accuracy and size together: which learners no other one beats in both."""

from __future__ import annotations

import numpy as np
import pandas as pd


def front(objectives: pd.DataFrame) -> list[str]:
    """Return the rows that no other row dominates: as good in every objective, and better in one.

    Parameters
    ----------
    objectives : pandas.DataFrame of float64, shape (n_learners, n_objectives)
        Higher is better; a row with a NaN is not on the front.
    """
    complete = objectives.dropna()
    values = complete.to_numpy(np.float64)
    kept = []
    for name, row in zip(complete.index, values, strict=True):
        as_good = (values >= row).all(axis=1) & (values > row).any(axis=1)
        if not as_good.any():
            kept.append(str(name))
    return kept


def times_on_front(gains: pd.DataFrame, sizes: pd.DataFrame) -> pd.DataFrame:
    """Return for each learner how often it is on the front of score and size.

    Parameters
    ----------
    gains : pandas.DataFrame of float64, shape (n_datasets, n_learners)
        Higher is better.
    sizes : pandas.DataFrame of float64, shape (n_datasets, n_learners)
        Lower is better; NaN where a learner has no such figure.

    Returns
    -------
    pandas.DataFrame, shape (n_learners, 2)
        ``datasets``, on how many data sets a learner has both figures; ``on_front``, on how many of them no
        other learner dominates it. Learners without sizes are left out.
    """
    names = [name for name in gains if name in sizes and sizes[name].notna().any()]
    table = pd.DataFrame(0, index=pd.Index(names, name="learner"), columns=["datasets", "on_front"])
    for dataset in gains.index:
        both = pd.DataFrame({"gain": gains.loc[dataset, names], "size": -sizes.loc[dataset, names]})
        table["datasets"] += both.notna().all(axis=1).astype(int)
        table.loc[front(both), "on_front"] += 1
    return table
