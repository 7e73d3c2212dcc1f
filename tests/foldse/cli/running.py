"""Running the command: in a process of its own, or here, which is quicker."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
from typer.testing import CliRunner

from foldse.cli.app import app
from foldse.cli.messages import set_quiet

DATA = Path(__file__).parents[3] / "experiments" / "data"


def run(*arguments: Any, stdin: bytes | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run ``foldse`` as a user does."""
    done = subprocess.run(
        [sys.executable, "-m", "foldse", *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        env={**os.environ, **environment},
        timeout=300,
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def call(*arguments: Any) -> Any:
    """Run ``foldse`` in this process; the result has exit_code, stdout and stderr."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    set_quiet(False)  # a command is quiet for as long as its process lives
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def people(n_rows: int = 60) -> pd.DataFrame:
    """Return a table whose column buys follows from the others; every kind of value is in it."""
    rows = range(n_rows)
    table = pd.DataFrame(
        {
            "age": [18 + 7 * row % 60 for row in rows],
            "income": [None if row % 17 == 5 else (row * 37 % 101) / 4 + 0.25 for row in rows],
            "city": [None if row % 13 == 2 else ["Köln", "Münster", "Aachen"][row % 3] for row in rows],
            "code": [["007", "042", "100"][row // 2 % 3] for row in rows],
        }
    )
    wants = (table["age"] > 40) & (table["city"] != "Köln") | (table["code"] == "007")
    table["buys"] = wants.map({True: "yes", False: "no"})
    return table
