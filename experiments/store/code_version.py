"""The version of the code behind a learner: a run of another version is another run."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

from experiments.learners import LearnerSpec
from foldse import LEARNING_VERSION

_ROOT = Path(__file__).resolve().parents[2]
# What every learner is run by; `experiments.store.run_cache.MEASURES` is its version.
_FRAME = ("experiments.learners.base", "experiments.learners")
_INSTALLED = ("site-packages", "dist-packages")


def code_version(spec: LearnerSpec) -> str:
    """Return the version of a learner's code, in one line.

    It names a hash over the learner's own code and the version of each package that this code imports:

    - own code is the module of the class, of its base classes and of each ``_target_`` in its settings, and
      every module that these import, directly or not, unless it belongs to the standard library, to an
      installed package, to ``foldse`` or to the frame of the experiments. Comments, docstrings, layout and
      the names of files do not count;
    - ``foldse`` counts by ``foldse.LEARNING_VERSION``, other packages by their distributions' versions.

    Modules are found from the source, not by running it: an import by a computed name is not seen, for
    which ``packages`` of the config is there.

    Parameters
    ----------
    spec : LearnerSpec
    """
    made_by = spec.learner_class
    roots = {base.__module__ for base in made_by.__mro__} | {
        _module_of(target) for target in _targets(spec.settings)
    }
    own: dict[str, str] = {}
    packages = {name: _distribution_version(name) for name in spec.packages}
    waiting = sorted(roots)
    while waiting:
        name = waiting.pop()
        top = name.partition(".")[0]
        if name in own or top in sys.stdlib_module_names:
            continue
        if top == "foldse":
            packages["foldse"] = str(LEARNING_VERSION)
        elif path := _own_source(name):
            own[name] = _source(path)
            waiting += _imports(path, name)
        elif top != "experiments":
            packages.update(_distributions(top))
    digest = hashlib.sha256("\n".join(sorted(own.values())).encode()).hexdigest()[:12] if own else "unknown"
    versions = [f"{package}={version}" for package, version in sorted(packages.items())]
    return " ".join([f"{made_by.__name__}={digest}", *versions])


@functools.cache
def git_state() -> dict[str, str]:
    """Return the tags ``git.commit`` and ``git.dirty`` (``true`` or ``false``); none without git."""
    commit, status = _git("rev-parse", "HEAD"), _git("status", "--porcelain", "--untracked-files=no")
    if not commit or status is None:
        return {}
    return {"git.commit": commit, "git.dirty": str(bool(status)).lower()}


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", "-C", _ROOT, *arguments], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def _targets(settings: Any) -> Iterator[str]:
    """Return each ``_target_`` of nested settings."""
    if isinstance(settings, dict):
        if isinstance(target := settings.get("_target_"), str):
            yield target
        settings = list(settings.values())
    if isinstance(settings, list):
        for value in settings:
            yield from _targets(value)


def _module_of(target: str) -> str:
    """Return the module in which a dotted path names something: its longest part that is a module."""
    parts = target.split(".")
    while len(parts) > 1 and _spec(".".join(parts)) is None:
        parts.pop()
    return ".".join(parts)


@functools.cache
def _spec(name: str) -> Any:
    try:
        return importlib.util.find_spec(name)
    except (ImportError, AttributeError, ValueError):  # a parent is not there, is a module, or is __main__
        return None


def _own_source(name: str) -> Path | None:
    """Return the file of a module that counts as the learner's own code."""
    if name in _FRAME or (name.startswith("experiments.") and not name.startswith("experiments.learners.")):
        return None
    origin = getattr(_spec(name), "origin", None)
    path = Path(origin) if origin else None
    if path is None or path.suffix != ".py" or set(_INSTALLED) & set(path.parts):
        return None
    return path


@functools.cache
def _imports(path: Path, module: str) -> list[str]:
    """Return the modules that a file imports anywhere in it, submodules and relative imports resolved."""
    found = set()
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = importlib.util.resolve_name("." * node.level + base, package)
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
    return sorted(name for name in found if _spec(name) is not None or "." not in name)


@functools.cache
def _source(path: Path) -> str:
    """Return a module's code without comments, docstrings and layout."""
    tree = ast.parse(path.read_bytes())
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


@functools.cache
def _distribution_version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"


@functools.cache
def _distributions(module: str) -> dict[str, str]:
    """Return the versions of the distributions that a top-level module comes from."""
    if (version := _distribution_version(module)) != "none":
        return {module: version}
    # Their names differ, as for sklearn. Reading what is installed takes the better part of a second.
    names = _distributions_of_modules().get(module, [module])
    return {name: _distribution_version(name) for name in sorted(set(names))}


@functools.cache
def _distributions_of_modules() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())
