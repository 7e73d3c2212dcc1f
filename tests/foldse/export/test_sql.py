"""SQL: what the SELECT looks like, and what DuckDB and SQLite make of types, NULL, NaN and names."""

import math
import random
import re
import sqlite3
import struct
from decimal import Decimal

import duckdb
import numpy as np
import pandas as pd
import pytest

from foldse import FoldSEClassifier, Literal, Op, Rule, RuleSet
from foldse.export import to_sql
from foldse.export.dialects import DIALECTS
from tests.foldse.export.engines import by_duckdb, by_sqlite, fired

FEMALE = Literal("Sex", Op.EQ, "female")
X = pd.DataFrame({"Sex": ["male", "female", None], "Fare": [5.0, np.nan, 1e300]})


def model(*rules, X=X, target="survived", classes=("0", "1"), default="1", **roles):
    """Return a classifier with rules of our own."""
    clf = FoldSEClassifier(**roles).fit(X, [classes[i % len(classes)] for i in range(len(X))])
    clf.rules_ = RuleSet(rules, tuple(map(str, X.columns)), target, classes, default)
    clf.feature_types_ = ("",) * X.shape[1]  # not known: each value is what its type says
    return clf


def equal_to(category, **roles):
    """Return a classifier that says 0 for one category of x."""
    return model(Rule("0", (Literal("x", Op.EQ, category),)), X=pd.DataFrame({"x": ["a", "b"]}), **roles)


def test_select():
    exception = Rule(None, (Literal("Fare", Op.NOT_LE, 0.1), Literal("Sex", Op.NE, "it's")))
    clf = model(Rule("0", (FEMALE, Literal("Sex", Op.NE, None)), (exception,)))
    assert to_sql(clf, ("main", 'odd "name'), "sqlite").splitlines() == [
        'SELECT CASE "rule" WHEN 1 THEN \'0\' ELSE \'1\' END AS "survived", "rule"',
        "FROM (",
        "  SELECT",
        "    CASE",
        '      WHEN "sex" = \'female\' AND NOT "sex_missing"',
        '        AND (("fare" <= (CAST(3602879701896397 AS REAL) / 36028797018963968 /* 0.1 */)) IS NOT TRUE '
        "AND \"sex\" IS NOT 'it''s') IS NOT TRUE",
        "      THEN 1",
        "      ELSE 0",
        '    END AS "rule"',
        "  FROM (",
        "    SELECT",
        '      CASE WHEN typeof(source."Sex") = \'text\' THEN source."Sex" END AS "sex",',
        '      source."Sex" IS NULL AS "sex_missing",',
        "      CASE WHEN typeof(source.\"Fare\") IN ('integer', 'real') "
        'THEN CAST(source."Fare" AS REAL) END AS "fare"',
        '    FROM "main"."odd ""name" AS source',
        "  ) AS cells",
        ") AS decided",
    ]


def test_without_rules_all_rows_get_the_default():
    for run in (by_duckdb, by_sqlite):
        assert run(model(), X) == (["1"] * 3, [0] * 3)
    with duckdb.connect() as connection:
        connection.register("t", X)
        assert connection.execute(to_sql(model(), "t")).fetchall() == [("1", 0)] * 3


@pytest.mark.parametrize(
    "labels", [[1, 0], [True, False], [2.0, -1.0], [2**40, -(2**62)], ["x", "it's \"\n\0"]], ids=repr
)
def test_labels_come_back_as_they_are(labels):
    clf = FoldSEClassifier().fit(X, np.array([labels[0], labels[1], labels[1]], dtype=object))
    for run in (by_duckdb, by_sqlite):
        assert run(clf, X)[0] == clf.predict(X).tolist()
    assert [type(label) for label in by_duckdb(clf, X)[0]] == [
        type(label) for label in clf.predict(X).tolist()
    ]


# Numbers


