"""Bytes as text: the encoding is given, marked or detected; a detected code page is reported as a guess."""

from __future__ import annotations

import codecs
import re

from foldse.cli.errors import CommandError

__all__ = ["decoded"]

MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
SAMPLE_BYTES = 1_000_000
FEW_WORDS = 20  # fewer words with accents do not tell one Latin code page from another


def decoded(data: bytes, name: str, given: str | None = None) -> tuple[str, str, list[str]]:
    """Decode text.

    Parameters
    ----------
    data : bytes
    name : str
        Of the file, for messages.
    given : str, optional
        The encoding; by default it is detected.

    Returns
    -------
    text : str
    encoding : str
    notes : list of str
        One note if the encoding is a guess.

    Raises
    ------
    CommandError
        If the encoding is unknown or is not that of the data, or if the text has NUL characters.
    """
    encoding, is_guess = (given, False) if given else _detected(data)
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except LookupError:
        raise CommandError(f"unknown encoding {encoding!r}; try utf-8, cp1252 or latin-1") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise CommandError(
            f"{name} is not {encoding} text at line {line}; name its encoding, such as --encoding cp1252"
        ) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise CommandError(
            f"{name} has a NUL character in line {line}: it is not text, or --encoding is not {encoding}"
        )
    if not is_guess:
        return text, encoding, []
    word = re.search(r"\w*[^\W\d_a-zA-Z]\w*", text)
    shown = f" (it reads {word[0]!r})" if word else ""
    return text, encoding, [f"the encoding {encoding} is a guess{shown}; --encoding names another"]


def _detected(data: bytes) -> tuple[str, bool]:
    """Return the encoding, and whether it is a guess."""
    for mark, encoding in MARKS.items():
        if data.startswith(mark):
            return encoding, False
    zeros = data[:SAMPLE_BYTES:2].count(0), data[1:SAMPLE_BYTES:2].count(0)
    if (zeros[0] == 0) != (zeros[1] == 0) and len(data) % 2 == 0:  # the upper bytes of UTF-16 without a mark
        return ("utf-16-be" if zeros[0] else "utf-16-le"), False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return _code_page(data), True
    return "utf-8", False


def _code_page(data: bytes) -> str:
    import chardet

    # Only the words that tell: the digits and separators around them mislead the statistics.
    words = sorted(set(re.findall(rb'[^\s;,|"0-9]*[\x80-\xff][^\s;,|"0-9]*', data[:SAMPLE_BYTES])))
    joined = b" ".join(words)
    found = chardet.detect(joined, encoding_era=chardet.EncodingEra.MODERN_WEB)["encoding"] or "cp1252"
    high = len(re.findall(rb"[\x80-\xff]", joined))
    is_latin = 2 * high <= len(joined) - len(words)
    if is_latin and len(words) < FEW_WORDS:
        try:
            data.decode("cp1252")
        except UnicodeDecodeError:
            return found.lower()
        return "cp1252"
    return found.lower()
