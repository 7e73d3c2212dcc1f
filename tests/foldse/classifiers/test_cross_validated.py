"""Settings chosen by cross-validation: against scikit-learn's search, and the choice by hand."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.utils.estimator_checks import parametrize_with_checks

from foldse import FoldRPPClassifier, FoldRPPCV, FoldSEClassifier, FoldSECV, load_model
from foldse.classifiers.front import _front
from tests.foldse.cases import HAVE_DATA, dataset

BUNDLED = ("breast_w", "diabetes", "heart", "ionosphere", "kr_vs_kp", "voting", "wine")
mpl.use("Agg")


def settings(name):
    data = dataset(name)
    roles = {"numeric_features": list(data.numeric), "categorical_features": list(data.categorical)}
    return data.X, data.y, roles | {"pos_label": data.positive}


def compare(ours, plain, X, y, **how):
    """Hold a search against scikit-learn's over plain estimators, split by split."""
    ours.fit(X, y)
    grid = {name: list(dict.fromkeys(p[name] for p in ours.grid())) for name in ours.default_grid}
    theirs = GridSearchCV(plain, grid, cv=ours.cv, refit=False, **how).fit(X, y)
    found = {tuple(p.values()): i for i, p in enumerate(ours.cv_results_["params"])}
    for i, params in enumerate(theirs.cv_results_["params"]):
        here = found[tuple(params[name] for name in ours.default_grid)]
        for split in range(ours.n_splits_):
            name = f"split{split}_test_score"
            assert ours.cv_results_[name][here] == theirs.cv_results_[name][i], (params, split)
        for name in ("mean_test_score", "std_test_score", "rank_test_score"):
            assert ours.cv_results_[name][here] == pytest.approx(theirs.cv_results_[name][i])
    missing = {k for k in theirs.cv_results_ if not k.startswith("param_")} - set(ours.cv_results_)
    assert not missing


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.filterwarnings("ignore:no valid rule")
def test_scores_are_those_of_plain_estimators(name):
    X, y, given = settings(name)
    compare(FoldSECV(**given), FoldSEClassifier(**given), X, y)


@pytest.mark.data
@HAVE_DATA
@pytest.mark.parametrize("name", ["acute", "autism", "credit_a", "ecoli", "kidney", "cars", "titanic"])
@pytest.mark.filterwarnings("ignore:no valid rule")
def test_scores_are_those_of_plain_estimators_on_the_papers_data(name):
    X, y, given = settings(name)
    small = {"tail": [0.001, 0.01, 0.05], "ratio": [0.5, 1.0]}
    compare(FoldSECV(**given, **small), FoldSEClassifier(**given), X, y)


@pytest.mark.parametrize("ties", ["service", "last_category_first"])
def test_ties_are_broken_by_the_training_rows_alone(ties):
    X, y, given = settings("voting")
    ours = FoldSECV(**given, ties=ties, blocking="comparison", tail=[0.0, 0.01], cv=StratifiedKFold(4))
    compare(ours, FoldSEClassifier(**given, ties=ties, blocking="comparison"), X, y)


@pytest.mark.parametrize("scoring", ["roc_auc", "f1_macro", "neg_log_loss", "balanced_accuracy"])
@pytest.mark.filterwarnings("ignore:no valid rule")
def test_any_scorer(scoring):
    X, y, given = settings("heart")
    ours = FoldSECV(**given, scoring=scoring, tail=[0.01, 0.05], heuristic="magic_gini")
    compare(ours, FoldSEClassifier(**given), X, y, scoring=scoring)


def test_foldrpp():
    X, y, given = settings("heart")
    compare(FoldRPPCV(**given), FoldRPPClassifier(**given), X, y)


def test_balanced_classes_are_weighed_by_the_training_rows():
    X, y, given = settings("heart")
    ours = FoldSECV(**given, class_weight="balanced", tail=[0.01, 0.05], cv=StratifiedKFold(3))
    compare(ours, FoldSEClassifier(**given, class_weight="balanced"), X, y)


