"""Wrong data, models and usage: one line, no traceback, and the code that the help tells."""

import json
import sys

import pandas as pd
import pytest

from .running import DATA, call, people, run

HEART = DATA / "heart.csv.gz"


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "heart.json"
    assert call("fit", HEART, "-t", "label", "--no-score", "-o", path).exit_code == 0
    return path


def fails(code, message, *arguments):
    done = call(*arguments)
    assert done.exit_code == code, done.stderr
    assert done.stdout == ""
    last = done.stderr.splitlines()[-1]
    assert last.startswith("foldse: error: ")
    assert message in last
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("message", "options"),
    [
        ("--target 'lable' is not a column; did you mean 'label'?", ["-t", "lable"]),
        ("--target 'LABEL' is not a column; did you mean 'label'?", ["-t", "LABEL"]),
        ("--target 14: the 14 columns have positions 0 to 13", ["-t", "14"]),
        ("--target 'zzz' is not a column; the columns are 'age', 'sex'", ["-t", "zzz"]),
        ("--positive 'abset' is not a label; did you mean 'absent'?", ["-t", "label", "-p", "abset"]),
        ("--drop 'agee' is not a column; did you mean 'age'?", ["-t", "label", "--drop", "agee"]),
        ("--weight 'wei' is not a column", ["-t", "label", "--weight", "wei"]),
        ("has no column 'thall'; did you mean 'thal'?", ["-t", "label", "--numeric", "thall"]),
        ("no label has 200 rows", ["-t", "label", "--cv", "200"]),
    ],
)
def test_names_that_are_not_there(message, options):
    fails(1, message, "fit", HEART, *options)


@pytest.mark.parametrize(
    ("message", "options"),
    [
        ("--ratio is for rules", ["-l", "tree", "--ratio", "1"]),
        ("ratio must be a number of at least 0, got -1.0", ["--ratio", "-1"]),
        ("--tail is for the learner foldse, and not for foldrpp", ["-l", "foldrpp", "--tail", "1"]),
        ("--tail 'many' is neither a share below 1 nor a count", ["--tail", "many"]),
        ("tail must be a share", ["--tail", "1.5"]),
        ("--holdout must be a share between 0 and 1, got 2", ["--holdout", "2"]),
        ("--cv and --no-score exclude each other", ["--cv", "3", "--no-score"]),
        ("--drop names the target 'label'", ["--drop", "label"]),
    ],
)
def test_settings_that_cannot_be(message, options):
    fails(2, message, "fit", HEART, "-t", "label", *options)


USAGE = [
    ["fit", HEART, "-t", "label", *given]
    for given in (["--seed", "x"], ["--seed", "-1"], ["--cv", "1"], ["--skip-lines", "-1"])
]


def test_usage_that_the_parser_refuses():
    for arguments in (["fit", HEART], ["fit"], ["learn"], *USAGE):
        done = call(*arguments)
        assert done.exit_code == 2
        assert "Traceback" not in done.stderr
    assert "--target" in call("fit", HEART).stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is empty"),
        ("a,b,y\n", "has names of columns and no rows"),
        ("y\n1\n2\n", "there is no column to learn 'y' from"),
        ("a,a,y\n1,2,x\n3,4,z\n", "has two columns named 'a'; rename one of them"),
        ("a,b,y\n1,2,x,9\n3,4,z,8\n", "line 2 has 4 cells and the first line 3; name all columns"),
        ("a,b,y\n1,2,x\n3,4,z,8\n", "line 3 has 4 cells and the first line 3"),
        ("a,b,y\n1,2,\n3,4,z\n", "the target 'y' has no value in 1 row, first in row 0"),
        ("a,y\n1,0.5\n2,1.25\n", "continuous"),
    ],
)
def test_tables_that_cannot_be_learned_from(content, message, write):
    fails(1, message, "fit", write("t.csv", content), "-t", "y")


def test_files_that_are_not_what_they_say(write, tmp_path):
    fails(1, "nowhere.csv: No such file or directory", "fit", tmp_path / "nowhere.csv", "-t", "y")
    fails(1, "is not compressed as its ending says", "fit", write("t.csv.gz", "a,y\n1,2\n"), "-t", "y")
    cut = HEART.read_bytes()[:300]
    fails(1, "cannot be decompressed", "fit", write("cut.csv.gz", cut), "-t", "y")
    fails(
        1,
        "is not utf-8 text at line 2",
        "fit",
        write("l.csv", b"a,y\n\xe4,x\n"),
        "-t",
        "y",
        "--encoding",
        "utf-8",
    )
    fails(1, "unknown encoding 'utf-9'", "fit", HEART, "-t", "label", "--encoding", "utf-9")
    fails(1, "the separator ', ' is not one character", "fit", HEART, "-t", "label", "--separator", ", ")


