"""Files from the network: fetched once by pooch, checked, made into tables, kept in a cache folder."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import logging
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit, urlunsplit

import pooch
import requests

# What a compressed file may unpack to: a small archive can hold more than fits into memory.
LARGEST_UNPACKED = 1 << 30


class DownloadError(Exception):
    """A file that could not be had; `status` is ``"unreachable"``, ``"wrong checksum"`` or ``"not kept"``.

    Not a `ValueError`, which pooch would answer with another attempt.
    """

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
        Address that replaces scheme and host of every address, such as ``http://10.0.0.5/copies``.
    timeout : float
        Seconds without a byte after which a server counts as silent.
    retries : int
        How often a transfer that failed is repeated; pooch waits one second before the first, two before
        the second. A file that the server does not have is asked for once.
    bar : object or None
        Progress bar with the methods that pooch calls: ``update(n)``, ``reset()`` and ``close()``.
    """

    cache: Path
    mirror: str | None = None
    timeout: float = 20.0
    retries: int = 3
    bar: Any = None

    @classmethod
    def from_config(cls, paths: Mapping[str, Any], bar: Any = None) -> Downloads:
        """Read the config group ``paths``: its keys `cache` and `mirror`."""
        cache = paths.get("cache") or pooch.os_cache("foldse")
        return cls(Path(cache).expanduser(), paths.get("mirror") or None, bar=bar)

    def url(self, address: str) -> str:
        """Return `address` with its scheme and host replaced by the mirror, if there is one."""
        if self.mirror is None:
            return address
        mirror, parts = urlsplit(self.mirror), urlsplit(address)
        path = mirror.path.rstrip("/") + parts.path
        return urlunsplit((mirror.scheme, mirror.netloc, path, parts.query, ""))

    def cached(self, file: str, sha256: str | None, git_blob: str | None = None) -> Path | None:
        """Return where `file` is kept; None where it is not, or is not what the checksums say."""
        path = self.cache / file
        good = (
            path.is_file()
            and (sha256 is None or pooch.file_hash(str(path)) == sha256)
            and (git_blob is None or git_blob_hash(path.read_bytes()) == git_blob)
        )
        return path if good else None

    def get(
        self,
        file: str,
        address: str,
        sha256: str | None = None,
        derive: Callable[[bytes], bytes] | None = None,
        git_blob: str | None = None,
    ) -> Path:
        """Fetch a file into the cache, replacing one with another checksum.

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
        git_blob : str or None
            Git's blob hash of what the server sends; None where it is not known. With `derive`, `sha256` is
            what `cached` needs.

        Returns
        -------
        Path
            The file, complete and checked: it gets its name only then.

        Raises
        ------
        DownloadError
            The message is part of a line.
        """
        path, url = self.cache / file, self.url(address)
        pooch.get_logger().setLevel(logging.WARNING)  # the callers say what is fetched
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if derive is None and git_blob is None:
                return self._fetch(path, url, sha256)
            with tempfile.TemporaryDirectory(dir=path.parent, prefix=".part-") as folder:
                content = self._fetch(Path(folder) / "raw", url, None).read_bytes()
                if git_blob and git_blob_hash(content) != git_blob:
                    raise DownloadError("wrong checksum", f"what {url} sends has the wrong git blob hash")
                content = derive(content) if derive else content
                if sha256 and hashlib.sha256(content).hexdigest() != sha256:
                    raise DownloadError("wrong checksum", f"what is made of {url} has the wrong SHA-256")
                made = Path(folder) / "made"
                made.write_bytes(content)
                os.replace(made, path)
            return path
        except requests.RequestException as error:
            raise DownloadError("unreachable", f"{url}: {_reason(error, self.timeout)}") from None
        except OSError as error:
            raise DownloadError(
                "not kept", f"the cache folder cannot be written ({error}); set paths.cache=<folder>"
            ) from None
        except (ValueError, csv.Error) as error:
            what = "has the wrong SHA-256" if derive is None else f"is not what was expected ({error})"
            raise DownloadError("wrong checksum", f"what {url} sends {what}") from None

    def _fetch(self, path: Path, url: str, sha256: str | None) -> Path:
        """Let pooch fetch `url`; a file of that name stays where its checksum is right."""
        fetcher = pooch.create(
            path=path.parent,
            base_url="",
            registry={path.name: sha256},
            urls={path.name: url},
            retry_if_failed=self.retries,
        )
        return Path(fetcher.fetch(path.name, downloader=self._transfer))

    def _transfer(self, url: str, output_file: Any, fetcher: Any) -> None:
        """Transfer a file as pooch does, but ask only once for one that the server does not have."""
        transfer = pooch.HTTPDownloader(progressbar=self.bar, chunk_size=1 << 16, timeout=self.timeout)
        try:
            transfer(url, output_file, fetcher)
        except requests.HTTPError as error:
            if error.response is not None and error.response.status_code in (401, 403, 404, 410):
                raise DownloadError("unreachable", f"{url}: {_reason(error, self.timeout)}") from None
            raise


def git_blob_hash(content: bytes) -> str:
    """Return the hash by which git names a file of this content: SHA-1 over a header and the content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


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
    """Make the paper's rain data from Kaggle's ``weatherAUS.csv``, plain or in a zip archive.

    The date, ``2008-12-01``, becomes two columns, Month and Day, as numbers without leading zeros (12, 1);
    the year is dropped. So is RISK_MM, tomorrow's rain in millimetres, which is the label itself. Every other
    field keeps its text. A table without dates is returned unchanged.
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
    """Return the one CSV file of a zip archive, in memory; what is not an archive is returned unchanged."""
    if not content.startswith(b"PK\x03\x04"):
        return content
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [n for n in archive.namelist() if n.endswith(".csv") and not n.startswith("__MACOSX")]
            if len(members) != 1:
                raise ValueError(f"the archive has {len(members)} CSV files, not one")
            with archive.open(members[0]) as member:
                return read_unpacked(member)
    except (zipfile.BadZipFile, EOFError, zlib.error, RuntimeError) as error:  # RuntimeError: encrypted
        raise ValueError(f"damaged archive: {error}") from None


def read_unpacked(file: IO[bytes] | gzip.GzipFile) -> bytes:
    """Read a file that is unpacked as it is read; one that never ends is given up at `LARGEST_UNPACKED`."""
    content = file.read(LARGEST_UNPACKED + 1)
    if len(content) > LARGEST_UNPACKED:
        raise ValueError(f"it unpacks to more than {LARGEST_UNPACKED >> 20} MB: unpack it yourself")
    return content


# What `derive` may name in a config of ``conf/dataset``.
DERIVATIONS: dict[str, Callable[[bytes], bytes]] = {"unzip": unzip, "weather": weather}
