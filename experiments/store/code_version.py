"""The version of the code behind a learner: a run of another version is another run."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import inspect
from importlib import metadata
from pathlib import Path

from experiments.learners.base import Learner

# Modules of the library that tell of a model and take no part in learning it or in predicting.
_TELLING = ("counterfactual", "english", "explanation", "export", "html", "persistence", "proof", "wording")


def code_version(kind: type[Learner]) -> str:
    """Return the version of a learner's code, in one line.

    It is made of a hash over the adapter; for a learner of this project a hash over the modules of the
    library that it uses (`library_version`); for another the version of each package in `Learner.packages`.

    Parameters
    ----------
    kind : type of Learner
    """
    try:
        adapter = _digest([Path(inspect.getfile(kind))])
    except (OSError, TypeError):  # defined in no file: an interactive session
        adapter = "unknown"
    parts = [f"{kind.__name__}={adapter}"]
    for package in kind.packages:
        parts.append(f"{package}={library_version() if package == 'foldse' else package_version(package)}")
    return " ".join(parts)


@functools.cache
def library_version() -> str:
    """Return a hash over the modules of foldse that its classifiers import, but for those that only explain.

    Comments, docstrings and layout do not count.
    """
    spec = importlib.util.find_spec("foldse")
    origin = spec.origin if spec is not None else None
    assert origin is not None
    folder = Path(origin).parent
    found: dict[str, Path] = {}
    waiting = ["classifiers"]
    while waiting:
        name = waiting.pop()
        path = folder.joinpath(*name.split(".")).with_suffix(".py")
        if name in found or name.split(".")[0] in _TELLING or not path.is_file():
            continue
        found[name] = path
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("foldse."):
                waiting.append(node.module.removeprefix("foldse."))
    return _digest([found[name] for name in sorted(found)])


def package_version(names: str) -> str:
    """Return the version of the first of several packages, written ``a|b``, that is installed."""
    for name in names.split("|"):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return "none"


@functools.cache
def _digest_of(path: Path) -> str:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and body:
            first = body[0]
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                node.body = body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def _digest(paths: list[Path]) -> str:
    sha = hashlib.sha256()
    for path in paths:
        sha.update(f"{path.stem}\n{_digest_of(path)}\n".encode())
    return sha.hexdigest()[:12]
