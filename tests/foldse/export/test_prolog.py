"""Prolog: what the program looks like, and that SWI-Prolog takes it as it is."""

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError

from foldse import FoldSEClassifier, HeuristicTreeClassifier, Literal, Op, Rule, RuleSet
from foldse.export import prolog_facts, to_prolog
from tests.foldse.export.engines import by_swipl, needs_swipl, run_swipl

FEMALE = Literal("Sex", Op.EQ, "female")
NOT_FEMALE = Literal("Sex", Op.NE, "female")
CHEAP = Literal("Fare", Op.NOT_LE, 23.25)
X = pd.DataFrame({"Sex": ["male", "female", "female", None], "Fare": [5.0, 30.0, np.nan, np.inf]})


def model(*rules, X=X, target="survived", classes=("0", "1"), default="1", **roles):
    """Return a classifier with rules of our own."""
    clf = FoldSEClassifier(**roles).fit(X, [classes[i % len(classes)] for i in range(len(X))])
    clf.rules_ = RuleSet(rules, tuple(map(str, X.columns)), target, classes, default)
    return clf


def test_is_the_papers_program_and_the_default():
    exception = Rule(None, (FEMALE, CHEAP), (Rule(None, (Literal("Fare", Op.LE, 99.0), FEMALE)),))
    clf = model(Rule("0", (FEMALE, Literal("Fare", Op.GT, 1.5)), (exception,)), Rule("0", (CHEAP,)))
    printed = str(clf.rules_).splitlines()
    assert to_prolog(clf).splitlines() == [
        ":- op(900, fy, not).",
        ":- table survived(_,_).  % an answer is given once, however many rules give it",
        *printed[:2],
        "survived(X,'1') :- row(X), not survived(X,'0').",
        *printed[2:],
    ]


def test_a_rule_that_begins_with_a_negation_begins_with_the_row():
    line = to_prolog(model(Rule("0", (NOT_FEMALE, CHEAP)))).splitlines()[1]
    assert line == "survived(X,'0') :- row(X), not sex(X,'female'), fare(X,N1), not(N1=<23.25)."


def test_facts():
    clf = model(Rule("0", (FEMALE, CHEAP)))
    assert prolog_facts(clf, X).splitlines() == [
        *(f"row({row})." for row in range(4)),
        *("fare(0,5.0).", "fare(1,30.0).", "fare(2,nan).", "fare(3,inf)."),
        *("sex(0,'male').", "sex(1,'female').", "sex(2,'female').", "sex(3,category(missing))."),
    ]


def test_several_classes_are_an_ordered_list():
    clf = model(Rule("a", (FEMALE,)), Rule("b", (CHEAP,)), classes=("a", "b", "c"), default="a")
    assert to_prolog(clf).splitlines()[1:] == [
        "survived(X,'a') :- rule1(X).",
        "survived(X,'b') :- rule2(X), not earlier2(X).",
        "survived(X,'a') :- row(X), not earlier3(X).",
        "rule1(X) :- sex(X,'female').",
        "rule2(X) :- fare(X,N1), not(N1=<23.25).",
        "earlier2(X) :- rule1(X).",
        "earlier3(X) :- earlier2(X).",
        "earlier3(X) :- rule2(X).",
    ]


def test_rows_can_be_taken_one_by_one():
    clf = model(Rule("0", (FEMALE, CHEAP)))
    assert prolog_facts(clf, X[1:2]).splitlines() == ["row(0).", "fare(0,30.0).", "sex(0,'female')."]


@needs_swipl
def test_without_rules_all_rows_get_the_default(tmp_path):
    assert by_swipl(model(), X, tmp_path) == ["1"] * 4


@needs_swipl
def test_negative_thresholds_are_read(tmp_path):
    clf = model(Rule("0", (Literal("Fare", Op.GT, -0.5), Literal("Fare", Op.LE, -0.0))))
    assert "N1> -0.5, N1=<0.0" in to_prolog(clf)
    table = pd.DataFrame({"Sex": "a", "Fare": [-0.5, -0.25, 0.0, 0.1]})
    assert by_swipl(clf, table, tmp_path) == ["1", "0", "0", "1"]


NAMES = ["length", "write", "is", "name", "call", "print", "dynamic", "table", "format", "halt", "member"]
NAMES += ["rule1", "row", "not", "ab1", "category", "nan", "mod", "term_expansion", "file_search_path"]
NAMES += ["Résumé!", "résumé?"]


@needs_swipl
@pytest.mark.parametrize("facts_first", [False, True])
def test_columns_named_as_what_prolog_has(tmp_path, facts_first):
    table = pd.DataFrame({name: ["a", "b", "a", None] for name in NAMES})
    body = [Literal(name, *((Op.EQ, "b") if i % 2 else (Op.NE, "a"))) for i, name in enumerate(NAMES)]
    clf = model(Rule("0", tuple(body)), X=table)
    assert by_swipl(clf, table, tmp_path, facts_first=facts_first) == ["1", "0", "1", "1"]


