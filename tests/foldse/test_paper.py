"""What the papers print, come out of the library: programs, tables, and the authors' own FOLD-R++."""

import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from omegaconf import OmegaConf
from sklearn.model_selection import KFold

from experiments.data.load import load
from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
from tests.foldse import authors

ROOT = Path(__file__).parents[2]
DATA = os.environ.get("FOLDSE_DATA")
HAVE_DATA = pytest.mark.skipif(not DATA, reason="FOLDSE_DATA is not set")
needs_data = [pytest.mark.data, HAVE_DATA]


def dataset(name):
    return load(OmegaConf.load(ROOT / "conf" / "dataset" / f"{name}.yaml"), Path(DATA) if DATA else None)


def roles(data):
    return {"numeric_features": data.numeric, "categorical_features": data.categorical}


@pytest.mark.data
@HAVE_DATA
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_program_for_adult_to_the_letter(seed):
    data = dataset("adult")
    rows = np.random.default_rng(seed).permutation(len(data.y))[: int(0.8 * len(data.y))]
    clf = FoldSEClassifier(pos_label="<=50K", **roles(data)).fit(data.X.iloc[rows], data.y.iloc[rows])
    assert re.sub(r"=<\d+\.\d+", "=<#", str(clf.rules_)).splitlines() == [
        "income(X,'<=50K') :- not marital_status(X,'Married-civ-spouse'), capital_gain(X,N1), N1=<#.",
        "income(X,'<=50K') :- marital_status(X,'Married-civ-spouse'), capital_gain(X,N1), N1=<#, "
        "education_num(X,N2), N2=<#.",
    ]


@pytest.mark.data
@HAVE_DATA
def test_program_for_titanic_to_the_letter():
    train, test = dataset("titanic"), dataset("titanic_test")
    clf = FoldSEClassifier(pos_label="0", **roles(train)).fit(train.X, train.y)
    assert str(clf.rules_).splitlines() == [
        "survived(X,'0') :- not sex(X,'female').",
        "survived(X,'0') :- class(X,'3'), sex(X,'female'), fare(X,N1), not(N1=<23.25).",
    ]
    assert round(clf.score(test.X, test.y), 3) == 0.986


@pytest.mark.data
@HAVE_DATA
def test_program_for_rain_to_the_letter():
    data = dataset("rain")
    assert len(data.y) == 145_460
    programs = set()
    for train, _ in KFold(10, shuffle=True, random_state=42).split(data.X):
        clf = FoldSEClassifier(pos_label="No", **roles(data)).fit(data.X.iloc[train], data.y.iloc[train])
        programs.add(str(clf.rules_))
    assert (
        "rain_tomorrow(X,'No') :- humidity3pm(X,N1), N1=<64.0, rainfall(X,N2), N2=<182.6.\n"
        "rain_tomorrow(X,'No') :- rainfall(X,N2), N2=<2.2, humidity3pm(X,N1), not(N1=<64.0), not(N1>81.0)."
    ) in programs


AUTHORS = [
    "acute",
    "heart",
    "ionosphere",
    "kidney",
    "voting",
    "credit_a",
    "autism",
    "cars",
    "kr_vs_kp",
    "mushroom",
]
BUNDLED = {"heart", "ionosphere", "voting", "kr_vs_kp"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in BUNDLED else needs_data) for name in [*AUTHORS, "adult"]]
)
def test_foldrpp_is_the_authors_foldrpp(name, tmp_path):
    """On one 90/10 split: every prediction, the number of rules and of literals."""
    data = dataset(name)
    columns = [*data.categorical, *data.numeric]  # their order of features
    X = data.X[columns].astype(object).where(data.X[columns].notna(), "?")  # a missing value is text to them
    file = tmp_path / "table.csv"
    pd.concat([X, data.y.rename("label")], axis=1).to_csv(file, index=False)
    order = np.random.default_rng(0).permutation(len(X))
    train, test = np.split(order, [int(0.9 * len(order))])
    theirs = authors.run(file, data.categorical, data.numeric, data.positive, train, test)

    ours = FoldRPPClassifier(pos_label=data.positive, **roles(data)).fit(X.iloc[train], data.y.iloc[train])
    assert (ours.predict(X.iloc[test]) == data.positive).tolist() == theirs["positive"]
    assert ours.n_rules_ == len(theirs["program"])
    assert ours.n_predicates_ == sum(count_literals(line) for line in theirs["program"])


