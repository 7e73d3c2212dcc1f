"""A table as text: Markdown, LaTeX, a web page, and for a terminal.

LaTeX and HTML are written by the Styler of pandas from one frame of text; Markdown and the terminal take the
same lines.
"""

from __future__ import annotations

import html as web
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pandas as pd
from pandas.io.formats.style import Styler
from rich.console import Group
from rich.table import Table as RichTable
from rich.text import Text

from experiments.metrics import METRICS, SHOWN, Metric
from experiments.statuses import NOT_APPLICABLE, OK
from experiments.tables.build import Table, differs
from experiments.tables.published import AVERAGE
from experiments.tables.repetitions import MIDDLE
from experiments.tables.series import Series

DASH = "–"
DIFFERS = "*"
_MEASURED, _PAPER = "measured", "paper"
_DIFFERS_NOTE = (
    f"{DIFFERS} Differs from the published value by more than two standard deviations (the paper's if given, "
    "else ours), rounding allowed for."
)
_DISAGREES_NOTE = f"{DIFFERS} The published value is outside the middle {MIDDLE:.0%} of our repetitions."


@dataclass(slots=True)
class Line:
    """One line of a data set, as text: measured and published, by metric; its accuracy as it is shown."""

    dataset: str
    size: str
    series: Series
    status: str
    measured: dict[str, str] = field(default_factory=dict)
    published: dict[str, str] = field(default_factory=dict)
    accuracy: float | None = None
    best: bool = False

    @property
    def stopped(self) -> bool:
        """Whether a status stands in place of figures."""
        return self.status != OK and self.dataset != AVERAGE


def lines(table: Table, spread: bool = True) -> list[Line]:
    """Return the rows of a table as text, in its order.

    Parameters
    ----------
    table : Table
    spread : bool
        Whether standard deviation and percentile are shown.
    """
    made: dict[tuple[str, Series], Line] = {}
    for record in table.rows.to_dict("records"):
        row = {str(key): value for key, value in record.items()}
        series = table.line_of(row)
        line = made.setdefault(
            (row["dataset"], series),
            Line(row["dataset"], f"{row['rows']:,} × {row['cols']}", series, row["status"]),
        )
        if row["metric"] == "accuracy" and not pd.isna(row["mean"]):
            # As shown: of two that read 1.000 neither is better to a reader.
            line.accuracy = float(_text(METRICS["accuracy"], row["mean"]))
        metric = METRICS.get(row["metric"])
        if metric is None or not metric.family:
            continue
        measured = _text(metric, row["mean"])
        deviation = row["std"] if pd.isna(row["spread"]) else row["spread"]
        if spread and not metric.is_time and not pd.isna(deviation):
            measured += f" ± {_text(metric, deviation)}"
        line.measured[metric.id] = measured + (DIFFERS if differs(row, series) else "")
        published = _text(metric, row["published_mean"], published=True)
        if spread and published and not pd.isna(row["percentile"]):
            published += f", {row['percentile']:.0f} %"
        line.published[metric.id] = published
    for _, _, block in _blocks(list(made.values())):
        highest = max((line.accuracy for line in block if line.accuracy is not None), default=None)
        for line in block:
            line.best = line.accuracy is not None and line.accuracy == highest
            if line.stopped:
                line.measured["accuracy"] = line.status
    return list(made.values())


def notes(table: Table, made: list[Line]) -> list[str]:
    """Return what a reader must know of the figures."""
    marked = any(DIFFERS in cell for line in made for cell in line.measured.values())
    note = _DISAGREES_NOTE if len(table.agreement) else _DIFFERS_NOTE
    return [*table.notes, *([note] if marked else [])]


def _agreement_sentence(table: Table) -> list[str]:
    """Return how many published figures agree as a sentence, for formats without a second table."""
    cells = table.agreement_grid
    if not cells:
        return []
    heads, *rows = cells
    each = []
    for label, *counts in rows:
        named = [f"{head} {count}" for head, count in zip(heads[1:], counts, strict=True) if count]
        each.append(f"{label} {', '.join(named)}")
    return [f"Published figures that agree: {'; '.join(each)}."]


