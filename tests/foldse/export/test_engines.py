"""Every engine gives, row by row, the answer of predict: on the data sets, and on rows made to be nasty."""

import os
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from omegaconf import OmegaConf

from experiments.data.load import load
from foldse import FoldRPPClassifier, FoldSEClassifier, Literal, Op, Rule, RuleSet
from foldse.export import to_json
from foldse.persistence import from_json
from tests.foldse.export.engines import by_clingo, by_duckdb, by_sqlite, by_swipl, fired, needs_swipl

ROOT = Path(__file__).parents[3]
DATA = os.environ.get("FOLDSE_DATA")
BUNDLED = "breast_w breast_w_numeric diabetes heart ionosphere kr_vs_kp shuttle voting wine"
OTHERS = (
    "acute adult autism cars churn credit_a credit_card dry_bean ecoli eeg intention kidney mushroom nursery "
    "page_blocks rain titanic wall_robot weight_lift"
)
needs_data = [
    pytest.mark.data,
    pytest.mark.skipif(not DATA, reason="FOLDSE_DATA is not set"),
]
LEARNERS = {"foldse": FoldSEClassifier, "foldrpp": FoldRPPClassifier}
CASES = [
    pytest.param(name, learner, marks=() if name in BUNDLED.split() else needs_data)
    for name in f"{BUNDLED} {OTHERS}".split()
    for learner in LEARNERS
]

NUMBERS = [0.0, -0.0, 0.1, -5.0, 2.5, 1e16, -1e308, 5e-324, 2.2250738585072014e-308, 2.0**53, 2.0**53 + 2]
NUMBERS += [np.inf, -np.inf, 1.7976931348623157e308, 123456789.12345679, 7205759403792793e-17]
TEXTS = [
    "",
    " ",
    " a",
    "a ",
    "A",
    "a",
    "it's",
    'say "x"',
    "back\\slash",
    "\\",
    "\\n",
    "a\nb",
    "a\tb",
    "a\rb",
    "a\r\nb",
]
TEXTS += [
    "%",
    "--",
    "/* x */",
    "a,b",
    "é",
    "日本",
    "😀",
    "\u2028",
    "\x7f",
    "\x1b[0m",
    "\x00",
    "a\x00b",
    "a\x00",
]
TEXTS += [
    "?",
    "nan",
    "inf",
    "null",
    "missing",
    "category(missing)",
    "true",
    "True",
    "1",
    "1.0",
    "N1",
    "X",
    "x" * 10_000,
]
NO_NUMERALS = [text for text in TEXTS if text not in ("1", "1.0", "inf")]  # a numeric feature reads those


def assert_all_agree(clf, X, folder, as_duckdb=None, as_sqlite=None, types=None):
    """Run every engine; a database gets a table of its own where it cannot hold the rows as they are."""
    predicted = clf.predict(X).tolist()
    texts = [str(label) for label in predicted]
    numbers = fired(clf, X)
    assert by_clingo(clf, X) == texts
    assert by_swipl(clf, X, folder) == texts
    assert by_duckdb(clf, X if as_duckdb is None else as_duckdb) == (predicted, numbers)
    assert by_sqlite(clf, X if as_sqlite is None else as_sqlite, types=types) == (predicted, numbers)
    reloaded = from_json(to_json(clf))
    assert reloaded.predict(X).tolist() == predicted
    assert np.array_equal(reloaded.predict_proba(X), clf.predict_proba(X))
    assert str(reloaded.rules_) == str(clf.rules_)
    assert str(reloaded.raw_rules_) == str(clf.raw_rules_)


@lru_cache(maxsize=2)
def dataset(name):
    data = load(OmegaConf.load(ROOT / "conf" / "dataset" / f"{name}.yaml"), DATA and Path(DATA))
    rows = np.random.default_rng(0).permutation(len(data.y))[:2000]
    return data, data.X.iloc[rows].reset_index(drop=True), data.y.iloc[rows]


def nasty_rows(data, X, clf, n_rows=500):
    """Return rows at, beside and far from the thresholds, and with known, unknown and no categories."""
    random = np.random.default_rng(1)
    thresholds = {name: [] for name in X}
    stack = list(clf.rules_)
    while stack:
        rule = stack.pop()
        stack += rule.exceptions
        for literal in rule.body:
            if literal.op.is_threshold:
                bound = literal.threshold
                thresholds[literal.feature] += [
                    bound,
                    np.nextafter(bound, -np.inf),
                    np.nextafter(bound, np.inf),
                ]
    columns = {}
    for name in X:
        if name in data.numeric:
            pool = [*thresholds[name], *NUMBERS, *X[name].sample(10, random_state=0), None, "unknown", ""]
        else:
            pool = [*X[name].unique(), *random.choice(np.array(TEXTS, dtype=object), 5), None]
        pool = [None if pd.isna(value) else value for value in pool]
        values = [pool[i] for i in random.integers(len(pool), size=n_rows)]
        columns[name] = pd.Series(values, dtype=object)
    return pd.DataFrame(columns)


def as_text(column):
    """Return a column of numbers and text as a database of typed columns holds it."""
    return column.map(lambda v: repr(float(v)) if isinstance(v, int | float) else v, na_action="ignore")