@needs_swipl
@pytest.mark.parametrize("target", ["length", "print", "dynamic", "table", "is", "row", "category"])
def test_targets_named_as_what_prolog_has(tmp_path, target):
    clf = model(Rule("0", (NOT_FEMALE,)), Rule("0", (CHEAP,)), target=target)
    assert by_swipl(clf, X, tmp_path) == ["0", "0", "0", "0"]


def test_a_target_that_cannot_be():
    with pytest.raises(ValueError, match="no Prolog predicate can be named 'call'; give y another name"):
        to_prolog(model(Rule("0", (FEMALE,)), target="call"))


@needs_swipl
@pytest.mark.parametrize("style", ["swi", "scasp"])
def test_is_read_alike_in_every_locale(tmp_path, style):
    table = pd.DataFrame({"Sex": ["é", "日本😀", "e", "\u2028"], "Fare": 1.0})
    body = tuple(Literal("Sex", Op.NE, text) for text in ("é", "日本😀"))
    clf = model(Rule("nö", body), X=table, classes=("jä", "nö"), default="jä")
    for locale in ("C", "C.UTF-8"):
        assert by_swipl(clf, table, tmp_path, style, locale) == ["jä", "jä", "nö", "nö"]


@needs_swipl
def test_scasp_has_only_what_s_casp_has(tmp_path):
    """No directive, no negated comparison, ASCII: SWI-Prolog reads each clause and looks at its goals."""
    exception = Rule(None, (Literal("Fare", Op.NOT_GT, -5.0), Literal("Sex", Op.NE, "é")))
    clf = model(Rule("0", (CHEAP, FEMALE, Literal("Sex", Op.NE, None)), (exception,)))
    text = to_prolog(clf, "scasp") + prolog_facts(clf, X, "scasp")
    assert text.isascii()
    assert text.splitlines()[:5] == [
        "survived(X,'0') :- row(X), not at_most(X,fare,23.25), sex(X,'female'), "
        "not sex(X,category(missing)), not ab1(X,'True').",
        "survived(X,'1') :- row(X), not survived(X,'0').",
        "ab1(X,'True') :- row(X), not above(X,fare,-5.0), not sex(X,'\\xe9\\').",
        "at_most(X,fare,23.25) :- fare(X,N1), N1=<23.25.",
        "above(X,fare,-5.0) :- fare(X,N1), N1> -5.0.",
    ]
    checker = """
:- op(700, fx, not).
goal((A, B)) :- !, goal(A), goal(B).
goal(not A) :- !, user_atom(A).
goal(A =< B) :- !, var(A), float(B).
goal(A > B) :- !, var(A), float(B).
goal(A) :- user_atom(A).
user_atom(A) :- compound(A), functor(A, N, _), \\+ memberchk(N, [not, (:-), ',', (=<), (>)]).
clause_is_fine((H :- B)) :- !, user_atom(H), goal(B).
clause_is_fine(H) :- user_atom(H).
all_fine(File) :- open(File, read, S), repeat, read_term(S, T, [variable_names(_)]),
    ( T == end_of_file -> !, close(S) ; clause_is_fine(T) -> fail ; !, print(bad(T)) ).
"""
    (tmp_path / "scasp.pl").write_text(text)
    assert run_swipl(checker, f"all_fine('{tmp_path / 'scasp.pl'}'), write(end)", tmp_path) == "end"


@needs_swipl
def test_scasp_gives_the_same_answers_read_as_prolog(tmp_path):
    exception = Rule(None, (Literal("Fare", Op.NOT_GT, 25.0), FEMALE))
    known, unknown = Literal("Sex", Op.NE, None), Literal("Sex", Op.EQ, None)
    clf = model(Rule("0", (CHEAP, known), (exception,)), Rule("0", (unknown,)))
    assert by_swipl(clf, X, tmp_path, "scasp") == by_swipl(clf, X, tmp_path) == clf.predict(X).tolist()
    assert "fare(2," not in prolog_facts(clf, X, "scasp")


def test_labels_and_styles_that_cannot_be():
    with pytest.raises(ValueError, match="which is not a character and cannot be written as Prolog"):
        to_prolog(model(Rule("\ud800", (FEMALE,)), classes=("0", "\ud800"), default="0"))
    with pytest.raises(ValueError, match="style must be 'swi' or 'scasp', got 'gnu'"):
        to_prolog(model(), "gnu")


def test_other_models():
    with pytest.raises(TypeError, match="HeuristicTreeClassifier has no rules to export"):
        to_prolog(HeuristicTreeClassifier().fit(X, list("0101")))
    with pytest.raises(NotFittedError):
        to_prolog(FoldSEClassifier())
