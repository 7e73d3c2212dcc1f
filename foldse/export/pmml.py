"""A program as PMML, the exchange format of scoring engines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree as ET

from foldse.export.cells import Cells, double
from foldse.export.languages import Form
from foldse.export.logic import rules_of
from foldse.model.lines import predicate_name
from foldse.model.literals import Literal, Op, number_text
from foldse.model.rule import Rule

__all__ = ["to_pmml"]

_TYPES = {Form.NUMBER: "double", Form.TEXT: "string", Form.TRUTH: "boolean"}
_NEVER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# Nothing negates a predicate of PMML, and it is unknown where its field is missing.
_OPERATORS = {
    Op.LE: "lessOrEqual",
    Op.NOT_LE: "greaterThan",
    Op.GT: "greaterThan",
    Op.NOT_GT: "lessOrEqual",
    Op.EQ: "equal",
    Op.NE: "notEqual",
}


def to_pmml(clf: Any) -> str:
    """Write a learned program as PMML 4.4: a RuleSetModel of which the first rule that fires decides.

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.

    Returns
    -------
    str
        XML in UTF-8, with a declaration.

    Raises
    ------
    ValueError
        If the rules compare a feature with values of several types, or with a number that is infinite or no
        64-bit float; if a row may have no label (``abstain=None``); or if text has a character that XML does
        not, such as NUL.

    Notes
    -----
    The fields are the features that the rules look at: doubles, strings or booleans; a missing value is one
    that is not given. A value of another type is invalid. Labels are strings. A confidence is the share of
    the label, as ``predict_proba`` has it. Exceptions are written out, negated: a negated comparison of
    FOLD-SE holds of a missing value, that of PMML does not, so that it stands beside ``isMissing``.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldse import FoldSEClassifier
    >>> X = pd.DataFrame({"sex": ["m", "f", "m", "f"], "age": [30.0, 40.0, 5.0, 8.0]})
    >>> y = pd.Series(["no", "yes", "no", "yes"], name="survived")
    >>> text = to_pmml(FoldSEClassifier(pos_label="yes").fit(X, y))
    >>> print(text[text.index("    <RuleSet ") : text.index("  </RuleSetModel>")], end="")
        <RuleSet defaultScore="no" defaultConfidence="0.75">
          <RuleSelectionMethod criterion="firstHit" />
          <SimpleRule id="1" score="yes" confidence="0.75">
            <SimplePredicate field="sex" operator="equal" value="f" />
          </SimpleRule>
        </RuleSet>
    """
    rules = rules_of(clf)
    if rules.otherwise is None:
        raise ValueError(
            "engines of PMML want a label for every row; learn with a label for abstain, such as "
            "abstain='unknown'"
        )
    writer = _Writer(clf)
    target = (
        rules.target if rules.target not in writer.fields else predicate_name(rules.target, writer.fields)
    )
    root = ET.Element("PMML", version="4.4", xmlns="http://www.dmg.org/PMML-4_4")
    ET.SubElement(ET.SubElement(root, "Header"), "Application", name="foldse")
    fields = ET.SubElement(root, "DataDictionary", numberOfFields=str(len(writer.fields) + 1))
    for name, form in writer.fields.items():
        optype = "continuous" if form is Form.NUMBER else "categorical"
        ET.SubElement(fields, "DataField", name=_text(name), optype=optype, dataType=_TYPES[form])
    labels = ET.SubElement(fields, "DataField", name=target, optype="categorical", dataType="string")
    for label in dict.fromkeys((*rules.classes, *(rule.head for rule in rules), rules.otherwise)):
        ET.SubElement(labels, "Value", value=_text(str(label)))
    model = ET.SubElement(root, "RuleSetModel", functionName="classification", modelName=target)
    schema = ET.SubElement(model, "MiningSchema")
    for name in writer.fields:
        ET.SubElement(schema, "MiningField", name=_text(name))
    ET.SubElement(schema, "MiningField", name=target, usageType="target")
    sure = _share(rules.default_support, rules.classes, rules.otherwise)
    default = _text(str(rules.otherwise))
    found = ET.SubElement(model, "RuleSet", defaultScore=default, defaultConfidence=sure)
    ET.SubElement(found, "RuleSelectionMethod", criterion="firstHit")
    for number, rule in enumerate(rules, 1):
        sure = _share(rule.support, rules.classes, rule.head)
        score = _text(str(rule.head))
        ET.SubElement(found, "SimpleRule", id=str(number), score=score, confidence=sure).append(
            writer.fires(rule)
        )
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _share(support: Sequence[float], classes: Sequence[Any], label: Any) -> str:
    """Return the share of a label among the training rows that a rule decides, smoothed by Laplace."""
    counted = support[classes.index(label)] if support and label in classes else 0.0
    return repr((counted + 1.0) / (sum(support) + len(classes)))


class _Writer:
    """Writes when rules fire, and when they do not, as predicates.

    Attributes
    ----------
    fields : dict of str to Form
        The features that are looked at, each in its one form.
    """

    def __init__(self, clf: Any):
        rules = rules_of(clf)
        self.cells = Cells(clf, rules, ())
        compared: dict[str, set[Form]] = {}
        for literal in rules.literals():
            cell = None if literal.value is None else self.cells.of(literal)
            compared.setdefault(literal.feature, set()).update(() if cell is None else {cell.form})
        self.fields: dict[str, Form] = {}
        for cell in self.cells.cells:
            forms = compared[cell.feature]
            if len(forms) > 1:
                raise ValueError(
                    f"rules compare {cell.feature!r} with values of several types, and a field of PMML has "
                    "one; split the column and learn again"
                )
            self.fields.setdefault(cell.feature, next(iter(forms), cell.form))

    def fires(self, rule: Rule) -> ET.Element:
        """Write that a rule fires."""
        parts = [self.literal(literal) for literal in rule.body]
        return _compound("and", parts + [self.fails(exception) for exception in rule.exceptions])

    def fails(self, rule: Rule) -> ET.Element:
        """Write that a rule does not fire: the negation, pushed down to the literals."""
        parts = [self.literal(literal.negated()) for literal in rule.body]
        return _compound("or", parts + [self.fires(exception) for exception in rule.exceptions])

    def literal(self, literal: Literal) -> ET.Element:
        name = _text(literal.feature)
        if literal.value is None:
            operator = "isNotMissing" if literal.op.is_negated else "isMissing"
            return ET.Element("SimplePredicate", field=name, operator=operator)
        if self.cells.of(literal) is None:
            return ET.Element("True" if literal.op.is_negated else "False")
        plain = ET.Element(
            "SimplePredicate", field=name, operator=_OPERATORS[literal.op], value=_value(literal)
        )
        if not literal.op.is_negated:
            return plain
        return _compound("or", [ET.Element("SimplePredicate", field=name, operator="isMissing"), plain])


def _compound(operator: str, parts: list[ET.Element]) -> ET.Element:
    if len(parts) == 1:
        return parts[0]
    found = ET.Element("CompoundPredicate", booleanOperator=operator)
    found.extend(parts)
    return found


def _value(literal: Literal) -> str:
    if isinstance(literal.value, str):
        return _text(literal.value)
    if isinstance(literal.value, bool):
        return "true" if literal.value else "false"
    number = double(literal)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"column {literal.feature!r} is compared with an infinity, which PMML has not")
    return number_text(number)


def _text(text: str) -> str:
    found = _NEVER.search(text)
    if found is not None:
        raise ValueError(f"XML has no way to write {found[0]!r}, which is in {text[:40]!r}; clean the text")
    return text
