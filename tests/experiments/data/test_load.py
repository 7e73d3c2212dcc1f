"""Data sets: the shipped configs and data, reading, and every error."""

from __future__ import annotations

import csv
import gzip
import os
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from omegaconf import OmegaConf
from pandas.testing import assert_frame_equal, assert_series_equal

from experiments.data.config import BUNDLED, DataError, DatasetConfig
from experiments.data.load import load

ROOT = Path(__file__).resolve().parents[3]
CONFIGS = {path.stem: path for path in sorted((ROOT / "conf" / "dataset").glob("*.yaml"))}
DATA = Path(os.environ.get("FOLDSE_DATA", "/nowhere"))


def needs_data(test):
    skip = pytest.mark.skipif("FOLDSE_DATA" not in os.environ, reason="FOLDSE_DATA is not set")
    return pytest.mark.data(skip(test))


# id: rows, attributes, labels and their counts
SIZES = {
    "breast_w": (699, 9, {"benign": 458, "malignant": 241}),
    "breast_w_numeric": (699, 9, {"benign": 458, "malignant": 241}),
    "diabetes": (768, 8, {"neg": 500, "pos": 268}),
    "heart": (270, 13, {"absent": 150, "present": 120}),
    "ionosphere": (351, 34, {"b": 126, "g": 225}),
    "kr_vs_kp": (3196, 36, {"nowin": 1527, "won": 1669}),
    "shuttle": (
        58000,
        9,
        {
            "Bpv.Close": 10,
            "Bpv.Open": 13,
            "Bypass": 3267,
            "Fpv.Close": 50,
            "Fpv.Open": 171,
            "High": 8903,
            "Rad.Flow": 45586,
        },
    ),
    "voting": (435, 16, {"democrat": 267, "republican": 168}),
    "wine": (178, 13, {"1": 59, "2": 71, "3": 48}),
}
# The authors' file of each bundled data set that has one.
AUTHORS = {
    "breast_w": "breastw/breastw.csv",
    "voting": "voting/voting.csv",
    "ionosphere": "ionosphere/ionosphere.csv",
    "heart": "heart/heart.csv",
    "wine": "wine/wine.csv",
    "kr_vs_kp": "krkp/krkp.csv",
}
# Rows of the files that differ from what the paper prints; titanic is not in its tables.
OTHER_ROWS = {
    "rain_142193": 142193, "titanic": 891, "titanic_test": 418, "student_depression": 27901, "ecoli_cp": 336
}  # fmt: skip


def config(name: str, **changes):
    return {**OmegaConf.to_container(OmegaConf.load(CONFIGS[name])), **changes}


def written(folder: Path, text: str, **changes):
    """Config of a file with the given text."""
    (folder / "toy.csv").write_bytes(text.encode())
    return {
        "id": "toy",
        "source": "file",
        "file": "toy.csv",
        "sha256": None,
        "label": "label",
        "target": "fate",
        "positive": "yes",
        "numeric": ["a"],
        "categorical": ["b"],
        **changes,
    }


TOY = "id,a,b,label\n1,1.50,x,yes\n2,,?,no\n3,-0, x,no\n"


# The shipped configs.


def published_sizes() -> dict[str, set[tuple[int, int]]]:
    sizes: dict[str, set[tuple[int, int]]] = {}
    with (ROOT / "results" / "published" / "results.csv").open() as file:
        for row in csv.DictReader(file):
            if row["dataset"] != "average":
                sizes.setdefault(row["dataset"], set()).add((int(row["rows"]), int(row["cols"])))
    return sizes


def test_there_is_a_config_for_every_published_data_set():
    others = {"titanic", "titanic_test", "breast_w_numeric", "rain_142193", "student_depression", "ecoli_cp"}
    assert set(CONFIGS) == set(published_sizes()) | others
    assert len(CONFIGS) == 33


