"""What a config of ``conf/dataset`` says, and where the text of its data set comes from."""

from __future__ import annotations

import csv
import gzip
import hashlib
import os
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from pathlib import Path
from typing import Any

from experiments.config import did_you_mean
from experiments.data.download import DERIVATIONS, DownloadError, Downloads, read_unpacked

BUNDLED = Path(__file__).resolve().parent
OWN = "own"
SOURCES = ("bundled", "download", "file", OWN)
REST = "rest"


class DataError(ValueError):
    """A data set that cannot be used as its config says; the message is one line and names the remedy.

    `status` is ``"missing"``, ``"unreachable"``, ``"wrong checksum"``, or ``"failed"`` for anything else.
    """

    def __init__(self, message: str, status: str = "failed") -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class DatasetConfig:
    """What a file of ``conf/dataset`` says.

    Attributes
    ----------
    id : str
        Name of the data set, as in the paper's tables.
    source : {"bundled", "download", "file", "own"}
        Where `file` is: beside this module; in a data folder of the user's, else in the cache, else at
        `address`; in a data folder alone; or anywhere, and then in any format of the command line.
    file : str
        CSV file with one header row, ARFF (``.arff``) or parquet (``.parquet``, ``.pq``); plain or gzip
        (``.gz``).
    sha256 : str or None
        SHA-256 of the uncompressed file, after `derive`; None where it is not known.
    git_blob : str or None
        Git's blob hash of the file at `address`, where that is known in place of `sha256`. A download must
        match; of a file in the user's folder that does not match, `load` makes a note.
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
        Columns that are not attributes; they may be absent.
    missing : tuple of str
        Text that stands for a missing value, besides the empty one.
    verify : bool
        Whether `sha256` and `git_blob` must match.
    skip_rows : int
        Lines above the header row.
    number_repeated : bool
        Whether columns with the same name in the header are renamed ``name.1``, ``name.2``; otherwise
        they are an error.
    address : str or None
        Where `file` can be fetched, pinned to one version; not compressed, unless `derive` unpacks it.
    derive : str or None
        The step, one of `experiments.data.download.DERIVATIONS`, that makes the table of the file at
        `address`.
    unlabelled : str or None
        The label of the rows that have none; None if there must be no such row.
    drop_unlabelled : bool
        Whether rows without a label are left out.
    one_vs_rest : bool
        Whether all labels but `positive` are read as ``"rest"``.
    infer_roles : bool
        Whether columns that are listed nowhere have the role that their values say, and of two labels the
        more frequent is positive unless `positive` says otherwise.
    family : str or None
        What the data set is a version of; a comparison counts one data set of a family.
    notes : tuple of str
        What a table must say of these data besides what `load` finds itself.
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
    address: str | None = None
    derive: str | None = None
    unlabelled: str | None = None
    drop_unlabelled: bool = False
    one_vs_rest: bool = False
    git_blob: str | None = None
    family: str | None = None
    infer_roles: bool = False
    notes: tuple[str, ...] = ()
    origin: str = ""
    licence: str = ""

    @classmethod
    def from_mapping(cls, mapping: Mapping[str, Any]) -> DatasetConfig:
        """Read a config (a plain dict, or OmegaConf's) and check its keys."""
        values = dict(mapping)
        known = {field.name: field.default is MISSING for field in fields(cls)}
        if unknown := [str(key) for key in values if key not in known]:
            hint = did_you_mean(unknown[0], known)
            raise DataError(f"unknown key {some(unknown)} in its config: {hint}known are {some(known, 99)}")
        if absent := [key for key, required in known.items() if required and key not in values]:
            raise DataError(f"its config has no key {some(absent)}; add it to conf/dataset/")
        for key in ("numeric", "categorical", "ignore", "missing", "notes"):
            values[key] = _names(key, values.get(key))
        for key in ("id", "source", "file", "label", "target"):
            values[key] = _text(key, values[key])
        for key in ("positive", "unlabelled", "sha256", "git_blob", "address", "derive", "family"):
            values[key] = None if values.get(key) is None else _text(key, values[key])
        for key in ("verify", "number_repeated", "drop_unlabelled", "one_vs_rest", "infer_roles"):
            if not isinstance(values.get(key, False), bool):
                raise DataError(f"{key} is {values[key]!r}; write true or false")
        if not _is_count(values.get("skip_rows", 0)):
            raise DataError(f"skip_rows is {values['skip_rows']!r}; write the number of lines, such as 1")
        if values.get("drop_unlabelled") and values["unlabelled"] is not None:
            raise DataError("unlabelled and drop_unlabelled are both set; drop rows with unlabelled: null")
        if values.get("one_vs_rest") and values["positive"] in (None, REST):
            raise DataError(f"one_vs_rest needs a positive label other than {REST!r}")
        values["published"] = _size(values.get("published"))
        return cls(**values)

    @property
    def where(self) -> str:
        """Where the rows come from, for a footnote."""
        return "bundled" if self.source == "bundled" else self.file


def some(names: Iterable[object], limit: int = 8) -> str:
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
        raise DataError(f"{key} is {value!r}; write a list, such as [{value}]")
    return tuple(_text(key, name) for name in value)


def _text(key: str, value: Any) -> str:
    """Return a value as text: a label such as 0 is a number to YAML and to the command line."""
    if isinstance(value, bool):
        raise DataError(
            f"{key} has the truth value {str(value).lower()}, as YAML reads yes, no, on, off, true, false; "
            f"write the text in quotes, such as '{'yes' if value else 'no'}'"
        )
    if not isinstance(value, str | int | float):
        raise DataError(f"{key} is {value!r}; write text")
    return str(value)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _size(value: Any) -> tuple[int | None, int | None]:
    """Return rows and columns of ``published``."""
    size = {"rows": None, "columns": None} if value is None else value
    if not isinstance(size, Mapping) or not set(size) <= {"rows", "columns"}:
        raise DataError(f"published is {value!r}; write {{rows: 150, columns: 5}}, or null where unknown")
    if odd := [size[key] for key in size if not (size[key] is None or _is_count(size[key]))]:
        raise DataError(f"published has {odd[0]!r}; write whole numbers, {{rows: 150, columns: 5}}, or null")
    return size.get("rows"), size.get("columns")


def read(
    config: DatasetConfig, data_dir: Path | str | None = None, downloads: Downloads | None = None
) -> tuple[str, bytes]:
    """Return where the text of a data set was found, and the text.

    The user's folders come first (`data_dir` may be several, separated as in PATH), then the cache, then the
    network. Where it was found is one of
    ``"bundled"``, ``"in your folder"``, ``"cached"`` and ``"ok"``, which is fetched just now.
    """
    if config.source not in SOURCES:
        raise DataError(f"unknown source {config.source!r}; use one of {some(SOURCES)}")
    if config.derive is not None and config.derive not in DERIVATIONS:
        raise DataError(f"unknown step derive={config.derive}; use one of {some(DERIVATIONS)}")
    if config.source != OWN and (Path(config.file).is_absolute() or ".." in Path(config.file).parts):
        raise DataError(
            f"dataset.file={config.file} leaves the data folder; give a path below it and set paths.data"
        )
    found, path = _find(config, data_dir, downloads)
    try:
        if path.suffix == ".gz":
            with gzip.open(path) as file:
                content = read_unpacked(file)
        else:
            content = path.read_bytes()
        if config.derive:
            content = DERIVATIONS[config.derive](content)
    except (OSError, EOFError, ValueError, zlib.error, csv.Error) as error:
        raise DataError(f"{config.file} cannot be read ({error}); get the file again") from None
    digest = hashlib.sha256(content).hexdigest()
    if config.verify and config.sha256 and digest != config.sha256:
        raise DataError(
            f"{config.file} ({found}) has SHA-256 {digest[:12]}..., its config says {config.sha256[:12]}...; "
            "get the file again, or set dataset.verify=false to read it all the same",
            "wrong checksum",
        )
    return found, content


def _find(
    config: DatasetConfig, data_dir: Path | str | None, downloads: Downloads | None
) -> tuple[str, Path]:
    if config.source == "bundled":
        if (path := BUNDLED / config.file).is_file():
            return "bundled", path
        known = some(sorted(path.name for path in BUNDLED.glob("*.csv.gz")), 99)
        raise DataError(f"no bundled file {config.file}; set dataset.file to one of {known}", "missing")
    if config.source == OWN:
        if (path := Path(config.file)).is_file():
            return "in your folder", path
        raise DataError(f"there is no file {config.file}; correct data=", "missing")
    for folder in () if data_dir is None else str(data_dir).split(os.pathsep):
        if (path := Path(folder) / config.file).is_file():
            return "in your folder", path
    where = "no data folder is set" if data_dir is None else f"it is not in {data_dir}"
    remedies = [
        f"set paths.data=<folder> or the variable FOLDSE_DATA to the folder that holds {config.file}",
        f"origin: {config.origin or 'not given'}",
    ]
    status = "missing"
    if config.source == "download" and downloads is not None and config.address:
        sha256 = config.sha256 if config.verify else None
        git_blob = config.git_blob if config.verify else None
        if kept := downloads.cached(config.file, sha256, git_blob):
            return "cached", kept
        derive = DERIVATIONS[config.derive] if config.derive else None
        try:
            return "ok", downloads.get(config.file, config.address, sha256, derive, git_blob)
        except DownloadError as error:
            where, status = f"{where}, and {error}", error.status
        remedies.insert(1, "paths.mirror=<address> fetches it from elsewhere")
        if status == "wrong checksum":
            remedies.insert(2, "dataset.verify=false takes it all the same")
    elif config.source == "download" and config.address:
        remedies.insert(1, "python -m experiments.fetch fetches it")
    raise DataError(f"no file {config.file}, {where}; {'; '.join(remedies)}", status)
