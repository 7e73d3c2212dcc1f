"""Draw the figures of the user guide from the library itself: ``python scripts/draw_figures.py``.

Writes docs/figures/{rule,search,loop}.svg. What they show (which animals a rule covers, counts,
scores) is computed here, so that the figures always agree with the library.
"""

from __future__ import annotations

import math
from html import escape
from pathlib import Path

import pandas as pd

from foldse import FoldSEClassifier, Literal, Op
from foldse.heuristics import SCORES
from foldse.model.rule import literal_holds

DOCS = Path(__file__).resolve().parent.parent / "docs"
INK, FAINT, PAPER = "#22303c", "#8a97a3", "#fbfbf9"
POSITIVE, NEGATIVE, MARK = "#1b62a5", "#b8520f", "#fff0c2"


class Drawing:
    """An SVG of text, boxes and lines on a light ground."""

    def __init__(self, width: int, height: int, title: str):
        self.size = width, height
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" font-family="system-ui, sans-serif" font-size="15" fill="{INK}">',
            f"<title>{escape(title)}</title>",
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            f'orient="auto"><path d="M0 0L8 4L0 8z" fill="{INK}"/></marker></defs>',
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        ]

    def text(
        self, x: float, y: float, text: str, anchor: str = "start", fill: str = INK, **style: str
    ) -> None:
        more = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="{fill}"{more}>{escape(text)}</text>'
        )

    def lines(self, x: float, y: float, lines: list[str]) -> None:
        """Write lines of text centred on a place."""
        for i, line in enumerate(lines):
            self.text(x, y + 5 + 20 * (i - (len(lines) - 1) / 2), line, "middle")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str = "none",
        line: str = INK,
        rx: int = 6,
    ) -> None:
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{rx}" fill="{fill}" '
            f'stroke="{line}" stroke-width="1.5"/>'
        )

    def diamond(self, x: float, y: float, half_width: float, half_height: float) -> None:
        places = ((x - half_width, y), (x, y - half_height), (x + half_width, y), (x, y + half_height))
        corners = " ".join(f"{across:g},{down:g}" for across, down in places)
        self.parts.append(f'<polygon points="{corners}" fill="{MARK}" stroke="{INK}" stroke-width="1.5"/>')

    def arrow(self, *points: tuple[float, float]) -> None:
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        self.parts.append(
            f'<polyline points="{path}" fill="none" stroke="{INK}" stroke-width="1.5" '
            'marker-end="url(#tip)"/>'
        )

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.parts.append(
            f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{FAINT}" stroke-width="1"/>'
        )

    def __str__(self) -> str:
        return "\n".join([*self.parts, "</svg>", ""])


def rule_figure() -> Drawing:
    """The animals, separated by a rule with an exception."""
    animals = pd.read_csv(DOCS / "animals.csv")
    X, y = animals[["kind", "home", "weight"]], animals["flies"]
    clf = FoldSEClassifier(pos_label="yes").fit(X, y)
    (rule,) = clf.rules_
    (exception,) = rule.exceptions
    table = clf._columns(X, rule.features)
    body = pd.Series(True, index=X.index)
    for literal in rule.body:
        body &= literal_holds(literal, table)
    failed = exception.covers(table) & body
    groups = [animals[~body], animals[body & ~failed], animals[failed]]

    names = {Op.EQ: "is", Op.NE: "is not", Op.LE: "is at most", Op.GT: "is above"}
    names |= {Op.NOT_LE: "is not at most", Op.NOT_GT: "is not above"}

    def in_words(literals: tuple[Literal, ...]) -> str:
        values = [f"{x.value:g}" if isinstance(x.value, float) else str(x.value) for x in literals]
        return " and ".join(f"{x.feature} {names[x.op]} {v}" for x, v in zip(literals, values, strict=True))

    def listed(group: pd.DataFrame, x: float, y: float, columns: int, step: float) -> None:
        for place, (name, flies) in enumerate(zip(group["animal"], group["flies"], strict=True)):
            row, column = divmod(place, columns)
            colour = POSITIVE if flies == "yes" else NEGATIVE
            drawing.text(x + column * step, y + row * 20, name, fill=colour, font_size="14")

    drawing = Drawing(
        560, 452, "A rule with an exception separates thirty animals into those that fly and the rest"
    )
    drawing.box(12, 12, 536, 428, "#f3efe6")
    drawing.text(28, 36, f"Default: flies is no ({len(groups[0])} animals)", font_weight="600")
    listed(groups[0], 28, 60, 4, 132)
    drawing.box(28, 142, 504, 282, "#e3eef8")
    drawing.text(44, 168, "Rule: flies is yes", font_weight="600")
    drawing.text(44, 188, f"if {in_words(rule.body)} ({len(groups[1])} animals)")
    listed(groups[1], 44, 214, 4, 120)
    drawing.box(44, 302, 472, 98, "#f3efe6")
    drawing.text(60, 328, "Exception: the rule does not apply", font_weight="600")
    drawing.text(60, 348, f"if {in_words(exception.body)} ({len(groups[2])} animals)")
    listed(groups[2], 60, 376, 3, 150)
    return drawing


# The paper's example of literal selection.
POSITIVES = [3, 4, 4, 5, "x", "x", "y"]
NEGATIVES = [1, 1, 1, 2, 3, "y", "y", "z"]


