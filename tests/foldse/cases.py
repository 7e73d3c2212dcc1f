"""What the tests of explanations share: data sets, and classifiers that hold a program one gives them."""

import os
from pathlib import Path

import pandas as pd
import pytest
from omegaconf import OmegaConf

from experiments.data.load import load
from foldse import FoldSEClassifier, Literal, Op, Rule, RuleSet

ROOT = Path(__file__).parents[2]
DATA = os.environ.get("FOLDSE_DATA")
HAVE_DATA = pytest.mark.skipif(not DATA, reason="FOLDSE_DATA is not set")
SETS = ["heart", "breast_w", "voting", "kr_vs_kp", "wine"]
SETS += [
    pytest.param(name, marks=[pytest.mark.data, HAVE_DATA])
    for name in ("titanic", "adult", "nursery", "ecoli")
]

FEMALE = Literal("Sex", Op.EQ, "female")
NOT_FEMALE = FEMALE.negated()
THIRD_CLASS = Literal("Class", Op.EQ, "3")
DEAR = Literal("Fare", Op.NOT_LE, 23.25)

PASSENGERS = pd.DataFrame(
    {
        "Name": ["Mr. Kelly", "Mrs. James", "Miss. Healy", "Mrs. Panula"],
        "Sex": ["male", "female", "female", "female"],
        "Class": ["3", "1", "3", "3"],
        "Fare": [7.83, 71.28, 7.0, 39.69],
    }
)
SURVIVED = pd.Series(["0", "1", "1", "0"], name="Survived")


def dataset(name):
    return load(OmegaConf.load(ROOT / "conf" / "dataset" / f"{name}.yaml"), Path(DATA) if DATA else None)


def roles(data):
    return {"numeric_features": data.numeric, "categorical_features": data.categorical}


def holding(rules, X, y, default=None, **roles):
    """Return a classifier fitted to a table whose rules are then replaced."""
    clf = FoldSEClassifier(**roles).fit(X, y)
    known = clf.rules_
    clf.rules_ = RuleSet(
        tuple(rules),
        known.features,
        known.target,
        known.classes,
        known.default if default is None else default,
    )
    return clf


def titanic():
    rules = [Rule("0", (NOT_FEMALE,)), Rule("0", (THIRD_CLASS, FEMALE, DEAR))]
    clf = holding(rules, PASSENGERS.drop(columns="Name"), SURVIVED, default="1")
    assert str(clf.rules_).splitlines() == [
        "survived(X,'0') :- not sex(X,'female').",
        "survived(X,'0') :- class(X,'3'), sex(X,'female'), fare(X,N1), not(N1=<23.25).",
    ]
    return clf
