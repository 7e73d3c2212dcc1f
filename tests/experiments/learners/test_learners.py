import signal
import sys

import numpy as np
import pandas as pd
import pytest
from omegaconf import OmegaConf

from experiments.config import compose
from experiments.learners import LearnerError, NotApplicableError, Recipe
from experiments.learners.columns import CategoryCodes, OneHot, numbers, texts
from experiments.learners.networks import MLP, can_hold_out
from experiments.running.cross_validation import Protocol
from experiments.running.folds import TIMES, run_folds
from tests.experiments.stand_ins import make_dataset, two_classes

THREE = make_dataset(
    {
        "a [cm] < b": [float(i) for i in range(30)],
        "mixed": ["unknown" if i % 5 == 0 else float(i) for i in range(30)],
        "kind": [None if i % 7 == 0 else "xyz"[i % 3] for i in range(30)],
    },
    [["low", "mid", "high"][i // 10] for i in range(30)],
)
QUICK = {
    "mlp": ["learner.max_iter=30"],
    "xgboost": ["learner.n_estimators=5"],
    "hist_gradient_boosting": ["learner.max_iter=20"],
}


def make(learner, dataset, *overrides):
    if learner in EXTRA:
        pytest.importorskip(EXTRA[learner])
    cfg = compose([f"learner={learner}", *QUICK.get(learner, []), *overrides])
    return Recipe.from_config(cfg.learner, dataset).build(dataset)


ALL = [
    "foldse", "foldrpp_ig", "foldrpp_mgi", "foldrm", "tree_mgi", "tree_ig", "tree_weighted_gini",
    "tree_chi_square", "xgboost", "mlp", "ripper", "xgboost_paper", "mlp_paper", "xgboost_paper_dense",
    "lightgbm", "hist_gradient_boosting", "sklearn_tree", "ebm", "greedy_rule_list", "figs",
]  # fmt: skip
# Their leaves are larger than these data sets.
LARGE_LEAVES = ("lightgbm", "hist_gradient_boosting")
# Numbers as one-hot columns say nothing of numbers that were not seen.
PAPER = ("xgboost_paper", "mlp_paper", "xgboost_paper_dense")
TWO_CLASSES_ONLY = ("ripper", "greedy_rule_list", "figs")
EXTRA = {"lightgbm": "lightgbm", "ebm": "interpret", "greedy_rule_list": "imodels", "figs": "imodels"}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dataset", [two_classes(), THREE], ids=["two", "three"])
def test_every_learner_takes_mixed_missing_and_unseen_values(name, dataset):
    if name == "foldrm" and dataset.positive is not None:
        with pytest.raises(NotApplicableError, match="toy has two: use foldrpp_ig"):
            make(name, dataset)
        return
    if name in TWO_CLASSES_ONLY and dataset.positive is None:
        with pytest.raises(NotApplicableError, match="for two classes"):
            make(name, dataset)
        return
    learner = make(name, dataset)
    train = dataset.X.iloc[::2]
    unseen = dataset.X.iloc[1::2].copy()
    unseen[dataset.categorical[0]] = pd.Series(["never seen"] * len(unseen), index=unseen.index, dtype=object)

    learner.fit(train, dataset.y.iloc[::2])

    for X in (unseen, dataset.X.iloc[1::2]):
        predicted = learner.predict(X)
        assert predicted.shape == (len(X),)
        assert set(predicted) <= set(dataset.classes)
    if name in PAPER or name in LARGE_LEAVES:
        return
    # The first column alone tells the classes apart, so nothing but chance is beaten by learning it.
    assert (learner.predict(train) == dataset.y.iloc[::2]).mean() > 0.75


@pytest.mark.parametrize("name", [name for name in ALL if name not in TWO_CLASSES_ONLY])
def test_a_class_that_the_fold_lacks_is_never_predicted(name):
    learner = make(name, THREE)
    without_mid = THREE.y != "mid"

    learner.fit(THREE.X[without_mid], THREE.y[without_mid])

    assert set(learner.predict(THREE.X)) <= {"low", "high"}


@pytest.mark.parametrize("name", ["xgboost", "mlp"])
def test_a_fold_of_one_class_predicts_it(name):
    learner = make(name, THREE)
    low = THREE.y == "low"

    learner.fit(THREE.X[low], THREE.y[low])

    assert set(learner.predict(THREE.X)) == {"low"}


# Of the others' warnings some tell of the column.
STRICT = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=STRICT if name in ("xgboost", "mlp") else ())
        for name in ALL
        if name != "foldrm"
    ],
)
def test_a_column_that_is_missing_in_the_fold_is_no_error(name):
    dataset = make_dataset(
        {
            "x": [float(i) for i in range(20)],
            "empty": [np.nan] * 10 + [1.0] * 10,
            "blank": [None] * 10 + ["t"] * 10,
        },
        ["a", "b"] * 10,
        "a",
    )
    learner = make(name, dataset)

    learner.fit(dataset.X.iloc[:10], dataset.y.iloc[:10])

    assert set(learner.predict(dataset.X)) <= {"a", "b"}


