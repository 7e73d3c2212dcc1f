"""Bytes as text: the encoding is given, marked or detected; a detected code page is reported as a guess."""

from __future__ import annotations

import codecs
import re
import unicodedata

from foldse.cli.errors import CommandError
from foldse.cli.files.source import Source

__all__ = ["code_page_of", "decoded"]

MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
SAMPLE_BYTES = 1_000_000
FEW_WORDS = 20  # fewer words with accents do not tell one Latin code page from another


def decoded(source: Source, given: str | None = None) -> tuple[str, str, list[str]]:
    """Decode text.

    Parameters
    ----------
    source : Source
        Its code page, if it has one, is preferred where few words tell one from another.
    given : str, optional
        The encoding; by default it is detected.

    Returns
    -------
    text : str
    encoding : str
    notes : list of str
        Whether the encoding is a guess, and whether it differs from the source's code page.

    Raises
    ------
    CommandError
        If the encoding is unknown or is not that of the data, or if the text has NUL characters.
    """
    data, name = source.data, source.name
    encoding, is_guess = (given, False) if given else _detected(data, source.code_page)
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
    notes = []
    if is_guess:
        word = re.search(r"\w*[^\W\d_a-zA-Z]\w*", text)
        shown = f" (it reads {word[0]!r})" if word else ""
        notes.append(f"the encoding {encoding} is a guess{shown}; --encoding names another")
    if source.code_page and not given and _read(data, source.code_page) != text:
        notes.append(f"the model was learned from a file in {source.code_page}, and {name} is in {encoding}")
    return text, encoding, notes


def code_page_of(encoding: str) -> str | None:
    """Return the name that Python has for an encoding; None for those that a text tells for sure."""
    name = codecs.lookup(encoding).name
    return None if name.startswith("utf") or name == "ascii" else name


def _read(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _detected(data: bytes, learned: str | None) -> tuple[str, bool]:
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
        return _code_page(data, learned), True
    return "utf-8", False


def _code_page(data: bytes, learned: str | None) -> str:
    """Return the code page of a text: with few words that tell, the learned one, else the common one."""
    import chardet

    # Only the words that tell: the digits and separators around them mislead the statistics.
    words = sorted(set(re.findall(rb'[^\s;,|"0-9]*[\x80-\xff][^\s;,|"0-9]*', data[:SAMPLE_BYTES])))
    joined = b" ".join(words)
    found = chardet.detect(joined, encoding_era=chardet.EncodingEra.MODERN_WEB)["encoding"] or "cp1252"
    high = len(re.findall(rb"[\x80-\xff]", joined))
    is_latin = 2 * high <= len(joined) - len(words)
    if len(words) < FEW_WORDS:
        for page in (learned, "cp1252"):
            if page and _has_latin_letters(page) == is_latin and _read(data, page) is not None:
                return page
    return found.lower()


def _has_latin_letters(page: str) -> bool:
    """Return whether most letters of a code page beyond ASCII are Latin ones."""
    letters = [sign for sign in bytes(range(128, 256)).decode(page, "ignore") if sign.isalpha()]
    return 2 * sum(unicodedata.name(sign, "").startswith("LATIN") for sign in letters) > len(letters)
