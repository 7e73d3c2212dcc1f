"""JRip on the real Weka, in a worker process as in a sweep: the process of the tests never starts Java."""

import math
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from experiments.config import compose
from experiments.learners import LearnerError, LearnerSpec
from experiments.learners.jrip import JRip
from experiments.records import Fold
from experiments.running.folds import run_fold, run_limited
from experiments.running.worker import Limits, Worker
from tests.experiments.stand_ins import make_dataset, two_classes

jpype = pytest.importorskip("jpype", reason="needs the extra weka")
pytest.importorskip("weka", reason="needs the extra weka")
try:
    jpype.getDefaultJVMPath()
except jpype.JVMNotFoundException:
    pytest.skip("needs Java", allow_module_level=True)

RNG = np.random.default_rng(5)
ROWS = 400
# Weka draws its random numbers from the text of a row, too: the file has the adapter's names, given out here.
NAMES = {"u": "v0", "v": "v1", "w": "v2", "one": "c0", "three": "c1", "two": "c2"}
ARFF = """\
@relation plain
@attribute a0 numeric
@attribute a1 {v0,v1,v2}
@attribute a2 numeric
@attribute class {c0,c1,c2}
@data
"""


def in_worker():
    """Return what the worker process does: fit on a data set, predict frames."""

    def work(task):
        kind, *arguments = task
        return {"fit": fit, "reference": reference}[kind](*arguments)

    return work


def fit(dataset, rows, frames, settings):
    learner = JRip(dataset, **settings)
    learner.fit(dataset.X.iloc[rows], dataset.y.iloc[rows])
    predicted = [list(learner.predict(frame)) for frame in frames]
    shares = learner.predict_proba(dataset.X)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    assert tuple(learner.classes) == tuple(sorted(set(dataset.y.iloc[rows])))
    own = str(learner.model.toString())
    return predicted, learner.measure(), learner.rules().splitlines(), own


def reference(arff, options):
    """Weka by itself, on a file of its own format: the text of its model, its count of rules, its answers."""
    with Path(arff).open() as file:
        data = jpype.JClass("weka.core.Instances")(jpype.JClass("java.io.StringReader")(file.read()))
    data.setClassIndex(data.numAttributes() - 1)
    model = jpype.JClass("weka.classifiers.rules.JRip")()
    model.setOptions(options)
    model.buildClassifier(data)
    answers = [str(data.classAttribute().value(int(model.classifyInstance(row)))) for row in data]
    return str(model.toString()), float(model.getMeasure("measureNumRules")), answers


@pytest.fixture(scope="module")
def worker():
    with Worker(in_worker, (), Limits(seconds=120)) as made:
        yield made


@pytest.fixture
def learn(worker):
    def learn(dataset, *frames, rows=None, **settings):
        rows = np.arange(len(dataset.y)) if rows is None else rows
        return worker.call(("fit", dataset, rows, list(frames) or [dataset.X], settings))

    return learn


def three_classes():
    """Two numbers and a text, with missing cells and noise, that tell three classes apart by and by."""
    x, z = RNG.normal(size=ROWS).round(3), RNG.normal(size=ROWS).round(3)
    t = RNG.choice(["u", "v", "w"], ROWS).astype(object)
    labels = np.where((x > 0.4) & (t != "u"), "one", np.where(z < -0.7, "two", "three")).astype(object)
    noisy = RNG.random(ROWS) < 0.08
    labels[noisy] = RNG.choice(["one", "two", "three"], noisy.sum())
    x[RNG.random(ROWS) < 0.1] = np.nan
    t[RNG.random(ROWS) < 0.1] = None
    return {"x": [float(v) for v in x], "t": list(t), "z": [float(v) for v in z]}, list(labels)


COLUMNS, LABELS = three_classes()


def test_two_rules_and_a_default_worked_out_by_hand(learn):
    # The rarest class first, the most frequent is the default and no rule.
    colours = ["red"] * 10 + ["blue"] * 20 + ["green"] * 40
    dataset = make_dataset({"colour": colours}, ["a"] * 10 + ["b"] * 20 + ["c"] * 40)

    predicted, measured, lines, _ = learn(dataset)

    assert lines == [
        "label = 'a' if colour = 'red'",
        "label = 'b' if colour = 'blue'",
        "label = 'c' otherwise",
    ]
    assert measured == {"rules": 2.0, "predicates": 2.0}
    assert predicted[0] == list(dataset.y)