@pytest.mark.parametrize("name", CONFIGS)
def test_config_is_complete(name):
    text = CONFIGS[name].read_text()
    assert text.startswith("# ")
    cfg = OmegaConf.load(CONFIGS[name])
    read = DatasetConfig.from_mapping(cfg)
    assert read.id == name
    assert read.origin
    assert read.licence
    # All that a command line may want to override is written out.
    assert {"source", "file", "sha256", "positive", "ignore", "missing", "verify", "published"} <= set(cfg)
    assert read.target.isidentifier()
    sizes = published_sizes().get(name.removesuffix("_numeric"))
    if name == "parkinson":  # the paper says (765, 754) and (756, 764)
        assert read.published == (756, 754)
    elif sizes is None:
        assert read.published == (None, None)
    else:
        assert read.published in sizes
    # An address is pinned to a commit, and is the one that the origin names.
    assert (read.address is not None) == (read.source == "download")
    if read.address is not None:
        repository, commit, path = re.search(r"([\w-]+/[\w-]+)@(\w{40}):(\S+)$", read.origin).groups()
        assert read.address == f"https://raw.githubusercontent.com/{repository}/{commit}/{path}"


def test_bundled_files_are_those_of_the_configs():
    bundled = {name for name in CONFIGS if config(name)["source"] == "bundled"}
    assert bundled == set(SIZES)
    assert {config(name)["file"] for name in bundled} == {path.name for path in BUNDLED.glob("*.csv.gz")}


@pytest.mark.parametrize("name", SIZES)
def test_bundled_data_set(name):
    rows, attributes, counts = SIZES[name]
    data = load(OmegaConf.load(CONFIGS[name]))
    assert data.X.shape == (rows, attributes) == (data.published_rows, data.published_columns - 1)
    assert dict(Counter(data.y)) == counts
    assert data.classes == tuple(counts)
    assert (data.positive is None) == (len(counts) > 2)
    assert data.source == "bundled"
    assert data.y.name == config(name)["target"]
    assert sorted((*data.numeric, *data.categorical)) == sorted(data.X.columns)
    assert all(data.X[column].dtype == np.float64 for column in data.numeric)
    assert all(data.X[column].dtype == object for column in data.categorical)
    assert data.y.dtype == object


def test_breast_w_is_read_in_two_ways():
    categorical, numeric = load(config("breast_w")), load(config("breast_w_numeric"))
    assert (categorical.positive, numeric.positive) == ("malignant", "benign")
    assert categorical.X["bare_nuclei"].isna().sum() == numeric.X["bare_nuclei"].isna().sum() == 16
    assert categorical.X.iloc[0].tolist() == ["5", "1", "1", "1", "2", "1", "3", "1", "1"]
    assert numeric.X.iloc[0].tolist() == [5, 1, 1, 1, 2, 1, 3, 1, 1]
    assert categorical.digest != numeric.digest


@needs_data
@pytest.mark.parametrize("name", AUTHORS)
def test_bundled_data_are_the_authors(name):
    ours = load(config(name))
    theirs = load(config(name, source="file", file=AUTHORS[name], verify=False), DATA)
    assert_frame_equal(ours.X, theirs.X, check_exact=True)
    assert_series_equal(ours.y, theirs.y)
    assert ours.digest == theirs.digest


@needs_data
@pytest.mark.parametrize("name", [name for name in CONFIGS if name not in {*SIZES, "parkinson"}])
def test_file_data_set_has_the_published_size(name):
    data = load(OmegaConf.load(CONFIGS[name]), DATA)
    assert len(data.X) == OTHER_ROWS.get(name, data.published_rows)
    if data.published_columns is not None:
        assert data.X.shape[1] == data.published_columns - 1
    assert (data.positive is None) == (len(data.classes) > 2)
    assert data.source == config(name)["file"]
    notes = {
        "rain": ("3,267 rows without a label count as 'Yes'",),
        "adult": ("the paper prints 16 columns in one table and 15 in the others",),
    }
    assert data.notes == notes.get(name, ())


@needs_data
def test_both_columns_of_a_repeated_name_are_attributes():
    X = load(config("weight_lift"), DATA).X
    assert list(X.columns).index("skewness_roll_belt.1") == list(X.columns).index("skewness_roll_belt") + 1
    assert set(X["kurtosis_yaw_belt"]) == {None, "#DIV/0!"}


