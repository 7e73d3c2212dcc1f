"""Results as text: programs with what each rule covers, scores, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldse.model.rules import Rule, RuleSet

__all__ = ["Line", "aligned", "model_as_dict", "model_as_text", "program_lines", "scores_text"]


@dataclass(frozen=True, slots=True)
class Line:
    """A rule as it is printed, with what it covers of the rows that it was learned from.

    Attributes
    ----------
    text : str
    kind : str
        rule, exception or default.
    rows : float or None
        Weight of the rows that the rule decides; of an exception, of those that it keeps from its rule. None
        where it is not known.
    right : float or None
        Weight of these rows that are decided, or kept, rightly.
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
            return "not known what it covers"
        rows = f"{_amount(self.rows)} row{'' if self.rows == 1 else 's'}"
        if self.kind == "exception":
            return f"keeps out {rows}, {_percent(self.right, self.rows)} of them rightly"
        return f"{rows} ({_percent(self.rows, total)}), {_percent(self.right, self.rows)} of them right"


def program_lines(rules: RuleSet) -> Iterator[Line]:
    """Yield the lines of a printed program, each rule and exception, and the default."""
    texts = iter(str(rules).splitlines())
    waiting: list[tuple[Rule, Any, bool]] = [(rule, rule.head, False) for rule in rules]
    for rule, head, keeps in waiting:  # grows while it is read, which is the order of the exceptions' numbers
        kind = "rule" if rule.head is not None else "exception"
        yield Line(next(texts), kind, *_covered(rules, rule.support, head, keeps))
        waiting += [(exception, head, not keeps) for exception in rule.exceptions]
    otherwise = f"otherwise {rules.target}(X,{_quoted(rules.default)})"
    yield Line(otherwise, "default", *_covered(rules, rules.default_support, rules.default, False))


def _covered(
    rules: RuleSet, support: tuple[float, ...], head: Any, keeps: bool
) -> tuple[float | None, float | None]:
    if not support:
        return None, None
    rows = sum(support)
    of_label = support[rules.classes.index(head)]
    return rows, rows - of_label if keeps else of_label


def _quoted(label: Any) -> str:
    from foldse.model.literals import quote

    return quote(str(label))


def _total(rules: RuleSet) -> float:
    return sum(sum(support) for support in (*(rule.support for rule in rules), rules.default_support))


def model_as_text(clf: Any) -> str:
    """Return a fitted classifier as a program whose comments tell what each rule covers."""
    if not hasattr(clf, "rules_"):
        leaves = f"{clf.n_leaves_:,} leaves, mean depth {clf.mean_depth_:.1f}"
        return f"{clf.tree_}\n\n% {leaves}; {_tree_right(clf)}"
    rules: RuleSet = clf.rules_
    total = _total(rules)
    lines = list(program_lines(rules))
    parts = []
    for line in lines:
        text = f"% {line.text}:" if line.kind == "default" else f"{line.text}\n%  "
        parts.append(f"{text} {line.comment(total)}")
    counts = f"{_count(rules.n_rules, 'rule')}, {_count(rules.n_predicates, 'literal')}"
    right = sum(line.right or 0 for line in lines if line.kind != "exception")
    if total:
        counts += f"; right on {_percent(right, total)} of the {_amount(total)} rows learned from"
    return "\n".join(parts) + f"\n\n% {counts}"


def _tree_right(clf: Any) -> str:
    supports = [leaf.support for leaf, _ in clf.tree_.leaves()]
    total, right = float(np.sum(supports)), float(sum(support.max() for support in supports))
    return f"right on {_percent(right, total)} of the {_amount(total)} rows learned from"


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


def scores_text(mean: dict[str, float], std: dict[str, float], of: str) -> str:
    """Return scores on one line."""
    names = {"accuracy": "accuracy", "precision": "precision", "recall": "recall", "f1": "F1"}
    parts = [
        f"{names[metric]} {value:.3f}" + (f" +/- {std[metric]:.3f}" if std else "")
        for metric, value in mean.items()
    ]
    return f"{parts[0]}; of {of}: {', '.join(parts[1:])}"


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


def _amount(weight: float) -> str:
    return f"{int(weight):,}" if weight == int(weight) else f"{weight:,.6g}"


def _percent(part: float, whole: float) -> str:
    if not whole:
        return "none"
    text = f"{100 * part / whole:.1f}"
    if text == "100.0" and part < whole:
        text = "99.9"  # not all of them
    return f"{text} %"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