def markdown(table: Table) -> str:
    """Return the table for a Markdown page: one small table a data set, published figures in brackets."""
    parts = [f"# {table.experiment.title}\n"]
    made = lines(table)
    for dataset, size, block in _blocks(made):
        columns = _columns(block)
        parts += [
            f"## {dataset} ({size})\n",
            "| learner | " + " | ".join(shown.name for shown in columns) + " |",
            "|:--|" + "--:|" * len(columns),
        ]
        for line in block:
            cells = []
            for shown in columns:
                measured = line.measured.get(shown.id, "")
                if shown.id == "accuracy" and line.best:
                    measured = f"**{measured}**"
                published = line.published.get(shown.id, "")
                cells.append(f"{measured} ({published})".strip() if published else measured)
            label = line.series.label.replace("|", "\\|")
            parts.append(f"| {label} | " + " | ".join(cells) + " |")
        parts.append("")
    if counts := table.agreement_grid:
        parts += [
            f"| {' | '.join(counts[0])} |",
            "|:--|" + "--:|" * (len(counts[0]) - 1),
            *(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in counts[1:]),
            "",
        ]
    parts += [f"- {note.replace(DIFFERS, chr(92) + DIFFERS)}" for note in notes(table, made)]
    return "\n".join(parts) + "\n"


def latex(table: Table) -> str:
    """Return the table as a booktabs longtable with two levels of column headings."""
    made = lines(table)
    style = _styler(made, escape="latex")
    title = f"{_tex(table.experiment.title)}."
    text = style.set_caption(title).to_latex(
        hrules=True, environment="longtable", convert_css=True, multirow_align="naive", multicol_align="c",
        column_format="ll" + "r" * len(style.columns),
    )  # fmt: skip
    # The pages that follow have the title alone.
    caption = " ".join([title, *map(_tex, [*notes(table, made), *_agreement_sentence(table)])])
    text = text.replace(f"\\caption{{{title}}}", f"\\caption{{{caption}}}", 1)
    head = (
        "% needs \\usepackage{booktabs,longtable}\n\\begingroup\\scriptsize\\setlength{\\tabcolsep}{3pt}"
        "\\setlength{\\LTcapwidth}{\\linewidth}\n"
    )
    for sign, command in (("±", "$\\pm$"), ("×", "$\\times$"), ("–", "--")):
        text = text.replace(sign, command)
    return head + text + "\\endgroup\n"


def html(table: Table) -> str:
    """Return the table as a web page of its own, with three levels of column headings."""
    made = lines(table)
    style = _styler(made, escape="html")
    style = style.set_uuid(table.experiment.file_name).set_table_styles(
        [
            {"selector": "", "props": "border-collapse: collapse; font-size: 13px;"},
            {"selector": "caption", "props": "text-align: left; font-size: 18px; padding: 8px 0;"},
            {"selector": "th, td", "props": "padding: 3px 8px; text-align: right; white-space: nowrap;"},
            {"selector": "thead th", "props": "text-align: center; border-bottom: 1px solid #cccccc;"},
            {"selector": "tbody th", "props": "text-align: left; font-weight: normal;"},
            {
                "selector": "tbody th.level0",
                "props": "font-weight: bold; vertical-align: top; border-top: 1px solid #999999;",
            },
            {"selector": "tbody td, tbody th", "props": "border-top: 1px solid #eeeeee;"},
        ]
    )
    style = style.set_caption(web.escape(table.experiment.title))
    body = style.to_html(table_attributes='class="dataframe"')
    said = "\n".join(
        f"<li>{web.escape(note)}</li>" for note in [*_agreement_sentence(table), *notes(table, made)]
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<title>{web.escape(table.experiment.title)}</title>\n"
        "<style>body { font-family: system-ui, sans-serif; margin: 24px; } li { max-width: 90em; }</style>\n"
        f'</head>\n<body>\n{body}\n<ul style="font-size: 12px">\n{said}\n</ul>\n</body>\n</html>\n'
    )


def _styler(made: list[Line], escape: str) -> Styler:
    """Return the lines as one frame: families over metrics over measured and paper; the best in bold."""
    columns = _columns(made)
    cells = [
        [side.get(shown.id, "") for shown in columns for side in (line.measured, line.published)]
        for line in made
    ]
    frame = pd.DataFrame(
        cells,
        index=pd.MultiIndex.from_tuples(
            [(f"{line.dataset} ({line.size})", line.series.label) for line in made]
        ),
        columns=pd.MultiIndex.from_tuples(
            [(shown.family, shown.name, side) for shown in columns for side in (_MEASURED, _PAPER)]
        ),
    )
    looks = pd.DataFrame("", index=frame.index, columns=frame.columns)
    for place, shown in enumerate(columns):
        looks.iloc[:, 2 * place + 1] = "color: #767676" if escape == "html" else ""
        if shown.id == "accuracy":
            looks.iloc[:, 2 * place] = [
                "font-weight: bold" if line.best else "font-style: italic" if line.stopped else ""
                for line in made
            ]
    return (
        frame.style.apply(lambda _: looks, axis=None)
        .format(escape=escape)
        .format_index(escape=escape, axis=0)
        .format_index(escape=escape, axis=1)
    )