def test_models_that_cannot_be_used(write, model):
    fails(1, "not JSON at line 1", "predict", write("m.json", "rules: none"), HEART)
    fails(1, "this is not a model file", "show", write("o.json", "{}"))
    fails(1, "No such file", "export", "nowhere.json", "--to", "sql")
    lacking = pd.read_csv(HEART).drop(columns=["thal", "sex"])
    data = write("lacking.csv", lacking.to_csv(index=False))
    fails(1, "the data lack the column 'sex' and 1 more", "predict", model, data)
    headless = write(
        "headless.csv", pd.read_csv(HEART)[["age", "sex", "thal"]].to_csv(index=False, header=False)
    )
    fails(1, "none of its columns is there: has the file a line of names", "predict", model, headless)


def test_rows_and_labels_that_are_not_there(model):
    fails(1, "--row 270: there are 270 rows, 0 to 269", "explain", model, HEART, "--row", "270")
    fails(1, "--row 'first' is not a row", "explain", model, HEART, "--row", "first")
    fails(2, "--wanted needs --counterfactual", "explain", model, HEART, "--wanted", "absent")
    fails(2, "--within needs --counterfactual", "explain", model, HEART, "--within", "age=1:2")
    fails(1, "--wanted 'x' is not a label", "explain", model, HEART, "-r", "0", "-c", "--wanted", "x")
    fails(1, "--target 'labels' is not a column", "evaluate", model, HEART, "-t", "labels")


@pytest.mark.parametrize(
    ("option", "given", "message"),
    [
        ("--within", "age", "--within 'age' has no =; it is a column, =, and what is said of it"),
        ("--within", "agee=1:2", "--within 'agee' is not a column; did you mean 'age'?"),
        ("--within", "age=old", "--within of 'age' is 'old', and it holds numbers; give a range: 20:60"),
        ("--within", "age=60:20", "within of 'age' is (60.0, 20.0), and its low end is above its high one"),
        ("--direction", "age=left", "directions of 'age' is 'left'; it is 'up' or 'down'"),
        ("--cost", "age=much", "--cost of 'age' is 'much'; it is a number above 0"),
        ("--cost", "age=-1", "costs of 'age' is -1.0; it is a number above 0"),
    ],
)
def test_what_is_said_of_changes(model, option, given, message):
    code = 1 if "not a column" in message else 2
    fails(code, message, "explain", model, HEART, "-r", "0", "-c", option, given)


def test_two_ranges_of_one_column(model):
    options = ["-c", "--within", "age=1:2", "--within", "age=3:4"]
    fails(2, "--within says two things of 'age'; say one", "explain", model, HEART, "-r", "0", *options)


def test_what_a_tree_cannot(tmp_path):
    path = tmp_path / "tree.json"
    assert call("fit", HEART, "-t", "label", "-l", "tree", "--no-score", "-o", path).exit_code == 0
    fails(1, "is a tree, and only rules can be exported", "export", path, "--to", "sql")
    fails(2, "--counterfactual is for rules", "explain", path, HEART, "-r", "0", "-c")


def test_more_than_two_labels_have_no_positive_one():
    wine = DATA / "wine.csv.gz"
    table = pd.read_csv(wine)
    target = next(name for name in table if table[name].nunique() == 3)
    label = str(table[target].iloc[0])
    fails(2, "--positive is for two labels, and there are 3", "fit", wine, "-t", target, "-p", label)


def test_debug_shows_where(tmp_path):
    before = run("--debug", "fit", tmp_path / "nowhere.csv", "-t", "y")
    after = run("fit", tmp_path / "nowhere.csv", "-t", "y", "--debug")
    for done in (before, after):
        assert done.returncode == 1
        assert "Traceback" in done.stderr
        assert "FileNotFoundError" in done.stderr
    plain = run("fit", tmp_path / "nowhere.csv", "-t", "y")
    assert plain.returncode == 1
    assert plain.stderr.splitlines() == [
        f"foldse: error: {tmp_path / 'nowhere.csv'}: No such file or directory"
    ]


@pytest.mark.parametrize(
    ("module", "package", "name"),
    [
        ("pyarrow", "pyarrow", "t.parquet"),
        ("arff", "liac-arff", "t.arff"),
        ("python_calamine", "python-calamine", "t.xlsx"),
    ],
)
def test_a_reader_that_is_not_installed_is_named(module, package, name, write, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    if module == "pyarrow":
        monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    fails(1, f"install it: pip install {package}", "fit", write(name, "@relation t\n"), "-t", "y")


def test_an_unwritable_output_is_an_error(tmp_path, model):
    missing = tmp_path / "nowhere" / "out.csv"
    done = call("predict", model, HEART, "-o", missing)
    assert done.exit_code == 1
    assert "nowhere" in done.stderr
    assert "Traceback" not in done.stderr


def test_many_labels_are_noted(write):
    rows = "".join(f"{row % 7},{row % 60}\n" for row in range(300))
    done = call("fit", write("t.csv", "a,y\n" + rows), "-t", "y", "--no-score", "--json")
    assert "the target 'y' has 60 different values" in done.stderr
    assert len(json.loads(done.stdout)["data"]["labels"]) == 60


def test_few_rows_can_be_held_out(write):
    table = people(12)
    done = call("fit", write("t.csv", table.to_csv(index=False)), "-t", "buys")
    assert done.exit_code == 0
    assert "held out 3 of 12 rows" in done.stdout
