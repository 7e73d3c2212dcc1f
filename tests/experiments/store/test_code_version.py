"""The version of a learner's code changes with what the learner does, and with nothing else."""

import importlib
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from experiments.config import ROOT, choices, compose
from experiments.learners import LearnerSpec
from experiments.store.code_version import code_version, git_state
from foldse import LEARNING_VERSION
from tests.experiments.test_command_line import Shell

pytestmark = pytest.mark.commands

version_module = importlib.import_module("experiments.store.code_version")

LEARNER = '''"""Mine."""
from experiments.learners import Learner
from {package} import helper
import numpy as np


class Mine(Learner):
    def fit(self, X, y):
        self.label = sorted(set(y))[helper.which()]

    def predict(self, X):
        return np.full(len(X), self.label, dtype=object)
'''
HELPER = '''"""Helps."""
from .deeper.constants import WHICH


def which():
    """Say."""
    import scipy

    return WHICH if scipy.__version__ else None
'''
CONSTANTS = "WHICH = 0\n"


@pytest.fixture
def package(tmp_path, monkeypatch, request):
    """A user's package of his own: a learner, a module that it imports, and one that this imports."""
    name = f"mine_{abs(hash(request.node.name))}"
    folder = tmp_path / name
    (folder / "deeper").mkdir(parents=True)
    files = {
        "__init__.py": "",
        "learner.py": LEARNER.format(package=name),
        "helper.py": HELPER,
        "deeper/__init__.py": "",
        "deeper/constants.py": CONSTANTS,
        "unrelated.py": "VALUE = 1\n",
    }
    for file, text in files.items():
        (folder / file).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def version(package, **settings):
    """Return the version as a new process would find it: nothing that was read before is remembered."""
    for read in (version_module._source, version_module._imports, version_module._spec):
        read.cache_clear()
    importlib.invalidate_caches()
    spec = LearnerSpec("mine", f"{package.name}.learner.Mine", settings, packages=("imodels",))
    return code_version(spec)


def test_own_modules_count_however_deep_and_packages_by_their_versions(package):
    first = version(package)
    assert version(package) == first
    packages = dict(part.split("=") for part in first.split()[1:])
    assert packages == {name: metadata.version(name) for name in ("imodels", "numpy", "scipy")}

    same = {
        "learner.py": LEARNER.format(package=package.name) + "# a comment\n",
        "helper.py": HELPER.replace("Say.", "Say it.\n\n    At length.\n    ").replace("\n\n\n", "\n\n\n\n"),
        "unrelated.py": "VALUE = 2\n",
    }
    for file, text in same.items():
        (package / file).write_text(text)
        assert version(package) == first

    (package / "deeper" / "constants.py").write_text("WHICH = 1\n")
    changed = version(package)
    assert changed != first
    (package / "helper.py").write_text(HELPER.replace("return WHICH", "return 1 - WHICH"))
    assert version(package) not in (first, changed)


def test_a_target_among_the_settings_counts_with_its_package_or_its_source(package):
    nested = {"estimator": {"_target_": "x", "parts": [{"_target_": "lightgbm.LGBMClassifier"}]}}
    own = {"estimator": {"_target_": f"{package.name}.unrelated.VALUE"}}

    assert f" lightgbm={metadata.version('lightgbm')} " in f"{version(package, **nested)} "
    first = version(package, **own)
    (package / "unrelated.py").write_text("VALUE = 2\n")
    assert version(package, **own) != first


def test_the_library_counts_by_what_it_learns_and_other_learners_by_their_packages():
    def packages(name):
        spec = LearnerSpec.from_config(compose([f"learner={name}"]).learner)
        return dict(part.split("=") for part in code_version(spec).split()[1:])

    assert packages("foldse")["foldse"] == packages("tree_ig")["foldse"] == str(LEARNING_VERSION)
    brings = {
        "mlp": "scikit-learn", "xgboost": "xgboost-cpu", "ripper": "wittgenstein", "lightgbm": "lightgbm",
        "ebm": "interpret-core", "figs": "imodels", "jrip": "python_weka_wrapper3",
    }  # fmt: skip
    for name, package in brings.items():
        try:
            metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
        found = packages(name)
        assert found[package] == metadata.version(package)
        assert "foldse" not in found


