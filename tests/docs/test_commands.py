"""Lines of the documentation that start with ``foldse`` run as typed, and so do the examples of the help."""

from __future__ import annotations

import gzip
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("typer", reason="the command needs typer")

from tests.foldse.cli.running import call

pytestmark = pytest.mark.commands

ROOT = Path(__file__).parents[2]
COMMANDS = ("fit", "predict", "show", "explain", "evaluate", "export", "compare")


def code_lines(text: str) -> list[str]:
    """Return the lines of the code blocks of a page."""
    fenced = "\n".join(re.findall(r"^```\w*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    indented = re.findall(
        r"^ {4}.*$", re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE
    )
    return [line.strip() for line in [*fenced.splitlines(), *indented]]


TEXTS = {
    page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8")
    for page in sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    if "_build" not in page.parts
}
PAGES = {
    page: [line for line in code_lines(text) if re.match(r"foldse [a-z-]", line)]
    for page, text in TEXTS.items()
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Return a folder with the files that the lines name, as the current one."""
    n = 60
    people = pd.DataFrame(
        {
            "id": range(100, 100 + n),
            "name": [f"person {row}" for row in range(n)],
            "age": [20 + 7 * row % 50 for row in range(n)],
            "work": [["private", "state", "none"][row % 3] for row in range(n)],
            "region": [["north", "south"][row % 2] for row in range(n)],
        }
    )
    people["income"] = [
        "<=50K" if a < 45 or w == "none" else ">50K"
        for a, w in zip(people["age"], people["work"], strict=True)
    ]
    people.to_csv(tmp_path / "people.csv", index=False)
    people.drop(columns="income").to_csv(tmp_path / "new.csv", index=False)
    people[::-1].to_csv(tmp_path / "test.csv", index=False)
    (tmp_path / "new.csv.gz").write_bytes(gzip.compress((tmp_path / "new.csv").read_bytes()))
    survey = people.rename(columns={"income": "answer"}).to_csv(index=False, sep="\t")
    (tmp_path / "survey.tsv.gz").write_bytes(gzip.compress(survey.encode()))
    kunden = (
        people.rename(columns={"income": "kauf"}).assign(größe=1.5).to_csv(index=False, sep=";", decimal=",")
    )
    (tmp_path / "kunden.csv").write_bytes(kunden.encode("cp1252"))
    shutil.copy(ROOT / "docs" / "animals.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_documentation_has_commands():
    assert len(PAGES["README.md"]) >= 5
    assert len(PAGES["docs/howto/command-line.md"]) >= 8


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", [page for page, lines in PAGES.items() if lines])
def test_commands_of_a_page_run_as_typed(page):
    done = subprocess.run(
        [
            "bash",
            "-eu",
            "-c",
            f'foldse() {{ {shlex.quote(sys.executable)} -m foldse "$@"; }}\n' + "\n".join(PAGES[page]),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT), "NO_COLOR": "1", "TERM": "dumb"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("command", COMMANDS)
def test_examples_of_the_help_run(command):
    """Each up to the first pipe, within one process."""
    for words in (["fit", "people.csv", "-t", "income", "-o", "model.json", "--no-score"],):
        assert call(*words).exit_code == 0
    examples = [
        line.strip() for line in call(command, "--help").stdout.splitlines() if line.startswith("    ")
    ]
    examples = [line for line in examples if re.match(r"(\w+ .*\| )?foldse [a-z]", line)]
    assert examples
    for example in examples:
        words = shlex.split(example)
        start = words.index("foldse")
        words = words[start + 1 :]
        for sign in ("|", ">"):
            words = words[: words.index(sign)] if sign in words else words
        words = ["new.csv" if word == "-" else word for word in words]
        done = call(*words)
        assert done.exit_code == 0, f"{example}\n{done.stderr}"
