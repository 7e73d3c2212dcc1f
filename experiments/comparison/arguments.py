"""The command lines of comparisons: what is compared, settings, and overrides of the configuration."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hydra.errors import HydraException

from experiments.comparison.scores import ComparisonError
from experiments.config import did_you_mean
from experiments.console import out, say_error
from experiments.store.location import TrackingError
from experiments.tables.runs import RunsFileError

_FROM = "--from"


@dataclass(slots=True)
class Arguments:
    """What a command line says.

    Attributes
    ----------
    sources : list of str
        What is compared: names of experiments, or a file.
    runs : str or None
        The file behind ``--from``.
    settings : dict of str to str
        Those of the command.
    overrides : list of str
        Those of the configuration, such as ``tracking.uri=...``.
    """

    sources: list[str] = field(default_factory=list)
    runs: str | None = None
    settings: dict[str, str] = field(default_factory=dict)
    overrides: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, arguments: Sequence[str], known: Sequence[str]) -> Arguments:
        """Sort arguments; `known` are the settings of the command.

        Raises
        ------
        ComparisonError
            If an argument is none of these.
        """
        made, waiting = cls(), list(arguments)
        while waiting:
            argument = waiting.pop(0)
            key, is_setting, value = argument.partition("=")
            if argument == _FROM:
                if not waiting:
                    raise ComparisonError("--from needs a file, such as results/runs.csv")
                made.runs = waiting.pop(0)
            elif argument.startswith("-"):
                raise ComparisonError(f"unknown option {argument}; see --help")
            elif not is_setting:
                made.sources.append(argument)
            elif key in known:
                made.settings[key] = value
            elif "." in key:
                made.overrides.append(argument)
            else:
                hint = did_you_mean(key, known)
                raise ComparisonError(f"unknown setting {key}: {hint}there are {', '.join(known)}")
        return made

    def number(self, key: str, default: float) -> float:
        """Return a setting that is a number."""
        try:
            return float(self.settings.get(key, default))
        except ValueError:
            raise ComparisonError(f"{key}={self.settings[key]} must be a number") from None

    def names(self, key: str) -> list[str] | None:
        """Return a setting that lists names; None where it is not given."""
        return self.settings[key].split(",") if key in self.settings else None


def run_command(
    do: Callable[[Arguments], None], usage: str, known: Sequence[str], arguments: Sequence[str] | None
) -> int:
    """Do what a command line asks for; return the exit code.

    Parameters
    ----------
    do : callable
    usage : str
        What ``--help`` prints.
    known : sequence of str
        The settings of the command.
    arguments : sequence of str or None
        Without the name of the command; None for those of this process.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if {"-h", "--help"} & set(given):
        out().print(usage)
        return 0
    try:
        do(Arguments.read(given, known))
    except (ComparisonError, TrackingError, RunsFileError, HydraException, OSError) as error:
        say_error(str(error))
        return 1
    return 0
