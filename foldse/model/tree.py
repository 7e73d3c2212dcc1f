"""The paper's decision tree: what it is, evaluates to, and prints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldse.model.literals import Literal, printable
from foldse.model.rule import Table, literal_holds

__all__ = ["Node", "Tree"]


@dataclass  # without slots, which skops cannot save
class Node:
    """A node of a tree; a leaf if it has no literal.

    Attributes
    ----------
    support : numpy.ndarray of float64, shape (n_classes,)
        Weight of the training rows of each class that reach the node.
    literal : Literal or None
    yes, no : Node or None
        Where rows go that satisfy the literal, and those that do not.
    """

    support: np.ndarray
    literal: Literal | None = None
    yes: Node | None = None
    no: Node | None = None


@dataclass(frozen=True, slots=True)
class Tree:
    """A decision tree.

    Attributes
    ----------
    root : Node
    classes : tuple
    """

    root: Node
    classes: tuple[Any, ...]

    def leaves(self) -> Iterator[tuple[Node, int]]:
        """Yield every leaf with its depth, the root being at depth 1; from left to right."""
        stack = [(self.root, 1)]
        while stack:
            node, depth = stack.pop()
            if node.literal is None:
                yield node, depth
            else:
                assert node.yes is not None
                assert node.no is not None
                stack.append((node.no, depth + 1))
                stack.append((node.yes, depth + 1))

    @property
    def features(self) -> frozenset[str]:
        """Names of the features that the tree looks at."""
        found: set[str] = set()
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node.literal is not None:
                found.add(node.literal.feature)
                stack += [node.yes, node.no]  # type: ignore[list-item]
        return frozenset(found)

    def paths(self) -> Iterator[tuple[Node, tuple[Literal, ...]]]:
        """Yield every leaf with the literals that lead to it, from left to right.

        A literal is negated where the path goes to its `no`.
        """
        stack: list[tuple[Node | None, tuple[Literal, ...]]] = [(self.root, ())]
        while stack:
            node, path = stack.pop()
            assert node is not None
            if node.literal is None:
                yield node, path
            else:
                stack.append((node.no, (*path, node.literal.negated())))
                stack.append((node.yes, (*path, node.literal)))

    def leaf_of(self, table: Table) -> np.ndarray:
        """Return the number of each row's leaf, counted from left to right, as intp of shape (n_rows,)."""
        leaf_of = np.empty(table.n_rows, dtype=np.intp)
        n_leaves = 0
        stack: list[tuple[Node | None, np.ndarray]] = [(self.root, np.arange(table.n_rows))]
        while stack:
            node, rows = stack.pop()
            assert node is not None
            if node.literal is None:
                leaf_of[rows] = n_leaves
                n_leaves += 1
            else:
                holds = literal_holds(node.literal, table, rows)
                stack += [(node.no, rows[~holds]), (node.yes, rows[holds])]
        return leaf_of

    def shares(self, table: Table) -> np.ndarray:
        """Return, for each row, the share of each class in its leaf, of shape (n_rows, n_classes)."""
        shares = np.array([leaf.support / leaf.support.sum() for leaf, _ in self.leaves()])
        return shares[self.leaf_of(table)]

    def __str__(self) -> str:
        lines = []
        stack: list[tuple[str, Node | None]] = [("", self.root)]
        while stack:
            indent, node = stack.pop()
            if node is None:
                lines.append(f"{indent}else")
            elif node.literal is None:
                lines.append(f"{indent}{printable(str(self.classes[int(np.argmax(node.support))]))}")
            else:
                lines.append(f"{indent}if {node.literal}")
                stack += [(indent + "    ", node.no), (indent, None), (indent + "    ", node.yes)]
        return "\n".join(lines)
