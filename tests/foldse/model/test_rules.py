"""Rules worked out by hand: print, counts, simplification, coverage."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from foldse.model.lines import predicate_name
from foldse.model.literals import Literal, Op
from foldse.model.rule import Rule, literal_holds
from foldse.model.rules import RuleSet
from foldse.model.simplify import simplify
from foldse.reading.values import read_columns
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
        "survived(X,'0') :- not sex(X,'female'), age(X,N1), N1>10.0, not ab2(X,'True').",
        "survived(X,'0') :- fare(X,N2), not(N2=<0.027), age(X,N1), not(N1>5.0), not ab3(X,'True').",
        "ab1(X,'True') :- fare(X,N2), N2>20.0, N2=<40.0.",
        "ab2(X,'True') :- age(X,N1), N1=<30.0, sex(X,'female'), not ab1(X,'True').",
        "ab3(X,'True') :- fare(X,N2), N2>20.0, N2=<40.0.",
    ]


def nested_program():
    """Return two rules, of which the first has two exceptions and the first of these one of its own."""
    inner = Rule(None, (FEMALE, AGE_GT_10), support=(1.0, 2.0))
    outer = Rule(None, (AGE_LE_30, FEMALE), (inner,), support=(1.0, 3.0))
    other = Rule(None, (AGE_GT_10, AGE_LE_30))
    first = Rule("0", (FEMALE,), (outer, other), support=(6.0, 2.0))
    return RuleSet(
        (first, Rule("1", (AGE_LE_30,), support=(0.0, 8.0))), ("age", "sex"), "y", ("0", "1"), "1", (1.0, 3.0)
    )


def test_the_walk_names_inner_exceptions_first():
    walked = [(x.name, x.label, x.depth, x.exceptions) for x in nested_program().walk()]
    assert walked == [
        ("y", "0", 0, ("ab2", "ab3")),
        ("y", "1", 0, ()),
        ("ab1", "0", 2, ()),
        ("ab2", "0", 1, ("ab1",)),
        ("ab3", "0", 1, ()),
    ]
    assert [str(x) for x in nested_program().literals()] == [
        *("sex = 'female'", "age <= 30.0", "sex = 'female'", "age > 10.0"),
        *("age <= 30.0", "sex = 'female'", "age > 10.0", "age <= 30.0"),
    ]


def test_lines_say_what_they_cover():
    # ab2 withholds four rows from the label 0: three correctly, being of 1. ab1 grants it again to three
    # of them, of which one is of 0. ab3 was not learned.
    lines = list(nested_program().lines())
    assert [(x.kind, x.depth, x.covered, x.correct) for x in lines] == [
        ("rule", 0, 8.0, 6.0),
        ("rule", 0, 8.0, 8.0),
        ("exception", 2, 3.0, 1.0),
        ("exception", 1, 4.0, 3.0),
        ("exception", 1, None, None),
        ("default", 0, 4.0, 3.0),
    ]
    assert [x.text for x in lines[:-1]] == str(nested_program()).split("\n")
    assert lines[-1].text == "otherwise y(X,'1')"
    nested = list(nested_program().lines(nested=True))
    assert nested == [lines[place] for place in (0, 3, 2, 4, 1, 5)]


def test_exceptions_may_be_deeper_than_python_calls_functions():
    rule = Rule(None, (FEMALE, AGE_LE_30))
    for _ in range(3000):
        rule = Rule(None, (FEMALE, AGE_LE_30), (rule,))
    rules = program(Rule("0", (FEMALE,), (rule,)))
    assert (rules.n_rules, rules.n_predicates, rules.used_features) == (3002, 6003, {"age", "sex"})
    assert str(rules).count("\n") == 3001
    assert rules.to_html().count("<tr>") == 3004


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
    ("body", "expected"),
    [
        (("<= 40", "not<= 20"), ("> 20", "<= 40")),
        (("not> 40", "> 20"), ("> 20", "<= 40")),
        (("<= 40", "> 20"), ("> 20", "<= 40")),
        (("not> 40", "not<= 20"), ("not<= 20", "not> 40")),  # what is no number satisfies both
        (("not<= 20", "<= 50", "not> 40"), ("> 20", "<= 40")),
    ],
)
def test_bounds_from_both_sides(body, expected):
    def literals(texts):
        return tuple(Literal("fare", Op(op), float(bound)) for op, bound in map(str.split, texts))

    rule = Rule("0", literals(body))
    assert simplify(rule).body == literals(expected)
    values = frame([(v,) for v in (10.0, 20.0, 30.0, 40.0, 45.0, 50.0, 60.0, None, "x")])
    table = read_columns(values.rename(columns={"f0": "fare", values.columns[0]: "fare"}))
    assert simplify(rule).covers(table).tolist() == rule.covers(table).tolist()


def test_two_negated_bounds_of_a_feature_come_last():
    # As in the paper's program for rain.
    age = [Literal("age", op, bound) for op, bound in ((Op.NOT_LE, 64.0), (Op.NOT_GT, 81.0))]
    fare = Literal("fare", Op.LE, 2.2)
    assert simplify(Rule("0", (age[1], fare, age[0], FEMALE))).body == (FEMALE, fare, *age)


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
@given(mixed_tables(), st.lists(st.integers(0, 5), max_size=4))
def test_a_literal_holds_in_rows_as_it_does_of_their_values(table, chosen):
    rows, _ = table
    columns = read_columns(frame(rows))
    chosen = [row % len(rows) for row in chosen]
    for feature, op, value in naive.candidates(rows, naive.FULL):
        literal = Literal(f"x{feature}", Op(op), value)
        expected = [naive.holds((feature, op, value), row) for row in rows]
        assert literal_holds(literal, columns).tolist() == expected
        some = literal_holds(literal, columns, np.array(chosen, dtype=np.intp))
        assert some.tolist() == [expected[row] for row in chosen]
        by_size = [isinstance(row[feature], float) for row in rows]
        of_values = [literal.holds(row[feature], size) for row, size in zip(rows, by_size, strict=True)]
        assert of_values == expected


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
