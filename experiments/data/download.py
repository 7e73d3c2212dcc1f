"""Files from the network: fetched once, checked, made into a table of text, kept in a cache folder."""

from __future__ import annotations

import csv
import hashlib
import io
import logging
import os
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit, urlunsplit

import pandas as pd
import pooch
import requests

_CHUNK = 1 << 13  # bytes: what is lost at most when a transfer is cut
_WORTH_A_RETRY = (408, 425, 429, 500, 502, 503, 504)


class DownloadError(ValueError):
    """A file that could not be had; `status` is ``"unreachable"``, ``"wrong checksum"`` or ``"not kept"``."""

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Downloads:
    """How files are fetched, and where they are kept.

    Attributes
    ----------
    cache : Path
        Folder that keeps what was fetched; a file in it is used as long as its checksum is right.
    mirror : str or None
        Address that stands in for scheme and host of every address, such as ``http://10.0.0.5/copies``.
    timeout : float
        Seconds without a byte after which a server counts as silent.
    retries : int
        How often a transfer that was cut, or met a busy server, is tried again, from where it stopped.
    pause : float
        Seconds before the first retry; they double with each one.
    watch : callable or None
        Called with the bytes had so far and in all (0 where the server does not say).
    """

    cache: Path
    mirror: str | None = None
    timeout: float = 20.0
    retries: int = 3
    pause: float = 1.0
    watch: Callable[[int, int], None] | None = None

    @classmethod
    def from_config(
        cls, paths: Mapping[str, Any], watch: Callable[[int, int], None] | None = None
    ) -> Downloads:
        """Read the config group ``paths``: its keys `cache` and `mirror`."""
        cache = paths.get("cache") or pooch.os_cache("foldse")
        return cls(Path(cache).expanduser(), paths.get("mirror") or None, watch=watch)

    def url(self, address: str) -> str:
        """Return `address` with its scheme and host replaced by the mirror, if there is one."""
        if self.mirror is None:
            return address
        mirror, parts = urlsplit(self.mirror), urlsplit(address)
        path = mirror.path.rstrip("/") + parts.path
        return urlunsplit((mirror.scheme, mirror.netloc, path, parts.query, ""))

    def cached(self, file: str, sha256: str | None) -> Path | None:
        """Return where `file` is kept; None where it is not, or is not what the checksum says."""
        path = self.cache / file
        good = path.is_file() and (sha256 is None or pooch.file_hash(str(path)) == sha256)
        return path if good else None

    def get(
        self,
        file: str,
        address: str,
        sha256: str | None = None,
        derive: Callable[[bytes], bytes] | None = None,
    ) -> Path:
        """Fetch a file into the cache, in the place of one with another checksum.

        Parameters
        ----------
        file : str
            Its name in the cache, folders included.
        address : str
            Where it is; the mirror replaces the host.
        sha256 : str or None
            SHA-256 of the file, after `derive`; None where it is not known.
        derive : callable, optional
            Makes the file of what the server sends, such as the member of an archive.

        Returns
        -------
        Path
            The file, whole and checked: it gets its name only then.

        Raises
        ------
        DownloadError
            The message is part of a line.
        """
        path, url = self.cache / file, self.url(address)
        pooch.get_logger().setLevel(logging.WARNING)  # it tells each transfer; callers do so themselves
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if derive is None:
                pooch.retrieve(url, sha256, path.name, path.parent, downloader=self._transfer)
                return path
            with tempfile.TemporaryDirectory(dir=path.parent, prefix=".part-") as folder:
                raw = pooch.retrieve(url, None, "raw", folder, downloader=self._transfer)
                content = derive(Path(raw).read_bytes())
                if sha256 and hashlib.sha256(content).hexdigest() != sha256:
                    raise DownloadError("wrong checksum", f"what is made of {url} has the wrong SHA-256")
                made = Path(folder) / "made"
                made.write_bytes(content)
                os.replace(made, path)
            return path
        except DownloadError:
            raise
        except requests.RequestException as error:
            raise DownloadError("unreachable", f"{url}: {_reason(error, self.timeout)}") from None
        except OSError as error:
            raise DownloadError(
                "not kept", f"the cache folder cannot be written ({error}); set paths.cache=<folder>"
            ) from None
        except (ValueError, csv.Error) as error:
            what = "has the wrong SHA-256" if derive is None else f"is not what was expected ({error})"
            raise DownloadError("wrong checksum", f"what {url} sends {what}") from None

    def _transfer(self, url: str, output_file: Any, _pooch: Any, check_only: bool = False) -> None:
        """Fetch `url` into a file; the calling convention is pooch's."""
        for attempt in range(self.retries + 1):
            try:
                return self._continue(url, Path(output_file))
            except requests.HTTPError as error:
                status = None if error.response is None else error.response.status_code
                if attempt == self.retries or status not in _WORTH_A_RETRY:
                    raise
            except (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError):
                if attempt == self.retries:
                    raise
            time.sleep(self.pause * 2**attempt)

    def _continue(self, url: str, output: Path) -> None:
        """Fetch what is still missing of a file; a server that does not know ranges sends all of it."""
        had = output.stat().st_size if output.exists() else 0
        # Not compressed on the way: positions and length are those of the file itself.
        headers = {"Accept-Encoding": "identity"}
        if had:
            headers["Range"] = f"bytes={had}-"
        with requests.get(url, headers=headers, stream=True, timeout=self.timeout) as answer:
            partial = answer.headers.get("Content-Range", "").startswith(f"bytes {had}-")
            if had and answer.status_code in (206, 416) and not partial:
                output.write_bytes(b"")
                raise requests.ConnectionError("it sent another part than was asked for")
            answer.raise_for_status()
            if answer.status_code != 206:
                had = 0
            length = int(answer.headers.get("Content-Length") or 0)
            total = had + length if length else 0
            with output.open("ab" if had else "wb") as file:
                for chunk in answer.iter_content(_CHUNK):
                    file.write(chunk)
                    had += len(chunk)
                    if self.watch is not None:
                        self.watch(had, total)


