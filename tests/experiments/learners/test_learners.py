import signal
import sys

import numpy as np
import pandas as pd
import pytest
from omegaconf import OmegaConf

from experiments.config import choices, compose
from experiments.learners import LearnerError, LearnerSpec, NotApplicableError, NotInstalledError
from experiments.learners.columns import COLUMNS, CategoryCodes, numbers, texts
from experiments.learners.estimators import can_hold_out
from experiments.metrics import TIMES
from experiments.records import Fold
from experiments.running.cross_validation import CrossValidation
from experiments.running.folds import build, run_fold, run_folds
from tests.experiments.stand_ins import make_dataset, two_classes

THREE = make_dataset(
    {
        "a [cm] < b": [float(i) for i in range(30)],
        "mixed": ["unknown" if i % 5 == 0 else float(i) for i in range(30)],
        "kind": [None if i % 7 == 0 else "xyz"[i % 3] for i in range(30)],
    },
    [["low", "mid", "high"][i // 10] for i in range(30)],
)
RM = ("foldrm", "foldrm_correct")  # for more than two classes only
QUICK = {
    "mlp": ["learner.estimator.max_iter=30"],
    "xgboost": ["learner.estimator.n_estimators=5"],
    "hist_gradient_boosting": ["learner.estimator.max_iter=20"],
    # Of a class of five rows no rule is surer than (5 + 9 / 2) / (5 + 9).
    "confold": ["learner.confidence_threshold=0.6"],
    "confold_tuned": ["+learner.by_dataset.toy={confidence_threshold: 0.6}"],
    "foldse_confold": ["learner.confidence_threshold=0.6"],
}
# They may give a row no label.
ABSTAINING = ("confold", "confold_tuned")


def spec_of(learner, *overrides):
    if learner in EXTRA:
        pytest.importorskip(EXTRA[learner])
    return LearnerSpec.from_config(
        compose([f"learner={learner}", *QUICK.get(learner, []), *overrides]).learner
    )


def make(learner, dataset, *overrides):
    return spec_of(learner, *overrides).build(dataset)


def labels_of(learner, *classes):
    return {*classes, None} if learner in ABSTAINING else set(classes)


# JRip, which runs a Java machine, has tests of its own.
ALL = [name for name in choices("learner") if name != "jrip"]
# Their leaves are larger than these data sets.
LARGE_LEAVES = ("lightgbm", "hist_gradient_boosting")
# Numbers as one-hot columns say nothing of numbers that were not seen.
PAPER = ("xgboost_paper", "mlp_paper")
TWO_CLASSES_ONLY = ("ripper", "greedy_rule_list", "figs")
EXTRA = {"lightgbm": "lightgbm", "ebm": "interpret", "greedy_rule_list": "imodels", "figs": "imodels"}


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dataset", [two_classes(), THREE], ids=["two", "three"])
def test_every_learner_takes_mixed_missing_and_unseen_values(name, dataset):
    if name in RM and dataset.positive is not None:
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
        assert set(predicted) <= labels_of(name, *dataset.classes)
        probabilities = learner.predict_proba(X)
        assert (probabilities is None) is (name == "ripper")
        if probabilities is not None:
            assert tuple(learner.classes) == dataset.classes
            assert probabilities.shape == (len(X), len(dataset.classes))
            np.testing.assert_allclose(probabilities.sum(axis=1), 1, rtol=1e-5)
            # Where one label is clearly the likeliest, it is the one that is predicted.
            clear = (np.sort(probabilities, axis=1)[:, -1] > 0.8) & pd.notna(predicted)
            assert (np.array(learner.classes)[probabilities.argmax(axis=1)] == predicted)[clear].all()
    if name in PAPER or name in LARGE_LEAVES:
        return
    # The first column alone tells the classes apart, so nothing but chance is beaten by learning it.
    assert (learner.predict(train) == dataset.y.iloc[::2]).mean() > 0.75


@pytest.mark.parametrize("name", [name for name in ALL if name not in TWO_CLASSES_ONLY])
def test_a_class_that_the_fold_lacks_is_never_predicted(name):
    learner = make(name, THREE)
    without_mid = THREE.y != "mid"

    learner.fit(THREE.X[without_mid], THREE.y[without_mid])

    assert set(learner.predict(THREE.X)) <= labels_of(name, "low", "high")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("label", ["big", "small"])
def test_a_fold_whose_training_rows_have_one_label_predicts_it(name, label):
    dataset = two_classes() if name not in RM else THREE
    label = label if name not in RM else "low"
    chosen = np.flatnonzero(dataset.y == label)
    tested = np.arange(len(dataset.y))
    spec = spec_of(name)

    result = run_fold(dataset, spec, Fold(0, 0, chosen, tested))
    whole = run_fold(dataset, spec, Fold(0, 0, tested, tested))

    assert (result.status, result.error) == ("ok", "")
    assert result.metrics["accuracy"] == (dataset.y == label).mean()
    assert set(result.metrics) == set(whole.metrics)  # so that a mean is taken over every fold
    sizes = {"rules": 0, "predicates": 0, "nodes": 1, "depth": 1}
    assert all(result.metrics[size] == value for size, value in sizes.items() if size in result.metrics)
    assert f"always {label!r}" in result.rules


# Of the others' warnings some tell of the column.
STRICT = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=STRICT if name in ("xgboost", "mlp") else ())
        for name in ALL
        if name not in RM
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

    assert set(learner.predict(dataset.X)) <= labels_of(name, "a", "b")


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
    folds = CrossValidation(folds=3).split(THREE.y)
    results = [run_folds(THREE, spec_of(name), folds) for _ in range(2)]

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
        (["learner=foldse", "learner.ratio=-1"], "learner foldse: ratio must be a number of at least 0"),
        (["learner=foldse", "learner.ratio=half"], "ratio must be .*'half'"),
        (["learner=foldse", "learner.tail=1.0"], "tail must be .*1.0"),
        (["learner=foldse", "learner.heuristic=gini"], "heuristic must be one of .*magic_gini.* got 'gini'"),
        (["learner=foldse", "learner.remove_covered=some"], "remove_covered must be one of all, correct"),
        (["learner=tree_ig", "learner.heuristic=null"], "learner tree_ig: heuristic must be one of"),
        (
            ["learner=foldse", "+learner.tial=3"],
            "learner foldse: there is no setting 'tial'; did you mean tail",
        ),
        (["learner=ripper", "+learner.folds=3"], "no setting 'folds'; there are k, prune_size, dl_allowance"),
        (["learner=ripper", "learner.k=2.5"], "learner ripper: learner.k=2.5 .*whole number"),
        (
            ["learner=xgboost", "+learner.estimator.max_dept=3"],
            "learner xgboost: there is no setting 'estimator.max_dept'; did you mean max_depth",
        ),
        (
            ["learner=lightgbm", "+learner.estimator.leaves=3"],
            "learner lightgbm: there is no setting 'estimator.leaves'; did you mean",
        ),
        (
            ["learner=figs", "+learner.estimator.rules=3"],
            "learner figs: there is no setting 'estimator.rules'",
        ),
        (["learner=mlp", "learner.estimator.max_iter=2.5"], "learner mlp: The 'max_iter' parameter"),
        (["learner=mlp", "learner.columns=onehott"], "learner mlp: unknown learner.columns=onehott"),
        (["learner=mlp", "~learner.estimator._target_"], "learner mlp: learner.estimator must be a mapping"),
        (
            ["learner=mlp", "learner.estimator._target_=sklearn.svm.Thing"],
            "'sklearn.svm.Thing' cannot be loaded",
        ),
        (["learner=mlp", "learner._target_=no.such.Thing"], "'no.such.Thing' cannot be imported"),
        (["learner=mlp", "learner._target_=collections.Counter"], "is not a subclass of Learner"),
    ],
)
def test_settings_that_do_not_exist_or_are_out_of_range_are_named_in_one_line(overrides, message):
    with pytest.raises(LearnerError, match=message) as caught:
        LearnerSpec.from_config(compose(overrides).learner).build(two_classes())
    assert "\n" not in str(caught.value)


