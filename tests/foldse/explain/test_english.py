"""Programs and justifications in English: the words, the templates, and their errors."""

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from foldse import FoldSEClassifier, HeuristicTreeClassifier, Literal, Op, Rule, RuleSet
from foldse.explain.english import describe
from foldse.explain.wording import (
    Sentences,
    feature_words,
    number_words,
    value_words,
)
from tests.foldse.cases import DEAR, FEMALE, NOT_FEMALE, PASSENGERS, SURVIVED, THIRD_CLASS, holding, titanic
from tests.tables import TEXTS, frame, mixed_tables

TEMPLATES = {
    "Class": "@(X) is a passenger of class @(V)",
    "Fare": "@(X) paid a fare of @(V)",
    "survived": "@(X) has the fate @(V)",
}


def test_a_program_in_words_of_its_own():
    assert titanic().describe().splitlines() == [
        "Rule 1. survived is 0 for X if",
        "    the sex of X is not female.",
        "Rule 2. survived is 0 for X if",
        "    the class of X is 3 and",
        "    the sex of X is female and",
        "    the fare of X is not at most 23.25.",
        "If no rule applies, survived is 1 for X.",
    ]


def test_a_program_in_words_from_templates():
    assert titanic().describe(templates=TEMPLATES, subject="a passenger").splitlines() == [
        "Rule 1. a passenger has the fate 0 if",
        "    the sex of a passenger is not female.",
        "Rule 2. a passenger has the fate 0 if",
        "    a passenger is a passenger of class 3 and",
        "    the sex of a passenger is female and",
        "    it is not the case that a passenger paid a fare of at most 23.25.",
        "If no rule applies, a passenger has the fate 1.",
    ]


def test_exceptions_are_told_by_unless():
    inner = Rule(None, (Literal("Fare", Op.GT, 100.0), NOT_FEMALE))
    rules = [
        Rule("0", (THIRD_CLASS, DEAR), (Rule(None, (FEMALE, THIRD_CLASS), (inner,)), inner)),
        Rule("1", (FEMALE,)),
    ]
    assert describe(
        RuleSet(tuple(rules), ("Class", "Sex", "Fare"), "fate", ("0", "1"), "1")
    ).splitlines() == [
        "The first rule that applies decides.",
        "Rule 1. fate is 0 for X if",
        "    the class of X is 3 and",
        "    the fare of X is not at most 23.25,",
        "    unless",
        "        the sex of X is female and",
        "        the class of X is 3,",
        "        unless",
        "            the fare of X is more than 100 and",
        "            the sex of X is not female,",
        "    or unless",
        "        the fare of X is more than 100 and",
        "        the sex of X is not female.",
        "Rule 2. fate is 1 for X if",
        "    the sex of X is female.",
        "If no rule applies, fate is 1 for X.",
    ]


def test_a_constant_model():
    assert describe(RuleSet((), ("a",), "kind", ("u",), "u")) == "Always kind is u for X."


def test_a_tree_is_not_described():
    tree = HeuristicTreeClassifier().fit(PASSENGERS, SURVIVED)
    with pytest.raises(TypeError, match="HeuristicTreeClassifier has no rules to describe; print its tree_"):
        describe(tree)
    with pytest.raises(NotFittedError):
        describe(FoldSEClassifier())


def test_justification_in_english():
    told = titanic().explain(PASSENGERS, names="Name")
    assert told[0].to_text("english").splitlines() == [
        "survived is 0 for Mr. Kelly, because",
        "    the sex of Mr. Kelly is not female (the sex is male).",
    ]
    assert told[2].to_text("english").splitlines() == [
        "survived is 1 for Miss. Healy by default, because",
        "    rule 1 does not apply: the sex of Miss. Healy is female",
        "    rule 2 does not apply: the fare of Miss. Healy is at most 23.25 (the fare is 7).",
    ]
    assert told[3].to_text(templates=TEMPLATES).splitlines() == [
        "Mrs. Panula has the fate 0, because",
        "    Mrs. Panula is a passenger of class 3 and",
        "    the sex of Mrs. Panula is female and",
        "    Mrs. Panula paid a fare of more than 23.25 (the fare is 39.69).",
    ]


