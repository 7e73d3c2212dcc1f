"""How delimited text is split into cells, detected from its first lines."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from foldse.cli.errors import CommandError, UsageError
from foldse.cli.options import Reading

__all__ = ["NAMES", "Dialect", "detect"]

SEPARATORS = [",", ";", "\t", "|"]
NAMES = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " ", "none": ""}
NO_SEPARATOR = "\x1f"  # of one column: a character that text does not have
QUOTES = [('"', None), ('"', "\\"), ("'", None)]  # each with the sign that escapes it
NUMBER_LIKE = re.compile(r"[-+$€£¥%\d.,' \u00a0\u202f\u2212]*\d[-+$€£¥%\d.,' \u00a0\u202f]*")
SAMPLE_LINES = 2_000


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a text is split into cells.

    Attributes
    ----------
    separator : str
        Empty for a single column.
    quote : str or None
        None if quotes are part of the text.
    escape : str or None
    decimal : str
    blanks : bool
        Whether a blank follows each separator, which is then not part of the value.
    is_sure : bool
        Whether a number shows that the decimal sign is one, and does not separate thousands.
    """

    separator: str
    quote: str | None
    escape: str | None = None
    decimal: str = "."
    blanks: bool = False
    is_sure: bool = True

    def __str__(self) -> str:
        names = {"\t": "separator tab", " ": "separator blanks", "": "one column"}
        parts = [names.get(self.separator, f"separator {self.separator!r}") + " and a blank" * self.blanks]
        if self.quote is None:
            parts.append("no quotes")
        elif self.quote != '"':
            parts.append(f"quotes {self.quote}")
        if self.decimal != ".":
            parts.append("decimal comma" if self.decimal == "," else f"decimal {self.decimal!r}")
        return ", ".join(parts)

    def rows(self, lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
        """Yield the cells of each row, and how many lines have been read with it.

        Raises
        ------
        csv.Error
            If a quote is not closed, or text follows a closing quote.
        """
        if self.separator == " ":
            lines = io.StringIO(self._one_blank("".join(lines)), newline="")
        reader = csv.reader(
            lines,
            delimiter=self.separator or NO_SEPARATOR,
            quotechar=self.quote,
            quoting=csv.QUOTE_NONE if self.quote is None else csv.QUOTE_MINIMAL,
            escapechar=self.escape,
            skipinitialspace=self.blanks,
            strict=True,
        )
        for row in reader:
            yield reader.line_num, row

    def _one_blank(self, text: str) -> str:
        """Return text with one blank for each run of them outside quotes, and none at the ends of lines."""
        escaped = rf"{re.escape(self.escape)}.|" if self.escape else ""
        quoted = f"({self.quote}(?:{escaped}[^{self.quote}])*{self.quote})" if self.quote else "(?!)()"
        ends = r"(?:^|(?<=[\r\n]))[ \t]+|[ \t]+(?=[\r\n]|$)"
        return re.sub(rf"{quoted}|({ends})|[ \t]+", lambda found: found[1] or ("" if found[2] else " "), text)


def detect(
    sample: str, is_cut: bool, reading: Reading, separator: str | None, name: str, known: Collection[str] = ()
) -> Dialect:
    """Find out how a text is split.

    Parameters
    ----------
    sample : str
        The first lines.
    is_cut : bool
        Whether more follow.
    reading : Reading
    separator : str or None
        None if it is to be found.
    name : str
        Of the file.
    known : collection of str
        Names that the first line has.

    Returns
    -------
    Dialect
    """
    if separator and separator == reading.decimal and reading.quote == "none":
        raise UsageError(
            f"{separator!r} cannot be the separator and the decimal sign in a file without quotes; give "
            "another --separator or --decimal"
        )
    if separator is not None and len(separator) > 1:
        raise CommandError(f"the separator {separator!r} is not one character; {', '.join(NAMES)} are known")
    lines = [line for line in io.StringIO(sample, newline="") if line.strip()]
    is_cut = is_cut or len(lines) > SAMPLE_LINES
    lines = lines[: SAMPLE_LINES if len(lines) > SAMPLE_LINES else len(lines) - is_cut or 1]
    quotes: list[tuple[str | None, str | None]] = [*QUOTES]
    if reading.quote is not None:
        quotes = [(None if reading.quote == "none" else reading.quote, None)]
    if separator is not None:
        found = [_split(lines, is_cut, separator, quotes)]
    else:
        found = [_split(lines, is_cut, candidate, quotes) for candidate in SEPARATORS]
        if 2 * sum("\t" in line for line in lines) < len(lines):  # else tabs separate, or blanks and tabs do
            found.append(_split(lines, is_cut, " ", quotes))
        found = _likely(found, name, reading.no_header, known)
        if not found:
            found = [_split(lines, is_cut, "", quotes)]
    (dialect, rows) = found[0]
    later = [cell for row in rows for cell in row[1:] if cell]
    blanks = dialect.separator not in (" ", "") and bool(later) and all(cell[0] == " " for cell in later)
    decimal, is_sure = _decimal(rows[0 if reading.no_header else 1 :], reading.decimal)
    return Dialect(dialect.separator, dialect.quote, dialect.escape, decimal, blanks, is_sure)


Split = tuple[Dialect, list[list[str]]]


def _split(
    lines: Sequence[str], is_cut: bool, separator: str, quotes: Sequence[tuple[str | None, str | None]]
) -> Split:
    """Split lines by a separator, with the first quotes that leave no fault, else with the first of all."""
    ways = [_parsed(lines, is_cut, Dialect(separator, quote, escape)) for quote, escape in quotes]
    sound = [(dialect, rows) for dialect, rows, is_sound in ways if is_sound]
    if len(sound) > 1 and sound[-1][0].quote == "'" and _in_apostrophes(sound[0][1], lines, separator):
        return sound[-1]
    return next(
        ((dialect, rows) for dialect, rows in sound if len(ways) == 1 or dialect.quote != "'"), ways[0][:2]
    )


def _parsed(lines: Sequence[str], is_cut: bool, dialect: Dialect) -> tuple[Dialect, list[list[str]], bool]:
    rows = []
    try:
        for _, row in dialect.rows(iter(lines)):
            rows.append(row)
    except csv.Error as error:
        return dialect, rows, is_cut and "end of data" in str(error)
    return dialect, rows, True


def _in_apostrophes(rows: list[list[str]], lines: Sequence[str], separator: str) -> bool:
    """Return whether single quotes enclose cells, and not double ones."""
    starts = rf'(?:^|[\r\n{re.escape(separator)}])"' if separator else r'(?:^|[\r\n])"'
    if re.search(starts, re.sub(r"'(?:[^']|'')*'", "''", "".join(lines))):
        return False
    return any(cell.startswith("'") for row in rows for cell in row)


def _likely(found: list[Split], name: str, no_header: bool, known: Collection[str]) -> list[Split]:
    """Return the ways to split that give a table, the best first."""
    tables: list[tuple[float, Split]] = []
    for dialect, rows in found:
        widths = Counter(map(len, rows))
        width, n_rows = max(widths.items(), key=lambda item: (item[1], item[0]), default=(1, 0))
        if known and not no_header:
            if rows and set(known) <= {cell.strip() for cell in rows[0]} and len(rows[0]) > 1:
                return [(dialect, rows)]
            if rows and len(rows[0]) == 1 and rows[0][0] in known:
                continue
        is_table = len(widths) == 1 and not any(map(_is_torn, rows[0]))
        if width > 1 and (is_table or dialect.separator != " "):
            if _are_numbers(rows[0 if no_header else 1 :], dialect.separator, no_header):
                raise CommandError(
                    f"{name}: a line may be a single number, such as {dialect.separator.join(rows[-1])}; "
                    "give --separator, or --separator none"
                )
            worth = 1 + _cleanness(rows, dialect.separator) if is_table else n_rows / len(rows)
            tables.append((worth, (dialect, rows)))
    tables.sort(key=lambda table: -table[0])
    if len(tables) > 1 and tables[0][0] == tables[1][0] and _are_alike(tables[0][1], tables[1][1]):
        ways = " or ".join(repr(split[0].separator) for _, split in tables[:2])
        raise CommandError(f"{name} can be split at {ways}; give --separator")
    return [split for _, split in tables]


def _are_alike(first: Split, second: Split) -> bool:
    """Return whether two ways to split are as likely; blanks are less so unless all commas are in numbers."""
    if second[0].separator != " ":
        return True
    cells = [cell for row in second[1] for cell in row if "," in cell]
    return first[0].separator == "," and not any(re.search(r"(?<!\d),|,(?!\d)", cell) for cell in cells)


def _is_torn(cell: str) -> bool:
    """Return whether a cell is a part of one in quotes."""
    return cell.count('"') % 2 == 1 or (cell.startswith("'") and cell.count("'") % 2 == 1)


def _are_numbers(rows: list[list[str]], separator: str, no_header: bool) -> bool:
    """Return whether every line may be a number with the separator in it: 1,234 or, without names, 1,5."""
    if separator not in (",", " ") or not rows:
        return False
    number = re.compile(rf"[+-]?\d{{1,3}}(?:{separator}\d{{3}})+(?:[.,]\d+)?" + r"|[+-]?\d*,\d+" * no_header)
    return all(number.fullmatch(re.sub(r"[$€£¥%]", "", separator.join(row)).strip()) for row in rows)


def _cleanness(rows: list[list[str]], separator: str) -> float:
    """Return the share of cells without another separator; those of a number do not count."""
    others = [other for other in SEPARATORS if other != separator]
    cells = [cell for row in rows for cell in row]
    clean = sum(
        NUMBER_LIKE.fullmatch(cell) is not None or not any(other in cell for other in others)
        for cell in cells
    )
    return clean / len(cells)


def _decimal(rows: list[list[str]], given: str | None) -> tuple[str, bool]:
    """Return the decimal sign of more numbers, and whether one shows that it does not separate thousands."""
    cells = [cell.strip() for row in rows for cell in row]
    shown = {
        sign: sum(
            re.fullmatch(rf"[+-]?(?:\d+|\d{{1,3}}(?:[{other}]\d{{3}})+|)[{sign}]\d+", cell) is not None
            and re.fullmatch(rf"[+-]?[1-9]\d{{0,2}}[{sign}]\d{{3}}", cell) is None
            for cell in cells
        )
        for sign, other in ((".", ","), (",", "."))
    }
    if given:
        return given, True
    sign = "," if shown[","] > shown["."] else "."
    return sign, shown[sign] > 0
