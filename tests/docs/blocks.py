"""Runs the code blocks of a Markdown page in order, in one namespace, and compares what they print.

- ``python`` blocks run as they stand. Behind or right under a ``print(...)`` a comment is what it prints.
- ``sh`` blocks run in bash, in the folder of the page's run.
- A block under ``<!-- prints -->``, in any language, is what the block before it printed besides.
- ``<!-- skip: next -->`` is as Sybil has it; a condition may ask ``which("swipl")``, ``installed("duckdb")``.

In what is printed ``...`` stands for anything, and runs of white space are one blank.
"""

from __future__ import annotations

import ast
import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import warnings
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from unittest import SkipTest

from sybil import Document, Example, Region
from sybil.parsers.markdown import CodeBlockParser, SkipParser

ROOT = Path(__file__).parents[2]
PRINTED = "_printed"
LIKE = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
SHOWN = re.compile(r"^<!-- prints -->\n+```\w*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


def difference(expected: str, got: str) -> str | None:
    """Return a message unless what was printed is what is shown."""
    expected, got = expected.strip("\n") + "\n", got.strip("\n") + "\n"
    if doctest.OutputChecker().check_output(expected, got, LIKE):
        return None
    return f"shown:\n{expected}\nprinted:\n{got}"


def comment_after(lines: list[str], statement: ast.stmt) -> str | None:
    """Return what the comment behind a statement, or the lines of comment right under it, say."""
    assert statement.end_lineno is not None
    last = lines[statement.end_lineno - 1].encode()[statement.end_col_offset :].decode().strip()
    said = [last] if last.startswith("#") else []
    for line in lines[statement.end_lineno :]:
        if not line.startswith("#"):
            break
        said.append(line)
    return "\n".join(line[1:].removeprefix(" ") for line in said) if said else None


def is_print(statement: ast.stmt) -> bool:
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"


def run_python(example: Example) -> str | None:
    """Run a block statement by statement, so that what each prints can be compared."""
    lines = example.parsed.splitlines()
    tree = ast.parse(example.parsed)
    ast.increment_lineno(tree, example.line)  # the line of the fence, and so of what is under it
    printed = []
    for statement in tree.body:
        code = compile(ast.Module([statement], []), example.path, "exec")
        with contextlib.redirect_stdout(io.StringIO()) as out, warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)  # a reader would see it
            exec(code, example.namespace)
        ast.increment_lineno(statement, -example.line)
        said = comment_after(lines, statement) if is_print(statement) else None
        if said is None:
            printed.append(out.getvalue())
        elif message := difference(said, out.getvalue()):
            return f"{ast.unparse(statement)}\n{message}"
    example.namespace[PRINTED] = "".join(printed)
    return None


def run_shell(example: Example) -> str | None:
    """Run a block in bash; the command ``foldse`` is that of the package which the tests import."""
    command = f'foldse() {{ {shlex.quote(sys.executable)} -m foldse "$@"; }}\n'
    commands = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    modules = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    quiet = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PATH": commands, "PYTHONPATH": modules}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command + example.parsed],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=os.environ | quiet,
    )
    if done.returncode:
        return f"exit code {done.returncode}\n{done.stdout}{done.stderr}"
    example.namespace[PRINTED] = done.stdout
    return None


def compare_shown(example: Example) -> str | None:
    if example.namespace[PRINTED] is None:
        raise SkipTest("what it shows has not run")
    return difference(example.parsed, example.namespace[PRINTED])


def shown_blocks(document: Document) -> list[Region]:
    found = SHOWN.finditer(document.text)
    return [Region(m.start(), m.end(), m["text"], compare_shown) for m in found]


PARSERS = (
    CodeBlockParser(language="python", evaluator=run_python),
    CodeBlockParser(language="sh", evaluator=run_shell),
    shown_blocks,
    SkipParser(),
)


def run_page(path: Path) -> tuple[int, list[str]]:
    """Run a page in the current folder.

    Returns
    -------
    int
        How many blocks have run.
    list of str
        Why others have not.
    """
    document = Document.parse(str(path), *PARSERS)
    document.namespace |= {"which": which, "installed": lambda name: find_spec(name) is not None}
    ran, skipped = 0, []
    for example in document.examples():
        try:
            example.evaluate()
        except SkipTest as reason:
            skipped.append(f"line {example.line}: {reason}")
            document.namespace[PRINTED] = None
        else:
            ran += not isinstance(example.parsed, tuple)
    return ran, skipped
