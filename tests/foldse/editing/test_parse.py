"""Programs written by hand: what is read, and what is refused where."""

import pickle
import warnings

import pandas as pd
import pytest

import foldse
from foldse import FoldSEClassifier, Literal, Op, Rule, RuleSet, RuleSyntaxError, parse_rules

X = pd.DataFrame(
    {
        "Passenger Class": ["1", "2", "3", "3", "2", "1"],
        "sex": ["male", "female"] * 3,
        "age": [5.0, 12.0, 30.0, 40.0, 50.0, 60.0],
        "cabin": pd.Series([1, "1", True, None, 2, "B"], dtype=object),
        "deck": [True, False] * 3,
        "port": [7, 7, 8, 8, 9, 9],
        "mixed": pd.Series([1.5, "old", 3.0, None, 4.0, 5.0], dtype=object),
        "objects": pd.Series([1, 2, 3, 4, 5, 6], dtype=object),
    }
)
Y = pd.Series([0, 1, 0, 1, 0, 1], name="Survived")
CLF = FoldSEClassifier(categorical_features=["cabin", "port"], tail=0).fit(X, Y)


def body(goals):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some of these goals exclude each other
        (rule,) = parse_rules(f"survived(X,'1') :- {goals}.", CLF)
    return [(x.feature, str(x.op), x.value) for x in rule.body]


@pytest.mark.parametrize(
    ("goals", "expected"),
    [
        ("sex(X,'male')", [("sex", "=", "male")]),
        ("sex(X,male)", [("sex", "=", "male")]),
        ('not sex(X,"male")', [("sex", "!=", "male")]),
        ("not(sex(X,?))", [("sex", "!=", None)]),
        ("passenger_class(X,'3')", [("Passenger Class", "=", "3")]),
        ("'Passenger Class'(X,'3')", [("Passenger Class", "=", "3")]),
        ("sex(X,true)", [("sex", "=", "true")]),  # a column of text
        ("sex(X,'it\\'s'), sex(X,'it''s')", [("sex", "=", "it's")] * 2),
        ("sex(X,'\\\\ \\n\\x1b\\\"')", [("sex", "=", '\\ \n\x1b"')]),
        ("deck(X,'True'), deck(X,false)", [("deck", "=", True), ("deck", "=", False)]),
        ("port(X,'7'), port(X,8.0), port(X,'-1.5')", [("port", "=", v) for v in (7, 8, -1.5)]),
        ("port(X,'inf'), port(X,1e999)", [("port", "=", float("inf"))] * 2),
        ("port(X,1152921504606846977)", [("port", "=", 2**60 + 1)]),
        ('cabin(X,1), cabin(X,"1"), cabin(X,true)', [("cabin", "=", v) for v in (1, "1", True)]),
        ("cabin(X,'B'), cabin(X,'007')", [("cabin", "=", "B"), ("cabin", "=", "007")]),
        ("age(X,A), A=<10, not(A<=5), A>1, not A>1.0e+3", "<= not<= > not>"),
        ("age(X,A), age(X,B), A>1, B=<3", "> <="),
        ("mixed(X,N), N>1, mixed(X,'old')", [("mixed", ">", 1.0), ("mixed", "=", "old")]),
        ("objects(X,'unknown')", [("objects", "=", "unknown")]),
    ],
)
def test_what_goals_mean(goals, expected):
    found = body(goals)
    if isinstance(expected, str):
        assert [op for _, op, _ in found] == expected.split()
        assert {feature for feature, _, _ in found} == {"age"}
        return
    assert found == expected
    assert [type(value) for _, _, value in found] == [type(value) for _, _, value in expected]