def test_renaming_and_commenting_the_library_is_no_other_version_and_raising_its_constant_is(tmp_path):
    for name in ("foldse", "experiments", "conf", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "golden"))
    code = (
        "from experiments.config import compose; from experiments.learners import LearnerSpec\n"
        "from experiments.store.code_version import code_version\n"
        "print(code_version(LearnerSpec.from_config(compose(['learner=foldse']).learner)))"
    )

    def found():
        env = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_DISABLE_JIT": "1"}
        return subprocess.run(
            [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
        ).stdout

    first = found()
    module = tmp_path / "foldse" / "learning" / "covering.py"
    renamed = module.with_name("renamed.py")
    renamed.write_text("# Renamed.\n" + module.read_text())
    module.unlink()
    for path in (tmp_path / "foldse").rglob("*.py"):
        path.write_text(path.read_text().replace("foldse.learning.covering", "foldse.learning.renamed"))
    assert found() == first

    start = tmp_path / "foldse" / "__init__.py"
    raised = start.read_text().replace(
        f"LEARNING_VERSION = {LEARNING_VERSION}", f"LEARNING_VERSION = {LEARNING_VERSION + 1}"
    )
    start.write_text(raised)
    assert found() != first


def test_a_job_runs_again_where_a_constant_of_an_imported_module_changed(package, database, tmp_path):
    config = tmp_path / "own" / "learner" / "mine.yaml"
    config.parent.mkdir(parents=True)
    config.write_text(f"id: mine\n_target_: {package.name}.learner.Mine\n")
    shell = Shell(database)
    job = ("--config-dir", str(config.parents[1]), "dataset=heart", "learner=mine", "protocol.folds=3")
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = str(package.parent)
    try:
        first = shell.run(*job)
        again = shell.run(*job)
        (package / "deeper" / "constants.py").write_text("WHICH = 1\n")
        changed = shell.run(*job)
    finally:
        os.environ.pop("PYTHONPATH") if before is None else os.environ.update(PYTHONPATH=before)

    assert [done.returncode for done in (first, again, changed)] == [0, 0, 0], first.stderr
    runs = shell.runs()
    assert len(runs) == 2
    accuracies = sorted(run.data.metrics["accuracy"] for run in runs)
    assert accuracies == pytest.approx([120 / 270, 150 / 270])
    for run in runs:
        assert run.data.tags["command"].startswith("python -m experiments dataset=heart learner=mine")
        if git_state():
            assert run.data.tags["git.commit"] == git_state()["git.commit"]
            assert run.data.tags["git.dirty"] in ("true", "false")


def test_the_state_of_git_is_what_git_says_and_nothing_without_it(monkeypatch, tmp_path):
    def git(*arguments):
        subprocess.run(["git", "-C", tmp_path, *arguments], check=True, capture_output=True)

    def state():
        git_state.cache_clear()
        return git_state()

    monkeypatch.setattr(version_module, "_ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    try:
        assert state() == {}
        git("init", "-q")
        (tmp_path / "file").write_text("one")
        git("add", "file")
        git("-c", "user.name=n", "-c", "user.email=e@example.org", "commit", "-qm", "first")
        assert (len(state()["git.commit"]), state()["git.dirty"]) == (40, "false")
        (tmp_path / "untracked").write_text("results")
        assert state()["git.dirty"] == "false"
        (tmp_path / "file").write_text("two")
        assert state()["git.dirty"] == "true"
        monkeypatch.setenv("PATH", str(Path(tmp_path) / "nowhere"))
        assert state() == {}
    finally:
        git_state.cache_clear()


def test_every_bundled_learner_has_a_version():
    for name in choices("learner"):
        spec = LearnerSpec.from_config(compose([f"learner={name}"]).learner)
        assert "unknown" not in code_version(spec)
