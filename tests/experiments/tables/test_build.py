import csv
import re
import shutil
import subprocess

import pytest
from rich.console import Console

from experiments.config import compose
from experiments.records import FoldResult
from experiments.store.tracking import Store
from experiments.tables.build import COLUMNS, build
from experiments.tables.rebuild import main, rebuild, write
from experiments.tables.render import (
    html,
    latex,
    lines,
    markdown,
    terminal,
)
from experiments.tables.runs import from_store

PUBLISHED = """\
table,dataset,rows,cols,learner,metric,mean,std
rule_learners,small,9,3,foldse,accuracy,0.8,
rule_learners,small,9,3,foldse,rules,4.0,0.5
rule_learners,small,9,3,foldse,train_ms,20,
rule_learners,small,9,3,foldrm,accuracy,0.7,
rule_learners,small,9,3,xgboost,accuracy,0.6,
rule_learners,large,99,3,foldrpp_ig,rules,7.0,
"""


def folds(*accuracies, **others):
    return [
        FoldResult(i, "ok", {"accuracy": accuracy, **others}, f"rule {i}")
        for i, accuracy in enumerate(accuracies)
    ]


FAILED = [FoldResult(0, "failed", error="ValueError: no", traceback="Traceback")]


class Filled:
    """A real store in a folder, with the config that leads to it."""

    def __init__(self, database):
        folder = database.parent
        (folder / "published.csv").write_text(PUBLISHED, encoding="utf-8")
        self.overrides = [
            f"tracking.uri=sqlite:///{database}",
            f"paths.results={folder / 'results'}",
            f"paths.published={folder / 'published.csv'}",
        ]
        self.cfg = compose(self.overrides)
        self.store = Store.from_config(self.cfg.tracking)
        self.folder = folder

    def log(
        self,
        dataset,
        learner,
        results,
        table="toy",
        protocol="folds=2",
        rows=9,
        reason=None,
        settings=None,
        **more,
    ):
        """Log a run; `settings` are the learner's parameters, `more` are tags."""
        tags = {
            "dataset": dataset, "learner": learner, "protocol": protocol, "rows": str(rows), "cols": "3",
            "source": "bundled" if dataset == "small" else "large.csv", **more,
        }  # fmt: skip
        params = {f"learner.{name}": value for name, value in (settings or {}).items()}
        with self.store.run(f"{dataset} · {learner}", tags, params, table) as run:
            if reason:
                run.not_applicable(reason)
            else:
                run.log("", results)

    def table(self, name="toy"):
        (written,) = rebuild(self.cfg, [name])
        return written.table

    def csv(self, name="toy"):
        with (self.folder / "results" / "tables" / f"{name}.csv").open(encoding="utf-8") as file:
            return list(csv.DictReader(file))


@pytest.fixture
def filled(database):
    return Filled(database)


def row(rows, dataset, learner, metric):
    (found,) = [r for r in rows if (r["dataset"], r["learner"], r["metric"]) == (dataset, learner, metric)]
    return found


def test_what_was_logged_comes_back_beside_what_was_published(filled):
    filled.log("small", "foldse", folds(0.5, 1.0, rules=3.0, fit_seconds=0.001))
    filled.table()

    rows = filled.csv()
    assert tuple(rows[0]) == COLUMNS
    assert row(rows, "small", "foldse", "accuracy") == {
        "table": "toy", "dataset": "small", "rows": "9", "cols": "3", "learner": "foldse",
        "metric": "accuracy", "mean": "0.75", "std": "0.25", "folds": "2", "status": "ok",
        "published_mean": "0.8", "published_std": "", "difference": "-0.05",
        "settings": "", "protocol": "folds=2", "repeats": "1", "spread": "", "percentile": "", "agrees": "",
    }  # fmt: skip
    rules = row(rows, "small", "foldse", "rules")
    assert (rules["mean"], rules["std"]) == ("3.0", "0.0")
    assert (rules["published_mean"], rules["published_std"], rules["difference"]) == ("4.0", "0.5", "-1.0")


def test_times_stand_side_by_side_in_seconds_without_a_difference(filled):
    filled.log("small", "foldse", folds(0.5, 1.0, fit_seconds=0.001))
    filled.table()

    time = row(filled.csv(), "small", "foldse", "fit_seconds")
    assert (time["mean"], time["published_mean"], time["difference"]) == ("0.001", "0.02", "")


