"""Results as text: programs with the coverage of each rule, scores, tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from foldse.cli.messages import count
from foldse.cli.scoring import Scores
from foldse.model.lines import ProgramLine, percent
from foldse.model.literals import quote
from foldse.model.rules import RuleSet

__all__ = ["aligned", "label_text", "model_as_dict", "model_as_text", "scores_text"]


def line_as_dict(line: ProgramLine, total: float) -> dict[str, Any]:
    """Return a line of a program as plain values, with coverage and precision as shares."""
    known = line.covered is not None and line.correct is not None
    return {
        "text": line.text,
        "kind": line.kind,
        "rows": line.covered,
        "coverage": line.covered / total if known and total else None,  # type: ignore[operator]
        "precision": line.correct / line.covered if known and line.covered else None,  # type: ignore[operator]
        "confidence": None if line.confidence is None else asdict(line.confidence),
    }


def comment(line: ProgramLine, total: float) -> str:
    """Return what a line of a program covers, in words."""
    if line.covered is None or line.correct is None:
        return "coverage unknown"
    sure = "" if line.confidence is None else f", confidence {line.confidence}"
    rows, correctly = count(line.covered, "row"), percent(line.correct, line.covered) or "undefined"
    if line.kind == "exception":
        return f"excludes {rows}, {correctly} correctly"
    return f"covers {rows} ({percent(line.covered, total)}), precision {correctly}{sure}"


def label_text(label: Any) -> str:
    """Return a label as programs print it."""
    return quote(str(label))


def _total(lines: Sequence[ProgramLine]) -> float:
    return sum(line.covered or 0 for line in lines if line.kind != "exception")


def model_as_text(clf: Any) -> str:
    """Return a fitted classifier as a program whose comments say what each rule covers."""
    if not hasattr(clf, "rules_"):
        supports = [leaf.support for leaf, _ in clf.tree_.leaves()]
        right, total = sum(float(support.max()) for support in supports), float(np.sum(supports))
        leaves = f"{count(clf.n_leaves_, 'leaf', 'leaves')}, mean depth {clf.mean_depth_:.1f}"
        return f"{clf.tree_}\n\n% {leaves}; {_accuracy(right, total)}"
    rules: RuleSet = clf.rules_
    lines = list(rules.lines())
    total = _total(lines)
    parts = []
    for line in lines:
        text = f"% {line.text}:" if line.kind == "default" else f"{line.text}\n%  "
        parts.append(f"{text} {comment(line, total)}")
    counts = f"{count(rules.n_rules, 'rule')}, {count(rules.n_predicates, 'predicate')}"
    if total:
        correct = sum(line.correct or 0 for line in lines if line.kind != "exception")
        counts += f"; {_accuracy(correct, total)}"
    return "\n".join(parts) + f"\n\n% {counts}"


def _accuracy(right: float, total: float) -> str:
    return f"training accuracy {percent(right, total)} ({count(total, 'row')})"


def model_as_dict(clf: Any) -> dict[str, Any]:
    """Return what is printed of a fitted classifier as plain values."""
    if not hasattr(clf, "rules_"):
        return {"tree": str(clf.tree_), "n_leaves": clf.n_leaves_, "mean_depth": clf.mean_depth_}
    rules: RuleSet = clf.rules_
    lines = list(rules.lines())
    return {
        "rules": [line_as_dict(line, _total(lines)) for line in lines],
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