def count_literals(line):
    """Count the literals of a printed rule: equalities and comparisons, not calls of exceptions."""
    body = line.split(" :- ", 1)[1]
    comparisons = re.findall(r"N\d+(?:=<|>)", body)
    equalities = re.findall(r"\(X,'", re.sub(r"ab\d+\(X,'True'\)", "", body))
    return len(comparisons) + len(equalities)


# Ten folds, shuffled: accuracy and, with the standard deviation over our folds, the counts that an
# independent implementation reached: (data set, learner, accuracy, rules, predicates).
TEN_FOLD = [
    ("adult", "foldse", 0.844, 2.0, 5.0),
    ("credit_card", "foldse", 0.818, 2.0, 3.0),
    ("intention", "foldse", 0.895, 2.0, 5.0),
    ("kr_vs_kp", "foldse", 0.970, 5.1, 10.1),
    ("mushroom", "foldse", 0.996, 5.7, 10.5),
    ("cars", "foldse", 0.950, 7.2, 14.0),
    ("rain_142193", "foldse", 0.829, 2.4, 6.3),
    ("breast_w", "foldse", 0.942, 3.6, 6.7),
    ("shuttle", "foldse", 0.995, 4.0, 5.0),
    ("weight_lift", "foldse", 0.999, 7.0, 10.6),
    ("wine", "foldse", 0.955, 6.5, 7.6),
    ("wall_robot", "foldse", 0.987, 7.1, 16.1),
    ("adult", "foldrpp", 0.843, None, 47.9),
    ("mushroom", "foldrpp", 1.0, 7.9, 11.9),
    ("kr_vs_kp", "foldrpp", 0.99, 19.6, 46.7),
]
TREES = [("heart", 0.75, 39.2, 7.0), ("kr_vs_kp", 1.0, 44.0, 10.1), ("acute", 1.0, 4.0, 3.3)]
HERE = {"kr_vs_kp", "breast_w", "shuttle", "wine", "heart"}


def ten_fold(data, make, measure):
    figures = []
    for train, test in KFold(10, shuffle=True, random_state=0).split(data.X):
        clf = make().fit(data.X.iloc[train], data.y.iloc[train])
        accuracy = np.mean(clf.predict(data.X.iloc[test]) == data.y.iloc[test].to_numpy())
        figures.append([accuracy, *measure(clf)])
    return np.mean(figures, axis=0), np.std(figures, axis=0)


def marked(cases):
    return [
        pytest.param(*case, marks=() if case[0] in HERE else needs_data, id="-".join(map(str, case[:2])))
        for case in cases
    ]


@pytest.mark.parametrize(("name", "learner", "accuracy", "rules", "predicates"), marked(TEN_FOLD))
def test_ten_fold_figures(name, learner, accuracy, rules, predicates):
    data = dataset(name)
    kind = FoldSEClassifier if learner == "foldse" else FoldRPPClassifier
    mean, std = ten_fold(
        data,
        lambda: kind(pos_label=data.positive, **roles(data)),
        lambda c: (c.n_rules_ if learner == "foldse" else c.n_rules_raw_, c.n_predicates_),
    )
    assert abs(mean[0] - accuracy) <= 0.01
    for reached, spread, expected in zip(mean[1:], std[1:], (rules, predicates), strict=True):
        # A figure of one decimal is known to 0.05 only.
        assert expected is None or abs(reached - expected) <= spread + 0.05


@pytest.mark.parametrize(("name", "accuracy", "nodes", "depth"), marked(TREES))
def test_ten_fold_figures_of_the_tree(name, accuracy, nodes, depth):
    data = dataset(name)
    mean, std = ten_fold(
        data,
        lambda: HeuristicTreeClassifier("information_gain", pos_label=data.positive, **roles(data)),
        lambda c: (c.n_leaves_, c.mean_depth_),
    )
    assert abs(mean[0] - accuracy) <= 0.03
    assert abs(mean[1] - nodes) <= std[1] + 0.05
    assert abs(mean[2] - depth) <= std[2] + 0.05