def test_floats_are_written_exactly():
    generator = random.Random(0)
    bits = [struct.unpack("<d", struct.pack("<Q", generator.getrandbits(64)))[0] for _ in range(1000)]
    decimals = [round(generator.uniform(-1000, 1000), generator.randint(0, 7)) for _ in range(1000)]
    corners = [0.0, -0.0, 5e-324, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1e-300]
    corners += [1.7976931348623157e308, 2.0**53, 2.0**62, 2.0**63, 1e13, -498.332414, 1e12 + 0.25]
    values = [v for v in (*bits, *decimals, *corners) if math.isfinite(v)]
    with duckdb.connect() as duck, sqlite3.connect(":memory:") as lite:
        for name, connection in (("duckdb", duck), ("sqlite", lite)):
            for start in range(0, len(values), 100):
                chunk = values[start : start + 100]
                query = "SELECT " + ", ".join(map(DIALECTS[name].real, chunk))
                assert connection.execute(query).fetchone() == tuple(chunk)


@pytest.mark.parametrize("op", list(Op)[:4])
def test_integers_are_compared_as_the_library_compares_them(op):
    """As floats: beyond 2**53 SQLite alone would tell an integer from the float next to it."""
    table = pd.DataFrame({"x": [2**53 - 1, 2**53, 2**53 + 1, 2**53 + 2, -(2**63), 2**63 - 1]})
    clf = model(Rule("0", (Literal("x", op, 2.0**53),)), X=table)
    expected = (clf.predict(table).tolist(), fired(clf, table))
    assert by_duckdb(clf, table) == by_sqlite(clf, table) == expected


@pytest.mark.parametrize(
    "column",
    [
        np.array([0.1, 0.2, 0.3], dtype="float32"),
        pd.array([1, None, 3], dtype="Int8"),
        pd.array([0.1, None, 0.3], dtype="Float64"),
        pd.Series([1, 2.5, None], dtype=object),
        pd.Categorical([0.1, 2.5, None]),
        np.array([1, 2, 3], dtype="uint64"),
    ],
    ids=lambda column: str(column.dtype),
)
@pytest.mark.parametrize("op", [Op.LE, Op.NOT_LE, Op.GT, Op.NOT_GT])
def test_number_types_of_duckdb(column, op):
    table = pd.DataFrame({"x": column})
    role = {"numeric_features": ["x"]}
    clf = model(Rule("0", (Literal("x", op, 0.1),)), X=table, classes=("0", "1"), **role)
    assert by_duckdb(clf, table)[0] == clf.predict(table).tolist()


def test_nan_is_missing_in_duckdb():
    for op, category in ((Op.GT, 0.0), (Op.NOT_LE, 0.0), (Op.EQ, None), (Op.NE, None)):
        clf = model(Rule("0", (Literal("Fare", op, category),)), X=X)
        with duckdb.connect() as connection:
            connection.execute(
                "CREATE TABLE t AS SELECT CAST(v AS DOUBLE) AS \"Fare\" FROM (VALUES ('nan'), ('1')) AS v(v)"
            )
            got = [row[0] for row in connection.execute(to_sql(clf, "t")).fetchall()]
        assert got == clf.predict(pd.DataFrame({"Fare": [np.nan, 1.0], "Sex": "a"})).tolist()


def test_numerals_in_text_are_numbers_for_a_numeric_feature_of_duckdb():
    numerals = ["5", " 5.0\n", "+5", "5e0", "5.", ".5e1", "inf", "-Infinity", "1e999", "7"]
    words = ["nan", "", "5_0", "0x5", "5 5", "e5", "five", None]
    table = pd.DataFrame({"x": [*numerals, *words]})
    for op in list(Op)[:4]:
        clf = model(
            Rule("0", (Literal("x", op, 5.0), Literal("x", Op.NE, "five"))), X=table, numeric_features=["x"]
        )
        assert by_duckdb(clf, table)[0] == clf.predict(table).tolist()


# Categories


@pytest.mark.parametrize(
    ("values", "categories"),
    [
        (pd.Categorical(["a", "1", None, "A"]), ["a", "1", "A", "never", None]),
        (pd.array([True, None, False], dtype="boolean"), [True, False, None, "true", "True", 1]),
        (pd.array([1, None, 2], dtype="Int64"), [1, 2, None, "1", True]),
        (np.array([1.0, 2.5, np.inf]), [1, 2.5, float("inf"), float("-inf"), None, "1.0"]),
        (np.array([2**53 + 1, 2**53, -(2**63)]), [2**53 + 1, 2**53, 2**53 + 2, -(2**63), 10**40]),
        (pd.Series(["1", "true", "1.0", None]), ["1", "true", 1, True, 1.5]),
    ],
)
def test_a_category_equals_its_own_type_only(values, categories):
    table = pd.DataFrame({"x": values})
    for category in categories:
        clf = equal_to(category, categorical_features=["x"])
        expected = clf.predict(table).tolist()
        assert by_duckdb(clf, table)[0] == expected
        if not isinstance(category, bool) and table["x"].dtype != "boolean":
            assert by_sqlite(clf, table)[0] == expected


