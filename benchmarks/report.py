"""The report: the rows of a run as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from benchmarks import markdown
from benchmarks.claims import judge
from benchmarks.contenders import CONTENDERS
from benchmarks.records import OK, Row
from benchmarks.results import Results, table_title, title

BUSY = 0.1  # share of the processors in other hands from which on a row is called into question

INTRODUCTION = """\
Ratios are those of a contender to FOLD-SE, or where it says so to FOLD-R++: 12 says that the contender
takes twelve times as long. A ratio is the median over pairs of calls in turn, with the smallest and the
largest ratio of a pair in brackets. How it was measured is told in `benchmarks/README.md`; every figure is
in `results.csv`.
"""


def render(rows: Sequence[Row], states: Sequence[Mapping[str, Any]], plots: Mapping[str, str]) -> str:
    """Return the report.

    Parameters
    ----------
    rows : sequence of Row
    states : sequence of mapping
        The environments of the run, see `benchmarks.environment`; the last one is shown.
    plots : mapping of str to str
        File names by the name of the plot.
    """
    results = Results(rows)
    sections: list[Callable[[], str]] = [
        lambda: _setting(results, states),
        lambda: _claims(results),
        lambda: _comparison(results, "foldse", plots),
        lambda: _comparison(results, "foldrpp", {}),
        lambda: _accuracy(results),
        lambda: _growth(results, plots),
        lambda: _memory(results, plots),
        lambda: _roofline(results),
        lambda: _startup(results),
        lambda: _times(results),
        lambda: _without_figures(results),
        _what_each_gets,
    ]
    parts = ["# Speed and memory\n", INTRODUCTION]
    return "\n".join(part for part in (*parts, *(section() for section in sections)) if part)


STARTS: Final = {"foldse_fresh": "with kernels to compile", "foldse_package": "`import foldse` alone"}


def _section(heading: str, *parts: str) -> str:
    """Return a section, empty where none of its parts says anything."""
    said = [part for part in parts if part]
    return "\n".join([f"## {heading}\n", *said]) if said else ""


def _picture(plots: Mapping[str, str], name: str, text: str) -> str:
    return f"![{text}]({plots[name]})\n" if name in plots else ""


def _setting(results: Results, states: Sequence[Mapping[str, Any]]) -> str:
    if not states:
        return ""
    state = states[-1]
    packages = ", ".join(f"{name} {version or 'absent'}" for name, version in state["packages"].items())
    rows = [
        ("date", f"{state['date']}, {state['mode']} run"),
        ("processor", f"{state['processor']}, {state['processors']} processors, {state['memory_gb']} GB"),
        ("system", f"{state['system']}, Python {state['python']}"),
        ("threads", str(state["threads"])),
        ("versions", packages),
        ("foldse", f"{state['foldse']}, sources {state['foldse_sources']}"),
    ]
    # Peaks of memory and shares of rows are the same whatever else runs.
    shares = [row.other_work for row in results.rows if row.other_work is not None and row.unit == "s"]
    if shares:
        busy = sum(share > BUSY for share in shares)
        rows.append(
            (
                "other work",
                f"{busy} of {len(shares)} times were taken while other programs used more than "
                f"{BUSY:.0%} of the processors",
            )
        )
    mixed = "" if len(states) == 1 else f"**The figures come from {len(states)} different environments.**\n"
    return _section("Setting", markdown.table(("", ""), rows, text_columns=2), mixed)


def _claims(results: Results) -> str:
    rows = []
    for verdict in judge(results):
        claim = verdict.claim
        figures = ", ".join(
            "not measured" if value is None else f"{_exact(value)}{claim.unit}" for value in verdict.figures
        )
        holds = {True: "yes", False: "**no**", None: "as far as measured"}[verdict.holds]
        rows.append((claim.text, figures, holds))
    if not rows:
        return ""
    return _section(
        "What the project sets itself", markdown.table(("", "measured", "reached"), rows, text_columns=3)
    )


def _exact(value: float) -> str:
    """Return a figure, with more digits where it is just below 1."""
    return f"{value:.6g}" if 0.99 < value < 1 else markdown.figure(value)


def _ratios(results: Results, benchmark: str, baseline: str, measure: str) -> str:
    """Return a table of ratios: a line for each table, a column for each contender."""
    contenders = results.contenders(benchmark, baseline, measure)
    rows = []
    for name in results.tables(benchmark, baseline):
        cells = [
            markdown.ratio(results.find(benchmark, name, contender, baseline, measure))
            for contender in contenders
        ]
        if any(cells):
            rows.append((table_title(name), *cells))
    return markdown.table(("table", *map(title, contenders)), rows) if rows else ""


def _comparison(results: Results, baseline: str, plots: Mapping[str, str]) -> str:
    parts = []
    for measure in ("fit", "predict"):
        if table := _ratios(results, "compare", baseline, measure):
            parts += [
                f"### {measure.capitalize()}, times of {title(baseline)}\n",
                _picture(plots, measure, f"{measure} ratios"),
                table,
            ]
    return _section(f"Other learners beside {title(baseline)}", *parts)


def _accuracy(results: Results) -> str:
    rows = []
    contenders = results.contenders("compare", "foldse", "accuracy")
    contenders = [name for name in contenders if not name.endswith("_converted")]
    for name in results.tables("compare", "foldse"):
        found = [results.find("compare", name, contender, "foldse", "accuracy") for contender in contenders]
        scores = [row for row in found if row is not None and row.status == OK]
        if scores:
            cells = ["" if row not in scores or row is None else f"{row.median:.3f}" for row in found]
            rows.append((name, f"{scores[0].baseline_median:.3f}", *cells))
    if not rows:
        return ""
    text = "On a fifth of the rows, with a model of the others: what the times are spent on.\n"
    header = ("table", title("foldse"), *map(title, contenders))
    return _section("Accuracy", text, markdown.table(header, rows))


def _growth(results: Results, plots: Mapping[str, str]) -> str:
    parts = []
    for by in ("rows", "columns"):
        curves = results.growth(by)
        sizes = sorted({size for curve in curves.values() for size, _ in curve})
        if len(sizes) < 2:
            continue
        cells = {name: dict(curve) for name, curve in curves.items()}
        rows = [(f"{size:,}", *(markdown.figure(cells[name].get(size)) for name in curves)) for size in sizes]
        parts += [
            f"### Over {by}\n",
            f"Fit time in units of FOLD-SE's on {sizes[0]:,} {by}.\n",
            _picture(plots, f"growth_{by}", f"fit time over {by}"),
            markdown.table((by, *map(title, curves)), rows, text_columns=0),
        ]
    pairs = [row for row in results.rows if row.benchmark == "growth"]
    if pairs:
        rows = [
            (title(row.contender), table_title(row.table), table_title(row.baseline), markdown.ratio(row))
            for row in pairs
        ]
        header = ("learner", "table", "and a part of it", "times the fit")
        parts += ["### Four times the rows, in turn\n", markdown.table(header, rows, text_columns=3)]
    return _section("Growth", *parts)


def _memory(results: Results, plots: Mapping[str, str]) -> str:
    rows = []
    contenders = results.contenders("memory", "foldse", "peak")
    for name in results.tables("memory"):
        own = results.find("memory", name, "foldse", "codes", "peak")
        size = f"{markdown.figure(own.median)} MB" if own is not None and own.status == OK else ""
        others = [
            markdown.ratio(results.find("memory", name, contender, "foldse", "peak"))
            for contender in contenders
        ]
        rows.append((table_title(name), size, markdown.ratio(own), *others))
    if not rows:
        return ""
    header = (
        "table",
        "FOLD-SE",
        "times its codes",
        *(f"{title(name)}, times FOLD-SE" for name in contenders),
    )
    text = "The peak of one fit beyond what was in use before it, each in a fresh process.\n"
    return _section(
        "Memory of fit", text, _picture(plots, "memory", "memory ratios"), markdown.table(header, rows)
    )


def _roofline(results: Results) -> str:
    rows = []
    for name in results.tables("roofline"):
        found = [results.find("roofline", name, "foldse", "pass", m) for m in ("encode", "learn", "fit")]
        plain = results.find("roofline", name, "foldse", "plain_loop", "learn")
        passed = next((row for row in found if row is not None), None)
        passes = (_baseline(row) for row in (passed, plain))
        rows.append((table_title(name), *passes, *map(markdown.ratio, (*found, plain))))
    if not rows:
        return ""
    text = (
        "A pass adds every row to the counter of its code, once for each column, with the kernel and the "
        "threads of fit. The plain loop does the same by label, a column after the other in one thread. "
        "Encoding reads frame and labels and makes the codes; learning is the rest of fit.\n"
    )
    header = (
        "table",
        "one pass",
        "plain loop",
        "encode, in passes",
        "learn, in passes",
        "fit, in passes",
        "learn, in plain loops",
    )
    return _section("Roofline", text, markdown.table(header, rows))


def _baseline(row: Row | None) -> str:
    """Return the time that a row's ratio is to."""
    return "" if row is None else markdown.seconds(row.baseline_median)