def test_figs_learns_the_same_whatever_was_drawn_before():
    # Eight columns as good: any of them may be the one that the tree splits on.
    values = [float(i % 7) for i in range(60)]
    dataset = make_dataset({f"c{k}": values for k in range(8)}, ["a" if v > 3 else "b" for v in values], "a")
    found = set()
    for seed in range(6):
        learner = make("figs", dataset)
        np.random.seed(seed)  # noqa: NPY002  (what FIGS draws on)
        learner.fit(dataset.X, dataset.y)
        found.add((learner.rules(), np.random.randint(10**9)))  # noqa: NPY002
    assert len({rules for rules, _ in found}) == 1
    assert len({drawn for _, drawn in found}) == 6  # and takes nothing from what others draw


@pytest.mark.parametrize("name", ["foldse", "foldrpp_ig", "tree_ig", "xgboost", "mlp"])
def test_the_same_seed_gives_the_same_results_but_for_times(name):
    cfg = compose([f"learner={name}", *QUICK.get(name, [])])
    results = []
    for _ in range(2):
        recipe = Recipe.from_config(cfg.learner, THREE)
        results.append(run_folds(THREE, recipe, Protocol(folds=3).split(THREE.y)))

    for first, second in zip(*results, strict=True):
        assert first.status == "ok"
        assert first.rules == second.rules
        for metric, value in first.metrics.items():
            assert metric in (*TIMES, "peak_memory_mb") or value == second.metrics[metric]


def test_the_paper_counts_foldse_after_simplification_and_foldrpp_before_it():
    # One exception that simplification turns into a negated literal: two rules before, one after.
    dataset = make_dataset(
        {"colour": ["red"] * 12 + ["blue"] * 8, "shape": ["disc"] * 8 + ["bar"] * 4 + ["disc"] * 8},
        ["yes"] * 8 + ["no"] * 12,
        "yes",
    )
    sizes = {}
    for name in ("foldse", "foldrpp_ig"):
        learner = make(name, dataset)
        learner.fit(dataset.X, dataset.y)
        sizes[name] = learner.measure()
        assert sizes[name]["rules_raw"] > sizes[name]["rules_simplified"] >= 1

    assert sizes["foldse"]["rules"] == sizes["foldse"]["rules_simplified"]
    assert sizes["foldrpp_ig"]["rules"] == sizes["foldrpp_ig"]["rules_raw"]


def test_a_tree_has_nodes_and_depth_and_no_rules():
    dataset = make_dataset({"x": [1.0, 2.0, 3.0, 4.0]}, ["a", "a", "b", "b"], "a")
    learner = make("tree_mgi", dataset)
    learner.fit(dataset.X, dataset.y)

    # One split: two leaves, both at depth 2 with the root at 1.
    assert learner.measure() == {"nodes": 2.0, "depth": 2.0}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["learner=foldse", "learner.ratio=1.5"], "learner.ratio=1.5 is out of range"),
        (["learner=foldse", "learner.ratio=half"], "learner.ratio=half"),
        (["learner=foldse", "learner.tail=1.0"], "learner.tail=1.0 is out of range"),
        (["learner=foldse", "learner.tail=-3"], "learner.tail=-3"),
        (
            ["learner=foldse", "learner.heuristic=gini"],
            "unknown learner.heuristic=gini: there are .*magic_gini",
        ),
        (["learner=tree_ig", "learner.heuristic=null"], "unknown learner.heuristic=None"),
        (["learner=foldse", "+learner.depth=3"], "no setting 'depth'; it has heuristic, ratio, tail"),
        (["learner=xgboost", "learner.n_estimators=0"], "learner.n_estimators=0"),
        (["learner=mlp", "learner.max_iter=2.5"], "learner.max_iter=2.5.*whole number"),
        (["learner=mlp", "learner._target_=no.such.Thing"], "'no.such.Thing' cannot be loaded"),
        (["learner=mlp", "learner._target_=collections.Counter"], "is no subclass of Learner"),
    ],
)
def test_settings_that_do_not_exist_or_are_out_of_range_are_named_in_one_line(overrides, message):
    with pytest.raises(LearnerError, match=message) as caught:
        Recipe.from_config(compose(overrides).learner, two_classes())
    assert "\n" not in str(caught.value)