def test_parkinson_config_reads_a_file_of_that_form(tmp_path):
    (tmp_path / "parkinson").mkdir()
    file = tmp_path / "parkinson" / "pd_speech_features.csv"
    table = "id,gender,PPE,DFA,class\n0,1,0.85,0.72,1\n1,0,0.77,0.69,0\n"
    file.write_text(table)
    data = load(config("parkinson"), tmp_path)
    assert (data.numeric, data.categorical) == (("PPE", "DFA"), ("gender",))
    assert data.X["gender"].tolist() == ["1", "0"]
    assert data.y.tolist() == ["1", "0"]
    assert data.notes[:2] == (
        "2 rows in parkinson/pd_speech_features.csv, 756 in the paper",
        "4 columns in parkinson/pd_speech_features.csv, 754 in the paper",
    )
    assert "765 rows and 754 columns" in data.notes[2]
    file.write_text(",,Baseline,,\n" + table)
    assert load(config("parkinson", skip_rows=1), tmp_path).digest == data.digest


# Reading.


def test_values_of_a_small_file(tmp_path):
    data = load(written(tmp_path, TOY, ignore=["id"], missing=["?"]), tmp_path)
    np.testing.assert_array_equal(data.X["a"], [1.5, np.nan, 0.0])
    assert data.X["b"].tolist() == ["x", None, " x"]  # nothing is stripped
    assert data.y.tolist() == ["yes", "no", "no"]
    assert data.y.name == "fate"
    assert (data.numeric, data.categorical, data.positive) == (("a",), ("b",), "yes")
    assert (data.source, data.published_rows, data.published_columns) == ("toy.csv", None, None)


def test_numbers_among_text_stay_numbers(tmp_path):
    text = "a,b,label\n1.0,1.0,yes\nhigh,NA,no\n,nan,no\n1_0,,no\n"
    column = load(written(tmp_path, text), tmp_path).X["a"]
    assert column.dtype == object
    assert column.tolist() == [1.0, "high", None, "1_0"]
    # Text is what stands in the file; pandas' own idea of missing does not count.
    assert load(written(tmp_path, text), tmp_path).X["b"].tolist() == ["1.0", "NA", "nan", None]


def test_numbers_are_read_exactly(tmp_path):
    texts = ["0.1", "1e-3", "123456789.123456789", "2.2250738585072014e-308", " 7", ".5"]
    text = "a,b,label\n" + "".join(f"{t},x,{'yes' if i else 'no'}\n" for i, t in enumerate(texts))
    assert load(written(tmp_path, text), tmp_path).X["a"].tolist() == [float(t) for t in texts]


def test_rest_takes_the_columns_not_named_elsewhere(tmp_path):
    cfg = written(tmp_path, "z,b,label,a\n1,x,yes,2\n3,y,no,4\n", numeric="rest")
    data = load(cfg, tmp_path)
    assert list(data.X.columns) == ["z", "b", "a"]  # the order of the file
    assert (data.numeric, data.categorical) == (("z", "a"), ("b",))
    assert load({**cfg, "numeric": [], "categorical": "rest"}, tmp_path).categorical == ("z", "b", "a")


def test_repeated_names_are_numbered_on_request(tmp_path):
    cfg = written(tmp_path, "a,a,b,label\n1,2,x,yes\n3,4,y,no\n", numeric="rest", number_repeated=True)
    assert load(cfg, tmp_path).X[["a", "a.1"]].to_numpy().tolist() == [[1, 2], [3, 4]]


def test_quotes_line_ends_and_a_byte_order_mark(tmp_path):
    text = '\ufeffa,b,label\r\n1,"x, ""y""",yes\r\n2,é,no\r\n'
    assert load(written(tmp_path, text), tmp_path).X["b"].tolist() == ['x, "y"', "é"]


def test_gzip_and_checksum_of_the_uncompressed_file(tmp_path):
    text = "a,b,label\n1,x,yes\n2,y,no\n"
    sha256 = "b0bbfbedf78df3d0b181ccbd0306a96b34139a75febde77f1cae486bc2de045a"
    cfg = written(tmp_path, text, sha256=sha256)
    (tmp_path / "toy.csv.gz").write_bytes(gzip.compress(text.encode()))
    packed = {**cfg, "file": "toy.csv.gz"}
    assert load(packed, tmp_path).digest == load(cfg, tmp_path).digest


