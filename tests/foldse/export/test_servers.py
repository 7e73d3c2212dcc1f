"""SQL on servers: PostgreSQL and MariaDB give the answers of predict, row by row."""

import math

import numpy as np
import pandas as pd
import pytest
import sqlglot

from foldse import FoldSEClassifier, Literal, Op, Rule
from foldse.export import to_sql
from foldse.export.dialects import DIALECTS
from tests.foldse.export.models import ROWS, Model, is_exact, learned, written
from tests.foldse.export.servers import mariadb, postgresql, rows_of_mariadb, rows_of_postgresql
from tests.foldse.export.test_engines import DUCKDB, as_text
from tests.foldse.export.test_sql import model

pytestmark = pytest.mark.commands
KEY = "row id"
TYPES = {
    "postgresql": {"f": "DOUBLE PRECISION", "i": "BIGINT", "b": "BOOLEAN", "t": "TEXT"},
    "mariadb": {"f": "DOUBLE", "i": "BIGINT", "b": "BOOLEAN", "t": "LONGTEXT"},
}


@pytest.fixture(scope="module")
def run_postgresql():
    with postgresql() as run:
        yield run


@pytest.fixture(scope="module")
def run_mariadb():
    with mariadb() as run:
        yield run


@pytest.fixture(params=["postgresql", "mariadb"])
def database(request):
    """Return a dialect, and what asks a server for the label and rule of each row of a model's table."""
    return request.param, request.getfixturevalue(f"run_{request.param}")


def plain(value):
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value


def answers(database, clf, X, types=None):
    dialect, run = database
    columns = {name: [plain(value) for value in X[name].astype(object)] for name in X}
    kinds = {KEY: TYPES[dialect]["i"]}
    for name, values in columns.items():
        held = {type(value) for value in values} - {type(None)} or {str}
        kind = {float: "f", int: "i", bool: "b", str: "t"}[held.pop()]
        kinds[name] = (types or {}).get(name, TYPES[dialect][kind])
    rows = list(zip(range(len(X)), *columns.values(), strict=True))
    query = to_sql(clf, "t", dialect, key=KEY)
    if dialect == "mariadb":
        names = (KEY, clf.rules_.target, "rule")
        found = rows_of_mariadb(run, query, kinds, rows, names)
    else:
        found = [tuple(row.values()) for row in rows_of_postgresql(run, query, kinds, rows)]
    by_row = {row: (label, rule) for row, label, rule in found}
    assert len(by_row) == len(found) == len(X)
    return [by_row[row] for row in range(len(X))]


def expected(clf, X):
    found = Model(clf, X)
    return list(zip(found.labels, found.rules, strict=True))


def can_hold(dialect, value):
    """Whether a database can hold a value: PostgreSQL no NUL character, MariaDB no infinity."""
    if dialect == "postgresql":
        return not (isinstance(value, str) and "\0" in value)
    return not (isinstance(value, float) and math.isinf(value))


def test_learned_models(database):
    dialect, _ = database
    for clf, X in learned():
        rows = X[X.map(lambda value: can_hold(dialect, value)).all(axis=1)].reset_index(drop=True)
        typed = rows.assign(**{name: as_text(rows[name]) for name in clf.numeric_features})
        assert answers(database, clf, typed) == expected(clf, rows)


def test_written_programs(database):
    dialect, _ = database
    X = ROWS[list(DUCKDB)].assign(
        code=pd.Series([v if isinstance(v, int) else None for v in ROWS["code"]], dtype="Int64")
    )
    X = X[X.astype(object).map(lambda value: can_hold(dialect, value)).all(axis=1)].reset_index(drop=True)
    typed = X.assign(**{"age-years": as_text(X["age-years"])})
    for clf, _ in written(DUCKDB, ("age-years",), 15, is_exact):
        assert answers(database, clf, typed) == expected(clf, ROWS.iloc[: len(X)].assign(**X))