def test_justification_with_exceptions_in_english_and_in_short():
    exception = Rule(None, (FEMALE, Literal("Fare", Op.NOT_LE, 50.0)))
    rules = [Rule("0", (FEMALE, DEAR), (exception,))]
    table = PASSENGERS.assign(Fare=[1.0, 71.28, None, 39.69])
    told = holding(rules, table.drop(columns="Name"), SURVIVED, default="1").explain(table, names="Name")
    assert told[3].to_text("english").splitlines() == [
        "survived is 0 for Mrs. Panula, because",
        "    the sex of Mrs. Panula is female and",
        "    the fare of Mrs. Panula is more than 23.25 (the fare is 39.69) and",
        "    exception ab1 does not apply: the fare of Mrs. Panula is at most 50 (the fare is 39.69).",
    ]
    assert told[2].to_text("english").splitlines() == [
        "survived is 1 for Miss. Healy by default, because",
        "    rule 1 does not apply: its exception ab1 does, because",
        "        the sex of Miss. Healy is female and",
        "        the fare of Miss. Healy is not at most 50 (the fare is missing).",
    ]
    assert [justification.to_text("short") for justification in told] == [
        "survived(Mr. Kelly,'1') by default: rule 1 fails as sex is 'male', not 'female'",
        "survived(Mrs. James,'1') by default: rule 1 fails as its exception ab1 holds "
        "(sex is 'female', fare 71.28 > 50.0)",
        "survived(Miss. Healy,'1') by default: rule 1 fails as its exception ab1 holds "
        "(sex is 'female', fare is missing, not <= 50.0)",
        "survived(Mrs. Panula,'0') because sex is 'female', fare 39.69 > 23.25",
    ]


FARE = {op: Literal("Fare", op, 23.0) for op in Op if op.is_threshold}


@pytest.mark.parametrize(
    ("templates", "literal", "sentence"),
    [
        ({}, FARE[Op.LE], "the fare of Ann is at most 23"),
        ({}, FARE[Op.NOT_LE], "the fare of Ann is not at most 23"),
        ({}, FARE[Op.GT], "the fare of Ann is more than 23"),
        ({}, FARE[Op.NOT_GT], "the fare of Ann is not more than 23"),
        ({}, THIRD_CLASS.negated(), "the class of Ann is not 3"),
        ({}, Literal("Class", Op.EQ, None), "the class of Ann is missing"),
        ({}, Literal("Class", Op.NE, None), "the class of Ann is not missing"),
        ({"Fare": "@(X) paid @(V)"}, FARE[Op.LE], "Ann paid at most 23"),
        ({"Fare": "@(X) paid @(V)"}, FARE[Op.GT], "Ann paid more than 23"),
        ({"Fare": "@(X) paid @(V)"}, FARE[Op.NOT_GT], "it is not the case that Ann paid more than 23"),
        ({"Fare": "@(X) paid @(V)"}, Literal("Fare", Op.EQ, None), "the fare of Ann is missing"),
        ({"Class": "@(V) is the class of @(X)"}, THIRD_CLASS, "3 is the class of Ann"),
        (
            {"Class": "@(X) is in @(V)"},
            THIRD_CLASS.negated(),
            "it is not the case that Ann is in 3",
        ),
        ({"Fare": {"<=": "@(X) paid @(V) or less"}}, FARE[Op.LE], "Ann paid 23 or less"),
        (
            {"Fare": {"<=": "@(X) paid @(V) or less"}},
            FARE[Op.NOT_LE],
            "it is not the case that Ann paid 23 or less",
        ),
        ({"Fare": {"not<=": "not @(V) for @(X)"}}, FARE[Op.NOT_LE], "not 23 for Ann"),
        ({"Fare": {"<=": "@(X) paid @(V) or less"}}, FARE[Op.GT], "the fare of Ann is more than 23"),
    ],
)
def test_sentences(templates, literal, sentence):
    assert Sentences(titanic().rules_, templates).of(literal, "Ann") == sentence


