"""A program as a model card in HTML, for notebooks and browsers.

A fragment is one element with its own style and nothing to load. It is pure ASCII, so that it reads the
same whatever encoding a page is taken to have, and takes its colours from the page around it.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

from foldse.model.lines import ProgramLine, amount, counted, percent, weight_decided

__all__ = ["element", "escaped", "model_card"]

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


def model_card(target: str, n_literals: int, lines: Sequence[ProgramLine]) -> str:
    """Return a program as a model card: what each rule covers of the training data, and how precisely.

    Parameters
    ----------
    target : str
        What is predicted, as a predicate name.
    n_literals : int
    lines : sequence of ProgramLine
        Exceptions below their rules, the default last.

    Returns
    -------
    str
        One HTML element: the rules as the paper prints them, each with its coverage (the weight, and the
        share, of the training rows for which it is the first to fire), and its precision (the share of
        these rows that have its label). For an exception, the rows that it excludes from its rule, and
        the share of them that it excludes correctly. A dash where nothing was counted, as for a rule that
        was not learned.
    """
    total = weight_decided(lines)
    correct = sum(line.correct or 0 for line in lines if line.kind != "exception")
    learned = f"; training accuracy {percent(correct, total)} ({amount(total)} rows)" if total else ""
    counts = f"{counted(len(lines) - 1, 'rule')}, {counted(n_literals, 'literal')}"
    columns = '<th class="wide">rule</th><th>rows</th><th>coverage</th><th>precision</th><th>confidence</th>'
    body = "".join(_card_row(line, total) for line in lines)
    parts = [
        f"<p><b>{escaped(target)}</b>: {counts}{learned}</p>",
        f'<div class="scroll"><table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table></div>',
    ]
    if any(line.kind == "exception" and line.covered is not None for line in lines):
        parts.append(
            "<p>For an exception: the rows that it excludes from its rule, and the share excluded "
            "correctly.</p>"
        )
    if any(line.confidence is not None for line in lines):
        parts.append(
            "<p>Confidence: the precision to be expected, from the rows left when the rule was learned, "
            "with its interval (Wilson&#x27;s, z = 3).</p>"
        )
    return element(parts)


def _goals(line: str) -> str:
    """Escape a printed rule so that lines break between its goals, if they are not too long for that."""
    goals = [escaped(goal) for goal in line.split(", ")]
    return ", ".join(f"<span>{goal}</span>" if len(goal) < 60 else goal for goal in goals)


def _card_row(line: ProgramLine, total: float) -> str:
    cells = ["&ndash;"] * 3
    sure = "&ndash;" if line.confidence is None else f"{line.confidence}"
    if line.covered is not None:
        cells[:2] = [amount(line.covered), percent(line.covered, total) or "&ndash;"]
        if line.correct is not None:
            cells[2] = percent(line.correct, line.covered) or "&ndash;"
    # Between its goals a rule may break; the default is one piece.
    text = escaped(line.text) if line.kind == "default" else _goals(line.text)
    indent = f' style="padding-left:{0.7 + 1.5 * line.depth}em"' if line.depth else ""
    numbers = "".join(f"<td>{cell}</td>" for cell in [*cells, sure])
    return f'<tr><td class="wide"{indent}><code>{text}</code></td>{numbers}</tr>'


def escaped(text: str) -> str:
    """Escape text, what is not ASCII included."""
    return html.escape(text).encode("ascii", "xmlcharrefreplace").decode("ascii")


def element(parts: list[str]) -> str:
    """Return one HTML element with its own style."""
    return f'<div class="foldse"><style>{STYLE}</style>{"".join(parts)}</div>'
