"""The report: the rows of a run as Markdown."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from benchmarks.contenders import CONTENDERS
from benchmarks.records import OK, Row
from benchmarks.report import markdown
from benchmarks.report.claims import judge
from benchmarks.report.results import Results, table_title, title

BUSY: Final = 0.1  # share of the processors that other programs use from which on a time is questionable
HOLDS: Final = {True: "yes", False: "**no**", None: "as far as measured"}
STARTS: Final = {"foldse_fresh": "foldse, kernels to compile", "foldse_package": "`import foldse` alone"}
INTRODUCTION: Final = """\
A ratio is a contender's figure divided by FOLD-SE's (by FOLD-R++'s where stated): 12 means that the contender
takes twelve times as long. It is the median over pairs of alternating calls; the smallest and largest ratio
of a pair are in brackets. `benchmarks/README.md` describes the method, and `results.csv` has every figure.
"""
ROOFLINE: Final = """\
A pass adds every row to the counter of its code, once for each column, with the kernel and the threads of
fit. The plain loop does the same by label, one column after another in one thread. Encoding reads frame and
labels and makes the codes; learning is the rest of fit.
"""


def report(rows: Sequence[Row], states: Sequence[Mapping[str, Any]], plots: Mapping[str, str]) -> str:
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
    sections = (
        _setting(results, states),
        _targets(results),
        _comparison(results, "foldse", plots),
        _comparison(results, "foldrpp", {}),
        _accuracy(results),
        _growth(results, plots),
        _memory(results, plots),
        _roofline(results),
        _startup(results),
        _times(results),
        _missing(results),
        _inputs(),
    )
    return "\n".join(["# Speed and memory\n", INTRODUCTION, *filter(None, sections)])


def _section(heading: str, table: str, *before: str, level: int = 2) -> str:
    """Return a section: a table and what stands before it; empty if there is no table."""
    return "\n".join([f"{'#' * level} {heading}\n", *filter(None, before), table]) if table else ""


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
    # Peaks of memory and shares of rows do not depend on what else runs.
    shares = [row.other_work for row in results.rows if row.unit == "s" and not math.isnan(row.other_work)]
    if shares:
        busy = sum(share > BUSY for share in shares)
        text = f"more than {BUSY:.0%} of the processors used by others during {busy} of {len(shares)} times"
        rows.append(("other programs", text))
    mixed = "" if len(states) == 1 else f"**The figures come from {len(states)} different environments.**\n"
    return _section("Setting", markdown.table(("", ""), rows, text_columns=2), mixed)


def _targets(results: Results) -> str:
    rows = []
    for verdict in judge(results):
        figures = ", ".join(
            "not measured" if value is None else f"{_exact(value)}{verdict.claim.unit}"
            for value in verdict.figures
        )
        rows.append((verdict.claim.text, figures, HOLDS[verdict.holds]))
    return _section("Targets", markdown.table(("target", "measured", "met"), rows, text_columns=3))


def _exact(value: float) -> str:
    """Return a figure, with more digits if it is just below 1."""
    return f"{value:.6g}" if 0.99 < value < 1 else markdown.figure(value)


def _comparison(results: Results, baseline: str, plots: Mapping[str, str]) -> str:
    parts = []
    for measure in ("fit", "predict"):
        contenders = results.contenders("compare", baseline, measure)
        rows = []
        for name in results.tables("compare", baseline):
            found = [results.find("compare", name, contender, baseline, measure) for contender in contenders]
            if any(found):
                rows.append((table_title(name), *map(markdown.ratio, found)))
        heading = f"{measure.capitalize()} time relative to {title(baseline)}"
        table = markdown.table(("table", *map(title, contenders)), rows)
        parts.append(_section(heading, table, _picture(plots, measure, heading), level=3))
    return _section(f"Other learners and {title(baseline)}", "\n".join(filter(None, parts)))


def _accuracy(results: Results) -> str:
    contenders = results.contenders("compare", "foldse", "accuracy")
    contenders = [name for name in contenders if not name.endswith("_converted")]
    rows = []
    for name in results.tables("compare", "foldse"):
        found = [results.find("compare", name, contender, "foldse", "accuracy") for contender in contenders]
        scores = [row if row and row.status == OK else None for row in found]
        own = [f"{row.baseline_median:.3f}" for row in scores if row]
        if own:
            rows.append((name, own[0], *(f"{row.median:.3f}" if row else "" for row in scores)))
    header = ("table", title("foldse"), *map(title, contenders))
    text = "On a held-out fifth of the rows; the models are learned from the others.\n"
    return _section("Accuracy", markdown.table(header, rows), text)


def _growth(results: Results, plots: Mapping[str, str]) -> str:
    parts = []
    for by in ("rows", "columns"):
        curves = results.growth(by)
        sizes = sorted({size for curve in curves.values() for size in curve})
        if len(sizes) < 2:
            continue
        cells = [[markdown.figure(curve.get(size, math.nan)) for curve in curves.values()] for size in sizes]
        rows = [(f"{size:,}", *line) for size, line in zip(sizes, cells, strict=True)]
        text = f"Fit time relative to FOLD-SE's on {sizes[0]:,} {by}.\n"
        picture = _picture(plots, f"growth_{by}", f"Fit time by {by}")
        table = markdown.table((by, *map(title, curves)), rows, text_columns=0)
        parts.append(_section(f"By {by}", table, text, picture, level=3))
    pairs = [
        (title(row.contender), table_title(row.table), table_title(row.baseline), markdown.ratio(row))
        for row in results.rows
        if row.benchmark == "growth"
    ]
    header = ("learner", "table", "subset", "ratio of fit times")
    parts.append(_section("Four times the rows", markdown.table(header, pairs, text_columns=3), level=3))
    return _section("Growth", "\n".join(filter(None, parts)))


def _memory(results: Results, plots: Mapping[str, str]) -> str:
    contenders = results.contenders("memory", "foldse", "peak")
    rows = []
    for name in results.tables("memory"):
        own = results.find("memory", name, "foldse", "codes", "peak")
        others = [results.find("memory", name, contender, "foldse", "peak") for contender in contenders]
        size = f"{markdown.figure(own.median)} MB" if own and own.status == OK else ""
        rows.append((table_title(name), size, *map(markdown.ratio, (own, *others))))
    header = ("table", "FOLD-SE", "FOLD-SE / its codes", *(f"{title(name)} / FOLD-SE" for name in contenders))
    text = "The peak of one fit beyond what was in use before it, each in a fresh process.\n"
    return _section(
        "Memory of fit", markdown.table(header, rows), text, _picture(plots, "memory", "Peak memory")
    )


def _roofline(results: Results) -> str:
    rows = []
    for name in results.tables("roofline"):
        found = [results.find("roofline", name, "foldse", "pass", m) for m in ("encode", "learn", "fit")]
        plain = results.find("roofline", name, "foldse", "plain_loop", "learn")
        one_pass = next(filter(None, found), None)
        passes = (markdown.seconds(row.baseline_median) if row else "" for row in (one_pass, plain))
        rows.append((table_title(name), *passes, *map(markdown.ratio, (*found, plain))))
    header = (
        "table",
        "one pass",
        "plain loop",
        "encode / pass",
        "learn / pass",
        "fit / pass",
        "learn / plain loop",
    )
    return _section("Roofline", markdown.table(header, rows), ROOFLINE)


def _startup(results: Results) -> str:
    rows = [
        (
            row.measure.replace("_", " "),
            markdown.seconds(row.baseline_median),
            STARTS.get(row.contender, title(row.contender)),
            markdown.ratio(row),
        )
        for row in results.rows
        if row.benchmark == "startup"
    ]
    header = ("measure", "foldse's classifier, kernels cached", "compared with", "ratio")
    text = "Classifiers are imported on first use: they import scikit-learn and pandas.\n"
    return _section("Start-up", markdown.table(header, rows, text_columns=3), text)


def _times(results: Results) -> str:
    rows = []
    for name in results.tables("compare", "foldse"):
        for measure in ("fit", "predict"):
            row = results.find("compare", name, "xgboost", "foldse", measure)
            if row and row.status == OK:
                times = map(markdown.seconds, (row.baseline_median, row.median))
                rows.append((table_title(name), measure, *times))
    header = ("table", "call", title("foldse"), title("xgboost"))
    text = "Medians; they depend on the machine far more than the ratios do.\n"
    return _section("Absolute times", markdown.table(header, rows, text_columns=2), text)


def _missing(results: Results) -> str:
    rows = [
        (row.benchmark, table_title(row.table), title(row.contender), row.measure, row.status, row.note)
        for row in results.rows
        if row.status != OK
    ]
    header = ("benchmark", "table", "contender", "stage", "status", "reason")
    return _section("Missing results", markdown.table(header, rows, text_columns=6))


def _inputs() -> str:
    rows = [(contender.title, contender.gets) for contender in CONTENDERS.values()]
    return _section("Input formats", markdown.table(("learner", "input"), rows, text_columns=2))