def test_times_of_jobs_that_ran_at_once_are_left_out_and_said(filled):
    filled.log("small", "foldse", folds(0.5, 1.0, fit_seconds=0.001), hardware='{"jobs_at_once": 2}')
    filled.log("large", "foldse", folds(0.5, 1.0, fit_seconds=0.002), hardware='{"cores": 2}')
    made = filled.table()

    there = [(r["dataset"], r["mean"]) for r in filled.csv() if r["metric"] == "fit_seconds"]
    assert there == [("large", "0.002")]
    assert "Without times, since other jobs ran beside: FOLD-SE on small." in made.notes


def test_xgboost_used_well_has_no_published_counterpart(filled):
    filled.log("small", "xgboost", folds(0.9, 0.9))
    filled.table()

    assert row(filled.csv(), "small", "xgboost", "accuracy")["published_mean"] == ""


def test_the_latest_run_that_is_ok_counts(filled):
    filled.log("small", "foldse", folds(0.1, 0.1))
    filled.log("small", "foldse", folds(0.6, 0.6))
    filled.log("small", "foldse", FAILED)
    filled.table()

    rows = filled.csv()
    assert row(rows, "small", "foldse", "accuracy")["mean"] == "0.6"
    assert {r["status"] for r in rows} == {"ok"}


def test_failed_and_not_applicable_are_rows_that_say_so_and_have_no_figures(filled):
    filled.log("small", "foldse", FAILED)
    filled.log("small", "foldrm", [], reason="two classes")
    filled.table()

    rows = filled.csv()
    # One for each published figure, so that each has a reason.
    assert {(r["learner"], r["metric"], r["status"]) for r in rows} == {
        ("foldse", "accuracy", "failed"),
        ("foldse", "rules", "failed"),
        ("foldse", "fit_seconds", "failed"),
        ("foldrm", "accuracy", "not applicable"),
    }
    assert {(r["mean"], r["std"], r["difference"], r["folds"]) for r in rows} == {("", "", "", "0")}
    assert row(rows, "small", "foldrm", "accuracy")["published_mean"] == "0.7"


def test_a_table_has_the_runs_of_its_experiment(filled):
    filled.log("small", "foldrpp_ig", folds(0.3, 0.3), table="another")
    filled.log("small", "tree_ig", folds(0.4, 0.4))
    filled.table()

    assert {r["learner"] for r in filled.csv()} == {"tree_ig"}


def test_runs_of_several_protocols_are_rows_of_their_own_that_say_so(filled):
    filled.log("small", "foldse", folds(0.2, 0.2), protocol="folds=2 seed=1")
    filled.log("small", "foldse", folds(0.4, 0.4), protocol="folds=2 seed=2")
    text = markdown(filled.table())

    rows = {r["protocol"]: r["mean"] for r in filled.csv()}
    assert rows == {"folds=2 seed=1": "0.2", "folds=2 seed=2": "0.4"}
    assert "| FOLD-SE, seed=1 | 0.200" in text
    assert "| FOLD-SE, seed=2 | **0.400" in text


def test_runs_that_differ_in_a_setting_are_rows_of_their_own_that_say_so(filled):
    for tail in (0.1, 0, 0.05):
        settings = {"tail": tail, "ratio": 0.5, "title": "Ours"}
        filled.log("small", "mine", folds(tail, tail), settings=settings)
    filled.log("small", "other", folds(0.5, 0.5), settings={"tail": 0.2})
    text = markdown(filled.table())

    rows = [(r["learner"], r["settings"], r["mean"]) for r in filled.csv()]
    assert rows == [
        ("mine", "tail=0", "0.0"), ("mine", "tail=0.05", "0.05"), ("mine", "tail=0.1", "0.1"),
        ("other", "", "0.5"),
    ]  # fmt: skip
    assert "| Ours, tail=0.05 | 0.050" in text
    assert "| other | **0.500" in text


def test_a_setting_that_some_runs_lack_is_said(filled):
    filled.log("small", "mine", folds(0.2, 0.2), settings={"tail": 0.1})
    filled.log("small", "mine", folds(0.4, 0.4), settings={})
    filled.table()

    assert {r["settings"] for r in filled.csv()} == {"tail=0.1", "tail=unset"}