def test_sqlite_does_not_convert_what_it_compares():
    table = pd.DataFrame({"x": ["a", "A", "1", None]})
    for declared in ("TEXT", "TEXT COLLATE NOCASE", "BLOB"):
        for category in ("a", "1", 1):
            clf = equal_to(category, categorical_features=["x"])
            assert by_sqlite(clf, table, types={"x": declared})[0] == clf.predict(table).tolist()


def test_numbers_are_no_categories_of_a_numeric_feature():
    table = pd.DataFrame({"x": [1.0, 2.0]})
    clf = model(Rule("0", (Literal("x", Op.EQ, 1),)), X=table, numeric_features=["x"])
    assert by_duckdb(clf, table)[0] == by_sqlite(clf, table)[0] == clf.predict(table).tolist() == ["1", "1"]


@pytest.mark.parametrize(
    ("first", "second", "dialects"),
    [
        (Literal("x", Op.LE, 1.0), Literal("x", Op.EQ, "a"), ["duckdb"]),
        (Literal("x", Op.EQ, True), Literal("x", Op.NE, "a"), ["duckdb"]),
        (Literal("x", Op.EQ, True), Literal("x", Op.NE, 1), ["duckdb", "sqlite"]),
        (Literal("x", Op.EQ, True), Literal("x", Op.GT, 1.0), ["duckdb", "sqlite"]),
        (Literal("x", Op.EQ, 2), Literal("x", Op.GT, 1.0), ["duckdb", "sqlite"]),
    ],
)
def test_what_a_column_cannot_tell_apart_is_an_error(first, second, dialects):
    clf = model(Rule("0", (first,), (Rule(None, (second, second)),)), X=pd.DataFrame({"x": ["a", "b"]}))
    for dialect in ("duckdb", "sqlite"):
        if dialect in dialects:
            with pytest.raises(ValueError, match="rules compare 'x' with values of several types, and"):
                to_sql(clf, "t", dialect)
        else:
            to_sql(clf, "t", dialect)


# Names


def test_names_with_quotes_blanks_and_keywords():
    names = [
        'say "x"',
        "select",
        "a b",
        "rule",
        "survived",
        "é",
        "row",
        "Ünï",
        "x; DROP TABLE t; --",
        "sex text",
    ]
    table = pd.DataFrame({name: ["a", "b", None] for name in names})
    body = [lit for name in names for lit in (Literal(name, Op.EQ, "a"), Literal(name, Op.NE, None))]
    clf = model(Rule("0", tuple(body)), X=table)
    expected = (["0", "1", "1"], [1, 0, 0])
    assert by_duckdb(clf, table, table='odd "table;') == expected
    assert by_sqlite(clf, table) == expected


def test_result_columns_are_named_apart():
    clf = model(Rule("0", (FEMALE,)), target="rule")
    assert 'AS "rule", "rule_2"' in to_sql(clf, "t")
    assert to_sql(clf, "t", key="rule_2").startswith('SELECT "rule_2", CASE "rule_3"')
    with pytest.raises(ValueError, match="the key 'Rule' has the name of the predicted class"):
        to_sql(clf, "t", key="Rule")


def test_a_feature_may_be_the_key():
    clf = model(Rule("0", (FEMALE,)))
    with duckdb.connect() as connection:
        connection.register("t", X)
        rows = connection.execute(to_sql(clf, "t", key="Sex")).fetchall()
    assert rows == [("male", "1", 0), ("female", "0", 1), (None, "1", 0)]


@pytest.mark.parametrize("dialect", ["duckdb", "sqlite"])
def test_a_table_without_the_column_is_an_error(dialect):
    query = to_sql(model(Rule("0", (FEMALE,))), "t", dialect)
    with duckdb.connect() if dialect == "duckdb" else sqlite3.connect(":memory:") as connection:
        connection.execute('CREATE TABLE t ("Gender" TEXT)')
        with pytest.raises((duckdb.Error, sqlite3.Error), match="Sex"):
            connection.execute(query)