def test_a_subject_that_looks_like_a_placeholder_stays():
    sentences = Sentences(titanic().rules_, {"Class": "@(X) is in @(V)"})
    assert sentences.of(THIRD_CLASS, "@(V)") == "@(V) is in 3"


@pytest.mark.parametrize(
    ("templates", "message"),
    [
        ({"Clas": "@(X) @(V)"}, "a template is for 'Clas', which is neither a feature .* Sex, Class, Fare"),
        (
            {"Class": "@(X) is a passenger"},
            r"the template of 'Class' lacks @\(V\), which stands for the value",
        ),
        ({"Class": "class @(V)"}, r"the template of 'Class' lacks @\(X\), which stands for the subject"),
        (
            {"Fare": {"<": "@(X) @(V)"}},
            "templates of 'Fare' are for the comparison '<'; the .* <=, not<=, >",
        ),
        ({"Fare": {"<=": "@(X)"}}, r"the template of 'Fare' lacks @\(V\)"),
        ({"Fare": 3}, r"the template of 'Fare' lacks @\(X\), which stands for the subject: 3"),
    ],
)
def test_templates_that_cannot_be_used(templates, message):
    with pytest.raises(ValueError, match=message):
        titanic().describe(templates=templates)
    with pytest.raises(ValueError, match=message):
        titanic().explain(PASSENGERS)[0].to_text(templates=templates)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("female", "female"),
        ("Married-civ-spouse", "Married-civ-spouse"),
        ("two words", "two words"),
        ("<=50K", "<=50K"),
        (None, "missing"),
        ("missing", "'missing'"),
        ("", "''"),
        (" a", "' a'"),
        ("a.b", "'a.b'"),
        ("it's", r"'it\'s'"),
        ("a\nb", r"'a\nb'"),
        (True, "True"),
        (3, "3"),
    ],
)
def test_values_are_quoted_where_they_could_be_misread(value, words):
    assert value_words(value) == words


def test_numbers_are_written_as_people_do():
    assert [number_words(x) for x in (6849.0, 23.25, -0.5, 1e16, float("inf"))] == [
        "6849",
        "23.25",
        "-0.5",
        "1.0e+16",
        "inf",
    ]


def test_names_of_features_as_words():
    features = ("Marital_Status", "BMI", "age (years)", "a_b", "a b", "")
    assert feature_words(RuleSet((), features, "t", (0, 1), 0)) == {
        "Marital_Status": "marital status",
        "BMI": "BMI",
        "age (years)": "age (years)",
        "a_b": "a_b",
        "a b": "a b",
        "": "''",
    }


@settings(max_examples=80)
@given(table=st.one_of(mixed_tables(), mixed_tables(labels=("a", "b", "c"))), subject=TEXTS)
def test_every_literal_is_said_once(table, subject):
    rows, labels = table
    clf = FoldSEClassifier(tail=0).fit(frame(rows), labels)
    for rules in (clf.rules_, clf.raw_rules_):
        said = [
            line for line in describe(rules, subject=subject).splitlines() if line.lstrip().startswith("the ")
        ]
        assert len(said) == rules.n_predicates
        calls = describe(rules).count("unless")
        assert calls == rules.n_rules - len(rules)


def test_names_of_rows_may_be_anything():
    table = pd.DataFrame({"x": ["a", "b"]})
    clf = FoldSEClassifier(pos_label=1, tail=0).fit(table, [0, 1])
    assert str(clf.explain(table, names=["@(V)", "X"])[1]) == (
        "target(X,'1') does hold because\n    the value of x is 'b' which should not equal 'a' does hold"
    )