def test_a_copied_learner_of_the_same_id_is_told_apart_by_its_class(filled):
    filled.log("small", "mine", folds(0.2, 0.2), settings={"_target_": "a.B"})
    filled.log("small", "mine", folds(0.4, 0.4), settings={"_target_": "a.C"})
    filled.table()

    assert {r["settings"] for r in filled.csv()} == {"_target_=a.B", "_target_=a.C"}


def test_a_setting_that_the_command_line_changed_is_named_and_has_a_table_of_its_own(filled):
    filled.log("small", "foldse", folds(0.8, 0.8), table="quickstart", settings={"tail": 0.005})
    filled.log("small", "foldse", folds(0.5, 0.5), table="quickstart/learner.tail", settings={"tail": 0.1})
    table = filled.table("quickstart")
    changed = filled.table("quickstart/learner.tail")

    assert [r["settings"] for r in filled.csv("quickstart")] == [""]
    assert table.rows["mean"].tolist() == [0.8]
    assert changed.rows[["table", "learner", "settings", "mean"]].values.tolist() == [
        ["quickstart", "foldse", "tail=0.1", 0.5]
    ]
    assert "| FOLD-SE, tail=0.1 |" in markdown(changed)
    assert "-m experiment=quickstart dataset=small learner.tail=0.1." in markdown(changed)


def test_the_latest_run_is_that_of_the_later_sweep_though_the_clock_went_back(filled, monkeypatch):
    from experiments.store import tracking

    filled.log("small", "foldse", folds(0.1, 0.1))
    monkeypatch.setattr(tracking, "now", lambda: "1000")
    filled.log("small", "foldse", folds(0.6, 0.6))
    filled.log("large", "foldse", folds(0.6, 0.6))
    filled.table()

    assert row(filled.csv(), "small", "foldse", "accuracy")["mean"] == "0.6"


def test_runs_of_different_data_under_one_name_are_said(filled):
    filled.log("small", "foldse", folds(0.8, 0.8), digest="aaaaaaaabb")
    filled.log("small", "ebm", folds(0.8, 0.8), digest="ccccccccdd")
    filled.log("small", "ebm", folds(0.9, 0.9), digest="eeeeeeeeff")
    text = markdown(filled.table())

    assert (
        "small differs between the runs, whose figures do not compare (digests, EBM: eeeeeeee; "
        "FOLD-SE: aaaaaaaa)." in text
    ) or "(digests, FOLD-SE: aaaaaaaa; EBM: eeeeeeee)." in text
    assert "Replaced by runs of another version of the code or data, see runs.csv: EBM 1." in text


def test_an_open_run_is_in_no_table(filled):
    filled.log("small", "foldse", folds(0.2, 0.2))
    tags = {"dataset": "small", "learner": "mlp", "protocol": "folds=2", "table.toy": "true"}
    with filled.store.run("open", tags, {}) as run:
        filled.table()
        run.not_applicable("enough seen")

    assert {r["learner"] for r in filled.csv()} == {"foldse"}


def test_small_data_sets_come_first_and_learners_as_they_were_swept(filled):
    for dataset, rows in (("large", 99), ("small", 9)):
        for learner in ("xgboost", "foldse", "mlp"):
            filled.log(dataset, learner, folds(0.5, 0.5), rows=rows)
    filled.log("small", "xgboost", folds(0.5, 0.5))
    filled.table()

    order = [(r["dataset"], r["learner"]) for r in filled.csv() if r["metric"] == "accuracy"]
    names = ("small", "large", "average")
    assert order == [(d, learner) for d in names for learner in ("xgboost", "foldse", "mlp")]


def test_the_command_rebuilds_every_table_of_the_store(filled, capsys):
    filled.log("small", "foldse", folds(0.5, 1.0))
    filled.log("large", "foldse", folds(0.5, 1.0), table="another", rows=99)

    assert main(filled.overrides) == 0

    made = sorted(path.name for path in (filled.folder / "results" / "tables").iterdir())
    assert made == [
        f"{name}.{suffix}" for name in ("another", "toy") for suffix in ("csv", "html", "md", "tex")
    ]
    assert "toy" in capsys.readouterr().out


def test_the_command_says_in_one_line_that_there_is_no_store(tmp_path, capsys):
    assert main([f"tracking.uri=sqlite:///{tmp_path / 'none.db'}"]) == 1

    assert re.fullmatch(
        r"error: tracking.uri=.*none.db: no such file; fill it with .*\n", capsys.readouterr().err
    )
    assert not (tmp_path / "none.db").exists()


