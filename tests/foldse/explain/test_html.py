"""HTML: its figures and text, that it needs nothing from elsewhere, and that a browser shows it readably."""

import html
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foldse import FoldSEClassifier, Literal, Op, Rule, RuleSet
from tests.foldse.cases import DEAR, FEMALE, NOT_FEMALE, PASSENGERS, SURVIVED, THIRD_CLASS, holding, titanic
from tests.tables import frame, mixed_tables

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no chromium")

INNER = Rule(None, (Literal("Fare", Op.GT, 50.0), FEMALE), (), (2.0, 0.0))
OUTER = Rule(None, (THIRD_CLASS, FEMALE), (INNER,), (1.0, 7.0))
RULES = RuleSet(
    (Rule("0", (NOT_FEMALE,), (), (30.0, 10.0)), Rule("0", (DEAR,), (OUTER,), (5.0, 0.0))),
    ("Sex", "Class", "Fare"),
    "survived",
    ("0", "1"),
    "1",
    (4.5, 50.5),
)
NASTY = [
    "<b>bold</b>",
    "</div></details>",
    "<script>document.title='x'</script>",
    "&amp;",
    "'\"",
    "é 日本 😀",
]
NASTY += ["a\nb\tc", "x" * 10_000, "-->", "\u202e", "<!--", "]]>", "\\"]


TAGS = {"div", "style", "p", "b", "code", "span", "ul", "li", "details", "summary"}
TAGS |= {"table", "thead", "tbody", "tr", "th", "td"}


class Page(HTMLParser):
    """Reads a fragment: its text, tags and attributes, and whether tags are balanced."""

    def __init__(self, source):
        super().__init__()
        self.tags, self.open, self.text, self.rows = [], [], [], []
        self.feed(source)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1] += data


def assert_self_contained(source):
    """One element of ASCII, that loads nothing, runs nothing, and names nothing elsewhere."""
    page = Page(source)
    assert source.isascii()
    assert page.open == []
    assert source.startswith('<div class="foldse">')
    assert source.endswith("</div>")
    assert {tag for tag, _ in page.tags} <= TAGS
    assert {name for _, attrs in page.tags for name in attrs} <= {"class", "style", "open"}
    style = source[source.index("<style>") : source.index("</style>")]
    assert not re.search(r"@import|url\(|//|expression", style)
    return page


def test_model_card():
    page = assert_self_contained(RULES.to_html())
    assert page.rows == [
        ["rule", "rows", "coverage", "precision", "confidence"],
        ["survived(X,'0') :- not sex(X,'female').", "40", "40.0%", "75.0%", "–"],
        ["survived(X,'0') :- fare(X,N1), not(N1=<23.25), not ab2(X,'True').", "5", "5.0%", "100%", "–"],
        ["ab2(X,'True') :- class(X,'3'), sex(X,'female'), not ab1(X,'True').", "8", "8.0%", "87.5%", "–"],
        ["ab1(X,'True') :- fare(X,N1), N1>50.0, sex(X,'female').", "2", "2.0%", "100%", "–"],
        ["otherwise survived(X,'1')", "55", "55.0%", "91.8%", "–"],
    ]
    assert "survived: 4 rules, 6 literals; training accuracy 85.5% (100 rows)" in "".join(page.text)


def test_model_card_of_a_learned_program():
    X, y = pd.DataFrame({"a": list("xxxxxyyyyy")}), ["no"] * 4 + ["yes"] * 6
    clf = FoldSEClassifier(pos_label="no").fit(X, y)
    assert Page(clf.rules_.to_html()).rows[1:] == [
        ["target(X,'no') :- a(X,'x').", "5", "50.0%", "80.0%", "0.61 (0.23 to 0.98)"],
        ["otherwise target(X,'yes')", "5", "50.0%", "100%", "–"],
    ]
    weighted = FoldSEClassifier(pos_label="no").fit(X, y, sample_weight=[0.25] * 10)
    assert Page(weighted.rules_.to_html()).rows[1][1:4] == ["1.25", "50.0%", "80.0%"]


