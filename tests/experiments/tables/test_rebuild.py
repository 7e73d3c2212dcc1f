"""Where rebuilt tables go, and what of the files that are there they leave alone."""

import csv
import shutil

import pytest

from experiments.config import ROOT
from experiments.tables import rebuild as module
from experiments.tables.agreement import agreement, lost, read
from experiments.tables.experiment import Experiment, axes
from experiments.tables.rebuild import main, rebuild
from tests.experiments.tables.test_build import Filled, folds
from tests.experiments.test_command_line import Shell

pytestmark = pytest.mark.commands


@pytest.fixture
def filled(database):
    return Filled(database)


@pytest.fixture
def shipped(filled, monkeypatch):
    """The folder of results, as the one that is shipped, with a table of two data sets."""
    folder = filled.folder / "results"
    monkeypatch.setattr(module, "SHIPPED", folder.resolve())
    for dataset in ("small", "large"):
        filled.log(dataset, "foldse", folds(0.8, 0.8))
    filled.table()
    return folder


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_table_that_lacks_figures_of_the_shipped_one_goes_to_a_place_of_its_own(filled, shipped):
    before = files(shipped / "tables")
    for run in filled.store.read():
        filled.store.delete(run.run_id)
    filled.log("small", "foldse", folds(0.9, 0.9))
    (written,) = rebuild(filled.cfg, ["toy"])

    assert files(shipped / "tables") == before
    assert written.files[0] == shipped / "own" / "toy.csv"
    (remark,) = written.remarks
    usual = shipped / "tables" / "toy.csv"
    assert remark == f"{usual} is left as it is: it has figures that the runs lack (large foldse)"


def test_a_table_that_has_all_of_the_shipped_figures_and_more_takes_its_place(filled, shipped):
    filled.log("other", "foldse", folds(0.9, 0.9))
    filled.log("small", "foldse", folds(0.9, 0.9))
    (written,) = rebuild(filled.cfg, ["toy"])

    assert written.files[0].parent == shipped / "tables"
    assert {(r["dataset"], r["mean"]) for r in filled.csv()} >= {("small", "0.9"), ("other", "0.9")}


@pytest.mark.parametrize("changed", ["learner.tail", "protocol.folds", "dataset", "learner"])
def test_a_changed_experiment_never_takes_the_place_of_the_shipped_table(filled, shipped, changed):
    before = files(shipped / "tables")
    for dataset in ("small", "large"):
        filled.log(dataset, "foldse", folds(0.9, 0.9), table=f"toy/{changed}", settings={"tail": 0.1})
    (written,) = rebuild(filled.cfg, [f"toy/{changed}"])

    assert files(shipped / "tables") == before
    assert written.files[0] == shipped / "own" / f"toy-{changed}.csv"
    assert changed in written.remarks[0]


def test_a_run_without_figures_does_not_take_the_place_of_one_that_has_them(filled, shipped):
    for run in filled.store.read():
        if run.tags["dataset"] == "large":
            filled.store.delete(run.run_id)
    filled.log("large", "foldse", [], reason="cannot be run")
    (written,) = rebuild(filled.cfg, ["toy"])

    assert written.files[0].parent == shipped / "own"


@pytest.mark.usefixtures("shipped")
def test_another_folder_is_told_how_far_it_agrees_with_the_shipped_table(filled, tmp_path):
    for run in filled.store.read():
        filled.store.delete(run.run_id)
    filled.log("small", "foldse", folds(0.75, 0.85, fit_seconds=2.0))
    filled.cfg.paths.results = str(tmp_path / "anew")
    (written,) = rebuild(filled.cfg, ["toy"])

    assert written.files[0] == tmp_path / "anew" / "tables" / "toy.csv"
    assert written.remarks == [
        "1 of 1 figures equal the shipped ones exactly, times and memory aside; "
        "1 shipped figures have no counterpart."
    ]