def test_a_learner_config_without_id_says_so():
    with pytest.raises(LearnerError, match="no key 'id'"):
        LearnerSpec.from_config(OmegaConf.create({"_target_": "x.Y"}))


def test_every_learner_has_a_title_of_its_own_and_no_seed_in_its_file():
    settings_of_another = ("_all", "_correct", "_service")
    names = [name for name in choices("learner") if not name.endswith(settings_of_another)]
    specs = [LearnerSpec.from_config(compose([f"learner={name}"]).learner) for name in names]

    assert [spec.id for spec in specs] == names
    assert len({spec.title for spec in specs}) == len(specs)
    assert not any("_" in spec.title for spec in specs)
    assert not any("seed" in name or "random_state" in name for spec in specs for name in flat(spec.settings))


def flat(settings):
    for name, value in settings.items():
        yield name
        yield from flat(value) if isinstance(value, dict) else ()


@pytest.mark.parametrize(
    "name", ["mlp", "hist_gradient_boosting", "sklearn_tree", "xgboost", "lightgbm", "figs"]
)
def test_the_seed_of_the_fold_is_the_random_state_unless_the_config_has_one(name):
    spec = spec_of(name)
    own = spec_of(name, "+learner.estimator.random_state=3")

    assert spec.build(two_classes(), seed=17).model.get_params()["random_state"] == 17
    assert own.build(two_classes(), seed=17).model.get_params()["random_state"] == 3


