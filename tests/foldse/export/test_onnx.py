"""ONNX: onnxruntime gives the labels and rules of predict, row by row."""

import math

import numpy as np
import onnxruntime
import pandas as pd
import pytest

from foldse import FoldSEClassifier, Literal, Op, Rule
from foldse.export import to_onnx
from foldse.model.literals import is_number
from tests.foldse.export.models import Model, is_exact, learned, written
from tests.foldse.export.test_sql import model

MISSING = "<missing>"
CELLS = {
    "tensor(double)": lambda v: float(v) if is_number(v) else math.nan,
    "tensor(string)": lambda v: v if isinstance(v, str) else MISSING,
    "tensor(int64)": lambda v: int(v) if isinstance(v, bool) else -1,
}
DTYPES = {"tensor(double)": np.float64, "tensor(string)": object, "tensor(int64)": np.int64}


def answers(clf, X, missing=MISSING):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL  # takes seconds
    session = onnxruntime.InferenceSession(to_onnx(clf, missing).SerializeToString(), options)
    given = {}
    for wanted in session.get_inputs():
        feature = wanted.name
        while feature not in X:  # a second input of a feature
            feature = feature.rpartition(" (")[0]
        cells = [CELLS[wanted.type](value) for value in X[feature].astype(object).tolist()]
        given[wanted.name] = np.array(cells, dtype=DTYPES[wanted.type]).reshape(-1, 1)
    label, rule = session.run(["label", "rule"], given)
    return list(zip(label.tolist(), rule.tolist(), strict=True))


def expected(clf, X):
    found = Model(clf, X)
    return list(zip(found.labels, found.rules, strict=True))


def has_no_nul(X):
    return X[~X.map(lambda value: isinstance(value, str) and "\0" in value).any(axis=1)]


def test_learned_models():
    for clf, X in learned():
        rows = has_no_nul(X)
        assert answers(clf, rows) == expected(clf, rows)


def test_written_programs():
    def is_writable(value):
        return is_exact(value) and not (isinstance(value, str) and "\0" in value)

    for clf, X in written(allowed=is_writable):
        if clf.rules_.rules and clf.rules_.abstain is not None:
            rows = has_no_nul(X)
            assert answers(clf, rows) == expected(clf, rows)


@pytest.mark.parametrize("labels", [[1, 0], [-(2**62), 5], ["é", "it's"]])
def test_labels(labels):
    X = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
    clf = FoldSEClassifier().fit(X, np.array([labels[0]] * 2 + [labels[1]] * 2))
    assert answers(clf, X) == expected(clf, X)


def test_what_cannot_be_written():
    X = pd.DataFrame({"x": ["a", "b"], "n": [1.0, 2.0]})
    with pytest.raises(ValueError, match="missing is 'a', and the rules compare with this text"):
        to_onnx(model(Rule("0", (Literal("x", Op.EQ, "a"),)), X=X), missing="a")
    with pytest.raises(ValueError, match="the program has no rules"):
        to_onnx(model(X=X))
    clf = model(Rule("0", (Literal("n", Op.EQ, 2**53 + 1),)), X=X, categorical_features=["n"])
    with pytest.raises(ValueError, match="column 'n' is compared with 9007199254740993"):
        to_onnx(clf)
