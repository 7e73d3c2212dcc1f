"""Rules worked out by hand: print, counts, simplification, coverage."""

import pandas as pd
import pytest
from hypothesis import assume, given, settings

from foldse.model.literals import Literal, Op
from foldse.model.rules import (
    Rule,
    RuleSet,
    predicate_name,
    simplify,
)
from foldse.reading import read_columns
from tests import naive
from tests.tables import as_naive, frame, mixed_tables

AGE_LE_30 = Literal("age", Op.LE, 30.0)
AGE_GT_10 = Literal("age", Op.GT, 10.0)
FEMALE = Literal("sex", Op.EQ, "female")


def program(*rules, features=("age", "sex", "fare"), target="survived"):
    return RuleSet(rules, features, target, ("0", "1"), "1")


def test_prints_as_the_paper_does():
    inner = Rule(None, (Literal("fare", Op.GT, 20.0), Literal("fare", Op.LE, 40.0)))
    outer = Rule(None, (AGE_LE_30, FEMALE), (inner,))
    first = Rule("0", (Literal("sex", Op.NE, "female"), AGE_GT_10), (outer,))
    second = Rule("0", (Literal("fare", Op.NOT_LE, 0.027), Literal("age", Op.NOT_GT, 5.0)), (inner,))
    assert str(program(first, second)).splitlines() == [
        "survived(X,'0') :- not sex(X,'female'), age(X,N1), N1>10.0, not ab1(X,'True').",
        "survived(X,'0') :- fare(X,N1), not(N1=<0.027), age(X,N2), not(N2>5.0), not ab2(X,'True').",
        "ab1(X,'True') :- age(X,N1), N1=<30.0, sex(X,'female'), not ab3(X,'True').",
        "ab2(X,'True') :- fare(X,N1), N1>20.0, N1=<40.0.",
        "ab3(X,'True') :- fare(X,N1), N1>20.0, N1=<40.0.",
    ]


def test_counts_include_exceptions_but_not_their_calls():
    rule = Rule("0", (AGE_LE_30,), (Rule(None, (FEMALE, AGE_GT_10), (Rule(None, (FEMALE,)),)),))
    assert (program(rule, rule).n_rules, program(rule, rule).n_predicates) == (6, 8)


def test_single_literal_exception_becomes_a_negated_literal():
    rule = Rule("0", (AGE_LE_30,), (Rule(None, (FEMALE,)), Rule(None, (Literal("fare", Op.NOT_LE, 5.0),))))
    assert simplify(rule) == Rule(
        "0", (Literal("sex", Op.NE, "female"), AGE_LE_30, Literal("fare", Op.LE, 5.0))
    )


def test_exception_with_an_exception_stays():
    rule = Rule("0", (AGE_LE_30,), (Rule(None, (FEMALE,), (Rule(None, (FEMALE, AGE_GT_10)),)),))
    assert simplify(rule) == rule


@pytest.mark.parametrize(("op", "tightest"), [(Op.LE, 3.0), (Op.NOT_GT, 3.0), (Op.GT, 9.0), (Op.NOT_LE, 9.0)])
def test_of_several_thresholds_the_tightest_is_kept(op, tightest):
    body = tuple(Literal("age", op, bound) for bound in (5.0, 3.0, 9.0))
    assert simplify(Rule("0", body)).body == (Literal("age", op, tightest),)


def test_categorical_literals_first_then_numeric_in_order_of_first_use():
    body = (Literal("fare", Op.GT, 1.0), AGE_LE_30, FEMALE, Literal("fare", Op.LE, 2.0))
    assert [str(x) for x in simplify(Rule("0", body)).body] == [
        "sex = 'female'",
        "fare > 1.0",
        "fare <= 2.0",
        "age <= 30.0",
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Class", "class"),
        ("age (years)", "age_years"),
        ("3d", "x_3d"),
        ("", "x"),
        ("_a", "a"),
        ("ab1", "x_ab1"),
    ],
)
def test_predicate_name(name, expected):
    assert predicate_name(name) == expected


def test_distinct_columns_have_distinct_predicates():
    names = program(features=("age (years)", "age-years", "Survived")).predicate_names()
    assert names == {"age (years)": "age_years", "age-years": "age_years_2", "Survived": "survived_2"}


def test_first_firing_rule_decides():
    rules = program(Rule("0", (FEMALE,)), Rule("1", (AGE_LE_30,), (Rule(None, (AGE_GT_10,)),)))
    X = pd.DataFrame({"age": [5.0, 5.0, 20.0], "sex": ["female", "male", "male"]})
    assert rules.first_firing(read_columns(X)).tolist() == [0, 1, 2]


@settings(max_examples=60)
@given(mixed_tables())
def test_coverage_is_the_oracles_and_simplification_keeps_it(table):
    rows, _ = table
    literals = list(naive.candidates(rows, naive.FULL))
    assume(literals)
    columns = read_columns(frame(rows))

    def literal(position):
        feature, op, value = literals[position % len(literals)]
        return Literal(f"x{feature}", Op(op), value)

    inner = Rule(None, (literal(7),), (Rule(None, (literal(3),)),))
    rule = Rule(
        "1",
        (literal(0), literal(1)),
        (inner, Rule(None, (literal(5),)), Rule(None, (literal(2), literal(4)))),
    )
    expected = [naive.covers(as_naive(rule), row) for row in rows]
    assert rule.covers(columns).tolist() == expected
    assert simplify(rule).covers(columns).tolist() == expected