def test_text_is_compared_byte_by_byte(database):
    texts = [
        "a",
        "A",
        "a ",
        " a",
        "ä",
        "Ä",
        "ß",
        "ss",
        "\\",
        "\\\\",
        "\\'",
        "'",
        "''",
        '"',
        "%",
        "_",
        "😀",
        "",
    ]
    X = pd.DataFrame({"x": texts})
    for text in texts:
        clf = model(Rule("0", (Literal("x", Op.EQ, text),)), X=X)
        assert answers(database, clf, X) == expected(clf, X)


def test_values_are_converted_or_refused_as_by_predict(database):
    X = pd.DataFrame({"age": [30.0, 40.0, 5.0, 8.0]})
    clf = FoldSEClassifier(pos_label="no").fit(X, ["yes", "yes", "no", "no"])
    texts = pd.DataFrame({"age": ["7", " 70.5\n", "1e1", ".5", None]})
    assert answers(database, clf, texts) == expected(clf, texts)
    for bad in ("n/a", "", "7a", "1,000"):
        with pytest.raises(
            (RuntimeError, AssertionError), match=r"column 'age' held numbers|more than 1 row"
        ):
            answers(database, clf, pd.DataFrame({"age": ["7", bad]}))
    for values in ([1, 2**53 + 1], [0.1, 9.0]):
        table = pd.DataFrame({"age": values})
        assert answers(database, clf, table) == expected(clf, table)
    bools = FoldSEClassifier().fit(pd.DataFrame({"x": [True, False] * 3}), ["a", "b"] * 3)
    for values in ([True, False, None], ["TRUE", "false", None], [1, 0, None]):
        table = pd.DataFrame({"x": pd.Series(values, dtype=object)})
        assert answers(database, bools, table) == expected(bools, table)


def test_single_floats_and_decimals(database):
    single = "REAL" if database[0] == "postgresql" else "FLOAT"
    for op in list(Op)[:4]:
        clf = model(Rule("0", (Literal("x", op, 0.1),)), X=pd.DataFrame({"x": [1.0, 2.0]}))
        values = pd.DataFrame({"x": [0.1, 0.2, None]})
        as_single = pd.DataFrame({"x": values["x"].astype("float32")})
        assert answers(database, clf, values, {"x": single}) == expected(clf, as_single)
        assert answers(database, clf, values, {"x": "DECIMAL(5, 2)"}) == expected(clf, values)


def test_nan_is_missing_in_postgresql(run_postgresql):
    for op, value in ((Op.GT, 0.0), (Op.NOT_LE, 0.0), (Op.EQ, None), (Op.NE, None)):
        X = pd.DataFrame({"x": [np.nan, 1.0]})
        clf = model(Rule("0", (Literal("x", op, value),)), X=X)
        query = to_sql(clf, "t", "postgresql", key=KEY)
        got = rows_of_postgresql(
            run_postgresql, query, {KEY: "INTEGER", "x": "DOUBLE PRECISION"}, [(0, math.nan), (1, 1.0)]
        )
        assert [row[clf.rules_.target] for row in got] == clf.predict(X).tolist()


@pytest.mark.parametrize("dialect", ["bigquery", "snowflake", "duckdb", "sqlite"])
def test_another_parser_reads_what_is_meant(dialect):
    """Every text and name of the program is there, once sqlglot has read the query."""
    texts = ["it's", "back\\slash", "\\'", 'say "x"', "é", "a\nb", "`"]
    rules = [Rule("0", (Literal('x `y` "z"', Op.EQ, text), Literal("n", Op.LE, 0.1))) for text in texts]
    X = pd.DataFrame({'x `y` "z"': ["a", "b"], "n": [1.0, 2.0]})
    query = to_sql(model(*rules, X=X), ("some schema", "t"), dialect, key="id")
    read = sqlglot.parse_one(query, read=dialect)
    names = {column.name for column in read.find_all(sqlglot.exp.Column)}
    assert {'x `y` "z"', "n", "id"} <= names
    assert {table.name for table in read.find_all(sqlglot.exp.Table)} == {"t"}
    assert set(texts) <= {x.this for x in read.find_all(sqlglot.exp.Literal) if x.is_string}


def test_dialects_are_known():
    assert set(TYPES) < set(DIALECTS)
