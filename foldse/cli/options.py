"""Options that several commands share, in groups."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import typer

from foldse.heuristics import SCORES

__all__ = ["Data", "Format", "Learner", "Learning", "Model", "Reading", "Settings", "Size"]


class Format(StrEnum):
    """How a table is written."""

    CSV = "csv"
    TSV = "tsv"
    PARQUET = "parquet"
    ARFF = "arff"
    EXCEL = "excel"


class Learner(StrEnum):
    """The algorithm that learns."""

    FOLDSE = "foldse"
    FOLDRPP = "foldrpp"
    CONFOLD = "confold"
    TREE = "tree"


class Choice(StrEnum):
    """Which program is kept of many."""

    ONE_SE = "one_se"
    BEST = "best"


Heuristic = StrEnum("Heuristic", {name.upper(): name for name in SCORES})  # type: ignore[misc]


Data = Annotated[str, typer.Argument(metavar="DATA", help="Data file; - for standard input.")]
Model = Annotated[str, typer.Argument(metavar="MODEL", help="Model file written by fit.")]

READING = "Reading the data"
LEARNING = "Learning"
SIZE = "Size of the program"


def _option(
    *names: str,
    group: str,
    help: str,
    metavar: str | None = None,
    min: int | None = None,
    max: int | None = None,
) -> Any:
    return typer.Option(*names, help=help, metavar=metavar, rich_help_panel=group, min=min, max=max)


@dataclass(frozen=True, slots=True)
class Reading:
    """How a file is read; None where that is detected."""

    format: Annotated[
        Format | None, _option("--input-format", group=READING, help="Kind of file. [default: from its name]")
    ] = None
    encoding: Annotated[
        str | None,
        _option("--encoding", metavar="NAME", group=READING, help="Text encoding. [default: detected]"),
    ] = None
    separator: Annotated[
        str | None,
        _option(
            "--separator",
            metavar="CHAR",
            group=READING,
            help="Column separator: a character, or tab, comma, semicolon, pipe, space, or none for a "
            "single column. [default: detected]",
        ),
    ] = None
    decimal: Annotated[
        str | None,
        _option("--decimal", metavar="CHAR", group=READING, help="Decimal sign. [default: detected]"),
    ] = None
    thousands: Annotated[
        str | None,
        _option(
            "--thousands", metavar="CHAR", group=READING, help="Thousands separator, such as , or a blank."
        ),
    ] = None
    strip: Annotated[
        list[str] | None,
        _option(
            "--strip",
            metavar="TEXT",
            group=READING,
            help="Text to remove from numbers, such as $ or %. Repeatable.",
        ),
    ] = None
    quote: Annotated[
        str | None,
        _option(
            "--quote",
            metavar="CHAR",
            group=READING,
            help="Quote character, or none if quotes are part of the text. [default: detected]",
        ),
    ] = None
    skip_lines: Annotated[
        int | None,
        _option(
            "--skip-lines",
            metavar="LINES",
            group=READING,
            help="Lines to skip before the names: a title or comments.",
            min=0,
        ),
    ] = None
    sheet: Annotated[
        str | None,
        _option(
            "--sheet",
            metavar="NAME",
            group=READING,
            help="Sheet of a workbook: its name, or its position from 0. [default: 0]",
        ),
    ] = None
    missing: Annotated[
        list[str] | None,
        _option(
            "--missing", metavar="TEXT", group=READING, help="Text that marks a missing value. Repeatable."
        ),
    ] = None
    no_default_missing: Annotated[
        bool,
        _option(
            "--no-default-missing", group=READING, help="Only empty cells and --missing are missing values."
        ),
    ] = False
    no_header: Annotated[
        bool,
        _option("--no-header", group=READING, help="The first line is data; columns are named x0, x1, ..."),
    ] = False


@dataclass(frozen=True, slots=True)
class Learning:
    """The target, the columns to learn from, and the seed."""

    target: Annotated[
        str,
        typer.Option(
            "--target",
            "-t",
            metavar="COLUMN",
            help="Column to predict: its name, or its position from 0 (-1 is the last).",
        ),
    ]
    positive: Annotated[
        str | None,
        typer.Option(
            "--positive",
            "-p",
            metavar="LABEL",
            help="Positive class (binary only), for which rules are learned; confold learns them for both. "
            "[default: the more frequent]",
        ),
    ] = None
    numeric: Annotated[
        list[str] | None,
        _option(
            "--numeric",
            metavar="COLUMN",
            group=LEARNING,
            help="Read this column as numbers; other values stay categories. Repeatable.",
        ),
    ] = None
    categorical: Annotated[
        list[str] | None,
        _option(
            "--categorical",
            metavar="COLUMN",
            group=LEARNING,
            help="Read this column as categories. Repeatable.",
        ),
    ] = None
    drop: Annotated[
        list[str] | None,
        _option("--drop", metavar="COLUMN", group=LEARNING, help="Ignore this column. Repeatable."),
    ] = None
    weight: Annotated[
        str | None,
        _option("--weight", metavar="COLUMN", group=LEARNING, help="Column of row weights."),
    ] = None
    skip_unlabelled: Annotated[
        bool,
        _option("--skip-unlabelled", group=LEARNING, help="Ignore rows without a label."),
    ] = False
    seed: Annotated[
        int,
        _option(
            "--seed",
            group=LEARNING,
            help="Seed of the hold-out split and of the folds.",
            min=0,
            max=2**32 - 1,
        ),
    ] = 0


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a learner; None for its default."""

    ratio: Annotated[
        float | None,
        _option(
            "--ratio",
            group=LEARNING,
            help="A rule is specialized until it covers at most this many negatives per positive. "
            "[default: 0.5]",
        ),
    ] = None
    tail: Annotated[
        str | None,
        _option(
            "--tail",
            metavar="SHARE|ROWS",
            group=LEARNING,
            help="Drop rules that cover fewer rows: a share below 1, or a count. FOLD-SE only. "
            "[default: 0.005]",
        ),
    ] = None
    heuristic: Annotated[
        Heuristic | None,
        _option(
            "--heuristic",
            group=LEARNING,
            help="Score of candidate conditions. [default: the one of the learner's paper]",
        ),
    ] = None
    improvement_threshold: Annotated[
        float | None,
        _option(
            "--improvement-threshold",
            metavar="GAIN",
            group=LEARNING,
            help="Remove exceptions by which the confidence of their rule grows less. "
            "[default: none; for confold 0.02]",
        ),
    ] = None
    confidence_threshold: Annotated[
        float | None,
        _option(
            "--confidence-threshold",
            metavar="CONFIDENCE",
            group=LEARNING,
            help="Drop rules of less confidence. [default: none; for confold 0.75]",
        ),
    ] = None
    abstain: Annotated[
        str | None,
        _option(
            "--abstain",
            metavar="LABEL",
            group=LEARNING,
            help="What to predict where no rule fires; an empty text for no label. [default: the other label "
            "of two, the most frequent of more; for confold no label]",
        ),
    ] = None
    expert_rules: Annotated[
        str | None,
        _option(
            "--expert-rules",
            metavar="FILE",
            group=LEARNING,
            help="Rules that come first, as text; learning goes on with the rows that they do not cover.",
        ),
    ] = None
    max_rule_length: Annotated[
        int | None,
        _option(
            "--max-rule-length",
            metavar="LITERALS",
            group=SIZE,
            help="Longest rule, and longest exception. [default: no limit]",
            min=1,
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class Size:
    """How large the program may be: the choice among many settings."""

    front: Annotated[
        bool,
        _option(
            "--front",
            group=SIZE,
            help="Try many settings by cross-validation, print those that no other beats in accuracy and "
            "size, and choose one. --ratio, --tail and --heuristic fix a setting.",
        ),
    ] = False
    max_literals: Annotated[
        int | None,
        _option(
            "--max-literals",
            metavar="N",
            group=SIZE,
            help="Choose the most accurate program with at most so many conditions. Implies --front.",
            min=0,
        ),
    ] = None
    max_rules: Annotated[
        int | None,
        _option(
            "--max-rules",
            metavar="N",
            group=SIZE,
            help="Choose the most accurate program with at most so many rules and exceptions. "
            "Implies --front.",
            min=0,
        ),
    ] = None
    choose: Annotated[
        Choice | None,
        _option(
            "--choose",
            group=SIZE,
            help="Without a limit: the smallest program within one standard error of the best one's "
            "accuracy, or the best. Implies --front. [default: one_se]",
        ),
    ] = None

    @property
    def is_asked(self) -> bool:
        """Whether many settings are to be tried."""
        return self.front or (self.max_literals, self.max_rules, self.choose) != (None, None, None)
