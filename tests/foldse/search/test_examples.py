"""Examples: what becomes of rows, weights and histograms as they are partitioned and swapped."""

import numpy as np
import pytest

from foldse.model.literals import Op
from foldse.search.examples import CodeLiteral, Examples, SearchOptions
from foldse.search.histogram_layout import HistogramLayout
from foldse.search.workspace import Workspace
from tests.foldse.search import by_hand

OPTIONS = SearchOptions("magic_gini", negated_thresholds=True)
# Codes of one number feature and one of categories; rows 0 to 4 are positive, 5 to 9 negative.
TABLE = by_hand.table([0, 1, 1, 2, 3, 0, 0, 2, 3, 3], [0, 1, 1, 1, 0, 0, 0, 0, 1, 0], numeric=[4, 0])
WEIGHTS = np.array([1, 2, 1, 1, 3, 1, 1, 2, 1, 1])


def examples(weights=None):
    workspace = Workspace(TABLE, weights is not None, HistogramLayout.from_table(TABLE, None))
    positive, negative = by_hand.rows(0, 1, 2, 3, 4), by_hand.rows(5, 6, 7, 8, 9)
    return Examples(TABLE, positive, negative, weights, workspace)


def counted(found):
    """Return the counts of the positives and of the negatives, by code, after a search."""
    found.best_literal(OPTIONS, ())
    counts = found.histograms()[0]
    known = found._workspace.layout.features
    parts = [slice(k.start, k.start + k.n_codes) for k in known]
    rows = (found._positive_row, 1 - found._positive_row)
    return [[counts[row, part].tolist() for part in parts] for row in rows]


def expected(found, weights):
    """Return the same by counting all rows."""
    weights = np.ones(10, dtype=int) if weights is None else weights
    return [
        [
            np.bincount(TABLE.codes(f)[side], weights[side], TABLE.offsets[f + 1] - TABLE.offsets[f]).tolist()
            for f in range(2)
        ]
        for side in (found.positive, found.negative)
    ]


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_the_best_literal_by_hand(weights):
    # What is not category 0 holds for 3 of 5 positives and 1 of 5 negatives, and so does category 1, which
    # comes after it; by weight for 5 of 8 and 1 of 6.
    assert examples(weights).best_literal(OPTIONS, ()) == CodeLiteral(1, 0, Op.NE)
    assert examples(weights).best_literal(OPTIONS, [4]) == CodeLiteral(1, 1, Op.EQ)
    assert examples(weights).best_literal(OPTIONS, range(6)) is None


@pytest.mark.parametrize("weights", [None, WEIGHTS])
@pytest.mark.parametrize("last_use", [False, True])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    "literal", [CodeLiteral(0, 0, Op.LE), CodeLiteral(0, 0, Op.NOT_LE), CodeLiteral(1, 1, Op.EQ)]
)
def test_a_subset_has_the_histograms_of_its_rows(weights, last_use, swapped, literal):
    """Whether fewer rows are kept or left out, and whether the parent's histograms may be overwritten."""
    whole = examples(weights)
    assert counted(whole) == expected(whole, weights)
    part = whole.subset(literal, last_use)
    kept = sorted([*part.positive, *part.negative])
    if swapped:
        part = part.swap_classes()
    assert counted(part) == expected(part, weights)
    assert sorted([*part.positive, *part.negative]) == kept
    if not last_use:
        assert counted(whole) == expected(whole, weights)


def test_weights_and_rows_after_each_step():
    whole = examples(WEIGHTS)
    assert (whole.n_rows, whole.n_positive, whole.n_negative) == (10, 8, 6)
    inside, outside = whole.split(CodeLiteral(0, 2, Op.GT))
    assert (inside.positive.tolist(), inside.negative.tolist()) == ([4], [8, 9])
    assert (outside.positive.tolist(), outside.negative.tolist()) == ([0, 1, 2, 3], [5, 6, 7])
    assert (inside.n_positive, inside.n_negative) == (3, 2)
    swapped = inside.swap_classes()
    assert (swapped.n_positive, swapped.n_negative, swapped.positive.tolist()) == (2, 3, [8, 9])


@pytest.mark.parametrize("weights", [None, WEIGHTS])
def test_covered_positives_are_taken_away(weights):
    whole = examples(weights)
    counted(whole)
    rest = whole.without_covered(2)
    assert (rest.positive.tolist(), rest.negative.tolist()) == ([2, 3, 4], [5, 6, 7, 8, 9])
    assert counted(rest) == expected(rest, weights)
    assert counted(rest.swap_classes()) == expected(rest.swap_classes(), weights)


def test_what_exceptions_cover_is_subtracted():
    positive, negative = examples().subtract([by_hand.rows(3, 0), by_hand.rows(2)], 2)
    assert (positive.tolist(), negative.tolist()) == ([1, 4], [7, 8, 9])


@pytest.mark.parametrize("n_rows", [0, 1])
def test_of_a_feature_with_far_more_bins_than_rows_only_what_occurs_is_read(n_rows):
    """One bin a row too many: the same literal without its histogram."""
    table = by_hand.table([0] * 5 + [31 + n_rows + 30] * 5)
    workspace = Workspace(table, False)
    few = Examples(table, by_hand.rows(0), by_hand.rows(9), None, workspace)
    assert few.best_literal(OPTIONS, ()) == CodeLiteral(0, 0, Op.LE)
    counts, _ = few.histograms()
    assert counts.any() == (62 + n_rows <= 64)
