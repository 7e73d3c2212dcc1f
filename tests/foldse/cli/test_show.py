"""The rules as a table in the command line, and files that have only the columns of the rules."""

import io
import json
from dataclasses import replace

import pandas as pd
import pytest

from foldse import load_model
from tests.foldse.model.by_hand import X, Y, passengers

from .running import call


@pytest.fixture
def files(tmp_path):
    """Return the paths of a model and of its table, and a table of the frame that its rules give."""
    clf = passengers()
    clf.raw_rules_ = clf.rules_ = replace(clf.rules_, default_support=(0.0, 0.0))  # a file has them
    clf.save(tmp_path / "m.json")
    X.assign(survived=Y, id=range(8)).to_csv(tmp_path / "t.csv", index=False)
    return tmp_path / "m.json", tmp_path / "t.csv", clf.rules_.to_frame(X, Y, default=True)


def fails(code, message, *arguments):
    done = call(*arguments)
    assert done.exit_code == code, done.stderr
    assert done.stdout == ""
    assert done.stderr.splitlines()[-1] == f"foldse: error: {message}"


def test_the_table_is_the_frame(files):
    model, data, expected = files
    done = call("show", model, "--data", data, "--format", "csv")
    assert done.exit_code == 0, done.stderr
    found = pd.read_csv(io.StringIO(done.stdout))
    pd.testing.assert_frame_equal(found, expected, check_dtype=False)
    done = call("show", model, "--data", data, "--format", "json")
    entries = json.loads(done.stdout)
    assert entries["schema"] == 1
    pd.testing.assert_frame_equal(pd.DataFrame(entries["rules"]), expected, check_dtype=False)


def test_the_table_as_text(files):
    model, data, _ = files
    done = call("show", model, "--data", data)
    assert done.stdout.splitlines() == [
        "name      label  rows  coverage  precision  recall   lift  confidence        interval  rule",
        "survived  'yes'     2     0.250      1.000   0.667  2.667       0.591  0.182 to 1.000  "
        "survived(X,'yes') :- sex(X,'f'), not ab2(X,'True').",
        "survived  'yes'     2     0.250      0.500   0.333  1.333       0.500  0.048 to 0.952  "
        "survived(X,'yes') :- age(X,N1), N1=<10.0.",
        "ab1       'yes'     1     0.125      1.000   0.333  2.667       0.550  0.100 to 1.000  "
        "ab1(X,'True') :- fare(X,N2), N2>40.0.",
        "ab2       'yes'     2     0.250      1.000   0.400  1.600       0.591  0.182 to 1.000  "
        "ab2(X,'True') :- age(X,N1), N1>30.0, not ab1(X,'True').",
        "survived  'no'      4     0.500      1.000   0.800  1.600       0.654  0.308 to 1.000  "
        "otherwise survived(X,'no')",
    ]


def test_without_data_the_table_is_of_training(tmp_path):
    table = X.assign(survived=Y)
    table.to_csv(tmp_path / "t.csv", index=False)
    model = tmp_path / "m.json"
    assert call("fit", tmp_path / "t.csv", "-t", "survived", "--no-score", "-o", model).exit_code == 0
    found = pd.read_csv(io.StringIO(call("show", model, "--format", "csv").stdout))
    expected = load_model(model).rules_.to_frame(default=True)
    pd.testing.assert_frame_equal(found, expected, check_dtype=False)
    assert found["covered"].notna().all()
    # What there was before stays: the program, and the program as JSON.
    assert call("show", model).stdout.splitlines()[0] == expected["text"][0]
    entries = json.loads(call("show", model, "--json").stdout)["rules"]
    assert [entry["text"] for entry in entries] == expected["text"].tolist()


def test_a_table_without_labels(files, tmp_path):
    model, _, expected = files
    X.to_csv(tmp_path / "new.csv", index=False)
    done = call("show", model, "--data", tmp_path / "new.csv", "--format", "json")
    assert "no column is named like the target 'survived': only what the rules cover is known" in done.stderr
    entries = json.loads(done.stdout)["rules"]
    assert [entry["covered"] for entry in entries] == expected["covered"].tolist()
    assert {entry["precision"] for entry in entries} == {None}
    text = call("show", model, "--data", tmp_path / "new.csv").stdout.splitlines()
    assert text[1].split()[:6] == ["survived", "'yes'", "2", "0.250", "-", "-"]


def test_labels_that_are_missing_or_unknown(files, tmp_path):
    model, _, _ = files
    data = tmp_path / "some.csv"
    X.assign(label=["", *Y[1:]]).to_csv(data, index=False)
    fails(
        1,
        "the target 'label' has no label of the model's type in 1 row, first in row 0 (from 0); label them "
        "or give --skip-unlabelled",
        *("show", model, "--data", data, "--target", "label"),
    )
    words = ["show", model, "--data", data, "-t", "label", "--skip-unlabelled", "--format", "json"]
    found = json.loads(call(*words).stdout)["rules"]
    assert [entry["covered"] for entry in found] == [1, 2, 1, 2, 4]
    X.assign(label=["maybe", *Y[1:]]).to_csv(data, index=False)
    message = "y holds 'maybe', which is not a label of the model; its labels are 'no', 'yes'"
    fails(1, message, "show", model, "--data", data, "-t", "label")


def test_options_that_do_not_go_together(files, tmp_path):
    model, data, _ = files
    fails(2, "--target and --skip-unlabelled need --data", "show", model, "-t", "survived")
    message = "--json prints the program; of the table of rules give --format json"
    fails(2, message, "show", model, "--data", data, "--json")
    fails(
        1, f"{tmp_path / 'no.csv'}: No such file or directory", "show", model, "--data", tmp_path / "no.csv"
    )
    tree = tmp_path / "tree.json"
    assert call("fit", data, "-t", "survived", "-l", "tree", "--no-score", "-o", tree).exit_code == 0
    fails(2, "--data and --format are for rules, and this model is a tree", "show", tree, "--format", "csv")


def test_only_the_columns_of_the_rules_are_needed(tmp_path):
    table = pd.DataFrame({"age": [10, 20, 30, 40] * 5, "city": list("abcd") * 5, "code": ["01", "2"] * 10})
    table["buys"] = ["p", "p", "n", "n"] * 5
    table.to_csv(tmp_path / "t.csv", index=False)
    model, part = tmp_path / "m.json", tmp_path / "part.csv"
    words = ["--no-score", "--drop", "city", "-o", model]
    assert call("fit", tmp_path / "t.csv", "-t", "buys", *words).exit_code == 0
    assert load_model(model).rules_.used_features == {"age"}
    table[["age", "buys"]].to_csv(part, index=False)
    whole = call("predict", model, tmp_path / "t.csv").stdout
    assert call("predict", model, part).stdout == whole
    assert whole.split()[1:] == table["buys"].tolist()
    table[["age"]].to_csv(part.with_name("age.csv"), index=False)
    table.to_csv(part.with_name("other.csv"), index=False, sep=";")
    for name in ("age.csv", "other.csv"):
        assert call("predict", model, part.with_name(name)).stdout == whole
    assert json.loads(call("evaluate", model, part, "--json").stdout)["accuracy"] == 1
    for words in (["--row", "0", "-c"], ["--format", "json", "-c"]):
        told = call("explain", model, part, *words)
        assert told.exit_code == 0, told.stderr
        assert told.stdout == call("explain", model, tmp_path / "t.csv", *words).stdout
    table[["code", "buys"]].to_csv(part, index=False)
    fails(1, "the data lack the column 'age', which the model was fitted on", "predict", model, part)
