"""A program as an ONNX graph, for onnxruntime."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from foldse.export.cells import Cells, double
from foldse.export.languages import Cell, Form
from foldse.export.logic import rules_of
from foldse.model.literals import Literal, Op
from foldse.model.rule import Rule

if TYPE_CHECKING:
    from onnx import ModelProto, NodeProto, TensorProto

__all__ = ["to_onnx"]

OPSET = 19  # the first whose Equal takes strings
IR_VERSION = 9  # that of ONNX 1.14, which has this opset
MISSING_TRUTH = -1


def to_onnx(clf: Any, missing: str = "") -> ModelProto:
    """Write a learned program as an ONNX model.

    Parameters
    ----------
    clf : FoldSEClassifier or FoldRPPClassifier
        Fitted.
    missing : str, default=""
        The text that stands for a missing value, as tensors of strings have none. It is no category of the
        rules.

    Returns
    -------
    onnx.ModelProto
        Checked; save it with ``onnx.save``. It has an input of shape (n_rows, 1) for each feature that the
        rules look at; and the outputs ``label``, of shape (n_rows,), int64 where the labels are whole
        numbers and strings otherwise, and ``rule``, int64 of shape (n_rows,): the number of the rule that
        decides, from 1, or 0 for the default.

    Raises
    ------
    ImportError
        If the package onnx is not installed.
    ValueError
        If the rules compare with `missing` or with a number that is no 64-bit float; if there are no rules;
        or if a row may have no label (``abstain=None``).

    Notes
    -----
    Inputs are named as the features: doubles, NaN where a value is missing; strings; and truth values as
    int64: 1, 0, or -1 where one is missing. A feature that the rules compare with values of several types is
    an input for each; ``<feature> (text)`` is the name of the second. Needs onnx 1.14 or later to be written,
    and onnxruntime 1.16 or later to run.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldse import FoldSEClassifier
    >>> X = pd.DataFrame({"sex": ["m", "f", "m", "f"], "age": [30.0, 40.0, 5.0, 8.0]})
    >>> y = pd.Series(["no", "yes", "no", "yes"], name="survived")
    >>> model = to_onnx(FoldSEClassifier(pos_label="yes").fit(X, y))
    >>> [given.name for given in model.graph.input], [found.name for found in model.graph.output]
    (['sex'], ['label', 'rule'])
    """
    try:
        import onnx
    except ImportError:
        raise ImportError("to_onnx needs the package onnx: pip install 'foldse[onnx]'") from None
    from onnx import TensorProto, helper

    rules = rules_of(clf)
    if not rules.used_features:
        raise ValueError(
            "the program has no rules, so that nothing says how many rows there are; learn again"
        )
    if rules.otherwise is None:
        raise ValueError(
            "ONNX has no missing label; learn with a label for abstain, such as abstain='unknown'"
        )
    graph = _Graph(clf, missing)
    fires = [graph.fires(rule) for rule in rules]
    number = graph.constant(0)
    for place in range(len(rules) - 1, -1, -1):
        number = graph.node("Where", fires[place], graph.constant(place + 1), number)
    found = graph.node("Reshape", number, graph.shape(-1))
    labels = [rules.otherwise, *(rule.head for rule in rules)]
    are_whole = all(isinstance(label, int) and not isinstance(label, bool) for label in labels)
    names = labels if are_whole else [str(label) for label in labels]
    table = graph.labels(names)
    graph.nodes.append(helper.make_node("Gather", [table, found], ["label"]))
    graph.nodes.append(helper.make_node("Identity", [found], ["rule"]))
    kinds = {Form.NUMBER: TensorProto.DOUBLE, Form.TEXT: TensorProto.STRING, Form.TRUTH: TensorProto.INT64}
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            rules.target,
            [
                helper.make_tensor_value_info(graph.inputs[cell.name], kinds[cell.form], ["rows", 1])
                for cell in graph.cells.cells
            ],
            [
                helper.make_tensor_value_info(
                    "label", TensorProto.INT64 if are_whole else TensorProto.STRING, ["rows"]
                ),
                helper.make_tensor_value_info("rule", TensorProto.INT64, ["rows"]),
            ],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", OPSET)],
        producer_name="foldse",
        ir_version=IR_VERSION,
    )
    onnx.checker.check_model(model)
    return model


class _Graph:
    """Collects nodes and constants; what is written is the name of its result."""

    def __init__(self, clf: Any, missing: str):
        rules = rules_of(clf)
        if any(literal.value == missing for literal in rules.literals() if isinstance(literal.value, str)):
            raise ValueError(
                f"missing is {missing!r}, and the rules compare with this text; give one that is no category"
            )
        self.missing = missing
        self.cells = Cells(clf, rules, ())
        self.inputs: dict[str, str] = {}  # the name of the input of each cell
        for cell in self.cells.cells:
            is_first = cell.feature not in self.inputs.values()
            name = cell.feature if is_first else f"{cell.feature} ({cell.form})"
            while name in (*self.inputs.values(), "label", "rule"):
                name += "_"
            self.inputs[cell.name] = name
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self._known: dict[Any, str] = {}

    def _once(self, key: Any, make: Callable[[], str]) -> str:
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def node(self, operator: str, *inputs: str) -> str:
        """Add an operator, unless it is there, and return the name of what it gives."""
        from onnx import helper

        def make() -> str:
            name = f"#{len(self.nodes)}"
            self.nodes.append(helper.make_node(operator, list(inputs), [name]))
            return name

        return self._once((operator, *inputs), make)

    def _tensor(self, key: Any, values: Any, dims: list[int]) -> str:
        from onnx import TensorProto, helper, numpy_helper

        def make() -> str:
            name = f"#constant{len(self.constants)}"
            if isinstance(values[0], str):
                made = helper.make_tensor(name, TensorProto.STRING, dims, [text.encode() for text in values])
            else:
                made = numpy_helper.from_array(np.array(values).reshape(dims), name)
            self.constants.append(made)
            return name

        return self._once(key, make)

    def constant(self, value: str | float | int) -> str:
        """Return the name of a constant: text, a double, or an int64."""
        return self._tensor((type(value), repr(value)), [value], [1, 1])

    def shape(self, length: int) -> str:
        return self._tensor(("shape", length), [length], [1])

    def labels(self, labels: list[Any]) -> str:
        return self._tensor("labels", labels, [len(labels)])

    def all_of(self, parts: list[str]) -> str:
        found = parts[0]
        for part in parts[1:]:
            found = self.node("And", found, part)
        return found

    def fires(self, rule: Rule) -> str:
        """Write that a rule fires."""
        parts = [self.literal(literal) for literal in rule.body]
        parts += [self.node("Not", self.fires(exception)) for exception in rule.exceptions]
        return self.all_of(parts)

    def literal(self, literal: Literal) -> str:
        if literal.op.is_negated:
            return self.node("Not", self.literal(literal.negated()))
        if literal.value is None:
            return self.all_of([self.is_missing(cell) for cell in self.cells.of_feature(literal.feature)])
        cell = self.cells.of(literal)
        if cell is None:  # nothing is below minus infinity
            return self._never(literal.feature)
        given = self.inputs[cell.name]
        if isinstance(literal.value, str):
            return self.node("Equal", given, self.constant(literal.value))
        if isinstance(literal.value, bool):
            return self.node("Equal", given, self.constant(int(literal.value)))
        operator = {Op.LE: "LessOrEqual", Op.GT: "Greater", Op.EQ: "Equal"}[literal.op]
        return self.node(operator, given, self.constant(double(literal)))

    def is_missing(self, cell: Cell) -> str:
        given = self.inputs[cell.name]
        if cell.form is Form.NUMBER:
            return self.node("IsNaN", given)
        return self.node(
            "Equal", given, self.constant(self.missing if cell.form is Form.TEXT else MISSING_TRUTH)
        )

    def _never(self, feature: str) -> str:
        """Write what holds of no row, where a value cannot be what a literal says."""
        cells = self.cells.of_feature(feature) or self.cells.cells
        is_missing = self.is_missing(cells[0])
        return self.node("And", is_missing, self.node("Not", is_missing))
