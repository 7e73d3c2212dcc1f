"""The classifiers in the machinery of scikit-learn: parts of what it composes, weighted, copied, pickled."""

import importlib.resources
import json
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import BaggingClassifier, VotingClassifier
from sklearn.impute import SimpleImputer
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, cross_validate
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
from sklearn.utils.class_weight import compute_class_weight, compute_sample_weight
from sklearn.utils.estimator_checks import check_estimator

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier, load_model
from foldse.learning.weights import IntegerWeights, class_weights

RULES = [FoldSEClassifier, FoldRPPClassifier]
ALL = [*RULES, HeuristicTreeClassifier]


def make_data(n=240, labels=("no", "yes")):
    r = np.random.default_rng(11)
    X = pd.DataFrame(
        {
            "sex": r.choice(["f", "m"], n),
            "age": np.where(r.random(n) < 0.1, np.nan, r.integers(1, 90, n)),
            "fare": r.normal(30, 10, n),
        }
    )
    is_yes = ((X["sex"] == "f") & (X["fare"] > 22)) ^ (r.random(n) < 0.08)
    return X, pd.Series(np.where(is_yes, labels[1], labels[0]), name="survived")


X, Y = make_data()


def text(clf):
    return str(clf.tree_ if isinstance(clf, HeuristicTreeClassifier) else clf.rules_)


@pytest.mark.parametrize("kind", ALL)
def test_the_whole_contract_in_one_call(kind):
    """What a user would call; the checks one by one are in test_classifiers."""
    done = check_estimator(kind(), on_skip=None, on_fail=None)
    assert {check["status"] for check in done} <= {"passed", "skipped"}
    assert len(done) > 40


@pytest.mark.parametrize("kind", RULES)
def test_the_contract_holds_with_weighted_classes(kind):
    done = check_estimator(kind(class_weight="balanced"), on_skip=None, on_fail=None)
    assert [check["check_name"] for check in done if check["status"] not in ("passed", "skipped")] == []


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("by", ["pickle", "joblib", "cloudpickle"])
def test_copies_of_a_fitted_model(kind, by, tmp_path):
    clf = kind(pos_label="yes", categorical_features=["sex"]).fit(X, Y)
    if by == "joblib":
        joblib.dump(clf, tmp_path / "model.joblib")
        copy = joblib.load(tmp_path / "model.joblib")
    else:
        copy = pickle.loads((pickle if by == "pickle" else pytest.importorskip("cloudpickle")).dumps(clf))
    assert copy.get_params() == clf.get_params()
    assert text(copy) == text(clf)
    assert copy.predict_proba(X).tolist() == clf.predict_proba(X).tolist()
    assert str(copy.explain(X)[3]) == str(clf.explain(X)[3])
    assert text(copy.fit(X, Y)) == text(clf)
    fresh = clone(clf)
    assert fresh.get_params() == clf.get_params()
    assert not hasattr(fresh, "classes_")


@pytest.mark.parametrize("kind", ALL)
def test_names_of_features(kind):
    clf = kind().fit(X, Y)
    assert clf.feature_names_in_.tolist() == ["sex", "age", "fare"]
    assert clf.feature_names_in_.dtype == object
    assert clf.n_features_in_ == 3
    clf.fit(X.set_axis(range(3), axis=1), Y)
    assert not hasattr(clf, "feature_names_in_")


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("output", ["pandas", "polars"])
def test_after_transformers_that_keep_names(kind, output):
    if output == "polars":
        pytest.importorskip("polars")
        pytest.importorskip("pyarrow")
    prepare = ColumnTransformer(
        [
            (
                "number",
                make_pipeline(SimpleImputer(), StandardScaler()),
                make_column_selector(dtype_include="number"),
            ),
            ("text", "passthrough", ["sex"]),
        ],
        verbose_feature_names_out=False,
    ).set_output(transform=output)
    model = make_pipeline(prepare, kind()).fit(X, Y)
    assert model[-1].feature_names_in_.tolist() == ["age", "fare", "sex"]
    assert model.score(X, Y) > 0.85
    assert model.predict(X[["fare", "sex", "age"]]).tolist() == model.predict(X).tolist()


@pytest.mark.parametrize("kind", ALL)
def test_after_transformers_that_give_arrays(kind):
    bins = KBinsDiscretizer(4, encode="ordinal", quantile_method="averaged_inverted_cdf")
    prepare = ColumnTransformer([("bins", bins, ["fare"]), ("rest", "passthrough", ["sex", "age"])])
    model = make_pipeline(prepare, kind()).fit(X, Y)
    assert model.score(X, Y) > 0.85


