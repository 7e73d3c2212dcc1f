"""JSON read strictly, and checks of what was read, whose messages are one line and name the place."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

__all__ = [
    "FORMAT",
    "VERSION",
    "ModelFileError",
    "check_fields",
    "checked",
    "checked_names",
    "read_json",
    "shown",
]

FORMAT = "foldse model"
VERSION = 1  # of the schema, see foldse/schema/; a reader takes this one only

KINDS = {list: "a list", dict: "an object", str: "text", bool: "true or false"}


class ModelFileError(ValueError):
    """A model that cannot be written to, or read from, a file; the message is one line."""


def read_json(text: str) -> Any:
    """Read JSON without what Python's reader tolerates: NaN, infinities and a field given twice."""
    try:
        return json.loads(
            text, object_pairs_hook=_distinct, parse_constant=_no_constant, parse_float=_finite_float
        )
    except json.JSONDecodeError as error:
        if error.msg.startswith("Unterminated string") or not text[error.pos :].strip():
            raise ModelFileError("the file ends too early: it is empty or was cut off") from None
        raise ModelFileError(f"not JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise ModelFileError("the file is nested too deeply") from None
    except ModelFileError:
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise ModelFileError(f"JSON that cannot be read: {str(error).splitlines()[0]}") from None


def read_document(text: str) -> dict[str, Any]:
    """Read the JSON of a model file of this version."""
    document = read_json(text)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f'this is not a model file; one has "format": "{FORMAT}"')
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise ModelFileError(f"version is {shown(version)}; it must be a number from 1")
    if version > VERSION:
        raise ModelFileError(
            f"the file is of version {version}, and this foldse reads version {VERSION}; install a newer one"
        )
    return document


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ModelFileError(f"the field {shown(name)} is there twice")
        found[name] = value
    return found


def _no_constant(name: str) -> Any:
    raise ModelFileError(f"{name} is not JSON; a model file holds finite numbers")


def _finite_float(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ModelFileError(f"the number {digits[:80]} is larger than any 64-bit float")
    return value


def checked(found: Any, kind: type, where: str) -> Any:
    """Return a value that has to be of one type."""
    if type(found) is not kind:
        raise ModelFileError(f"{where} is {shown(found)}; it must be {KINDS[kind]}")
    return found


def check_fields(found: Any, where: str, required: Sequence[str], optional: Sequence[str] = ()) -> None:
    """Check that a value is an object with the fields that it must have, and no others than it may."""
    checked(found, dict, where)
    for name in required:
        if name not in found:
            raise ModelFileError(f"{where} lacks the field {name!r}")
    for name in found:
        if name not in required and name not in optional:
            known = ", ".join((*required, *optional))
            raise ModelFileError(f"{where} has the unknown field {shown(name)}; known are {known}")


def checked_names(found: Any, where: str) -> list[str]:
    """Return a value that has to be a list of distinct texts."""
    known: set[str] = set()
    for i, name in enumerate(checked(found, list, where)):
        if checked(name, str, f"{where}[{i}]") in known:
            raise ModelFileError(f"{where} has {shown(name)} twice")
        known.add(name)
    return found


def shown(value: Any) -> str:
    """Return a value as a message shows it."""
    text = repr(value)
    return text if len(text) <= 80 else text[:80] + "..."
