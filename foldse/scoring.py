"""Learned rules on rows without the stack: a model file is read, and rows predicted, by Python alone.

Importing this module imports neither numpy nor pandas nor scikit-learn nor numba; a table of one of them may
be given all the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from foldse.editing.rule_json import (
    OPTIONAL_RULE_FIELDS,
    RULE_FIELDS,
    RuleReader,
    feature_types_of,
    target_of,
)
from foldse.model.literals import Literal, Value, is_number, printable
from foldse.model.rule import Rule
from foldse.model.rules import RuleSet
from foldse.reading.conversion import (
    CODE,
    NUMBER,
    OBJECT_NUMBERS,
    as_number,
    converted,
    is_word,
    single_type,
)
from foldse.reading.scalars import canonical
from foldse.strict_json import (
    ModelFileError,
    check_fields,
    checked,
    checked_names,
    read_document,
)

if TYPE_CHECKING:
    from foldse.explain.justification import Justification

__all__ = ["ModelFileError", "Scorer"]

Observed: TypeAlias = "float | tuple[Value, bool]"
"""What a row holds of a feature: a number that is compared by size, or a category and False."""

MISSING = (None, False)


@dataclass(frozen=True, slots=True, eq=False)
class Scorer:
    """The rules of a model file, and how rows are read for them.

    Attributes
    ----------
    rules : RuleSet
    types : tuple of str
        What each feature held, see `foldse.reading.conversion.types_of`.
    numeric, categorical : frozenset of str
        Features that were declared to hold numbers, or categories.
    has_names : bool
        Whether the features have names of their own; otherwise they are x0, x1, ...

    Notes
    -----
    Rows are an iterable of dicts, such as a list of them or a `csv.DictReader`; of a model without names also
    of lists. A feature of the rules that a row lacks is missing there, and an error if all rows lack it;
    other entries of a row are not looked at. Each value means what it means in a column of objects, see
    `foldse.reading`. A table (of numpy, pandas, polars, pyarrow, or a dict of columns) is read as by
    ``predict`` of the classifier, for which pandas has to be installed.

    ``str()`` is the program as the paper prints it.

    Examples
    --------
    >>> import tempfile
    >>> from foldse import FoldSEClassifier
    >>> rows = [{"age": 30}, {"age": 40}, {"age": 5}, {"age": 8}]
    >>> clf = FoldSEClassifier(pos_label="no").fit(rows, ["yes", "yes", "no", "no"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     clf.save(folder + "/model.json")
    ...     scorer = Scorer.load(folder + "/model.json")
    >>> scorer.predict([{"age": 7}, {"age": "70"}])
    ['no', 'yes']
    """

    rules: RuleSet
    types: tuple[str, ...]
    numeric: frozenset[str]
    categorical: frozenset[str]
    has_names: bool

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model from a file that ``save`` wrote, perhaps edited since.

        Parameters
        ----------
        path : path

        Returns
        -------
        Scorer

        Raises
        ------
        ModelFileError
            If the file is not a model of rules, or not one that this version reads.
        """
        try:
            with open(path, "rb") as file:
                return cls.from_json(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            raise ModelFileError(f"{path}: not UTF-8 text at byte {error.start}") from None
        except ModelFileError as error:
            raise ModelFileError(f"{path}: {error}") from None

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read a model from the text of a model file.

        Parameters
        ----------
        text : str

        Returns
        -------
        Scorer

        Raises
        ------
        ModelFileError
            If the text is not a model of rules, or not one that this version reads.
        """
        document = read_document(text)
        if "nodes" in document:
            raise ModelFileError("the model is a tree, and a Scorer has rules; foldse.load_model reads it")
        check_fields(document, "the file", RULE_FIELDS, OPTIONAL_RULE_FIELDS)
        features = tuple(checked_names(document["features"], "features"))
        labels = checked(checked(document["classes"], dict, "classes").get("labels"), list, "classes.labels")
        reader = RuleReader(features, tuple(labels))
        parameters = checked(document["parameters"], dict, "parameters")
        numeric, categorical = (
            frozenset(checked_names(parameters.get(role) or [], f"parameters.{role}"))
            for role in ("numeric_features", "categorical_features")
        )
        has_names = checked(document["features_are_names"], bool, "features_are_names")
        rules = RuleSet(
            reader.rules(document["rules"], "rules"),
            features=features,
            target=target_of(document),
            classes=reader.classes,
            default=reader.label(document["default"], "default"),
            default_support=reader.support(document["default_support"], "default_support")
            if "default_support" in document
            else (),
            abstain=parameters.get("abstain", False),
        )
        types = feature_types_of(document, len(features))
        return cls(rules, types, numeric, categorical, has_names)

    def __str__(self) -> str:
        return str(self.rules)

    def describe(self) -> str:
        """Tell the whole model in English, see `foldse.explain.english.describe`."""
        from foldse.explain.english import describe

        return describe(self.rules)

    def predict(self, rows: Any, missing: Iterable[str] = ()) -> list[Any]:
        """Return the label that the rules conclude for each row.

        Parameters
        ----------
        rows : iterable of dict, or table
        missing : iterable of str, default=()
            Texts that stand for a missing value, such as ``""`` in what `csv.DictReader` reads.

        Returns
        -------
        list
            The label of each row, as ``predict`` of the classifier gives it; None where the model has none.

        Raises
        ------
        ValueError, TypeError
            If all rows lack a feature of the rules, or a value cannot be read as what its feature held.
        """
        labels = [*(rule.head for rule in self.rules), self.rules.otherwise]
        return [labels[place] for place in self._decide(rows, missing)]

    def apply(self, rows: Any, missing: Iterable[str] = ()) -> list[int]:
        """Return the position of the rule that decides each row, -1 for the default; see `predict`."""
        return [-1 if place == len(self.rules) else place for place in self._decide(rows, missing)]

    def predict_proba(self, rows: Any, missing: Iterable[str] = ()) -> list[list[float]]:
        """Return the share of each class among the training rows that the same rule decides; see `predict`.

        Returns
        -------
        list of list of float
            In the order of ``rules.classes``, smoothed by Laplace as by the classifier.
        """
        n_classes = len(self.rules.classes)
        counted = [*(rule.support for rule in self.rules), self.rules.default_support]
        shares = [
            [(weight + 1.0) / (sum(support) + n_classes) for weight in support or (0.0,) * n_classes]
            for support in counted
        ]
        return [list(shares[place]) for place in self._decide(rows, missing)]

    def predict_confidence(self, rows: Any, missing: Iterable[str] = ()) -> list[float | None]:
        """Return how sure the rule is that decides each row; None where none does or it is not known."""
        sure = [None if rule.confidence is None else rule.confidence.value for rule in self.rules]
        return [[*sure, None][place] for place in self._decide(rows, missing)]

    def explain(
        self, rows: Any, missing: Iterable[str] = (), names: Sequence[str] | None = None
    ) -> list[Justification]:
        """Return why each row is predicted as it is.

        Parameters
        ----------
        rows : iterable of dict, or table
        missing : iterable of str, default=()
            As for `predict`.
        names : sequence of str, optional
            What to call the rows; X0, X1, ... by default.

        Returns
        -------
        list of Justification

        Raises
        ------
        ValueError
            If there are not as many names as rows; or as for `predict`.
        """
        from foldse.explain.justification import Justification  # not above: most need no reasons
        from foldse.explain.proof import ObservedValue, Program

        def shown(value: Observed) -> float | ObservedValue:
            return value if isinstance(value, float) else ObservedValue(*value)

        program = Program(self.rules)
        labels = [*(rule.head for rule in self.rules), self.rules.otherwise]
        found = []
        for number, values in enumerate(self._observed(rows, frozenset(missing))):
            subject = f"X{number}"
            if names is not None and number < len(names):
                subject = printable(" ".join(str(names[number]).split()))
            place = self._first_firing(values)
            fired = place if place < len(self.rules) else None
            holds = bytes(_holds(literal, values) for literal in program.literals)
            observed = tuple(shown(values[feature]) for feature in program.features)
            found.append(Justification(subject, labels[place], fired, program, holds, observed))
        if names is not None and len(names) != len(found):
            raise ValueError(
                f"names has {len(names)} entries and there are {len(found)} rows; they must be as many"
            )
        return found

    def _decide(self, rows: Any, missing: Iterable[str]) -> Iterator[int]:
        return map(self._first_firing, self._observed(rows, frozenset(missing)))

    def _first_firing(self, values: Mapping[str, Observed]) -> int:
        """Return the position of the rule that decides a row; the number of rules for the default."""
        for place, rule in enumerate(self.rules):
            if _fires(rule, values):
                return place
        return len(self.rules)

    def _observed(self, rows: Any, missing: frozenset[str]) -> Iterator[dict[str, Observed]]:
        """Yield what each row holds of the features of the rules."""
        used = [feature for feature in self.rules.features if feature in self.rules.used_features]
        if isinstance(rows, Mapping) or any(hasattr(rows, x) for x in ("shape", "__arrow_c_stream__")):
            yield from self._observed_in_table(rows, used)
            return
        readers = {feature: self._reader(feature) for feature in used}
        lacking = set(used)
        number = -1
        for number, row in enumerate(rows):
            if not isinstance(row, Mapping):
                row = self._by_position(row, number)
            lacking -= row.keys()
            values: dict[str, Observed] = {}
            for feature, read in readers.items():
                value = row.get(feature)
                is_missing = value is None or (isinstance(value, str) and value in missing)
                values[feature] = MISSING if is_missing else read(value)
            yield values
        if lacking and number >= 0:
            absent = ", ".join(repr(feature) for feature in used if feature in lacking)
            raise ValueError(f"the rows lack columns of the rules: {absent}; add them under these names")

    def _by_position(self, row: Any, number: int) -> dict[str, Any]:
        if self.has_names or isinstance(row, str):
            raise TypeError(
                f"row {number} is a {type(row).__name__}, and the model knows its columns by name; "
                "give dicts, such as those of csv.DictReader"
            )
        if len(row) != len(self.rules.features):
            raise ValueError(
                f"row {number} has {len(row)} values; the model has {len(self.rules.features)} features"
            )
        return dict(zip(self.rules.features, row, strict=True))

    def _observed_in_table(self, table: Any, used: Sequence[str]) -> Iterator[dict[str, Observed]]:
        from foldse.explain.observed import value_reader
        from foldse.reading.schema import Schema

        features = self.rules.features
        schema = Schema(features, self.types, self.numeric, self.categorical, self.has_names, "this model")
        columns = schema.read(table, frozenset(used))
        readers = {feature: value_reader(columns[feature]) for feature in used}
        for row in range(columns.n_rows):
            yield {feature: read(row) for feature, read in readers.items()}

    def _reader(self, feature: str) -> Callable[[Any], Observed]:
        """Return how a value of a feature that is not None is read, see `foldse.reading.values`."""
        types = self.types[self.rules.features.index(feature)]
        learned = single_type(types)
        is_declared = feature in self.numeric
        by_size = learned == NUMBER
        if learned is None:
            by_size = feature not in self.categorical and CODE not in types.split("+")

        def read(value: Any) -> Observed:
            if by_size and type(value) is float:
                return value if value == value else MISSING
            found = canonical(feature, value)
            if learned is not None:
                try:
                    found = converted(feature, found, learned)
                except ValueError:
                    is_text = learned == NUMBER and isinstance(found, str)
                    if not (is_text and (is_declared or (types == OBJECT_NUMBERS and is_word(str(found))))):
                        raise
            elif by_size and is_declared and isinstance(found, str):
                number = as_number(found)
                found = found if number is None else number
            if by_size and is_number(found):
                return float(found)  # type: ignore[arg-type]
            return MISSING if found is None else (found, False)

        return read


def _holds(literal: Literal, values: Mapping[str, Observed]) -> bool:
    value = values[literal.feature]
    return literal.holds(value, by_size=True) if isinstance(value, float) else literal.holds(*value)


def _fires(rule: Rule, values: Mapping[str, Observed]) -> bool:
    return all(_holds(literal, values) for literal in rule.body) and not any(
        _fires(exception, values) for exception in rule.exceptions
    )