TYPED = pd.DataFrame(
    {
        "a": [1.5, None, 3.0, -2.0],
        "b": ["x", 'it\'s, "q"', None, "x"],
        "c": [1, 2, 3, 40],
        "label": ["yes", "no", "no", "yes"],
    }
)
ARFF = """% a comment
@relation toy
@attribute a numeric
@attribute b {x, 'it\\'s, "q"'}
@attribute c integer
@attribute label {yes, no}
@data
1.5, x, 1, yes
?, 'it\\'s, "q"', 2, no
3, ?, 3, no
-2, x, 40, yes
"""


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("form", ["arff", "parquet", "pq"])
def test_typed_files_are_the_same_data_set_as_their_csv(tmp_path, form, packed):
    roles = {"numeric": ["a"], "categorical": ["b", "c"]}
    plain = load(written(tmp_path, TYPED.to_csv(index=False), **roles), tmp_path)
    content = ARFF.encode() if form == "arff" else TYPED.to_parquet()
    name = f"toy.{form}.gz" if packed else f"toy.{form}"
    (tmp_path / name).write_bytes(gzip.compress(content) if packed else content)

    data = load(written(tmp_path, "", file=name, **roles), tmp_path)

    assert data.X["a"].tolist()[2:] == [3.0, -2.0]
    assert data.X["b"].tolist() == ["x", 'it\'s, "q"', None, "x"]
    assert data.X["c"].tolist() == ["1", "2", "3", "40"]
    assert data.digest == plain.digest


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("toy.arff", b"@relation toy\n@attribute a numeric\n@data\n1,2\n", "toy.arff is not an ARFF file"),
        ("toy.parquet", b"no parquet", "toy.parquet is not a parquet file"),
        ("toy.parquet", TYPED.head(0).to_parquet(), "toy.parquet has no rows"),
        ("toy.parquet", TYPED.assign(c=[[1], [2], [3], [4]]).to_parquet(), "column 'c' has a value of type"),
    ],
)
def test_a_typed_file_that_cannot_be_read_is_one_line(tmp_path, name, content, part):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=part) as caught:
        load(written(tmp_path, "", file=name, categorical=["b", "c"]), tmp_path)
    assert str(caught.value).startswith("data set toy: ")
    assert "\n" not in str(caught.value)


def test_a_label_may_come_as_a_number(tmp_path):
    assert load(written(tmp_path, "a,b,label\n1,x,0\n2,y,1\n", positive=0), tmp_path).positive == "0"


def test_rows_without_a_label_can_be_given_one(tmp_path):
    cfg = written(tmp_path, "a,b,label\n1,x,yes\n2,y,NA\n3,z,no\n4,z,\n", missing=["NA"], unlabelled="no")
    data = load(cfg, tmp_path)
    assert data.y.tolist() == ["yes", "no", "no", "no"]
    assert data.notes == ("2 rows without a label count as 'no'",)


def test_rows_without_a_label_can_be_left_out(tmp_path):
    text = "a,b,label\n1,x,yes\n2,y,NA\n3,z,no\n4,z,\n"
    data = load(written(tmp_path, text, missing=["NA"], drop_unlabelled=True), tmp_path)
    assert data.y.tolist() == ["yes", "no"]
    assert data.X["a"].tolist() == [1, 3]
    assert data.X.index.tolist() == [0, 1]


def test_one_label_can_be_set_against_the_rest(tmp_path):
    text = "a,b,label\n1,x,yes\n2,y,no\n3,z,perhaps\n"
    data = load(written(tmp_path, text, one_vs_rest=True), tmp_path)
    assert data.y.tolist() == ["yes", "rest", "rest"]
    assert data.positive == "yes"


def test_the_rain_file_is_read_as_kaggle_has_it(tmp_path):
    cfg = config("rain", verify=False)
    plain = [c for c in (*cfg["numeric"], *cfg["categorical"]) if c not in ("Month", "Day")]
    rows = [["2008-12-01", "No"], ["2009-02-11", "NA"], ["2009-03-31", "Yes"]]
    lines = [",".join(["Date", *plain, "RainTomorrow"])]
    lines += [",".join([date, *("1" for _ in plain), label]) for date, label in rows]
    (tmp_path / "rain").mkdir()
    (tmp_path / "rain" / "weatherAUS.csv").write_text("\n".join(lines) + "\n")
    data = load(cfg, tmp_path)
    assert data.X[["Month", "Day"]].to_numpy().tolist() == [[12, 1], [2, 11], [3, 31]]
    assert data.y.tolist() == ["No", "Yes", "Yes"]
    assert "1 rows without a label count as 'Yes'" in data.notes


