"""The tests that the findings point to, and the experiments, exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
POINTER = re.compile(r"`(?:([\w/]+/test_\w+\.py)(?:::)?)?(test_\w+)?`")


def pointers() -> list[tuple[str, str | None]]:
    """Return files and tests; a test without a file is in the one that was named before it."""
    found = []
    file = ""
    for match in POINTER.finditer(TEXT):
        if not any(match.groups()):
            continue
        file = match[1] or file
        found.append((file, match[2]))
    return found


def test_every_finding_points_to_a_test_that_is_there():
    found = pointers()
    assert len(found) >= 15
    for file, name in found:
        source = (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert name is None or f"def {name}(" in source, f"{file}::{name}"


def test_every_finding_has_tests():
    sections = TEXT.split("\n## ")[1:]
    assert len(sections) == 9
    assert [section.splitlines()[0] for section in sections if "*Tests:*" not in section] == []


def test_experiments_that_are_named_are_there():
    names = set(re.findall(r"experiment=(\w+)", TEXT))
    assert {name for name in names if not (ROOT / "conf" / "experiment" / f"{name}.yaml").exists()} == set()
