"""What a feature held when the model was learned: later tables mean the same, in any type, or are refused."""

import re
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import LeaveOneOut, cross_val_score

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
from foldse.codefile import open_codes, write_codes
from foldse.export import to_sql
from foldse.persistence import from_json, to_json
from foldse.reading.conversion import BOOL, CODE, NUMBER, TEXT, TYPES, as_number, converted, types_of

CLASSIFIERS = [FoldSEClassifier, FoldRPPClassifier, HeuristicTreeClassifier]
FLAGS = [0, 1, 1, 0, 1, 0, 0, 1]
LABELS = ["b" if flag else "a" for flag in FLAGS]

# One column of zeros and ones in every type that a table may have it in.
KINDS = {
    "int": lambda: pd.Series(FLAGS),
    "float": lambda: pd.Series(FLAGS, dtype=float),
    "nullable": lambda: pd.Series(FLAGS, dtype="Int64"),
    "object": lambda: pd.Series(FLAGS, dtype=object),
    "Decimal": lambda: pd.Series([Decimal(flag) for flag in FLAGS], dtype=object),
    "category of ints": lambda: pd.Series(FLAGS, dtype="category"),
    "category of bools": lambda: pd.Series([flag == 1 for flag in FLAGS]).astype("category"),
    "bool": lambda: pd.Series(FLAGS, dtype=bool),
    "nullable bool": lambda: pd.Series(FLAGS, dtype="boolean"),
    "category of text": lambda: pd.Series([str(flag) for flag in FLAGS]).astype("category"),
    "string": lambda: pd.Series([str(flag) for flag in FLAGS], dtype="string"),
    "object of text": lambda: pd.Series([str(flag) for flag in FLAGS], dtype=object),
}
NUMBERS = ["int", "float", "nullable", "object", "Decimal", "category of ints"]
BOOLS = ["category of bools", "bool", "nullable bool"]
TEXTS = ["category of text", "string", "object of text"]


def is_read(learned, later):
    """Say whether one kind can be read as another: numbers never become text, and '1' is no truth value."""
    if learned in TEXTS or later in TEXTS:
        return (later in TEXTS and learned not in BOOLS) or learned in NUMBERS
    return True


def predicted(clf, kind):
    return clf.predict(pd.DataFrame({"x": KINDS[kind]()})).tolist()


@pytest.mark.parametrize("classifier", CLASSIFIERS)
@pytest.mark.parametrize("learned", KINDS)
def test_one_kind_of_column_is_read_as_another_or_refused(classifier, learned):
    clf = classifier().fit(pd.DataFrame({"x": KINDS[learned]()}), LABELS)
    for model in (clf, from_json(to_json(clf))):
        assert predicted(model, learned) == LABELS
        for later in KINDS:
            if is_read(learned, later):
                assert predicted(model, later) == LABELS, later
            else:
                with pytest.raises(
                    ValueError, match=r"column 'x' held .* when the model was learned, and now holds"
                ):
                    predicted(model, later)


def test_the_table_of_pairs_in_the_docs():
    header = "| learned from | " + " | ".join(KINDS) + " |"
    rows = [
        f"| {learned} | "
        + " | ".join("yes" if is_read(learned, later) else "error" for later in KINDS)
        + " |"
        for learned in KINDS
    ]
    table = "\n".join([header, "|:--" * (len(KINDS) + 1) + "|", *rows])
    page = Path(__file__).parents[3] / "docs" / "howto" / "values.md"
    assert table in page.read_text(encoding="utf-8"), table


