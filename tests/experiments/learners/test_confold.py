"""CON-FOLD, FOLD-SE with its prunings, and cross-validated FOLD-SE, as the experiments run them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from experiments.config import compose
from experiments.learners import LearnerError, LearnerSpec
from experiments.learners.confold import distinct_predicates
from experiments.records import Fold
from experiments.running.folds import run_fold
from foldse import FoldSEClassifier, FoldSECV, Literal, Op, Rule, RuleSet
from tests.experiments.stand_ins import make_dataset

# Each rule covers twenty rows and is right about all of them: its confidence is (20 + 9 / 2) / (20 + 9).
SURE = 24.5 / 29
KINDS = make_dataset(
    {"kind": ["tabby", "dog"] * 20 + ["tabby", "dog", "fox"]},
    ["meows", "barks"] * 20 + ["meows", "meows", "barks"],
)
LEARNED_FROM, ASKED = np.arange(40), np.arange(40, 43)


def spec(name, *overrides):
    return LearnerSpec.from_config(compose([f"learner={name}", *overrides]).learner)


def metrics(name, *overrides, positive=None):
    dataset = replace(KINDS, positive=positive)
    result = run_fold(dataset, spec(name, *overrides), Fold(0, 0, LEARNED_FROM, ASKED))
    assert result.status == "ok", result.error
    return result.metrics


def test_a_row_without_a_label_is_wrong_and_counts_a_quarter_in_the_inverse_brier_score():
    # The tabby is right, the dog wrong, and of the fox no rule says anything.
    figures = metrics("confold")

    assert figures["accuracy"] == pytest.approx(1 / 3)
    assert figures["no_label"] == pytest.approx(1 / 3)
    assert figures["inverse_brier"] == pytest.approx(1 - ((1 - SURE) ** 2 + SURE**2 + 0.25) / 3)
    # meows: two rows, claimed once and rightly; barks: one row, claimed once and wrongly
    assert figures["precision"] == pytest.approx(2 / 3 * 1)
    assert figures["recall"] == pytest.approx(2 / 3 * 1 / 2)
    assert figures["f1"] == pytest.approx(2 / 3 * 2 / 3)


def test_a_label_by_default_counts_a_quarter_as_well_and_is_no_missing_one():
    kinds = ["tabby", "dog", "zebu"]
    dataset = make_dataset(
        {"kind": kinds * 20 + ["tabby", "fox"]}, ["meows", "barks", "moos"] * 20 + ["meows", "barks"]
    )
    result = run_fold(dataset, spec("foldse_confold"), Fold(0, 0, np.arange(60), np.array([60, 61])))

    assert "no_label" not in result.metrics
    # Each of the three rules covers twenty rows; the fox gets the most frequent class, with no confidence.
    assert result.metrics["inverse_brier"] == pytest.approx(1 - ((1 - SURE) ** 2 + 0.25) / 2)


def test_confidences_are_scored_of_two_classes_only_where_both_have_rules():
    assert "inverse_brier" in metrics("confold", positive="meows")
    assert "inverse_brier" not in metrics("foldse", positive="meows")
    assert "inverse_brier" not in metrics("tree_ig")


def test_a_fold_of_one_label_has_the_confidence_of_a_rule_that_is_always_right():
    cats = np.arange(0, 40, 2)
    result = run_fold(KINDS, spec("confold"), Fold(0, 0, cats, ASKED))

    # Twenty rows that meow: of the three that are asked for two do.
    assert result.metrics["accuracy"] == pytest.approx(2 / 3)
    assert result.metrics["no_label"] == 0
    assert result.metrics["inverse_brier"] == pytest.approx(1 - (2 * (1 - SURE) ** 2 + SURE**2) / 3)


def test_rules_of_confold_are_counted_as_learned_and_those_of_pruned_foldse_as_printed():
    confold, pruned = metrics("confold"), metrics("foldse_confold")

    assert confold["rules"] == confold["rules_raw"] == 2
    assert pruned["rules"] == pruned["rules_simplified"]
    assert confold["predicates_distinct"] == 2


def test_distinct_predicates_are_conditions_whatever_their_sign():
    size, small = Literal("size", Op.LE, 2.0), Literal("size", Op.NOT_LE, 2.0)
    red, other, blue = (Literal("colour", op, c) for op, c in ((Op.EQ, "r"), (Op.NE, "r"), (Op.EQ, "b")))
    rules = (Rule("a", (size, red), exceptions=(Rule("", (blue,)),)), Rule("b", (small, other)))
    program = RuleSet(rules, ("size", "colour"), "label", ("a", "b"), "a")

    assert program.n_predicates == 5
    assert distinct_predicates(program) == 3  # size up to 2, r, b
    above = replace(program, rules=(*rules, Rule("a", (Literal("size", Op.GT, 2.0),))))
    assert distinct_predicates(above) == 4  # above 2 is another text than up to 2


@pytest.mark.parametrize(
    ("name", "confidence", "improvement"),
    [("wine", 0.55, 0.02), ("ecoli", 0.6, 0.08), ("nursery", 0.55, 0.04)],
)
def test_tuned_thresholds_are_those_of_the_data_set(name, confidence, improvement):
    tuned = spec("confold_tuned").build(replace(KINDS, id=name)).estimator
    plain = spec("confold").build(replace(KINDS, id=name)).estimator

    assert (tuned.confidence_threshold, tuned.improvement_threshold) == (confidence, improvement)
    assert (plain.confidence_threshold, plain.improvement_threshold) == (0.75, 0.02)
    assert (tuned.ratio, tuned.heuristic, tuned.abstain) == (plain.ratio, plain.heuristic, plain.abstain)


def test_tuned_thresholds_are_there_for_each_data_set_of_the_experiment_and_for_no_other():
    swept = compose(["experiment=confold"])
    names = set(spec("confold_tuned").settings["by_dataset"])
    published = pd.read_csv(str(swept.paths.published).replace("results.csv", "confold_results.csv"))

    assert names == set(published["dataset"])
    with pytest.raises(LearnerError, match=r"no settings for heart: add learner\.by_dataset\.heart"):
        spec("confold_tuned").build(replace(KINDS, id="heart"))


def test_a_misspelt_setting_of_a_data_set_is_named():
    wrong = spec("confold", "+learner.by_dataset={toy: {confidence: 0.5}}")

    with pytest.raises(LearnerError, match=r"by_dataset\.toy\.confidence.*did you mean confidence_threshold"):
        wrong.build(KINDS)


@pytest.mark.parametrize("value", [1.5, "high"])
def test_a_threshold_out_of_range_is_one_line(value):
    with pytest.raises(LearnerError, match="confidence_threshold must be a number from 0 to 1"):
        spec("confold", f"learner.confidence_threshold={value}").build(KINDS)


def noisy(rows=90, seed=4):
    rng = np.random.default_rng(seed)
    sizes = rng.normal(size=rows)
    labels = np.where(sizes + rng.normal(scale=0.6, size=rows) > 0, "big", "small")
    return make_dataset(
        {"size": sizes.tolist(), "shape": rng.choice(["o", "x"], rows).tolist()}, labels.tolist(), "big"
    )


def test_cross_validated_foldse_sees_the_training_rows_of_the_fold_alone():
    dataset = noisy()
    train, test = np.arange(60), np.arange(60, 90)
    fold = Fold(0, 0, train, test)
    learned = run_fold(dataset, spec("foldse_cv", "learner.ratio=[0.5,1.0]"), fold)

    # Whatever the test rows hold, the program and the settings that were chosen are the same, ...
    X, y = dataset.X.copy(), dataset.y.copy()
    X.loc[test, "size"], y.loc[test] = 1000.0 - X.loc[test, "size"], "big"
    other = run_fold(replace(dataset, X=X, y=y), spec("foldse_cv", "learner.ratio=[0.5,1.0]"), fold)
    assert learned.status == other.status == "ok"
    assert other.rules == learned.rules
    assert other.metrics["accuracy"] != learned.metrics["accuracy"]

    # ... namely those that the library finds on the training rows.
    roles = {"numeric_features": dataset.numeric, "categorical_features": dataset.categorical}
    alone = FoldSECV(ratio=[0.5, 1.0], pos_label="big", **roles).fit(dataset.X[:60], dataset.y[:60])
    comment, program = learned.rules.split("\n", 1)
    assert program == str(alone.rules_)
    chosen = alone.best_params_
    assert comment == (
        f"% chosen of 40 settings: tail={chosen['tail']}, ratio={chosen['ratio']}, "
        f"heuristic={chosen['heuristic']}"
    )
    again = FoldSEClassifier(pos_label="big", **roles, **chosen).fit(dataset.X[:60], dataset.y[:60])
    assert str(again.rules_) == program
