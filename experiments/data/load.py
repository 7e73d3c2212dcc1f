"""Data sets: a config of ``conf/dataset`` becomes a checked `Dataset`."""

from __future__ import annotations

import hashlib
import io
import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from experiments.data.config import (
    REST,
    DataError,
    DatasetConfig,
    read,
    some,
)
from experiments.data.download import Downloads, git_blob_hash
from experiments.data.typed import is_typed, read_typed, with_roles
from experiments.records import Dataset


def load(
    cfg: Mapping[str, Any], data_dir: Path | str | None = None, downloads: Downloads | None = None
) -> Dataset:
    """Read one data set, with its rows and columns in the order of the file.

    Parameters
    ----------
    cfg : mapping
        The keys of `DatasetConfig`, from a file of ``conf/dataset``.
    data_dir : path, optional
        Folder with the files of the data sets that are not bundled.
    downloads : Downloads, optional
        How to fetch what is not in that folder; None to fetch nothing.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        If config and file do not fit each other, or cannot be used.
    """
    try:
        config = DatasetConfig.from_mapping(cfg)
        content = read(config, data_dir, downloads)[1]
        header, columns = _read_table(config, content)
        table = dict(zip(header, columns, strict=True))
        if config.infer_roles and config.label in table:
            config = with_roles(config, content, table[config.label])
        roles = _roles(config, header)
        missing = {"", *config.missing}
        if config.drop_unlabelled:
            labelled = np.array([text not in missing for text in table[config.label]])
            table = {name: column[labelled] for name, column in table.items()}
        labels, unlabelled = _labels(config, table[config.label], missing)
        y = pd.Series(labels, name=config.target, dtype=object)
        values = {
            name: _column(name, table[name], missing, _number if numeric else str)
            for name, numeric in roles.items()
        }
    except DataError as error:
        raise DataError(f"data set {cfg.get('id')}: {error}", error.status) from None
    # Said outright, since pandas 3 makes its own string type of object columns of text.
    X = pd.DataFrame({name: pd.Series(column, dtype=column.dtype) for name, column in values.items()})
    return Dataset(
        id=config.id,
        X=X,
        y=y,
        positive=config.positive,
        numeric=tuple(name for name, numeric in roles.items() if numeric),
        categorical=tuple(name for name, numeric in roles.items() if not numeric),
        digest=_digest(X, y, config.positive, roles),
        source=config.where,
        published_rows=config.published[0],
        published_columns=config.published[1],
        notes=(
            *_size_notes(config, len(y), len(roles) + 1, unlabelled),
            *config.notes,
            *_origin_notes(config, content),
        ),
    )


def _size_notes(config: DatasetConfig, rows: int, columns: int, unlabelled: int) -> list[str]:
    """Say where the size, label column included, is not the one that the paper prints."""
    notes = [
        f"{found:,} {what} in {config.where}, {printed:,} in the paper"
        for what, found, printed in zip(("rows", "columns"), (rows, columns), config.published, strict=True)
        if printed is not None and printed != found
    ]
    if unlabelled:
        notes.append(f"{unlabelled:,} rows without a label count as {config.unlabelled!r}")
    return notes


def _origin_notes(config: DatasetConfig, content: bytes) -> list[str]:
    """Say where a file is not the one that its config knows by git's blob hash."""
    if config.git_blob is None or git_blob_hash(content) == config.git_blob:
        return []
    return [f"{config.where} is another file than the authors' (git blob {config.git_blob[:12]})"]


def _read_table(config: DatasetConfig, content: bytes) -> tuple[list[str], list[np.ndarray]]:
    """Split a file into its column names and its columns, all text."""
    names, columns = (read_typed if is_typed(config) else _read_csv)(config, content)
    if not len(columns[0]):
        raise DataError(f"{config.file} has no rows below its header; get the file again")
    return _column_names(config, names), columns


