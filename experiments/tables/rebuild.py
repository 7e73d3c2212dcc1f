"""Rebuilding tables from the tracking store, and writing them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from hydra.errors import HydraException
from omegaconf import DictConfig

from experiments.config import compose
from experiments.console import out, say_error
from experiments.store.tracking import Store, TrackingError, exists
from experiments.tables import figures
from experiments.tables.build import Table, build, names
from experiments.tables.published import Published, PublishedError
from experiments.tables.render import html, latex, markdown, terminal

__all__ = ["main", "rebuild", "write"]


def write(table: Table, folder: Path) -> list[Path]:
    """Write a table as .csv, .md, .tex and .html.

    Parameters
    ----------
    table : Table
    folder : Path
        Made where it does not exist.

    Returns
    -------
    list of Path
        The four files.
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
        path = folder / f"{table.name}.{suffix}"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def rebuild(cfg: DictConfig, only: str | None = None) -> list[Table]:
    """Rebuild the tables that the store has runs of, and write them to ``<paths.results>/tables``.

    The figures of the ablations are drawn from them, to ``<paths.results>/figures``.

    Parameters
    ----------
    cfg : omegaconf.DictConfig
        The config groups ``tracking`` and ``paths`` are read.
    only : str, optional
        Rebuild this table alone.
    """
    if not exists(cfg.tracking.uri):
        raise TrackingError(
            f"tracking.uri={cfg.tracking.uri}: no such file; "
            "fill it with python -m experiments -m experiment=quickstart"
        )
    published = Published.read(Path(cfg.paths.published))
    records = Store.from_config(cfg.tracking).read()
    made = [build(name, records, published) for name in ([only] if only else names(records))]
    tables = [table for table in made if table is not None]
    for table in tables:
        write(table, Path(cfg.paths.results) / "tables")
    if any(table.name.startswith("ablation") for table in tables):
        for table in tables:
            figures.write(table, Path(cfg.paths.results) / "figures")
    return tables


def main(arguments: Sequence[str] | None = None) -> int:
    """Rebuild every table; `arguments` are overrides such as ``tracking.uri=...``. Return the exit code."""
    try:
        tables = rebuild(compose(sys.argv[1:] if arguments is None else arguments))
    except (TrackingError, PublishedError, HydraException) as error:
        say_error(str(error))
        return 1
    for table in tables:
        out().print(terminal(table, out().width))
    if not tables:
        out().print(
            "The store has no runs of a named experiment: run python -m experiments -m experiment=quickstart"
        )
    return 0