@pytest.mark.parametrize(
    ("columns", "table", "message"),
    [
        (["Sex", "sex"], "t", "columns 'Sex' and 'sex' are one name to SQL; rename one of them"),
        (["Sex", ""], "t", "a table or column cannot be named '' in SQL"),
        (["Sex", "a\0"], "t", r"a table or column cannot be named 'a\\x00' in SQL"),
        (["Sex", "Fare"], "", "a table or column cannot be named '' in SQL"),
    ],
)
def test_names_that_sql_does_not_have(columns, table, message):
    frame = pd.DataFrame([["a", "b"], ["c", "d"]], columns=columns)
    clf = model(Rule("0", (FEMALE, Literal(columns[1], Op.EQ, "b"))), X=frame)
    with pytest.raises(ValueError, match=message):
        to_sql(clf, table)


def test_dialects_are_named_in_the_error():
    with pytest.raises(ValueError, match=re.escape("dialect must be one of bigquery, duckdb, mariadb, ")):
        to_sql(model(), "t", "oracle")


def test_text_that_is_no_unicode():
    with pytest.raises(ValueError, match="is not valid Unicode, which SQL needs"):
        to_sql(equal_to("\ud800"), "t")


# Columns of another type than the model was learned from


def cast(values, sql_type):
    """Return a DuckDB connection with a table t of one column x."""
    connection = duckdb.connect()
    connection.execute(f"CREATE TABLE t (x {sql_type})")
    connection.executemany("INSERT INTO t VALUES (?)", [[value] for value in values])
    return connection


@pytest.mark.parametrize(
    ("learned", "sql_type", "values"),
    [
        ([1.0, 2.0, 3.0, 4.0], "VARCHAR", ["1", " 2.0", "3e0", "4"]),
        ([1.0, 2.0, 3.0, 4.0], "DECIMAL(5,1)", [1, 2, 3, 4]),
        ([0.0, 0.0, 1.0, 1.0], "BOOLEAN", [False, False, True, True]),
        (pd.Categorical([1, 1, 2, 2]), "DOUBLE", [1.0, 1.0, 2.0, 2.0]),
        (pd.Categorical([1, 1, 2, 2]), "VARCHAR", ["1", "1.0", "2", "2"]),
        (
            pd.Categorical([2**60, 2**60, 2**60 + 1, 2**60 + 1]),
            "HUGEINT",
            [2**60, 2**60, 2**60 + 1, 2**60 + 1],
        ),
        ([False, False, True, True], "VARCHAR", ["FALSE", "false", "TRUE", "True"]),
        ([False, False, True, True], "INTEGER", [0, 0, 1, 1]),
        (["a", "a", "b", "b"], "ENUM ('a', 'b', 'c')", ["a", "a", "b", "b"]),
    ],
)
def test_duckdb_converts_as_predict_does(learned, sql_type, values):
    y = ["p", "p", "q", "q"]
    clf = FoldSEClassifier(pos_label="p").fit(pd.DataFrame({"x": learned}), y)
    assert len(clf.rules_) == 1
    assert clf.predict(pd.DataFrame({"x": pd.Series(values, dtype=object)})).tolist() == y
    with cast([*values, None], sql_type) as connection:
        found = [label for label, _ in connection.execute(to_sql(clf, "t")).fetchall()]
    assert found == clf.predict(pd.DataFrame({"x": pd.Series([*values, None], dtype=object)})).tolist()


