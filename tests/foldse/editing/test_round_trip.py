"""What a program prints reads back as the program, whatever was learned."""

import re
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from experiments.data.config import DataError
from foldse import FoldRPPClassifier, FoldSEClassifier, parse_rules
from tests.foldse.test_paper import HAVE_DATA, ROOT, dataset, roles

from .tables import nasty_tables

KINDS = st.sampled_from(
    [
        lambda **roles: FoldSEClassifier(tail=0, **roles),
        lambda **roles: FoldSEClassifier(tail=1, ratio=2, ties="service", blocking="comparison", **roles),
        lambda **roles: FoldRPPClassifier(**roles),
    ]
)


def learned(make, table):
    X, y, categorical = table
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return make(categorical_features=categorical).fit(X, y)


@settings(max_examples=150)
@given(KINDS, nasty_tables())
def test_print_parse_print(make, table):
    clf = learned(make, table)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of learned rules none is doubted
        for rules, like in ((clf.rules_, clf), (clf.rules_, clf.rules_), (clf.raw_rules_, clf.raw_rules_)):
            for text in (str(rules), rules.to_text()):
                again = parse_rules(text, like)
                assert again == rules
                assert str(again) == str(rules)
                assert all(rule.origin == "learned" for rule in again)
        edited = clf.with_rules(str(clf.rules_))
    assert edited.predict(table[0]).tolist() == clf.predict(table[0]).tolist()
    assert edited.predict_proba(table[0]).tolist() == clf.predict_proba(table[0]).tolist()


@settings(max_examples=60)
@given(KINDS, nasty_tables(), st.randoms(use_true_random=False))
def test_space_comments_variables_and_the_order_of_exceptions_do_not_matter(make, table, random):
    rules = learned(make, table).rules_
    lines = str(rules).split("\n") if len(rules) else []
    tops = [line for line in lines if not re.match(r"ab\d+\(", line)]
    others = [line for line in lines if re.match(r"ab\d+\(", line)]
    random.shuffle(others)
    for line in others:  # anywhere among the rules
        tops.insert(random.randint(0, len(tops)), line)
    text = ""
    for line in tops:
        for piece in re.split(r"('(?:\\x\w+\\|\\.|[^'])*'|\"(?:\\x\w+\\|\\.|[^\"])*\")", line):
            if not piece.startswith(("'", '"')):
                piece = re.sub(r"\bN(\d+)", r"_Value\1", piece)
                piece = re.sub(r"\bX\b", "Row", piece).replace("=<", random.choice([" <= ", "=<", "\n=<\t"]))
                piece = re.sub(
                    r"([(),])", lambda sign: random.choice(["", " ", "\n % it's, \"\n"]) + sign[0], piece
                )
            text += piece
        text += random.choice(["", "\r\n", "% the end"]) + "\n"
    again = parse_rules(text, rules)
    assert again == rules


@settings(max_examples=60)
@given(KINDS, nasty_tables(), st.booleans())
def test_coverage_counted_anew_on_the_training_rows_is_that_of_learning(make, table, weighted):
    X, y, categorical = table
    weights = [1.0 + row % 3 for row in range(len(y))] if weighted else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = make(categorical_features=categorical).fit(X, y, weights)
    again = clf.remeasure(X, y, weights)
    assert [rule.support for rule in again.rules_] == [rule.support for rule in clf.rules_]
    assert again.rules_.default_support == clf.rules_.default_support


DATASETS = sorted(path.stem for path in (ROOT / "conf" / "dataset").glob("*.yaml"))


@pytest.mark.data
@HAVE_DATA
@pytest.mark.parametrize("kind", [FoldSEClassifier, FoldRPPClassifier])
@pytest.mark.parametrize("name", DATASETS)
def test_programs_of_the_papers_data(name, kind):
    try:
        data = dataset(name)
    except DataError as error:
        pytest.skip(str(error))  # a file that cannot be had from everywhere
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        clf = kind(pos_label=data.positive, **roles(data)).fit(data.X, data.y)
    for rules, like in ((clf.rules_, clf), (clf.rules_, clf.rules_), (clf.raw_rules_, clf.raw_rules_)):
        again = parse_rules(str(rules), like)
        assert again == rules
        assert str(again) == str(rules)
    edited = clf.with_rules(clf.rules_.to_text())
    assert (edited.predict(data.X) == clf.predict(data.X)).all()
