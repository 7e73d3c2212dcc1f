"""A justification: why one row is predicted as it is, as text, JSON and HTML."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, overload

from foldse.explain.english import english_text, paper_text, short_text
from foldse.explain.html import justification_to_html
from foldse.explain.proof import Decision, plain
from foldse.explain.wording import Templates

__all__ = ["Justification", "Justifications"]

STYLES = ("paper", "short", "english")


class Justification(Decision):
    """Why one row is predicted as it is: a `Decision` that can be read.

    Notes
    -----
    ``str()`` is the English form of the FOLD-SE paper's Titanic example. In a notebook a justification
    shows itself as a tree.
    """

    __slots__ = ()

    def to_text(self, style: str = "paper", templates: Templates | None = None) -> str:
        """Return the justification as text.

        Parameters
        ----------
        style : {"paper", "short", "english"}
            The paper's form, one clause a line; one line; or sentences.
        templates : mapping, optional
            Sentences for features, for the style ``"english"``, which is then the default; see
            `foldse.explain.wording.Sentences`.

        Returns
        -------
        str

        Raises
        ------
        ValueError
            For another style, or for a template of an unknown feature or without a placeholder.
        """
        if style not in STYLES:
            raise ValueError(f"style must be one of {', '.join(STYLES)}; got {style!r}")
        if style == "short":
            return short_text(self)
        if style == "english" or templates:
            return english_text(self, templates)
        return paper_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the justification as plain JSON values.

        Returns
        -------
        dict
            ``schema`` (1), ``subject``, ``target``, ``prediction``, ``fired`` (position of the rule that
            fired or None) and ``rules``: each ``name``, ``head``, ``state``, ``literals`` (``feature``,
            ``op``, ``value``, ``met``, ``kind``, ``state``) and ``exceptions`` (as rules). A state is
            true, false or not needed, a kind number, category or missing; an infinity that was met is text.
        """
        return {
            "schema": 1,
            "subject": self.subject,
            "target": self.target,
            "prediction": plain(self.prediction),
            "fired": self.fired,
            "rules": [node.to_dict() for node in self.rules],
        }

    def to_html(self) -> str:
        """Return the justification as a tree that folds, for a notebook or a browser: one HTML element."""
        return justification_to_html(self)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        return f"<justification: {self.to_text('short')}>"


class Justifications(Sequence[Justification]):
    """The justifications of the rows of a table, each built when it is asked for."""

    def __init__(self, n_rows: int, build: Callable[[int], Justification]):
        self._n_rows, self._build = n_rows, build

    def __len__(self) -> int:
        return self._n_rows

    @overload
    def __getitem__(self, index: int) -> Justification: ...

    @overload
    def __getitem__(self, index: slice) -> list[Justification]: ...

    def __getitem__(self, index: int | slice) -> Justification | list[Justification]:
        """Return the justification of a row, or a list of several."""
        if isinstance(index, slice):
            return [self._build(row) for row in range(*index.indices(self._n_rows))]
        return self._build(range(self._n_rows)[index])

    def __repr__(self) -> str:
        return f"<justifications of {self._n_rows} rows>"
