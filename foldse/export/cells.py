"""What the rules look at in a row: each feature in the forms in which they compare it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from foldse.export.languages import Cell, Form
from foldse.model.lines import predicate_name
from foldse.model.literals import Literal, is_number
from foldse.model.rules import RuleSet
from foldse.reading.conversion import BOOL, CODE, NUMBER, OBJECT_NUMBERS, TEXT, single_type

__all__ = ["Cells", "double"]

_FORM_OF = {NUMBER: Form.NUMBER, CODE: Form.NUMBER, BOOL: Form.TRUTH, TEXT: Form.TEXT}


class Cells:
    """The cells of a row that a program looks at.

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.
    rules : RuleSet
        Its rules.
    reserved : collection of str
        Names that no cell can have.

    Attributes
    ----------
    cells : list of Cell
        In the order of the features. A feature is there in each form in which the rules compare it and, if
        they ask whether it is missing, in each that it may hold: it is missing where all of these are.
    """

    def __init__(self, clf: Any, rules: RuleSet, reserved: Collection[str]):
        held = dict(zip(clf.feature_names_, clf.feature_types_, strict=True))
        numeric, categorical = clf._roles(clf.feature_names_)
        self._by_size = {
            feature: single_type(types) == NUMBER
            or (single_type(types) is None and feature not in categorical and CODE not in types.split("+"))
            for feature, types in held.items()
        }
        wanted: dict[str, set[Form]] = {feature: set() for feature in rules.features}
        for literal in rules.literals():
            feature, types = literal.feature, held[literal.feature]
            if literal.value is not None:
                wanted[feature] |= {_form(literal)} if self._can_hold(literal) else set()
                continue
            wanted[feature] |= {_FORM_OF[name] for name in types.split("+") if name in _FORM_OF} or set(Form)
            if types == OBJECT_NUMBERS or feature in numeric:
                wanted[feature].add(Form.TEXT)
        taken, names = set(reserved), rules.predicate_names()
        self.cells = []
        for feature, forms in wanted.items():
            for number, form in enumerate(x for x in Form if x in forms):
                name = predicate_name(names[feature] + (f" {form}" if number else ""), taken)
                taken.add(name)
                self.cells.append(Cell(feature, form, name))

    def of(self, literal: Literal) -> Cell | None:
        """Return the cell that a literal compares; None where no value is equal to what it says."""
        if not self._can_hold(literal):
            return None
        form = _form(literal)
        return next(cell for cell in self.of_feature(literal.feature) if cell.form == form)

    def _can_hold(self, literal: Literal) -> bool:
        """Whether a number is compared as the feature has numbers: by size, or as categories."""
        return not is_number(literal.value) or self._by_size[literal.feature] == literal.op.is_threshold

    def of_feature(self, feature: str) -> list[Cell]:
        """Return the cells of a feature."""
        return [cell for cell in self.cells if cell.feature == feature]


def _form(literal: Literal) -> Form:
    if isinstance(literal.value, str):
        return Form.TEXT
    return Form.TRUTH if isinstance(literal.value, bool) else Form.NUMBER


def double(literal: Literal) -> float:
    """Return the number that a literal compares with, for engines that know 64-bit floats only."""
    value: Any = literal.value
    try:
        number = float(value)
    except OverflowError:
        number = float("nan")
    if number != value:
        raise ValueError(
            f"column {literal.feature!r} is compared with {value}, which is no 64-bit float; "
            "convert the column to text and learn again"
        )
    return number
