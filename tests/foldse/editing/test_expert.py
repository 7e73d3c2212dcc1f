"""Rules that are given before learning, against the table that is learned from."""

import warnings

import pandas as pd
import pytest

from foldse import Literal, Op, Rule, RuleSyntaxError, parse_rules
from foldse.editing.expert import expert_rules
from foldse.editing.vocabulary import Vocabulary
from foldse.reading.encoding import encode
from foldse.reading.values import read_columns
from foldse.strict_json import ModelFileError

X = pd.DataFrame({"Kind": ["bird", "fish", None], "weight": [1.0, 2.5, 3.0], "code": [1, 2, 3]})
TABLE = encode(read_columns(X, categorical=["code"]))
VOCABULARY = Vocabulary.of_table(TABLE, [feature.types for feature in TABLE.features], "flies", ("no", "yes"))
BIRD = Rule("yes", (Literal("Kind", Op.EQ, "bird"),), (Rule(None, (Literal("weight", Op.GT, 2.0),)),))
TEXT = "flies(X,'yes') :- kind(X,'bird'), not ab1(X,'True'). ab1(X,'True') :- weight(X,N), N>2."
JSON = {"head": "yes", "body": [["Kind", "=", "bird"]], "exceptions": [{"body": [["weight", ">", 2]]}]}


@pytest.mark.parametrize(
    ("given", "confidences"),
    [
        (TEXT, [None]),
        (BIRD, [None]),
        ([BIRD], [None]),
        (JSON, [None]),
        ({**JSON, "confidence": 0.9}, [0.9]),
        ((TEXT, 0.75), [0.75]),
        ([(BIRD, 1), TEXT, (JSON, None)], [1.0, None, None]),
        (parse_rules(TEXT, features=["Kind", "weight", "code"]), [None]),
        ([(f"{TEXT} flies(X,'no') :- kind(X,?).", 0.5)], [0.5, 0.5]),
        (iter([BIRD]), [None]),
        ([], []),
    ],
)
def test_forms(given, confidences):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some are there twice
        found = expert_rules(given, VOCABULARY)
    assert [expert.confidence for expert in found] == confidences
    assert all(expert.rule == BIRD for expert in found if expert.rule.head == "yes")
    assert {part.origin for expert in found for part in expert.rule.parts()} <= {"expert"}


def test_values_become_what_tables_hold():
    rule = Rule(
        "no", (Literal("code", Op.EQ, 1.0), Literal("weight", Op.LE, 2), Literal("Kind", Op.NE, None))
    )
    (found,) = expert_rules(rule, VOCABULARY)
    assert [type(x.value) for x in found.rule.body] == [int, float, type(None)]


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (
            "flies(X,'yes') :- kind(X,'brid').",
            RuleSyntaxError,
            "line 1, column 26: .* never held .*mean 'bird'",
        ),
        ("flies(X,'si') :- kind(X,'bird').", RuleSyntaxError, "line 1, column 9: 'si' is not a label"),
        ("flies(X,'yes') :- code(X,'4').", RuleSyntaxError, "the column 'code' never held 4"),
        (
            Rule("yes", (Literal("kind", Op.EQ, "bird"),)),
            ValueError,
            "the rule: there is no column 'kind'; .*'Kind'",
        ),
        ([BIRD, Rule("si", BIRD.body)], ValueError, r"'si' is not a label; .*'no', 'yes'"),
        (Rule(None, BIRD.body), ValueError, "the rule concludes nothing"),
        (Rule("yes", ()), ValueError, "has no literal"),
        (
            Rule("yes", BIRD.body, origin="me"),
            ValueError,
            "origin 'me'; it must be one of learned, expert, edited",
        ),
        (
            Rule("yes", (Literal("Kind", Op.GT, 1.0),)),
            ValueError,
            "held text, and no number to compare 1.0 with",
        ),
        (Rule("yes", (Literal("weight", Op.EQ, "x"),)), ValueError, "held numbers, and is compared by"),
        (
            Rule("yes", (Literal("code", Op.EQ, "1"),)),
            ValueError,
            'held numbers as categories, and "1" is none',
        ),
        (
            Rule("yes", (Literal("Kind", Op.EQ, b"x"),)),
            TypeError,
            "the rule: column 'Kind' has a value of type bytes",
        ),
        ({**JSON, "body": []}, ModelFileError, r"rules\[0\].body is empty"),
        ({**JSON, "head": 1}, ModelFileError, r"rules\[0\].head is 1, which is not a label"),
        ([(BIRD, 0)], ValueError, r"expert_rules\[0\] has the confidence 0; it must be a number above 0"),
        ((BIRD, 1.5), ValueError, "the confidence 1.5"),
        ((BIRD, True), ValueError, "the confidence True"),
        ({**JSON, "confidence": "high"}, ValueError, "the confidence 'high'"),
        (5, TypeError, "rules are given as text, Rule objects, a RuleSet or in the JSON form .* got int"),
        ([5], TypeError, "got int"),
    ],
)
def test_errors(given, kind, message):
    with pytest.raises(kind, match=message) as caught:
        expert_rules(given, VOCABULARY)
    assert "\n" not in str(caught.value)


def test_doubts():
    with pytest.warns(UserWarning, match="rule 2, .*, never decides a row"):
        expert_rules([Rule("yes", BIRD.body), BIRD], VOCABULARY)
