"""The site builds without a warning, its links lead somewhere, and it needs no network to be read."""

from __future__ import annotations

import html
import importlib
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import pytest

pytest.importorskip("sphinx", reason="sphinx is not installed; it is part of the extra docs")
pytest.importorskip("myst_parser")
pytest.importorskip("numpydoc")
pytest.importorskip("furo")

from sphinx.util.inventory import InventoryFile

from scripts.draw_figures import FIGURES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

# What is public: all of these modules, and of the others what is named.
MODULES = (
    "foldse.classifiers",
    "foldse.export",
    "foldse.heuristics",
    "foldse.codefile",
    "foldse.explain.counterfactual",
)
MODULES += ("foldse.explain.justification", "foldse.explain.justify", "foldse.scoring")
MODULES += ("foldse.model.rule", "foldse.model.rules")
MODULES += ("foldse.model.confidence", "foldse.model.similarity")
NAMES = {
    "foldse.persistence": ("ModelFileError", "from_json", "load_model"),
    "foldse.model.literals": ("Literal", "Op"),
    "foldse.model.tree": ("Node", "Tree"),
    "foldse.explain.proof": ("LiteralNode", "ObservedValue", "Program", "RuleNode", "State"),
    "foldse.explain.english": ("describe",),
}


class Page(HTMLParser):
    """What a page points to, what it fetches, and the places that can be pointed to."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value for name, value in attrs if value}
        self.places |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        if "src" in given:
            self.fetched.append(given["src"])
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preload", "preconnect"):
            self.fetched.append(given["href"])


class Site(NamedTuple):
    folder: Path
    pages: dict[Path, Page]


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Site:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-W",
            "--keep-going",
            "-q",
            "-d",
            folder / "doctrees",
            DOCS,
            folder / "html",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    html = folder / "html"
    return Site(html, {path: Page(path.read_text(encoding="utf-8")) for path in html.rglob("*.html")})


def test_every_page_is_built_and_in_the_navigation(site):
    names = {path.relative_to(DOCS).with_suffix(".html") for path in DOCS.rglob("*.md")}
    assert {site.folder / name for name in names} <= set(site.pages)
    start = site.pages[site.folder / "index.html"]
    assert {name.as_posix() for name in names} - set(start.links) <= {"index.html"}


def test_links_lead_somewhere(site):
    broken = []
    for path, page in site.pages.items():
        for link in [*page.links, *page.fetched]:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = site.pages.get(to)
            if not to.exists() or (parts.fragment and known and unquote(parts.fragment) not in known.places):
                broken.append(f"{path.relative_to(site.folder)}: {link}")
    assert not broken, "\n".join(broken)


def test_nothing_is_fetched_from_elsewhere(site):
    fetched = [link for page in site.pages.values() for link in page.fetched]
    assert [link for link in fetched if urlsplit(link).netloc] == []
    for style in site.folder.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*['\"]?(https?:)?//", style.read_text(encoding="utf-8")), (
            style
        )


def test_the_reference_has_all_that_is_public(site):
    with (site.folder / "objects.inv").open("rb") as file:
        inventory = InventoryFile.load(file, "", lambda base, name: name)
    known = {
        name.rpartition(".")[2] for kind in inventory if kind.startswith("py:") for name in inventory[kind]
    }
    public = set(importlib.import_module("foldse").__all__) - {"__version__"}
    for name in MODULES:
        public |= set(importlib.import_module(name).__all__)
    for names in NAMES.values():
        public |= set(names)
    assert public - known == set()


def test_results_that_are_there_are_shown(site):
    tables = (site.folder / "tables.html").read_text(encoding="utf-8")
    for path in (ROOT / "results" / "tables").glob("*.md"):
        title = path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")
        assert f">{html.escape(title)}<" in tables
    assert "<!-- results" not in tables


@pytest.mark.parametrize("name", FIGURES)
def test_figures_are_what_the_script_draws(name):
    drawn = (DOCS / "figures" / f"{name}.svg").read_text(encoding="utf-8")
    assert str(FIGURES[name]()) == drawn, "run python scripts/draw_figures.py"