def test_a_repeat_continues_the_seeds_and_the_runner_hands_them_over():
    folds = CrossValidation(folds=2, repeats=2, seed=7, shuffle=True).split(THREE.y)

    assert [fold.seed for fold in folds] == [7, 7, 8, 8]
    assert build(THREE, spec_of("mlp"), folds[2]).model.random_state == 8
    assert build(two_classes(), spec_of("ripper"), folds[0]).model.random_state == 7


def test_any_classifier_is_a_learner_by_its_config_nested_ones_too():
    config = """
    id: bagged
    _target_: experiments.learners.SklearnLearner
    estimator:
      _target_: sklearn.ensemble.BaggingClassifier
      n_estimators: 3
      estimator: {_target_: sklearn.tree.DecisionTreeClassifier, max_depth: 2}
    columns: ordinal
    """
    spec = LearnerSpec.from_config(OmegaConf.create(config))
    learner = spec.build(THREE, seed=5)

    learner.fit(THREE.X, THREE.y)

    parameters = learner.model.get_params()
    assert (parameters["random_state"], parameters["estimator__random_state"]) == (5, 5)
    assert parameters["estimator__max_depth"] == 2
    assert (learner.predict(THREE.X) == THREE.y).mean() > 0.9
    assert spec.title == "bagged"
    wrong = OmegaConf.merge(OmegaConf.create(config), {"estimator": {"estimator": {"max_dept": 3}}})
    with pytest.raises(LearnerError, match=r"learner bagged: .*max_dept") as caught:
        LearnerSpec.from_config(wrong).build(THREE)
    assert "\n" not in str(caught.value)


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

    codes = CategoryCodes(train, ["t", "e"])

    assert [list(column.codes) for column in codes.transform(train)] == [[1, -1, 0], [-1, -1, -1]]
    assert [list(column.codes) for column in codes.transform(test)] == [[-1, 1], [-1, -1]]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [([30, 20], True), ([49, 1], False), ([12, 3, 3], False), ([24, 3, 3], True)],
)
def test_a_tenth_is_held_out_only_where_every_class_has_two_rows_and_a_place(counts, expected):
    codes = np.repeat(np.arange(len(counts)), counts)

    assert can_hold_out(codes, 0.1) is expected


