"""The folds of a job that is under way, so that one that was interrupted goes on where it stopped."""

from __future__ import annotations

import json
from pathlib import Path

from experiments.records import FoldResult
from experiments.statuses import OK


class Checkpoint:
    """A file with one line a finished fold, kept beside the lock of its job.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def read(self) -> dict[int, FoldResult]:
        """Return the folds that are ok, by their index; what went wrong otherwise is tried again."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except FileNotFoundError:
            return {}
        made = {}
        for line in text.split("\n")[:-1]:  # a last line without its end was cut off
            result = FoldResult.from_dict(json.loads(line))
            if result.status == OK:
                made[result.fold] = result
        return made

    def add(self, result: FoldResult) -> None:
        """Append a fold."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result.to_dict()) + "\n")

    def remove(self) -> None:
        """Delete the file."""
        self.path.unlink(missing_ok=True)
