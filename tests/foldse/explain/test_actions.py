"""Counterfactuals that people can act on: several, in a range, one way, at a cost, under constraints."""

import json
import math

import pandas as pd
import pytest

from foldse import Literal, Op, Rule, RuleSyntaxError
from tests.foldse.cases import FEMALE, PASSENGERS, SURVIVED, THIRD_CLASS, holding, titanic

LOANS = pd.DataFrame(
    {
        "income": [15.0, 40.0, 70.0, 30.0],
        "debt": [9.0, 2.0, 1.0, 6.0],
        "age": [30.0, 40.0, 50.0, None],
        "job": ["none", "clerk", "nurse", "clerk"],
    }
)
GRANTED = pd.Series(["no", "yes", "yes", "no"], name="loan")


def income_above(bound):
    return Literal("income", Op.GT, bound)


def loans():
    """Granted above 50, above 25 with little debt or a nurse's job; 20 are told apart from less."""
    rules = [
        Rule("yes", (income_above(50.0),)),
        Rule("yes", (income_above(25.0), Literal("debt", Op.LE, 3.0))),
        Rule("yes", (income_above(20.0), Literal("job", Op.EQ, "nurse"))),
    ]
    return holding(rules, LOANS, GRANTED, default="no")


def changes(answers):
    return [{change.feature: change.new for change in answer.changes} for answer in answers]


def row(**values):
    return LOANS.iloc[[0]].assign(**values)


def test_several_answers_are_ways_of_their_own():
    answers = loans().counterfactual(row(), n=3)
    assert changes(answers) == [
        {"income": 51.0},
        {"income": 21.0, "job": "nurse"},
        {"income": 26.0, "debt": 3.0},
    ]
    # An income of 26 and a nurse's job would do, too, and goes beyond 21 and a nurse's job.
    assert changes(loans().counterfactual(row(), n=100)) == changes(answers)
    assert [answer.cost for answer in answers] == [1.0, 2.0, 2.0]
    assert changes([loans().counterfactual(row())]) == changes(loans().counterfactual(row(), n=1))


def test_the_other_way_and_another_category_are_answers_of_their_own():
    rules = [Rule("no", (Literal("age", Op.GT, 20.0), Literal("age", Op.LE, 60.0)))]
    rules[0] = Rule("no", rules[0].body, (Rule(None, (Literal("job", Op.EQ, "nurse"),)),))
    rules[0] = Rule("no", rules[0].body, (*rules[0].exceptions, Rule(None, (Literal("job", Op.EQ, "vet"),))))
    clf = holding([*rules, Rule("no", (Literal("age", Op.GT, 80.0),))], LOANS, GRANTED, default="yes")
    answers = clf.counterfactual(row(), n=9, allow_missing=False)
    assert changes(answers) == [{"age": 20.0}, {"job": "nurse"}, {"job": "vet"}, {"age": 61.0}]


def test_a_new_number_lies_in_the_range_and_says_what_is_left_of_its_interval():
    clf = loans()

    def found(low, high, **values):
        answer = clf.counterfactual(row(**values), within={"income": (low, high)}, fixed=["debt", "job"])
        return answer.changes[0].new, answer.to_dict()["changes"][0]["condition"]

    assert found(None, None) == (51.0, "more than 50")
    assert found(20, 60) == (51.0, "more than 50 and at most 60")
    assert found(50, 50.5) == (50.1, "more than 50 and at most 50.5")
    assert found(55, None) == (55.0, "at least 55")
    assert found(55, 60) == (55.0, "at least 55 and at most 60")
    assert found(55, 55) == (55.0, "55")
    assert found(20, 60, income=None) == (60.0, "more than 50 and at most 60")
    with pytest.raises(
        ValueError, match=r"no change of income leads to .*; restricted by fixed \(debt, job\)"
    ):
        found(20, 50)