def test_sizes_that_differ_from_the_paper_are_noted(tmp_path):
    cfg = written(tmp_path, "a,b,label\n1,x,yes\n2,y,no\n", published={"rows": 1234, "columns": 3})
    assert load({**cfg, "notes": ["an aside"]}, tmp_path).notes == (
        "2 rows in toy.csv, 1,234 in the paper",
        "an aside",
    )
    assert load({**cfg, "published": {"rows": 2, "columns": 3}}, tmp_path).notes == ()


def test_digest_tells_data_apart(tmp_path):
    def digest(text: str = "a,b,label\n1,x,yes\n2,y,no\n", **changes):
        return load(written(tmp_path, text, **changes), tmp_path).digest

    same = digest()
    assert same == digest("a,b,label\n1.0,x,yes\n2,y,no\n")  # the same values
    assert same == digest("a,b,label\n1,x,yes\n2,y,no\n", id="other")
    others = [
        digest("a,b,label\n2,y,no\n1,x,yes\n"),
        digest("a,b,label\n1,x,yes\n2,,no\n"),
        digest("a,b,label\n1,x,yes\n,y,no\n"),
        digest("b,a,label\nx,1,yes\ny,2,no\n"),
        digest("a,b,label\n1,x,no\n2,y,yes\n"),
        digest(positive="no"),
        digest(target="other"),
        digest(numeric=[], categorical=["a", "b"]),
    ]
    assert len({same, *others}) == 1 + len(others)


# Errors: one line, which names the data set, the thing and the remedy.

ERRORS = {
    "unknown source": (TOY, {"source": "web"}, ["'web'", "'bundled', 'download', 'file'"]),
    "missing file": (TOY, {"file": "no/such.csv"}, ["no/such.csv", "paths.data=", "FOLDSE_DATA"]),
    "unknown step": (TOY, {"derive": "magic"}, ["derive=magic", "'unzip', 'weather'"]),
    "missing bundled file": (TOY, {"source": "bundled", "file": "x.csv"}, ["x.csv", "'heart.csv.gz'"]),
    "checksum": (TOY, {"sha256": "0" * 64}, ["toy.csv", "SHA-256", "000000000000", "dataset.verify=false"]),
    "unknown key": (TOY, {"postive": "yes"}, ["'postive'", "did you mean positive?", "'positive'"]),
    "column list that is text": (TOY, {"numeric": "a"}, ["numeric", "'a'", "list"]),
    "positive: yes": (
        TOY,
        {"positive": True},
        ["positive has the truth value true", "such as 'yes'"],
    ),
    "unlabelled twice": (TOY, {"unlabelled": "no", "drop_unlabelled": True}, ["unlabelled: null"]),
    "nothing against the rest": (TOY, {"positive": None, "one_vs_rest": True}, ["needs a positive label"]),
    "positive: no": (TOY, {"positive": False}, ["positive has the truth value false", "such as 'no'"]),
    "missing: [off]": (TOY, {"missing": [False]}, ["missing has the truth value false"]),
    "target: [a, b]": (TOY, {"target": ["a", "b"]}, ["target is ['a', 'b']", "write text"]),
    "positive: 007": (
        "a,b,label\n1,x,007\n2,y,12\n",
        {"positive": 7},
        ["'7' is not in column 'label'", "in quotes, positive: '007'"],
    ),
    "published: 5": (TOY, {"published": 5}, ["published is 5", "{rows: 150, columns: 5}"]),
    "published as text": (TOY, {"published": {"rows": "12,3"}}, ["'12,3'", "whole numbers"]),
    "published with another key": (TOY, {"published": {"cols": 5}}, ["{'cols': 5}", "rows: 150"]),
    "verify: 'false'": (TOY, {"verify": "false"}, ["verify is 'false'", "true or false"]),
    "skip_rows: one": (TOY, {"skip_rows": "one"}, ["skip_rows is 'one'", "number of lines"]),
    "no label column": (TOY, {"label": "class"}, ["'class'", "toy.csv", "dataset.label", "'label'"]),
    "positive label": (TOY, {"positive": "maybe"}, ["'maybe'", "'label'", "dataset.positive", "'no', 'yes'"]),
    "no positive label": (TOY, {"positive": None}, ["2 labels", "dataset.positive", "'no', 'yes'"]),
    "column absent": (TOY, {"numeric": ["a", "c"]}, ["'c'", "toy.csv", "'id', 'a', 'b', 'label'"]),
    "column listed twice": (TOY, {"categorical": ["b", "a"]}, ["'a'", "listed twice"]),
    "label listed as attribute": (TOY, {"categorical": ["b", "label"]}, ["'label'", "listed twice"]),
    "column without a role": (TOY, {"ignore": []}, ["'id'", "toy.csv", "numeric, categorical or ignore"]),
    "two rests": (TOY, {"numeric": "rest", "categorical": "rest"}, ["numeric", "categorical", "'rest'"]),
    "no attributes": (
        TOY,
        {"numeric": [], "categorical": [], "ignore": ["id", "a", "b"]},
        ["no attributes", "numeric or categorical"],
    ),
    "target is a column": (TOY, {"target": "a"}, ["target 'a'", "dataset.target"]),
    "repeated in the header": (
        "a,b,b,label\n1,x,y,yes\n2,x,y,no\n",
        {},
        ["'b'", "twice", "toy.csv", "number_repeated"],
    ),
    "y with missing values": (
        "a,b,label\n1,x,yes\n2,y,?\n3,z,\n",
        {"missing": ["?"]},
        ["'label'", "2 missing values", "row 2", "toy.csv"],
    ),
    "one label": ("a,b,label\n1,x,yes\n2,y,yes\n", {}, ["'label'", "'yes'", "dataset.label"]),
    "three labels and a positive one": (
        "a,b,label\n1,x,yes\n2,y,no\n3,z,so so\n",
        {},
        ["3 labels", "'yes'", "null"],
    ),
    "all missing": (
        "a,b,label\n1,?,yes\n2,,no\n",
        {"missing": ["?"]},
        ["'b'", "missing values only", "ignore"],
    ),
    "infinite": ("a,b,label\n1,x,yes\ninf,y,no\n", {}, ["'a'", "inf", "missing"]),
    "nan among text": ("a,b,label\nt,x,yes\nnan,y,no\n", {}, ["'a'", "nan", "missing"]),
    "no rows": ("a,b,label\n", {}, ["toy.csv", "no rows"]),
    "empty": ("", {}, ["toy.csv", "CSV"]),
    "long row": ("a,b,label\n1,x,yes\n2,y,no,4\n", {}, ["toy.csv", "line 3"]),
}