@pytest.mark.parametrize("labels", [("no", "yes"), ("0", "1"), (0, 1), (False, True)])
def test_grid_search_with_labels_of_any_kind(labels):
    table, y = make_data(labels=labels)
    for X_form, y_form in ((table, y), (table, y.to_numpy()), (table.to_numpy(dtype=object), list(y))):
        grid = {"ratio": [0.1, 0.5], "tail": [0, 0.01]}
        search = GridSearchCV(FoldSEClassifier(), grid, cv=4, error_score="raise").fit(X_form, y_form)
        assert search.cv_results_["mean_test_score"].shape == (4,)
        assert search.best_score_ > 0.8
        assert set(search.predict(X_form).tolist()) == set(labels)


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("scoring", ["accuracy", "f1_macro", "roc_auc", "neg_log_loss", "balanced_accuracy"])
def test_cross_validation_by_any_score(kind, scoring):
    y = Y == "yes" if scoring == "roc_auc" else Y
    scores = cross_val_score(kind(), X, y, cv=3, scoring=scoring, error_score="raise")
    assert np.isfinite(scores).all()
    folds = StratifiedKFold(3)
    again = cross_validate(kind(), X, y, cv=folds, scoring=scoring, n_jobs=2, error_score="raise")[
        "test_score"
    ]
    assert scores.tolist() == again.tolist()  # workers of a pool learn the same


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("method", ["sigmoid", "isotonic"])
def test_calibration(kind, method):
    calibrated = CalibratedClassifierCV(kind(), method=method, cv=3).fit(X, Y)
    shares = calibrated.predict_proba(X)
    assert np.allclose(shares.sum(axis=1), 1)
    assert (calibrated.predict(X) == Y).mean() > 0.8


@pytest.mark.parametrize("kind", ALL)
def test_in_ensembles_and_inspection(kind):
    assert BaggingClassifier(kind(), n_estimators=3, random_state=0).fit(X, Y).score(X, Y) > 0.8
    voting = VotingClassifier([("a", kind()), ("b", FoldSEClassifier(ratio=0.1))], voting="soft").fit(X, Y)
    assert voting.score(X, Y) > 0.8
    several = Y.where(X["age"].fillna(0) < 60, "old")
    assert (
        OneVsRestClassifier(kind())
        .fit(X.to_numpy(dtype=object), several)
        .score(X.to_numpy(dtype=object), several)
        > 0.8
    )
    found = permutation_importance(kind().fit(X, Y), X, Y, n_repeats=3, random_state=0).importances_mean
    assert found[0] > 0.1


# Weights


@pytest.mark.parametrize("kind", ALL)
def test_weights_are_routed(kind):
    weights = np.where(X["sex"] == "f", 3.0, 1.0)
    with sklearn.config_context(enable_metadata_routing=True):
        clf = kind().set_fit_request(sample_weight=True).set_score_request(sample_weight=False)
        pipeline = make_pipeline(
            ColumnTransformer([("all", "passthrough", list(X))]).set_output(transform="pandas"), clf
        )
        pipeline.fit(X, Y, sample_weight=weights)
        plain = kind().fit(X.add_prefix("all__"), Y, sample_weight=weights)
        assert text(pipeline[-1]) == text(plain)
        scores = cross_validate(clf, X, Y, params={"sample_weight": weights}, cv=3, error_score="raise")
        assert np.isfinite(scores["test_score"]).all()


@pytest.mark.parametrize("kind", ALL)
def test_whole_weights_are_repeated_rows(kind):
    r = np.random.default_rng(5)
    weights = r.integers(0, 4, len(X))
    rows = np.repeat(np.arange(len(X)), weights)
    r.shuffle(rows)
    weighted = kind().fit(X, Y, sample_weight=weights)
    repeated = kind().fit(X.iloc[rows], Y.iloc[rows])
    assert text(weighted) == text(repeated)
    assert weighted.predict_proba(X).tolist() == repeated.predict_proba(X).tolist()


@pytest.mark.parametrize("kind", RULES)
@pytest.mark.parametrize("class_weight", ["balanced", {"yes": 5}, {"no": 0.3, "yes": 2.5}, {"no": 0}])
@pytest.mark.parametrize("several", [False, True])
def test_weights_of_classes_are_those_of_scikit_learn(kind, class_weight, several):
    y = Y.where(X["age"].fillna(0) < 70, "old") if several else Y
    if several and isinstance(class_weight, dict):
        class_weight = {**class_weight, "old": 1.5}
    expected = compute_sample_weight(class_weight, y)
    positive = {} if several else {"pos_label": "yes"}  # which class is positive is decided without them
    found = kind(class_weight=class_weight, **positive).fit(X, y)
    assert text(found) == text(kind(**positive).fit(X, y, sample_weight=expected))
    weights = np.random.default_rng(2).integers(1, 5, len(y)) / 2
    both = kind(class_weight=class_weight, **positive).fit(X, y, sample_weight=weights)
    if class_weight == "balanced":
        by_class = pd.Series(weights).groupby(y.to_numpy()).sum()
        expected = (weights.sum() / (len(by_class) * by_class))[y].to_numpy()
    assert text(both) == text(kind(**positive).fit(X, y, sample_weight=weights * expected))


