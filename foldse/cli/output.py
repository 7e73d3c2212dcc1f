"""Results on standard output or in a file, whole or not at all; no control characters on a terminal."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

from foldse.cli.errors import CommandError
from foldse.cli.messages import visible

__all__ = ["as_json_text", "emit", "write"]


def emit(text: str, *, data: bool = False) -> None:
    """Print a result.

    Parameters
    ----------
    text : str
        Without the last line break.
    data : bool, default=False
        Whether a program reads it: then only a terminal is spared its control characters.

    Raises
    ------
    CommandError
        If standard output cannot take it; nothing has been printed then, unless the device is full.
    """
    if not data or sys.stdout.isatty():
        text = visible(text)
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding, sys.stdout.errors or "strict")
    except UnicodeEncodeError as error:
        raise CommandError(
            f"standard output is {encoding} and has no {text[error.start]!r}; set PYTHONIOENCODING=utf-8, or "
            "give --output where the command has it"
        ) from None
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else Python tries again at its end
        raise CommandError(f"cannot write to standard output: {error.strerror}") from None


def as_json_text(result: Any) -> str:
    """Return a result as JSON in ASCII controls only, with null for what is not defined."""
    text = json.dumps(_without_nan(result), indent=2, ensure_ascii=False, allow_nan=False, default=str)
    return re.sub("[\x7f-\x9f]", lambda found: f"\\u{ord(found[0]):04x}", text)


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nan(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_nan(inner) for inner in value]
    return None if isinstance(value, float) and math.isnan(value) else value


def write(path: Path, data: bytes) -> None:
    """Write a file: all of it, or none; a device or a pipe is written to, a symbolic link is followed.

    Raises
    ------
    CommandError
        If it cannot be written; the message names the path as it was given.
    """
    if path.is_dir():
        raise CommandError(f"{path} is a folder; name a file in it")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)
            return
        target = path.resolve()
        part = target.with_name(f"{target.name}.part")
        try:
            part.write_bytes(data)
            if target.exists():
                shutil.copymode(target, part)
            part.replace(target)
        except OSError:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise CommandError(f"cannot write {path}: {error.strerror}") from None
