"""Rebuilding tables from the tracking store or from ``runs.csv``, and writing them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hydra.errors import HydraException
from omegaconf import DictConfig

from experiments.config import ROOT, compose
from experiments.console import out, say_error
from experiments.store.location import TrackingError, exists
from experiments.store.tracking import Store
from experiments.tables.agreement import agreement, as_written, lost, read
from experiments.tables.build import Table, build
from experiments.tables.figures import ablations as figures
from experiments.tables.published import Published, PublishedError
from experiments.tables.render import html, latex, markdown, terminal
from experiments.tables.runs import RunsFileError, TableRun, from_store, read_csv
from experiments.tables.series import names

__all__ = ["Written", "main", "rebuild", "write"]

SHIPPED = ROOT / "results"
_FROM = "--from"
_USAGE = """\
usage: python -m experiments.tables [--from runs.csv] [KEY=VALUE ...]

Rebuild every table from the tracking store, or from a file that python -m experiments.export wrote.
Tables go to <paths.results>/tables, figures of ablations to <paths.results>/figures. A table that would
lose figures of the file in its place goes to <paths.results>/own.

  tracking.uri=...   another store
  paths.results=...  another folder"""


@dataclass(slots=True)
class Written:
    """A table and its files.

    Attributes
    ----------
    table : Table
    files : list of Path
        The .csv, .md, .tex and .html, and the .svg of an ablation.
    remarks : list of str
        Why it is not where tables are, and how far it agrees with the shipped one.
    """

    table: Table
    files: list[Path]
    remarks: list[str] = field(default_factory=list)


def write(table: Table, folder: Path, name: str | None = None) -> list[Path]:
    """Write a table as .csv, .md, .tex and .html; where there are repetitions, its agreement as another .csv.

    Parameters
    ----------
    table : Table
    folder : Path
        Made where it does not exist.
    name : str, optional
        Of the files, without suffix; by default that of the table.

    Returns
    -------
    list of Path
        The four files, and ``<name>_agreement.csv``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "csv": table.rows.to_csv(index=False, lineterminator="\n"),
        "md": markdown(table),
        "tex": latex(table),
        "html": html(table),
    }
    paths = []
    for suffix, text in texts.items():
        path = folder / f"{name or table.experiment.file_name}.{suffix}"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    if len(table.agreement):
        path = folder / f"{name or table.experiment.file_name}_agreement.csv"
        table.agreement.to_csv(path, index=False, lineterminator="\n")
        paths.append(path)
    return paths


def rebuild(
    cfg: DictConfig, only: Sequence[str] | None = None, runs: Sequence[TableRun] | None = None
) -> list[Written]:
    """Rebuild tables and write them to ``<paths.results>/tables``, figures to ``<paths.results>/figures``.

    A table never replaces a file that has figures which it lacks, and the shipped one is replaced only by its
    experiment as it stands: others go to ``<paths.results>/own``.

    Parameters
    ----------
    cfg : omegaconf.DictConfig
        The config groups ``tracking`` and ``paths`` are read.
    only : sequence of str, optional
        Rebuild these tables alone.
    runs : sequence of TableRun, optional
        By default those of the store.
    """
    if runs is None:
        if not exists(cfg.tracking.uri):
            raise TrackingError(
                f"tracking.uri={cfg.tracking.uri}: no such file; "
                "fill it with python -m experiments -m experiment=quickstart"
            )
        runs = from_store(Store.from_config(cfg.tracking).read())
    published = Published.read(Path(cfg.paths.published))
    made = [build(name, runs, published) for name in (names(runs) if only is None else only)]
    return [_write(table, Path(cfg.paths.results)) for table in made if table is not None]


def _write(table: Table, results: Path) -> Written:
    folder, remarks = _place(table, results)
    own = folder.name == "own"
    # In a folder of the user's own, the one form of an experiment that was run there has its plain name.
    name = table.experiment.file_name if own else table.experiment.base
    files = write(table, folder, name)
    if (figure := figures.write(table, folder if own else results / "figures", name)) is not None:
        files.append(figure)
    shipped = read(SHIPPED / "tables" / f"{table.experiment.base}.csv")
    if shipped is not None and results.resolve() != SHIPPED and not table.experiment.changed:
        remarks += agreement(as_written(table.rows), shipped)
    return Written(table, files, remarks)


def _place(table: Table, results: Path) -> tuple[Path, list[str]]:
    """Return the folder of a table, and why it is not the usual one."""
    usual, own = results / "tables", results / "own"
    path = usual / f"{table.experiment.base}.csv"
    if table.experiment.changed and results.resolve() == SHIPPED:
        changed = ", ".join(table.experiment.changed)
        return own, [f"{path} is of the experiment as it stands; this table has another {changed}"]
    there = read(path)
    missing = [] if there is None else lost(as_written(table.rows), there)
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        return own, [f"{path} is left as it is: it has figures that the runs lack ({missing[0]}{more})"]
    return usual, []


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild every table; `arguments` are overrides such as ``tracking.uri=...``. Return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if {"-h", "--help"} & set(given):
        out().print(_USAGE, markup=False)
        return 0
    try:
        runs = None
        if _FROM in given:
            place = given.index(_FROM)
            if place + 1 == len(given):
                raise RunsFileError("--from needs a file, such as results/runs.csv")
            runs = read_csv(Path(given[place + 1]))
            del given[place : place + 2]
        made = rebuild(compose(given), runs=runs)
    except (TrackingError, PublishedError, RunsFileError, HydraException, OSError) as error:
        say_error(str(error))
        return 1
    for written in made:
        show(written)
    if not made:
        out().print(
            "The store has no runs of a named experiment: run python -m experiments -m experiment=quickstart"
        )
    return 0


def show(written: Written) -> None:
    """Print a table, its files and remarks."""
    console = out()
    console.print(terminal(written.table, console.width))
    first, *others = written.files
    console.print(
        f"{first} {' '.join(path.name.removeprefix(first.stem) for path in others)}", soft_wrap=True
    )
    for remark in written.remarks:
        console.print(remark, markup=False, soft_wrap=True)