def test_a_value_outside_the_range_may_stay():
    answer = loans().counterfactual(row(income=30.0), within={"income": (10, 20), "job": ["clerk", "vet"]})
    assert changes([answer]) == [{"debt": 3.0}]
    assert str(answer).splitlines()[1:] == ["    the value of debt were 3.0 (at most 3) instead of 9.0"]


def test_only_listed_categories():
    clf = titanic()
    x = PASSENGERS.set_index("Name").iloc[[3]]
    assert clf.counterfactual(x, fixed=["Fare", "Sex"]).changes == (("Class", "3", "other"),)
    answer = clf.counterfactual(x, fixed=["Fare"], within={"Class": ["3", "2", "1"]})
    assert answer.changes == (("Class", "3", "2"),)
    assert "the value of class were '2' (2 or 1) instead of '3'" in str(answer)
    assert clf.counterfactual(x, within={"Class": [None], "Fare": (30, 50)}).changes == (
        ("Class", "3", None),
    )


def test_directions():
    clf = loans()
    assert changes(clf.counterfactual(row(), n=9, directions={"income": "up"}))[0] == {"income": 51.0}
    with pytest.raises(ValueError, match=r"restricted by directions \(income\)"):
        clf.counterfactual(row(), directions={"income": "down"})
    high = row(income=70.0)
    assert (
        changes(clf.counterfactual(high, n=9, directions={"income": "down", "debt": "up"}))
        == [
            {"income": 20.0},
            {"income": 50.0},
        ][1:]
    )
    # Without it a value may become missing, or a range may leave less.
    answer = clf.counterfactual(high, directions={"income": "down"}, within={"income": (10, 45.5)})
    assert answer.to_dict()["changes"] == [
        {"feature": "income", "from": 70.0, "to": 45.5, "condition": "more than 25 and at most 45.5"}
    ]


def test_the_cheapest_total_first():
    clf = loans()
    answers = clf.counterfactual(row(), n=9, costs={"income": 0.1, "debt": 0.2, "job": 5})
    assert changes(answers) == [
        {"income": 51.0},
        {"income": 26.0, "debt": 3.0},
        {"income": 21.0, "job": "nurse"},
    ]
    assert [answer.cost for answer in answers] == [0.1, 0.3, 5.1]  # 0.1 + 0.2 as people add it
    assert json.loads(json.dumps([answer.to_dict()["cost"] for answer in answers])) == [0.1, 0.3, 5.1]
    # Two features may be cheaper than one; equal totals are decided as without costs.
    dear = {"x": 3, "y": 1, "z": 1}
    table = pd.DataFrame({name: [0.0, 9.0] for name in dear})
    x, y, z = (Literal(name, Op.GT, 5.0) for name in dear)
    other = holding([Rule("b", (x,)), Rule("b", (y, z))], table, ["a", "b"], default="a")
    assert changes(other.counterfactual([0.0] * 3, n=2, costs=dear)) == [{"y": 6.0, "z": 6.0}, {"x": 6.0}]
    assert changes([other.counterfactual([0.0] * 3, costs=dear | {"x": 2})]) == [{"x": 6.0}]


def test_an_infinite_cost_fixes():
    clf = loans()
    answers = clf.counterfactual(row(income=30.0), n=9, costs={"income": math.inf})
    fixed = clf.counterfactual(row(income=30.0), n=9, fixed="income")
    assert changes(answers) == changes(fixed) == [{"job": "nurse"}, {"debt": 3.0}]
    with pytest.raises(ValueError, match=r"restricted by fixed \(income\)"):
        clf.counterfactual(row(), costs={"income": math.inf})


