"""What broke in similar tools, by public reports: each as a test of its kind."""

import itertools
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV

from foldse import (
    FoldRPPClassifier,
    FoldSEClassifier,
    HeuristicTreeClassifier,
    Literal,
    Op,
    Rule,
    RuleSet,
    load_model,
)
from foldse.export import to_clingo, to_prolog, to_sql
from tests.foldse.export.engines import by_clingo, by_duckdb, by_sqlite
from tests.tables import frame, mixed_tables

RULES = [FoldSEClassifier, FoldRPPClassifier]
ALL = [*RULES, HeuristicTreeClassifier]
PACKAGE = Path(__file__).parents[2] / "foldse"


def text(clf):
    return str(clf.tree_ if isinstance(clf, HeuristicTreeClassifier) else clf.rules_)


def all_rules(rules):
    """Return rules and their exceptions of any depth."""
    found = list(rules)
    for rule in found:
        found += rule.exceptions
    return found


def run(program, folder=PACKAGE.parent, before=(), timeout=240, **variables):
    """Run a program in a process of its own and return what it prints."""
    done = subprocess.run(
        [*before, sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# 1. Equal rows get equal answers, whatever stands beside them.


@given(mixed_tables(labels=("no", "yes", "other")), st.randoms(use_true_random=False), st.sampled_from(ALL))
def test_equal_rows(table, random, kind):
    rows, y = table
    clf = kind().fit(frame(rows), y)
    repeated = rows * 2
    random.shuffle(repeated)
    answers = {}
    for row, answer, shares in zip(
        repeated, clf.predict(frame(repeated)), clf.predict_proba(frame(repeated)).tolist(), strict=True
    ):
        key = tuple((type(v), v) for v in row)
        assert answers.setdefault(key, (answer, shares)) == (answer, shares)
    for row in rows[:5]:  # alone as among others
        assert answers[tuple((type(v), v) for v in row)][0] == clf.predict(frame([row]))[0]


# 2. Columns in another order: test_meaning.test_other_orders_of_columns.
# 3. and 4. Text, nullable numbers and truth values in any dtype, also another at predict than at fit.

DTYPES = {
    "text": (
        ["a", None, "b", "a", "b", None, "7", "7"],
        ["object", "str", "string", "string[python]", "string[pyarrow]", "category"],
    ),
    "ordered": (["b", None, "a", "b"] * 2, ["object", pd.CategoricalDtype(["c", "b", "a"], ordered=True)]),
    "numbers": (
        [1, None, 2, 1, 3, None, 2, 1],
        ["object", "float16", "float32", "float64", "Int8", "Int64", "UInt16", "Float32", "Float64"],
    ),
    "whole": (
        [1, 0, 2, 1, 3, 0, 2, 1],
        ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64", "Int64"],
    ),
    "truth": ([True, None, False, True, True, None, False, False], ["object", "boolean"]),
    "plain truth": ([True, False] * 4, ["bool", "boolean", "object"]),
    "arrow": ([1, None, 2, 1, 3, None, 2, 1], ["object", "int64[pyarrow]", "double[pyarrow]"]),
    "arrow truth": ([True, None, False, True, True, None, False, False], ["object", "bool[pyarrow]"]),
}


@pytest.mark.parametrize(
    ("values", "fit", "predict"),
    [
        pytest.param(values, a, b, id=f"{name} {a} {b}")
        for name, (values, dtypes) in DTYPES.items()
        for a, b in itertools.permutations(dtypes, 2)
    ],
)
@pytest.mark.parametrize("kind", ALL)
def test_dtypes(kind, values, fit, predict):
    if "pyarrow" in f"{fit}{predict}":
        pytest.importorskip("pyarrow")
    other = [1.5, 2.5] * 4
    one, two = (pd.DataFrame({"c": pd.Series(values, dtype=dtype), "d": other}) for dtype in (fit, predict))
    for y in ([v is None for v in values], [v == values[0] for v in values]):
        if len(set(y)) == 2:
            clf = kind().fit(one, y)
            assert text(clf) == text(kind().fit(two, y))
            assert clf.predict(one).tolist() == clf.predict(two).tolist() == y


@pytest.mark.parametrize(
    "series",
    [
        pd.Series(["x", pd.NA], dtype="string"),
        pd.Series([1, pd.NA], dtype="Int64"),
        pd.Series([True, pd.NA], dtype="boolean"),
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", ALL)
def test_a_value_and_a_missing_one(kind, series):
    clf = kind().fit(series.to_frame("c"), ["there", "not"])
    assert clf.predict(series.to_frame("c")).tolist() == ["there", "not"]


# 5. Names of columns.

NAMES = [
    "petal (cm)",
    "has=False",
    "class",
    "3d",
    'a"b',
    "a`b",
    "a\nb",
    "a'b",
    "a\\b",
    "a\tb",
    "",
    " ",
    "ab1",
    "not",
]
NAMES += [
    "x, y",
    "target",
    "select",
    "ÄÖ",
    "😀",
    "a%b",
    "X",
    "row",
    "a.b",
    "%s",
    "{x}",
    "#",
    "--",
    "/*",
    "N1",
]


def with_names(names):
    r = np.random.default_rng(1)
    X = pd.DataFrame(
        {i: r.normal(size=60) if i % 2 else r.choice(list("pqr"), 60) for i in range(len(names))}
    )
    y = np.where((X[0] == "p") ^ (X[1] > 0.3), "yes", "no")
    return X.set_axis(list(names), axis=1), y


def check_names(names, tmp_path, run_engines=True):
    X, y = with_names(names)
    for kind in ALL:
        clf = kind().fit(X, y)
        assert clf.predict(X).tolist() == clf.predict(X[X.columns[::-1]]).tolist() == y.tolist()
        plain = kind().fit(X.set_axis([f"c{i}" for i in range(len(names))], axis=1), y)
        assert text(clf).count("\n") == text(plain).count("\n") or isinstance(clf, HeuristicTreeClassifier)
        clf.save(tmp_path / "model.json")
        loaded = load_model(tmp_path / "model.json")
        assert loaded.predict(X).tolist() == y.tolist()
        assert str(loaded.explain(X)[0]) == str(clf.explain(X)[0])
        assert clf.explain(X)[0].to_html()
        if isinstance(clf, HeuristicTreeClassifier):
            continue
        assert len(text(clf).split("\n")) == clf.n_rules_
        assert clf.rules_.to_html()
        assert clf.describe()
        assert clf.counterfactual(X.iloc[[0]]).prediction != y[0]
        assert to_prolog(clf)
        assert to_clingo(clf)
        used = {feature for rule in clf.rules_ for feature in rule.features}
        if len({name.lower() for name in names}) < len(names) or any(not x or "\0" in x for x in used):
            with pytest.raises(ValueError, match="rename"):  # SQL takes A for a, and no empty name
                to_sql(clf, "t")
            continue
        assert to_sql(clf, "t")
        if run_engines:
            assert by_clingo(clf, X) == y.tolist()
            for engine in (by_duckdb, by_sqlite):
                assert engine(clf, X)[0] == y.tolist()


@pytest.mark.parametrize("name", NAMES, ids=repr)
def test_a_name_of_a_column(name, tmp_path):
    check_names(["other", name], tmp_path)
    check_names([name, "other", "third"], tmp_path)


def test_all_names_at_once(tmp_path):
    check_names(NAMES, tmp_path)


@pytest.mark.parametrize(
    "names",
    [
        range(4),
        [7, -1, 2.5],
        [0, "a", 2, "b"],
        [True, "True "],
        [("a", 1), ("a", 2)],
        pd.to_datetime(["2020", "2021"]),
    ],
    ids=str,
)
def test_names_that_are_no_text(names, tmp_path):
    X, y = with_names(list(names))
    for kind in ALL:
        clf = kind().fit(X, y)
        assert not hasattr(clf, "feature_names_in_")
        assert clf.predict(X[X.columns[::-1]]).tolist() == y.tolist()
        clf.save(tmp_path / "model.json")
        assert load_model(tmp_path / "model.json").predict(X).tolist() == y.tolist()


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=6), min_size=2, max_size=4, unique=True))
def test_any_names(tmp_path_factory, names):
    check_names(names, tmp_path_factory.mktemp("names"), run_engines=False)


# 6. Labels.


@pytest.mark.parametrize(
    "labels",
    [
        np.array([1, 0] * 8, dtype=np.int8),
        np.array([-3, 200] * 8, dtype=np.int16),
        np.array([True, False] * 8),
        np.array([1.0, 0.0] * 8),
        np.array([1.0, -2.0] * 8, dtype=np.float32),
        np.array(["x", "yy"] * 8),
        np.array(["x", "yy"] * 8, dtype=object),
        pd.Series(["x", "yy"] * 8, dtype="category"),
        pd.Series(pd.Categorical(["x", "yy"] * 8, categories=["z", "yy", "x"], ordered=True)),
        pd.Series([1, 2] * 8).astype("category"),
        pd.Series(["x", "yy"] * 8, dtype="string"),
        pd.Series(["x", "yy"] * 8, dtype="str"),
        pd.Series([1, 0] * 8, dtype="Int8"),
        pd.Series([True, False] * 8, dtype="boolean"),
        ["it's", 'a "b"'] * 8,
        ["", " "] * 8,
        ["01", "1"] * 8,
        [2**60 + 1, 2**60] * 8,
        [5, 7, 9, 5] * 4,
    ],
    ids=lambda y: f"{type(y).__name__} {getattr(y, 'dtype', '')} {next(iter(y))!r}",
)
@pytest.mark.parametrize("kind", ALL)
def test_labels(kind, labels, tmp_path):
    X = pd.DataFrame({"c": list("abcd") * 4, "n": np.arange(16) % 4})
    clf = kind().fit(X, labels)
    found = clf.predict(X)
    assert found.tolist() == list(labels)
    assert list(map(type, found.tolist())) == list(map(type, pd.Series(labels).tolist()))
    assert found.dtype == clf.classes_.dtype
    if isinstance(labels, np.ndarray):
        assert found.dtype == labels.dtype
    clf.save(tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.classes_.dtype == clf.classes_.dtype
    assert loaded.classes_.tolist() == clf.classes_.tolist() == sorted(set(labels))
    assert loaded.predict(X).tolist() == list(labels)
    assert clf.score(X, labels) == 1


# 7. and 13. Many categories: memory in proportion to the data.

MEMORY = """
import resource, numpy as np, pandas as pd
from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
kind, n, is_category = {kind}, {n}, {is_category}
r = np.random.default_rng(0)
X = pd.DataFrame({{
    "id": [f"customer-{{i:012d}}" for i in r.permutation(n)],
    "amount": r.random(n),
    "kind": r.choice(list("xyz"), n),
}})
if is_category:
    X["id"] = X["id"].astype("category")
y = np.where((X["amount"] > 0.5) ^ (r.random(n) < {noise}), "p", "q")
# What is compiled, and what the threads take, is there before it is measured.
warm = X.head(70_000).assign(id=np.arange(min(n, 70_000)).astype(str), kind="x")
kind().fit(warm, np.where(warm["amount"] > 0.5, "p", "q"))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
clf = kind().fit(X, y)
accuracy = (clf.predict(X) == y).mean()
peak = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
print(accuracy, peak / X.memory_usage(deep=True, index=False).sum())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted in other units elsewhere")
@pytest.mark.parametrize(
    ("n", "is_category", "noise"),
    [(50_000, False, 0.02), (100_000, False, 0.002), (100_000, True, 0.002)],
    ids=["50,000 ids", "100,000 texts", "100,000 categories"],
)
@pytest.mark.parametrize("kind", ALL)
def test_many_categories(kind, n, is_category, noise):
    program = MEMORY.format(kind=kind.__name__, n=n, is_category=is_category, noise=noise)
    accuracy, share = map(float, run(program).split())
    assert accuracy > 0.97
    # Python's texts, of which each is an object, are the most of it.
    assert share < 20


@given(mixed_tables(labels=("no", "yes", "other")))
def test_a_tree_goes_the_way_of_its_literals(table):
    rows, y = table
    clf = HeuristicTreeClassifier().fit(frame(rows), y)
    for row, shares in zip(rows, clf.predict_proba(frame(rows)).tolist(), strict=True):
        node = clf.tree_.root
        while node.literal is not None:
            node = node.yes if node.literal.holds(row[int(node.literal.feature[1:])]) else node.no
        assert shares == (node.support / node.support.sum()).tolist()


@pytest.mark.parametrize("kind", ALL)
def test_nothing_but_an_id(kind):
    r = np.random.default_rng(0)
    X = pd.DataFrame({"id": [f"id-{i}" for i in range(1000)]})
    y = r.integers(0, 2, 1000)
    clf = kind().fit(X, y)
    assert (clf.predict(X) == y).mean() >= max(np.bincount(y)) / 1000
    assert len(set(clf.predict(X + " unseen").tolist())) == 1


def test_a_long_category_is_cut_in_display_only(tmp_path):
    long, longer = "v" * 9_999 + "!", "v" * 9_999 + "?"
    X = pd.DataFrame({"c": [long, longer, "short"] * 4, "d": [1.0, 2.0, 3.0] * 4})
    y = [1, 0, 0] * 4
    tree = HeuristicTreeClassifier().fit(X[["c"]], y)
    for clf in (FoldSEClassifier(pos_label=1).fit(X[["c"]], y), tree):
        assert clf.predict(X[["c"]]).tolist() == y
        clf.save(tmp_path / "model.json")
        assert long in (tmp_path / "model.json").read_text()
        assert load_model(tmp_path / "model.json").predict(X[["c"]]).tolist() == y
        told = clf.explain(X[["c"]])
        shown = [
            text(clf),
            str(told[0]),
            str(told[1]),
            repr(told[1]),
            told[0].to_text("english"),
            told[1].to_html(),
        ]
        if clf is not tree:
            shown += [clf.rules_.to_html(), clf.describe(), str(clf.counterfactual(X[["c"]].iloc[[0]]))]
            for program in (
                to_prolog(clf),
                to_clingo(clf),
                to_sql(clf, "t", "duckdb"),
                to_sql(clf, "t", "sqlite"),
            ):
                assert long in program
            assert by_clingo(clf, X[["c"]]) == list(map(str, y))
            assert by_duckdb(clf, X[["c"]])[0] == by_sqlite(clf, X[["c"]])[0]
        for part in shown:
            assert "v" * 60 in part
            assert "v" * 61 not in part
            assert "...[9920 characters]..." in part
            assert len(part) < 6_000
        assert told[0].to_dict()["rules"][0]["literals"][0]["met"] == long
    assert "vvv!'" in text(clf) or "vvv?'" in text(clf)


@pytest.mark.parametrize("n", [119, 120])
def test_a_category_of_usual_length_is_whole(n):
    assert str(Literal("c", Op.EQ, "v" * n)) == f"c = '{'v' * n}'"


# 8. A name that is there twice.


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"a": [1, 2], "b": [1, 2]})
        .join(pd.DataFrame({"c": [1, 2]}))
        .set_axis(list("aba"), axis=1),
        pd.concat([pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": ["x", "y"]})], axis=1),
        pd.DataFrame([[1, 2], [3, 4]], columns=[1, "1"]),
    ],
)
@pytest.mark.parametrize("kind", ALL)
def test_a_name_twice(kind, table):
    with pytest.raises(ValueError, match=r"^column '[a1]' is there more than once; rename or drop one"):
        kind().fit(table, [0, 1])
    clf = kind().fit(pd.DataFrame({"a": [1, 2], "1": [1, 2]}), [0, 1])
    with pytest.raises(ValueError, match="is there more than once"):
        clf.predict(table)


# 9. A search over parameters with text labels.


@pytest.mark.parametrize("pos_label", [None, "sick", "well"])
def test_a_search_with_text_labels(pos_label):
    r = np.random.default_rng(0)
    X = pd.DataFrame({"a": r.normal(size=90), "b": r.choice(list("xy"), 90)})
    y = np.where((X["a"] > 0) ^ (r.random(90) < 0.1), "sick", "well")
    search = GridSearchCV(
        FoldSEClassifier(pos_label=pos_label), {"ratio": [0.1, 0.5], "tail": [0, 0.01]}, error_score="raise"
    ).fit(X, y)
    assert len(search.cv_results_["params"]) == 4
    assert search.best_score_ > 0.8
    assert set(search.predict(X)) == {"sick", "well"}


# 10. Bounds.


def bounds(rule):
    """Return for each feature its bounds from above and from below: (comparison, threshold)."""
    found = {}
    for literal in rule.body:
        if literal.op.is_threshold:
            side = "above" if literal.op in (Op.LE, Op.NOT_GT) else "below"
            found.setdefault((literal.feature, side), []).append(literal.value)
    return found


@given(mixed_tables(labels=("no", "yes", "other")), st.sampled_from(RULES), st.sampled_from([0, 0.5]))
def test_only_the_tightest_bound_is_left(table, kind, ratio):
    rows, y = table
    clf = kind(ratio=ratio, **({"tail": 0} if kind is FoldSEClassifier else {})).fit(frame(rows), y)
    for rule in all_rules(clf.rules_):
        found = bounds(rule)
        assert all(len(values) == 1 for values in found.values()), str(clf.rules_)
        for feature in {name for name, _ in found}:
            low, high = (
                found.get((feature, side), [end])[0]
                for side, end in (("below", -math.inf), ("above", math.inf))
            )
            assert low < high, str(clf.rules_)
    assert str(clf.rules_) == "\n".join(dict.fromkeys(str(clf.rules_).split("\n")))


@given(st.integers(0, 10_000), st.sampled_from(RULES))
def test_only_the_tightest_bound_is_left_of_numbers(seed, kind):
    r = np.random.default_rng(seed)
    X = pd.DataFrame(
        {"a": r.normal(size=150).round(2), "b": np.where(r.random(150) < 0.2, np.nan, r.normal(size=150))}
    )
    y = (np.abs(X["a"]) < 0.7) ^ (X["b"] > 0.5) ^ (r.random(150) < 0.1)
    assume(y.nunique() == 2)
    clf = kind().fit(X, y)
    for rule in all_rules(clf.rules_):
        assert all(len(values) == 1 for values in bounds(rule).values())
    assert (
        clf.raw_rules_.first_firing(clf._columns(X, frozenset(X))).tolist() == clf._first_firing(X).tolist()
    )


@given(
    st.lists(
        st.tuples(st.sampled_from([Op.LE, Op.NOT_LE, Op.GT, Op.NOT_GT]), st.sampled_from([1.0, 2.0, 3.0])),
        min_size=1,
        max_size=5,
    ),
    st.sampled_from([None, "a", True, -math.inf, 0.0, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, math.inf]),
)
def test_merged_bounds_say_the_same(comparisons, value):
    rule = Rule("yes", tuple(Literal("c", op, threshold) for op, threshold in comparisons))
    (merged,) = RuleSet((rule,), ("c",), "target", ("no", "yes"), "no").simplified()
    assert all(x.holds(value) for x in rule.body) == all(x.holds(value) for x in merged.body)
    assert len(merged.body) <= 2


# 11. Odd text.

ODD = [
    "it's",
    'a "b"',
    "c\\d",
    "tab\there",
    "new\nline",
    "😀",
    "",
    " ",
    "x",
    " x",
    "x ",
    "  x",
    "X",
    "?",
    "None",
    "nan",
]
ODD += [
    "\r\n",
    "%",
    "_",
    "a,b",
    "</td>",
    "&amp;",
    "NULL",
    "--",
    "é",
    "e\u0301",
    "\u2028",
    "\x0b",
    "\x85",
    "0",
    "True",
]


@pytest.mark.parametrize("value", ODD, ids=ascii)
@pytest.mark.parametrize("dtype", ["object", "str", "category"])
def test_a_text_is_told_from_all_others(value, dtype, tmp_path):
    X = pd.DataFrame({"c": pd.Series(ODD * 2, dtype=dtype)})
    y = np.where(X["c"].astype(object) == value, "yes", "no")
    for kind in ALL:
        clf = kind().fit(X, y)
        assert clf.predict(X).tolist() == y.tolist()
        clf.save(tmp_path / "model.json")
        assert load_model(tmp_path / "model.json").predict(X).tolist() == y.tolist()
        assert clf.explain(X)[0].to_html().isascii()
        if not isinstance(clf, HeuristicTreeClassifier):
            assert len(text(clf).split("\n")) == clf.n_rules_
            assert clf.rules_.to_html().count("<tr>") == clf.n_rules_ + 2  # heading and default
            if dtype == "object":
                assert by_clingo(clf, X) == by_sqlite(clf, X)[0] == y.tolist()


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=5), min_size=2, max_size=8, unique=True))
def test_any_text_is_told_from_all_others(values):
    X = pd.DataFrame({"c": values})
    for value in values[:2]:
        y = [v == value for v in values]
        for kind in ALL:
            assert kind().fit(X, y).predict(X).tolist() == y


# 12. Columns that say nothing.


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize(
    "column",
    [
        [5] * 8,
        ["same"] * 8,
        [True] * 8,
        [np.inf] * 8,
        [1.0, np.nan] * 4,
        ["a", None] * 4,
        [True, None] * 4,
        [None] * 8,
        [np.nan] * 8,
        pd.array([pd.NA] * 8, dtype="Int64"),
        pd.array([pd.NA] * 8, dtype="string"),
        pd.array([pd.NA] * 8, dtype="boolean"),
        pd.Categorical([None] * 8),
        pd.Categorical([None] * 8, categories=["a"]),
    ],
    ids=repr,
)
@pytest.mark.parametrize("place", ["first", "last", "alone"])
def test_columns_that_say_nothing(kind, column, place, tmp_path):
    good = pd.DataFrame({"good": [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]})
    odd = pd.DataFrame({"odd": column})
    X = {"first": odd.join(good), "last": good.join(odd), "alone": odd}[place]
    y = ["p", "p", "p", "p", "q", "q", "q", "q"]
    clf = kind().fit(X, y)
    if place != "alone":
        assert clf.predict(X).tolist() == y
        assert "odd" not in text(clf)
    else:  # it has nothing to do with the labels
        assert len(set(clf.predict(X).tolist())) == 1
    clf.save(tmp_path / "model.json")
    assert load_model(tmp_path / "model.json").predict(X).tolist() == clf.predict(X).tolist()
    assert len(clf.explain(X)) == 8


# 14. Processes that are forked from one that has fitted in threads.

FORK = """
import concurrent.futures, multiprocessing, threading
import numpy as np, pandas as pd
from foldse import FoldRPPClassifier, FoldSEClassifier

def fit(seed):
    r = np.random.default_rng(seed)
    n = 150_000  # enough for threads of the library's own
    X = pd.DataFrame({**{f"n{i}": r.normal(size=n) for i in range(5)}, "t": r.choice(list("abc"), n)})
    y = (X["n0"] > 0.3) ^ (X["t"] == "a") ^ (r.random(n) < 0.05)
    kind = (FoldSEClassifier, FoldRPPClassifier)[seed % 2]
    clf = kind().fit(X, y)
    return str(clf.rules_), clf.predict(X).sum()

if __name__ == "__main__":
    here = [fit(seed) for seed in range(4)]
    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        assert list(threads.map(fit, range(4))) == here
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(fit, range(4)) == here
            assert list(threads.map(fit, range(4))) == here
            assert pool.map(fit, range(4)) == here
    print("same")
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_forked_processes_fit_after_the_parent_has():
    assert run(FORK, NUMBA_NUM_THREADS="2") == "same\n"


# 15. A home and an install that cannot be written to.

READ_ONLY = """
import os, foldse
import pandas as pd
for place in (os.path.dirname(foldse.__file__), os.environ["HOME"]):
    assert not os.access(place, os.W_OK), place
X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": list("xyxy")})
for kind in (foldse.FoldSEClassifier, foldse.FoldRPPClassifier, foldse.HeuristicTreeClassifier):
    clf = kind().fit(X, [0, 0, 1, 1])
    assert clf.predict(X).tolist() == [0, 0, 1, 1]
print(foldse.__file__)
"""


def test_a_read_only_home_and_install(tmp_path):
    as_other = []
    if os.geteuid() == 0:  # whom no permission bits hold back
        if shutil.which("setpriv") is None:
            pytest.skip("root is not held back by permissions, and there is no setpriv to be another user")
        as_other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        can_run = subprocess.run(
            [*as_other, sys.executable, "-c", "import sklearn"], capture_output=True, check=False
        )
        if can_run.returncode:
            pytest.skip("another user cannot run this Python")
    site, home = tmp_path / "site", tmp_path / "home"
    home.mkdir()
    shutil.copytree(PACKAGE, site / "foldse", ignore=shutil.ignore_patterns("__pycache__"))
    for folder in (tmp_path, *tmp_path.parents):
        if as_other and not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o011)
    for path in (*site.rglob("*"), site, home):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        printed = run(
            READ_ONLY, folder=site, before=as_other, HOME=str(home), XDG_CACHE_HOME=str(home / "cache")
        )
    finally:
        for path in (home, site, *site.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
    assert printed == f"{site / 'foldse' / '__init__.py'}\n"
