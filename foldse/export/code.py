"""A program as source code: functions without dependencies, for C, Java, JavaScript and Rust."""

from __future__ import annotations

import json
import re
from typing import Any

from foldse.export.cells import Cells, double
from foldse.export.languages import LANGUAGES, Form, Language
from foldse.export.logic import rules_of
from foldse.model.literals import Literal, Op
from foldse.model.rule import Rule

__all__ = ["to_c", "to_java", "to_javascript", "to_rust"]


def to_c(clf: Any, name: str | None = None) -> str:
    """Write a learned program as two functions in C (C99).

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.
    name : str, optional
        What the function is called that returns the label; ``clf.rules_.target`` by default. The other one,
        ``<name>_rule``, returns the number of the rule that decides, from 1, or 0 for the default.

    Returns
    -------
    str
        The source, with a comment that says what each parameter is.

    Raises
    ------
    ValueError
        If the name is none of the language, or a label or category cannot be written in it: text with a NUL
        character (C only) or that is not valid Unicode, or a number that is no 64-bit float.

    Notes
    -----
    The functions have a parameter for each feature that the rules look at, in the order of the table: a
    ``double``, NaN where the value is missing; text as UTF-8, NULL where it is missing; a truth value as 1,
    0, or -1 where it is missing. A feature that the rules compare with values of several types has a
    parameter for each, at most one of which is not missing. Thresholds are the very floats. Values are not
    converted: give numbers as numbers, as they were when the model was learned. Labels are text.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldse import FoldSEClassifier
    >>> X = pd.DataFrame({"sex": ["m", "f", "m", "f"], "age": [30.0, 40.0, 5.0, 8.0]})
    >>> y = pd.Series(["no", "yes", "no", "yes"], name="survived")
    >>> print(to_c(FoldSEClassifier(pos_label="yes").fit(X, y)), end="")
    #include <math.h>
    #include <string.h>
    <BLANKLINE>
    /* Return the number of the rule that decides a row, from 1; 0 for the default.
       sex: the text of column "sex"; NULL where it is missing. */
    int survived_rule(const char *sex)
    {
        if ((sex && strcmp(sex, "f") == 0)) return 1;
        return 0;
    }
    <BLANKLINE>
    /* Return the label of a row, NULL where there is none; as for survived_rule. */
    const char *survived(const char *sex)
    {
        static const char *const labels[] = {"no", "yes"};
        return labels[survived_rule(sex)];
    }
    """
    return _written(clf, LANGUAGES["c"], name)


def to_java(clf: Any, name: str | None = None) -> str:
    """Write a learned program as a class in Java (8 or later).

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.
    name : str, optional
        Name of the class; ``clf.rules_.target`` by default, with a capital. Its static methods are
        ``predict``, which returns the label as a String, and ``rule``.

    Returns
    -------
    str
        The source of a file ``<name>.java``.

    Raises
    ------
    ValueError
        As `to_c`.

    Notes
    -----
    As `to_c`; text and truth values are null where they are missing, and so is the label where there is none.
    """
    return _written(clf, LANGUAGES["java"], name)


def to_javascript(clf: Any, name: str | None = None) -> str:
    """Write a learned program as two functions in JavaScript (ES2015).

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.
    name : str, optional
        As for `to_c`.

    Returns
    -------
    str
        The source.

    Raises
    ------
    ValueError
        As `to_c`.

    Notes
    -----
    As `to_c`, but the functions take one object, whose keys are the columns, and labels keep their type. A
    value that is null, undefined, NaN or of another type than the rules compare it with is missing.
    """
    return _written(clf, LANGUAGES["javascript"], name)


def to_rust(clf: Any, name: str | None = None) -> str:
    """Write a learned program as two functions in Rust (2015 or later).

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.
    name : str, optional
        As for `to_c`.

    Returns
    -------
    str
        The source.

    Raises
    ------
    ValueError
        As `to_c`.

    Notes
    -----
    As `to_c`; text, truth values and labels are options.
    """
    return _written(clf, LANGUAGES["rust"], name)


def _written(clf: Any, language: Language, name: str | None) -> str:
    rules = rules_of(clf)
    if name is None:
        name = rules.target.capitalize() if language is LANGUAGES["java"] else rules.target
        name += "_" if name in language.reserved else ""
    elif not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or name in language.reserved:
        raise ValueError(f"name is {name!r}, which cannot name a function in {language.title}; give another")
    program = _Program(clf, language, {name, f"{name}_rule"})
    conditions = [program.condition(rule, "        ") for rule in rules]
    labels = [program.label(label) for label in (rules.otherwise, *(rule.head for rule in rules))]
    return language.functions(name, program.cells.cells, conditions, labels, program.comment())


class _Program:
    """Writes conditions in one language."""

    def __init__(self, clf: Any, language: Language, names: set[str]):
        self.language = language
        self.cells = Cells(clf, rules_of(clf), language.reserved | names)

    def text(self, text: str) -> str:
        try:
            return self.language.text(text.encode().decode())
        except UnicodeEncodeError:
            raise ValueError(
                f"{text[:40]!r} is not valid Unicode, which {self.language.title} needs; clean the text"
            ) from None

    def label(self, label: Any) -> str | None:
        """Write a label: as text, but in JavaScript, which does not ask for a type, as it is."""
        if label is None:
            return None
        if self.language is LANGUAGES["javascript"] and isinstance(label, bool | int | float):
            return json.dumps(label)
        return self.text(str(label))

    def literal(self, literal: Literal) -> str:
        if literal.op.is_negated:
            return f"!({self.literal(literal.negated())})"
        if literal.value is None:
            cells = self.cells.of_feature(literal.feature)
            found = [self.language.missing[cell.form].format(x=cell.name) for cell in cells]
            return " && ".join(found) if len(found) == 1 else f"({' && '.join(found)})"
        cell = self.cells.of(literal)
        if cell is None:
            return self.language.truths[False]
        if isinstance(literal.value, str):
            return self.language.equals[Form.TEXT](cell.name, self.text(literal.value))
        if isinstance(literal.value, bool):
            return self.language.equals[Form.TRUTH](cell.name, self.language.truths[literal.value])
        number = self.language.number(double(literal))
        if literal.op is Op.EQ:
            return self.language.equals[Form.NUMBER](cell.name, number)
        return f"{cell.name} {literal.op} {number}"

    def condition(self, rule: Rule, indent: str) -> str:
        """Write when a rule fires, an exception a line."""
        body = " && ".join(self.literal(literal) for literal in rule.body)
        exceptions = [f"!({self.condition(exception, indent + '    ')})" for exception in rule.exceptions]
        return f"\n{indent}&& ".join([body, *exceptions])

    def comment(self) -> list[str]:
        """Say what each parameter is."""
        return [
            f"{cell.name}: the {cell.form} of column {json.dumps(cell.feature)}; "
            f"{self.language.nothing[cell.form]} where it is missing."
            for cell in self.cells.cells
        ]