def test_constraints():
    clf = loans()
    # No nurse under 35, unless the debt is small.
    young = Rule(
        None,
        (Literal("job", Op.EQ, "nurse"), Literal("age", Op.LE, 35.0)),
        (Rule(None, (Literal("debt", Op.LE, 1.0),)),),
    )
    assert changes(clf.counterfactual(row(income=30.0), n=9, constraints=young, fixed=["income"])) == [
        {"debt": 3.0},
        {"age": 36.0, "job": "nurse"},
    ]
    # A literal has to hold. The number is that of the constraint where it asks for more than the rules.
    answer = clf.counterfactual(row(), constraints=[income_above(60.0), income_above(55.0)])
    assert answer.to_dict()["changes"][0]["to"] == 61.0
    assert {str(literal) for literal in answer.literals} == {f"income > {x}" for x in (50.0, 25.0, 20.0)}
    with pytest.raises(ValueError, match=r"no change of .* restricted by constraints \(2\)"):
        clf.counterfactual(row(), constraints=[income_above(60.0), income_above(60.0).negated()])


def test_the_row_as_it_is_may_violate_a_constraint_and_the_changed_one_may_not():
    adult = Literal("age", Op.GT, 40.0)
    assert not adult.holds(LOANS["age"][0])
    assert changes([loans().counterfactual(row(income=30.0), constraints=adult)]) == [
        {"age": 41.0, "job": "nurse"}
    ]


def test_a_constraint_may_be_all_that_looks_at_a_feature():
    constant = holding([Rule("1", (FEMALE,))], PASSENGERS.drop(columns="Name"), SURVIVED, default="0")
    x = PASSENGERS.drop(columns="Name").iloc[[0]]
    second = Literal("Class", Op.EQ, "2")
    assert constant.counterfactual(x, constraints=second).changes == (
        ("Sex", "male", "female"),
        ("Class", "3", "2"),
    )
    answer = constant.counterfactual(x, constraints=THIRD_CLASS.negated(), within={"Class": ["1"]})
    assert answer.changes == (("Sex", "male", "female"), ("Class", "3", "1"))


def test_nothing_is_a_word_where_a_feature_held_words_and_numbers():
    table = pd.DataFrame({"x": pd.Series([1.0, "a", 3.0], dtype=object)})
    body = (Literal("x", Op.NOT_LE, 5.0), Literal("x", Op.NOT_GT, 5.0))
    clf = holding([Rule("yes", body)], table, ["no", "yes", "no"], default="no")
    assert clf.counterfactual(table.iloc[[0]]).changes == (("x", 1.0, None),)
    answer = clf.counterfactual(table.iloc[[0]], allow_missing=False)
    assert "the value of x were 'other' (no number) instead of 1.0" in str(answer)