@pytest.mark.parametrize(
    ("learned", "sql_type", "value", "message"),
    [
        (
            [1.0, 2.0, 3.0, 4.0],
            "VARCHAR",
            "NA",
            "column 'x' held numbers when the model was learned, and now holds NA",
        ),
        ([1.0, 2.0, 3.0, 4.0], "VARCHAR", "5\u00a0", "column 'x' held numbers .* now holds 5"),
        ([1.0, 2.0, 3.0, 4.0], "VARCHAR", "\uff15", "column 'x' held numbers"),
        ([1.0, 2.0, 3.0, 4.0], "DATE", "2020-01-01", "column 'x' held numbers .* now holds 2020-01-01"),
        (["2020-01-01", "2020-01-01", "b", "b"], "DATE", "2020-01-01", "column 'x' held text .* 2020-01-01"),
        (["10:00", "10:00", "b", "b"], "TIME", "10:00", "column 'x' held text .* now holds 10:00:00"),
        (["TRUE", "TRUE", "b", "b"], "BOOLEAN", True, "column 'x' held text .* now holds true"),
        (["007", "007", "b", "b"], "BIGINT", 7, "column 'x' held text .* now holds 7"),
        ([False, False, True, True], "VARCHAR", "yes", "column 'x' held truth values .* now holds yes"),
        ([False, False, True, True], "INTEGER", 2, "column 'x' held truth values .* now holds 2"),
        (
            pd.Categorical([1, 1, 2, 2]),
            "VARCHAR",
            "one",
            "column 'x' held numbers as categories .* now holds one",
        ),
    ],
)
def test_duckdb_refuses_what_predict_refuses(learned, sql_type, value, message):
    clf = FoldSEClassifier(pos_label="p").fit(pd.DataFrame({"x": learned}), ["p", "p", "q", "q"])
    with cast([value], sql_type) as connection, pytest.raises(duckdb.Error, match=message):
        connection.execute(to_sql(clf, "t")).fetchall()
    with pytest.raises((ValueError, TypeError), match="column 'x'"):
        clf.predict(cast([value], sql_type).sql("FROM t").df())


def test_a_narrow_float_is_no_text_on_its_way():
    clf = FoldSEClassifier(pos_label="p").fit(pd.DataFrame({"x": [0.1, 0.1, 0.3, 0.3]}), ["p", "p", "q", "q"])
    assert str(clf.rules_) == "target(X,'p') :- x(X,N1), N1=<0.1."
    with cast([0.1], "FLOAT") as connection:  # which is above 0.1
        assert connection.execute(to_sql(clf, "t")).fetchall() == [("q", 0)]
    assert clf.predict(pd.DataFrame({"x": np.array([0.1], dtype="float32")})).tolist() == ["q"]


def test_read_csv_of_duckdb_gives_the_same_labels_or_an_error(tmp_path):
    text = "x\n" + "TRUE\nFALSE\nTRUE\nFALSE\n"
    (tmp_path / "t.csv").write_text(text)
    learned = pd.read_csv(tmp_path / "t.csv", dtype=str)
    clf = FoldSEClassifier(pos_label="p").fit(learned, ["p", "q", "p", "q"])
    path = str(tmp_path / "t.csv")
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE t AS FROM read_csv('{path}')")
        with pytest.raises(
            duckdb.Error, match="column 'x' held text when the model was learned, and now holds true"
        ):
            connection.execute(to_sql(clf, "t")).fetchall()
        connection.execute(f"CREATE TABLE u AS FROM read_csv('{path}', all_varchar=true)")
        assert [label for label, _ in connection.execute(to_sql(clf, "u")).fetchall()] == ["p", "q", "p", "q"]


@pytest.mark.parametrize(
    ("learned", "values", "labels"),
    [
        ([1.0, 2.0, 3.0, 4.0], [1, 4.0, None], ["p", "q", "q"]),
        (["a", "a", "b", "b"], ["a", "b", None], ["p", "q", "q"]),
        ([False, False, True, True], [0, 1, None], ["p", "q", "q"]),
    ],
)
def test_sqlite_takes_the_type_and_refuses_others(learned, values, labels):
    clf = FoldSEClassifier(pos_label="p").fit(pd.DataFrame({"x": learned}), ["p", "p", "q", "q"])
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.executemany("INSERT INTO t VALUES (?)", [[value] for value in values])
        assert [label for label, _ in connection.execute(to_sql(clf, "t", "sqlite"))] == labels
        connection.execute("INSERT INTO t VALUES (?)", ["5" if learned[0] != "a" else 5])
        with pytest.raises(sqlite3.Error, match="integer overflow"):
            connection.execute(to_sql(clf, "t", "sqlite")).fetchall()
    assert "column 'x' held " in to_sql(clf, "t", "sqlite")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_labels_that_sql_does_not_have(dialect):
    labels = np.array([Decimal(1), Decimal(2), Decimal(1)], dtype=object)
    with pytest.raises(
        ValueError, match=r"the label Decimal\('1'\) is of type Decimal; SQL has text, .* convert"
    ):
        to_sql(FoldSEClassifier().fit(X, labels), "t", dialect)