def test_model_card_of_a_program_that_was_not_learned():
    page = assert_self_contained(titanic().rules_.to_html())
    assert [row[1:] for row in page.rows[1:]] == [["–", "–", "–", "–"]] * 3
    assert "training rows" not in "".join(page.text)
    constant = FoldSEClassifier().fit(PASSENGERS[["Sex"]], ["0"] * 4).rules_
    assert Page(constant.to_html()).rows[1:] == [["otherwise target(X,'0')", "4", "100%", "100%", "–"]]


def test_almost_all_is_not_all():
    rules = RuleSet((), ("a",), "t", ("0", "1"), "0", (99_999.0, 1.0))
    assert Page(rules.to_html()).rows[1] == ["otherwise t(X,'0')", "100,000", "100%", "99.9%", "–"]


def test_justification():
    told = titanic().explain(PASSENGERS, names="Name")
    page = assert_self_contained(told[1].to_html())
    assert "".join(page.text) == (
        "survived(Mrs. James,'1') by default, as no rule fires"
        "falsesurvived(X,'0')falsesex is 'female', should not equal 'female'"
        "falsesurvived(X,'0')falseclass is '1', should equal '3'"
        "not neededsex is 'female', should equal 'female'"
        "not neededfare is 71.28, should not be less equal to 23.25"
    )
    opened = ["open" in attrs for tag, attrs in Page(told[0].to_html()).tags if tag == "details"]
    assert opened == [True, False]
    assert told[0]._repr_html_() == told[0].to_html()


@settings(max_examples=60)
@given(table=st.one_of(mixed_tables(), mixed_tables(labels=("a", "b", "c"))))
def test_every_table_makes_a_page(table):
    rows, labels = table
    clf = FoldSEClassifier(tail=0).fit(frame(rows), labels)
    for rules in (clf.rules_, clf.raw_rules_):
        page = assert_self_contained(rules.to_html())
        assert [row[0] for row in page.rows[1:-1] if not row[0].startswith("ab")] == str(rules).splitlines()[
            : len(rules)
        ]
        assert sorted(row[0] for row in page.rows[1:-1]) == sorted(str(rules).splitlines())
    for justification in clf.explain(frame(rows)):
        page = assert_self_contained(justification.to_html())
        assert "".join(page.text).count("should") == clf.rules_.n_predicates


def nasty():
    """Return a program and a justification whose every text is nasty."""
    columns = {name: [name, *NASTY[:-1]] for name in NASTY[:4]}
    table = pd.DataFrame(columns)
    rules = [
        Rule(NASTY[0], (Literal(NASTY[0], Op.NE, text), Literal(NASTY[1], Op.EQ, NASTY[1]))) for text in NASTY
    ]
    y = pd.Series([NASTY[0], *NASTY[:-1]], name="<i>")
    clf = holding(rules, table, y, default=NASTY[2])
    return clf.rules_, clf.explain(table, names=[NASTY[2], *NASTY[:-1]])


def test_text_is_escaped():
    rules, justifications = nasty()
    page = assert_self_contained(rules.to_html())
    assert sorted(row[0] for row in page.rows[1:-1]) == sorted(str(rules).splitlines())
    for justification in justifications:
        page = assert_self_contained(justification.to_html())
        assert justification.subject in "".join(page.text)


# In a browser.