def unknown(setting):
    return rf"{setting} names? 'pay', which is not a feature; the features are income, debt, age, job"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"fixed": ["pay"]}, unknown("fixed")),
        ({"within": {"pay": (1, 2)}}, unknown("within")),
        ({"directions": {"pay": "up"}}, unknown("directions")),
        ({"costs": {"pay": 2}}, unknown("costs")),
        ({"constraints": Literal("pay", Op.GT, 1.0)}, unknown("constraints")),
        ({"within": {"debt": (5, 3)}}, r"within of 'debt' is \(5, 3\), and its low end is above its high"),
        ({"within": {"debt": (5,)}}, r"within of 'debt' is \(5,\); a range is \(low, high\), two numbers"),
        ({"within": {"debt": (math.nan, 1)}}, r"within of 'debt' is \(nan, 1\); a range is"),
        ({"within": {"debt": ("1", 2)}}, r"within of 'debt' is \('1', 2\); a range is"),
        ({"within": {"debt": 5}}, r"within of 'debt' is 5; it is a range \(low, high\) or a list of cat"),
        ({"within": {"job": "nurse"}}, "within of 'job' is 'nurse'; it is a range"),
        ({"within": {"job": (1, 2)}}, r"within of 'job' is the range \(1, 2\), and 'job' holds categories"),
        ({"within": {"debt": [1, 2]}}, r"within of 'debt' is the list \[1, 2\], and 'debt' holds numbers"),
        ({"within": {"job": ["vet", 3]}}, "within of 'job' lists 3, and 'job' held text when the model was"),
        ({"within": {"job": [None]}, "allow_missing": False}, "within of 'job' lists a missing value, and"),
        ({"directions": {"debt": "below"}}, "directions of 'debt' is 'below'; it is 'up' or 'down'"),
        ({"directions": {"job": "up"}}, "directions says 'up' of 'job', which holds categories"),
        ({"directions": {"age": "up"}}, "directions says 'up' of 'age', and its value is missing, which is"),
        ({"costs": {"debt": 0}}, "costs of 'debt' is 0; it is a number above 0"),
        ({"costs": {"debt": math.nan}}, "costs of 'debt' is nan; it is a number above 0"),
        ({"costs": {"debt": "2"}}, "costs of 'debt' is '2'; it is a number above 0"),
        ({"costs": {"debt": True}}, "costs of 'debt' is True; it is a number above 0"),
        ({"constraints": Rule("no", (income_above(1.0),))}, "a rule without a head, .* concludes 'no'"),
        (
            {"constraints": Literal("job", Op.GT, 1.0)},
            "constraints compare 'job' by size, and it holds categories",
        ),
        (
            {"constraints": Literal("age", Op.EQ, "old")},
            "compare 'age' with a category, and it holds numbers",
        ),
        ({"constraints": Literal("job", Op.NE, 3)}, "compare 'job' with 3, and it held text when the model"),
        ({"n": 0}, "n must be a whole number of at least 1, got 0"),
        ({"n": 1.5}, "n must be a whole number of at least 1, got 1.5"),
    ],
)
def test_wrong_settings(given, message):
    with pytest.raises(ValueError, match=message) as caught:
        loans().counterfactual(LOANS.iloc[[3]], **given)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"constraints": [None]}, "a constraint is a Rule or a Literal, got None"),
        ({"within": ["job"]}, r"within must be a dict with features as keys, got \['job'\]"),
    ],
)
def test_settings_of_another_type(given, message):
    with pytest.raises(TypeError, match=message):
        loans().counterfactual(LOANS.iloc[[3]], **given)


def test_constraints_as_text():
    clf = loans()
    options = {"n": 9, "fixed": ["age"]}
    low = clf.counterfactual(row(), constraints=[income_above(60.0), income_above(55.0)], **options)
    for text in (
        "income(X,N), N=<60",
        ":- income(X,N1), N1=<60.0.",
        "income(X,N), N=<60. income(X,N), N=<55.",
    ):
        found = clf.counterfactual(row(), constraints=text, **options)
        assert changes(found) == changes(low)
    mixed = clf.counterfactual(row(), constraints=["income(X,N), N=<60", income_above(55.0)], **options)
    assert changes(mixed) == changes(low)


def test_text_with_an_exception_is_the_rule_with_it():
    clf = loans()
    rule = Rule(None, (income_above(60.0).negated(),), (Rule(None, (Literal("age", Op.GT, 30.0),)),))
    text = "income(X,N), not(N>60), not ab1(X,'True'). ab1(X,'True') :- age(X,A), A>30."
    assert clf._read_constraints(text) == [rule]
    with pytest.raises(RuleSyntaxError, match="line 1, column 1: there is no column 'incme'; did you mean"):
        clf.counterfactual(row(), constraints="incme(X,N), N=<60")
    with pytest.raises(RuleSyntaxError, match=r"line 1, column 8: expected '\(', found '>'"):
        clf.counterfactual(row(), constraints="income > 60")
    with pytest.raises(RuleSyntaxError, match="a constraint has no head"):
        clf.counterfactual(row(), constraints="y(X,'no') :- income(X,N), N=<60.")
    with pytest.raises(RuleSyntaxError, match="expected a goal"):
        clf.counterfactual(row(), constraints="")