def test_no_value_of_a_row_that_is_scored_is_a_threshold():
    """Each row has a number of its own: a threshold names the row that it comes from."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.permutation(200) * 1.0, "b": rng.permutation(200) * 1.0})
    y = np.where(X["a"] + X["b"] + rng.normal(0, 30, 200) > 200, "yes", "no")
    learned = []

    def scorer(clf, *_):
        learned.append([(x.feature, x.value) for x in clf.raw_rules_.literals()])
        return 0.0

    cv = StratifiedKFold(5, shuffle=True, random_state=1)
    FoldSECV(cv=cv, scoring=scorer, tail=0.0, ratio=0.1, heuristic="magic_gini").fit(X, y)
    assert len(learned) == 5
    for literals, (train, test) in zip(learned, cv.split(X, y), strict=True):
        assert len(literals) > 3
        for feature, value in literals:
            assert value in X[feature].to_numpy()[train]
            assert value not in X[feature].to_numpy()[test]


def test_front_by_hand():
    results = {
        "param_tail": np.ma.array([1, 2, 3, 4, 5]),
        "mean_test_score": np.array([0.9, 0.8, 0.8, 0.7, 0.85]),
        "std_test_score": np.zeros(5),
        "n_rules": np.array([5, 3, 3, 1, 4]),
        "n_predicates": np.array([9, 4, 4, 2, 5]),
    }
    # 3 is as good and as large as 2, which comes first
    assert _front(results)["tail"].tolist() == [4, 2, 5, 1]


@pytest.fixture
def chosen():
    """Return a search whose results are replaced by those of four settings, on four splits."""
    clf = FoldSECV()
    clf.n_splits_ = 4
    clf.cv_results_ = {
        "mean_test_score": np.array([0.90, 0.88, 0.86, 0.70]),
        # of the best: 0.05 * sqrt(4 / 3) / sqrt(4) = 0.0289 is the standard error
        "std_test_score": np.array([0.05, 0.01, 0.01, 0.01]),
        "n_rules": np.array([9, 5, 2, 1]),
        "n_predicates": np.array([20, 9, 6, 0]),
    }
    return clf


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, 1),
        ({"choose": "best"}, 0),
        ({"max_predicates": 8}, 2),
        ({"max_predicates": 9, "max_rules": 3}, 2),
        ({"max_rules": 1}, 3),
    ],
)
def test_choice_by_hand(chosen, given, expected):
    assert chosen.set_params(**given)._chosen() == expected


def test_no_program_is_small_enough(chosen):
    chosen.cv_results_["n_predicates"] = np.array([20, 9, 6, 3])
    with pytest.raises(ValueError, match="at most 2 predicates: the smallest that the settings give has 3"):
        chosen.set_params(max_predicates=2)._chosen()


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.filterwarnings("ignore:no valid rule")
def test_program_within_a_limit(name):
    X, y, given = settings(name)
    clf = FoldSECV(**given, max_predicates=5).fit(X, y)
    assert clf.n_predicates_ <= 5
    assert clf.rules_ == FoldSEClassifier(**given, **clf.best_params_).fit(X, y).rules_


def test_model_is_used_saved_and_drawn_as_a_plain_one(tmp_path):
    X, y, given = settings("heart")
    clf = FoldSECV(**given, max_rules=3).fit(X, y)
    plain = FoldSEClassifier(**given, **clf.best_params_).fit(X, y)
    assert (clf.predict(X) == plain.predict(X)).all()
    assert str(clf.explain(X.head(1))[0]) == str(plain.explain(X.head(1))[0])
    clf.save(tmp_path / "model.json")
    assert isinstance(load_model(tmp_path / "model.json"), FoldSEClassifier)
    plain.save(tmp_path / "plain.json")
    assert (tmp_path / "model.json").read_text() == (tmp_path / "plain.json").read_text()
    ax = clf.plot_front()
    assert ax.get_xlabel() == "predicates of the program"
    drawn = ax.containers[0].lines[0].get_xydata()
    assert sorted(map(tuple, drawn)) == sorted(
        zip(clf.front_["n_predicates"], clf.front_["mean_test_score"], strict=True)
    )


def test_an_edited_model_is_saved_as_it_was_edited(tmp_path):
    X, y, given = settings("wine")
    edited = FoldSECV(**given, max_rules=4).fit(X, y).drop_rules(0)
    edited.save(tmp_path / "model.json")
    read = load_model(tmp_path / "model.json")
    assert read.rules_ == edited.rules_
    assert (read.predict(X) == edited.predict(X)).all()


def test_one_split():
    X, y, given = settings("heart")
    clf = FoldSECV(**given, cv=0.25).fit(X, y)
    best = clf.cv_results_["mean_test_score"].max()
    ties = clf.cv_results_["n_predicates"][clf.cv_results_["mean_test_score"] == best]
    assert (clf.n_splits_, clf.best_score_, clf.n_predicates_) == (1, best, ties.min())


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"choose": "biggest"}, "choose must be one of one_se, best"),
        ({"max_predicates": -1}, "max_predicates must be a whole number"),
        ({"max_rules": 2.5}, "max_rules must be a whole number"),
        ({"tail": []}, "tail is empty"),
        ({"tail": [0.1, -1]}, "tail must be a share"),
        ({"heuristic": ["magic_gini", "gini"]}, "heuristic must be one of"),
        ({"cv": 1.5}, "cv must be a number of folds, a share"),
    ],
)
def test_settings_out_of_range(given, message):
    X, y, _ = settings("wine")
    with pytest.raises(ValueError, match=message):
        FoldSECV(**given).fit(X, y)


@parametrize_with_checks(
    [FoldSECV(cv=2, tail=[0.0, 0.1], ratio=0.5), FoldRPPCV(cv=2, ratio=[0.5, 1.0], heuristic="magic_gini")]
)
@pytest.mark.filterwarnings("ignore")
def test_contract_of_scikit_learn(estimator, check):
    check(estimator)