def test_conditions_are_counted_one_by_one(learn):
    size = [float(i) for i in range(60)] * 2
    colour = ["red"] * 60 + ["blue"] * 60
    labels = ["yes" if c == "red" and s >= 40 else "no" for s, c in zip(size, colour, strict=True)]

    _, measured, lines, _ = learn(make_dataset({"size": size, "colour": colour}, labels, "yes"))

    assert len(lines) == 2
    assert set(re.split(r" if | and ", lines[0])) == {"label = 'yes'", "size >= 40.0", "colour = 'red'"}
    assert measured == {"rules": 1.0, "predicates": 2.0}


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        ({}, ["-S", "1"]),
        (
            {"seed": 7, "folds": 5, "optimizations": 1, "min_weight": 5},
            ["-S", "7", "-F", "5", "-O", "1", "-N", "5"],
        ),
        ({"prune": False}, ["-P"]),
    ],
)
def test_model_and_answers_are_those_of_weka_on_its_own_file(learn, worker, tmp_path, settings, options):
    dataset = make_dataset(COLUMNS, LABELS)
    rows = zip(*COLUMNS.values(), LABELS, strict=True)
    cells = [["?" if v is None or v != v else NAMES.get(v, str(v)) for v in row] for row in rows]
    (tmp_path / "plain.arff").write_text(ARFF + "\n".join(map(",".join, cells)) + "\n")

    predicted, measured, lines, own = learn(dataset, **settings)
    text, n_rules, answers = worker.call(("reference", str(tmp_path / "plain.arff"), options))

    assert own == text
    assert [NAMES[label] for label in predicted[0]] == answers
    assert measured == {"rules": n_rules - 1, "predicates": len(re.findall(r"[<>]?= [\w.-]+\)", text))}
    assert len(lines) == n_rules
    assert n_rules >= 3


def test_a_category_that_training_did_not_have_and_a_missing_one_fulfil_no_condition(learn):
    colours = ["red"] * 10 + ["blue"] * 20 + ["green"] * 40
    dataset = make_dataset({"colour": colours}, ["a"] * 10 + ["b"] * 20 + ["c"] * 40)
    frame = pd.DataFrame({"colour": pd.Series(["violet", "blue", None, "", "red"], dtype=object)})

    predicted, _, _, _ = learn(dataset, frame)

    assert predicted[0] == ["c", "b", "c", "c", "a"]


@pytest.mark.parametrize("cell", [None, math.nan, math.inf, -math.inf, "low"])
def test_a_number_that_is_none_gets_the_default(learn, cell):
    dataset = two_classes()
    frame = pd.DataFrame({"size": pd.Series([0.0, 39.0, cell], dtype=object), "colour": ["red"] * 3})

    predicted, _, lines, _ = learn(dataset, frame)

    default = re.fullmatch(r"label = '(\w+)' otherwise", lines[-1])[1]
    assert predicted[0] == ["small", "big", default]


def test_a_class_that_a_fold_lacks_is_not_predicted(learn):
    dataset = make_dataset(COLUMNS, LABELS)
    rows = np.flatnonzero(dataset.y != "two")

    predicted, _, lines, _ = learn(dataset, rows=rows)

    assert set(predicted[0]) == {"one", "three"}
    assert not any("'two'" in line for line in lines)


def test_a_fold_of_one_class_predicts_it_and_has_no_rules():
    dataset = make_dataset(COLUMNS, LABELS)
    rows = np.arange(len(dataset.y))

    result = run_fold(dataset, spec(), Fold(0, 0, np.flatnonzero(dataset.y == "two"), rows))

    assert result.metrics["accuracy"] == (dataset.y == "two").mean()
    assert (result.metrics["rules"], result.metrics["predicates"]) == (0.0, 0.0)


def test_names_and_values_of_any_characters_change_nothing(learn):
    plain = make_dataset(COLUMNS, LABELS)
    values = {"u": "it's {,} %", "v": "\n\t?", "w": ""}
    labels = {"one": "@data", "two": "a, 'b'", "three": "=> class=c0 (1/2)"}
    odd = make_dataset(
        {
            "petal [cm] <=": COLUMNS["x"],
            '"class"\n': [values.get(value) for value in COLUMNS["t"]],
            "a0": COLUMNS["z"],
        },
        [labels[label] for label in LABELS],
    )
    # Weka's ties fall by the order of values and classes: theirs is the same in both.
    assert sorted(values.values()) == [values[k] for k in "wvu"]
    assert sorted(labels, key=labels.get) == ["three", "one", "two"]
    reordered = make_dataset(
        {
            "x": COLUMNS["x"],
            "t": [{"u": "2", "v": "1", "w": "0"}.get(v) for v in COLUMNS["t"]],
            "z": COLUMNS["z"],
        },
        [{"three": "0", "one": "1", "two": "2"}[label] for label in LABELS],
    )

    predicted, measured, lines, _ = learn(odd)
    expected, of_plain, _, _ = learn(reordered)

    back = {"0": labels["three"], "1": labels["one"], "2": labels["two"]}
    assert predicted[0] == [back[label] for label in expected[0]]
    assert measured == of_plain
    assert any("petal [cm] <=" in line for line in lines)
    assert learn(plain)[1]["rules"] >= 2