@pytest.mark.parametrize(
    ("values", "learned", "expected"),
    [
        (["5", " 5 ", "5.0", "5e0", 5, 5.0], NUMBER, 5.0),
        ([True, "1", 1], NUMBER, 1.0),
        (["2", 2, "2.0"], CODE, 2),
        (["2.5", 2.5], CODE, 2.5),
        ([True, "true", "TRUE", "True", 1, 1.0], BOOL, True),
        ([False, "FALSE", 0], BOOL, False),
        (["007"], TEXT, "007"),
        ([None], NUMBER, None),
        ([None], TEXT, None),
    ],
)
def test_conversions_that_lose_nothing(values, learned, expected):
    found = [converted("x", value, learned) for value in values]
    assert [(type(value), value) for value in found] == [(type(expected), expected)] * len(values)


@pytest.mark.parametrize(
    ("value", "learned", "message"),
    [
        (
            "unknown",
            NUMBER,
            "held numbers when the model was learned, and now holds 'unknown'; give a number or",
        ),
        ("", NUMBER, "now holds ''"),
        ("nan", NUMBER, "now holds 'nan'"),
        ("1_0", NUMBER, "now holds '1_0'"),
        ("5\u00a0", NUMBER, "now holds '5\\\\xa0'"),
        ("\uff15", NUMBER, "now holds"),  # a full-width digit
        ("x", CODE, "held numbers as categories when the model was learned, and now holds 'x'"),
        (7, TEXT, "held text when the model was learned, and now holds 7; convert the column to what it was"),
        (True, TEXT, "held text .* now holds True"),
        (2, BOOL, "held truth values .* now holds 2"),
        ("yes", BOOL, "held truth values .* now holds 'yes'"),
    ],
)
def test_what_would_have_to_be_guessed_is_refused(value, learned, message):
    with pytest.raises(ValueError, match=f"^column 'zip' .*{message}"):
        converted("zip", value, learned)


def test_types_in_their_order():
    assert types_of(True, [None, 1, True, "a"]) == "number+code+bool+text"
    assert types_of(False, [None]) == ""
    assert [
        types_of(name == NUMBER, {CODE: [2.5], BOOL: [False], TEXT: [""]}.get(name, [])) for name in TYPES
    ] == [*TYPES]
    assert as_number("-0") == 0.0
    assert str(as_number("-0")) == "0.0"


# Numbers that arrive as text, as of csv.DictReader or JSON


def ages():
    X = pd.DataFrame({"age": [5, 12, 19, 25, 40, 61]})
    return X, ["minor", "minor", "minor", "adult", "adult", "adult"]


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_numbers_that_arrive_as_text(kind):
    clf = kind(pos_label="adult").fit(*ages())
    assert clf.predict([{"age": "5"}, {"age": "70"}]).tolist() == ["minor", "adult"]
    assert clf.predict(np.array([["5"], ["70"]])).tolist() == ["minor", "adult"]
    with pytest.raises(ValueError, match=r"column 'age' held numbers .* now holds 'n/a'; give a number"):
        clf.predict([{"age": "n/a"}])
    assert clf.predict([{"age": None}, {"age": "70"}]).tolist()[1] == "adult"


def test_text_in_a_declared_numeric_column_stays_a_category():
    X, y = ages()
    clf = FoldSEClassifier(pos_label="adult", numeric_features=["age"]).fit(X, y)
    assert clf.predict(pd.DataFrame({"age": ["5", "70", "n/a"]})).tolist()[:2] == ["minor", "adult"]
    mixed = X.astype(object)
    mixed.loc[0, "age"] = "n/a"
    clf = FoldSEClassifier(pos_label="adult").fit(mixed, y)  # of several types: each value as its type says
    assert clf.feature_types_ == ("number+text",)
    assert clf.predict(mixed).tolist() == y


# A column of objects whose training part had numbers only, as in a fold of a cross-validation


