"""The command: ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from pathlib import Path
from typing import Final

from benchmarks import environment, records, runner
from benchmarks.plan import plan
from benchmarks.records import OK, Case, Row
from benchmarks.report import plots, render
from benchmarks.settings import Settings

ROOT: Final = Path(__file__).resolve().parents[1]
FULL_RESULTS: Final = ROOT / "results" / "benchmarks"
QUICK_RESULTS: Final = ROOT / "outputs" / "benchmarks"
LOG: Final = ROOT / "outputs" / "benchmarks.log"  # what the learners print


def main(arguments: list[str] | None = None) -> int:
    """Run what is not finished yet and write the report; return the exit code."""
    options = _parser().parse_args(arguments)
    only = [name for names in options.only for name in names.split(",")]
    cases = plan(options.quick, only)
    if not cases:
        print(f"no case has {' or '.join(only)}; --list shows the cases", file=sys.stderr)
        return 2
    if options.list:
        for case in cases:
            print(f"{case.benchmark:10} {case.table or '-':22} {case.contender:24} {case.baseline}")
        return 0
    out: Path = options.out or (QUICK_RESULTS if options.quick else FULL_RESULTS)
    out.mkdir(parents=True, exist_ok=True)
    if not options.report and (code := _measure(cases, options, out, bool(only))):
        return code
    rows = records.read(out / "results.csv")
    if not rows:
        print(f"there are no results in {out}", file=sys.stderr)
        return 2
    drawn = plots.draw(rows, out)
    (out / "report.md").write_text(render.report(rows, environment.read(out / "environment.json"), drawn))
    print(f"report: {out / 'report.md'}")
    return 0


def _measure(cases: list[Case], options: argparse.Namespace, out: Path, partial: bool) -> int:
    """Run the cases that are not finished; return an exit code."""
    results, states = out / "results.csv", out / "environment.json"
    data = str(Path(options.data).resolve()) if options.data else ""
    settings = Settings(options.quick, options.threads, data, options.limit, options.seconds)
    now, known, rows = environment.describe(settings), environment.read(states), records.read(results)
    finished = set() if options.fresh else records.finished(rows)
    if finished and known and not options.mixed and (differ := environment.differences(known[-1], now)):
        print(
            "the finished cases were measured under other conditions:", *differ, sep="\n  ", file=sys.stderr
        )
        print("--fresh measures them again, --mixed keeps them and says so", file=sys.stderr)
        return 2
    if options.fresh and not partial:
        known, rows = [], []
    todo = [case for case in cases if case not in finished]
    if len(todo) < len(cases):
        print(f"{len(cases) - len(todo)} of {len(cases)} cases are finished; --fresh runs them again")
    rows = [row for row in rows if row.case not in set(todo)]
    records.write(results, rows)
    if not known or environment.differences(known[-1], now):
        environment.write(states, [*known, now])
    LOG.parent.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    for i, (case, found, seconds) in enumerate(runner.run(todo, settings, LOG), 1):
        rows += found
        records.write(results, rows)
        what = f"{case.benchmark} {case.table} {case.contender} / {case.baseline}"
        print(f"[{i}/{len(todo)}] {what}: {_in_one_line(found)} ({seconds:.0f} s)", flush=True)
    print(f"{len(todo)} cases in {time.monotonic() - start:.0f} s")
    return 0


def _in_one_line(rows: list[Row]) -> str:
    return ", ".join(
        f"{row.measure} {row.ratio:.3g}x" if row.status == OK else f"{row.measure} {row.status} ({row.note})"
        for row in rows
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="Compare the speed and memory of foldse with other learners and write a report. "
        "Finished cases are not run again.",
    )
    add = parser.add_argument
    add("--quick", action="store_true", help="a smaller plan of under two minutes, to outputs/benchmarks")
    add("--fresh", action="store_true", help="run finished cases again, too")
    add("--mixed", action="store_true", help="keep finished cases even if versions or code have changed")
    add("--threads", type=int, default=2, help="threads of every contender (2)")
    add("--data", default=os.environ.get("FOLDSE_DATA"), help="folder with the data files (FOLDSE_DATA)")
    add("--out", type=Path, help="folder for the results (results/benchmarks; quick: outputs/benchmarks)")
    add("--limit", type=float, help="time limit of a case in seconds (900; quick: 20)")
    add("--seconds", type=float, help="seconds for which a case repeats its pairs (30; quick: 1)")
    add("--only", action="append", default=[], help="only cases with this benchmark, table or contender")
    add("--list", action="store_true", help="list the cases and exit")
    add("--report", action="store_true", help="only write the report from existing results")
    return parser


def _stop(*_: object) -> None:
    raise SystemExit("stopped; finished cases are kept, and the same command continues")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, _stop)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # the terminal may be closed
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        _stop()
