"""Files as people have them, written from a table that is known, with what was done to each."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

PLAIN = ["red", "green", "blue", "New York", "sales", "north-west", "x1", "O'Neil", "a.b", "high"]
LATIN = ["Köln", "Zoë", "Éloïse", "São", "señor", "Straße", "Malmö", "déjà", "Łódź", "Šárka"]
TRICKY = [
    "Smith, J",
    "a;b",
    "c|d",
    'the "big" one',
    '5" pipe',
    "line\nbreak",
    '"quoted',
    "'tis",
    " padded ",
    "#5",
    "tab\there",
]
DATES = ["2024-01-05", "2023-11-30", "1999-12-31"]
MISSING = ["", "NA", "null", "?", "-", "missing"]


@dataclass(frozen=True)
class Messy:
    """A file, the table that it was written from, and the options that its author would give.

    A cell of the table is a number, a text or None.
    """

    data: bytes
    names: list[str]
    rows: list[list[Any]]
    options: dict[str, Any]
    done: dict[str, Any] = field(default_factory=dict)


def messy(seed: int) -> Messy:
    """Return the file of a seed."""
    rng = random.Random(seed)
    pick = rng.choice
    n_columns, n_rows = pick([1, 2, 3, 4, 6]), pick([1, 2, 3, 8, 30, 80])
    separator = pick([",", ",", ";", ";", "\t", "|", " "])
    decimal = pick([".", ".", ","])
    thousands = pick([None, None, None, "." if decimal == "," else ",", " ", "'"])
    money = pick([None] * 8 + ["$", "%", "€"])
    missing = pick(MISSING)
    quoting = pick(["needed", "needed", "all", "text", "never", "single", "backslash"])
    header = pick(["names"] * 6 + ["none", "title", "comment", "sep", "blank", "padded title"])
    encoding = pick(["utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252", "latin-1", "cp1250"])
    newline = pick(["\n", "\n", "\r\n", "\r"])
    blank_lines = pick([0, 0, 0, 2])
    says = rng.random() < 0.5  # whether the options are given
    words = PLAIN + (LATIN if rng.random() < 0.5 else []) + (TRICKY if rng.random() < 0.35 else [])
    bare = quoting == "never"  # then no text may have what separates
    words = [word for word in words if not (bare and any(sign in word for sign in (separator, "\n", "\t")))]
    words = [word for word in words if not (bare and word != word.strip())]
    if n_columns == 1 and quoting != "all":  # nobody could tell a separator from a comma
        words = [word for word in words if not any(sign in word for sign in ",;|\t")]
    kinds = [
        pick(["int", "float", "float", "text", "text", "code", "truth", "date", "big"])
        for _ in range(n_columns)
    ]
    names = rng.sample(
        ["a", "b c", "size", "Größe", "name", "y", "total, net", "x_1", "2019", "id"], n_columns
    )
    if bare:
        names = [name.replace(separator, "_").replace(",", "") for name in names]
    if n_columns == 1 and "title" in header:
        header = "names"  # nobody could tell the title
    if separator == " " and "title" in header:
        header = "comment"  # whose words are as good as names
    thousands = None if thousands == separator else thousands
    missing = "NA" if separator == " " and bare and not missing else missing

    def value(kind: str) -> Any:
        if rng.random() < 0.08:
            return None
        if kind == "int":
            return rng.randint(-50, 3000)
        if kind == "float":
            return round(rng.uniform(-20, 5000), pick([1, 2, 3]))
        if kind == "big":
            return rng.randint(1, 10**6) * pick([1, 1000])
        return {
            "text": lambda: pick(words),
            "code": lambda: f"{rng.randint(0, 99):03d}",
            "truth": lambda: pick(["TRUE", "FALSE"]),
            "date": lambda: pick(DATES),
        }[kind]()

    rows = [[value(kind) for kind in kinds] for _ in range(n_rows)]

    def number(of: float) -> str:
        sign, text = ("-" if of < 0 else ""), repr(abs(of))
        whole, _, rest = text.partition(".")
        if thousands and len(whole) > 3:
            head = len(whole) % 3
            groups = ([whole[:head]] if head else []) + [whole[i : i + 3] for i in range(head, len(whole), 3)]
            whole = thousands.join(groups)
        text = sign + whole + (decimal + rest if rest else "")
        if money:
            text = f"${text}" if money == "$" else f"{text}{money}"
        return text

    def cell(of: Any, kind: str) -> str:
        text = missing if of is None else number(of) if isinstance(of, int | float) else of
        return quoted(text, kind in ("text", "code", "date") and of is not None)

    def quoted(text: str, is_text: bool) -> str:
        sign = "'" if quoting == "single" else '"'
        signs = (separator, sign, "\n", "\r", *("\t" * (separator == " ")))
        needed = any(of in text for of in signs) or (separator == " " and text != text.strip())
        if separator == " " and not text:
            needed = True
        if quoting == "never" or not (
            needed or quoting == "all" or (quoting in ("text", "single") and is_text)
        ):
            return text
        inner = (
            text.replace("\\", "\\\\").replace(sign, "\\" + sign)
            if quoting == "backslash"
            else text.replace(sign, sign * 2)
        )
        return sign + inner + sign

    lines = [separator.join(cell(of, kind) for of, kind in zip(row, kinds, strict=True)) for row in rows]
    top = separator.join(quoted(name, True) for name in names)
    before = {
        "title": ["Export of all customers", ""],
        "comment": ["# exported 2024-01-05", "# by hand"],
        "sep": [f"sep={separator}"],
        "blank": ["", ""],
        "padded title": ["Customers" + separator * (n_columns - 1)],
    }.get(header, [])
    lines = [*before, *([] if header == "none" else [top]), *lines]
    for _ in range(blank_lines):
        lines.insert(rng.randint(len(lines) - n_rows, len(lines)), pick(["", "", "   "]))
    end = newline if n_columns == 1 else pick([newline, newline, ""])  # an empty last line is a row then
    text = newline.join(lines) + end
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        encoding = "utf-8"
        data = text.encode(encoding)
    options: dict[str, Any] = {}
    if header == "none":
        names = [f"x{place}" for place in range(n_columns)]
        options["no_header"] = True  # nobody could know
        options |= {"separator": "none"} if n_columns == 1 else {}  # New York may be two columns
    if missing in ("?", "-", "missing"):
        options["missing"] = [missing]  # the same
    if says:
        options |= {"decimal": decimal}
        options |= {"separator": separator} if header != "sep" and "separator" not in options else {}
        options |= {"encoding": encoding}
        options |= {"thousands": thousands} if thousands else {}
        options |= {"strip": [money]} if money else {}
        options |= {"skip_lines": len(before)} if header in ("title", "comment", "padded title") else {}
        options |= {"quote": "none"} if quoting == "never" else {}
    done = {
        "separator": separator,
        "decimal": decimal,
        "thousands": thousands,
        "money": money,
        "missing": missing,
        "quoting": quoting,
        "header": header,
        "encoding": encoding,
        "newline": newline,
        "blank_lines": blank_lines,
        "says": says,
        "kinds": kinds,
    }
    return Messy(data, names, rows, options, done)
