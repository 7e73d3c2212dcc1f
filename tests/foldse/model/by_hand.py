"""A table of eight rows and a program, small enough to see which rule decides which row."""

from dataclasses import replace

import pandas as pd

from foldse import FoldSEClassifier, Literal, Op, Rule

X = pd.DataFrame(
    {
        "sex": list("fffmmmfm"),
        "age": [5.0, 40, 40, 5, 40, 40, 60, 7],
        "fare": [10.0, 10, 50, 10, 10, 60, 10, 50],
    }
)
Y = pd.Series(["yes", "no", "yes", "yes", "no", "no", "no", "no"], name="survived")
FEMALE = Literal("sex", Op.EQ, "f")
YOUNG = Literal("age", Op.LE, 10.0)
ADULT = Literal("age", Op.GT, 30.0)
DEAR = Literal("fare", Op.GT, 40.0)


def holding(*rules, X=X, y=Y, default="no", **settings):
    """Return a classifier fitted to a table, whose rules are then replaced."""
    clf = FoldSEClassifier(**settings).fit(X, y)
    clf.rules_ = replace(clf.rules_, rules=rules, default=default, default_support=())
    clf.n_rules_ = clf.rules_.n_rules
    return clf


def passengers(**given):
    """Return two rules, of which the first has an exception with an exception.

    ab1 fires on rows 2, 5, 7 and ab2 on 1, 4, 6; so the first rule on 0 and 2, the second on 0, 3 and 7.
    """
    dear = Rule(None, (DEAR,))
    adult = Rule(None, (ADULT,), (dear,))
    clf = holding(Rule("yes", (FEMALE,), (adult,)), Rule("yes", (YOUNG,)), **given)
    assert str(clf.rules_).splitlines() == [
        "survived(X,'yes') :- sex(X,'f'), not ab2(X,'True').",
        "survived(X,'yes') :- age(X,N1), N1=<10.0.",
        "ab1(X,'True') :- fare(X,N2), N2>40.0.",
        "ab2(X,'True') :- age(X,N1), N1>30.0, not ab1(X,'True').",
    ]
    return clf
