"""Exported programs run on the real engines; each function returns the predictions, row by row."""

import math
import os
import re
import shutil
import sqlite3
import subprocess

import clingo
import duckdb
import numpy as np
import pandas as pd
import pytest

from foldse.export import clingo_facts, prolog_facts, to_clingo, to_prolog, to_sql

needs_swipl = pytest.mark.skipif(
    shutil.which("swipl") is None, reason="SWI-Prolog is not installed (Debian: swi-prolog-nox)"
)
KEY = "row id"


def by_clingo(clf, X):
    """Return the labels as text, None where there is none, if there is one answer set, of one label a row."""
    messages = []
    control = clingo.Control(["0"], logger=lambda code, message: messages.append(message))
    control.add("base", [], to_clingo(clf) + clingo_facts(clf, X))
    control.ground([("base", [])])
    models = []
    control.solve(on_model=lambda model: models.append(model.symbols(shown=True)))
    assert messages == []
    assert len(models) == 1
    atoms = [symbol for symbol in models[0] if symbol.name == clf.rules_.target]
    labels = {atom.arguments[0].number: atom.arguments[1].string for atom in atoms}
    assert len(atoms) == len(models[0]) == len(labels)
    return [labels.get(row) for row in range(len(X))]


def run_swipl(text, goal, folder, locale="C.UTF-8"):
    """Return what a goal prints once a program is loaded without a single warning."""
    file = folder / "program.pl"
    file.write_text(text, encoding="utf-8", newline="\n")
    done = subprocess.run(
        ["swipl", "-g", goal, "-g", "halt", "-t", "halt(1)", str(file)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | {"LC_ALL": locale},
    )
    if done.stderr or done.returncode:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
    return done.stdout


def by_swipl(clf, X, folder, style="swi", locale="C.UTF-8", facts_first=False):
    """Return the labels as text, None where there is none, if no row has two, however it is asked for."""
    parts = [to_prolog(clf, style), prolog_facts(clf, X, style)]
    target = clf.rules_.target
    write = "system:(atom_codes(L, Cs), format('~d ~w~n', [R, Cs]))"
    goal = f"forall((row(R), {target}(R,L)), ({write})), writeln(--), forall({target}(R,L), ({write}))"
    prelude = "" if style == "swi" else ":- op(900, fy, not).\n"  # which s(CASP) has built in
    printed = run_swipl(prelude + "".join(reversed(parts) if facts_first else parts), goal, folder, locale)
    asked, enumerated = (part.splitlines() for part in printed.split("--\n"))
    assert sorted(set(asked)) == sorted(set(enumerated))
    answers = {}
    for line in set(asked):
        row, codes = line.split(" ", 1)
        assert row not in answers
        answers[row] = "".join(chr(int(code)) for code in re.findall(r"\d+", codes))
    if style == "swi":
        assert len(asked) == len(enumerated) == len(answers)
    return [answers.get(str(row)) for row in range(len(X))]


def by_duckdb(clf, X, table="a table"):
    """Return labels and rule numbers."""
    with duckdb.connect() as connection:
        connection.register(table, X.assign(**{KEY: range(len(X))}))
        return _read(connection.execute(to_sql(clf, table, "duckdb", key=KEY)).fetchall(), len(X))


def by_sqlite(clf, X, table="a table", types=None):
    """Return labels and rule numbers, from columns of the given types or, by default, of none."""
    names = [KEY, *map(str, X.columns)]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    declared = [f"{name} {(types or {}).get(column, '')}" for name, column in zip(quoted, names, strict=True)]
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(f'CREATE TABLE "{table}" ({", ".join(declared)})')
        rows = zip(range(len(X)), *(map(_plain, X[column]) for column in X.columns), strict=True)
        places = ", ".join("?" * len(names))
        connection.executemany(f'INSERT INTO "{table}" VALUES ({places})', rows)
        return _read(connection.execute(to_sql(clf, table, "sqlite", key=KEY)).fetchall(), len(X))
    finally:
        connection.close()


def _plain(value):
    """Return a cell as sqlite3 takes it."""
    if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
        return None
    return value.item() if isinstance(value, np.generic) else value


def _read(rows, n_rows):
    assert len(rows) == n_rows
    by_row = {row: (label, rule) for row, label, rule in rows}
    return [by_row[row][0] for row in range(n_rows)], [by_row[row][1] for row in range(n_rows)]


def fired(clf, X):
    """Return the number of the rule that decides each row, from 1; 0 for the default."""
    rules = clf.rules_
    used = frozenset().union(*(rule.features for rule in rules))
    first = rules.first_firing(clf._columns(X, used))
    return np.where(first == len(rules), 0, first + 1).tolist()