PROBE = """
<script>
function channels(colour) {
  const found = colour.match(/[\\d.]+/g).map(Number);
  return found.length < 4 ? [...found, 1] : found;
}
function over(top, bottom) {
  return [0, 1, 2].map(i => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
}
function luminance(colour) {
  const [r, g, b] = colour.slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(element, canvas) {
  const chain = [];
  for (let e = element; e; e = e.parentElement) chain.unshift(e);
  let behind = canvas, opacity = 1;
  for (const e of chain) {
    const style = getComputedStyle(e);
    opacity *= Number(style.opacity);
    const own = channels(style.backgroundColor);
    behind = over([...own.slice(0, 3), own[3] * opacity], behind);
  }
  const ink = channels(getComputedStyle(element).color);
  const text = over([...ink.slice(0, 3), ink[3] * opacity], behind);
  const [high, low] = [luminance(text), luminance(behind)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}
addEventListener("load", () => {
  const probe = document.createElement("div");
  probe.style.color = "Canvas";
  document.body.append(probe);
  const canvas = channels(getComputedStyle(probe).color);
  probe.remove();
  const root = document.querySelector(".foldse");
  const shown = [...root.querySelectorAll("*")].filter(e => e.tagName != "STYLE" && e.checkVisibility()
    && [...e.childNodes].some(n => n.nodeType == 3 && n.data.trim()));
  const report = {
    canvas: canvas,
    texts: shown.length,
    worst: Math.min(...shown.map(e => contrast(e, canvas))),
    overflows: document.documentElement.scrollWidth > innerWidth,
    open: root.querySelectorAll("details[open]").length,
    title: document.title,
    loaded: performance.getEntriesByType("resource").length,
  };
  const result = document.createElement("output");
  result.textContent = JSON.stringify(report);
  document.body.append(result);
});
</script>
"""

HOSTS = {
    "a page of its own": "{}",
    "a light notebook": '<body style="background:#fff;color:#111"><main><section>{}</section></main></body>',
    "a dark notebook": '<body style="background:#111;color:#ddd"><main><section>{}</section></main></body>',
}


def run_browser(folder, *arguments):
    profile = f"--user-data-dir={folder / 'profile'}"
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", profile, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


def probe(source, folder, dark=False, width=1000):
    """Load a fragment in chromium and return what a script finds there."""
    file = folder / "page.html"
    file.write_text(source + PROBE, encoding="ascii")
    command = [
        BROWSER,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={folder / 'profile'}",
    ]
    command += [f"--window-size={width},700", "--virtual-time-budget=2000", "--dump-dom"]
    command += [f"--blink-settings=preferredColorScheme={0 if dark else 1}"]
    done = subprocess.run([*command, file.as_uri()], capture_output=True, text=True, timeout=120, check=True)
    return json.loads(html.unescape(re.search(r"<output>(.*?)</output>", done.stdout, re.DOTALL)[1]))


@pytest.fixture(scope="module")
def fragments():
    exception = Rule(None, (THIRD_CLASS, FEMALE))
    clf = holding([Rule("0", (DEAR,), (exception,)), Rule("0", (FEMALE,))], PASSENGERS, SURVIVED, default="1")
    return {"card": RULES.to_html(), "justification": clf.explain(PASSENGERS, names="Name")[1].to_html()}


@needs_browser
@pytest.mark.parametrize("what", ["card", "justification"])
@pytest.mark.parametrize(
    ("host", "dark"),
    [
        ("a page of its own", False),
        ("a page of its own", True),
        ("a light notebook", True),  # the system's theme need not be the notebook's
        ("a dark notebook", False),
    ],
    ids=lambda value: {True: "dark system", False: "light system"}.get(value, value),
)
def test_readable_in_a_browser(what, host, dark, fragments, tmp_path):
    found = probe(HOSTS[host].format(fragments[what]), tmp_path, dark)
    is_dark_page = sum(found["canvas"][:3]) < 380
    assert is_dark_page == (dark and host == "a page of its own")
    assert found["texts"] > 10
    assert found["worst"] >= 4.5  # what the accessibility guidelines ask of text
    assert found["loaded"] == 0
    assert not found["overflows"]
    assert found["open"] == (2 if what == "justification" else 0)


@needs_browser
def test_nasty_text_in_a_narrow_browser(tmp_path):
    rules, justifications = nasty()
    for source in (rules.to_html(), justifications[0].to_html()):
        found = probe(source, tmp_path, width=600)
        assert found["title"] == ""  # no script ran
        assert not found["overflows"]


@needs_browser
def test_screenshot(fragments, tmp_path):
    for name, source in fragments.items():
        page, image = tmp_path / f"{name}.html", tmp_path / f"{name}.png"
        page.write_text(source, encoding="ascii")
        run_browser(tmp_path, "--window-size=800,400", f"--screenshot={image}", page.as_uri())
        blank = 2_500  # bytes of a white picture of this size
        assert image.read_bytes().startswith(b"\x89PNG")
        assert image.stat().st_size > 2 * blank
