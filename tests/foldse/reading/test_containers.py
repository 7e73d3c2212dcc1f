"""The same table in any container is the same to the classifiers."""

import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
from foldse.reading.containers import as_table
from tests.foldse.containers import NAMED, UNNAMED, numpy_columns, structured

ALL = [FoldSEClassifier, FoldRPPClassifier, HeuristicTreeClassifier]
N = 80


def make_table():
    r = np.random.default_rng(7)
    columns = {
        "sex": [None if u < 0.1 else "f" if u < 0.5 else "m" for u in r.random(N)],
        "code": [str(v) for v in r.choice(["007", "7", "8 "], N)],
        "age": [
            None if u < 0.1 else float(v) for u, v in zip(r.random(N), r.integers(1, 90, N), strict=True)
        ],
        "fare": r.normal(30, 10, N).round(2).tolist(),
        "children": r.integers(0, 5, N).tolist(),
        "married": [None if u < 0.1 else bool(u < 0.5) for u in r.random(N)],
    }
    columns["sex"][0], columns["age"][0], columns["married"][0] = "m", 30.5, True
    noise = r.random(N)
    binary = [
        "yes" if (sex == "f" and (age or 0) < 60) != (u < 0.1) else "no"
        for sex, age, u in zip(columns["sex"], columns["age"], noise, strict=True)
    ]
    several = [
        "both" if married and fare > 30 else label
        for married, fare, label in zip(columns["married"], columns["fare"], binary, strict=True)
    ]
    return columns, {"binary": binary, "several": several}


COLUMNS, LABELS = make_table()


@pytest.fixture(scope="module", params=[(kind, which) for kind in ALL for which in LABELS], ids=str)
def fitted(request, tmp_path_factory):
    """A model of the frame, the text of its file, its labels and its predictions."""
    kind, which = request.param
    clf = kind().fit(pd.DataFrame(COLUMNS), LABELS[which])
    return (
        clf,
        saved(clf, tmp_path_factory.mktemp("model")),
        LABELS[which],
        clf.predict(pd.DataFrame(COLUMNS)),
    )


def saved(clf, folder):
    clf.save(folder / "model.json")
    return (folder / "model.json").read_bytes()


# Words may come later in their columns of numbers, as these are objects; the model says so.
OF_OBJECTS = {
    *("pandas object", "pandas decimals"),
    *("object array", "list of lists", "list of tuples", "tuple of arrays"),
}


def without_objects(text, container):
    """Return a model's text as it is where columns of numbers are not columns of objects."""
    assert (b'"number+object"' in text) == (container in OF_OBJECTS)
    return text.replace(b'"number+object"', b'"number"')


@pytest.mark.parametrize("container", NAMED)
def test_equal_models_and_predictions(fitted, container, tmp_path):
    clf, expected, labels, predictions = fitted
    table = NAMED[container](COLUMNS)
    assert without_objects(saved(type(clf)().fit(table, labels), tmp_path), container) == expected
    assert clf.predict(table).tolist() == predictions.tolist()
    assert len(set(predictions.tolist())) == len(set(labels))  # the model does tell the rows apart


@pytest.mark.parametrize("container", UNNAMED)
def test_equal_models_and_predictions_without_names(fitted, container, tmp_path):
    clf, _, labels, predictions = fitted
    named = pd.DataFrame(COLUMNS).set_axis([f"x{i}" for i in range(len(COLUMNS))], axis=1)
    expected = saved(type(clf)().fit(named, labels), tmp_path)
    table = UNNAMED[container](COLUMNS)
    unnamed = type(clf)().fit(table, labels)
    found = saved(unnamed, tmp_path)
    if container != "numbered frame":  # its names are 0, 1, ...
        found = without_objects(found, container)
        assert found == expected.replace(b'"features_are_names": true', b'"features_are_names": false')
    for other in UNNAMED.values():
        assert unnamed.predict(other(COLUMNS)).tolist() == predictions.tolist()
    if container == "numbered frame":
        with pytest.raises(
            ValueError, match=r"X is missing [1-6] of the 6 columns seen during fit: '\d'[,;]"
        ):
            unnamed.predict(pd.DataFrame(COLUMNS))
    else:
        with pytest.warns(UserWarning, match="X has feature names, but .* without feature names; .*position"):
            assert unnamed.predict(pd.DataFrame(COLUMNS)).tolist() == predictions.tolist()
        with pytest.warns(UserWarning, match="X does not have valid feature names, but .*position"):
            assert clf.predict(table).tolist() == predictions.tolist()


