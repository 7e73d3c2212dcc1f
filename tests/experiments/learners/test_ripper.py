"""RIPPER on the real package: what it is known to get wrong does not reach a result."""

import numpy as np
import pandas as pd
import pytest

from experiments.learners.ripper import Binned, Ripper
from tests.experiments.stand_ins import make_dataset

RNG = np.random.default_rng(5)
VALUES = RNG.normal(size=300)
LABELS = ["yes" if value > 0.3 else "no" for value in VALUES]


def fitted(dataset):
    learner = Ripper(dataset, seed=1)
    learner.fit(dataset.X, dataset.y)
    return learner


def test_rules_are_counted_as_the_package_counts_them_and_predict_as_it_predicts():
    dataset = make_dataset({"x": list(VALUES), "t": ["u", "v", "w"] * 100}, LABELS, "yes")
    learner = fitted(dataset)

    measured = learner.measure()
    assert measured == {"rules": len(learner.learned), "predicates": sum(map(len, learner.learned))}
    assert measured["rules"] >= 1
    assert len(learner.rules().splitlines()) == measured["rules"]
    assert "label = 'yes' if " in learner.rules()
    frame = pd.DataFrame({f"c{i}": codes for i, codes in enumerate(learner._codes(dataset.X))})
    theirs = np.where(learner.model.predict(frame.astype(object)), "yes", "no")
    ours = learner.predict(dataset.X)
    assert (theirs == ours).all()
    assert (ours == dataset.y).mean() > 0.9


@pytest.mark.parametrize("name", [None, "x", "label"])
def test_a_label_without_a_name_or_with_a_columns_name_changes_nothing(name):
    dataset = make_dataset({"x": list(VALUES), "label": list(VALUES[::-1])}, LABELS, "yes")
    expected = fitted(dataset).predict(dataset.X)
    learner = Ripper(dataset, seed=1)

    learner.fit(dataset.X, dataset.y.rename(name))

    assert (learner.predict(dataset.X) == expected).all()


def test_identical_rows_are_predicted_alike():
    dataset = make_dataset({"x": list(VALUES)}, LABELS, "yes")
    learner = fitted(dataset)
    highest = dataset.X.iloc[[int(np.argmax(VALUES))]]

    assert list(learner.predict(pd.concat([highest] * 5))) == ["yes"] * 5


@pytest.mark.parametrize("scale", [1e-6, 1e-12, 1e9])
def test_the_scale_of_numbers_does_not_matter(scale):
    plain = make_dataset({"x": list(VALUES)}, LABELS, "yes")
    scaled = make_dataset({"x": list(VALUES * scale)}, LABELS, "yes")

    assert (fitted(scaled).predict(scaled.X) == fitted(plain).predict(plain.X)).all()


def test_values_outside_the_bins_fall_into_the_outermost():
    dataset = make_dataset({"x": list(VALUES)}, LABELS, "yes")

    predicted = fitted(dataset).predict(pd.DataFrame({"x": [-1e6, -np.inf, 1e6, np.inf]}))

    assert list(predicted) == ["no", "no", "yes", "yes"]


@pytest.mark.parametrize("dtype", ["str", "string", object, "category"])
def test_text_of_any_type_is_learned_and_text_that_looks_like_numbers_stays_text(dtype):
    texts = pd.Series(["1.0" if value > 0.3 else "2.0" for value in VALUES])
    dataset = make_dataset({"t": texts.tolist()}, LABELS, "yes")
    learner = Ripper(dataset, seed=1)
    X = pd.DataFrame({"t": texts.astype(dtype)})

    learner.fit(X, dataset.y)

    assert (learner.predict(X) == dataset.y).all()


def test_a_repeated_index_changes_nothing():
    dataset = make_dataset({"x": list(VALUES)}, LABELS, "yes")
    expected = fitted(dataset).predict(dataset.X)
    learner = Ripper(dataset, seed=1)
    index = [0, 1] * 150

    learner.fit(dataset.X.set_axis(index), dataset.y.set_axis(index))

    assert (learner.predict(dataset.X.set_axis(index)) == expected).all()


def test_a_mixed_column_has_bins_texts_missing_and_unseen_values():
    column = Binned("x", 3)
    column.fit(pd.Series([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, "low", None], dtype=object))

    codes = list(column.transform(pd.Series([1.0, 6.0, "low", None, "new", 99.0], dtype=object)))

    assert codes == ["v0", "v2", "v3", "missing", "unseen", "v2"]
    assert column.tell("v0").startswith("x <= ")
    assert column.tell("v2").endswith("< x")
    assert column.tell("v3") == "x = 'low'"
    assert column.tell("missing") == "x is missing"
