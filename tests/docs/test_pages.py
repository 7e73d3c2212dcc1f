"""Every code block of the documentation runs, and prints what the page shows."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

pytest.importorskip("sybil", reason="sybil is not installed; it is part of the extra test")

from tests.docs.blocks import difference, run_page

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CODE = re.compile(r"^```(python|sh)$", re.MULTILINE)


def n_blocks(page: Path) -> int:
    return len(CODE.findall(page.read_text(encoding="utf-8")))


PAGES = [page for page in sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")]) if n_blocks(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_blocks_of_a_page_run_and_print_what_is_shown(page, tmp_path, monkeypatch):
    shutil.copy(DOCS / "animals.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    ran, skipped = run_page(page)
    assert ran + len(skipped) >= n_blocks(page)
    if not ran:
        pytest.skip("; ".join(skipped))


def test_a_page_that_shows_something_else_fails(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = {
        "good.md": "```python\nx = 1\nprint(x)  # 1\nprint(x + 1)\n# 2\n```\n",
        "comment.md": "text\n\n```python\nprint(1)  # 2\n```\n",
        "block.md": "```python\nprint(1)\n```\n\n<!-- prints -->\n```text\n2\n```\n",
        "error.md": "```sh\nfalse\n```\n",
        "raises.md": "```python\nx = 1\nraise ValueError(x)\n```\n",
    }
    for name, text in shown.items():
        (tmp_path / name).write_text(text)
    assert run_page(tmp_path / "good.md") == (1, [])
    for name, message in {
        "comment.md": r"line 3, [\s\S]*shown:\n2\n\nprinted:\n1\n",
        "block.md": r"line 5, [\s\S]*shown:\n2\n\nprinted:\n1\n",
        "error.md": r"line 1, [\s\S]*exit code 1",
    }.items():
        with pytest.raises(AssertionError, match=message):
            run_page(tmp_path / name)
    with pytest.raises(ValueError, match="1"):
        run_page(tmp_path / "raises.md")


def test_dots_stand_for_anything_and_blanks_are_one():
    assert difference("a ... d", "a b\n  c   d\n") is None
    assert difference("a b", "a\nb\n\n") is None
    assert difference("a b", "ab") is not None
