"""Programs changed after learning: what they predict, what is kept, and what is counted anew."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import (
    Confidence,
    FoldRPPClassifier,
    FoldSEClassifier,
    Literal,
    Op,
    Rule,
    RuleSyntaxError,
    load_model,
    parse_rules,
)
from foldse.export import to_json
from foldse.persistence import from_json
from foldse.strict_json import ModelFileError
from tests import naive
from tests.tables import as_naive, frame, mixed_tables

X = pd.DataFrame(
    {"kind": list("bbbbbbfffmm"), "home": list("aabbicswswl"), "kg": [1.0, 2, 3, 9, 9, 8, 1, 2, 3, 4, 5]}
)
Y = pd.Series(["yes"] * 4 + ["no"] * 7, name="flies")
CLF = FoldSEClassifier(pos_label="yes", tail=0).fit(X, Y)
PROGRAM = """
flies(X,'no') :- kind(X,'f').
flies(X,'yes') :- kind(X,'b'), not ab1(X,'True').
flies(X,'no') :- kg(X,N1), N1>4.0.
ab1(X,'True') :- kg(X,N1), N1>7.0, not ab2(X,'True').
ab2(X,'True') :- home(X,'b'), kg(X,N1), N1>8.0.
"""


def test_the_classifier_itself_stays_as_it_is():
    before = to_json(CLF)
    edited = CLF.with_rules(PROGRAM, default="yes")
    edited.remeasure(X, Y)
    assert to_json(CLF) == before
    assert CLF.n_rules_ == CLF.rules_.n_rules


def test_another_program():
    edited = CLF.with_rules(PROGRAM)
    assert edited.predict(X).tolist() == ["yes"] * 4 + ["no"] * 7
    assert (edited.n_rules_, edited.n_predicates_) == (5, 6)
    assert (edited.n_rules_raw_, edited.n_predicates_raw_) == (5, 6)
    assert edited.raw_rules_ == edited.rules_
    assert edited.rules_.default == "no"
    assert edited.predict_proba(X[:1]).tolist() == [[0.5, 0.5]]  # nothing was counted
    assert "exception ab2" in str(edited.explain(X)[5])
    assert edited.counterfactual(X.iloc[0]).prediction == "no"
    row = pd.DataFrame({"kind": ["?"], "home": ["?"], "kg": [0.0]})
    assert edited.predict(row).tolist() == ["no"]
    assert CLF.with_rules(PROGRAM, default="yes").predict(row).tolist() == ["yes"]
    assert CLF.with_rules("").predict(X).tolist() == ["no"] * 11


def test_coverage_counted_anew():
    edited = CLF.with_rules(PROGRAM).remeasure(X, Y)
    first, second, third = edited.rules_
    (ab,) = second.exceptions
    # Of classes no and yes. Six rows are b and reach the second rule. Three of these weigh more than 7, of
    # which one lives on b and so is none of its exception's.
    assert first.support == (3.0, 0.0)
    assert second.support == (0.0, 4.0)
    assert ab.support == (2.0, 0.0)
    assert ab.exceptions[0].support == (0.0, 1.0)
    assert third.support == (3.0, 0.0)  # both that ab1 withholds, and one of m
    assert edited.rules_.default_support == (1.0, 0.0)
    assert edited.predict_proba(X[:1]).tolist() == [[1 / 6, 5 / 6]]
    weights = np.where(X["kind"] == "b", 0.5, 2.0)
    weighted = CLF.with_rules(PROGRAM).remeasure(X, Y, weights).rules_
    assert [rule.support for rule in weighted] == [(6.0, 0.0), (0.0, 2.0), (3.0, 0.0)]
    assert weighted.default_support == (2.0, 0.0)
    balanced = FoldSEClassifier(pos_label="yes", class_weight={"no": 3}).fit(X, Y).with_rules(PROGRAM)
    assert balanced.remeasure(X, Y).rules_[0].support == (9.0, 0.0)


@settings(max_examples=60)
@given(mixed_tables(labels=("a", "b", "c")), st.data())
def test_coverage_is_that_of_the_oracle(table, data):
    rows, y = table
    literals = [(f, op, v) for f, op, v in naive.candidates(rows, naive.FULL)]
    if not literals:
        return

    def rule(head, depth):
        body = data.draw(st.lists(st.sampled_from(literals), min_size=1, max_size=2))
        below = [rule(None, depth + 1) for _ in range(data.draw(st.integers(0, 2)) if depth < 2 else 0)]
        return Rule(head, tuple(Literal(f"x{f}", Op(op), v) for f, op, v in body), tuple(below))

    rules = tuple(rule(data.draw(st.sampled_from("abc")), 0) for _ in range(data.draw(st.integers(0, 3))))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = FoldSEClassifier().fit(frame(rows), y).with_rules(rules).remeasure(frame(rows), y)

    def count(chosen):
        return tuple(float(sum(label == c for _, label in chosen)) for c in "abc")

    def check(part, reaching):
        literals, _ = as_naive(part)
        assert part.support == count([x for x in reaching if naive.covers(as_naive(part), x[0])])
        inside = [x for x in reaching if all(naive.holds(literal, x[0]) for literal in literals)]
        for exception in part.exceptions:
            check(exception, inside)

    left = list(zip(rows, y, strict=True))
    for part in clf.rules_:
        check(part, left)
        left = [x for x in left if not naive.covers(as_naive(part), x[0])]
    assert clf.rules_.default_support == count(left)


RULES = [
    "flies(X,'no') :- kind(X,'f').",
    "flies(X,'yes') :- kind(X,'b').",
    "flies(X,'no') :- kg(X,N1), N1>4.0.",
]
BASE = CLF.with_rules("\n".join(RULES))
NEW = "flies(X,'no') :- home(X,'i')."


def lines(clf):
    return str(clf.rules_).splitlines()


def test_rules_are_added_dropped_replaced_and_reordered():
    a, b, c = RULES
    assert lines(BASE.add_rules(NEW)) == [a, b, c, NEW]
    assert lines(BASE.add_rules(NEW, 0)) == [NEW, a, b, c]
    assert lines(BASE.add_rules([NEW, BASE.rules_[0]], position=1)) == [a, NEW, a, b, c]
    assert lines(BASE.add_rules([], 1)) == RULES
    assert lines(BASE.drop_rules(0, 2)) == [b]
    assert lines(BASE.drop_rules()) == RULES
    assert lines(BASE.replace_rule(1, NEW)) == [a, NEW, c]
    assert lines(BASE.replace_rule(2, f"{NEW}\n{b}")) == [a, b, NEW, b]
    assert lines(BASE.reorder_rules([2, 0, 1])) == [c, a, b]
    assert lines(BASE.reorder_rules(np.array([0, 1, 2]))) == RULES


def test_rules_may_be_formin_any_form():
    rule = Rule("no", (Literal("home", Op.EQ, "i"),))
    as_json = {"head": "no", "body": [["home", "=", "i"]]}
    for form in (NEW, rule, [rule], as_json, [as_json], iter([NEW]), parse_rules(NEW, CLF), (rule,)):
        edited = BASE.with_rules(form)
        assert edited.rules_.rules == (rule,)
        assert edited.rules_[0].origin == "edited"
    assert BASE.add_rules(Rule("no", rule.body, origin="expert")).rules_[-1].origin == "expert"
    saved = json.loads(to_json(CLF))
    assert CLF.with_rules(saved["rules"]).rules_ == CLF.rules_


def test_what_was_learned_is_kept_up_to_the_first_change():
    clf = FoldRPPClassifier().fit(X, ["yes", "no", "maybe"] * 3 + ["no", "yes"])
    assert len(clf.rules_) >= 2
    same = clf.with_rules(str(clf.rules_))
    assert to_json(same) == to_json(clf)
    added = clf.add_rules("target(X,'no') :- home(X,'i').")
    supports = [rule.support for rule in clf.rules_]
    assert [rule.support for rule in added.rules_] == [*supports, ()]
    assert [rule.origin for rule in added.rules_] == ["learned"] * len(supports) + ["edited"]
    assert added.rules_.default_support == ()
    first = clf.add_rules("target(X,'no') :- home(X,'i').", 0)
    assert [rule.support for rule in first.rules_] == [()] * (len(supports) + 1)
    assert {part.support for rule in first.rules_ for part in rule.parts()} == {()}
    assert [rule.origin for rule in first.rules_] == ["edited"] + ["learned"] * len(supports)
    moved = clf.reorder_rules(range(len(supports))[::-1])
    assert {rule.origin for rule in moved.rules_} == {"learned"}
    other = clf.with_rules(clf.rules_, default="yes")
    assert (other.rules_.default, other.raw_rules_.default) == ("yes", "yes")
    assert other.rules_.default_support == clf.rules_.default_support


@pytest.mark.parametrize("count", [False, True])
def test_an_edited_model_is_saved_and_read(tmp_path, count):
    edited = CLF.with_rules(PROGRAM).add_rules(Rule("no", (Literal("kg", Op.GT, 3.5),), origin="expert"), 0)
    edited = edited.remeasure(X, Y) if count else edited
    edited.save(tmp_path / "model.json")
    again = load_model(tmp_path / "model.json")
    assert again.rules_ == edited.rules_
    parts = [[part for rule in clf.rules_ for part in rule.parts()] for clf in (again, edited)]
    assert [(x.support, x.origin) for x in parts[0]] == [(x.support, x.origin) for x in parts[1]]
    assert again.rules_.default_support == edited.rules_.default_support
    assert again.predict_proba(X).tolist() == edited.predict_proba(X).tolist()
    document = json.loads(to_json(edited))
    assert [rule.get("origin") for rule in document["rules"]] == ["expert", "edited", "edited", "edited"]
    assert ("default_support" in document) is count
    jsonschema = pytest.importorskip("jsonschema")
    from tests.foldse.test_persistence import check

    check(to_json(edited))
    document["rules"][0]["origin"] = "me"
    with pytest.raises(jsonschema.ValidationError):
        check(json.dumps(document))
    with pytest.raises(
        ModelFileError, match=r"rules\[0\].origin is 'me'; it must be one of learned, expert, edited"
    ):
        from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: CLF.with_rules("flies(X,'no') :- kid(X,'f')."),
            RuleSyntaxError,
            "line 1, column 18: .*'kind'",
        ),
        (lambda: BASE.add_rules(Rule("maybe", BASE.rules_[0].body)), ValueError, "'maybe' is not a label"),
        (
            lambda: BASE.add_rules(Rule(None, BASE.rules_[0].body)),
            ValueError,
            "only an exception has no head",
        ),
        (lambda: BASE.with_rules(NEW, default="maybe"), ValueError, "'maybe' is not a label"),
        (lambda: BASE.add_rules(NEW, 4), ValueError, "position is 4; it must be 0 to 3"),
        (lambda: BASE.replace_rule(3, NEW), ValueError, "position is 3; it must be 0 to 2"),
        (lambda: BASE.drop_rules(-1), ValueError, "position is -1; it must be 0 to 2"),
        (lambda: BASE.drop_rules(True), ValueError, "position is True"),
        (lambda: BASE.with_rules("").drop_rules(0), ValueError, "position is 0; there are no rules"),
        (
            lambda: BASE.reorder_rules([0, 1]),
            ValueError,
            r"order is \[0, 1\]; it must name each of the 3 rules once",
        ),
        (lambda: BASE.reorder_rules([0, 1, 1]), ValueError, "each of the 3 rules once"),
        (lambda: BASE.remeasure(X, Y[:3]), ValueError, "X has 11 rows and y has 3"),
        (
            lambda: BASE.remeasure(X, ["maybe"] * 11),
            ValueError,
            "y has a label that the model does not know: 'maybe'",
        ),
        (
            lambda: BASE.remeasure(X, [True] * 11),
            ValueError,
            "y has a label that the model does not know: True",
        ),
        (lambda: BASE.remeasure(X[["kind"]], Y), ValueError, "X is missing 1 of the 3 columns"),
        (lambda: FoldSEClassifier().with_rules(NEW), ValueError, "not fitted"),
    ],
)
def test_errors(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_a_rule_that_covers_a_learned_one_is_warned_of():
    with pytest.warns(UserWarning, match="never decides a row: rule 1 comes before it") as caught:
        BASE.add_rules("flies(X,'no') :- not kind(X,'m').", 0)
    assert {warning.filename for warning in caught} == {__file__}


def test_confidence_is_counted_anew_and_one_that_was_set_stays():
    X = pd.DataFrame({"who": ["man"] * 10 + ["woman"] * 10})
    y = ["no"] * 8 + ["yes"] * 2 + ["yes"] * 9 + ["no"]
    rules = [("target(X,'yes') :- who(X,'woman').", 0.9)]
    added = FoldSEClassifier(tail=3, pos_label="yes", expert_rules=rules).fit(X, y)
    added = added.add_rules("target(X,'no') :- who(X,'man').")
    assert [rule.confidence for rule in added.rules_] == [Confidence.given(0.9), None]
    counted = added.remeasure(X, y)
    assert [rule.confidence for rule in counted.rules_] == [Confidence.given(0.9), Confidence.of(8, 10)]
