"""Growing the paper's decision tree: binary splits chosen by the same literal search."""

from __future__ import annotations

from typing import Any

import numpy as np

from foldse.model.tree import Node, Tree
from foldse.reading.encoding import EncodedTable
from foldse.search.candidates import blocked_by, blocked_from_start
from foldse.search.examples import CodeLiteral, Examples, SearchOptions
from foldse.search.workspace import Workspace

__all__ = ["grow"]


def grow(
    table: EncodedTable,
    labels: np.ndarray,
    classes: tuple[Any, ...],
    options: SearchOptions,
    weights: np.ndarray | None,
    positive: int | None,
) -> Tree:
    """Grow a tree until every leaf is pure or no literal splits it.

    Parameters
    ----------
    table : EncodedTable
    labels : numpy.ndarray of int, shape (n_rows,)
        Position of each row's class.
    classes : tuple
    options : SearchOptions
    weights : numpy.ndarray of int64 or None
    positive : int or None
        The class whose rows are the positives of the literal search; None takes, at each node, the class
        with the largest weight there (of several the first).

    Returns
    -------
    Tree

    Notes
    -----
    The paper says of its tree only that it has no pruning and the comparisons of FOLD-R++. A literal
    blocks its value below itself; one that sends all rows to one side is no split.
    """
    n_classes = len(classes)

    def support(rows: np.ndarray) -> np.ndarray:
        return np.bincount(
            labels[rows], weights=None if weights is None else weights[rows], minlength=n_classes
        )

    everything = np.arange(table.n_rows, dtype=np.uint32)
    root = Node(support(everything))
    # (node, its rows, the comparisons that are blocked there)
    workspace = Workspace(table, weights is not None)
    stack: list[tuple[Node, np.ndarray, tuple[int, ...]]] = [(root, everything, blocked_from_start(table))]
    while stack:
        node, rows, used = stack.pop()
        if np.count_nonzero(node.support) <= 1:
            continue
        target = int(np.argmax(node.support)) if positive is None else positive
        is_positive = labels[rows] == target
        examples = Examples(table, rows[is_positive], rows[~is_positive], weights, workspace)
        found, sides, used = _first_split(examples, options, used)
        if found is None:
            continue
        inside, outside = sides
        node.literal = table.literal(found.feature, found.code, found.op)
        node.yes, node.no = Node(support(inside)), Node(support(outside))
        stack += [(node.no, outside, used), (node.yes, inside, used)]
    return Tree(root, classes)


def _first_split(
    examples: Examples, options: SearchOptions, used: tuple[int, ...]
) -> tuple[CodeLiteral | None, tuple[np.ndarray, ...], tuple[int, ...]]:
    """Return the best literal that has rows on either side, these rows, and the comparisons blocked since."""
    while True:
        found = examples.best_literal(options, used)
        if found is None:
            return None, (), used
        used = (*used, *blocked_by(int(examples.table.offsets[found.feature]) + found.code))
        sides = tuple(np.sort(np.concatenate((e.positive, e.negative))) for e in examples.split(found))
        if all(len(side) for side in sides):
            return found, sides, used
