"""The compiled learners against the plain ones, rule for rule, on random mixed tables."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import FoldRPPClassifier, FoldSEClassifier
from foldse.heuristics import SCORES
from foldse.learning.covering import ClassWeights, Induction, InductionOptions
from foldse.model.literals import Op
from foldse.reading.encoding import encode
from foldse.reading.values import read_columns
from foldse.search.candidates import blocked_by, blocked_from_start
from foldse.search.examples import Examples, SearchOptions
from foldse.search.histogram_layout import HistogramLayout
from foldse.search.rows import split_by_label
from foldse.search.ties import TIES
from foldse.search.workspace import Workspace
from tests import naive
from tests.tables import as_naive, frame, mixed_tables

# An information gain is a sum of logarithms whose last bit may differ between the two, and with it the
# choice between literals that are as good; the other scores are exact on both sides.
LAYOUTS = ("codes", "two bins", "one bin", "nothing")
EXACT = [name for name in SCORES if name != "information_gain"]


def workspace(table, layout, weighted=False):
    """Return one with other histograms: a bin for each code, bins of many numbers, or no bins at all."""
    max_numeric_bins = {"codes": None, "two bins": 2, "one bin": 1, "nothing": 1}[layout]
    other = HistogramLayout.from_table(table, max_numeric_bins)
    if layout == "nothing":
        other.features["start"] = -1
    return Workspace(table, weighted, other)


@pytest.mark.parametrize("heuristic", SCORES)
@pytest.mark.parametrize("ops", [naive.BASIC, naive.FULL], ids=["basic", "full"])
@settings(max_examples=120)
@given(table=mixed_tables(), layout=st.sampled_from(LAYOUTS))
def test_best_literal(heuristic, ops, table, layout):
    rows, labels = table
    encoded = encode(read_columns(frame(rows)))
    is_positive = np.array([y == "yes" for y in labels])
    positive, negative = (np.flatnonzero(x).astype(np.uint32) for x in (is_positive, ~is_positive))
    examples = Examples(encoded, positive, negative, workspace=workspace(encoded, layout))
    options = SearchOptions(heuristic, ops == naive.FULL)
    found = examples.best_literal(options, blocked_from_start(encoded))
    pos = [r for r, y in zip(rows, labels, strict=True) if y == "yes"]
    neg = [r for r, y in zip(rows, labels, strict=True) if y != "yes"]
    expected = naive.best_literal(pos, neg, frozenset(), SCORES[heuristic], ops)
    if expected is None:
        assert found is None
    else:
        literal = encoded.literal(found.feature, found.code, found.op)
        assert (int(literal.feature[1:]), str(literal.op), literal.value) == expected


@pytest.mark.parametrize("heuristic", EXACT)
@settings(max_examples=60)
@given(
    table=mixed_tables(),
    ratio=st.sampled_from([0.0, 0.3, 0.5, 1.0]),
    tail=st.sampled_from([0, 2, 3, 0.1]),
)
def test_foldse(heuristic, table, ratio, tail):
    rows, labels = table
    clf = FoldSEClassifier(ratio=ratio, tail=tail, heuristic=heuristic, pos_label="yes").fit(
        frame(rows), labels
    )
    least = math.floor(tail * len(rows)) if tail < 1 else tail
    expected = naive.fit_binary(rows, labels, "yes", naive.SCORES[heuristic], naive.FULL, ratio, least)
    assert [as_naive(rule) for rule in clf.raw_rules_] == expected


@settings(max_examples=100)
@given(table=mixed_tables(max_rows=40))
def test_foldrpp(table):
    rows, labels = table
    clf = FoldRPPClassifier(pos_label="yes").fit(frame(rows), labels)
    expected = naive.fit_binary(rows, labels, "yes", SCORES["information_gain"], naive.BASIC)
    assert [as_naive(rule) for rule in clf.raw_rules_] == expected


@settings(max_examples=100)
@given(table=mixed_tables(labels=("a", "b", "c"), max_rows=40), tail=st.sampled_from([0, 2]))
def test_more_than_two_classes(table, tail):
    rows, labels = table
    clf = FoldSEClassifier(tail=tail).fit(frame(rows), labels)
    expected = naive.fit_multiclass(rows, labels, naive.magic_gini, naive.FULL, tail=tail)
    assert [(rule.head, as_naive(rule)) for rule in clf.raw_rules_] == expected


@settings(max_examples=60)
@given(table=mixed_tables(max_rows=40), tail=st.sampled_from([2, 4]))
def test_exceptions_left_unpruned(table, tail):
    rows, labels = table
    clf = FoldSEClassifier(tail=tail, pos_label="yes", prune_exceptions=False).fit(frame(rows), labels)
    expected = naive.fit_binary(rows, labels, "yes", naive.magic_gini, naive.FULL, tail=tail, prune=False)
    assert [as_naive(rule) for rule in clf.raw_rules_] == expected


@settings(max_examples=60)
@given(table=mixed_tables(labels=("a", "b", "c"), max_rows=40), stop=st.booleans(), keep=st.booleans())
def test_what_a_rule_removes_and_whether_an_invalid_one_ends_the_list(table, stop, keep):
    rows, labels = table
    removed = "correct" if keep else "all"
    clf = FoldSEClassifier(tail=2, remove_covered=removed, stop_at_invalid=stop).fit(frame(rows), labels)
    expected = naive.fit_multiclass(
        rows, labels, naive.magic_gini, naive.FULL, tail=2, keep_wrong=keep, stop_at_invalid=stop
    )
    assert [(rule.head, as_naive(rule)) for rule in clf.raw_rules_] == expected


@pytest.mark.parametrize("ties", TIES)
@settings(max_examples=60)
@given(table=mixed_tables(max_rows=40), blocking=st.sampled_from(["value", "comparison"]))
def test_ties_and_blocking(ties, table, blocking):
    rows, labels = table
    clf = FoldSEClassifier(tail=0, pos_label="yes", ties=ties, blocking=blocking).fit(frame(rows), labels)
    columns = list(zip(*rows, strict=True))
    order = sorted(range(len(columns)), key=lambda i: any(map(naive.is_number, columns[i])))
    if ties == "columns":
        searched = None
    elif ties == "service":
        searched = [(i, not two_texts(columns[i])) for i in order]
    else:
        searched = [(i, ties == "last_category_first") for i in order]
    key = naive.by_value if blocking == "value" else naive.by_comparison
    expected = naive.fit_binary(rows, labels, "yes", naive.magic_gini, naive.FULL, ties=searched, key=key)
    assert [as_naive(rule) for rule in clf.raw_rules_] == expected


def two_texts(column):
    """Whether a column holds two categories that are no numerals, of which a missing value may be one."""
    categories = {x for x in column if not naive.is_number(x)}
    return len(categories) == 2 and not any(isinstance(x, str) and x.isdecimal() for x in categories)


@settings(max_examples=60)
@given(table=mixed_tables(labels=("a", "b", "c"), max_rows=30))
def test_predictions_and_supports(table):
    rows, labels = table
    clf = FoldSEClassifier(tail=0).fit(frame(rows), labels)
    rules = [(rule.head, as_naive(rule)) for rule in clf.rules_]
    most_frequent = max(sorted(set(labels)), key=labels.count)
    firing = [next((i for i, (_, r) in enumerate(rules) if naive.covers(r, row)), len(rules)) for row in rows]
    heads = [head for head, _ in rules] + [most_frequent]
    assert clf.predict(frame(rows)).tolist() == [heads[i] for i in firing]
    for i, support in enumerate([r.support for r in clf.rules_] + [clf.rules_.default_support]):
        mine = [y for y, f in zip(labels, firing, strict=True) if f == i]
        assert support == tuple(mine.count(c) for c in clf.rules_.classes)
        shares = [(mine.count(c) + 1) / (len(mine) + 3) for c in clf.rules_.classes]
        for row in (r for r, f in enumerate(firing) if f == i):
            assert clf.predict_proba(frame(rows))[row] == pytest.approx(shares)


@settings(max_examples=40)
@given(table=mixed_tables(), order=st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(table, order):
    rows, labels = table
    shuffled = list(zip(rows, labels, strict=True))
    order.shuffle(shuffled)
    first = FoldRPPClassifier(pos_label="yes").fit(frame(rows), labels)
    second = FoldRPPClassifier(pos_label="yes").fit(frame([r for r, _ in shuffled]), [y for _, y in shuffled])
    assert str(first.rules_) == str(second.rules_)


@settings(max_examples=40)
@given(table=mixed_tables(), data=st.data())
def test_an_integer_weight_is_that_many_rows(table, data):
    rows, labels = table
    weights = data.draw(st.lists(st.integers(0, 3), min_size=len(rows), max_size=len(rows)))
    weights[0] = weights[1] = 1
    repeated = [(r, y) for r, y, w in zip(rows, labels, weights, strict=True) for _ in range(w)]
    weighted = FoldSEClassifier(tail=2, pos_label="yes").fit(frame(rows), labels, sample_weight=weights)
    plain = FoldSEClassifier(tail=2, pos_label="yes").fit(
        frame([r for r, _ in repeated]), [y for _, y in repeated]
    )
    assert str(weighted.rules_) == str(plain.rules_)
    assert [r.support for r in weighted.rules_] == [r.support for r in plain.rules_]


def test_negated_thresholds_are_only_foldses():
    rows = [(v,) for v in (1.0, 2.0, 3.0, "x", "y", 4.0)]
    labels = ["no", "no", "yes", "yes", "yes", "yes"]
    foldse = FoldSEClassifier(tail=0, pos_label="yes").fit(frame(rows), labels)
    foldrpp = FoldRPPClassifier(pos_label="yes").fit(frame(rows), labels)
    assert str(foldse.rules_) == "target(X,'yes') :- x0(X,N1), not(N1=<2.0)."
    assert {x.op for rule in foldrpp.rules_ for x in rule.body} <= {Op.LE, Op.GT, Op.EQ, Op.NE}


def many_numbers(n):
    """Return columns of many numbers, where runs are passed over, and a label that depends on them."""
    rng = np.random.default_rng(7)
    signal = rng.normal(size=n)
    columns = {
        "noise": rng.normal(size=n),
        "signal": signal,
        "twin": signal,  # as good: the first wins
        "gaps": np.where(rng.random(n) < 0.2, np.nan, signal + rng.normal(size=n)),
        "ends": np.where(
            rng.random(n) < 0.1, np.inf, np.where(rng.random(n) < 0.1, -np.inf, signal.round(2))
        ),
        "mixed": [f"c{i % 7}" if i % 3 else float(v) for i, v in enumerate(signal + rng.normal(size=n))],
        "ids": [f"id{i}" for i in range(n)],
    }
    is_positive = signal + rng.normal(size=n) / 2 > 0.4
    return pd.DataFrame(columns), is_positive, rng.integers(1, 4, n)


@pytest.mark.parametrize("heuristic", SCORES)
@pytest.mark.parametrize("weighted", [False, True])
def test_the_layout_of_the_histograms_changes_no_literal(heuristic, weighted):
    """The same literals as from a bin for each code."""
    columns, is_positive, weights = many_numbers(3000)
    encoded = encode(read_columns(columns))
    options = SearchOptions(heuristic, negated_thresholds=True)
    programs = []
    for shared in [None, *(workspace(encoded, layout, weighted) for layout in LAYOUTS)]:
        positive, negative = (np.flatnonzero(x).astype(np.uint32) for x in (is_positive, ~is_positive))
        examples = Examples(encoded, positive, negative, weights if weighted else None, shared)
        literals, blocked = [], list(blocked_from_start(encoded))
        for _ in range(6):
            literal = examples.best_literal(options, blocked)
            if literal is None:
                break
            literals.append(literal)
            blocked += blocked_by(int(encoded.offsets[literal.feature]) + literal.code)
            examples = examples.subset(literal)
        programs.append(literals)
        with examples._workspace.lend_code_counts() as counts:
            assert not counts.any()  # or the next search would start from them
    assert len(programs[0]) > 1
    assert programs[1:] == programs[:1] * 4


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ratio", [0.5, 0.9])
def test_a_rule_covers_what_it_fires_on(weighted, ratio):
    """Of the positives that are left exactly these, whatever is counted; and its support is of the same."""
    columns, _, weights = many_numbers(1500)
    signal, noise = columns["signal"].to_numpy(), columns["noise"].to_numpy()
    is_positive = ((signal > 0.4) & (noise < 1.2)) | (noise < -1) | (columns["mixed"] == "c1").to_numpy()
    is_positive ^= np.random.default_rng(2).random(len(signal)) < 0.1
    table = read_columns(columns)
    encoded = encode(table)
    labels = is_positive.astype(np.uint8)
    classes = ClassWeights(labels, 2, weights if weighted else None)
    programs = []
    for layout in LAYOUTS:
        shared = workspace(encoded, layout, weighted)
        options = SearchOptions("magic_gini", True)
        induction = Induction(encoded, classes, options, InductionOptions(ratio, min_cover=4), shared)
        left, found = is_positive.copy(), []
        for rule in induction.rules(induction.examples(*split_by_label(labels, 1))):
            translated = rule.translate(encoded, 1, "yes")
            fires = translated.covers(table)
            assert sorted(rule.covered_positive) == np.flatnonzero(fires & left).tolist()
            assert sorted(rule.covered_negative) == np.flatnonzero(fires & ~is_positive).tolist()
            counts = weights if weighted else np.ones(len(labels), dtype=int)
            assert rule.support.tolist() == [counts[fires & ~is_positive].sum(), counts[fires & left].sum()]
            left &= ~fires
            found.append(translated)
        programs.append(found)
    assert len(programs[0]) > 2
    assert any(exception.exceptions for rule in programs[0] for exception in rule.exceptions)
    assert programs[1:] == programs[:1] * 3
