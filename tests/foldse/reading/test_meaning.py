"""What values mean, statement by statement as the head of `foldse.reading` has it."""

import datetime
import math
import uuid
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier, Literal, Op
from foldse.reading.encoding import encode
from foldse.reading.factorize import distinct_numbers
from foldse.reading.values import read_columns
from tests.tables import frame, mixed_tables

ALL = [FoldSEClassifier, FoldRPPClassifier, HeuristicTreeClassifier]


def literals(clf):
    """Return all literals of a model."""
    if isinstance(clf, HeuristicTreeClassifier):
        nodes = [clf.tree_.root]
        for node in nodes:
            nodes += [below for below in (node.yes, node.no) if below is not None]
        return [node.literal for node in nodes if node.literal is not None]
    rules = list(clf.rules_)
    for rule in rules:
        rules += rule.exceptions
    return [literal for rule in rules for literal in rule.body]


def codes(values, **roles):
    """Return the numbers and the categories of one encoded column, and its codes."""
    table = encode(read_columns(pd.DataFrame({"c": pd.Series(values, dtype=object)}), **roles))
    return table.features[0].numbers.tolist(), table.features[0].categories, table.codes(0).tolist()


# Missing values


@pytest.mark.parametrize("missing", [None, math.nan, np.float32("nan"), pd.NA, pd.NaT, np.datetime64("NaT")])
@pytest.mark.parametrize("present", ["a", 2.0, True, Decimal(1)])
def test_one_missing_value(missing, present):
    assert codes([present, missing, None])[2] == codes([present, None, None])[2]


@pytest.mark.parametrize("kind", ALL)
def test_unseen_is_not_missing(kind):
    X = pd.DataFrame({"c": ["a", "b", None, None, "a", "b"]})
    clf = kind().fit(X, ["there", "there", "missing", "missing", "there", "there"])
    later = pd.DataFrame({"c": ["a", "new", None, math.nan, ""]})
    assert clf.predict(later).tolist() == ["there", "there", "missing", "missing", "there"]


@pytest.mark.parametrize("kind", ALL)
def test_unseen_is_equal_to_no_category(kind):
    clf = kind().fit(pd.DataFrame({"c": list("aabbb")}), [1, 1, 0, 0, 0])
    (literal,) = literals(clf)
    unseen = pd.DataFrame({"c": ["new", None]})
    expected = "ab".replace(literal.value, "")  # it goes with the other category, which no rule needs to name
    assert clf.predict(unseen).tolist() == clf.predict(pd.DataFrame({"c": [expected] * 2})).tolist()


# Text, numbers, truth values

DISTINCT = ["007", "7", 7, "7.0", " 7", "7 ", True, "True", "true", 1, "1", False, 0, "", " ", "a", "A", None]


@pytest.mark.parametrize("value", DISTINCT, ids=repr)
@pytest.mark.parametrize("kind", ALL)
def test_values_that_are_not_the_same(kind, value):
    """Each is told from all the others, by the model and after it has been saved."""
    X = pd.DataFrame({"c": pd.Series(DISTINCT * 3, dtype=object)})
    y = [type(v) is type(value) and v == value for v in DISTINCT * 3]
    assert kind(categorical_features=["c"]).fit(X, y).predict(X).tolist() == y
    assert kind().fit(X, y).predict(X).tolist() == y


ONES = [
    1,
    1.0,
    np.int8(1),
    np.uint64(1),
    np.float32(1),
    np.float16(1),
    Decimal(1),
    Decimal("1.00"),
    Fraction(2, 2),
]


