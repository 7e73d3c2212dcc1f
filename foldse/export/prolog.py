"""A program, and tables for it, in Prolog: for SWI-Prolog, and for s(CASP)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from foldse.export.logic import LogicProgram, UnwritableTextError, rules_of
from foldse.model.literals import (
    Literal,
    Op,
    number_text,
    quote,
)
from foldse.model.rules import RuleSet
from foldse.reading.columns import Column

__all__ = ["prolog_facts", "to_prolog"]

# What SWI-Prolog does not let a file define with two arguments (the rest of its library it does), and
# the hooks by which it would take facts for instructions.
_RESERVED = (
    "atom_chars atom_codes atom_length call char_code char_conversion clause close copy_term "
    "current_char_conversion current_prolog_flag get_byte get_char get_code is keysort length "
    "message_queue_create message_queue_property mutex_create mutex_property number_chars "
    "number_codes peek_byte peek_char peek_code phrase predicate_property put_byte put_char put_code "
    "read read_term set_prolog_flag set_stream_position sort stream_property subsumes_term "
    "term_variables thread_get_message thread_peek_message thread_property thread_send_message "
    "thread_signal unify_with_occurs_check with_mutex write write_canonical write_term writeq "
    "file_search_path goal_expansion prolog_file_type prolog_load_file resource term_expansion"
)
RESERVED = frozenset(_RESERVED.split())


class _Prolog(LogicProgram):
    """What both styles share."""

    def __init__(self, rules: RuleSet, ascii_only: bool):
        super().__init__(rules, RESERVED)
        self.ascii_only = ascii_only
        # One predicate cannot give a number to compare and a category.
        both = [feature for feature in self.categorical if feature in self.thresholds]
        self.category_names = self.names | {f: self.new_name(f"{self.names[f]} category") for f in both}

    def text(self, text: str) -> str:
        quoted = quote(text)
        if quoted.isascii() and quoted.isprintable():
            return quoted
        return "".join(map(self._char, quoted))

    def _char(self, char: str) -> str:
        if "\ud800" <= char <= "\udfff":
            raise UnwritableTextError(
                f"a rule has text with {char!r}, which is not a character and cannot be written as Prolog; "
                "clean the text and learn again"
            )
        if char.isprintable() and (char.isascii() or not self.ascii_only):
            return char
        return f"\\x{ord(char):x}\\"

    def symbol(self, name: str) -> str:
        return f"category({name})"

    def number(self, text: str) -> str:
        return f"category({text})"

    def equality(self, literal: Literal) -> str:
        return f"{self.category_names[literal.feature]}(X,{self.category(literal.value)})"

    def category_facts(self, feature: str, column: Column) -> Iterator[str]:
        name = self.category_names[feature]
        numbers = column.numbers()
        for row, term in enumerate(self.category_terms(column)):
            # A number is not a category of any kind; as a fact it sees to it that the predicate is known.
            yield f"{name}({row},{term or f'number({_size(numbers[row])})'})."


class _SwiProlog(_Prolog):
    """The paper's form; ``nan`` stands where there is no number, since SWI-Prolog compares it as we do."""

    def __init__(self, rules: RuleSet):
        super().__init__(rules, ascii_only=False)

    def comparison(self, literal: Literal, variables: dict[str, str]) -> Iterator[str]:
        if literal.feature not in variables:
            variables[literal.feature] = f"N{len(variables) + 1}"
            yield f"{self.names[literal.feature]}(X,{variables[literal.feature]})"
        goal = _compare(variables[literal.feature], literal)
        yield f"not({goal})" if literal.op.is_negated else goal

    def size_facts(self, feature: str, values: np.ndarray) -> Iterator[str]:
        for row, value in enumerate(values.tolist()):
            yield f"{self.names[feature]}({row},{_size(value)})."

    def header(self) -> list[str]:
        target = self.rules.target
        lines = [":- op(900, fy, not)."]
        if target == "call":
            raise ValueError("no Prolog predicate can be named 'call'; give y another name and learn again")
        if target in RESERVED:
            lines.append(f":- redefine_system_predicate({target}(_,_)).")
        if self.is_one_class and len(self.rules) > 1:
            lines.append(f":- table {target}(_,_).  % an answer is given once, however many rules give it")
        return lines


