"""A table as Markdown, LaTeX, HTML and in the terminal: a block a data set, a row a learner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from great_tables import GT, loc, style
from rich.console import Group
from rich.table import Table as RichTable
from rich.text import Text

from experiments.metrics import METRICS, SHOWN, Metric
from experiments.statuses import NOT_APPLICABLE, NOT_RUN, OK, STATUSES
from experiments.tables.build import Table, outside
from experiments.tables.published import AVERAGE

DASH = "–"
OUTSIDE = "*"


@dataclass(slots=True)
class Line:
    """One learner on one data set, as text: measured and published, by metric."""

    dataset: str
    size: str
    learner: str
    status: str
    measured: dict[str, str] = field(default_factory=dict)
    published: dict[str, str] = field(default_factory=dict)
    best: bool = False


def lines(table: Table, plus_minus: str = " ± ", spread: bool = True) -> list[Line]:
    """Return the rows of a table as text, in its order.

    Parameters
    ----------
    table : Table
    plus_minus : str
        What stands between mean and standard deviation.
    spread : bool
        Whether the standard deviation is shown.
    """
    made = []
    records: dict[tuple[str, str], dict[str, dict[Any, Any]]] = {}
    for row in table.rows.to_dict("records"):
        records.setdefault((row["dataset"], row["learner"]), {})[row["metric"]] = row
    for (dataset, learner), cells in records.items():
        first = next(iter(cells.values()))
        line = Line(dataset, f"{first['rows']:,} × {first['cols']}", learner, first["status"])
        for shown in SHOWN:
            if shown.id not in cells:
                continue
            cell = cells[shown.id]
            line.measured[shown.id] = _text(shown, cell["mean"])
            if spread and not shown.is_time and not pd.isna(cell["std"]):
                line.measured[shown.id] += plus_minus + _text(shown, cell["std"])
            if outside({str(key): value for key, value in cell.items()}):
                line.measured[shown.id] += OUTSIDE
            line.published[shown.id] = _text(shown, cell["published_mean"], published=True)
        if line.status != OK and dataset != AVERAGE:
            line.measured["accuracy"] = line.status
        made.append(line)
    # As shown: of two that read 1.000 none is better to a reader.
    accuracy = table.rows[table.rows["metric"] == "accuracy"].assign(
        mean=lambda rows: rows["mean"].round(METRICS["accuracy"].decimals)
    )
    averages = accuracy[accuracy["dataset"] == AVERAGE]
    if averages["folds"].nunique() > 1:  # over different data sets: none of them is the best
        accuracy = accuracy.drop(averages.index)
    winners = accuracy[accuracy["mean"] == accuracy.groupby("dataset")["mean"].transform("max")]
    best = set(zip(winners["dataset"], winners["learner"], strict=True))
    for line in made:
        line.best = (line.dataset, line.learner) in best
    return made


def notes(table: Table, rows: list[Line]) -> list[str]:
    """Return what a reader must know of the figures in some rows of text."""
    made = [
        f"Made by python -m experiments -m experiment={table.name}.",
        f"Mean ± population standard deviation over the folds ({table.protocol}); "
        "the best accuracy on a data set in bold.",
        "Published figures, in brackets or in columns of their own, are as the paper prints them; its times "
        "are from its authors' machine.",
    ]
    if any(OUTSIDE in cell for line in rows for cell in line.measured.values()):
        made.append(
            f"{OUTSIDE} More than two standard deviations (the paper's, else ours) and half a unit of its "
            "last place from the published."
        )
    if (table.rows["dataset"] == AVERAGE).any():
        made.append(
            "Averages are plain means over the data sets, the published ones recomputed for the same."
        )
        averages = table.rows[(table.rows["dataset"] == AVERAGE) & (table.rows["metric"] == "accuracy")]
        for status, part in averages[averages["status"] != OK].groupby("status", sort=False):
            made.append(f"Average accuracy over {status}: {', '.join(part['learner'])}.")
    if (table.rows["status"] == NOT_RUN).any():
        made.append(f"{NOT_RUN}: {STATUSES[NOT_RUN].note}.")
    metrics = set(table.rows["metric"])
    if "rules" in metrics:
        made.append(
            "Rules and predicates of FOLD-SE are counted after simplification, those of FOLD-R++ before it."
        )
    if "nodes" in metrics:
        made.append("The paper's nodes of a tree are its leaves; their mean depth counts the root as 1.")
    made.append("F1 is that of the positive class; of more than two classes the mean weighted by their rows.")
    made += table.notes
    others = [f"{dataset} from {source}" for dataset, source in table.sources.items() if source != "bundled"]
    if others:
        made.append(f"Not bundled: {', '.join(others)}.")
    return made


def markdown(table: Table) -> str:
    """Return the table for a Markdown page: one small table a data set, published figures in brackets."""
    parts = [f"# {table.name}\n"]
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
            parts.append(f"| {line.learner} | " + " | ".join(cells) + " |")
        parts.append("")
    parts += [f"- {note.replace(OUTSIDE, chr(92) + OUTSIDE)}" for note in notes(table, made)]
    return "\n".join(parts) + "\n"


def latex(table: Table) -> str:
    """Return the table as a booktabs longtable with two levels of column headings.

    Written here, since great-tables leaves row groups and styles out of its LaTeX.
    """
    made = lines(table, plus_minus="$\\pm$")
    columns = _columns(made)
    n = 1 + 2 * len(columns)
    spans = [(shown.name, 2 * i + 2, 2 * i + 3) for i, shown in enumerate(columns)]
    head = [
        " & " + " & ".join(f"\\multicolumn{{2}}{{c}}{{{_tex(name)}}}" for name, _, _ in spans) + " \\\\",
        "".join(f"\\cmidrule(lr){{{start}-{end}}}" for _, start, end in spans),
        "learner" + " & measured & paper" * len(columns) + " \\\\",
        "\\midrule",
    ]
    text = [
        "% needs \\usepackage{booktabs,longtable}",
        "\\begingroup\\scriptsize\\setlength{\\tabcolsep}{3pt}\\setlength{\\LTcapwidth}{\\linewidth}",
        f"\\begin{{longtable}}{{l{'rr' * len(columns)}}}",
        f"\\caption{{{_tex(table.name)}. {' '.join(_tex(note) for note in notes(table, made))}}}\\\\",
        "\\toprule",
        *head,
        "\\endfirsthead",
        "\\toprule",
        *head,
        "\\endhead",
        "\\bottomrule",
        "\\endfoot",
    ]
    for i, (dataset, size, block) in enumerate(_blocks(made)):
        if i:
            text.append("\\addlinespace")
        text.append(f"\\multicolumn{{{n}}}{{l}}{{\\textit{{{_tex(dataset)} ({_tex(size)})}}}} \\\\*")
        for line in block:
            cells = [_tex(line.learner)]
            for shown in columns:
                measured = line.measured.get(shown.id, "")
                bold = shown.id == "accuracy" and line.best
                cells += [
                    f"\\textbf{{{measured}}}" if bold else measured,
                    line.published.get(shown.id, ""),
                ]
            text.append(" & ".join(cells) + " \\\\")
    text += ["\\end{longtable}", "\\endgroup"]
    return "\n".join(text) + "\n"


def html(table: Table) -> str:
    """Return the table as a web page of its own, with three levels of column headings."""
    made = lines(table)
    columns = _columns(made)
    frame = pd.DataFrame(
        {
            "group": [f"{line.dataset}  ({line.size})" for line in made],
            "learner": [line.learner for line in made],
            **{f"{s.id} measured": [line.measured.get(s.id, "") for line in made] for s in columns},
            **{f"{s.id} paper": [line.published.get(s.id, "") for line in made] for s in columns},
        }
    )
    order = [name for s in columns for name in (f"{s.id} measured", f"{s.id} paper")]
    page = (
        GT(frame[["group", "learner", *order]], rowname_col="learner", groupname_col="group", id=table.name)
        .tab_header(title=f"{table.name}: measured beside published")
        .cols_label({name: name.rsplit(" ", 1)[1] for name in order})
        .cols_align("right", columns=order)
    )
    for s in columns:
        page = page.tab_spanner(s.name, columns=[f"{s.id} measured", f"{s.id} paper"], id=s.id)
    for family in dict.fromkeys(s.family for s in columns):
        page = page.tab_spanner(family, spanners=[s.id for s in columns if s.family == family], id=family)
    page = page.tab_style(style.text(color="#767676"), loc.body(columns=[f"{s.id} paper" for s in columns]))
    page = page.tab_style(
        style.text(weight="bold"),
        loc.body(columns=["accuracy measured"], rows=[i for i, line in enumerate(made) if line.best]),
    )
    other = [i for i, line in enumerate(made) if line.status != OK and line.dataset != AVERAGE]
    page = page.tab_style(style.text(style="italic"), loc.body(columns=["accuracy measured"], rows=other))
    for note in notes(table, made):
        page = page.tab_source_note(note)
    page = page.tab_options(
        table_font_size="13px",
        data_row_padding="3px",
        row_group_font_weight="bold",
        row_group_background_color="#f4f4f4",
        heading_align="left",
        table_body_hlines_color="#eeeeee",
    )
    return page.as_raw_html(make_page=True)


def terminal(table: Table, width: int) -> Group:
    """Return the table for a terminal: accuracy and model size, published figures dim in brackets.

    Parameters
    ----------
    table : Table
    width : int
        Columns of the terminal; learners that do not fit go below.
    """
    made = lines(table, spread=False)
    learners = list(dict.fromkeys(line.learner for line in made))
    by_key = {(line.dataset, line.learner): line for line in made}
    datasets = [dataset for dataset, _, _ in _blocks(made)]
    parts: list[RichTable | Text] = []
    for title, metrics, which in (
        ("accuracy", ("accuracy",), learners),
        ("rules / predicates", ("rules", "predicates"), _having(made, learners, "rules")),
        ("nodes / depth", ("nodes", "depth"), _having(made, learners, "nodes")),
    ):
        columns = {
            learner: [_cell(by_key.get((dataset, learner)), metrics) for dataset in datasets]
            for learner in which
        }
        for i, chunk in enumerate(_fitting(columns, width - max(map(len, ["data set", *datasets])))):
            if i == 0:
                parts.append(Text(f"{table.name}: {title}", style="bold"))
            grid = RichTable(box=None, padding=(0, 0, 0, 2), pad_edge=False)
            grid.add_column("data set", no_wrap=True)
            for learner in chunk:
                grid.add_column(learner.replace("_", "\n"), justify="right", no_wrap=True)
            for row, dataset in enumerate(datasets):
                grid.add_row(dataset, *(columns[learner][row] for learner in chunk))
            parts += [grid, Text()]
    parts.append(Text(f"In brackets: published.  {table.protocol}", style="dim"))
    return Group(*parts)


def _fitting(columns: dict[str, list[Text]], width: int) -> Iterator[list[str]]:
    """Cut the columns into runs that fit the width, each of at least one."""
    chunk: list[str] = []
    used = 0
    for learner, cells in columns.items():
        texts = [*learner.split("_"), *(line for cell in cells for line in cell.plain.split("\n"))]
        needed = 2 + max(map(len, texts))
        if chunk and used + needed > width:
            yield chunk
            chunk, used = [], 0
        chunk.append(learner)
        used += needed
    if chunk:
        yield chunk


def _cell(line: Line | None, metrics: tuple[str, ...]) -> Text:
    if line is None:
        return Text("")
    if line.status != OK and line.dataset != AVERAGE:
        return Text(DASH if line.status == NOT_APPLICABLE else line.status, style="dim")
    cell = Text(" / ".join(line.measured.get(metric, "") for metric in metrics))
    if metrics == ("accuracy",) and line.best:
        cell.stylize("bold")
    published = [line.published.get(metric, "") for metric in metrics]
    if any(published):
        cell.append("\n(" + " / ".join(figure or DASH for figure in published) + ")", style="dim")
    return cell


def _having(made: list[Line], learners: list[str], metric: str) -> list[str]:
    return [
        learner
        for learner in learners
        if any(metric in line.measured for line in made if line.learner == learner)
    ]


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


def _tex(text: str) -> str:
    for plain, escaped in (("_", "\\_"), ("%", "\\%"), ("&", "\\&"), ("±", "$\\pm$"), ("×", "$\\times$")):
        text = text.replace(plain, escaped)
    return text