@pytest.mark.parametrize("one", ONES, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize("role", ["numeric", "categorical", None])
def test_one_is_one_number(one, role):
    roles = {} if role is None else {role: ["c"]}
    numbers, categories, found = codes([one, 1, "a", 2.5, True], **roles)
    assert found[0] == found[1]
    assert len(numbers) + len(categories) == 4  # True is another


@pytest.mark.parametrize("kind", ALL)
def test_minus_zero(kind):
    X = pd.DataFrame({"c": [-0.0, 0.0, -0.0, 1.0, 2.0, 1.0]})
    for roles in ({}, {"categorical_features": ["c"]}):
        clf = kind(**roles).fit(X, [0, 0, 0, 1, 1, 1])
        assert clf.predict(pd.DataFrame({"c": [0.0, -0.0]})).tolist() == [0, 0]
        assert "-0.0" not in str(clf.tree_ if isinstance(clf, HeuristicTreeClassifier) else clf.rules_)


@given(
    st.lists(
        st.sampled_from([-(2**63), -(2**53) - 1, -5, 0, 7, 2**53, 2**53 + 1, 2**53 + 3, 2**63 - 1]),
        min_size=1,
    ),
    st.sampled_from([np.int64, np.float64, object]),
)
def test_whole_numbers_are_compared_as_floats(values, dtype):
    array = np.array(values, dtype=dtype)
    as_floats = np.array(values, dtype=np.float64)
    numbers = np.unique(as_floats)
    table = encode(read_columns(pd.DataFrame({"c": array})))
    assert table.features[0].numbers.tolist() == numbers.tolist()
    assert table.codes(0).tolist() == np.searchsorted(numbers, as_floats).tolist()


@pytest.mark.parametrize("n", [20, 5_000])
def test_the_largest_integers(n):
    values = np.iinfo(np.int64).max - np.arange(n) * 2**20
    numbers, n_numbers, positions = distinct_numbers(values, n)
    expected = np.unique(values.astype(np.float64))
    assert n_numbers == len(expected)
    assert numbers.tolist() == expected.tolist()
    assert positions.tolist() == np.searchsorted(expected, values.astype(np.float64)).tolist()


@pytest.mark.parametrize("dtype", ["float16", "float32", "Float32", "float64"])
@pytest.mark.parametrize("kind", ALL)
def test_narrow_floats_predict_as_they_print(kind, dtype):
    r = np.random.default_rng(3)
    X = pd.DataFrame({name: (r.integers(0, 40, 200) / 10).astype(dtype.lower()) for name in "ab"}).astype(
        dtype
    )
    y = (X["a"] > 1.1) & (X["b"] <= 2.3)
    clf = kind().fit(X, y)
    printed = {str(x): Literal(x.feature, x.op, float(x.value_text)) for x in literals(clf)}
    assert len(printed) >= 2
    for literal in literals(clf):
        assert printed[str(literal)] == literal
    rows = X.astype(object).to_numpy().tolist()
    wide = pd.DataFrame({"a": [float(row[0]) for row in rows], "b": [float(row[1]) for row in rows]})
    assert clf.predict(X).tolist() == clf.predict(wide).tolist() == y.tolist()
    if not isinstance(clf, HeuristicTreeClassifier):  # the rules as printed, worked by hand
        by_hand = [any(fires(rule, row, printed) for rule in clf.rules_) for row in wide.to_dict("records")]
        positive = clf.rules_[0].head
        assert [positive if fired else not positive for fired in by_hand] == y.tolist()


def fires(rule, row, printed):
    return all(printed[str(x)].holds(row[x.feature]) for x in rule.body) and not any(
        fires(exception, row, printed) for exception in rule.exceptions
    )


@given(mixed_tables(labels=("no", "yes", "other")), st.sampled_from(ALL))
def test_infinities_are_never_thresholds(table, kind):
    rows, y = table
    for literal in literals(kind().fit(frame(rows), y)):
        if literal.op.is_threshold:
            assert math.isfinite(literal.value)


@pytest.mark.parametrize("kind", ALL)
def test_infinities_compare_as_numbers(kind):
    X = pd.DataFrame({"c": [-math.inf, 1.0, 2.0, 3.0, 4.0, math.inf] * 3})
    clf = kind().fit(X, [0, 0, 0, 1, 1, 1] * 3)
    later = pd.DataFrame({"c": [math.inf, 1e300, -1e300, -math.inf]})
    assert clf.predict(later).tolist() == [1, 1, 0, 0]
    assert {literal.op for literal in literals(clf)} <= {Op.LE, Op.GT, Op.NOT_LE, Op.NOT_GT}


# What is neither number nor category

UNUSABLE = {
    "datetime": (pd.to_datetime(["2020-01-01"]), r"X\['c'\] - pd.Timestamp"),
    "with a zone": (pd.to_datetime(["2020-01-01"]).tz_localize("UTC"), r"X\['c'\] - pd.Timestamp"),
    "timestamps": (pd.Series([pd.Timestamp("2020-01-01")], dtype=object), "days since a day"),
    "dates": ([datetime.date(2020, 1, 1)], "days since a day"),
    "times": ([datetime.time(1)], "convert it to a number"),
    "period": (pd.period_range("2020", periods=1), "convert it to a number"),
    "timedelta": (pd.to_timedelta([1], unit="D"), r"X\['c'\]\.dt\.total_seconds\(\)"),
    "durations": (pd.Series([datetime.timedelta(1)], dtype=object), r"total_seconds\(\)"),
    "category of dates": (pd.Categorical(pd.to_datetime(["2020-01-01"])), "days since a day"),
    "complex": ([1 + 2j], "real and its imaginary part as two columns"),
    "complex objects": (pd.Series([1 + 2j, "a"], dtype=object)[:1], "real and its imaginary part"),
    "bytes": ([b"x"], r"X\['c'\]\.str\.decode"),
    "interval": (pd.interval_range(0, 1), "convert it to text first"),
    "list": (pd.Series([[1, 2]], dtype=object), "convert it first"),
    "dict": (pd.Series([{"a": 1}], dtype=object), "convert it first"),
    "uuid": ([uuid.uuid4()], "convert it first"),
    "huge": (pd.Series([10**400], dtype=object), "larger than any 64-bit float; convert the column to text"),
}


@pytest.mark.parametrize("case", UNUSABLE)
@pytest.mark.parametrize("role", [None, "numeric_features", "categorical_features"])
def test_what_is_neither_number_nor_category(case, role):
    values, remedy = UNUSABLE[case]
    X = pd.DataFrame({"good": [1.0, 2.0], "c": pd.Series(values).repeat(2).to_numpy()})
    X["c"] = pd.Series(values).repeat(2).reset_index(drop=True)
    if case == "huge" and role == "categorical_features":
        role = None
    clf = FoldSEClassifier(**({} if role is None else {role: ["c"]}))
    with pytest.raises((TypeError, ValueError), match=f"^column 'c' has .*{remedy}") as caught:
        clf.fit(X, [0, 1])
    assert "\n" not in str(caught.value)


# Columns by name, rows by position


@given(mixed_tables(), st.randoms(use_true_random=False), st.sampled_from(ALL))
def test_other_orders_of_columns(table, random, kind):
    rows, y = table
    X = frame(rows)
    clf = kind().fit(X, y)
    shuffled = list(X.columns)
    random.shuffle(shuffled)
    assert clf.predict_proba(X[shuffled]).tolist() == clf.predict_proba(X).tolist()


TWO = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": list("xyxy")})


@pytest.mark.parametrize("kind", ALL)
def test_a_missing_column_is_an_error_that_names_it(kind):
    for y, name in (([0, 0, 1, 1], "a"), ([0, 1, 0, 1], "b")):
        clf = kind().fit(TWO, y)
        for lacking in (TWO.drop(columns=name), TWO.rename(columns={name: name.upper()})):
            for method in (clf.predict, clf.predict_proba, clf.explain):
                with pytest.raises(
                    ValueError, match=f"X is missing 1 of the 2 columns seen during fit: '{name}'; add"
                ):
                    method(lacking)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("kind", ALL)
def test_a_column_that_the_rules_do_not_use_may_be_missing(kind):
    for y, name, form in (([0, 0, 1, 1], "a", TWO), ([0, 1, 0, 1], "b", TWO.to_dict("list"))):
        clf = kind().fit(form, y)
        assert clf.predict(TWO[[name]]).tolist() == y
        assert clf.predict({name: TWO[name]}).tolist() == y
        assert clf.predict_proba(TWO[[name]]).tolist() == clf.predict_proba(TWO).tolist()
        assert list(map(str, clf.explain(TWO[[name]]))) == list(map(str, clf.explain(TWO)))
        with (
            pytest.raises(ValueError, match=r"X has 1 features, but .* is expecting 2 features"),
            pytest.warns(UserWarning, match="matched by position"),
        ):
            clf.predict(TWO[[name]].to_numpy())


@pytest.mark.filterwarnings("error")
def test_names_made_from_positions():
    """A model from an array knows x0 and x1; other names say nothing."""
    clf = FoldSEClassifier().fit(np.array([[1.0, 5.0], [2.0, 1.0], [3.0, 5.0], [4.0, 1.0]]), [0, 0, 1, 1])
    assert clf.rules_.used_features == {"x0"}
    assert clf.predict(pd.DataFrame({"x0": [4.0, 1.0]})).tolist() == [1, 0]
    with (
        pytest.raises(ValueError, match="X has 1 features, but"),
        pytest.warns(UserWarning, match="position"),
    ):
        clf.predict(pd.DataFrame({"x1": [4.0, 1.0]}))
    with pytest.warns(UserWarning, match="matched by position"):
        assert clf.predict(pd.DataFrame({"a": [4.0, 1.0], "x0": [1.0, 4.0]})).tolist() == [1, 0]


@pytest.mark.parametrize("kind", ALL)
def test_further_columns_are_a_warning_that_names_them(kind):
    clf = kind().fit(TWO, [0, 0, 1, 1])
    with pytest.warns(UserWarning, match="not seen during fit and are ignored: 'id', 'when'$") as caught:
        found = clf.predict(TWO.assign(id=range(4))[["id", "b", "a"]].assign(when=pd.Timestamp("2020-01-01")))
    assert found.tolist() == [0, 0, 1, 1]
    assert [w.filename for w in caught] == [__file__]
    many = pd.concat([TWO, pd.DataFrame(0, index=TWO.index, columns=[f"c{i}" for i in range(30)])], axis=1)
    with pytest.warns(UserWarning, match=r"are ignored: 'c0', .*'c9', \.\.\.$"):
        clf.predict(many)


@pytest.mark.filterwarnings("error")
def test_a_column_of_names_is_no_further_column():
    clf = FoldSEClassifier().fit(TWO, [0, 0, 1, 1])
    told = clf.explain(TWO.assign(name=["ann", "bob", "cy", "di"]), names="name")
    assert [one.subject for one in told] == ["ann", "bob", "cy", "di"]
    assert [one.subject for one in clf.explain(TWO, names="b")] == list("xyxy")


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("index", [[9, 9, 9, 9], [3, 2, 1, 0], list("dcba")])
def test_the_index_means_nothing(kind, index):
    y = pd.Series([0, 0, 1, 1], index=index[::-1])
    clf = kind().fit(TWO.set_axis(index), y, sample_weight=pd.Series([1, 2, 3, 4], index=[7, 7, 8, 8]))
    plain = kind().fit(TWO, [0, 0, 1, 1], sample_weight=[1, 2, 3, 4])
    assert clf.predict_proba(TWO.set_axis(index)).tolist() == plain.predict_proba(TWO).tolist()


def test_a_name_in_the_place_of_a_list_of_names():
    with pytest.raises(ValueError, match=r"numeric_features is the text 'a'; give a list of names: \['a'\]"):
        FoldSEClassifier(numeric_features="a").fit(TWO, [0, 0, 1, 1])
