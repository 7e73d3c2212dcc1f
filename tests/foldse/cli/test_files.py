"""The same table in every kind of file gives the same model, byte for byte."""

import bz2
import gzip
import io
import lzma
import zipfile

import numpy as np
import pandas as pd
import pytest

from foldse import FoldSEClassifier
from foldse.cli.files.tables import read_table
from foldse.cli.options import Reading
from foldse.export import to_json

from .running import call, people

KINDS = [
    *("t.csv", "t.tsv", "t.txt", "t.parquet", "t.xlsx", "t.ods", "t.arff", "plain"),
    *("t.csv.gz", "t.csv.bz2", "t.csv.xz", "t.csv.zip", "t.arff.gz", "packed"),
]


def arff_text(table):
    arff = pytest.importorskip("arff")
    kinds = [
        (name, "NUMERIC" if pd.api.types.is_numeric_dtype(column) else sorted(column.dropna().unique()))
        for name, column in table.items()
    ]
    rows = [[None if pd.isna(v) else v for v in row] for row in table.itertuples(index=False)]
    return arff.dumps({"relation": "people", "attributes": kinds, "data": rows}).encode()


def write(table, path):
    """Write a table in the kind of file that the name of the path says."""
    name = path.name
    text = table.to_csv(index=False).encode()
    if name in ("t.csv", "t.txt", "plain"):
        path.write_bytes(text)
    elif name == "t.tsv":
        path.write_bytes(table.to_csv(index=False, sep="\t").encode())
    elif name == "t.parquet":
        pytest.importorskip("pyarrow")
        table.to_parquet(path)
    elif name == "t.xlsx":
        pytest.importorskip("openpyxl")
        pytest.importorskip("python_calamine")
        table.to_excel(path, index=False)
    elif name == "t.ods":
        pytest.importorskip("odf")
        table.to_excel(path, index=False, engine="odf")
    elif name == "t.arff":
        path.write_bytes(arff_text(table))
    elif name == "t.arff.gz":
        path.write_bytes(gzip.compress(arff_text(table)))
    elif name == "t.csv.zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("inside.csv", text)
    else:
        pack = {"t.csv.gz": gzip, "t.csv.bz2": bz2, "t.csv.xz": lzma, "packed": gzip}[name]
        path.write_bytes(pack.compress(text))


@pytest.fixture(scope="module")
def expected():
    table = people()
    return to_json(FoldSEClassifier().fit(table.drop(columns="buys"), table["buys"]))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_file_gives_the_same_model(kind, expected, tmp_path):
    table = people()
    write(table, tmp_path / kind)
    out = tmp_path / "m.json"
    done = call("fit", tmp_path / kind, "-t", "buys", "--no-score", "-o", out)
    assert done.exit_code == 0, done.stderr
    assert out.read_text(encoding="utf-8") == expected
    predicted = call("predict", out, tmp_path / kind).stdout.split()[1:]
    clf = FoldSEClassifier().fit(table.drop(columns="buys"), table["buys"])
    assert predicted == clf.predict(table.drop(columns="buys")).tolist()


def test_a_german_export_gives_the_same_model(expected, tmp_path):
    table = people()
    path, out = tmp_path / "leute.csv", tmp_path / "m.json"
    path.write_bytes(table.to_csv(index=False, sep=";", decimal=",").encode("latin-1"))
    done = call("fit", path, "-t", "buys", "--no-score", "-o", out)
    assert "separator ';', decimal comma" in done.stderr
    assert out.read_text(encoding="utf-8").replace('  "code_page": "cp1252",\n', "") == expected


def test_labels_of_any_type_come_out_the_same(tmp_path):
    """Whole numbers as labels: in ARFF, and beside an empty cell, a file has them as floats."""
    table = people().assign(buys=[row % 3 for row in range(60)])
    models = []
    for kind in ("t.csv", "t.arff", "t.parquet", "t.xlsx"):
        write(table, tmp_path / kind)
        out = tmp_path / f"{kind}.json"
        assert call("fit", tmp_path / kind, "-t", "buys", "--no-score", "-o", out).exit_code == 0
        models.append(out.read_text(encoding="utf-8"))
    assert '"labels": [0, 1, 2]' in models[0]
    assert len(set(models)) == 1


def test_every_dtype_of_a_parquet_file_is_a_number_or_text(tmp_path):
    pytest.importorskip("pyarrow")
    table = pd.DataFrame(
        {
            "small": np.array([1, 2, 3], dtype=np.int8),
            "single": np.array([0.5, np.nan, 2], dtype=np.float32),
            "whole": pd.array([1, None, 3], dtype="Int64"),
            "truth": [True, False, True],
            "maybe": pd.array([True, None, False], dtype="boolean"),
            "kind": pd.Categorical(["b", "a", None]),
            "kind of number": pd.Categorical([3, 1, 3]),
            "day": pd.to_datetime(["2024-01-05", None, "2024-02-01"]),
            "text": ["007", "x", None],
        }
    )
    table.to_parquet(tmp_path / "t.parquet")
    read = read_table(str(tmp_path / "t.parquet"), Reading()).frame
    cells = {name: [None if pd.isna(v) else v for v in column] for name, column in read.items()}
    assert cells == {
        "small": [1, 2, 3],
        "single": [0.5, None, 2.0],
        "whole": [1.0, None, 3.0],
        "truth": ["True", "False", "True"],
        "maybe": ["True", None, "False"],
        "kind": ["b", "a", None],
        "kind of number": [3, 1, 3],  # the file does not say that they are categories
        "day": ["2024-01-05", None, "2024-02-01"],
        "text": ["007", "x", None],
    }


