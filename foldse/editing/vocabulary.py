"""What rules may name: columns, what these hold, and labels."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from foldse.editing.categories import as_category
from foldse.editing.nearest import close_matches
from foldse.editing.tokens import Token
from foldse.model.lines import predicate_name
from foldse.model.literals import Category, Literal, Op, category_key, exact_text, is_number
from foldse.model.rules import RuleSet
from foldse.reading.conversion import BOOL, CODE, NUMBER, OBJECT_NUMBERS, TEXT, WORDS, is_word, types_of
from foldse.reading.encoding import EncodedTable
from foldse.reading.scalars import canonical

__all__ = ["Vocabulary"]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The columns, their types and categories, and the labels that rules may name.

    Attributes
    ----------
    features : tuple of str or None
        Names of the columns; None where any name will do.
    classes : tuple or None
        The labels; None where any text will do.
    target : str or None
        What heads say, as a predicate name; None where any name will do.
    types : mapping of str to str
        What a column held, see `foldse.reading.conversion.types_of`; nothing is checked of one that is left
        out or empty.
    compared : mapping of str to collection
        The categories that a program compares a column with.
    held : mapping of str to collection, or None
        All categories of the table; None where there is no table, and a model does not know them.
    """

    features: tuple[str, ...] | None = None
    classes: tuple[Any, ...] | None = None
    target: str | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    compared: Mapping[str, Collection[Category]] = field(default_factory=dict)
    held: Mapping[str, Collection[Category]] | None = None
    _columns: Mapping[str, str] = field(init=False, default_factory=dict)  # by predicate
    _features: frozenset[str] = field(init=False, default=frozenset())

    def __post_init__(self) -> None:
        if self.features is not None:
            names = RuleSet((), self.features, self.target or "", (), None).predicate_names()
            object.__setattr__(self, "_columns", {name: feature for feature, name in names.items()})
            object.__setattr__(self, "_features", frozenset(self.features))

    @classmethod
    def of(cls, like: Any) -> Self:
        """Return what a fitted classifier, or a program, knows.

        Raises
        ------
        TypeError
            If it is neither.
        """
        rules = like if isinstance(like, RuleSet) else getattr(like, "rules_", None)
        if not isinstance(rules, RuleSet):
            raise TypeError(
                f"like must be a fitted rule classifier or a RuleSet, got {type(like).__name__}; "
                "fit it first, or give features and classes"
            )
        compared: dict[str, dict[Any, Category]] = {}
        for literal in rules.literals():
            if not literal.op.is_threshold:
                compared.setdefault(literal.feature, {})[category_key(literal.value)] = literal.value
        return cls(
            rules.features,
            rules.classes,
            rules.target,
            dict(zip(rules.features, getattr(like, "feature_types_", ()), strict=False)),
            {feature: tuple(found.values()) for feature, found in compared.items()},
        )

    @classmethod
    def of_table(cls, table: EncodedTable, types: Iterable[str], target: str, classes: Sequence[Any]) -> Self:
        """Return what a table holds, from which nothing has been learned yet.

        Parameters
        ----------
        table : EncodedTable
        types : iterable of str
            For each feature, as a classifier's ``feature_types_``.
        target : str
            As a predicate name.
        classes : sequence
            The labels.
        """
        features = tuple(feature.name for feature in table.features)
        return cls(
            features,
            tuple(classes),
            target,
            dict(zip(features, types, strict=True)),
            held={feature.name: feature.categories for feature in table.features},
        )

    def with_head(self, name: Token) -> Self:
        """Return the same with the target that a head names, which is that of the model if there is one.

        Raises
        ------
        ValueError
            If it is another.
        """
        if self.target is None:
            if predicate_name(name.value) != name.value:
                raise ValueError(
                    f"the head {name} is not a predicate name; it could be {predicate_name(name.value)!r}"
                )
            return replace(self, target=name.value)
        if name.value != self.target:
            raise ValueError(f"the head is {name}, and the rules conclude {self.target!r}")
        return self

    def column(self, name: Token) -> str:
        """Return the column of a predicate name or, in quotes, of the column's own name.

        Raises
        ------
        ValueError
            If there is none.
        """
        if self.features is None:
            if name.kind == "name" and predicate_name(name.value) != name.value:
                raise ValueError(
                    f"{name} is not a predicate name; write {predicate_name(name.value)!r}, or the name of "
                    "the column in quotes"
                )
            return name.value
        if name.kind == "quoted":
            self._check_feature(name.value)
            return name.value
        if name.value not in self._columns:
            raise ValueError(
                f"there is no column {name}; {close_matches(name.value, self._columns, 'columns')}"
            )
        return self._columns[name.value]

    def label(self, text: str) -> Any:
        """Return the label that is written so; any text where labels are not known.

        Raises
        ------
        ValueError
            If there is none, or more than one.
        """
        if self.classes is None:
            return text
        found = [label for label in self.classes if str(label) == text]
        if len(found) > 1:
            raise ValueError(f"{text!r} may be any of the labels {', '.join(map(repr, found))}")
        if not found:
            known = close_matches(text, map(str, self.classes), "labels")
            raise ValueError(f"{text!r} is not a label; {known}")
        return found[0]

    def same_label(self, label: Any) -> Any:
        """Return the label that is equal to a value, in type, too.

        Raises
        ------
        ValueError
            If there is none.
        """
        label = getattr(label, "item", lambda: label)()  # of numpy
        for known in self.classes or ():
            if known == label and (type(known) is type(label) or (is_number(known) and is_number(label))):
                return known
        raise ValueError(
            f"{label!r} is not a label; {close_matches(str(label), map(str, self.classes or ()), 'labels')}"
        )

    def category(self, feature: str, value: Token) -> Category:
        """Return the category that is written so.

        Parameters
        ----------
        feature : str
        value : Token
            ``'text'`` is whatever a program prints so: text, a number or a truth value, by what the column
            held; ``"text"`` is this text, ``1`` the number, ``true`` the truth value, ``?`` a missing value.

        Returns
        -------
        str, bool, int, float or None

        Raises
        ------
        ValueError
            If the column does not hold it, it was cut for print, or may be several values.
        """
        compared = self.compared.get(feature, ())
        category = as_category(
            value,
            self.types.get(feature, "") or types_of(False, compared),
            compared,
            None if self.held is None else self.held.get(feature, ()),
            feature,
        )
        self.check(Literal(feature, Op.EQ, category))
        return category

    def check(self, literal: Literal) -> None:
        """Check that a column may hold what a literal compares it with.

        Raises
        ------
        ValueError
            If there is no such column, or it cannot.
        """
        feature, value = literal.feature, literal.value
        self._check_feature(feature)
        types = self.types.get(feature, "")
        if not types:
            return
        held = f"the column {feature!r} held {_in_words(types)}"
        if literal.op.is_threshold:
            if NUMBER not in types.split("+"):
                raise ValueError(f"{held}, and no number to compare {literal.value_text} with")
            return
        if value is None:
            return
        if types == NUMBER or (types == OBJECT_NUMBERS and not (isinstance(value, str) and is_word(value))):
            raise ValueError(f"{held}, and is compared by =< and > only, not with {exact_text(value)}")
        kind = TEXT if isinstance(value, str) else BOOL if isinstance(value, bool) else CODE
        if types != OBJECT_NUMBERS and kind not in types.split("+"):
            raise ValueError(f"{held}, and {exact_text(value)} is none of these")
        if self.held is not None:
            known = self.held.get(feature, ())
            if all(category_key(value) != category_key(category) for category in known):
                texts = [str(category) for category in known if category is not None]
                raise ValueError(
                    f"the column {feature!r} never held {exact_text(value)}; "
                    f"{close_matches(str(value), texts, 'categories')}"
                )

    def literal(self, given: Literal) -> Literal:
        """Return a literal as a program holds it: checked, with its value as tables are read.

        Raises
        ------
        ValueError, TypeError
            If there is no such column, or it cannot hold the value.
        """
        if given.op.is_threshold:
            literal = Literal(given.feature, given.op, given.threshold)
        else:
            literal = Literal(given.feature, given.op, canonical(given.feature, given.value))
        self.check(literal)
        return literal

    def _check_feature(self, feature: str) -> None:
        if self.features is not None and feature not in self._features:
            hint = close_matches(feature, self.features, "columns")
            raise ValueError(f"there is no column {feature!r}; {hint}")


def _in_words(types: str) -> str:
    return WORDS[types] if types in WORDS else " and ".join(WORDS[name] for name in types.split("+"))
