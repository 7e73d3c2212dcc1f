"""Files whose columns tell what they hold, read as the command line reads them."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from experiments.console import err
from experiments.data.config import OWN, DataError, DatasetConfig, some

SUFFIXES = (".arff", ".parquet", ".pq")
_LISTED = 12  # names of columns that are printed


def is_typed(config: DatasetConfig) -> bool:
    """Tell whether a file is read here; all others are comma-separated text."""
    return config.source == OWN or Path(config.file.removesuffix(".gz")).suffix.lower() in SUFFIXES


def read_typed(config: DatasetConfig, content: bytes) -> tuple[list[str], list[np.ndarray]]:
    """Return the names and the columns of a file, all text, "" for a missing value.

    Parameters
    ----------
    config : DatasetConfig
    content : bytes
        Of the file, not compressed.

    Raises
    ------
    DataError
    """
    # Not at the head of the file: the other data sets do without the command line.
    from foldse.cli.files.columns import to_text

    frame = _frame(config.file, content, config.source == OWN)
    if frame.shape[1] == 0:
        raise DataError(f"{config.file} has no columns; get the file again")
    texts = [to_text(frame.iloc[:, place]) for place in range(frame.shape[1])]
    cells = [["" if pd.isna(text) else text for text in column] for column in texts]
    return list(map(str, frame.columns)), [np.array(column, dtype=object) for column in cells]


def with_roles(config: DatasetConfig, content: bytes, labels: np.ndarray) -> DatasetConfig:
    """Return a config that names a role for each column, and the positive one of two labels.

    Parameters
    ----------
    config : DatasetConfig
        With `infer_roles`. Columns that it lists keep their role, and a positive label stays.
    content : bytes
        Of the file, not compressed.
    labels : numpy.ndarray of str, shape (n_rows,)
        The column of labels.

    Returns
    -------
    DatasetConfig
        A column is numeric if all its values are numbers, by their type or, in a text file, as they read. Of
        two labels the more frequent is the positive one, as in the command line.
    """
    from foldse.cli.files.columns import is_number

    frame = _frame(config.file, content, config.source == OWN)
    given = {*(config.numeric or ()), *(config.categorical or ()), *config.ignore, config.label}
    others = [str(name) for name in frame.columns if str(name) not in given]
    numbers = [name for name in others if is_number(frame[name])]
    categories = [name for name in others if name not in numbers]
    counts = pd.Series(labels, dtype=object).value_counts(sort=False).sort_index(kind="stable")
    counts = counts.drop(["", *config.missing], errors="ignore")
    positive = config.positive
    if positive is None and len(counts) == 2:
        positive = str(counts.index[int(np.argmax(counts.to_numpy()))])
    made = replace(
        config,
        numeric=(*(config.numeric or ()), *numbers),
        categorical=(*(config.categorical or ()), *categories),
        positive=positive,
    )
    if config.source == OWN:
        _say(made, len(counts))
    return made


def _say(config: DatasetConfig, n_labels: int) -> None:
    label = f"{config.label!r} has {n_labels} labels"
    if config.positive is not None:
        label += f", rules are learned for {config.positive!r} (dataset.positive=...)"
    err().print(
        f"{config.file}: {label}; numbers: {some(config.numeric or (), _LISTED) or 'none'}; "
        f"categories: {some(config.categorical or (), _LISTED) or 'none'} "
        "(dataset.numeric=[...], dataset.categorical=[...], dataset.ignore=[...] change that)",
        soft_wrap=True,
    )


@functools.lru_cache(maxsize=1)  # asked for its text, and again for its types
def _frame(file: str, content: bytes, own: bool) -> pd.DataFrame:
    """Return columns of numbers and of text."""
    from foldse.cli.errors import CommandError, UsageError
    from foldse.cli.files.columns import normalised
    from foldse.cli.files.source import SUFFIXES as KINDS
    from foldse.cli.files.source import Source
    from foldse.cli.files.tables import read_table
    from foldse.cli.files.typed import READERS
    from foldse.cli.options import Reading

    try:
        if own:
            return read_table(file, Reading()).frame
        kind = KINDS[Path(file.removesuffix(".gz")).suffix.lower()]
        frame, *_ = READERS[kind](Source(file, content, kind), Reading())
        columns = [normalised(frame.iloc[:, place]) for place in range(frame.shape[1])]
    except (CommandError, UsageError) as error:
        raise DataError(str(error)) from None
    made = pd.concat(columns, axis=1) if columns else pd.DataFrame(index=frame.index)
    made.columns = pd.Index(frame.columns, dtype=object)
    return made
