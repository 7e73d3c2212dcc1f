"""A program as a model card in HTML, for notebooks and browsers.

A fragment is one element with its own style and nothing to load. It is pure ASCII, so that it reads the
same whatever encoding a page is taken to have, and takes its colours from the page around it.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from foldse.model.literals import quote
from foldse.model.rules import Rule, RuleSet

__all__ = ["element", "escaped", "rules_to_html"]

# Text and lines have the colour of the page, only marks bring a background of their own: so all of it
# can be read on any theme. Alone on a page, it lets the browser choose between light and dark.
STYLE = """
:root:has(>body>.foldse:first-child){color-scheme:light dark}
.foldse{font:14px/1.5 system-ui,sans-serif;color:inherit;max-width:72em;overflow-wrap:anywhere}
.foldse *{box-sizing:border-box}
.foldse p{margin:.4em 0}
.foldse code{font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;color:inherit;background:none;padding:0;
white-space:pre-wrap}
.foldse ul{list-style:none;margin:0 0 0 .45em;padding:0 0 0 1em;border-left:1px solid #8886}
.foldse li{margin:.2em 0;padding:0}
.foldse details{margin:.3em 0}
.foldse summary{cursor:pointer}
.foldse .mark{display:inline-block;width:7.4em;padding:0;margin-right:.5em;border-radius:.6em;
text-align:center;font-size:12px;color:#fff;background:#5f6873}
.foldse .mark.true{background:#1a7f37}
.foldse .mark.false{background:#b3261e}
.foldse .unused{opacity:.7}
.foldse .scroll{overflow-x:auto}
.foldse table{border-collapse:collapse;margin:.4em 0;color:inherit;background:none;font-size:inherit}
.foldse th,.foldse td{padding:.3em .7em;border-bottom:1px solid #8886;text-align:right;vertical-align:top;
white-space:nowrap;background:none;color:inherit}
.foldse th{font-weight:600;border-bottom-width:2px}
.foldse .wide span{white-space:nowrap}
.foldse .wide{text-align:left;white-space:normal;min-width:22em}
"""


def rules_to_html(rules: RuleSet) -> str:
    """Return a program as a model card: what each rule covers of the training data, and how rightly.

    Parameters
    ----------
    rules : RuleSet

    Returns
    -------
    str
        One HTML element: the rules as the paper prints them, each with its coverage (the weight, and the
        share, of the training rows for which it is the first to fire), and its precision (the share of
        these rows that have its label). For an exception, the rows that it keeps from its rule, and
        the share of them that it keeps rightly. A dash where a program was not learned here.
    """
    total = sum(sum(support) for support in (*(rule.support for rule in rules), rules.default_support))
    rows = [
        _card_row(_goals(line), rule.support, _right(rules, rule.support, head, keeps), total, depth)
        for line, rule, head, keeps, depth in _with_exceptions_below(rules)
    ]
    default = f"otherwise {escaped(rules.target)}(X,{escaped(quote(str(rules.default)))})"
    right = _right(rules, rules.default_support, rules.default, False)
    rows.append(_card_row(default, rules.default_support, right, total, 0))
    heading = (
        f"<p><b>{escaped(rules.target)}</b>: {_count(rules.n_rules, 'rule')}, "
        f"{_count(rules.n_predicates, 'literal')}{_learned_from(rules, total)}</p>"
    )
    columns = '<th class="wide">rule</th><th>rows</th><th>coverage</th><th>precision</th>'
    body = f"<thead><tr>{columns}</tr></thead><tbody>{''.join(rows)}</tbody>"
    parts = [heading, f'<div class="scroll"><table>{body}</table></div>']
    if any(exception.support for rule in rules for exception in rule.exceptions):
        parts.append(
            "<p>Of an exception: the rows that it keeps from its rule, and the share kept rightly.</p>"
        )
    return element(parts)


def _with_exceptions_below(rules: RuleSet) -> Iterator[tuple[str, Rule, Any, bool, int]]:
    """Yield each rule and, below it, its exceptions: as printed, the rule, its label, and its depth.

    The fourth is whether it keeps rows from that label; an exception of an exception gives them back.
    """
    lines = iter(str(rules).split("\n"))  # a category may hold what else breaks a line
    entries = [_Entry(next(lines), rule, rule.head, False, 0) for rule in rules]
    waiting = list(entries)
    for entry in waiting:  # grows while it is read, which is how the printer numbers exceptions
        for rule in entry.rule.exceptions:
            entry.below.append(_Entry(next(lines), rule, entry.head, not entry.keeps, entry.depth + 1))
        waiting += entry.below
    stack = entries[::-1]
    while stack:
        entry = stack.pop()
        yield entry.line, entry.rule, entry.head, entry.keeps, entry.depth
        stack += entry.below[::-1]


@dataclass(slots=True)
class _Entry:
    """A line of the model card."""

    line: str
    rule: Rule
    head: Any
    keeps: bool
    depth: int
    below: list[_Entry] = field(default_factory=list)


def _goals(line: str) -> str:
    """Escape a printed rule so that lines break between its goals, if they are not too long for that."""
    goals = [escaped(goal) for goal in line.split(", ")]
    return ", ".join(f"<span>{goal}</span>" if len(goal) < 60 else goal for goal in goals)


def _right(rules: RuleSet, support: tuple[float, ...], head: Any, keeps: bool) -> float:
    """Return the weight of the rows that a rule, or an exception, treats rightly."""
    if not support:
        return 0.0
    of_label = support[rules.classes.index(head)]
    return sum(support) - of_label if keeps else of_label


def _card_row(rule: str, support: tuple[float, ...], right: float, total: float, depth: int) -> str:
    covered = sum(support)
    cells = [
        f"{covered:,.6g}" if covered != int(covered) else f"{int(covered):,}",
        _percent(covered, total),
        _percent(right, covered),
    ]
    if not support:
        cells = ["&ndash;"] * 3
    indent = f' style="padding-left:{0.7 + 1.5 * depth}em"' if depth else ""
    numbers = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr><td class="wide"{indent}><code>{rule}</code></td>{numbers}</tr>'


def _percent(part: float, whole: float) -> str:
    if not whole:
        return "&ndash;"
    text = f"{100 * part / whole:.1f}"
    if text == "100.0" and part < whole:
        text = "99.9"  # not all of them
    return f"{text} %"


def _learned_from(rules: RuleSet, total: float) -> str:
    if not total:
        return ""
    supported = [(rule.support, rule.head) for rule in rules] + [(rules.default_support, rules.default)]
    right = sum(_right(rules, support, head, False) for support, head in supported)
    return f"; right on {_percent(right, total)} of {total:,.10g} training rows"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def escaped(text: str) -> str:
    """Escape text, what is not ASCII included."""
    return html.escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")


def element(parts: list[str]) -> str:
    """Return one HTML element with its own style."""
    return f'<div class="foldse"><style>{STYLE}</style>{"".join(parts)}</div>'