@pytest.mark.parametrize(
    "labels",
    [
        list,
        tuple,
        lambda y: np.array(y, dtype=object),
        lambda y: pd.Series(y),
        lambda y: pd.Series(y, dtype=object),
        lambda y: pd.Series(y, dtype="string"),
        lambda y: pd.Series(y, dtype="category"),
        lambda y: pd.Series(pd.Categorical(y, categories=sorted(set(y), reverse=True), ordered=True)),
        lambda y: pd.DataFrame({"target": y}),
        lambda y: pytest.importorskip("polars").Series("target", y),
        lambda y: pytest.importorskip("pyarrow").array(y),
        lambda y: pytest.importorskip("pyarrow").chunked_array([y[:9], y[9:]]),
    ],
)
def test_labels_in_any_container(fitted, labels, tmp_path):
    clf, expected, y, _ = fitted
    assert saved(type(clf)().fit(pd.DataFrame(COLUMNS), labels(y)), tmp_path) == expected


@pytest.mark.parametrize(
    "container", ["pandas", "polars", "pyarrow table", "list of dicts", "structured array"]
)
def test_explanations_and_counterfactuals(container):
    table = NAMED[container](COLUMNS)
    clf = FoldSEClassifier().fit(pd.DataFrame(COLUMNS), LABELS["binary"])
    assert list(map(str, clf.explain(table))) == list(map(str, clf.explain(pd.DataFrame(COLUMNS))))
    one = NAMED[container]({name: values[:1] for name, values in COLUMNS.items()})
    row = pd.DataFrame(COLUMNS).iloc[[0]]
    expected = clf.counterfactual(row)
    assert clf.counterfactual(one).changes == expected.changes
    assert (
        clf.counterfactual({name: values[0] for name, values in COLUMNS.items()}).changes == expected.changes
    )


@pytest.mark.parametrize("container", [*NAMED, *UNNAMED])
def test_nothing_that_is_given_is_changed(container):
    table = (NAMED | UNNAMED)[container](COLUMNS)
    y, weights = np.array(LABELS["several"], dtype=object), np.linspace(0, 2, N)
    given = as_table(table)
    before = pickle.loads(pickle.dumps(given))
    y_before, weights_before = y.copy(), weights.copy()
    clf = FoldSEClassifier(class_weight="balanced").fit(table, y, sample_weight=weights)
    clf.predict(table)
    clf.predict_proba(table)
    clf.explain(table)
    for after in (given, as_table(table)):
        pd.testing.assert_frame_equal(pd.DataFrame(after), pd.DataFrame(before))
    np.testing.assert_array_equal(y, y_before)
    np.testing.assert_array_equal(weights, weights_before)


@pytest.mark.parametrize("kind", ALL)
def test_read_only_arrays(kind):
    y, weights = np.array(LABELS["binary"]), np.linspace(0.5, 2, N)
    numbers = np.array([COLUMNS["fare"], COLUMNS["children"]]).T.copy()
    for table in (
        numbers,
        numbers.astype(np.float32),
        numbers.astype(object),
        np.asfortranarray(numbers),
        numbers[:, ::-1],
        structured(COLUMNS),
        numpy_columns(COLUMNS),
    ):
        for array in (*(table.values() if isinstance(table, dict) else [table]), y, weights):
            array.flags.writeable = False
        clf = kind().fit(table, y, sample_weight=weights)
        assert clf.predict(table).shape == (N,)


