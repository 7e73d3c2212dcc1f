"""Results as text: programs with the coverage of each rule, scores, tables."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldse.cli.messages import count
from foldse.cli.scoring import Scores
from foldse.model.literals import quote
from foldse.model.rules import Rule, RuleSet

__all__ = [
    "Line",
    "aligned",
    "label_text",
    "model_as_dict",
    "model_as_text",
    "percent",
    "program_lines",
    "scores_text",
]


@dataclass(frozen=True, slots=True)
class Line:
    """A rule as it is printed, with its coverage of the training rows.

    Attributes
    ----------
    text : str
    kind : str
        rule, exception or default.
    rows : float or None
        Weight of the rows that the rule decides, or that the exception excludes from it. None if unknown.
    right : float or None
        Weight of those rows that are decided, or excluded, correctly.
    """

    text: str
    kind: str
    rows: float | None
    right: float | None

    def to_dict(self, total: float) -> dict[str, Any]:
        """Return the line as plain values, with coverage and precision as shares."""
        known = self.rows is not None
        return {
            "text": self.text,
            "kind": self.kind,
            "rows": self.rows,
            "coverage": self.rows / total if known and total else None,  # type: ignore[operator]
            "precision": self.right / self.rows if known and self.rows else None,  # type: ignore[operator]
        }

    def comment(self, total: float) -> str:
        """Return what it covers, in words."""
        if self.rows is None or self.right is None:
            return "coverage unknown"
        rows = count(self.rows, "row")
        if self.kind == "exception":
            return f"excludes {rows}, {percent(self.right, self.rows)} correctly"
        return f"covers {rows} ({percent(self.rows, total)}), precision {percent(self.right, self.rows)}"


def program_lines(rules: RuleSet) -> Iterator[Line]:
    """Yield the lines of a printed program, each rule and exception, and the default."""
    texts = iter(str(rules).splitlines())
    waiting: list[tuple[Rule, Any, bool]] = [(rule, rule.head, False) for rule in rules]
    for rule, head, keeps in waiting:  # grows while it is read, which is the order of the exceptions' numbers
        kind = "rule" if rule.head is not None else "exception"
        yield Line(next(texts), kind, *_covered(rules, rule.support, head, keeps))
        waiting += [(exception, head, not keeps) for exception in rule.exceptions]
    otherwise = f"otherwise {rules.target}(X,{label_text(rules.default)})"
    yield Line(otherwise, "default", *_covered(rules, rules.default_support, rules.default, False))


def _covered(
    rules: RuleSet, support: tuple[float, ...], head: Any, keeps: bool
) -> tuple[float | None, float | None]:
    if not support:
        return None, None
    rows = sum(support)
    of_label = support[rules.classes.index(head)]
    return rows, rows - of_label if keeps else of_label


def label_text(label: Any) -> str:
    """Return a label as programs print it."""
    return quote(str(label))


def _total(rules: RuleSet) -> float:
    return sum(sum(support) for support in (*(rule.support for rule in rules), rules.default_support))


def model_as_text(clf: Any) -> str:
    """Return a fitted classifier as a program whose comments say what each rule covers."""
    if not hasattr(clf, "rules_"):
        supports = [leaf.support for leaf, _ in clf.tree_.leaves()]
        right, total = sum(float(support.max()) for support in supports), float(np.sum(supports))
        leaves = f"{count(clf.n_leaves_, 'leaf', 'leaves')}, mean depth {clf.mean_depth_:.1f}"
        return f"{clf.tree_}\n\n% {leaves}; {_accuracy(right, total)}"
    rules: RuleSet = clf.rules_
    total = _total(rules)
    lines = list(program_lines(rules))
    parts = []
    for line in lines:
        text = f"% {line.text}:" if line.kind == "default" else f"{line.text}\n%  "
        parts.append(f"{text} {line.comment(total)}")
    counts = f"{count(rules.n_rules, 'rule')}, {count(rules.n_predicates, 'predicate')}"
    right = sum(line.right or 0 for line in lines if line.kind != "exception")
    if total:
        counts += f"; {_accuracy(right, total)}"
    return "\n".join(parts) + f"\n\n% {counts}"


def _accuracy(right: float, total: float) -> str:
    return f"training accuracy {percent(right, total)} ({count(total, 'row')})"


def model_as_dict(clf: Any) -> dict[str, Any]:
    """Return what is printed of a fitted classifier as plain values."""
    if not hasattr(clf, "rules_"):
        return {"tree": str(clf.tree_), "n_leaves": clf.n_leaves_, "mean_depth": clf.mean_depth_}
    rules: RuleSet = clf.rules_
    total = _total(rules)
    return {
        "rules": [line.to_dict(total) for line in program_lines(rules)],
        "n_rules": rules.n_rules,
        "n_predicates": rules.n_predicates,
    }


def scores_text(scores: Scores, positive: Any) -> str:
    """Return scores on one line, and on a second one in how many folds some are not defined."""
    names = {"accuracy": "accuracy", "precision": "precision", "recall": "recall", "f1": "F1"}
    parts = []
    for metric, value in scores.mean.items():
        spread = f" +/- {scores.std[metric]:.3f}" if scores.std and not math.isnan(value) else ""
        parts.append(f"{names[metric]} " + ("not defined" if math.isnan(value) else f"{value:.3f}{spread}"))
    of = "mean over the labels" if positive is None else f"label {label_text(positive)}"
    text = f"{parts[0]}; {of}: {', '.join(parts[1:])}"
    if scores.undefined and scores.std:
        left = [f"{names[metric]} in {count(folds, 'fold')}" for metric, folds in scores.undefined.items()]
        text += f"\nnot defined, and left out of the mean: {', '.join(left)}"
    return text


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """Return a table as lines: the first `texts` columns to the left, the others to the right."""
    table = [list(header), *(list(row) for row in rows)]
    widths = [max(len(row[place]) for row in table) for place in range(len(header))]
    lines = []
    for row in table:
        cells = [
            cell.ljust(width) if place < texts else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def percent(part: float, whole: float) -> str:
    """Return a share with one decimal; 100% and 0% are exact."""
    if not whole:
        return "undefined"
    share = 100 * part / whole
    if 0 < part < whole:
        return f"{min(max(share, 0.1), 99.9):.1f}%"
    return f"{share:.0f}%"