@pytest.fixture
def shown(filled):
    filled.log("small", "foldse", folds(0.5, 1.0, f1=0.5, rules=3.0, predicates=5.0, fit_seconds=0.0012))
    filled.log("small", "foldrm", [], reason="two classes")
    filled.log("large", "tree_ig", folds(0.9, 0.9, nodes=7.0, depth=3.5), rows=12345)
    filled.log("large", "foldrpp_ig", folds(0.8, 0.8, rules=9.0, predicates=9.0), rows=12345)
    return filled.table()


def test_markdown_has_a_table_a_data_set_with_published_figures_in_brackets(shown):
    text = markdown(shown)

    assert "## small (9 × 3)" in text
    assert "## large (12,345 × 3)" in text
    assert "| learner | accuracy | F1 | rules | predicates | fit, ms |" in text
    assert "| learner | accuracy | rules | predicates | nodes (leaves; the paper's term) |" in text
    assert (
        "| FOLD-SE | **0.750 ± 0.250** (0.80) | 0.500 ± 0.000 | 3.0 ± 0.0 (4.0) | 5.0 ± 0.0 | 1 (20) |"
        in text
    )
    assert "| FOLD-RM | not applicable (0.70) |" in text
    assert "| FOLD-R++ (information gain) | 0.800 ± 0.000 | 9.0 ± 0.0* (7.0) |" in text
    assert "large from large.csv" in text


def test_latex_has_as_many_cells_in_every_row_as_columns(shown):
    text = latex(shown)

    columns = len(re.search(r"\\begin\{longtable\}\{(\w+)\}", text)[1])
    body = text.split("\\endlastfoot\n")[1].split("\\end{longtable}")[0]
    rows = [line for line in body.splitlines() if "&" in line]
    assert len(rows) == 4
    assert {row.count("&") + 1 for row in rows} == {columns}
    assert r"FOLD-SE & \bfseries 0.750 $\pm$ 0.250 & 0.80 &" in text
    assert r"large (12,345 $\times$ 3)" in text


NASTY = "a_b %& # $x$ {y} ~ ^2 \\end{longtable} <b>|"


def test_signs_that_latex_html_and_markdown_read_are_escaped(filled):
    filled.log("small", "mine", folds(0.5, 0.5), settings={"title": NASTY})
    table = filled.table()

    escaped = (
        r"a\_b \%\& \# \$x\$ \{y\} \textasciitilde \space \textasciicircum 2 "
        r"\textbackslash end\{longtable\} <b>|"
    )
    assert escaped in latex(table)
    assert latex(table).count("\\end{longtable}") == 1
    assert "<b>" not in html(table)
    assert "&lt;b&gt;" in html(table)
    assert "<b>\\| |" in markdown(table)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex")
