"""The bytes of a file or of standard input, decompressed, and the format that they are in."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from foldse.cli.errors import CommandError
from foldse.cli.options import Format

__all__ = ["Source", "open_source"]


SUFFIXES = {
    ".csv": Format.CSV,
    ".txt": Format.CSV,
    ".data": Format.CSV,
    ".tsv": Format.TSV,
    ".tab": Format.TSV,
    ".parquet": Format.PARQUET,
    ".pq": Format.PARQUET,
    ".arff": Format.ARFF,
    ".xlsx": Format.EXCEL,
    ".xlsm": Format.EXCEL,
    ".xlsb": Format.EXCEL,
    ".xls": Format.EXCEL,
    ".ods": Format.EXCEL,
}
# Known by how they begin, whatever the name says.
COMPRESSIONS = {b"\x1f\x8b": gzip.decompress, b"BZh": bz2.decompress, b"\xfd7zXZ\x00": lzma.decompress}
PACKED_SUFFIXES = (".gz", ".bz2", ".xz", ".zip")


@dataclass(frozen=True, slots=True)
class Source:
    """A table before it is parsed.

    Attributes
    ----------
    name : str
        What messages call it.
    data : bytes
    format : Format
    code_page : str or None
        The encoding of an earlier file of the same kind.
    """

    name: str
    data: bytes
    format: Format
    code_page: str | None = None


def open_source(path: str, given: Format | None = None, code_page: str | None = None) -> Source:
    """Read a file, or standard input for ``-``.

    Parameters
    ----------
    path : str
    given : Format, optional
        The format; by default told by the ending of the name, or for standard input by how it begins.
    code_page : str, optional

    Returns
    -------
    Source

    Raises
    ------
    CommandError
        If the content cannot be decompressed or is empty.
    OSError
        If the file cannot be read.
    """
    is_stdin = path == "-"
    name = "standard input" if is_stdin else path
    if Path(path).is_dir():
        raise CommandError(f"{path} is a folder; name a file in it")
    data = sys.stdin.buffer.read() if is_stdin else Path(path).read_bytes()
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] in PACKED_SUFFIXES:
        data, inner = _unpacked(data, name, suffixes[-1])
        suffixes = [suffix.lower() for suffix in Path(inner).suffixes] if inner else suffixes[:-1]
    elif any(data.startswith(magic) for magic in COMPRESSIONS):
        data, _ = _unpacked(data, name, "")
    if not data.strip():
        raise CommandError(f"{name} is empty; a table needs a line of names and rows")
    known = SUFFIXES.get(suffixes[-1]) if suffixes else None
    return Source(name, data, given or known or _by_content(data), code_page)


def _unpacked(data: bytes, name: str, suffix: str) -> tuple[bytes, str | None]:
    """Return the content and, of an archive, the name of the file in it."""
    try:
        if suffix == ".zip":
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                members = [member for member in archive.namelist() if not member.endswith("/")]
                if len(members) != 1:
                    raise CommandError(f"{name} holds {len(members)} files; give one with a single table")
                return archive.read(members[0]), members[0]
        for magic, unpack in COMPRESSIONS.items():
            if data.startswith(magic):
                return unpack(data), None
    except (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile) as error:
        raise CommandError(f"{name} cannot be decompressed: {error}") from None
    raise CommandError(f"{name} is not compressed as its ending says; rename it or pack it again")


def _by_content(data: bytes) -> Format:
    if data.startswith(b"PAR1"):
        return Format.PARQUET
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        return Format.EXCEL
    for line in data[:100_000].splitlines():
        if line.strip() and not line.lstrip().startswith(b"%"):
            return Format.ARFF if line.strip().lower().startswith(b"@relation") else Format.CSV
    return Format.CSV