def _startup(results: Results) -> str:
    rows = []
    for row in results.rows:
        if row.benchmark == "startup":
            name = STARTS.get(row.contender, title(row.contender))
            what = row.measure.replace("_", " ")
            rows.append((what, markdown.seconds(row.baseline_median), name, markdown.ratio(row)))
    if not rows:
        return ""
    header = ("", "foldse's classifier, kernels cached", "beside it", "times that")
    text = "Classifiers are imported when they are first asked for: they bring in scikit-learn and pandas.\n"
    return _section("Start-up", text, markdown.table(header, rows, text_columns=3))


def _times(results: Results) -> str:
    rows = []
    for name in results.tables("compare", "foldse"):
        for measure in ("fit", "predict"):
            row = results.find("compare", name, "xgboost", "foldse", measure)
            if row is not None and row.status == OK:
                times = map(markdown.seconds, (row.baseline_median, row.median))
                rows.append((table_title(name), measure, *times))
    if not rows:
        return ""
    text = "Medians; they depend on the machine far more than the ratios do.\n"
    header = ("table", "", title("foldse"), title("xgboost"))
    return _section("Times, for orientation", text, markdown.table(header, rows, text_columns=2))


def _without_figures(results: Results) -> str:
    rows = [
        (row.benchmark, table_title(row.table), title(row.contender), row.measure, row.status, row.note)
        for row in results.rows
        if row.status != OK
    ]
    if not rows:
        return ""
    header = ("benchmark", "table", "contender", "at", "status", "why")
    return _section("Without figures", markdown.table(header, rows, text_columns=6))


def _what_each_gets() -> str:
    rows = [(contender.title, contender.gets) for contender in CONTENDERS.values()]
    return _section("What each is given", markdown.table(("learner", "gets"), rows, text_columns=2))
