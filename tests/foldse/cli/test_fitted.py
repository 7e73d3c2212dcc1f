"""Rows for a model are read as the model needs them, whatever they look like in this file."""

import json

import pandas as pd
import pytest

from foldse import FoldSEClassifier
from foldse.cli.errors import CommandError
from foldse.cli.fitted import rows_of

from .running import call


def learned(X, y, tmp_path, **settings):
    path = tmp_path / "m.json"
    clf = FoldSEClassifier(tail=0, **settings).fit(X, pd.Series(y, name="y"))
    clf.save(path)
    return clf, path


def predicted(path, data, text):
    data.write_text(text)
    done = call("predict", path, data)
    assert done.exit_code == 0, done.stderr
    return done.stdout.split()[1:], done.stderr


def test_codes_that_are_all_digits_in_this_file_are_text(tmp_path):
    X = pd.DataFrame({"code": ["7", "A1", "7", "A2"]})
    clf, path = learned(X, ["p", "n", "p", "n"], tmp_path, pos_label="p")
    assert str(clf.rules_) == "y(X,'p') :- code(X,'7')."
    labels, _ = predicted(path, tmp_path / "t.csv", "code,z\n7,1\n8,1\n")
    assert labels == ["p", "n"]


def test_a_word_among_numbers_does_not_make_them_text(tmp_path):
    X = pd.DataFrame({"age": [10.0, 20, 30, 40]})
    clf, path = learned(X, ["p", "p", "n", "n"], tmp_path, pos_label="p")
    assert str(clf.rules_) == "y(X,'p') :- age(X,N1), N1=<20.0."
    data = tmp_path / "t.csv"
    labels, _ = predicted(path, data, "age,z\n5,1\nNA,1\n35,1\n007,2\n")
    assert labels == ["p", "n", "n", "p"]
    # A word is neither a number nor a missing value, unless that is said.
    data.write_text("age,z\n5,1\nunknown,1\n")
    done = call("predict", path, data)
    assert done.exit_code == 1
    assert "column 'age' held numbers when the model was learned, and now holds 'unknown'" in done.stderr
    assert call("predict", path, data, "--missing", "unknown").stdout.split() == ["prediction", "p", "n"]


def test_decimal_commas_are_numbers_for_the_model(tmp_path):
    X = pd.DataFrame({"size": [1.25, 1.5, 2.5, 3.5]})
    _, path = learned(X, ["p", "p", "n", "n"], tmp_path, pos_label="p")
    labels, _ = predicted(path, tmp_path / "t.csv", "size;z\n1,5;a\n2,5;b\n1,75;c\n")
    assert labels == ["p", "n", "n"]


def test_truth_values_of_a_model_from_python(tmp_path):
    X = pd.DataFrame({"member": [True, False, True, False]})
    clf, path = learned(X, ["p", "n", "p", "n"], tmp_path, pos_label="p")
    literal = clf.rules_[0].body[0]
    assert isinstance(literal.value, bool)
    labels, _ = predicted(path, tmp_path / "t.csv", "member,z\nTrue,1\nFALSE,1\ntrue,2\n")
    assert labels == ["p", "n", "p"]


def test_numbers_that_are_categories_of_a_model_from_python(tmp_path):
    X = pd.DataFrame({"kind": [1, 2, 1, 3]})
    clf, path = learned(X, ["p", "n", "p", "n"], tmp_path, pos_label="p", categorical_features=["kind"])
    assert clf.rules_[0].body[0].value == 1
    labels, _ = predicted(path, tmp_path / "t.csv", "kind,z\n1,1\n2,1\n1,2\n")
    assert labels == ["p", "n", "p"]


def write_as(table, path):
    """Write a table in the kind of file that the name of the path says."""
    {".csv": table.to_csv, ".parquet": table.to_parquet, ".xlsx": table.to_excel}[path.suffix](
        path, index=False
    )


@pytest.mark.parametrize("learned_from", ["t.csv", "t.parquet", "t.xlsx"])
@pytest.mark.parametrize("met_in", ["t.csv", "t.parquet", "t.xlsx"])
@pytest.mark.parametrize("kind", ["truth", "TRUE", "whole", "float"])
def test_a_category_is_the_same_in_every_kind_of_file(kind, learned_from, met_in, tmp_path):
    """TRUE in a CSV is true in parquet and in a workbook; 2 is 2.0."""
    pytest.importorskip("pyarrow")
    pytest.importorskip("openpyxl")
    pytest.importorskip("python_calamine")
    values = {"truth": [True, False], "TRUE": [True, False], "whole": [2, 3], "float": [2.0, 3.0]}[kind]
    table = pd.DataFrame({"v": values * 10, "y": ["p", "n"] * 10})
    first, second = tmp_path / f"learn-{learned_from}", tmp_path / f"meet-{met_in}"
    write_as(table, first)
    if kind == "TRUE" and first.suffix == ".csv":
        first.write_text(first.read_text().replace("True", "TRUE").replace("False", "FALSE"))
    other = {"whole": lambda v: v.astype(float), "float": lambda v: v.astype(int)}.get(kind, lambda v: v)
    write_as(table.assign(v=other(table["v"])), second)
    model = tmp_path / "m.json"
    done = call("fit", first, "-t", "y", "-p", "p", "--categorical", "v", "--no-score", "-o", model)
    assert done.exit_code == 0, done.stderr
    assert call("predict", model, second).stdout.split()[1:] == ["p", "n"] * 10


def test_labels_are_compared_in_the_type_of_the_model(tmp_path):
    X = pd.DataFrame({"age": [10.0, 20, 30, 40]})
    data = tmp_path / "t.csv"
    data.write_text("age,y\n5,01\n50,2\n")
    _, path = learned(X, ["01", "01", "2", "2"], tmp_path)
    assert json.loads(call("evaluate", path, data, "--json").stdout)["accuracy"] == 1
    data.write_text("age,y\n5,1\n50,2\n")
    _, path = learned(X, [1, 1, 2, 2], tmp_path)
    assert json.loads(call("evaluate", path, data, "--json").stdout)["confusion"] == [[1, 0], [0, 1]]
    data.write_text("age,y\n5,true\n50,false\n50,\n")
    _, path = learned(X, [True, True, False, False], tmp_path)
    assert call("evaluate", path, data).exit_code == 1
    done = call("evaluate", path, data, "--json", "--skip-unlabelled")
    assert json.loads(done.stdout)["confusion"] == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("given", "rows"),
    [
        (None, [0, 1, 2, 3, 4]),
        (["2"], [2]),
        (["-1", "0"], [4, 0]),
        (["1:3"], [1, 2]),
        (["3:"], [3, 4]),
        ([":2"], [0, 1]),
        (["3:99"], [3, 4]),
    ],
)
def test_rows(given, rows):
    assert rows_of(given, 5) == rows


@pytest.mark.parametrize("given", ["5", "-6", "a", "1:b", ""])
def test_rows_that_are_none(given):
    with pytest.raises(CommandError, match="--row"):
        rows_of([given], 5)