def test_rules_and_exceptions_become_objects():
    rules = parse_rules(
        """\ufeff% A program for passengers
        ab7(Row,'True') :- age(Row,Age), Age > 5.  % called last
        survived(X,'0') :- sex(X,'male'), not ab3(X,'True'), not ab7(X,'True').
        ab3(X,'True') :- deck(X,'True'), not ab9(X,'True').
        ab9(X,'True') :- age(X,N9), not(N9 =< 2.5).
        survived(X,'1') :- age(X,N), N =< 1e1.""",
        CLF,
    )
    inner = Rule(None, (Literal("age", Op.NOT_LE, 2.5),))
    first = Rule(None, (Literal("deck", Op.EQ, True),), (inner,))
    second = Rule(None, (Literal("age", Op.GT, 5.0),))
    assert rules.rules == (
        Rule(0, (Literal("sex", Op.EQ, "male"),), (first, second)),
        Rule(1, (Literal("age", Op.LE, 10.0),)),
    )
    assert (rules.features, rules.target, rules.classes) == (CLF.feature_names_, "survived", (0, 1))
    assert rules.default == CLF.rules_.default
    assert {part.origin for rule in rules for part in rule.parts()} == {"edited"}
    assert str(rules).splitlines() == [
        "survived(X,'0') :- sex(X,'male'), not ab2(X,'True'), not ab3(X,'True').",
        "survived(X,'1') :- age(X,N1), N1=<10.0.",
        "ab1(X,'True') :- age(X,N1), not(N1=<2.5).",
        "ab2(X,'True') :- deck(X,'True'), not ab1(X,'True').",
        "ab3(X,'True') :- age(X,N1), N1>5.0.",
    ]


def test_without_a_model():
    rules = parse_rules("y(X,'b') :- k(X,'1'), 'My Age'(X,N), N>3.\ny(X,'a') :- k(X,?).")
    assert (rules.features, rules.target, rules.classes, rules.default) == (
        ("k", "My Age"),
        "y",
        ("a", "b"),
        None,
    )
    assert rules[0].body == (Literal("k", Op.EQ, "1"), Literal("My Age", Op.GT, 3.0))
    assert {rule.origin for rule in rules} == {"expert"}
    rules = parse_rules("y(X,'2') :- my_age(X,N), N>3.", features=["My Age"], classes=[1, 2])
    assert (rules[0].head, rules.default, rules[0].body[0].feature) == (2, 1, "My Age")
    assert parse_rules("y(X,'b') :- k(X,'1').", default="z").classes == ("b", "z")
    empty = parse_rules(" % nothing\n", CLF)
    assert (len(empty), empty.default) == (0, CLF.rules_.default)
    assert (len(parse_rules("")), parse_rules("").target) == (0, "target")
    assert parse_rules("y(X,'b') :- k(X,'1').", default=1).default == "1"
    with pytest.raises(ValueError, match="5 is not a label; the labels are '1', '2'"):
        parse_rules("", classes=[1, 2], default=5)
    with pytest.raises(TypeError, match="like knows the features"):
        parse_rules("", CLF, classes=[1])
    with pytest.raises(
        TypeError, match="like must be a fitted rule classifier or a RuleSet, got FoldSEClassifier"
    ):
        parse_rules("", FoldSEClassifier())