def test_an_interrupt_ends_the_run_instead_of_leaving_a_half_trained_network(monkeypatch):
    dataset = two_classes()
    learner = make("mlp", dataset)
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
    learner = make("mlp", dataset, "learner.estimator.max_iter=5", "learner.early_stopping_rows=50")

    learner.fit(dataset.X, dataset.y)

    assert learner.model.early_stopping is (lone > 1)
    assert len(learner.predict(dataset.X)) == len(labels)


def test_every_value_and_a_missing_one_has_a_column_of_its_own_and_an_unseen_one_has_none():
    X = pd.DataFrame({"n": [1.5, np.nan, 1.5], "mixed": pd.Series([2.0, "high", None], dtype=object)})
    unseen = pd.DataFrame({"n": [9.0, np.nan], "mixed": pd.Series(["high", "low"], dtype=object)})

    for name in ("onehot_all", "onehot_all_dense"):
        onehot = COLUMNS[name](["n", "mixed"], [])
        onehot.fit(X)
        expected = [[1, 0, 1, 0, 0], [0, 1, 0, 1, 0], [1, 0, 0, 0, 1]], [[0, 0, 0, 1, 0], [0, 1, 0, 0, 0]]
        for frame, rows in zip((X, unseen), expected, strict=True):
            made = onehot.transform(frame)
            assert (made.toarray() if name == "onehot_all" else made).tolist() == rows


def test_one_matrix_of_imputed_numbers_and_codes_or_ones_worked_out_by_hand():
    X = pd.DataFrame({"n": [1.0, np.nan, 3.0], "t": pd.Series(["b", None, "a"], dtype=object)})
    unseen = pd.DataFrame({"n": [np.inf], "t": pd.Series(["c"], dtype=object)})
    ordinal, onehot = (COLUMNS[name](["n"], ["t"]) for name in ("ordinal", "onehot"))
    for columns in (ordinal, onehot):
        columns.fit(X)

    assert ordinal.transform(X).tolist() == [[1, 1], [2, -1], [3, 0]]  # 2 is the median
    assert ordinal.transform(unseen).tolist() == [[2, -1]]
    assert onehot.transform(X).tolist() == [[1, 0, 1], [2, 0, 0], [3, 1, 0]]
    assert onehot.transform(unseen).tolist() == [[2, 0, 0]]
    assert (ordinal.names, onehot.names) == (["n", "t"], ["n", "t = a", "t = b"])


def test_more_than_255_categories_are_a_number_to_scikit_learns_boosting():
    many = [f"v{i:03}" for i in range(256)]
    X = pd.DataFrame({"many": many, "few": [*many[:255], None], "none": [np.nan] * 256}, dtype=object)
    columns = COLUMNS["native_255"](["none"], ["many", "few"])
    columns.fit(X)

    made = columns.transform(X)

    assert made["c0"].tolist() == list(range(256))
    assert isinstance(made["c1"].dtype, pd.CategoricalDtype)
    assert set(made["n0"]) == {0.0}


def test_a_package_that_is_not_there_is_named_with_its_extra(monkeypatch):
    for name, package, extra in (
        ("lightgbm", "lightgbm", "field"),
        ("ripper", "wittgenstein", "experiments"),
    ):
        monkeypatch.setitem(sys.modules, package, None)
        spec = LearnerSpec.from_config(compose([f"learner={name}"]).learner)
        expected = rf"learner {name}: .*{package}.*pip install -e '\.\[{extra}\]'"
        with pytest.raises(NotInstalledError, match=expected) as caught:
            spec.build(two_classes())
        assert "\n" not in str(caught.value)


def test_the_readings_of_the_paper_reach_the_library():
    settings = {"negated_thresholds": False, "prune_exceptions": False, "remove_covered": "correct"}
    learner = make("foldse", THREE, *(f"learner.{name}={value}" for name, value in settings.items()))

    assert settings.items() <= learner.estimator.get_params().items()
    learner.fit(THREE.X, THREE.y)
    assert "not(N" not in learner.rules()