def test_a_named_index_of_a_parquet_file_is_a_column(tmp_path):
    pytest.importorskip("pyarrow")
    table = pd.DataFrame({"a": [1, 2]}, index=pd.Index(["p", "q"], name="who"))
    table.to_parquet(tmp_path / "t.parquet")
    assert read_table(str(tmp_path / "t.parquet"), Reading()).frame.columns.tolist() == ["who", "a"]


def test_sheets_are_found_by_name_and_place(tmp_path):
    pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    path = tmp_path / "t.xlsx"
    with pd.ExcelWriter(path) as book:
        pd.DataFrame({"a": [1], "y": ["x"]}).to_excel(book, sheet_name="first", index=False)
        pd.DataFrame({"b": ["007"], "y": ["z"]}).to_excel(book, sheet_name="second", index=False)
    assert read_table(str(path), Reading()).frame.columns.tolist() == ["a", "y"]
    for sheet in ("second", "1"):
        assert read_table(str(path), Reading(sheet=sheet)).frame.to_numpy().tolist() == [["007", "z"]]
    headless = read_table(str(path), Reading(no_header=True)).frame
    assert headless.to_numpy().tolist() == [["a", "y"], ["1", "x"]]
    done = call("fit", path, "-t", "y", "--sheet", "secnd")
    assert "has no sheet 'secnd'; did you mean 'second'?" in done.stderr


def test_missing_values_in_files_with_types(tmp_path):
    pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    table = pd.DataFrame({"a": [1, -999, 3], "b": ["?", "NA", "k"], "y": ["p", "q", "p"]})
    table.to_excel(tmp_path / "t.xlsx", index=False)
    read = read_table(str(tmp_path / "t.xlsx"), Reading(missing=["-999", "?"])).frame
    assert [None if pd.isna(v) else v for v in read["a"]] == [1, None, 3]
    assert [None if pd.isna(v) else v for v in read["b"]] == [None, None, "k"]
    read = read_table(str(tmp_path / "t.xlsx"), Reading(no_default_missing=True)).frame
    assert read["b"].tolist() == ["?", "NA", "k"]


def test_sparse_arff(tmp_path):
    pytest.importorskip("arff")
    path = tmp_path / "t.arff"
    path.write_text(
        "@relation s\n@attribute a numeric\n@attribute b {p,q}\n@attribute y {no,yes}\n"
        "@data\n{0 2.5, 2 yes}\n{1 q}\n"
    )
    read = read_table(str(path), Reading()).frame
    assert read.to_numpy().tolist() == [[2.5, "p", "yes"], [0, "q", "no"]]


def test_dates_of_arff_are_text_and_noted(tmp_path, capsys):
    pytest.importorskip("arff")
    path = tmp_path / "t.arff"
    path.write_text(
        "@relation s\n@attribute 'the day' DATE \"yyyy-MM-dd\"\n@attribute a numeric\n@attribute y {no,yes}\n"
        '@data\n"2024-01-05",1,yes\n"2024-02-06",2,no\n'
    )
    read = read_table(str(path), Reading()).frame
    assert read.to_numpy().tolist() == [["2024-01-05", 1, "yes"], ["2024-02-06", 2, "no"]]
    assert "column 'the day' has dates, each of them a category of its own" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["list", "struct", "map"])
def test_a_nested_column_is_named_and_can_be_dropped(kind, tmp_path):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    nested = {
        "list": pa.array([[1, 2], [3]] * 10),
        "struct": pa.array([{"b": 1}, {"b": 2}] * 10),
        "map": pa.array([[("k", 1)], [("k", 2)]] * 10, pa.map_(pa.string(), pa.int64())),
    }[kind]
    table = pa.table({"deep": nested, "a": [1, 2] * 10, "y": ["p", "q"] * 10})
    pq.write_table(table, tmp_path / "t.parquet")
    done = call("fit", tmp_path / "t.parquet", "-t", "y", "--no-score")
    assert done.exit_code == 1
    assert "column 'deep' has a value of type" in done.stderr
    assert done.stderr.endswith("leave it out: --drop 'deep'\n")
    assert call("fit", tmp_path / "t.parquet", "-t", "y", "--no-score", "--drop", "deep").exit_code == 0


def test_an_archive_with_two_files_is_refused(tmp_path):
    path = tmp_path / "t.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", "a,y\n1,2\n")
        archive.writestr("b.csv", "a,y\n1,2\n")
    done = call("fit", path, "-t", "y")
    assert done.exit_code == 1
    assert "holds 2 files; give one with a single table" in done.stderr


def test_a_format_that_the_name_does_not_say(tmp_path):
    path = tmp_path / "t.dat"
    stream = io.BytesIO(people().to_csv(index=False, sep="\t").encode())
    path.write_bytes(stream.getvalue())
    read = read_table(str(path), Reading()).frame
    assert read.shape == (60, 5)
    assert read_table(str(path), Reading(separator="tab", encoding="utf-8")).frame.equals(read)
