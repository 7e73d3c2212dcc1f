"""``python -m experiments.fetch``: get the file of every data set, and say of each where it stands."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hydra.errors import HydraException
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn
from rich.text import Text

from experiments.config import ConfigError, check_choices, choices, compose
from experiments.console import err, out, say_error
from experiments.data.config import DataError, DatasetConfig, read
from experiments.data.download import Downloads

# No failure: these have no address, and wait for a file of the user's.
YOURS = "yours to supply"
GOOD = ("ok", "cached", "in your folder", "bundled", YOURS)


@dataclass(frozen=True, slots=True)
class Fetched:
    """What came of one data set.

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


def fetch_all(names: Sequence[str], overrides: Sequence[str]) -> list[Fetched]:
    """Get the files of the data sets, with a progress bar in a terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    made = []
    with Progress(*columns, console=err(), transient=True, disable=not err().is_terminal) as progress:
        for name in names:
            cfg = compose([f"dataset={name}", *overrides])
            bar = progress.add_task(name, total=None)

            def watch(had: int, total: int, bar: int = bar) -> None:
                progress.update(bar, completed=had, total=total or None)  # type: ignore[arg-type]

            made.append(fetch(cfg, Downloads.from_config(cfg.paths, watch)))
            progress.remove_task(bar)
            _say(made[-1], progress)
    return made


def _say(done: Fetched, progress: Progress) -> None:
    """Print the outcome of one data set at once: the next may take its time."""
    style = "green" if done.status in GOOD[:-1] else "yellow" if done.status == YOURS else "bold red"
    line = Text.assemble(f"{done.id:<18}", (f"{done.status:<16}", style), done.file)
    console = progress.console if out().is_terminal and not progress.disable else out()
    console.print(line, soft_wrap=True)
    if done.message:
        console.print(Text(f"    {done.message}"), soft_wrap=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Fetch what `arguments` choose (``dataset=adult,rain``; all if none); return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    chosen = [argument for argument in given if argument.startswith("dataset=")]
    overrides = [argument for argument in given if argument not in chosen]
    try:
        check_choices(chosen)
        names = chosen[-1].removeprefix("dataset=").split(",") if chosen else choices("dataset")
        made = fetch_all(names, overrides)
    except (ConfigError, HydraException, OmegaConfBaseException) as error:
        say_error(str(error))
        return 2
    except KeyboardInterrupt:
        say_error("interrupted; what was fetched is kept, the same command fetches the rest")
        return 130
    bad = [done for done in made if done.status not in GOOD]
    if bad:
        say_error(f"{len(bad)} of {len(made)} not to be had: {', '.join(done.id for done in bad)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
