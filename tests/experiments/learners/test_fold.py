"""The library's own learners, as the experiments run them."""

import numpy as np
import pytest

from experiments.learners.fold import FoldRPP, FoldSE, HeuristicTree
from tests.experiments.stand_ins import make_dataset


@pytest.mark.parametrize("kind", [FoldSE, FoldRPP, HeuristicTree])
def test_a_numeric_column_without_a_number_in_the_fold_is_categories(kind):
    # Rows 0 to 3 are trained on; the only number of the column is in the row that is left out.
    dataset = make_dataset(
        {"ratio": ["#DIV/0!", "#DIV/0!", "none", "none", 2.0]}, ["a", "a", "b", "b", "a"], positive="b"
    )
    assert dataset.numeric == ("ratio",)
    learner = kind(dataset)
    learner.fit(dataset.X[:4], dataset.y[:4])
    assert np.array_equal(learner.predict(dataset.X[:4]), ["a", "a", "b", "b"])
    # Of the two literals that tell the classes apart, not '#DIV/0!' comes before 'none'; it holds for 2.0.
    assert learner.predict(dataset.X[4:]).tolist() == ["b"]
