"""Messy files are read back to the table that they were written from, or refused, or what differs is said."""

from __future__ import annotations

import collections
import re

import pandas as pd
import pytest

from foldse.cli.errors import CommandError

from .messy import Messy, messy
from .test_delimited import read

N_FILES = 300


def differences(given: Messy, frame: pd.DataFrame, notes: list[str]) -> list[str]:
    """Return what differs from the table, without what the notes say."""
    said = "\n".join(notes)
    if frame.columns.tolist() != given.names:
        return (
            []
            if "is a guess" in said and frame.shape[1] == len(given.names)
            else [f"names {[*frame.columns]}"]
        )
    if len(frame) != len(given.rows):
        more = re.search(r"(\d+) empty lines? read as", said)
        return [] if more and len(frame) <= len(given.rows) + int(more[1]) else [f"{len(frame)} rows"]
    found = []
    for place, name in enumerate(given.names):
        cells = [None if pd.isna(cell) else cell for cell in frame[name]]
        wanted = [row[place] for row in given.rows]
        if cells == wanted or f"column {name!r}" in said:
            continue
        if "is a guess" in said and all(
            isinstance(cell, str) and not cell.isascii()
            for cell, of in zip(cells, wanted, strict=True)
            if cell != of
        ):
            continue
        first = next(pair for pair in zip(cells, wanted, strict=True) if pair[0] != pair[1])
        found.append(f"{name}: {first[0]!r} for {first[1]!r}")
    return found


def outcome(seed: int) -> tuple[str, str]:
    """Return what has become of a file: read, noted, refused or wrong; and why."""
    given = messy(seed)
    try:
        frame, _, notes = read(given.data, **given.options)
    except CommandError as error:
        return "refused", str(error)
    wrong = differences(given, frame, notes)
    if wrong:
        return "wrong", f"{wrong} {given.done}"
    return ("noted" if differences(given, frame, []) else "read"), ""


def test_no_messy_file_is_read_wrongly_in_silence():
    found = {seed: outcome(seed) for seed in range(N_FILES)}
    counts = collections.Counter(kind for kind, _ in found.values())
    wrong = {seed: why for seed, (kind, why) in found.items() if kind == "wrong"}
    assert not wrong
    assert counts["read"] > N_FILES / 2, counts


@pytest.mark.parametrize("seed", range(3))
def test_a_table_written_plainly_is_read(seed):
    """The generator's own writing is right: with nothing odd in it the file is read back."""
    given = next(
        file
        for file in map(messy, range(1000 * (seed + 1), 1000 * (seed + 2)))
        if file.done["says"] and file.done["header"] == "names" and file.done["quoting"] == "all"
    )
    frame, _, notes = read(given.data, **given.options)
    assert differences(given, frame, notes) == []