def test_agreement_counts_equal_figures_and_names_the_largest_differences_first():
    name = ROOT / "results" / "tables" / "quickstart.csv"
    there = read(name)
    made = there.copy()
    wine = (made["dataset"] == "wine") & (made["learner"] == "foldse")
    made.loc[wine & (made["metric"] == "accuracy"), "mean"] += 0.01
    made.loc[wine & (made["metric"] == "rules"), "mean"] += 3
    made.loc[wine & (made["metric"] == "fit_seconds"), "mean"] += 3
    said = agreement(made, there)

    n = int(said[0].split(" of ")[1].split(" ")[0])
    assert said[0] == f"{n - 2} of {n} figures equal the shipped ones exactly, times and memory aside."
    assert n > 300
    assert [line.split(":")[0].strip() for line in said[1:]] == ["wine foldse rules", "wine foldse accuracy"]
    assert said[1].endswith(": 9.5, shipped 6.5")
    assert agreement(there, there) == [
        f"{n} of {n} figures equal the shipped ones exactly, times and memory aside."
    ]
    assert lost(made[~wine], there) == ["wine foldse"]
    assert lost(made, there) == []


def test_the_shipped_tables_are_what_the_shipped_runs_give(tmp_path, capsys):
    results = ROOT / "results"
    assert main(["--from", str(results / "runs.csv"), f"paths.results={tmp_path}"]) == 0

    assert files(tmp_path / "tables") == files(results / "tables")
    assert files(tmp_path / "figures") == files(results / "figures")
    assert "of 3" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--from"], "--from needs a file"),
        (["--from", "nowhere.csv"], "nowhere.csv cannot be read"),
        (["--from", "results/published/results.csv"], "lacks the column"),
    ],
)
def test_a_file_of_runs_that_cannot_be_read_is_one_line(arguments, message, capsys):
    assert main(arguments) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_help_says_where_tables_go(capsys):
    assert main(["--help"]) == 0
    assert "--from runs.csv" in capsys.readouterr().out


def test_the_values_of_a_sweep_are_spelt_as_jobs_spell_them():
    assert axes({"a": "0,0.5", "b": "true,false", "c": "x", "d": "range(2)", "e": "[1,2],[3]"}) == {
        "a": ["0", "0.5"], "b": ["true", "false"], "c": ["x"], "d": ["0", "1"], "e": ["[1,2]", "[3]"],
    }  # fmt: skip


def test_an_experiment_says_its_title_and_what_it_sweeps():
    tail = Experiment.read("ablation_tail/protocol.folds")

    assert tail.title == (
        "FOLD-SE: accuracy against size as the tail grows, with protocol.folds set on the command line"
    )
    assert len(tail.axes["dataset"]) == 26
    assert tail.axes["learner.prune_exceptions"] == ["true", "false"]
    assert Experiment.read("of/my.own").base == "of"


def test_a_part_of_an_ablation_leaves_the_shipped_table_as_it_is(database):
    shell = Shell(database)
    shutil.copytree(ROOT / "results" / "tables", shell.results / "tables")
    before = files(shell.results / "tables")

    done = shell.run("-m", "experiment=ablation_tail", "dataset=heart", "learner.tail=0,0.1")

    assert done.returncode == 0, done.stderr
    assert files(shell.results / "tables") == before
    assert "ablation_tail.csv is left as it is: it has figures that the runs lack" in done.stdout
    assert str(shell.results / "own" / "ablation_tail.csv") in done.stdout
    with (shell.results / "own" / "ablation_tail.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "rules"]
    assert [row["settings"] for row in rows] == [
        f"tail={tail}, prune_exceptions={value}" for tail in ("0", "0.1") for value in ("true", "false")
    ]
    text = (shell.results / "own" / "ablation_tail.md").read_text(encoding="utf-8")
    assert "Made by python -m experiments -m experiment=ablation_tail dataset=heart" in text


def test_another_setting_of_a_named_experiment_is_in_no_table_of_it_unmarked(database):
    shell = Shell(database)
    for tail in ([], ["learner.tail=0.1"]):
        done = shell.run("-m", "experiment=quickstart", "dataset=wine", "learner=foldse", *tail)
        assert done.returncode == 0, done.stderr

    (rules,) = [row for row in shell.table("quickstart") if row["metric"] == "rules"]
    assert (rules["settings"], rules["mean"]) == ("", "6.5")
    with (shell.results / "own" / "quickstart-learner.tail.csv").open(encoding="utf-8") as file:
        (rules,) = [row for row in csv.DictReader(file) if row["metric"] == "rules"]
    assert (rules["table"], rules["settings"]) == ("quickstart", "tail=0.1")
    assert float(rules["mean"]) < 6.5