def test_balanced_classes_weigh_the_same():
    table, y = pd.DataFrame({"x": list("aaabbbbbbc")}), list("nnnyyyyyyn")
    clf = FoldSEClassifier(class_weight="balanced").fit(table, y)
    support = np.sum([rule.support for rule in clf.rules_] + [clf.rules_.default_support], axis=0)
    # Four of ten rows are n: they weigh 10 / (2 * 4) = 1.25 each, and those of y 10 / (2 * 6).
    assert support.tolist() == [5.0, 5.0]
    assert {rule.head for rule in clf.rules_} == {"y"}  # still the more frequent one


def test_balance_is_that_of_scikit_learn_with_weights():
    weights = np.array([1, 2, 3, 4, 5, 6.0])
    labels = np.array([0, 1, 1, 2, 2, 2])
    found = class_weights("balanced", ["a", "b", "c"], labels, IntegerWeights.of(weights, 6))
    expected = compute_class_weight("balanced", classes=np.arange(3), y=labels, sample_weight=weights)
    assert found.tolist() == expected.tolist()


def test_a_weight_moves_predictions_to_its_class():
    base = FoldSEClassifier(pos_label="yes").fit(X, Y).predict(X)
    more = FoldSEClassifier(pos_label="yes", class_weight={"yes": 20}).fit(X, Y).predict(X)
    fewer = FoldSEClassifier(pos_label="yes", class_weight={"no": 20}).fit(X, Y).predict(X)
    assert (fewer == "yes").sum() < (base == "yes").sum() < (more == "yes").sum()


@pytest.mark.parametrize("labels", [("0", "1"), (0, 1), (False, True), (0.0, 1.0)])
def test_weights_of_classes_by_labels_of_any_kind(labels):
    table, y = make_data(labels=labels)
    clf = FoldSEClassifier(pos_label=labels[1], class_weight={labels[1]: 20}).fit(table, y)
    assert text(clf).count("\n") == text(
        FoldSEClassifier(pos_label="yes", class_weight={"yes": 20}).fit(X, Y)
    ).count("\n")


@pytest.mark.parametrize(
    ("class_weight", "message"),
    [
        ("balance", "class_weight must be 'balanced', a dict .* got 'balance'"),
        ([1, 2], "class_weight must be 'balanced', a dict"),
        ({"maybe": 2}, "class_weight names 'maybe', which is not a class of y; its labels are 'no', 'yes'"),
        ({"yes": -1}, "class_weight of 'yes' is -1; it must be a finite number of at least 0"),
        ({"yes": np.nan}, "class_weight of 'yes' is nan"),
        ({"yes": "2"}, "class_weight of 'yes' is '2'"),
        ({"yes": 0, "no": 0}, "every weight is zero, by sample_weight or class_weight"),
    ],
)
def test_bad_weights_of_classes(class_weight, message):
    with pytest.raises(ValueError, match=message):
        FoldSEClassifier(class_weight=class_weight).fit(X, Y)


def test_a_fold_may_lack_a_class_that_has_a_weight():
    clf = FoldSEClassifier(class_weight={"no": 1, "yes": 2, "never seen": 3}).fit(X, Y)
    assert clf.classes_.tolist() == ["no", "yes"]


@pytest.mark.parametrize(
    "class_weight", [None, "balanced", {"no": 1, "yes": 2.5}, {1: 2.0, 0: 1}, {True: 3.0}]
)
def test_weights_of_classes_are_saved(class_weight, tmp_path):
    label = type(next(iter(class_weight))) if isinstance(class_weight, dict) else str
    y = Y if label is str else (Y == "yes").astype(label)
    clf = FoldSEClassifier(class_weight=class_weight).fit(X, y)
    clf.save(tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert loaded.class_weight == class_weight
    assert loaded.get_params() == clf.get_params()
    assert loaded.predict(X).tolist() == clf.predict(X).tolist()
    assert ("class_weight" in (tmp_path / "model.json").read_text()) == (class_weight is not None)
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((importlib.resources.files("foldse") / "schema" / "model-1.json").read_text())
    jsonschema.validate(json.loads((tmp_path / "model.json").read_text()), schema)


@pytest.mark.parametrize(
    ("given", "values", "scale"),
    [
        ([1, 2, 3], [1, 2, 3], 1),
        ([0.1, 0.2, 1.0], [1, 2, 10], 10),
        ([1 / 3, 2.5, 0.0], [2, 15, 0], 6),
        ([10 / 8, 10 / 12], [15, 10], 12),
    ],
)
def test_fractions_as_weights_are_exact(given, values, scale):
    weights = IntegerWeights.of(given, len(given))
    assert weights.values.tolist() == values
    assert weights.scale == scale
    assert weights.total == pytest.approx(sum(given), rel=1e-15)


def test_other_weights_are_rounded_to_what_stays_exact():
    given = np.random.default_rng(0).random(2000)
    weights = IntegerWeights.of(given, 2000)
    assert np.allclose(weights.values / weights.scale, given, rtol=1e-9, atol=0)
    assert weights.values.sum() < 2**53