@pytest.mark.parametrize("kind", CLASSIFIERS)
@pytest.mark.parametrize("again", [lambda clf: clf, lambda clf: from_json(to_json(clf))], ids=["", "saved"])
def test_words_may_come_later_in_a_column_of_objects(kind, again):
    X, y = ages()
    clf = again(kind(pos_label="adult").fit(X.astype(object), y))
    assert clf.feature_types_ == ("number+object",)
    table = pd.DataFrame({"age": ["n/a", 12, "25", " 5 ", None, "", "nan"]}, dtype=object)
    labels = clf.predict(table).tolist()
    assert labels[1:4] == ["minor", "adult", "minor"]  # text that is a number is one
    for row in (0, 5, 6):  # a word is not a number: as a missing value is to a rule about size
        assert labels[row] == labels[4]
        assert clf.predict(table.iloc[[row]]).tolist() == [labels[row]]  # whatever the other rows are
    assert clf.predict([{"age": "25"}, {"age": "n/a"}]).tolist() == ["adult", labels[0]]
    if kind is not HeuristicTreeClassifier:
        said = words(["n/a", "12", "25", "5", None]).execute(to_sql(clf, "texts")).fetchall()
        assert [label for label, _ in said] == [labels[0], "minor", "adult", "minor", labels[4]]


def words(texts):
    """Return a database with a column of text."""
    database = duckdb.connect()
    database.execute("CREATE TABLE texts (age VARCHAR)")
    database.executemany("INSERT INTO texts VALUES (?)", [[text] for text in texts])
    return database


@pytest.mark.parametrize(
    "text", ["1,000", "$10.00", "3%", "5\u00a0", "\uff15", "1\u00a0234", "True", "FALSE"]
)
def test_numbers_in_another_notation_are_no_words(text):
    X, y = ages()
    for kind in CLASSIFIERS:
        clf = kind().fit(X.astype(object), y)
        with pytest.raises(
            ValueError, match=r"column 'age' held numbers .* and now holds .*; give a number or"
        ):
            clf.predict(pd.DataFrame({"age": [7, text]}, dtype=object))
        if kind is not HeuristicTreeClassifier:
            with pytest.raises(duckdb.Error, match=r"column 'age' held numbers .* and now holds"):
                words([text]).execute(to_sql(clf, "texts"))


@pytest.mark.parametrize("kind", CLASSIFIERS)
def test_a_rare_word_does_not_stop_a_cross_validation(kind):
    ages = pd.Series([*range(20, 49), "unknown"], dtype=object)
    y = ["young" if age != "unknown" and age < 35 else "old" for age in ages]
    scores = cross_val_score(kind(), pd.DataFrame({"age": ages}), y, cv=LeaveOneOut(), error_score="raise")
    assert scores.mean() > 0.9


def test_a_category_that_does_not_occur_is_not_refused():
    clf = FoldSEClassifier(pos_label="adult").fit(*ages())
    table = pd.DataFrame({"age": pd.Categorical(["5", "70"], categories=["5", "70", "n/a"])})
    assert clf.predict(table).tolist() == ["minor", "adult"]


def test_a_column_that_no_rule_looks_at_may_hold_anything():
    X, y = ages()
    clf = FoldSEClassifier(pos_label="adult").fit(X.assign(noise=[1, 1, 1, 1, 1, 1]), y)
    assert clf.predict(X.assign(noise=["a", "b", "c", "d", "e", "f"])).tolist() == y


@pytest.mark.parametrize("by", ["one row", "concat", "arrow", "csv", "dicts"])
def test_codes_keep_their_role(by, tmp_path):
    X = pd.DataFrame({"zip": pd.Categorical([3, 1, 2, 3, 1, 2])})
    y = ["a", "b", "b", "a", "b", "b"]
    clf = FoldSEClassifier(pos_label="a").fit(X, y)
    assert str(clf.rules_) == "target(X,'a') :- zip(X,'3')."
    plain = X.astype({"zip": "int64"})
    if by == "one row":
        assert [clf.predict(X.iloc[i].to_frame().T)[0] for i in range(6)] == y
    elif by == "concat":
        assert clf.predict(pd.concat([X, plain])).tolist() == y + y
    elif by == "arrow":
        assert clf.predict(pytest.importorskip("pyarrow").Table.from_pandas(plain)).tolist() == y
    elif by == "csv":
        plain.to_csv(tmp_path / "t.csv", index=False)
        assert clf.predict(pd.read_csv(tmp_path / "t.csv")).tolist() == y
    else:
        assert clf.predict(plain.to_dict("records")).tolist() == y
    assert str(clf.explain(plain)[0]) == str(clf.explain(X)[0])


