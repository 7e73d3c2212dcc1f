"""Results as text: programs with the coverage of each rule, scores, tables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pandas as pd

from foldse.cli.messages import count
from foldse.cli.scoring import Scores
from foldse.model.lines import ProgramLine, amount, percent, weight_decided
from foldse.model.literals import quote
from foldse.model.rules import RuleSet

__all__ = [
    "aligned",
    "frame_as_dict",
    "frame_as_text",
    "front_as_dicts",
    "front_as_text",
    "label_text",
    "model_as_dict",
    "model_as_text",
    "program_text",
    "scores_text",
]


def line_as_dict(line: ProgramLine, total: float) -> dict[str, Any]:
    """Return a line of a program as plain values, with coverage and precision as shares."""
    covered, correct = line.covered, line.correct
    return {
        "text": line.text,
        "kind": line.kind,
        "rows": line.covered,
        "coverage": covered / total if covered is not None and total else None,
        "precision": correct / covered if correct is not None and covered else None,
        "confidence": None if line.confidence is None else asdict(line.confidence),
        "origin": line.origin,
    }


def comment(line: ProgramLine, total: float) -> str:
    """Return what a line of a program covers, in words, and where it is from if it was not learned."""
    origin = "" if line.origin == "learned" else f"; {line.origin}"
    if line.covered is None:
        return f"coverage unknown{origin}"
    sure = "" if line.confidence is None else f", confidence {line.confidence}"
    rows, share = count(line.covered, "row"), f" ({percent(line.covered, total)})" if total else ""
    if line.correct is None:
        return f"covers {rows}{share}"
    correctly = percent(line.correct, line.covered) or "undefined"
    if line.kind == "exception":
        return f"excludes {rows}, {correctly} correctly{origin}"
    return f"covers {rows}{share}, precision {correctly}{sure}{origin}"


def label_text(label: Any) -> str:
    """Return a label as programs print it."""
    return quote(str(label))


def program_text(rules: RuleSet) -> str:
    """Return a program to be edited: no category is cut, and a comment names the default."""
    return "\n".join(
        f"% {line.text}" if line.kind == "default" else line.text for line in rules.lines(whole=True)
    )


def model_as_text(clf: Any) -> str:
    """Return a fitted classifier as a program whose comments say what each rule covers."""
    if not hasattr(clf, "rules_"):
        supports = [leaf.support for leaf, _ in clf.tree_.leaves()]
        right, total = sum(float(support.max()) for support in supports), float(np.sum(supports))
        leaves = f"{count(clf.n_leaves_, 'leaf', 'leaves')}, mean depth {clf.mean_depth_:.1f}"
        return f"{clf.tree_}\n\n% {leaves}; {_accuracy(right, total)}"
    rules: RuleSet = clf.rules_
    lines = list(rules.lines())
    total = weight_decided(lines)
    parts = []
    for line in lines:
        text = f"% {line.text}:" if line.kind == "default" else f"{line.text}\n%  "
        parts.append(f"{text} {comment(line, total)}")
    counts = f"{count(rules.n_rules, 'rule')}, {count(rules.n_predicates, 'predicate')}"
    if total:
        correct = sum(line.correct or 0 for line in lines if line.kind != "exception")
        counts += f"; {_accuracy(correct, total)}"
    return "\n".join(parts) + f"\n\n% {counts}"


def frame_as_text(frame: pd.DataFrame) -> str:
    """Return a frame of rules as a table: figures in columns, each rule as it is printed behind them."""
    header = ["name", "label", "rows", "coverage", "precision", "recall", "lift", "confidence", "interval"]
    rows = [
        [
            row["name"],
            label_text(row["label"]),
            "-" if math.isnan(row["covered"]) else amount(row["covered"]),
            *(_decimals(row[figure]) for figure in ("coverage", "precision", "recall", "lift", "confidence")),
            f"{_decimals(row['confidence_low'])} to {_decimals(row['confidence_high'])}",
        ]
        for row in frame.to_dict("records")
    ]
    lines = aligned(header, rows, texts=2).splitlines()
    return "\n".join(f"{line}  {text}" for line, text in zip(lines, ["rule", *frame["text"]], strict=True))


def frame_as_dict(frame: pd.DataFrame) -> dict[str, Any]:
    """Return a frame of rules as plain values."""
    return {"schema": 1, "rules": frame.to_dict("records")}


def _decimals(figure: float) -> str:
    return "-" if math.isnan(figure) else f"{figure:.3f}"


def _accuracy(right: float, total: float) -> str:
    return f"training accuracy {percent(right, total)} ({count(total, 'row')})"


def model_as_dict(clf: Any) -> dict[str, Any]:
    """Return what is printed of a fitted classifier as plain values."""
    if not hasattr(clf, "rules_"):
        return {"tree": str(clf.tree_), "n_leaves": clf.n_leaves_, "mean_depth": clf.mean_depth_}
    rules: RuleSet = clf.rules_
    lines = list(rules.lines())
    total = weight_decided(lines)
    return {
        "rules": [line_as_dict(line, total) for line in lines],
        "n_rules": rules.n_rules,
        "n_predicates": rules.n_predicates,
    }


def scores_text(scores: Scores, positive: Any) -> str:
    """Return scores on one line, then in how many folds some are undefined, and how many rows lack one."""
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
    if scores.without_label:
        text += f"\n{count(scores.without_label, 'row')} without a label, counted as wrong"
    return text


def front_as_dicts(search: Any) -> list[dict[str, Any]]:
    """Return the settings of a search that no other beats, and the chosen one, as plain values."""
    results = search.cv_results_
    places = sorted({*search.front_.index, search.best_index_}, key=lambda i: (results["n_predicates"][i], i))
    return [
        {
            **results["params"][place],
            "accuracy_mean": float(results["mean_test_score"][place]),
            "accuracy_std": float(results["std_test_score"][place]),
            "rules": int(results["n_rules"][place]),
            "predicates": int(results["n_predicates"][place]),
            "chosen": bool(place == search.best_index_),
        }
        for place in places
    ]


def front_as_text(search: Any) -> str:
    """Return the same as a table in comments; how it was measured comes first."""
    entries = front_as_dicts(search)
    tried = len(search.cv_results_["params"])
    how = f"% {count(tried, 'setting')}, {search.n_splits_}-fold cross-validation; those that no other beats:"
    settings = list(search.default_grid)
    header = [*settings, "accuracy +/- std", "rules", "predicates", ""]
    rows = [
        [
            *(str(entry[name]) for name in settings),
            f"{entry['accuracy_mean']:.3f} +/- {entry['accuracy_std']:.3f}",
            str(entry["rules"]),
            str(entry["predicates"]),
            "chosen" if entry["chosen"] else "",
        ]
        for entry in entries
    ]
    table = aligned(header, rows, texts=len(settings))
    return "\n".join([how, *(f"%   {line}" for line in table.splitlines())])


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
