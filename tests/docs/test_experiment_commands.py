"""Lines of the documentation that run experiments or make run as typed, in a fresh copy of the checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mlflow", reason="the experiments need their extra")

from experiments.config import compose
from tests.docs.test_commands import ROOT, TEXTS, code_lines

pytestmark = pytest.mark.commands

# What takes minutes or needs files that are not bundled. A sweep is run on a part of itself; the commands of
# make's targets are listed and the configuration of each is composed; the rest is composed only.
PART = "dataset=wine learner=foldse,tree_ig protocol.folds=2"
SWEEPS = {
    "python -m experiments -m experiment=quickstart",
    "python -m experiments -m experiment=quickstart protocol.folds=5 tracking.experiment=five_fold "
    "paths.results=five_fold",
    "python -m experiments -m experiment=rule_learners hydra/launcher=joblib hydra.launcher.n_jobs=2",
}
COMPOSED = {
    "python -m experiments -m experiment=confold",
    "python -m experiments -m suite=arff40 learner=foldse",
    "python -m experiments dataset=credit_card learner=xgboost_paper learner.columns=onehot_all_dense",
}
LINES = {
    page: [
        re.sub(r"\s+#.*", "", line)
        for line in code_lines(text)
        if re.match(r"python -m experiments|source ", line)
    ]
    for page, text in TEXTS.items()
}
TARGETS = sorted(
    {target for text in TEXTS.values() for target in re.findall(r"(?:`|^ {4})make ([a-z-]+)", text, re.M)}
)
# Files that the pages tell to write, and the page and the beginning of the block that has each.
WRITTEN = {
    "conf/dataset/mine.yaml": ("README.md", "id: mine\n"),
    "conf/learner/forest.yaml": ("README.md", "id: forest\n"),
    "conf/learner/majority.yaml": ("docs/howto/experiments.md", "id: majority\n"),
    "my_package/majority.py": ("docs/howto/experiments.md", "class Majority(Learner)"),
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory):
    """Return a copy of the checkout with an environment, compiled kernels, and the files of the pages."""
    copy = tmp_path_factory.mktemp("checkout")
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    kernels = [path.relative_to(ROOT).as_posix() for path in (ROOT / "foldse").rglob("*.nb[ci]")]
    for name in [*listed, *kernels]:
        if (ROOT / name).is_file() and not name.startswith(("tests/", "docs/")):
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", copy / ".venv"], check=True)
    packages = next((copy / ".venv").glob("lib/python*/site-packages"))
    shared = [path for path in sys.path if Path(path).name == "site-packages"]
    (packages / "shared.pth").write_text("\n".join([str(copy), *shared]))
    for stamp in ("experiments", "test", "docs", "benchmarks", "dev"):  # installed, to make
        (copy / ".venv" / stamp).touch()
    for path, (page, start) in WRITTEN.items():
        blocks = re.findall(r"^```\w+\n(.*?)^```$", TEXTS[page], re.MULTILINE | re.DOTALL)
        (copy / path).parent.mkdir(exist_ok=True)
        (copy / path).write_text(next(block for block in blocks if start in block))
    table = "".join(
        f"{n},{20 + n},{n * 7 % 50},{'ab'[n % 2]},{'good' if n % 3 else 'bad'}\n" for n in range(40)
    )
    (copy / "folder" / "mine").mkdir(parents=True)
    (copy / "folder" / "mine" / "mine.csv").write_text("id,age,income,kind,outcome\n" + table)
    return copy


def run(checkout, lines, path):
    """Run lines as typed, one after the other, in a shell that knows no environment."""
    kept = {
        name: value for name, value in os.environ.items() if name in ("HOME", "TMPDIR", "LANG", "MAKEFLAGS")
    }
    return subprocess.run(
        ["bash", "-eu", "-c", "\n".join(lines)],
        cwd=checkout,
        env=kept | {"PATH": path, "MPLBACKEND": "agg"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.mark.parametrize("page", [page for page, lines in LINES.items() if lines])
def test_lines_of_a_page_run_as_typed(page, checkout):
    lines = []
    for line in LINES[page]:
        if line in SWEEPS:
            line = f"{line} {PART}"
        elif line in COMPOSED:
            line = f"{line.replace('experiments -m ', 'experiments ')} --cfg job"
        lines.append(line)
    path = os.defpath
    if not any(
        line.startswith("source ") for line in lines
    ):  # the page starts with pip install, in one's own
        path = f"{checkout / '.venv' / 'bin'}{os.pathsep}{path}"
    done = run(checkout, lines, path)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("target", TARGETS)
def test_targets_of_make_compose(target, checkout):
    done = run(checkout, [f"make -n {target}"], os.defpath)
    assert done.returncode == 0, done.stderr
    assert done.stdout
    assert "pip install" not in done.stdout  # the environment is there
    for overrides in re.findall(r"-m experiments -m (.*?)(?: \|\|.*)?$", done.stdout, re.MULTILINE):
        names = re.search(r"for name in ([\w ]+);", done.stdout)
        for name in names[1].split() if names else [""]:
            assert compose([part.replace("$name", name) for part in overrides.split()]) is not None


def test_the_lists_name_lines_that_are_there():
    lines = {line for found in LINES.values() for line in found}
    assert not (SWEEPS | COMPOSED) - lines
    assert len(LINES["README.md"]) >= 8
    assert {"reproduce", "reproduce-all", "baselines", "data", "test", "lint", "docs"} <= {*TARGETS}
