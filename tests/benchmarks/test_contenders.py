import numpy as np
import pandas as pd
import pytest

from benchmarks.contenders import CONTENDERS, as_records, with_categories
from benchmarks.tables import load

FRAME = pd.DataFrame(
    {"n": [1.0, None, 3.0], "c": pd.array(["b", None, "a"], dtype="str"), "i": np.array([4, 5, 6])}
)


def test_categories_are_whole_numbers_and_missing_ones_stay_missing():
    made, known = with_categories(FRAME)
    assert made["c1"].cat.codes.tolist() == [1, -1, 0]
    assert list(known) == ["c"]
    assert list(known["c"]) == ["a", "b"]
    later = FRAME.assign(c=pd.array(["z", "a", "b"], dtype="str"))
    assert with_categories(later, known)[0]["c1"].cat.codes.tolist() == [-1, 0, 1]


def test_records_leave_out_what_is_missing():
    assert as_records(FRAME) == [
        {"c0": 1.0, "c1": "b", "c2": 4.0},
        {"c2": 5.0},
        {"c0": 3.0, "c1": "a", "c2": 6.0},
    ]


@pytest.mark.parametrize("name", CONTENDERS)
def test_every_contender_learns_a_table_of_numbers_and_text(name):
    learner = CONTENDERS[name](threads=1)
    if not learner.is_installed():
        pytest.skip(f"{learner.package} is not installed")
    table = load("mixed_400x8", "")
    learner.warm_up(table)
    X, y = learner.prepare(table)
    labels = learner.predict(learner.fit(X, y), X)
    # 0.9 of the labels follow the rule that made them; the more frequent label has 0.72 of the rows.
    assert np.mean(labels == np.asarray(y)) > 0.8


@pytest.mark.parametrize("name", ["xgboost", "sklearn_tree"])
def test_timing_the_conversion_changes_no_prediction(name):
    table = load("mixed_400x8", "")
    plain, converted = CONTENDERS[name](threads=1), CONTENDERS[f"{name}_converted"](threads=1)
    X, y = plain.prepare(table)
    labels = plain.predict(plain.fit(X, y), X)
    same = converted.predict(converted.fit(table.X, table.y), table.X)
    assert ((same == table.positive) == labels).all()


def test_the_one_hot_tree_is_as_wide_as_its_matrix():
    table = load("mixed_400x8", "")
    learner = CONTENDERS["sklearn_tree"](threads=1)
    assert learner.cells(table) == learner.prepare(table)[0].size
