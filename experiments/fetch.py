"""Get the file of every data set, or of those in dataset=NAME,NAME, and report the state of each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omegaconf import DictConfig
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn
from rich.text import Text

from experiments.config import CONFIG_ERRORS, choices, compose, one_line, read_overrides
from experiments.console import err, out, say_error
from experiments.data.config import DataError, DatasetConfig, read
from experiments.data.download import Downloads

# Not a failure: these have no address, and wait for a file of the user's.
YOURS = "yours to supply"
GOOD = ("ok", "cached", "in your folder", "bundled", YOURS)


@dataclass(frozen=True, slots=True)
class Fetched:
    """The state of one data set's file.

    Attributes
    ----------
    id, file : str
    status : str
        One of `GOOD`, ``"wrong checksum"``, ``"unreachable"``, ``"missing"``, ``"not kept"`` or ``"failed"``.
    message : str
        What to do where the status is not good: one line.
    """

    id: str
    file: str
    status: str
    message: str = ""


def fetch(cfg: DictConfig, downloads: Downloads) -> Fetched:
    """Get the file of one data set.

    Parameters
    ----------
    cfg : omegaconf.DictConfig
        The config groups ``dataset`` and ``paths`` are read.
    downloads : Downloads
    """
    name, file = str(cfg.dataset.get("id")), str(cfg.dataset.get("file"))
    data_dir = Path(cfg.paths.data) if cfg.paths.data else None
    try:
        config = DatasetConfig.from_mapping(cfg.dataset)
        return Fetched(name, file, read(config, data_dir, downloads)[0])
    except DataError as error:
        only_yours = error.status == "missing" and cfg.dataset.source == "file"
        return Fetched(name, file, YOURS if only_yours else error.status, str(error))


class Bar:
    """A task of a rich progress bar, with the methods that pooch calls."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self.progress, self.task = progress, task
        self.total = 0  # bytes; set by pooch, 0 where the server does not say

    def update(self, size: int) -> None:
        self.progress.update(self.task, advance=size, total=self.total or None)

    def reset(self) -> None:
        self.progress.reset(self.task)

    def close(self) -> None:
        self.progress.stop_task(self.task)


def fetch_all(names: Sequence[str], overrides: Sequence[str]) -> list[Fetched]:
    """Get the files of the data sets, with a progress bar in a terminal."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    made = []
    with Progress(*columns, console=err(), transient=True, disable=not err().is_terminal) as progress:
        for name in names:
            cfg = compose([f"dataset={name}", *overrides])
            task = progress.add_task(name, total=None)
            made.append(fetch(cfg, Downloads.from_config(cfg.paths, Bar(progress, task))))
            progress.remove_task(task)
            _say(made[-1], progress)
    return made


def _say(done: Fetched, progress: Progress) -> None:
    """Print the state of one data set at once: the next may take its time."""
    style = "green" if done.status in GOOD[:-1] else "yellow" if done.status == YOURS else "bold red"
    line = Text.assemble(f"{done.id:<18}", (f"{done.status:<16}", style), done.file)
    console = progress.console if out().is_terminal and not progress.disable else out()
    console.print(line, soft_wrap=True)
    if done.message:
        console.print(Text(f"    {done.message}"), soft_wrap=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch what `arguments` choose (``dataset=adult,rain``; all if none); return the exit code."""
    given = read_overrides("fetch", __doc__, sys.argv[1:] if arguments is None else arguments)
    chosen = [argument for argument in given if argument.startswith("dataset=")]
    overrides = [argument for argument in given if argument not in chosen]
    try:
        names = chosen[-1].removeprefix("dataset=").split(",") if chosen else choices("dataset")
        made = fetch_all(names, overrides)
    except CONFIG_ERRORS as error:
        say_error(one_line(error))
        return 2
    except KeyboardInterrupt:
        say_error("interrupted; what was fetched is kept, the same command fetches the rest")
        return 130
    bad = [done for done in made if done.status not in GOOD]
    if bad:
        say_error(f"{len(bad)} of {len(made)} not available: {', '.join(done.id for done in bad)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
