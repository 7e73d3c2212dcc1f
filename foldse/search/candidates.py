"""Candidate literals, and the order in which ties between them are broken.

The candidate with the largest score is taken, and of equal scores the first:

1. features in the order of the encoded table (see `foldse.search.ties`);
2. in a feature ascending codes, which are thresholds ascending, then categories in sorted order (see
   `foldse.reading.encoding`), or from the last to the first where `EncodedTable.last_first` says so;
3. at a code the operators in the order of `foldse.model.literals.Op`: ``<=``, ``not<=``, ``>``, ``not>`` of
   a threshold, ``=``, ``!=`` of a category.

Within a feature the kernels go through the candidates in this order, and only a larger score replaces the
best (`foldse.search.split_scores.improve_on`). Features are searched in any order: `wins` decides between
them, and a bound that an equal candidate of an earlier feature has to pass is taken `just_below`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from foldse.model.literals import Op
from foldse.reading.encoding import EncodedTable
from foldse.runtime.kernels import kernel

__all__ = [
    "ALL_OPS",
    "BASIC_OPS",
    "EQ",
    "GT",
    "LE",
    "OPS",
    "Candidate",
    "bits_of",
    "blocked_by",
    "blocked_from_start",
    "just_below",
    "none_above",
    "wins",
]

OPS: Final = tuple(Op)  # the kernels know an operator by its position here
LE: Final = OPS.index(Op.LE)  # the complement of each of these is the next operator
GT: Final = OPS.index(Op.GT)
EQ: Final = OPS.index(Op.EQ)


def bits_of(ops: Iterable[Op]) -> int:
    """Return comparisons as the kernels know several: a bit for the position of each in `OPS`."""
    return sum(1 << OPS.index(op) for op in set(ops))


ALL_OPS: Final = bits_of(OPS)
BASIC_OPS: Final = bits_of((Op.LE, Op.GT, Op.EQ, Op.NE))  # FOLD-R++'s


class Candidate(NamedTuple):
    """A literal in terms of codes, and its score.

    Attributes
    ----------
    score : float
    feature, code : int
        Code of the value that the feature is compared with.
    op : int
        Position in `OPS`; -1 where there is no literal, and the score is what one had to beat.
    """

    score: float
    feature: int
    code: int
    op: int


def blocked_by(position: int, op: Op | None = None) -> tuple[int, ...]:
    """Return which comparisons a used literal blocks, in its rule and in the exceptions below it.

    Parameters
    ----------
    position : int
        Of the value that it compares with, among the codes of all features (`EncodedTable.offsets`).
    op : Op, optional
        Its comparison. That one and its negation are blocked; by default all comparisons with the value.

    Returns
    -------
    tuple of int
        The position for ``<=``, ``=`` and their negations, its bitwise complement for ``>`` and its negation.

    Notes
    -----
    Where all examples have a number, ``>`` is the negation of ``<=``, and is not searched beside it.
    """
    if op is None:
        return position, ~position
    return (~position,) if op in (Op.GT, Op.NOT_GT) else (position,)


def blocked_from_start(table: EncodedTable) -> tuple[int, ...]:
    """Return the comparisons with infinite numbers, see `blocked_by`."""
    return tuple(comparison for position in table.infinities() for comparison in blocked_by(position))


@kernel
def none_above(score):
    """Return the candidate that stands for no literal.

    Parameters
    ----------
    score : float
        What a literal has to beat.

    Returns
    -------
    Candidate
    """
    return Candidate(float(score), -1, -1, -1)


@kernel
def wins(candidate, other):
    """Return whether a candidate is taken rather than one of another feature.

    Parameters
    ----------
    candidate, other : Candidate

    Returns
    -------
    bool
    """
    return candidate.score > other.score or (
        candidate.score == other.score and candidate.feature < other.feature
    )


@kernel
def just_below(score):
    """Return the bound that an equal score passes.

    Parameters
    ----------
    score : float

    Returns
    -------
    float
    """
    return np.nextafter(score, -np.inf)
