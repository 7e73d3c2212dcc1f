"""A program, and tables for it, for clingo."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from foldse.export.logic import LogicProgram, UnwritableTextError, rules_of
from foldse.model.literals import Literal, Op, number_text
from foldse.reading.columns import Column

__all__ = ["clingo_facts", "to_clingo"]


class _Clingo(LogicProgram):
    """Compares ranks: clingo has no floats, and its integers wrap at 32 bits."""

    def text(self, text: str) -> str:
        if "\0" in text:
            raise UnwritableTextError(f"clingo has no way to write the NUL character in {_short(text)}")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise UnwritableTextError(f"{_short(text)} is not valid Unicode, which clingo needs") from None
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'

    def symbol(self, name: str) -> str:
        return name  # constants are not strings, so text never equals them

    def number(self, text: str) -> str:
        return f"number({self.text(text)})"

    def equality(self, literal: Literal) -> str:
        return f"{self.names[literal.feature]}(X,{self.category(literal.value)})"

    def comparison(self, literal: Literal, variables: dict[str, str]) -> Iterator[str]:
        if literal.feature not in variables:
            number = variables[literal.feature] = str(len(variables) + 1)
            yield f"{self.names[literal.feature]}(X,L{number},H{number})"
        number = variables[literal.feature]
        rank = int(np.searchsorted(self.thresholds[literal.feature], literal.threshold))
        is_below = literal.op in (Op.LE, Op.NOT_LE)
        goal = f"H{number}<={rank}" if is_below else f"L{number}>{rank}"
        yield f"not {goal}" if literal.op.is_negated else goal

    def size_facts(self, feature: str, values: np.ndarray) -> Iterator[str]:
        name, thresholds = self.names[feature], self.thresholds[feature]
        low = np.searchsorted(thresholds, values)  # so many thresholds are smaller
        missing = np.isnan(values)
        low[missing] = 0
        high = np.where(missing, len(thresholds), low)
        for row, (least, most) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
            yield f"{name}({row},{least},{most})."

    def category_facts(self, feature: str, column: Column) -> Iterator[str]:
        for row, term in enumerate(self.category_terms(column)):
            if term is not None:
                yield f"{self.names[feature]}({row},{term})."

    def header(self) -> list[str]:
        lines = []
        for feature, thresholds in self.thresholds.items():
            ranks = ", ".join(f"{rank}: {number_text(v)}" for rank, v in enumerate(thresholds.tolist()))
            lines.append(f"% Thresholds of {self.names[feature]} by rank: {ranks}")
        lines.append(f"#show {self.rules.target}/2.")
        # A table need not have a fact of every kind; this says that this is no slip.
        lines += [f"#defined {self.names[feature]}/3." for feature in self.thresholds]
        lines += [f"#defined {self.names[feature]}/2." for feature in self.categorical]
        return lines


def _short(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:40] + "...")


def to_clingo(clf: Any) -> str:
    """Write a learned program for clingo.

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.

    Returns
    -------
    str
        The program. Together with the facts of `clingo_facts` it has one answer set, of which the atoms
        ``<target>(Row,"<label>")`` are shown: one for each row, the prediction; none for one without a label.

    Raises
    ------
    ValueError
        If a label has a NUL character or is not valid Unicode.

    Notes
    -----
    Sizes are compared by rank, which loses nothing: ``fare(Row,L,H)`` says that at least L and at most H
    of the program's thresholds of fare are smaller than the row's value. L and H are one number; but a value
    that is not a number could be anywhere, so that neither ``<=`` nor ``>`` holds of it. Text is a string;
    other categories are ``missing``, ``true``, ``false``, ``number("1")``. The rules are the paper's
    otherwise, with ``row(X)`` in front of those that begin with a negation.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldse import FoldSEClassifier
    >>> X = pd.DataFrame({"age": [30.0, 40.0, 5.0, 8.0]})
    >>> y = pd.Series(["yes", "yes", "no", "no"], name="tall")
    >>> print(to_clingo(FoldSEClassifier(pos_label="no").fit(X, y)), end="")
    % Thresholds of age by rank: 0: 8.0
    #show tall/2.
    #defined age/3.
    tall(X,"no") :- age(X,L1,H1), H1<=0.
    tall(X,"yes") :- row(X), not tall(X,"no").
    """
    program = _Clingo(rules_of(clf))
    return "\n".join([*program.header(), *program.clauses()]) + "\n"


def clingo_facts(clf: Any, X: Any) -> str:
    """Write the rows of a table as facts for the program of `to_clingo`.

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.
    X : pandas.DataFrame or array-like of shape (n_rows, n_features)
        As for ``clf.predict``.

    Returns
    -------
    str
        ``row(0).``, ... and, for each feature that the program looks at, its value in each row: its
        category, or its rank among the thresholds of the program.
    """
    program = _Clingo(rules_of(clf))
    return "\n".join(program.facts(clf, X)) + "\n"
