"""Rules that are given before learning, with how sure of them one is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from foldse.editing.doubts import warn_of_doubts
from foldse.editing.forms import rules_of
from foldse.editing.vocabulary import Vocabulary
from foldse.model.literals import is_number
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet

__all__ = ["ExpertRule", "expert_rules"]


class ExpertRule(NamedTuple):
    """A rule that was given, and how sure one is of it.

    Attributes
    ----------
    rule : Rule
        Of origin ``"expert"``, without support.
    confidence : float or None
        Above 0 and at most 1; None where none was given.
    """

    rule: Rule
    confidence: float | None


def expert_rules(given: Any, vocabulary: Vocabulary) -> tuple[ExpertRule, ...]:
    """Read what a user gives as rules before learning.

    Parameters
    ----------
    given : str, Rule, RuleSet, mapping, or iterable of these
        In any form that `foldse.editing.forms.rules_of` takes. An item of the iterable may also be a pair of
        such rules and the confidence of all of them, and a mapping may have the field ``confidence``. An
        `ExpertRule` is taken as it is.
    vocabulary : Vocabulary
        Of the table, see `Vocabulary.of_table`.

    Returns
    -------
    tuple of ExpertRule
        In the given order.

    Raises
    ------
    ValueError
        As `rules_of`, where a `RuleSyntaxError` says the line and the column; of a label or a category that
        the table does not have, too; and if a confidence is not a number above 0 and at most 1.
    TypeError
        If something else is given.

    Warns
    -----
    UserWarning
        Of a rule that can never fire, or that an earlier one covers.
    """
    items = [given] if isinstance(given, str | Rule | RuleSet | Mapping) or _is_pair(given) else given
    if not isinstance(items, Iterable):
        rules_of(items, vocabulary, "expert")  # which says what can be given
    found: list[ExpertRule] = []
    for place, item in enumerate(items):
        if isinstance(item, ExpertRule):  # was read, perhaps against a table of which this is a part
            found.append(item)
            continue
        where = f"expert_rules[{place}]"
        confidence: Any = None
        if isinstance(item, Rule) and item.confidence is not None and item.confidence.evidence is None:
            confidence = item.confidence.value  # it was given; one that was counted is counted anew
        if _is_pair(item):
            item, confidence = item
        elif isinstance(item, Mapping) and "confidence" in item:
            confidence = item["confidence"]
            item = {name: value for name, value in item.items() if name != "confidence"}
        if confidence is not None and not (is_number(confidence) and 0 < confidence <= 1):
            raise ValueError(
                f"{where} has the confidence {confidence!r}; it must be a number above 0 and at most 1"
            )
        sure = None if confidence is None else float(confidence)
        found += [
            ExpertRule(replace(rule, origin="expert", confidence=None), sure)
            for rule in rules_of(item, vocabulary, "expert")
        ]
    warn_of_doubts(
        RuleSet(
            tuple(expert.rule for expert in found),
            vocabulary.features or (),
            vocabulary.target or "target",
            vocabulary.classes or (),
            None,
        )
    )
    return tuple(found)


def _is_pair(item: Any) -> bool:
    """Return whether an item is rules with their confidence."""
    if not isinstance(item, tuple) or len(item) != 2:
        return False
    return item[1] is None or isinstance(item[1], int | float)