def test_foreign_byte_order():
    native = pd.DataFrame({"a": [1.5, 2.5, 3.5, 2.5], "b": [1, 2, 1, 2]})
    y = [0, 1, 1, 1]
    expected = FoldRPPClassifier(categorical_features=["b"]).fit(native, y)
    for order in "<>":
        foreign = structured({"a": native["a"].tolist(), "b": native["b"].tolist()})
        foreign = foreign.astype([("a", f"{order}f8"), ("b", f"{order}i4")])
        for table in (foreign, pd.DataFrame({"a": foreign["a"], "b": foreign["b"]})):
            clf = FoldRPPClassifier(categorical_features=["b"]).fit(table, y)
            assert str(clf.rules_) == str(expected.rules_)
            assert clf.predict(table).tolist() == y


def test_a_masked_array_has_missing_values():
    table = np.ma.array([[1.0, 5.0], [999.0, 6.0], [2.0, 7.0], [999.0, 8.0]])
    table[table == 999.0] = np.ma.masked
    y = [0, 1, 0, 1]
    plain = np.array([[1.0, 5.0], [np.nan, 6.0], [2.0, 7.0], [np.nan, 8.0]])
    clf = FoldSEClassifier(pos_label=1).fit(table, y)
    assert str(clf.rules_) == str(FoldSEClassifier(pos_label=1).fit(plain, y).rules_)
    assert clf.predict(table).tolist() == y


def test_truth_values_in_a_list_of_rows_are_not_numbers():
    rows = [[True, 1.5], [False, 2.5], [True, 3.5], [False, 4.5]]
    clf = FoldSEClassifier(pos_label=0).fit(rows, [1, 0, 1, 0])
    assert str(clf.rules_) == "target(X,'0') :- x0(X,'False')."
    assert clf.predict([[0, 1.5], [False, 1.5], [1, 1.5]]).tolist() == [0, 0, 1]  # 0 is read as False was


def test_a_sparse_matrix_is_an_error_that_says_what_to_do():
    matrix = scipy.sparse.random(60, 4, density=0.3, format="csr", random_state=0)
    y = (matrix.toarray()[:, 0] > 0).astype(int)
    for form in (matrix, matrix.tocsc(), matrix.tocoo(), scipy.sparse.csr_array(matrix)):
        with pytest.raises(TypeError, match=r"Sparse data .* X\.toarray\(\), or .*from_spmatrix\(X\)"):
            FoldSEClassifier().fit(form, y)
    advised = pd.DataFrame.sparse.from_spmatrix(matrix)
    dense = FoldSEClassifier().fit(matrix.toarray(), y)
    assert (
        FoldSEClassifier().fit(advised, y).predict(advised).tolist()
        == dense.predict(matrix.toarray()).tolist()
    )


def test_sparse_columns_of_pandas():
    columns = {
        "a": pd.arrays.SparseArray([0.0, 1.5, 0.0, np.nan] * 5, fill_value=0.0),
        "b": pd.arrays.SparseArray([True, False, False, True] * 5),
        "c": pd.arrays.SparseArray([0, 3, 0, 1] * 5),
    }
    table = pd.DataFrame(columns)
    dense = pd.DataFrame({name: np.asarray(values) for name, values in columns.items()})
    for y in ([0, 1, 0, 0] * 5, [1, 0, 0, 1] * 5, [0, 0, 0, 1] * 5):
        for kind in ALL:
            sparse_model, dense_model = kind().fit(table, y), kind().fit(dense, y)
            assert sparse_model.predict_proba(table).tolist() == dense_model.predict_proba(dense).tolist()