@needs_swipl
@pytest.mark.parametrize(("name", "learner"), CASES)
def test_on_data_sets(name, learner, tmp_path):
    data, X, y = dataset(name)
    clf = LEARNERS[learner](
        pos_label=data.positive, numeric_features=data.numeric, categorical_features=data.categorical
    ).fit(X, y)
    assert_all_agree(clf, X, tmp_path)
    rows = nasty_rows(data, X, clf)
    typed = rows.assign(**{name: as_text(rows[name]) for name in data.numeric})
    assert_all_agree(clf, rows, tmp_path, as_duckdb=typed, types=dict.fromkeys(data.numeric, "REAL"))


# A table of every kind of column, and random programs over it.

ROLES = {"numeric_features": ["age-years"], "categorical_features": ["code", "kinds"]}
CODES = [1, 0, 2.5, -3, 2**53, 2**53 + 1, 2**62]
KINDS = ["1", 1, True, "True", False, "", 1.5, "missing", None, float("inf"), 10**40, "\ud800"]
POOLS = {
    "age (years)": [*NUMBERS, None],
    "age-years": [*NUMBERS, *NO_NUMERALS, None],
    "Name": [*TEXTS, None],
    "is": [True, False, None],
    "code": [*CODES, None],
    "mixed": [*NUMBERS, *TEXTS, None],
    "kinds": KINDS,
}
UNSEEN = ["never seen", "0", 7, 0.5, False]
LABELS = ("no", 'it\'s\t"C:\\"\n', "YES é")
DUCKDB = ("age (years)", "age-years", "Name", "is", "code")
SQLITE = ("age (years)", "age-years", "Name", "is", "code", "mixed")


def every_kind(n_rows=500):
    random = np.random.default_rng(2)
    return pd.DataFrame(
        {
            name: pd.Series([pool[i] for i in random.integers(len(pool), size=n_rows)], dtype=object)
            for name, pool in POOLS.items()
        }
    ).astype({"age (years)": float})


@st.composite
def literals(draw, features, sized):
    feature = draw(st.sampled_from(features))
    numbers = [v for v in POOLS[feature] if isinstance(v, float) and np.isfinite(v)]
    by_size = feature == "age (years)" or (feature in sized and draw(st.booleans()))
    op = draw(st.sampled_from([op for op in Op if op.is_threshold == by_size]))
    if op.is_threshold:
        bound = st.floats(allow_nan=False, allow_infinity=False)
        return Literal(feature, op, draw(st.sampled_from(numbers) | bound if numbers else bound))
    categories = [v for v in POOLS[feature] if feature in ("code", "kinds") or not isinstance(v, float)]
    categories = [v for v in categories if v != "\ud800"] + (UNSEEN if feature == "kinds" else [])
    return Literal(feature, op, draw(st.sampled_from(categories)))


@st.composite
def rules(draw, features, sized, head, depth=0):
    body = draw(st.lists(literals(features, sized), min_size=1, max_size=3))
    below = draw(st.lists(rules(features, sized, None, depth + 1), max_size=2)) if depth < 2 else []
    return Rule(head, tuple(body), tuple(below), (1.0, 0.0, 2.0) if depth == 0 else ())


@st.composite
def programs(draw, features, sized):
    """Rules of one class, or an ordered list over all, that compare the features `sized` by size."""
    heads = LABELS[:1] if draw(st.booleans()) else LABELS
    found = draw(
        st.lists(st.sampled_from(heads).flatmap(lambda head: rules(features, sized, head)), max_size=5)
    )
    return RuleSet(
        tuple(found), tuple(POOLS), "is_2", tuple(sorted(LABELS)), draw(st.sampled_from(LABELS)), (0.0,) * 3
    )


def with_rules(program):
    clf = FoldSEClassifier(**ROLES).fit(TABLE, [LABELS[i % 3] for i in range(len(TABLE))])
    clf.rules_ = clf.raw_rules_ = program
    return clf


TABLE = every_kind()
several = settings(
    max_examples=12,
    phases=[p for p in Phase if p is not Phase.explain],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@needs_swipl
@several
@given(programs(tuple(POOLS), tuple(POOLS)))
def test_random_programs_in_logic(tmp_path, program):
    clf = with_rules(program)
    predicted = clf.predict(TABLE).tolist()
    assert by_clingo(clf, TABLE) == predicted
    assert by_swipl(clf, TABLE, tmp_path) == predicted
    assert by_swipl(clf, TABLE, tmp_path, style="scasp") == predicted


@several
@given(programs(DUCKDB, ("age-years", "code")))
def test_random_programs_in_duckdb(program):
    clf = with_rules(program)
    typed = TABLE[list(DUCKDB)].assign(**{"age-years": as_text(TABLE["age-years"])})
    typed["code"] = pd.Series([v if isinstance(v, int) else None for v in TABLE["code"]], dtype="Int64")
    X = TABLE.assign(code=typed["code"])
    assert by_duckdb(clf, typed) == (clf.predict(X).tolist(), fired(clf, X))


@several
@given(programs(SQLITE, ("age-years", "code", "mixed", "Name")))
def test_random_programs_in_sqlite(program):
    clf = with_rules(program)
    assert by_sqlite(clf, TABLE[list(SQLITE)]) == (clf.predict(TABLE).tolist(), fired(clf, TABLE))


@several
@given(programs(tuple(POOLS), tuple(POOLS)))
def test_random_programs_in_json(program):
    clf = with_rules(program)
    reloaded = from_json(to_json(clf))
    assert to_json(reloaded) == to_json(clf)
    assert reloaded.predict(TABLE).tolist() == clf.predict(TABLE).tolist()