def search_figure() -> Drawing:
    """Counts, cumulative sums and scores of every literal of one feature."""
    numbers = sorted({v for v in POSITIVES + NEGATIVES if not isinstance(v, str)})
    texts = sorted({v for v in POSITIVES + NEGATIVES if isinstance(v, str)})
    score = SCORES["magic_gini"]
    scores: dict[tuple[Op, object], float] = {}
    for op in Op:
        for value in numbers if op.is_threshold else texts:
            literal = Literal("i", op, value)
            tp, fp = (sum(map(literal.holds, side)) for side in (POSITIVES, NEGATIVES))
            scores[op, value] = score(tp, len(POSITIVES) - tp, len(NEGATIVES) - fp, fp)
    best = max(scores, key=lambda key: scores[key])

    left, top, step = 162, 58, 47
    places: dict[object, float] = {v: left + step * i for i, v in enumerate(numbers)}
    places |= {v: left + 16 + step * (len(numbers) + i) for i, v in enumerate(texts)}
    drawing = Drawing(560, 380, "One pass of counting and one of summing give the score of every literal")
    drawing.text(16, top, "feature i", font_weight="600")
    drawing.text(places[numbers[2]], 30, "numbers, in order", "middle", FAINT)
    drawing.text(places[texts[1]], 30, "categories", "middle", FAINT)
    for value, x in places.items():
        drawing.text(x, top, str(value), "middle", font_weight="600")
    drawing.line(16, top + 10, 544, top + 10)
    y = top + 34
    for label, rows, colour in (("positives", POSITIVES, POSITIVE), ("negatives", NEGATIVES, NEGATIVE)):
        drawing.text(16, y, f"{label} ({len(rows)})", fill=colour)
        for value, x in places.items():
            drawing.text(x, y, str(rows.count(value)), "middle", colour)
        y += 24
    y += 6
    for label, rows, colour in (
        ("positives so far", POSITIVES, POSITIVE),
        ("negatives so far", NEGATIVES, NEGATIVE),
    ):
        drawing.text(16, y, label, fill=colour)
        for value in numbers:
            total = sum(rows.count(v) for v in numbers if v <= value)
            drawing.text(places[value], y, str(total), "middle", colour, font_weight="600")
        y += 24
    drawing.line(16, y - 12, 544, y - 12)
    y += 14
    drawing.text(16, y, "score of the literal", font_weight="600")
    y += 26
    at_most = "i \N{LESS-THAN OR EQUAL TO} value"
    labels = {Op.LE: at_most, Op.NOT_LE: f"not ({at_most})", Op.GT: "i > value", Op.NOT_GT: "not (i > value)"}
    labels |= {Op.EQ: "i = value", Op.NE: "i \N{NOT EQUAL TO} value"}
    for op in Op:
        drawing.text(16, y, labels[op])
        for value in numbers if op.is_threshold else texts:
            x, found = places[value], scores[op, value]
            if (op, value) == best:
                drawing.box(x - 22, y - 16, 44, 22, MARK)
            shown = "\N{MINUS SIGN}\N{INFINITY}" if found == -math.inf else f"\N{MINUS SIGN}{abs(found):.2f}"
            drawing.text(x, y, shown, "middle", FAINT if found == -math.inf else INK, font_size="14")
        y += 25
    return drawing


def loop_figure() -> Drawing:
    """How rules are learned one after another."""
    drawing = Drawing(
        560, 652, "The covering loop: a rule is grown, gets exceptions, and its rows are removed"
    )
    x, wide = 200, 300

    def step(y: float, lines: list[str], height: float = 58) -> None:
        drawing.box(x - wide / 2, y, wide, height, "#e3eef8")
        drawing.lines(x, y + height / 2, lines)

    def question(y: float, lines: list[str]) -> None:
        drawing.diamond(x, y, 150, 46)
        drawing.lines(x, y, lines)

    def end(y: float, lines: list[str]) -> None:
        drawing.box(424, y - 30, 122, 60, "#f3efe6", rx=28)
        drawing.lines(485, y, lines)

    question(82, ["positives left?"])
    end(82, ["the rules are", "complete"])
    drawing.arrow((x + 150, 82), (424, 82))
    drawing.text(x + 165, 74, "no")
    drawing.arrow((x, 128), (x, 158))
    drawing.text(x + 10, 146, "yes")
    step(158, ["add the literal with the best score;", "keep only the rows that satisfy it"])
    drawing.arrow((x, 216), (x, 242))
    question(288, ["negatives \N{LESS-THAN OR EQUAL TO} ratio", "\N{MULTIPLICATION SIGN} positives?"])
    drawing.arrow((x - 150, 288), (28, 288), (28, 187), (x - wide / 2, 187))
    drawing.text(34, 280, "no")
    drawing.arrow((x, 334), (x, 364))
    drawing.text(x + 10, 352, "yes")
    step(364, ["swap positives and negatives;", "learn exceptions by the same loop"])
    drawing.arrow((x, 422), (x, 456))
    drawing.arrow((x + wide / 2, 187), (388, 187), (388, 437), (x + 3, 437))
    drawing.text(396, 290, "no literal is")
    drawing.text(396, 309, "valid: a rule")
    drawing.text(396, 328, "as it stands,")
    drawing.text(396, 347, "no exceptions")
    question(502, ["covers at least", "tail positives?"])
    end(502, ["drop the rule", "and end"])
    drawing.arrow((x + 150, 502), (424, 502))
    drawing.text(x + 165, 494, "no")
    drawing.arrow((x, 548), (x, 578))
    drawing.text(x + 10, 566, "yes")
    step(578, ["keep the rule; remove the positives", "that it covers from the examples"])
    drawing.arrow((x - wide / 2, 607), (12, 607), (12, 18), (x, 18), (x, 36))
    return drawing


FIGURES = {"rule": rule_figure, "search": search_figure, "loop": loop_figure}


def main() -> None:
    for name, draw in FIGURES.items():
        (DOCS / "figures" / f"{name}.svg").write_text(str(draw()), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