@pytest.mark.parametrize("case", ERRORS)
def test_error(case, tmp_path):
    text, changes, parts = ERRORS[case]
    cfg = written(tmp_path, text, **{"ignore": ["id"], **changes})
    with pytest.raises(DataError) as caught:
        load(cfg, tmp_path)
    message = str(caught.value)
    assert message.startswith("data set toy: ")
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_error_without_a_data_folder():
    with pytest.raises(
        DataError,
        match=r"data set adult: no file adult/adult.csv, no data folder .*FOLDSE_DATA.*experiments.fetch",
    ):
        load(config("adult"))


def test_error_for_a_config_without_a_key():
    cfg = config("heart")
    del cfg["label"]
    with pytest.raises(DataError, match=r"data set heart: its config has no key 'label'"):
        load(cfg)


def test_error_for_a_file_that_is_not_text(tmp_path):
    cfg = written(tmp_path, TOY)
    (tmp_path / "toy.csv").write_bytes(b"a,b,label\n1,\xff\xfe,yes\n")
    with pytest.raises(DataError, match=r"toy.csv is not a CSV file in UTF-8"):
        load(cfg, tmp_path)
    (tmp_path / "toy.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(DataError, match=r"toy.csv.gz cannot be read"):
        load({**cfg, "file": "toy.csv.gz"}, tmp_path)


def test_a_wrong_checksum_can_be_waived(tmp_path):
    assert len(load(written(tmp_path, TOY, sha256="0" * 64, verify=False, ignore=["id"]), tmp_path).X) == 3


def test_missing_values_are_none_or_nan():
    votes = load(config("voting")).X
    assert votes.isna().sum().sum() == 392
    assert all(value is None for value in votes.to_numpy().ravel() if not isinstance(value, str))
    assert not pd.isna(load(config("diabetes")).X).any().any()
