"""Choosing how large a program may be, on the command line: what the library chooses, and how it is told."""

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import StratifiedKFold, train_test_split

from foldse import FoldRPPCV, FoldSECV
from foldse.export import to_json

from .running import DATA, call

HEART = DATA / "heart.csv.gz"
FOLDS = StratifiedKFold(5, shuffle=True, random_state=0)
GRID = {"ratio": 0.5, "heuristic": "magic_gini"}  # which leaves the tail: ten settings
FIXED = ("--ratio", "0.5", "--heuristic", "magic_gini")


@pytest.fixture(scope="module")
def heart():
    table = pd.read_csv(HEART)
    return table.drop(columns="label"), table["label"]


def fit(*options):
    return call("fit", HEART, "-t", "label", "-p", "absent", "-q", *FIXED, *options)


def test_the_front_and_the_program_that_is_chosen(heart, tmp_path):
    search = FoldSECV(cv=FOLDS, pos_label="absent", **GRID).fit(*heart)
    path = tmp_path / "m.json"
    done = fit("--front", "--no-score", "-o", path)
    assert path.read_text(encoding="utf-8") == to_json(search.best_estimator_)
    table, program = done.stdout.split("\n\n", 1)
    lines = table.splitlines()
    assert lines[0] == "% 10 settings, 5-fold cross-validation; those that no other beats:"
    assert " ".join(lines[1].split()) == "% tail ratio heuristic accuracy +/- std rules predicates"
    assert len({line.index("magic_gini") for line in lines[2:]}) == 1
    rows = [line.split() for line in lines[2:]]
    assert [float(row[1]) for row in rows] == search.front_["tail"].tolist()
    assert [row[4] for row in rows] == [f"{score:.3f}" for score in search.front_["mean_test_score"]]
    assert [int(row[8]) for row in rows] == search.front_["n_predicates"].tolist()
    marked = [row for row in rows if row[-1] == "chosen"]
    assert [float(row[1]) for row in marked] == [search.best_params_["tail"]]
    assert program.startswith(str(search.rules_).splitlines()[0])


def test_the_score_is_that_of_the_whole_procedure(heart):
    X, y = heart
    result = json.loads(fit("--max-rules", "2", "--json").stdout)
    learned, held = train_test_split(np.arange(270), test_size=54, random_state=0, stratify=y)
    search = FoldSECV(cv=FOLDS, pos_label="absent", max_rules=2, **GRID)
    search.fit(X.iloc[learned], y.iloc[learned])
    accuracy = (search.predict(X.iloc[held]) == y.iloc[held]).mean()
    assert result["score"]["mean"]["accuracy"] == pytest.approx(accuracy)
    assert result["score"]["how"].endswith(
        "learned from the others; settings chosen within the rows learned from"
    )
    search.fit(X, y)
    assert result["chosen"] == search.best_params_
    assert [entry["rules"] for entry in result["front"] if entry["chosen"]] == [search.n_rules_]
    assert search.n_rules_ <= 2
    assert result["model"] == json.loads(to_json(search.best_estimator_))


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (("--max-literals", "2"), {"max_predicates": 2}),
        (("--choose", "best"), {"choose": "best"}),
        (("--tail", "0.01", "--front"), {"tail": 0.01}),
    ],
)
def test_what_options_choose(options, settings, heart):
    search = FoldSECV(cv=FOLDS, pos_label="absent", **GRID, **settings).fit(*heart)
    result = json.loads(fit("--no-score", "--json", *options).stdout)
    assert result["chosen"] == search.best_params_
    assert result["model"] == json.loads(to_json(search.best_estimator_))


def test_foldrpp_has_no_tail(heart):
    search = FoldRPPCV(cv=FOLDS, ratio=0.5, heuristic="magic_gini").fit(*heart)
    done = call("fit", HEART, "-t", "label", "-q", "--no-score", "-l", "foldrpp", "--front", *FIXED)
    assert done.stdout.splitlines()[1].split()[:3] == ["%", "ratio", "heuristic"]
    assert str(search.rules_).splitlines()[0] in done.stdout


def test_a_setting_that_is_chosen_beside_the_front_is_shown():
    """Of programs with few rules the best may have more literals than one with more rules."""
    from types import SimpleNamespace

    from foldse.cli.report import front_as_dicts

    results = {
        "params": [{"tail": 0.1}, {"tail": 0.2}],
        "mean_test_score": np.array([0.9, 0.8]),
        "std_test_score": np.zeros(2),
        "n_rules": np.array([3, 1]),
        "n_predicates": np.array([3, 4]),
    }
    search = SimpleNamespace(cv_results_=results, front_=pd.DataFrame(index=[0]), best_index_=1)
    assert [(entry["predicates"], entry["chosen"]) for entry in front_as_dicts(search)] == [
        (3, False),
        (4, True),
    ]


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("--max-literals", "0"), 1, "no program has at most 0 predicates: the smallest that the settings"),
        (("--front", "-l", "tree"), 2, "--front is for the learners foldse and foldrpp, and not for tree"),
        (("--max-rules", "3", "-l", "confold"), 2, "and not for confold"),
        (("--max-rules", "3", "--choose", "best"), 2, "--choose is for programs of any size; with a limit"),
    ],
)
def test_errors(options, code, message):
    done = call("fit", HEART, "-t", "label", "-q", "--no-score", *options)
    assert done.exit_code == code
    assert len(done.stderr.splitlines()) == 1
    assert message in done.stderr