GOALS = [  # after "survived(X,'1') :- ", which is 19 characters
    ("", 20, "the rule has no goals"),
    ("sex(X,'male')\n", 21, None),
    ("sex(X,'male') age(X,N)", 34, "expected ',' or, at the end of a rule, '.', found 'age'"),
    ("sex(X,'male'),,", 34, "expected a goal"),
    ("sex(X 'male')", 26, "expected ',', found 'male'"),
    ("sex(Y,'male')", 24, "the row is X in this rule, and here it is Y"),
    ("sex(X,'male", 26, "the ' is not closed on its line"),
    ("sex(X,'ma\\le')", 29, "an unknown escape"),
    ("sex(X,'ma\\xffffff\\le')", 29, "an unknown escape"),
    ("sex(X,#)", 26, "'#' begins nothing"),
    ("Sex(X,'male')", 23, "expected '=<' or '>', found '('"),
    ("not not sex(X,'male')", 24, "'not' after 'not'"),
    ("\\+ sex(X,'male')", 20, "write 'not'"),
    ("sx(X,'male')", 20, "there is no column 'sx'; did you mean 'sex'?"),
    ("'passenger Class'(X,'1')", 20, "there is no column 'passenger Class'; did you mean 'Passenger Class'?"),
    ("cabin(X,'1')", 28, "'1' may be several categories of 'cabin'; write 1 or \"1\""),
    ("cabin(X,'True')", 28, "'True' may be several categories of 'cabin'; write true or \"True\""),
    ("sex(X,1)", 26, "the column 'sex' held text, and 1 is none of these"),
    ("deck(X,'yes')", 27, "the column 'deck' held truth values, and \"yes\" is none of these"),
    ("port(X,'x')", 27, "the column 'port' held numbers as categories, and \"x\" is none of these"),
    ("age(X,'old')", 26, "the column 'age' held numbers, and is compared by =< and > only"),
    ("age(X,5)", 26, "the column 'age' held numbers, and is compared by =< and > only"),
    ("objects(X,'1,000')", 30, "is compared by =< and > only"),
    ("sex(X,N), N>5", 32, "the column 'sex' held text, and no number to compare 5.0 with"),
    ("port(X,N), N>5", 33, "the column 'port' held numbers as categories, and no number"),
    ("N>5, age(X,N)", 20, "N is compared before it is bound"),
    ("age(X,N), sex(X,N), N>1", 36, "N is bound to 'age' and to 'sex'"),
    ("age(X,N), sex(X,'male')", 26, "N is bound and not compared"),
    ("not age(X,N), N>1", 20, "a variable cannot be bound under 'not'"),
    ("age(X,X), X>1", 26, "X stands for the row"),
    ("age(X,N), N>1e999", 32, "must be a finite number"),
    ("age(X,N), N>inf", 32, "the threshold must be a finite number, found 'inf'"),
    ("age(X,N), N>='5'", 31, "'>=' is no comparison of rules"),
    ("age(X,N), N<5", 31, "'<' is no comparison of rules"),
    ("ab1(X,'True')", 20, "an exception is called by: not ab1(X,'True')"),
    ("sex(X,?), not ab1(X,'False')", 40, "an exception is called with 'True'"),
    ("sex(X,?), not ab1(X,'True')", 34, "ab1 is called and not defined"),
    (f"sex(X,'{'a' * 60}...[99 characters]...{'b' * 20}')", 26, "was cut for print"),
]


@pytest.mark.parametrize(("goals", "column", "message"), GOALS)
def test_errors_say_where(goals, column, message):
    text = f"% a comment\n\nsurvived(X,'1') :- {goals}."
    if message is None:
        assert len(parse_rules(text, CLF)) == 1
        return
    with pytest.raises(RuleSyntaxError) as caught:
        parse_rules(text, CLF)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).startswith(f"line 3, column {column}: ")
    assert (caught.value.line, caught.value.column) == (3, column)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


AB = "ab1(X,'True') :- sex(X,'male')."


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("survived(X,'1').", (1, 1), "the rule has no goals"),
        ("survived(X,'1') :- sex(X,?)", (1, 28), "found the end of the text"),
        ("survived(X,'2') :- sex(X,?).", (1, 12), "'2' is not a label; the labels are '0', '1'"),
        ("survived(X,?) :- sex(X,?).", (1, 12), "the head concludes a label"),
        ("survived(X,N) :- sex(X,?).", (1, 12), "the head concludes a label"),
        ("died(X,'1') :- sex(X,?).", (1, 1), "the head is 'died', and the rules conclude 'survived'"),
        ("(X,'1')", (1, 1), "expected the head of a rule"),
        (AB, (1, 1), "ab1 is defined and never called"),
        (f"{AB}\n{AB}", (2, 1), "ab1 is defined in line 1, too"),
        ("ab1(X,'False') :- sex(X,?).", (1, 7), "an exception concludes 'True'"),
        ("survived(X,'1') :- not ab1(X,'True').\n" + AB, (1, 1), "the rule has exceptions only"),
        (
            f"{AB}\n" + "survived(X,'1') :- sex(X,?), not ab1(X,'True').\n" * 2,
            (3, 34),
            "ab1 is called in line 2, too",
        ),
        (
            "ab1(X,'True') :- sex(X,?), not ab2(X,'True').\nab2(X,'True') :- sex(X,?), not ab1(X,'True').",
            (1, 1),
            "ab1 calls itself, by way of the exceptions it calls",
        ),
    ],
)
def test_errors_of_whole_rules(text, place, message):
    with pytest.raises(RuleSyntaxError) as caught:
        parse_rules(text, CLF)
    assert message in str(caught.value)
    assert (caught.value.line, caught.value.column) == place


