"""How alike the programs of splits are, worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from experiments.comparison.stability import stability
from experiments.records import FoldResult
from experiments.stability import main
from experiments.store.tracking import Store
from tests.experiments.stand_ins import make_dataset

RED = "label(X,'yes') :- colour(X,'red')."
SMALL = "label(X,'yes') :- size(X,N1), N1=<{}."


def results(*programs, repeat=0):
    return [
        FoldResult(i, "ok", {"rules": 1.0, "predicates": float(i)}, text, repeat=repeat)
        for i, text in enumerate(programs)
    ]


@pytest.fixture
def dataset():
    """Return twenty rows with sizes 0 to 19; half of them are red."""
    sizes = [float(size) for size in range(20)]
    return make_dataset({"size": sizes, "colour": ["red", "blue"] * 10}, ["yes", "no"] * 10, "yes")


def test_programs_are_counted_and_compared_in_pairs():
    found = stability(results(RED, RED, SMALL.format("5.0")))
    assert (found.programs, found.distinct) == (3, 2)
    # Of three pairs one is the same, two share nothing.
    assert (found.columns, found.literals) == pytest.approx((1 / 3, 1 / 3))
    assert np.isnan(found.agreement)
    assert found.sizes["predicates"] == (1.0, 1.0, 0.0, 2.0)


def test_thresholds_are_compared_by_ranks(dataset):
    # Between 5 and 6 lies one of twenty values, 0.05; between 5 and 7 two.
    programs = results(SMALL.format("5.0"), SMALL.format("6.0"), SMALL.format("7.0"))
    found = stability(programs, dataset, tolerance=0.05)
    assert found.distinct == 3
    assert found.columns == 1
    assert found.literals == pytest.approx((1 + 1 + 0) / 3)
    # The programs differ in row 6, in row 7, and in both: of twenty rows.
    assert found.agreement == pytest.approx((0.95 + 0.95 + 0.9) / 3)
    assert stability(programs, dataset, tolerance=0.1).literals == 1
    assert stability(programs).literals == 0


def test_only_programs_of_one_repetition_are_paired():
    found = stability([*results(RED, RED), *results(SMALL.format("5.0"), repeat=1)])
    assert (found.distinct, found.columns) == (2, 1.0)


def test_other_notations_are_counted_only():
    found = stability(results("if size <= 5 then yes", "if size <= 6 then yes"))
    assert (found.programs, found.distinct) == (2, 2)
    assert np.isnan(found.columns)
    assert stability([FoldResult(0, "timeout")]).programs == 0


def test_the_command_reads_the_store(database, tmp_path, capsys):
    store = Store(f"sqlite:///{database}", "foldse")
    tags = {"dataset": "toy", "learner": "foldse", "protocol": "folds=2 repeats=1 seed=42", "rows": "20"}
    with store.run("toy", tags, {"learner.id": "foldse"}) as run:
        run.log("", results(RED, SMALL.format("5.0")))
    arguments = [f"tracking.uri=sqlite:///{database}", f"paths.results={tmp_path}"]
    assert main(arguments) == 0
    assert "| toy      |  foldse |        2 |        2 |    0.00 |     0.00 |" in capsys.readouterr().out
    assert "toy,foldse,2,2,0,0," in Path(tmp_path, "comparisons", "all_runs_stability.csv").read_text()
    assert json.loads(store.text(run.id, "folds.json"))[0]["rules"] == RED
    assert main([*arguments, "datasets=heart"]) == 1
    assert "datasets: there is no run of heart; there are toy" in capsys.readouterr().err
    assert main([*arguments, "tolerance=2"]) == 1
    assert "tolerance=2 must be a share" in capsys.readouterr().err