def test_counterfactuals_keep_the_type():
    X = pd.DataFrame({"zip": pd.Categorical([3, 1, 2, 3]), "on": [True, False, True, False]})
    zips = FoldSEClassifier(pos_label="a").fit(X[["zip"]], ["a", "b", "b", "a"])
    assert zips.counterfactual([3], allow_missing=False).changes[0].new == 0  # a number other than 3
    flags = FoldSEClassifier(pos_label="a").fit(X[["on"]], ["a", "b", "a", "b"])
    assert flags.counterfactual(["TRUE"], allow_missing=False).changes[0].new is False


def test_files_of_earlier_models_are_read_by_dtype():
    clf = FoldSEClassifier(pos_label="adult").fit(*ages())
    text = re.sub(r'  "feature_types": .*\n', "", to_json(clf))
    again = from_json(text)
    assert again.feature_types_ == ("",)
    assert to_json(again) == text
    assert again.predict(ages()[0]).tolist() == ages()[1]


@pytest.mark.parametrize("text", ["1,000", "$10.00", "3%", "1 234", "1.234,56", "\u22125", "1'000"])
def test_a_declared_number_in_another_notation(text):
    X = pd.DataFrame({"price": [text, text, None, text]})
    for kind in CLASSIFIERS:
        with pytest.raises(ValueError, match="'price' is named in numeric_features and holds no"):
            kind(numeric_features=["price"]).fit(X, ["a", "b", "a", "b"])


@pytest.mark.parametrize("values", [[None, None], ["#DIV/0!", "#DIV/0!"], ["low", "high"], ["5", "1,000"]])
def test_a_declared_number_may_hold_words(values):
    for kind in CLASSIFIERS:
        assert kind(numeric_features=["x"]).fit(pd.DataFrame({"x": values}), ["a", "b"]).n_features_in_ == 1


# Codes on disk


def write(folder, chunks, **roles):
    write_codes(lambda: iter(chunks), folder, **roles)
    return open_codes(folder)


def test_a_word_in_a_late_chunk(tmp_path):
    (tmp_path / "t.csv").write_text("x\n" + "".join(f"{i}\n" for i in range(6)) + "word\n7\n")
    chunks = list(pd.read_csv(tmp_path / "t.csv", chunksize=3))
    with pytest.raises(
        ValueError, match="column 'x' holds number in one chunk and text in another; read all chunks"
    ):
        write(tmp_path / "codes", chunks)
    y = list("aaabbbab")
    whole = pd.read_csv(tmp_path / "t.csv")
    declared = FoldSEClassifier(pos_label="b", numeric_features=["x"]).fit(whole, y)
    codes = write(tmp_path / "codes", chunks, numeric=["x"])
    assert str(FoldSEClassifier(pos_label="b").fit(codes, y).rules_) == str(declared.rules_)
    as_text = list(pd.read_csv(tmp_path / "t.csv", chunksize=3, dtype=str))
    codes = write(tmp_path / "codes", as_text)
    in_memory = FoldSEClassifier(pos_label="b").fit(whole, y)
    assert str(FoldSEClassifier(pos_label="b").fit(codes, y).rules_) == str(in_memory.rules_)


def test_chunks_of_objects_may_differ(tmp_path):
    chunks = [
        pd.DataFrame({"x": pd.Series(part, dtype=object)}) for part in ([1, 2], [3, "word"], [None, None])
    ]
    codes = write(tmp_path / "codes", chunks)
    assert codes.features[0].types == "number+text"