def test_names_without_a_model_are_predicate_names():
    with pytest.raises(
        RuleSyntaxError, match="line 1, column 11: 'my_Age' is not a predicate name; write 'my_age'"
    ):
        parse_rules("y(X,'1'):-my_Age(X,?).")
    with pytest.raises(RuleSyntaxError, match="the head 'aB' is not a predicate name; it could be 'ab'"):
        parse_rules("aB(X,'1'):-my_age(X,?).")


def test_a_program_knows_the_type_of_what_it_compares():
    body = tuple(Literal("k", Op.NE, value) for value in (1, 2.5))
    like = RuleSet((Rule("1", (*body, Literal("t", Op.NE, True))),), ("k", "t", "n"), "y", ("0", "1"), "0")
    (rule,) = parse_rules("y(X,'0') :- k(X,'3'), t(X,'False'), n(X,'4'), n(X,N), N>5, not k(X,'x').", like)
    assert [x.value for x in rule.body] == [3, False, "4", 5.0, "x"]


def test_cut_text_is_read_against_the_program():
    start, end = "a" * 60, "b" * 20
    long = start + "x" * 50 + end
    like = RuleSet((Rule("1", (Literal("k", Op.EQ, long),)),), ("k",), "y", ("0", "1"), "0")
    text = f"y(X,'1') :- k(X,'{start}...[50 characters]...{end}')."
    assert str(like) == text
    assert parse_rules(text, like) == like
    assert (
        parse_rules(text.replace("'a", '"a').replace("b'", 'b"'), like)[0]
        .body[0]
        .value.startswith(start + "...")
    )
    with pytest.raises(RuleSyntaxError, match=r"column 17: .* was cut for print, .* no such category of 'k'"):
        parse_rules(text.replace("50 ch", "51 ch"), like)
    # Two that print the same are written in full, and so each can be read.
    other = Literal("k", Op.EQ, start + "y" * 50 + end)
    both = RuleSet((*like.rules, Rule("0", (other,))), *(("k",), "y", ("0", "1"), "0"))
    assert str(both).splitlines()[0] == f"y(X,'1') :- k(X,\"{long}\")."
    assert parse_rules(str(both), both) == both
    with pytest.raises(RuleSyntaxError, match="may be several categories of 'k'; write \"a"):
        parse_rules(text, both)


def test_categories_that_print_the_same_are_written_by_type():
    values = (1, "1", True, "True", 2, None, "?", float("inf"), "inf", 'a"')
    rules = RuleSet(
        tuple(Rule("1", (Literal("k", Op.NE, value),)) for value in values), *(("k",), "y", ("0", "1"), "0")
    )
    assert [line.split("(X,")[2][:-2] for line in str(rules).splitlines()] == [
        *("1", '"1"', "true", '"True"', "'2'", "?", "'?'", "1e999", '"inf"', "'a\"'")
    ]
    assert parse_rules(str(rules), rules) == rules


def test_exceptions_may_be_deeper_than_python_calls_functions():
    rule = Rule(None, (Literal("age", Op.GT, 1.0), Literal("sex", Op.NE, "x")))
    for _ in range(2000):
        rule = Rule(None, (Literal("age", Op.GT, 1.0), Literal("sex", Op.NE, "x")), (rule,))
    rules = RuleSet(
        (Rule(1, (Literal("age", Op.GT, 1.0),), (rule,)),), *(CLF.feature_names_, "survived", (0, 1), 0)
    )
    assert parse_rules(str(rules), rules) == rules


def test_it_is_public():
    assert foldse.parse_rules is parse_rules
    assert issubclass(foldse.RuleSyntaxError, ValueError)