def terminal(table: Table, width: int) -> Group:
    """Return the table for a terminal: accuracy and model size, published figures dim in brackets.

    Parameters
    ----------
    table : Table
    width : int
        Columns of the terminal; learners that do not fit go below.
    """
    made = lines(table, spread=False)
    shown = list(dict.fromkeys(line.series for line in made))
    by_key = {(line.dataset, line.series): line for line in made}
    datasets = [dataset for dataset, _, _ in _blocks(made)]
    parts: list[RichTable | Text] = [Text(table.experiment.title, style="bold")]
    for title, metrics in (
        ("accuracy", ("accuracy",)),
        ("rules / predicates", ("rules", "predicates")),
        ("nodes / mean leaf depth", ("nodes", "depth")),
    ):
        columns = {
            series: [_cell(by_key.get((dataset, series)), metrics) for dataset in datasets]
            for series in shown
            if any(metrics[0] in line.measured for line in made if line.series == series)
        }
        for i, chunk in enumerate(_fitting(columns, width - max(map(len, ["data set", *datasets])))):
            if i == 0:
                parts.append(Text(title, style="bold"))
            grid = RichTable(box=None, padding=(0, 0, 0, 2), pad_edge=False)
            grid.add_column("data set", no_wrap=True)
            for series in chunk:
                grid.add_column(Text("\n".join(_heading(series))), justify="right", no_wrap=True)
            for row, dataset in enumerate(datasets):
                grid.add_row(dataset, *(columns[series][row] for series in chunk))
            parts += [grid, Text()]
    if cells := table.agreement_grid:
        grid = RichTable(box=None, padding=(0, 0, 0, 2), pad_edge=False)
        for place, head in enumerate(cells[0]):
            grid.add_column(head, justify="right" if place else "left", no_wrap=True)
        for counts in cells[1:]:
            grid.add_row(*counts)
        parts += [grid, Text()]
    protocols = "; ".join(dict.fromkeys(series.protocol for series in shown))
    parts.append(Text(f"In brackets: published.  {protocols}", style="dim"))
    return Group(*parts)


def _heading(series: Series) -> list[str]:
    """Return a label on several short lines."""
    return [part for part in re.split(r",? (?=\()|(?<=,) |_", series.label) if part]


def _fitting(columns: dict[Series, list[Text]], width: int) -> Iterator[list[Series]]:
    """Cut the columns into runs that fit the width, each of at least one."""
    chunk: list[Series] = []
    used = 0
    for series, cells in columns.items():
        texts = [*_heading(series), *(line for cell in cells for line in cell.plain.split("\n"))]
        needed = 2 + max(map(len, texts))
        if chunk and used + needed > width:
            yield chunk
            chunk, used = [], 0
        chunk.append(series)
        used += needed
    if chunk:
        yield chunk


def _cell(line: Line | None, metrics: tuple[str, ...]) -> Text:
    if line is None:
        return Text("")
    if line.stopped:
        return Text(DASH if line.status == NOT_APPLICABLE else line.status, style="dim")
    cell = Text(" / ".join(line.measured.get(metric, "") for metric in metrics))
    if metrics == ("accuracy",) and line.best:
        cell.stylize("bold")
    published = [line.published.get(metric, "") for metric in metrics]
    if any(published):
        cell.append("\n(" + " / ".join(figure or DASH for figure in published) + ")", style="dim")
    return cell


def _columns(made: list[Line]) -> list[Metric]:
    return [
        shown
        for shown in SHOWN
        if any(line.measured.get(shown.id) or line.published.get(shown.id) for line in made)
    ]


def _blocks(made: list[Line]) -> Iterator[tuple[str, str, list[Line]]]:
    for dataset in dict.fromkeys(line.dataset for line in made):
        block = [line for line in made if line.dataset == dataset]
        yield dataset, block[0].size, block


def _text(metric: Metric, value: float, published: bool = False) -> str:
    return "" if pd.isna(value) else metric.text(value, published)


_SPECIAL = {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_SPECIAL.get(sign, sign) for sign in text)