def test_a_column_without_a_value_and_one_with_a_single_value_do_no_harm(learn):
    size = [float(i) for i in range(60)]
    labels = ["big" if value >= 40 else "small" for value in size]
    columns = {"none": [None] * 60, "size": size, "same": ["k"] * 60, "nan": [math.nan] * 60}

    predicted, measured, lines, _ = learn(make_dataset(columns, labels, "big"))

    assert predicted[0] == labels
    assert lines[0] == "label = 'big' if size >= 40.0"
    assert measured == {"rules": 1.0, "predicates": 1.0}


def test_the_same_rows_twice_give_the_same_model(learn):
    dataset = make_dataset(COLUMNS, LABELS)

    assert learn(dataset) == learn(dataset)


def test_nothing_is_left_in_the_home_folder(learn):
    before = (Path.home() / "wekafiles").exists()
    learn(make_dataset(COLUMNS, LABELS))

    assert (Path.home() / "wekafiles").exists() == before


def folds_of(dataset, n=3):
    rows = np.arange(len(dataset.y))
    return [Fold(i, 0, rows[rows % n != i], rows[rows % n == i]) for i in range(n)]


def spec(**settings):
    return LearnerSpec("jrip", "experiments.learners.jrip.JRip", settings)


def test_it_runs_within_the_memory_that_its_config_names():
    config = (Path(__file__).parents[3] / "conf" / "learner" / "jrip.yaml").read_text()
    least = int(re.search(r"limits.memory_mb of at least (\d+)", config)[1])
    dataset = make_dataset(COLUMNS, LABELS)

    results, _ = run_limited(dataset, spec(), folds_of(dataset), Limits(seconds=120, memory_mb=least))

    assert [(result.status, result.error) for result in results] == [("ok", "")] * 3
    assert min(result.metrics["accuracy"] for result in results) > 0.7


def test_below_that_memory_a_fold_says_what_it_needs():
    dataset = make_dataset(COLUMNS, LABELS)

    results, _ = run_limited(dataset, spec(), folds_of(dataset), Limits(seconds=120, memory_mb=500))

    assert {result.status for result in results} == {"out of memory"}
    assert re.fullmatch(
        r"MemoryError: Java needs 700 MB of address space, \d+ are left: raise limits.memory_mb",
        results[0].error,
    )


def test_rows_that_the_heap_cannot_hold_are_out_of_memory_and_the_next_data_set_is_not():
    columns = {f"c{i}": [float(i)] * 40_000 for i in range(400)}  # 128 MB of numbers
    large = make_dataset(columns, ["a", "b"] * 20_000, "a")
    small = two_classes()

    results, _ = run_limited(large, spec(heap_mb=100), folds_of(large, 6)[:1], Limits(seconds=120))
    others, _ = run_limited(small, spec(heap_mb=100), folds_of(small), Limits(seconds=120))

    assert [result.status for result in results] == ["out of memory"]
    assert "raise learner.heap_mb" in results[0].error
    assert [result.status for result in others] == ["ok"] * 3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"folds": 1}, "learner.folds=1 is out of range"),
        ({"optimizations": -1}, "learner.optimizations=-1 is out of range"),
        ({"min_weight": "two"}, "learner.min_weight=two is out of range"),
        ({"prune": 1}, "learner.prune=1 must be true or false"),
        ({"heap_mb": 10}, "learner.heap_mb=10 is out of range"),
        ({"seed": 2**31}, "learner.seed=2147483648 is out of range"),
    ],
)
def test_settings_out_of_range_are_named(settings, message):
    with pytest.raises(LearnerError, match=re.escape(message)):
        JRip(two_classes(), **settings)


def test_without_java_the_message_says_what_to_install(monkeypatch):
    def none():
        raise jpype.JVMNotFoundException("no library")

    monkeypatch.setattr(jpype, "getDefaultJVMPath", none)

    with pytest.raises(LearnerError, match=r"Java 11 or later is needed: install it"):
        JRip(two_classes())


def test_the_baselines_have_it_with_the_seed_of_the_protocol():
    swept = (Path(__file__).parents[3] / "conf" / "experiment" / "baselines.yaml").read_text()
    assert re.search(r"learner: .*\bjrip\b", swept)

    made = LearnerSpec.from_config(compose(["experiment=baselines", "learner=jrip"]).learner)

    assert made.build(two_classes(), seed=42).options == ["-F", 3, "-N", 2.0, "-O", 2, "-S", 42]


def test_a_run_of_the_command_has_counts_of_its_rules(database, tmp_path):
    overrides = [f"tracking.uri=sqlite:///{database}", f"paths.outputs={tmp_path}", "protocol.folds=3"]
    done = subprocess.run(
        [sys.executable, "-m", "experiments", "dataset=wine", "learner=jrip", *overrides],
        capture_output=True,
        text=True,
        check=True,
    )

    assert re.search(r"rules +\d", done.stdout)
    assert re.search(r"= '[^']+' otherwise", done.stdout)
    assert done.stderr == ""  # nothing that Java or Weka would have to say
