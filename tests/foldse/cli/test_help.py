"""Help, version and completion: there, complete, and at once."""

import subprocess
import sys

import pytest
import typer

import foldse
from foldse.cli.app import app

from .running import call, run

COMMANDS = ("fit", "show", "predict", "explain", "evaluate", "export", "compare", "edit")
READING = (
    *("--input-format", "--encoding", "--separator", "--decimal", "--thousands", "--sheet", "--missing"),
    *("--no-default-missing", "--no-header"),
)
COLUMNS = ("--target", "--positive", "--numeric", "--categorical", "--drop", "--weight", "--seed")
OPTIONS = {
    "fit": (
        *READING,
        *COLUMNS,
        *("--learner", "--ratio", "--tail", "--heuristic", "--output", "--holdout", "--cv", "--no-score"),
        *("--skip-unlabelled", "--json", "--front", "--max-literals", "--max-rules", "--choose", "--abstain"),
        *("--improvement-threshold", "--confidence-threshold", "--max-rule-length", "--expert-rules"),
    ),
    "show": (*READING, "--json", "--data", "--target", "--skip-unlabelled", "--format", "--rules-only"),
    "edit": (
        *READING,
        *("--rules", "--output", "--data", "--target", "--weight", "--skip-unlabelled", "--default"),
    ),
    "predict": (*READING, "--output", "--proba", "--confidence", "--keep"),
    "explain": (
        *READING,
        *("--row", "--format", "--names", "--counterfactual", "--fixed", "--wanted"),
        *("--answers", "--within", "--direction", "--cost", "--constraint"),
    ),
    "evaluate": (*READING, "--target", "--positive", "--skip-unlabelled", "--json"),
    "export": ("--to", "--output", "--table", "--dialect", "--key"),
    "compare": (*READING, *COLUMNS, "--cv", "--json"),
}


def test_the_help_names_every_command_and_the_exit_codes():
    text = run("--help").stdout
    for command in COMMANDS:
        assert f"\n  {command} " in text
    assert "Exit codes: 0 done; 1 the data or the model cannot be used; 2 wrong usage." in text
    assert set(COMMANDS) == set(OPTIONS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_names_every_option_and_an_example(command):
    done = call(command, "--help")
    assert done.exit_code == 0
    for option in (*OPTIONS[command], "--quiet", "--debug"):
        assert option in done.stdout
    assert f"\n    foldse {command} " in done.stdout  # an example, its line kept
    assert "[default" in done.stdout or command in ("show", "predict")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_and_argument_has_a_text(command):
    parameters = typer.main.get_command(app).commands[command].params
    assert len(parameters) > len(OPTIONS[command])
    assert [parameter.name for parameter in parameters if not parameter.help] == []


def test_the_help_is_the_same_without_colour():
    assert run("fit", "--help", NO_COLOR="1").stdout == run("fit", "--help").stdout
    assert "\x1b" not in run("fit", "--help", TERM="xterm-256color").stdout


def test_the_version():
    assert run("--version").stdout == f"foldse {foldse.__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_script(shell):
    # Without this it is for the shell that the tests were started from, if there was one.
    done = run("--show-completion", shell, _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert done.returncode == 0
    assert "_FOLDSE_COMPLETE" in done.stdout


def test_commands_and_options_are_completed():
    done = run(COMP_WORDS="foldse ex", COMP_CWORD="1", _FOLDSE_COMPLETE="complete_bash")
    assert done.stdout.split() == ["explain", "export"]
    done = run(COMP_WORDS="foldse fit t.csv --lea", COMP_CWORD="3", _FOLDSE_COMPLETE="complete_bash")
    assert done.stdout.split() == ["--learner"]


def test_help_does_not_wait_for_what_only_the_work_needs():
    code = (
        "import sys\nfrom foldse.cli.app import app\n"
        "try:\n    app(['fit', '--help'])\nexcept SystemExit:\n    pass\n"
        "heavy = {'pandas', 'numpy', 'sklearn', 'numba', 'clevercsv', 'chardet'} & set(sys.modules)\n"
        "print(sorted(heavy), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"
