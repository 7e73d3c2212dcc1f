"""Data sets: a config of ``conf/dataset`` becomes a checked `Dataset`."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import math
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from experiments.records import Dataset

BUNDLED = Path(__file__).resolve().parent / "data"
SOURCES = ("bundled", "file")
REST = "rest"


class DataError(ValueError):
    """A data set that cannot be used as its config says; the message is one line and names the remedy."""


@dataclass(frozen=True, slots=True)
class DatasetConfig:
    """What a file of ``conf/dataset`` says.

    Attributes
    ----------
    id : str
        Name of the data set, as in the paper's tables.
    source : {"bundled", "file"}
        Where `file` is: beside this module, or in the user's data folder.
    file : str
        CSV file with one header row, plain or gzip (``.gz``).
    sha256 : str or None
        SHA-256 of the uncompressed file; None where it is not known.
    label : str
        The column to predict.
    target : str
        What rules are headed with; becomes the name of y.
    positive : str or None
        The label that rules are learned for; None where there are more than two.
    numeric, categorical : tuple of str or None
        Roles of the columns; None (written ``rest``) means all columns that are named nowhere else.
    published : tuple of (int or None)
        Rows and columns (with the label) that the paper prints.
    ignore : tuple of str
        Columns that are no attributes; they may be absent.
    missing : tuple of str
        Text that stands for a missing value, besides the empty one.
    verify : bool
        Whether `sha256` must match.
    skip_rows : int
        Lines above the header row.
    number_repeated : bool
        Whether a column name that is repeated in the header is told apart as ``name.1``, ``name.2``;
        otherwise it is an error.
    origin, licence : str
        Where the data come from, and under which terms.
    """

    id: str
    source: str
    file: str
    sha256: str | None
    label: str
    target: str
    positive: str | None
    numeric: tuple[str, ...] | None
    categorical: tuple[str, ...] | None
    published: tuple[int | None, int | None] = (None, None)
    ignore: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    verify: bool = True
    skip_rows: int = 0
    number_repeated: bool = False
    origin: str = ""
    licence: str = ""

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> DatasetConfig:
        """Read a config (a plain dict, or OmegaConf's) and check its keys."""
        values = dict(mapping)
        known = {field.name: field.default is MISSING for field in fields(cls)}
        if unknown := [key for key in values if key not in known]:
            raise DataError(f"unknown key {_some(unknown)} in its config; known are {_some(known, 99)}")
        if absent := [key for key, required in known.items() if required and key not in values]:
            raise DataError(f"its config has no key {_some(absent)}; add it to conf/dataset/")
        for key in ("numeric", "categorical", "ignore", "missing"):
            values[key] = _names(key, values.get(key))
        for key in ("id", "source", "file", "label", "target"):
            values[key] = str(values[key])
        if values["positive"] is not None:
            values["positive"] = str(
                values["positive"]
            )  # a label such as 0 comes as a number from the command line
        published = values.get("published") or {}
        values["published"] = (published.get("rows"), published.get("columns"))
        return cls(**values)


def load(cfg: Mapping[str, Any], data_dir: Path | str | None = None) -> Dataset:
    """Read one data set, with its rows and columns in the order of the file.

    Parameters
    ----------
    cfg : mapping
        The keys of `DatasetConfig`, from a file of ``conf/dataset``.
    data_dir : path, optional
        Folder with the files of the data sets that are not bundled.

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
        header, columns = _read_table(config, _read_file(config, data_dir))
        roles = _roles(config, header)
        table = dict(zip(header, columns, strict=True))
        missing = {"", *config.missing}
        y = pd.Series(_labels(config, table[config.label], missing), name=config.target, dtype=object)
        values = {
            name: _column(name, table[name], missing, _number if numeric else str)
            for name, numeric in roles.items()
        }
    except DataError as error:
        raise DataError(f"data set {cfg.get('id')}: {error}") from None
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
        source=config.source if config.source == "bundled" else config.file,
        published_rows=config.published[0],
        published_columns=config.published[1],
    )


def _some(names: Iterable[object], limit: int = 8) -> str:
    """List the names in quotes, the first few of many."""
    quoted = [repr(str(name)) for name in names]
    more = f" and {len(quoted) - limit} more" if len(quoted) > limit else ""
    return ", ".join(quoted[:limit]) + more


def _names(key: str, value: Any) -> tuple[str, ...] | None:
    if value is None:
        return ()
    if value == REST and key in ("numeric", "categorical"):
        return None
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise DataError(f"{key} is {value!r}; it must be a list")
    return tuple(str(name) for name in value)


def _read_file(config: DatasetConfig, data_dir: Path | str | None) -> bytes:
    if config.source not in SOURCES:
        raise DataError(f"unknown source {config.source!r}; use one of {_some(SOURCES)}")
    folder = BUNDLED if config.source == "bundled" else data_dir
    if folder is None or not (path := Path(folder) / config.file).is_file():
        if folder == BUNDLED:
            known = _some(sorted(path.name for path in BUNDLED.glob("*.csv.gz")), 99)
            raise DataError(f"no bundled file {config.file}; set dataset.file to one of {known}")
        where = "no data folder is set" if folder is None else f"it is not in {folder}"
        remedy = f"set paths.data=<folder> or the variable FOLDSE_DATA to the folder that holds {config.file}"
        raise DataError(f"no file {config.file}, {where}; {remedy} (origin: {config.origin or 'not given'})")
    try:
        content = path.read_bytes()
        if path.suffix == ".gz":
            content = gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{config.file} cannot be read ({error}); get the file again") from None
    digest = hashlib.sha256(content).hexdigest()
    if config.verify and config.sha256 and digest != config.sha256:
        raise DataError(
            f"{config.file} has SHA-256 {digest[:12]}..., its config says {config.sha256[:12]}...; "
            "get the file again, or set dataset.verify=false to read it all the same"
        )
    return content


def _read_table(config: DatasetConfig, content: bytes) -> tuple[list[str], list[np.ndarray]]:
    """Split a CSV file into its column names and its columns, all text."""
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
        raise DataError(f"{config.file} is no CSV file in UTF-8 ({reason}); mend it") from None
    if len(frame) < 2:
        raise DataError(f"{config.file} has no rows below its header; get the file again")
    columns = [frame[i].to_numpy(dtype=object) for i in frame.columns]
    return _column_names(config, [str(column[0]) for column in columns]), [column[1:] for column in columns]


def _column_names(config: DatasetConfig, header: list[str]) -> list[str]:
    repeated = [name for name, count in Counter(header).items() if count > 1]
    if not repeated:
        return header
    if not config.number_repeated:
        raise DataError(
            f"column {_some(repeated)} is there twice in the header of {config.file}; "
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
            f"column {_some(twice)} is listed twice (label, numeric, categorical, ignore); list it once"
        )
    if config.label not in header:
        raise DataError(
            f"no label column {config.label!r} in {config.file}; set dataset.label to one of {_some(header)}"
        )
    if absent := [name for name in attributes if name not in header]:
        raise DataError(
            f"no column {_some(absent)} in {config.file}; correct or remove it in numeric or categorical "
            f"(the file has {_some(header)})"
        )
    rest = [name for name in header if name not in listed]
    if rest and numeric is not None and categorical is not None:
        raise DataError(
            f"column {_some(rest)} of {config.file} has no role; list it under numeric, categorical or ignore"
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


def _labels(config: DatasetConfig, texts: np.ndarray, missing: Collection[str]) -> np.ndarray:
    unlabelled = np.flatnonzero([text in missing for text in texts])
    if len(unlabelled):
        raise DataError(
            f"label column {config.label!r} has {len(unlabelled)} missing values, the first in row "
            f"{unlabelled[0] + 1} of {config.file}; remove these rows"
        )
    labels = sorted(set(texts))
    if len(labels) < 2:
        raise DataError(
            f"label column {config.label!r} has one value only, {_some(labels)}; set another dataset.label"
        )
    if config.positive is not None and config.positive not in labels:
        raise DataError(
            f"positive label {config.positive!r} is not in column {config.label!r}; "
            f"set dataset.positive to one of {_some(labels)}"
        )
    if (config.positive is None) != (len(labels) > 2):
        remedy = f"one of {_some(labels)}" if len(labels) == 2 else "null"
        raise DataError(
            f"column {config.label!r} has {len(labels)} labels, and positive is {config.positive!r}; "
            f"set dataset.positive to {remedy}"
        )
    return texts


def _column(name: str, texts: np.ndarray, missing: Collection[str], read: Callable[[str], Any]) -> np.ndarray:
    """Turn text into values: float64 if all are numbers, otherwise object with None for missing."""
    codes, distinct = pd.factorize(texts)
    values = [None if text in missing else read(text) for text in distinct]
    present = [value for value in values if value is not None]
    if not present:
        raise DataError(f"column {name!r} has missing values only; list it under ignore")
    numbers = [value for value in present if isinstance(value, float)]
    if not all(map(math.isfinite, numbers)):
        raise DataError(
            f"numeric column {name!r} has a value that is no finite number (inf or nan); "
            "list its text under missing, or the column under categorical"
        )
    mixed = len(numbers) < len(present)
    return np.array(values, dtype=object if mixed else np.float64)[codes]


def _number(text: str) -> float | str:
    """Read a number; text that is none stays text, a category among numbers (the paper's mixed type)."""
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
