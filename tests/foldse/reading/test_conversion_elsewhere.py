"""The pairs of test_conversion.py in the command line and in SQL: the same labels as predict, or an error."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pandas as pd
import pytest

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier, load_model
from foldse.export import to_sql
from tests.foldse.cli.running import call
from tests.foldse.reading.test_conversion import BOOLS, KINDS, LABELS, NUMBERS, TEXTS

# A file or table for each column, and the kind of test_conversion.py that it is made of.
FILES = {
    "CSV: 0, 1": ("int.csv", "int"),
    "CSV: 0.0, 1.0": ("float.csv", "float"),
    "CSV: True, False": ("bool.csv", "bool"),
    "parquet: int": ("int.parquet", "int"),
    "parquet: float": ("float.parquet", "float"),
    "parquet: bool": ("bool.parquet", "bool"),
    "parquet: text": ("text.parquet", "string"),
}
TABLES = {
    "DuckDB: BIGINT": ("frame_int", "int"),
    "DuckDB: DOUBLE": ("frame_float", "float"),
    "DuckDB: BOOLEAN": ("frame_bool", "bool"),
    "DuckDB: VARCHAR": ("frame_text", "string"),
    "read_csv: 0, 1": ("csv_int", "int"),
    "read_csv: 0.0, 1.0": ("csv_float", "float"),
    "read_csv: True, False": ("csv_bool", "bool"),
}


def outcome(learned, later):
    """Say what a model that was learned from a kind makes of a file or table."""
    is_bool = "bool" in later.lower() or "True" in later
    is_text = "text" in later or "VARCHAR" in later
    if later in FILES:  # which reads 1 and 1.0 as the text '1' for a model of text
        if learned in NUMBERS:
            return "error" if is_bool else "yes"
        if learned in BOOLS:
            return "yes" if is_bool else "error"
        return "other text" if later.startswith("CSV: True") else "error" if is_bool else "yes"
    if learned in NUMBERS:
        return "yes"
    if learned in BOOLS:
        return "error" if is_text else "yes"
    return "yes" if is_text else "error"


@pytest.fixture(scope="module")
def places(tmp_path_factory):
    """Return a folder with the files and a database with the tables."""
    folder = tmp_path_factory.mktemp("tables")
    database = duckdb.connect()
    for name, kind in {**FILES, **TABLES}.values():
        frame = pd.DataFrame({"row": range(len(LABELS)), "x": KINDS[kind]()})
        if name.endswith(".parquet"):
            frame.to_parquet(folder / name)
        elif name.startswith("frame"):
            database.register("frame", frame)
            database.execute(f"CREATE TABLE {name} AS SELECT * FROM frame")
        else:
            path = folder / f"{kind}.csv"
            frame.to_csv(path, index=False)
            database.execute(f"CREATE OR REPLACE TABLE csv_{kind} AS SELECT * FROM read_csv('{path}')")
    return folder, database


@pytest.mark.parametrize("classifier", [FoldSEClassifier, FoldRPPClassifier, HeuristicTreeClassifier])
@pytest.mark.parametrize("learned", KINDS)
def test_command_line_and_sql(classifier, learned, places, tmp_path):
    folder, database = places
    model = tmp_path / "model.json"
    classifier().fit(pd.DataFrame({"x": KINDS[learned]()}), LABELS).save(model)
    for later, (name, _) in FILES.items():
        done = call("predict", model, folder / name)
        expected = outcome(learned, later)
        if expected == "error":
            assert done.exit_code == 1, later
            assert "column 'x' held " in done.stderr
            assert "when the model was learned, and now holds" in done.stderr
            continue
        assert done.exit_code == 0, done.stderr
        assert (done.stdout.split()[1:] == LABELS) == (expected == "yes"), later
    if classifier is HeuristicTreeClassifier:  # has no rules to export
        return
    for later, (name, _) in TABLES.items():
        query = to_sql(load_model(model), name, key="row")
        if outcome(learned, later) == "error":
            with pytest.raises(duckdb.Error, match=r"column 'x' held .* when the model was learned, and now"):
                database.execute(query).fetchall()
            continue
        assert [label for _, label, _ in sorted(database.execute(query).fetchall())] == LABELS, later


def test_the_tables_in_the_docs():
    page = (Path(__file__).parents[3] / "docs" / "howto" / "values.md").read_text(encoding="utf-8")
    for places in (FILES, TABLES):
        header = "| learned from | " + " | ".join(places) + " |"
        rows = [
            f"| {learned} | " + " | ".join(outcome(learned, later) for later in places) + " |"
            for learned in KINDS
        ]
        table = "\n".join([header, "|:--" * (len(places) + 1) + "|", *rows])
        assert table in page, table


def test_the_kinds_are_all_named():
    assert {*NUMBERS, *BOOLS, *TEXTS} == {*KINDS}
