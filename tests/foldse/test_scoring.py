"""The scorer gives, row by row, the answers of the classifier whose file it reads, without the stack."""

import csv
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from foldse import ConFoldClassifier, FoldSEClassifier, HeuristicTreeClassifier, Scorer
from foldse.export import to_json
from foldse.strict_json import ModelFileError
from tests.foldse.export.test_engines import (
    CASES,
    LEARNERS,
    POOLS,
    TABLE,
    dataset,
    nasty_rows,
    programs,
    several,
    with_rules,
)

PEOPLE = pd.DataFrame({"sex": ["m", "f", "m", "f", None], "age": [30.0, 40.0, 5.0, 8.0, 20.0]})
SURVIVED = pd.Series(["no", "yes", "no", "yes", "no"], name="survived")


def rows_of(X):
    """Return a table as dicts of plain Python values."""
    return X.astype(object).where(X.notna(), None).to_dict("records")


def assert_same(clf, X):
    scorer, rows = Scorer.from_json(to_json(clf)), rows_of(X)
    assert scorer.predict(rows) == clf.predict(X).tolist()
    assert scorer.predict_proba(rows) == clf.predict_proba(X).tolist()
    assert scorer.apply(rows) == clf.apply(X).tolist()
    assert str(scorer) == str(clf.rules_)
    some = slice(0, 40)
    texts = [reason.to_text("english") for reason in clf.explain(X.iloc[some], names=["one"] * len(X[some]))]
    mine = scorer.explain(rows[some], names=["one"] * len(rows[some]))
    assert [reason.to_text("english") for reason in mine] == texts
    assert [reason.to_dict() for reason in mine] == [
        reason.to_dict() for reason in clf.explain(X.iloc[some], names=["one"] * len(X[some]))
    ]
    return scorer


@pytest.mark.parametrize(("name", "learner"), CASES)
def test_on_data_sets(name, learner):
    data, X, y = dataset(name)
    clf = LEARNERS[learner](
        pos_label=data.positive, numeric_features=data.numeric, categorical_features=data.categorical
    ).fit(X, y)
    assert_same(clf, X)
    assert_same(clf, nasty_rows(data, X, clf))


@several
@given(programs(tuple(POOLS), tuple(POOLS)))
def test_random_programs(program):
    assert_same(with_rules(program), TABLE)


@pytest.mark.parametrize("abstain", [None, "who knows"])
def test_a_model_that_abstains(abstain):
    clf = ConFoldClassifier(abstain=abstain).fit(PEOPLE, SURVIVED)
    scorer = assert_same(clf, PEOPLE)
    assert abstain in scorer.predict(rows_of(PEOPLE))
    sure = scorer.predict_confidence(rows_of(PEOPLE))
    assert np.array_equal(np.array(sure, dtype=float), clf.predict_confidence(PEOPLE), equal_nan=True)


def test_values_are_converted_to_what_was_learned(tmp_path):
    clf = FoldSEClassifier(pos_label="old").fit(PEOPLE[["age"]], ["old", "old", "young", "young", "old"])
    scorer = Scorer.from_json(to_json(clf))
    (tmp_path / "rows.csv").write_text("age,name\n7,a\n 70.0,b\n,c\nNA,d\n", encoding="utf-8")
    with open(tmp_path / "rows.csv", newline="", encoding="utf-8") as file:
        found = scorer.predict(csv.DictReader(file), missing=["", "NA"])
    assert found == clf.predict(pd.DataFrame({"age": [7.0, 70.0, None, None]})).tolist()
    with pytest.raises(ValueError, match=r"column 'age' held numbers .* now holds 'n/a'"):
        scorer.predict([{"age": "n/a"}])


@pytest.mark.parametrize("kind", [pd.DataFrame, dict, "records", "numpy scalars", "arrow"])
def test_tables(kind):
    clf = FoldSEClassifier(pos_label="yes").fit(PEOPLE, SURVIVED)
    scorer = Scorer.from_json(to_json(clf))
    if kind == "arrow":
        table = pytest.importorskip("pyarrow").Table.from_pandas(PEOPLE)
    elif kind == "records":
        table = PEOPLE.to_records(index=False)
    elif kind == "numpy scalars":
        table = [{"sex": np.str_(sex), "age": np.float32(30)} for sex in "mfmf"] + [{"sex": pd.NA}]
    else:
        table = kind(PEOPLE)
    assert scorer.predict(table) == clf.predict(PEOPLE).tolist()
    assert len(scorer.explain(table)) == len(PEOPLE)


def test_a_model_without_names_takes_lists():
    clf = FoldSEClassifier(pos_label=1).fit([[1.0, "a"], [2.0, "b"], [3.0, "a"]], [0, 1, 0])
    scorer = Scorer.from_json(to_json(clf))
    rows = [[1.0, "b"], [2.0, "a"]]
    assert scorer.predict(rows) == scorer.predict(np.array(rows, dtype=object)) == [1, 0]
    with pytest.raises(ValueError, match="row 1 has 1 values; the model has 2 features"):
        scorer.predict([rows[0], ["a"]])


def test_columns_are_matched_by_name():
    scorer = Scorer.from_json(to_json(FoldSEClassifier(pos_label="yes").fit(PEOPLE, SURVIVED)))
    assert scorer.rules.used_features == {"sex"}
    assert scorer.predict([{"sex": "f", "more": object()}, {}]) == ["yes", "no"]
    assert scorer.predict([]) == []
    with pytest.raises(ValueError, match="the rows lack columns of the rules: 'sex'"):
        scorer.predict([{"age": 5}])
    with pytest.raises(TypeError, match="row 0 is a list, and the model knows its columns by name"):
        scorer.predict([["f", 5]])
    with pytest.raises(TypeError, match="column 'sex' has a value of type bytes"):
        scorer.predict([{"sex": b"f"}])
    with pytest.raises(ValueError, match="names has 1 entries and there are 2 rows"):
        scorer.explain([{"sex": "f"}] * 2, names=["a"])


def test_files_that_are_no_models_of_rules(tmp_path):
    HeuristicTreeClassifier().fit(PEOPLE, SURVIVED).save(tmp_path / "tree.json")
    with pytest.raises(ModelFileError, match=r"tree\.json: the model is a tree"):
        Scorer.load(tmp_path / "tree.json")
    (tmp_path / "none.json").write_text("{}", encoding="utf-8")
    with pytest.raises(ModelFileError, match=r"none\.json: this is not a model file"):
        Scorer.load(tmp_path / "none.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff")
    with pytest.raises(ModelFileError, match="not UTF-8 text at byte 0"):
        Scorer.load(tmp_path / "bytes.json")


def test_nothing_of_the_stack_is_imported(tmp_path):
    FoldSEClassifier(pos_label="yes").fit(PEOPLE, SURVIVED).save(tmp_path / "model.json")
    program = """if True:
        import sys
        from foldse.scoring import Scorer
        scorer = Scorer.load(sys.argv[1])
        rows = [{"sex": "f"}, {"sex": None}]
        print(*scorer.predict(rows), scorer.explain(rows)[0].to_text("short"))
        print(scorer, scorer.describe(), scorer.explain(rows)[1].to_html()[:4])
        third = {name.partition(".")[0] for name, module in sys.modules.items() if "site-packages" in
                 (getattr(module, "__file__", None) or "")}
        print(sorted(third - {"foldse"}))"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "model.json")],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("yes no ")
    assert not set(eval(lines[-1])) & {"numpy", "pandas", "sklearn", "scipy", "numba", "pyarrow", "narwhals"}
