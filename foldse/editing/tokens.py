"""The text of a program as tokens with their places.

The notation has no nesting and a dozen of tokens. A library for grammars (lark, pyparsing) would be a fifth
dependency of the package, and its messages would speak of its grammar, not of rules: so it is read here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Place", "RuleSyntaxError", "Token", "tokens"]


class Place(NamedTuple):
    """Where something stands in a text; line and column are counted from 1."""

    line: int
    column: int


class RuleSyntaxError(ValueError):
    """A program that cannot be read, or that names what the model does not have; the message is one line.

    Parameters
    ----------
    place : Place
    message : str

    Attributes
    ----------
    line, column : int
        Where in the text, counted from 1.
    """

    def __init__(self, place: Place, message: str):
        super().__init__(f"line {place.line}, column {place.column}: {message}")
        self.line, self.column = place
        self._given = place, message

    def __reduce__(self) -> tuple[type, tuple[Place, str]]:
        return type(self), self._given  # as it is pickled


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a program.

    Attributes
    ----------
    kind : str
        ``name``, ``variable``, ``number``, ``quoted`` (in single quotes), ``text`` (in double quotes),
        ``end``, or the sign itself: ``(``, ``:-``, ``=<``, ...
    value : str
        What it says; of quoted text without the quotes and with escapes resolved.
    place : Place
    """

    kind: str
    value: str
    place: Place

    def __str__(self) -> str:
        return "the end of the text" if self.kind == "end" else repr(self.value)


_TOKEN = re.compile(
    r"""(?P<blank>\s+|%[^\n]*)
    |(?P<name>[a-z][A-Za-z0-9_]*)
    |(?P<variable>[A-Z_][A-Za-z0-9_]*)
    |(?P<number>[+-]?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
    |(?P<quote>['"])
    |(?P<sign>:-|=<|<=|>=|=:=|\\=|\\\+|<|>|=|\(|\)|,|\.|\?)""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:(?P<plain>[\\'\"])|(?P<short>[ntr])|x(?P<code>[0-9a-fA-F]{1,6})\\)")
_SHORT = {"n": "\n", "t": "\t", "r": "\r"}


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a program, then one of kind ``end``.

    Parameters
    ----------
    text : str
        Comments from ``%`` to the end of a line and white space separate tokens.

    Yields
    ------
    Token

    Raises
    ------
    RuleSyntaxError
        If a character begins no token, or quoted text is not closed or has an unknown escape.
    """
    position, line, start = 0, 1, 0
    text = text.removeprefix("\ufeff")  # some editors put a mark in front
    while position < len(text):
        place = Place(line, position - start + 1)
        found = _TOKEN.match(text, position)
        if found is None:
            raise RuleSyntaxError(place, f"{text[position]!r} begins nothing that a rule is made of")
        kind = str(found.lastgroup)
        position = found.end()
        if kind == "blank":
            breaks = found[0].count("\n")
            if breaks:
                line, start = line + breaks, found.start() + found[0].rindex("\n") + 1
        elif kind == "quote":
            value, position = _quoted(text, position, found[0], place)
            yield Token("quoted" if found[0] == "'" else "text", value, place)
        else:
            yield Token(found[0] if kind == "sign" else kind, found[0], place)
    yield Token("end", "", Place(line, position - start + 1))


def _quoted(text: str, position: int, quote: str, opened: Place) -> tuple[str, int]:
    """Return quoted text from behind its first quote, and where it ends."""
    first, parts = position, []
    while position < len(text) and text[position] != "\n":
        character = text[position]
        if character == "\\":
            found = _ESCAPE.match(text, position)
            place = Place(opened.line, opened.column + 1 + position - first)
            code = int(found["code"], 16) if found and found["code"] else 0
            if found is None or code > 0x10FFFF:
                raise RuleSyntaxError(
                    place, r"an unknown escape; known are \\, \', \", \n, \t, \r and \x1b\ (hexadecimal)"
                )
            parts.append(found["plain"] or _SHORT.get(found["short"] or "") or chr(code))
            position = found.end()
        elif character != quote:
            parts.append(character)
            position += 1
        elif text[position + 1 : position + 2] == quote:  # doubled, as Prolog has it, too
            parts.append(quote)
            position += 2
        else:
            return "".join(parts), position + 1
    raise RuleSyntaxError(opened, f"the {quote} is not closed on its line; write a line break as \\n")