def test_a_learner_config_without_id_says_so():
    with pytest.raises(LearnerError, match="no key 'id'"):
        Recipe.from_config(OmegaConf.create({"_target_": "x.Y"}), two_classes())


def test_numbers_and_texts():
    X = pd.DataFrame(
        {
            "n": [1.5, np.inf, np.nan],
            "mixed": pd.Series([2.0, "high", None], dtype=object),
            "t": pd.Series(["u", None, "v"], dtype=object),
        }
    )

    np.testing.assert_array_equal(
        numbers(X, ["n", "mixed"]), [[1.5, 2.0], [np.nan, np.nan], [np.nan, np.nan]]
    )
    assert texts(X, ["t"]).tolist() == [["u"], [None], ["v"]]


def test_category_codes_know_only_the_rows_that_they_were_fitted_on():
    train = pd.DataFrame(
        {"t": pd.Series(["b", None, "a"], dtype=object), "e": pd.Series([None] * 3, dtype=object)}
    )
    test = pd.DataFrame({"t": pd.Series(["c", "b"], dtype=object), "e": pd.Series(["x", None], dtype=object)})

    codes = CategoryCodes().fit(train, ["t", "e"])

    assert [list(column.codes) for column in codes.transform(train)] == [[1, -1, 0], [-1, -1, -1]]
    assert [list(column.codes) for column in codes.transform(test)] == [[-1, 1], [-1, -1]]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([30, 20], True), ([49, 1], False), ([12, 3, 3], False), ([24, 3, 3], True)],
)
def test_a_tenth_is_held_out_only_where_every_class_has_two_rows_and_a_place(counts, expected):
    codes = np.repeat(np.arange(len(counts)), counts)

    assert can_hold_out(codes) is expected


def test_an_interrupt_ends_the_run_instead_of_leaving_a_half_trained_network(monkeypatch):
    dataset = two_classes()
    learner = MLP(dataset)
    # What a Ctrl-C does in the middle of an epoch.
    monkeypatch.setattr(
        learner.model, "_update_no_improvement_count", lambda *_: signal.raise_signal(signal.SIGINT)
    )

    # A process that was started in the background may have been told to ignore it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            learner.fit(dataset.X, dataset.y)
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("lone", [1, 2])
def test_the_network_stops_early_unless_a_class_has_a_single_row(lone):
    labels = ["a"] * 30 + ["b"] * 30 + ["c"] * lone
    dataset = make_dataset({"x": [float(i) for i in range(len(labels))]}, labels)
    learner = MLP(dataset, max_iter=5, early_stopping_rows=50)

    learner.fit(dataset.X, dataset.y)

    assert learner.model.early_stopping is (lone > 1)
    assert len(learner.predict(dataset.X)) == len(labels)


def test_every_value_and_a_missing_one_has_a_column_of_its_own_and_an_unseen_one_has_none():
    X = pd.DataFrame({"n": [1.5, np.nan, 1.5], "mixed": pd.Series([2.0, "high", None], dtype=object)})
    unseen = pd.DataFrame({"n": [9.0, np.nan], "mixed": pd.Series(["high", "low"], dtype=object)})

    onehot = OneHot().fit(X)

    assert onehot.transform(X).toarray().tolist() == [[1, 0, 1, 0, 0], [0, 1, 0, 1, 0], [1, 0, 0, 0, 1]]
    assert onehot.transform(unseen).toarray().tolist() == [[0, 0, 0, 1, 0], [0, 1, 0, 0, 0]]


def test_a_package_that_is_not_there_is_named_with_its_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "lightgbm", None)
    cfg = compose(["learner=lightgbm"])
    with pytest.raises(LearnerError, match=r"package lightgbm is needed .*pip install -e '\.\[field\]'"):
        Recipe.from_config(cfg.learner, two_classes())


def test_the_readings_of_the_paper_reach_the_library():
    learner = make("foldse", THREE, "learner.negated_thresholds=false", "learner.drop_wrong=false")
    estimator = learner.estimator
    readings = (estimator.negated_thresholds, estimator.prune_exceptions, estimator.remove_covered)
    assert readings == (False, True, "correct")
    with pytest.raises(LearnerError, match=r"learner\.drop_wrong=2 must be true or false"):
        make("foldse", THREE, "learner.drop_wrong=2")
    learner.fit(THREE.X, THREE.y)
    assert "not(N" not in learner.rules()
    for kind in ("foldse", "foldrm"):
        drops = [make(name, THREE).estimator.remove_covered for name in (kind, f"{kind}_keep_wrong")]
        assert drops == ["all", "correct"]