def _read_csv(config: DatasetConfig, content: bytes) -> tuple[list[str], list[np.ndarray]]:
    try:
        # The header is read as a row: it fixes the number of fields, and pandas renames no repeated column.
        frame = pd.read_csv(
            io.BytesIO(content),
            header=None,
            skiprows=config.skip_rows,
            dtype=object,
            na_filter=False,
            low_memory=False,
            encoding="utf-8",
        )
    except (pd.errors.EmptyDataError, pd.errors.ParserError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise DataError(f"{config.file} is not a CSV file in UTF-8 ({reason}); correct it") from None
    columns = [frame[i].to_numpy(dtype=object) for i in frame.columns]
    return [str(column[0]) for column in columns], [column[1:] for column in columns]


def _column_names(config: DatasetConfig, header: list[str]) -> list[str]:
    repeated = [name for name, count in Counter(header).items() if count > 1]
    if not repeated:
        return header
    if not config.number_repeated:
        raise DataError(
            f"column {some(repeated)} is there twice in the header of {config.file}; "
            "rename one, or set number_repeated: true in its config to tell them apart by a number"
        )
    seen: Counter[str] = Counter()
    names = []
    for name in header:
        names.append(f"{name}.{seen[name]}" if seen[name] else name)
        seen[name] += 1
    return names


def _roles(config: DatasetConfig, header: Sequence[str]) -> dict[str, bool]:
    """Tell of each attribute, in the order of the file, whether it is numeric."""
    numeric, categorical = config.numeric, config.categorical
    if numeric is None and categorical is None:
        raise DataError(f"numeric and categorical are both {REST!r}; list the columns of one of them")
    attributes = (*(numeric or ()), *(categorical or ()))
    listed = Counter([config.label, *attributes, *config.ignore])
    if twice := [name for name, count in listed.items() if count > 1]:
        raise DataError(
            f"column {some(twice)} is listed twice (label, numeric, categorical, ignore); list it once"
        )
    if config.label not in header:
        raise DataError(
            f"no label column {config.label!r} in {config.file}; set dataset.label to one of {some(header)}"
        )
    if absent := [name for name in attributes if name not in header]:
        raise DataError(
            f"no column {some(absent)} in {config.file}; correct or remove it in numeric or categorical "
            f"(the file has {some(header)})"
        )
    rest = [name for name in header if name not in listed]
    if rest and numeric is not None and categorical is not None:
        raise DataError(
            f"column {some(rest)} of {config.file} has no role; list it under numeric, categorical or ignore"
        )
    numbers = set(rest if numeric is None else numeric)
    roles = {name: name in numbers for name in header if name != config.label and name not in config.ignore}
    if not roles:
        raise DataError("it has no attributes; list columns under numeric or categorical")
    if config.target in roles:
        raise DataError(
            f"target {config.target!r} is also the name of a column; choose another dataset.target"
        )
    return roles


def _labels(config: DatasetConfig, texts: np.ndarray, missing: Collection[str]) -> tuple[np.ndarray, int]:
    """Return the labels, and for how many rows `DatasetConfig.unlabelled` stands in."""
    unlabelled = np.flatnonzero([text in missing for text in texts])
    if len(unlabelled) and config.unlabelled is not None:
        texts = texts.copy()
        texts[unlabelled] = config.unlabelled
    elif len(unlabelled):
        raise DataError(
            f"label column {config.label!r} has {len(unlabelled)} missing values, the first in row "
            f"{unlabelled[0] + 1} of {config.file}; remove these rows, or set dataset.unlabelled=<label>"
        )
    if config.one_vs_rest:
        texts = np.where(texts == config.positive, texts, REST).astype(object)
    labels = sorted(set(texts))
    if len(labels) < 2:
        raise DataError(
            f"label column {config.label!r} has one value only, {some(labels)}; set another dataset.label"
        )
    if config.positive is not None and config.positive not in labels:
        same = [label for label in labels if _number(label) == _number(config.positive)]
        remedy = (
            f"write it in quotes, positive: '{same[0]}', since YAML reads a number there"
            if same
            else f"set dataset.positive to one of {some(labels)}"
        )
        raise DataError(f"positive label {config.positive!r} is not in column {config.label!r}; {remedy}")
    if (config.positive is None) != (len(labels) > 2):
        remedy = f"one of {some(labels)}" if len(labels) == 2 else "null"
        raise DataError(
            f"column {config.label!r} has {len(labels)} labels, and positive is {config.positive!r}; "
            f"set dataset.positive to {remedy}"
        )
    return texts, len(unlabelled)


def _column(
    name: str, texts: np.ndarray, missing: Collection[str], parse: Callable[[str], Any]
) -> np.ndarray:
    """Turn text into values: float64 if all are numbers, otherwise object with None for missing."""
    codes, distinct = pd.factorize(texts)
    values = [None if text in missing else parse(text) for text in distinct]
    present = [value for value in values if value is not None]
    if not present:
        raise DataError(f"column {name!r} has missing values only; list it under ignore")
    numbers = [value for value in present if isinstance(value, float)]
    if not all(map(math.isfinite, numbers)):
        raise DataError(
            f"numeric column {name!r} has a value that is not finite (inf or nan); "
            "list its text under missing, or the column under categorical"
        )
    mixed = len(numbers) < len(present)
    return np.array(values, dtype=object if mixed else np.float64)[codes]


def _number(text: str) -> float | str:
    """Read a number; other text stays text, a category among numbers (the paper's mixed type)."""
    try:
        return text if "_" in text else float(text)  # Python alone takes 1_000 for a number
    except ValueError:
        return text


def _digest(X: pd.DataFrame, y: pd.Series, positive: str | None, roles: Mapping[str, bool]) -> str:
    """SHA-256 that depends on values only, not on how pandas or the machine stores them."""
    sha = hashlib.sha256(json.dumps([len(y), y.name, positive, list(roles.items())]).encode())
    for column in (*(X[name] for name in X), y):
        if column.dtype == object:
            # Codes by first appearance, so that the same values in the same order give the same bytes.
            codes, distinct = pd.factorize(column.to_numpy(dtype=object))
            sha.update(json.dumps(list(distinct)).encode())
            sha.update(codes.astype("<i4").tobytes())
        else:
            sha.update((column.to_numpy() + 0.0).astype("<f8").tobytes())  # -0.0 becomes 0.0
    return sha.hexdigest()