class _SCasp(_Prolog):
    """For s(CASP), which negates calls, not comparisons: those become predicates of their own."""

    def __init__(self, rules: RuleSet):
        super().__init__(rules, ascii_only=True)
        self._negated = {
            (x.feature, x.op.negation, x.threshold + 0.0): x
            for x in rules.literals()
            if x.op.is_threshold and x.op.is_negated
        }

    def binds_row(self, literal: Literal) -> bool:
        return not literal.op.is_negated

    def comparison(self, literal: Literal, variables: dict[str, str]) -> Iterator[str]:
        if literal.op.is_negated:
            yield f"not {self._call(literal)}"
            return
        if literal.feature not in variables:
            variables[literal.feature] = f"N{len(variables) + 1}"
            yield f"{self.names[literal.feature]}(X,{variables[literal.feature]})"
        yield _compare(variables[literal.feature], literal)

    def _call(self, literal: Literal) -> str:
        name = "at_most" if literal.op is Op.NOT_LE else "above"
        return f"{name}(X,{self.names[literal.feature]},{_bound(literal)})"

    def clauses(self) -> list[str]:
        negated = sorted(self._negated.values(), key=lambda x: (x.op, x.feature, x.threshold))
        comparisons = [
            f"{self._call(x)} :- {self.names[x.feature]}(X,N1), {_compare('N1', x)}." for x in negated
        ]
        return super().clauses() + comparisons

    def size_facts(self, feature: str, values: np.ndarray) -> Iterator[str]:
        name = self.names[feature]
        if np.isnan(values).all():
            yield f"{name}(none,nan)."  # so that the predicate is known; there is no row none
        for row, value in enumerate(values.tolist()):
            if value == value:
                yield f"{name}({row},{_size(value)})."


def _compare(variable: str, literal: Literal) -> str:
    """Write the comparison that a literal makes, or that it negates."""
    sign = "=<" if literal.op in (Op.LE, Op.NOT_LE) else ">"
    space = " " if literal.threshold < 0 else ""  # a minus right behind the sign would be read as part of it
    return f"{variable}{sign}{space}{_bound(literal)}"


def _bound(literal: Literal) -> str:
    return number_text(literal.threshold + 0.0)  # -0.0 is 0.0


def _size(value: float) -> str:
    """Write a number, an infinite one as ``inf`` or ``-inf``, none as ``nan``: all of them are arithmetic."""
    return number_text(value) if np.isfinite(value) else str(float(value))


def _program(rules: RuleSet, style: str) -> _SwiProlog | _SCasp:
    if style == "swi":
        return _SwiProlog(rules)
    if style == "scasp":
        return _SCasp(rules)
    raise ValueError(f"style must be 'swi' or 'scasp', got {style!r}")


def to_prolog(clf: Any, style: str = "swi") -> str:
    """Write a learned program in Prolog.

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.
    style : {"swi", "scasp"}
        For SWI-Prolog, or for s(CASP).

    Returns
    -------
    str
        The program. Together with the facts of `prolog_facts`, in either order, the query
        ``<target>(Row, Label)`` has one answer for each row: the prediction, as the atom of its text. It has
        none for a row without a label.

    Raises
    ------
    ValueError
        If a label or category has text that is not valid Unicode.

    Notes
    -----
    The rules read as in the FOLD-SE paper (its section on the Titanic example). What is added: the default
    as a rule, ``row(X)`` before a leading negation, and a space before a negative threshold, which Prolog
    needs. Text is a quoted atom as in the paper; categories that are not text are told apart from it
    as ``category(missing)``, ``category(true)``, ``category(1)``. s(CASP) cannot negate a comparison, so that
    ``not(N1=<5.0)`` becomes ``not at_most(X,fare,5.0)`` there; that form is tested by its syntax and read as
    Prolog, not on s(CASP) itself. What Prolog reserves, such as a column called length, gets a number.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldse import FoldSEClassifier
    >>> X = pd.DataFrame({"sex": ["m", "f", "m", "f"], "age": [30.0, 40.0, 5.0, 8.0]})
    >>> y = pd.Series(["no", "yes", "no", "yes"], name="survived")
    >>> print(to_prolog(FoldSEClassifier(pos_label="yes").fit(X, y)), end="")
    :- op(900, fy, not).
    survived(X,'yes') :- sex(X,'f').
    survived(X,'no') :- row(X), not survived(X,'yes').
    """
    program = _program(rules_of(clf), style)
    lines = program.clauses()
    if isinstance(program, _SwiProlog):
        lines = program.header() + lines
    return _file(lines)


def prolog_facts(clf: Any, X: Any, style: str = "swi") -> str:
    """Write the rows of a table as facts for the program of `to_prolog`.

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.
    X : pandas.DataFrame or array-like of shape (n_rows, n_features)
        As for ``clf.predict``.
    style : {"swi", "scasp"}
        As for `to_prolog`.

    Returns
    -------
    str
        ``row(0).``, ... and, for each feature that the program looks at, its value in each row.

    Notes
    -----
    Floats are written so that they read back as they are. A row without a number has ``nan`` in
    SWI-Prolog, of which no comparison holds, and no fact in s(CASP).
    """
    return _file(_program(rules_of(clf), style).facts(clf, X))


def _file(lines: list[str]) -> str:
    text = "\n".join(lines) + "\n"
    # Without it, how a file is read depends on the user's locale.
    return text if text.isascii() else ":- encoding(utf8).\n" + text