def test_pdflatex_takes_the_table(filled, tmp_path):
    filled.log("small", "foldse", folds(0.5, 1.0, f1=0.5, rules=3.0, nodes=7.0))
    filled.log("small", "mine", folds(0.5, 0.5), settings={"title": NASTY})
    filled.log("large", "foldrm", [], reason="two classes")
    text = (
        "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs,longtable}\\begin{document}\n"
        f"{latex(filled.table())}\\end{{document}}\n"
    )
    (tmp_path / "table.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-1500:]
    assert (tmp_path / "table.pdf").stat().st_size > 1000


def test_html_nests_measured_and_paper_under_metrics_under_families(shown):
    text = html(shown)

    heads = re.findall(r'<th [^>]*colspan="(\d+)">([^<]*)<', text)
    assert ("4", "Prediction") in heads
    assert ("8", "Model size") in heads
    assert ("2", "accuracy") in heads
    (cell,) = re.findall(r'id="(\w+)" class="[^"]*" >0\.750 ± 0\.250<', text)
    rules = re.findall(r"[^{}]*\{[^}]*\}", text)
    assert any(f"#{cell}" in rule and "font-weight: bold" in rule for rule in rules)
    assert "small (9 × 3)" in text
    assert html(shown) == text


def test_the_terminal_shows_every_learner_whatever_its_width(shown):
    for width in (30, 200):
        console = Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
        console.print(terminal(shown, width))
        text = console.export_text()
        assert "0.750" in text
        assert "(0.80)" in text
        assert "3.0 / 5.0" in text
        assert "7.0 / 3.5" in text
        assert "…" not in text


def test_equal_figures_are_equally_bold(filled):
    filled.log("small", "a", folds(0.99996, 0.99996))
    filled.log("small", "b", folds(1.0, 1.0))
    filled.log("small", "c", folds(0.99, 0.99))

    assert [line.best for line in lines(filled.table())] == [True, True, False]


def test_a_table_without_runs_is_none(filled):
    assert build("nix", from_store(filled.store.read()), None) is None


def test_writing_makes_the_folder(shown, tmp_path):
    paths = write(shown, tmp_path / "new" / "folder")

    assert all(path.is_file() for path in paths)


def test_averages_are_over_the_data_sets_that_every_line_has(filled):
    (filled.folder / "published.csv").write_text(
        PUBLISHED + "rule_learners,large,99,3,foldse,accuracy,0.6,\n", encoding="utf-8"
    )
    for dataset, accuracy in (("small", 0.9), ("large", 0.7), ("other", 0.1)):
        filled.log(dataset, "foldse", folds(accuracy, accuracy))
    for dataset, accuracy in (("small", 0.6), ("large", 0.8)):
        filled.log(dataset, "ebm", folds(accuracy, accuracy))
    filled.log("small", "figs", folds(1.0, 1.0))
    text = markdown(filled.table())

    average = row(filled.csv(), "average", "foldse", "accuracy")
    assert (average["mean"], average["published_mean"], average["difference"]) == ("0.8", "0.7", "0.1")
    assert (average["folds"], average["status"]) == ("2", "2 of 3 data sets")
    assert row(filled.csv(), "average", "ebm", "accuracy")["mean"] == "0.7"
    assert not [r for r in filled.csv() if (r["dataset"], r["learner"]) == ("average", "figs")]
    assert "the same 2 data sets for every learner, published ones recomputed; left out: other." in text
    assert "No average: FIGS (1 of 3 data sets)." in text


def test_a_published_average_is_over_the_same_data_sets_or_left_out(filled):
    for dataset in ("small", "large"):  # large has no published accuracy
        filled.log(dataset, "foldse", folds(0.9, 0.9))
    filled.table()

    average = row(filled.csv(), "average", "foldse", "accuracy")
    assert (average["mean"], average["published_mean"], average["difference"]) == ("0.9", "", "")


def test_a_printed_figure_without_a_run_says_so(filled):
    filled.log("small", "foldse", folds(0.5, 1.0), table="rule_learners")
    table = filled.table("rule_learners")

    cells = {(r["dataset"], r["learner"], r["metric"]): r["status"] for r in filled.csv("rule_learners")}
    assert cells["small", "xgboost_paper", "accuracy"] == "not run"
    assert cells["large", "foldrpp_ig", "rules"] == "not run"
    assert "not run: there is no run of it" in markdown(table)


def test_a_figure_far_from_the_published_one_is_marked_and_a_size_that_differs_is_noted(filled):
    # rules: 4.0 published with deviation 0.5
    filled.log("small", "foldse", folds(0.8, 0.8, rules=5.0), table="rule_learners", rows=8)
    assert "5.0 ± 0.0 (4.0)" in markdown(filled.table("rule_learners"))
    filled.log("small", "foldse", folds(0.8, 0.8, rules=5.1), table="rule_learners", rows=8)
    text = markdown(filled.table("rule_learners"))
    assert "5.1 ± 0.0* (4.0)" in text
    assert "small has 8 rows and 3 columns here, 9 and 3 in the paper." in text


def test_a_setting_that_the_paper_did_not_have_is_never_marked(filled):
    for tail in (0.005, 0):
        filled.log("small", "foldse", folds(0.8, 0.8, rules=50.0), settings={"tail": tail})
    text = markdown(filled.table()).replace("**", "")
    assert "| FOLD-SE, tail=0.005 | 0.800 ± 0.000 (0.80) | 50.0 ± 0.0* (4.0) |" in text
    assert "| FOLD-SE, tail=0 | 0.800 ± 0.000 (0.80) | 50.0 ± 0.0 (4.0) |" in text


def test_what_stopped_a_run_is_told_with_its_limit(filled):
    filled.log("small", "foldse", folds(0.8, 0.8))
    for dataset, learner, limit in (
        ("small", "ebm", "300"),
        ("large", "ebm", "40.0"),
        ("large", "figs", "40"),
    ):
        filled.log(dataset, learner, [FoldResult(0, "timeout")], limit_seconds=limit)
    filled.log("large", "foldrm", [], reason="two classes")
    text = markdown(filled.table())
    assert (
        "timeout: a fold exceeded its time limit (40 s: EBM on large, FIGS on large; 300 s: EBM on small)."
        in text
    )
    assert "not applicable: the learner does not take as many classes as the data set has." in text
    assert "out of memory:" not in text


def test_what_is_said_of_the_data_and_of_the_code_is_in_the_notes(filled):
    remark = "[\"2 rows without a label count as 'no'\"]"
    filled.log("small", "foldse", folds(0.8, 0.8), code="1", notes=remark)
    filled.log("large", "foldse", folds(0.8, 0.8), code="2")
    filled.log("small", "ebm", folds(0.8, 0.8), code="3")
    text = markdown(filled.table())
    assert "small: 2 rows without a label count as 'no'." in text
    assert "Runs of more than one version of the code, see runs.csv: FOLD-SE." in text
    assert "Made by python -m experiments -m experiment=toy." in text


def test_a_data_set_without_runs_that_the_paper_has_in_two_sizes_is_noted(filled):
    (filled.folder / "published.csv").write_text(
        PUBLISHED + "black_box,large,98,4,foldse,accuracy,0.6,\n", encoding="utf-8"
    )
    filled.log("small", "foldse", folds(0.8, 0.8), table="rule_learners")
    assert "large is 99 × 3 or 98 × 4 in the paper, depending on the table." in markdown(
        filled.table("rule_learners")
    )


def test_agreement_with_the_published_figures_is_counted(filled):
    (filled.folder / "published.csv").write_text(
        PUBLISHED + "black_box,large,99,3,foldse,accuracy,0.6,\nblack_box,large,99,3,foldse,rules,4,\n",
        encoding="utf-8",
    )
    zero, one = {"tail": 0}, {"tail": 1}
    filled.log("small", "foldse", folds(0.82, 0.82, rules=5.0), settings=zero)  # 0.8 and 4 are published
    filled.log("large", "foldse", folds(0.63, 0.63, rules=3.0), settings=zero)  # 0.6 and 4
    filled.log("small", "foldse", folds(0.81, 0.81, rules=2.0), settings=one)
    assert (
        "within 0.02 (accuracy) / 1 (rules) / 3 (predicates)): FOLD-SE, tail=0 1 / 2 of 2; "
        "FOLD-SE, tail=1 1 / 0 of 1." in markdown(filled.table())
    )


def test_the_export_says_which_run_a_table_shows(filled):
    from experiments.export import frame

    filled.log("small", "foldse", folds(0.5, 1.0))
    filled.log("small", "foldse", folds(0.7, 0.7))
    rows = frame(filled.store.read())
    assert rows["tables"].tolist() == ["toy", "toy"]
    assert rows.set_index("accuracy_mean")["shown_in"].to_dict() == {0.75: "", 0.7: "toy"}


def test_a_metric_that_only_a_learner_knows_reaches_table_and_export(filled):
    from experiments.export import frame

    filled.log("small", "foldse", folds(0.5, 1.0, literals_a_rule=2.5))
    filled.table()

    assert row(filled.csv(), "small", "foldse", "literals_a_rule")["mean"] == "2.5"
    assert [r["metric"] for r in filled.csv()] == ["accuracy", "literals_a_rule"]
    assert frame(filled.store.read())["literals_a_rule_mean"].tolist() == [2.5]


def test_the_export_has_a_row_a_run_with_its_date(filled):
    from experiments.export import main as export

    filled.log("small", "foldse", folds(0.5, 1.0))
    filled.log("small", "foldrm", [], reason="two classes")

    assert export(filled.overrides) == 0

    with (filled.folder / "results" / "runs.csv").open(encoding="utf-8") as file:
        rows = {r["learner"]: r for r in csv.DictReader(file)}
    assert rows["foldse"]["accuracy_mean"] == "0.75"
    assert rows["foldse"]["tables"] == "toy"
    assert rows["foldrm"]["status"] == "not applicable"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:]+\+00:00", rows["foldse"]["started"])
