"""What the measures share."""

from __future__ import annotations

import functools
import gc
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from benchmarks.contenders import CONTENDERS, Contender
from benchmarks.records import MISSING, SKIPPED, NotRunError
from benchmarks.settings import Settings
from benchmarks.tables import Table, load

ROOT: Final = Path(__file__).resolve().parents[2]


@functools.lru_cache(maxsize=1)
def table(name: str, data: str) -> Table:
    """Return a table; the last one is kept, since cases of one table follow each other."""
    return load(name, data)


def contender(name: str, settings: Settings, on: Table | None = None) -> Contender:
    """Make a contender.

    Raises
    ------
    NotRunError
        If it is not installed, or is not run on a table of this size.
    """
    made = CONTENDERS[name](settings.threads)
    if not made.is_installed():
        raise NotRunError(MISSING, f"the package {made.package} is not installed")
    if on is not None and (cells := made.cells(on)) > made.max_cells:
        raise NotRunError(SKIPPED, f"{cells:.1e} cells; the limit is {made.max_cells:.1e}")
    return made


def settle() -> None:
    """Hide the present objects from the garbage collector, so that no timed call pays for them."""
    gc.collect()
    gc.freeze()


def in_new_process(*arguments: str, text: str = "", **environment: str) -> Any:
    """Run Python in a new process and return what its last line of output says as JSON.

    Parameters
    ----------
    *arguments : str
        Of the interpreter.
    text : str
        Standard input.
    **environment : str
        Variables to add.

    Raises
    ------
    RuntimeError
        If it fails, with its last line of standard error.
    """
    done = subprocess.run(
        [sys.executable, *arguments],
        input=text,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    if done.returncode:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise RuntimeError(f"the measuring process failed: {last}")
    return json.loads(done.stdout.splitlines()[-1])