SPARSE_MEMORY = """
import resource, numpy as np, pandas as pd, scipy.sparse
from foldse import FoldSEClassifier
n_rows, n_columns = 40_000, 500
X = pd.DataFrame.sparse.from_spmatrix(scipy.sparse.random(n_rows, n_columns, 0.01, "csc", random_state=0))
y = np.asarray(X[0]) > 0
FoldSEClassifier().fit(X.iloc[:500, :5], y[:500])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
FoldSEClassifier().fit(X, y)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024 / (8 * n_rows * n_columns))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is counted in other units elsewhere")
def test_sparse_columns_are_not_made_dense_all_at_once():
    done = subprocess.run([sys.executable, "-c", SPARSE_MEMORY], capture_output=True, text=True, check=True)
    # Codes of 2 bytes in the place of 8, and few columns at a time; all of them dense would be 0.25 + 1, less
    # what had been used before and is free again.
    assert float(done.stdout) < 0.4


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        (
            lambda: pytest.importorskip("polars").LazyFrame(COLUMNS),
            TypeError,
            r"no rows yet; pass X\.collect\(\)",
        ),
        (
            lambda: pytest.importorskip("polars").Series(COLUMNS["fare"]),
            ValueError,
            "Expected 2D array, got 1D",
        ),
        (
            lambda: pytest.importorskip("pyarrow").array(COLUMNS["fare"]),
            ValueError,
            "Expected 2D array, got 1D",
        ),
        (
            lambda: pytest.importorskip("pyarrow").Table.from_arrays([[1], [2]], names=["a", "a"]),
            ValueError,
            "column 'a' is there more than once",
        ),
        (lambda: pytest.importorskip("polars").DataFrame({"a": []}), ValueError, r"0 sample\(s\)"),
        (lambda: pytest.importorskip("pyarrow").table({"a": []}), ValueError, r"0 sample\(s\)"),
        (lambda: pd.DataFrame(index=range(3)), ValueError, r"0 feature\(s\)"),
        (lambda: np.empty((3, 0)), ValueError, r"0 feature\(s\)"),
        (lambda: np.empty((0, 3)), ValueError, r"0 sample\(s\)"),
        (lambda: {}, ValueError, r"0 sample\(s\)"),
        (lambda: {"a": []}, ValueError, r"0 sample\(s\)"),
        (lambda: [], ValueError, "Expected 2D array"),
        (lambda: [[]], ValueError, r"0 feature\(s\)"),
        (lambda: [[1, 2], [3]], ValueError, "row 1 of X has 1 values and row 0 has 2"),
        (lambda: [{"a": 1}, [2]], ValueError, "row 1 of X is a list, and others are dicts"),
        (lambda: ["ab", "cd"], ValueError, "Expected 2D array, got 1D"),
        (lambda: [1, 2], ValueError, "Expected 2D array, got 1D"),
        (lambda: 5, ValueError, "Expected 2D array, got 0D"),
        (lambda: "age", ValueError, "Expected 2D array, got 0D"),
        (lambda: {"a": [1, 2], "b": [1]}, ValueError, "column 'b' of X has 1 values and column 'a' has 2"),
        (lambda: {"a": 1}, ValueError, "column 'a' of X is the single value 1; give a value for each row"),
        (lambda: {"a": "xy"}, ValueError, "column 'a' of X is the single value 'xy'"),
        (lambda: {"a": np.ones((2, 2))}, ValueError, "column 'a' of X has 2 dimensions"),
        (lambda: np.zeros(3, dtype=[("a", float, (2,))]), ValueError, r"field 'a' .* arrays of shape \(2,\)"),
        (lambda: np.zeros((2, 2, 2)), ValueError, "Expected 2D array, got 3D"),
    ],
)
def test_what_is_no_table(table, error, message):
    made = table()
    with pytest.raises(error, match=message):
        FoldSEClassifier().fit(made, [0] * made.num_rows if hasattr(made, "num_rows") else [0, 1])


def test_arrow_without_pyarrow(monkeypatch):
    table = pytest.importorskip("polars").DataFrame({"a": [1, 2]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"reading a polars.*DataFrame needs pyarrow: pip install pyarrow"):
        FoldSEClassifier().fit(table, [0, 1])
