"""A program as one SELECT."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from foldse.export.dialects import DIALECTS, NUMBERS, Dialect, Kind
from foldse.export.logic import rules_of
from foldse.model.lines import predicate_name
from foldse.model.literals import Literal, Op, is_number
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet
from foldse.reading.conversion import BOOL, CODE, NUMBER, TEXT, single_type

__all__ = ["to_sql"]


def to_sql(clf: Any, table: str | Sequence[str], dialect: str = "duckdb", key: str | None = None) -> str:
    """Write a learned program as a SELECT over a table of its features.

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.
    table : str or sequence of str
        Name of the table; with its schema as ``("schema", "table")``. Its columns are named as the features.
    dialect : {"duckdb", "sqlite", "postgresql", "mariadb", "mysql", "bigquery", "snowflake"}
    key : str, optional
        A column of the table that identifies its rows, to be selected, too. Without it the rows come in
        whatever order the database gives them.

    Returns
    -------
    str
        A SELECT of the key; of the predicted class, named ``clf.rules_.target``, with the type of the
        labels, NULL where the model gives none; and of the number of the rule that fired, named ``rule``:
        from 1, or 0 where none did.

    Raises
    ------
    ValueError
        If the dialect is not known, a name cannot stand for one column only, or the rules tell apart what
        the database cannot hold apart in one column.

    Notes
    -----
    The table holds the raw columns: numbers as numbers, text as text, truth values as BOOLEAN (in SQLite 0
    and 1), missing values as NULL (in DuckDB also as NaN). If a column held one type when the model was
    learned, other types are converted to it as by ``predict``, and where that is not possible the query ends
    in an error. SQLite converts nothing, and its only error there is "integer overflow". In a column
    that held several types, a value of another type than a rule compares it with is not equal to it, nor
    above or below it. In DuckDB numerals in a text column are numbers for a feature of
    ``numeric_features``; SQLite makes numbers of them when it stores them in a numeric column.

    PostgreSQL does all this as DuckDB does. MariaDB and MySQL do, too, but an expression cannot ask for the
    type of a column there: numbers in a column that held text become text, and the error is "Subquery
    returns more than 1 row". BigQuery and Snowflake cast a column to what it held, in their own way; their
    queries are parsed, but not run, by the tests. Text is equal if its bytes are, whatever the collation.

    Thresholds are the very floats, see `foldse.export.dialects`. A rule
    does not fire where a literal is NULL, and negations are written so that they hold there.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldse import FoldSEClassifier
    >>> X = pd.DataFrame({"sex": ["m", "f", "m", "f"], "age": [30.0, 40.0, 5.0, 8.0]})
    >>> y = pd.Series(["no", "yes", "no", "yes"], name="survived")
    >>> print(to_sql(FoldSEClassifier(pos_label="yes").fit(X, y), "people", "sqlite", key="id"))
    SELECT "id", CASE "rule" WHEN 1 THEN 'yes' ELSE 'no' END AS "survived", "rule"
    FROM (
      SELECT "id",
        CASE
          WHEN "sex" = 'f' THEN 1
          ELSE 0
        END AS "rule"
      FROM (
        SELECT
          source."id" AS "id",
          CASE WHEN source."sex" IS NULL THEN NULL
          WHEN typeof(source."sex") = 'text' THEN source."sex"
          ELSE abs(-9223372036854775807 - (source."sex" IS NOT NULL)) /* column 'sex' held text */
          END AS "sex"
        FROM "people" AS source
      ) AS cells
    ) AS decided
    """
    rules = rules_of(clf)
    if dialect not in DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(DIALECTS)}; got {dialect!r}")
    names = [table] if isinstance(table, str) else list(table)
    query = _Query(clf, rules, DIALECTS[dialect], key)
    return query.text(".".join(query.dialect.identifier(name) for name in names))


_TYPE_OF = {Kind.SIZE: NUMBER, Kind.TEXT: TEXT, Kind.TRUTH: BOOL, Kind.CODE: CODE, Kind.LONG_CODE: CODE}


class _Query:
    """Writes the SELECT: innermost the columns, each read by kind, then the rule that fires."""

    def __init__(self, clf: Any, rules: RuleSet, dialect: Dialect, key: str | None):
        self.rules, self.dialect, self.key = rules, dialect, key
        held = dict(zip(clf.feature_names_, clf.feature_types_, strict=True))
        self.numeric, self.categorical = _names(clf.numeric_features), _names(clf.categorical_features)
        # The features that held one type, but for numeric ones, in which words may stand, too.
        self.learned = {
            feature: types
            for feature, types in held.items()
            if single_type(types) and feature not in self.numeric
        }
        in_use = {rules.target} if key is None else {rules.target, key.lower()}
        if key is not None and key.lower() == rules.target:
            raise ValueError(f"the key {key!r} has the name of the predicted class; rename that column")
        self.rule = predicate_name("rule", in_use)
        self.predicates = rules.predicate_names()
        self._taken = {*in_use, self.rule}
        self._cells: dict[tuple[str, Kind], str] = {}  # the name of each column, as read
        self._check_names()
        self._check_kinds()

    def _check_names(self) -> None:
        """Refuse names that differ in case only: to SQL they are one."""
        known: dict[str, str] = {}
        for feature in self.rules.features:
            other = known.setdefault(feature.lower(), feature)
            if other != feature:
                raise ValueError(f"columns {other!r} and {feature!r} are one name to SQL; rename one of them")

    def _check_kinds(self) -> None:
        kinds: dict[str, set[Kind]] = {}
        for literal in self.rules.literals():
            if self._can_hold(literal) and literal.value is not None:
                kinds.setdefault(literal.feature, set()).add(self._kind(literal))
        for feature, found in kinds.items():
            reason = self.dialect.confused(found, feature in self.numeric)
            if Kind.SIZE in found and found & NUMBERS > {Kind.SIZE}:
                reason = "a database does not know which of its numbers are categories"
            if reason is not None:
                raise ValueError(
                    f"rules compare {feature!r} with values of several types, and {reason}; split the "
                    "column, or name it in numeric_features or categorical_features, and learn again"
                )

    def _can_hold(self, literal: Literal) -> bool:
        """Whether there are values, by the role of the feature, that satisfy a literal or its negation."""
        if literal.feature in self.learned and literal.value is not None:
            return single_type(self.learned[literal.feature]) == _TYPE_OF[self._kind(literal)]
        if literal.op.is_threshold:
            return literal.feature not in self.categorical
        return not (is_number(literal.value) and literal.feature in self.numeric)

    def _kind(self, literal: Literal) -> Kind:
        return Kind.SIZE if literal.op.is_threshold else Kind.of(literal.value)

    def _cell(self, literal: Literal) -> str:
        """Return the name of the feature's column, as read for this kind of literal."""
        key = (literal.feature, self._kind(literal))
        if key not in self._cells:
            is_first = all(feature != literal.feature for feature, _ in self._cells)
            wanted = self.predicates[literal.feature] + ("" if is_first else f" {key[1]}")
            self._cells[key] = predicate_name(wanted, self._taken)
            self._taken.add(self._cells[key])
        return self.dialect.identifier(self._cells[key])

    def literal(self, literal: Literal) -> str:
        """Write a literal as a condition; a negated one is never NULL."""
        negated = literal.op.is_negated
        if literal.value is None:
            return f"NOT {self._cell(literal)}" if negated else self._cell(literal)
        value = float(literal.threshold) if literal.op.is_threshold else literal.value
        operand = self.dialect.value(value) if self._can_hold(literal) else None
        if operand is None:
            return "1 = 1" if negated else "1 = 0"
        if literal.op is Op.NE:
            return self.dialect.differs(self._cell(literal), operand)
        sign = {Op.EQ: "=", Op.LE: "<=", Op.GT: ">"}[literal.op.negation if negated else literal.op]
        condition = f"{self._cell(literal)} {sign} {operand}"
        return f"({condition}) IS NOT TRUE" if negated else condition

    def condition(self, rule: Rule, indent: str) -> str:
        """Write when a rule fires, an exception a line."""
        body = " AND ".join(self.literal(literal) for literal in rule.body)
        below = indent + "  "
        exceptions = [f"({self.condition(exception, below)}) IS NOT TRUE" for exception in rule.exceptions]
        return f"\n{indent}AND ".join([body, *exceptions])

    def label(self, label: Any) -> str:
        """Write a label."""
        if label is None:
            return "NULL"
        if not isinstance(label, str | bool | int | float):
            raise ValueError(
                f"the label {label!r} is of type {type(label).__name__}; SQL has text, truth values and "
                "numbers: convert the labels and learn again"
            )
        written = self.dialect.value(label)
        if written is None:
            raise ValueError(f"{self.dialect.title} cannot hold the label {label!r}; give the class another")
        return written

    def _check_labels(self) -> None:
        """Refuse a label for rows without one that cannot be in one column with the others."""
        own, labels = self.rules.abstain, [rule.head for rule in self.rules]
        if own is False or own is None or not labels:
            return
        reason = self.dialect.confused({Kind.of(label) for label in (own, *labels)}, numerals=False)
        if reason is not None:
            raise ValueError(
                f"the model says {own!r} where no rule fires, its labels are of another type, and {reason}; "
                "let it say nothing there: abstain=None"
            )

    def text(self, table: str) -> str:
        """Write the SELECT."""
        identifier = self.dialect.identifier
        target, rule_name = identifier(self.rules.target), identifier(self.rule)
        rules = list(enumerate(self.rules, 1))
        fires = ["    CASE"]
        for number, rule in rules:
            end = "\n      " if rule.exceptions else " "
            fires.append(f"      WHEN {self.condition(rule, ' ' * 8)}{end}THEN {number}")
        fires += ["      ELSE 0", "    END"]
        heads = "".join(f" WHEN {number} THEN {self.label(rule.head)}" for number, rule in rules)
        predicted = self.label(self.rules.otherwise)
        self._check_labels()
        if rules:
            predicted = f"CASE {rule_name}{heads} ELSE {predicted} END"
        else:
            fires = ["    0"]
        key = [] if self.key is None else [identifier(self.key)]
        lines = [
            "SELECT " + ", ".join([*key, f"{predicted} AS {target}", rule_name]),
            "FROM (",
            f"  SELECT{''.join(f' {name},' for name in key)}",
            *fires[:-1],
            f"{fires[-1]} AS {rule_name}",
            "  FROM (",
            "    SELECT",
            ",\n".join(f"      {column}" for column in self._columns()),
            f"    FROM {table} AS source",
            "  ) AS cells",
            ") AS decided",
        ]
        return "\n".join(lines)

    def _columns(self) -> Iterator[str]:
        identifier = self.dialect.identifier
        if self.key is not None:
            yield f"source.{identifier(self.key)} AS {identifier(self.key)}"
        for (feature, kind), name in self._cells.items():
            # Qualified, since SQLite takes an unknown name by itself for text.
            column = f"source.{identifier(feature)}"
            if feature in self.learned:
                read = self.dialect.read_learned(kind, column, feature, self.learned[feature])
            else:
                read = self.dialect.read(kind, column, feature in self.numeric)
            yield f"{read} AS {identifier(name)}"
        if self.key is None and not self._cells:
            yield "1 AS nothing"


def _names(given: Sequence[Any] | None) -> set[str]:
    return set() if given is None else {str(name) for name in given}