def _reason(error: requests.RequestException, timeout: float) -> str:
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"HTTP {error.response.status_code} {error.response.reason}"
    # A server that falls silent in the middle is a ConnectionError to requests.
    if isinstance(error, requests.Timeout) or "timed out" in str(error).lower():
        return f"no answer for {timeout:g} s"
    if isinstance(error, requests.exceptions.ChunkedEncodingError):
        return "the connection was cut, again and again"
    if isinstance(error, requests.ConnectionError):
        return "no connection"
    return " ".join(str(error).split())


def weather(content: bytes) -> bytes:
    """Make the paper's rain data of Kaggle's ``weatherAUS.csv``, plain or in a zip archive.

    The date, ``2008-12-01``, becomes two columns, Month and Day, as numbers without leading zeros (12, 1);
    the year goes. RISK_MM goes too: it is tomorrow's rain in millimetres, so the label itself. Every other
    field keeps its text. A table that has no date is returned as it is.
    """
    content = unzip(content)
    if b"Date" not in content.split(b"\n", 1)[0]:
        return content
    rows = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    header = next(rows)
    date = header.index("Date")
    kept = [i for i, name in enumerate(header) if name not in ("Date", "RISK_MM")]
    text = io.StringIO(newline="")
    out = csv.writer(text, lineterminator="\n")
    out.writerow(["Month", "Day", *(header[i] for i in kept)])
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"line {rows.line_num} has {len(row)} fields, the header {len(header)}")
        _, month, day = row[date].split("-")
        out.writerow([int(month), int(day), *(row[i] for i in kept)])
    return text.getvalue().encode()


def unzip(content: bytes) -> bytes:
    """Return the one CSV file of a zip archive; what is no archive is returned as it is."""
    if not content.startswith(b"PK\x03\x04"):
        return content
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [n for n in archive.namelist() if n.endswith(".csv") and not n.startswith("__MACOSX")]
            if len(members) != 1:
                raise ValueError(f"the archive has {len(members)} CSV files, not one")
            return archive.read(members[0])
    except (zipfile.BadZipFile, EOFError, zlib.error, RuntimeError) as error:  # RuntimeError: encrypted
        raise ValueError(f"damaged archive: {error}") from None


# What `derive` may name in a config of ``conf/dataset``.
DERIVATIONS: dict[str, Callable[[bytes], bytes]] = {"unzip": unzip, "weather": weather}


def from_openml(
    number: int,
    columns: Sequence[str] = (),
    labels: Mapping[str, str] | None = None,
    cache: Path | None = None,
) -> bytes:
    """Fetch a data set of OpenML through scikit-learn, as the text of a CSV file.

    Parameters
    ----------
    number : int
        OpenML's id of the data set.
    columns : sequence of str
        Names for its columns in their order, the label last; empty to keep OpenML's.
    labels : mapping of str to str, optional
        Other names for its labels.
    cache : Path, optional
        Folder for scikit-learn's own cache.

    Notes
    -----
    The ids and names in ``conf/dataset`` follow what OpenML says of its data sets; they have been tried
    with a stand-in only, not with the site. A table that does not fit is refused, not guessed at.
    """
    from sklearn.datasets import fetch_openml

    try:
        frame = fetch_openml(
            data_id=number, as_frame=True, parser="liac-arff", data_home=None if cache is None else str(cache)
        ).frame
    except (URLError, OSError) as error:
        raise DownloadError("unreachable", f"OpenML data set {number}: {error}") from None
    except ValueError as error:
        raise DownloadError("wrong checksum", f"OpenML data set {number}: {error}") from None
    if columns and len(columns) != frame.shape[1]:
        raise DownloadError(
            "wrong checksum",
            f"OpenML data set {number} has {frame.shape[1]} columns, its config names {len(columns)}",
        )
    table = pd.DataFrame({i: [_text(v) for v in frame.iloc[:, i].array] for i in range(frame.shape[1])})
    table.columns = pd.Index(list(columns) or [str(name) for name in frame.columns])
    if labels:
        table.iloc[:, -1] = [labels.get(text, text) for text in table.iloc[:, -1]]
    return table.to_csv(index=False, lineterminator="\n").encode()


def _text(value: Any) -> str:
    """Write a value as the paper's files do: whole numbers without a point, nothing if missing."""
    if pd.isna(value):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
