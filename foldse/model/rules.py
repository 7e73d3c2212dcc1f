"""A learned program: how its rules are ordered, named, counted and printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from foldse.model.lines import ProgramLine, goals, predicate_name
from foldse.model.literals import Literal, category_key, exact_text, is_cut, quote
from foldse.model.rule import CalledRule, Reader, Rule, Table
from foldse.model.simplify import simplify

if TYPE_CHECKING:  # imported where they are needed: a program is printed and run on single rows without them
    import numpy as np
    import pandas as pd

    from foldse.model.frame import Firing

__all__ = ["RuleSet"]


def _inner_first(rule: Rule) -> Iterator[tuple[Rule, int]]:
    """Return a rule and all exceptions below it with their depths, each after its own exceptions."""
    # No recursion: exceptions may be hundreds deep.
    found, stack = [], [(rule, 0)]
    while stack:
        part, depth = stack.pop()
        found.append((part, depth))
        stack += [(exception, depth + 1) for exception in part.exceptions]
    return reversed(found)


@dataclass(frozen=True, slots=True)
class RuleSet(Sequence[Rule]):
    """A learned program: rules in order, the first that fires decides, and a default where none does.

    Attributes
    ----------
    rules : tuple of Rule
        The rules, without the exceptions, which hang below them.
    features : tuple of str
        Names of all features of the training table, in its order.
    target : str
        What the heads say, as a predicate name: the name of y, or ``"target"``.
    classes : tuple
        The labels, sorted.
    default : object
        The label of a row for which no rule fires, unless the program abstains.
    default_support : tuple of float
        Weight of the training rows of each class for which no rule fires.
    reader : Reader or None
        How a table is read for these rules; that of a fitted classifier has it.
    abstain : object
        What is said of a row for which no rule fires, in the place of `default`: None for no label, or a
        label of its own; False if the program does not abstain.

    Notes
    -----
    ``str()`` is the program as the paper prints it: exceptions are predicates ``ab1``, ``ab2``, ..., inner
    ones first, and numeric features are bound to N1, N2, ... in the order in which the lines use them first;
    a feature has the same variable in all lines.
    """

    rules: tuple[Rule, ...]
    features: tuple[str, ...]
    target: str
    classes: tuple[Any, ...]
    default: Any
    default_support: tuple[float, ...] = field(default=(), compare=False)
    reader: Reader | None = field(default=None, compare=False, repr=False)
    abstain: Any = False

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    def __getitem__(self, index: Any) -> Any:
        return self.rules[index]

    @property
    def otherwise(self) -> Any:
        """What is said of a row for which no rule fires: a label, or None for none."""
        return self.default if self.abstain is False else self.abstain

    @property
    def n_rules(self) -> int:
        """Number of rules, exceptions included."""
        return sum(rule.n_rules for rule in self.rules)

    @property
    def n_predicates(self) -> int:
        """Number of literals in all rules and exceptions."""
        return sum(rule.n_predicates for rule in self.rules)

    def simplified(
        self, max_rule_length: int | None = None, may_stand: Callable[[Literal], bool] | None = None
    ) -> RuleSet:
        """Return the same program with every learned rule simplified, see `simplify`."""
        return replace(
            self,
            rules=tuple(
                simplify(rule, max_rule_length, may_stand) if rule.origin == "learned" else rule
                for rule in self.rules
            ),
        )

    def first_firing(self, table: Table) -> np.ndarray:
        """Return the position of the rule that decides each row, as int32; ``len(self)`` for the default."""
        import numpy as np

        fired = np.full(table.n_rows, len(self.rules), dtype=np.int32)
        for index in range(len(self.rules) - 1, -1, -1):
            fired[self.rules[index].covers(table)] = index
        return fired

    def read(self, X: Any) -> Table:
        """Return what the rules look at of a table in any container.

        Raises
        ------
        ValueError, TypeError
            If a feature of the rules is missing, or holds what cannot be read; or if the rules are not those
            of a fitted classifier.
        """
        if self.reader is None:
            raise ValueError(
                "these rules have no reader, so how a table is read for them is not known; take those of a "
                "fitted classifier, or give reader=clf.rules_.reader"
            )
        return self.reader.read(X, self.used_features)

    def firing(self, table: Table) -> Iterator[Firing]:
        """Yield where each rule and exception fires, and last the default, see `foldse.model.frame`."""
        from foldse.model.frame import firing

        yield from firing(list(self.walk()), table)

    def rows(self, X: Any, which: int | str) -> np.ndarray:
        """Return the rows that one rule decides, or that one exception withholds from its rule.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for ``predict``.
        which : int or str
            A position in `walk`, which is the row of `to_frame` and, of a rule, its position among the rules;
            -1 for the default. Or a name, such as ``"ab1"``.

        Returns
        -------
        numpy.ndarray of intp
            Positions in `X`, ascending. For an exception the rows that no earlier rule decides, on which the
            bodies above the exception hold and it fires.

        Raises
        ------
        ValueError
            If there is no such rule, or several have the name.
        """
        import numpy as np

        from foldse.model.frame import DEFAULT

        names = [called.name for called in self.walk()]
        if isinstance(which, str):
            found = [place for place, name in enumerate(names) if name == which]
            if len(found) != 1:
                raise ValueError(
                    f"{len(found) or 'no'} rules are called {which!r}; give a position from 0 to "
                    f"{len(names) - 1}, or -1 for the default"
                )
            which = found[0]
        if not DEFAULT <= which < len(names):
            raise ValueError(
                f"there is no rule {which}; the {len(names)} rules and exceptions are counted from 0, and -1 "
                "is the default"
            )
        decides = next(fired.decides for fired in self.firing(self.read(X)) if fired.place == which)
        return np.flatnonzero(decides)

    def to_frame(
        self, X: Any = None, y: Any = None, sample_weight: Any = None, default: bool = False
    ) -> pd.DataFrame:
        """Return the rules and exceptions as a frame, one row each, with what they cover.

        Parameters
        ----------
        X : table of shape (n_rows, n_features), optional
            The rows to measure the rules on, as for ``predict``; by default the figures are those of the
            training rows.
        y : array-like of shape (n_rows,), optional
            The labels of these rows. Without them, all that depends on labels is NaN.
        sample_weight : array-like of shape (n_rows,), optional
            Weight of each row, finite and not negative; 1 by default.
        default : bool, default=False
            Whether the last row is that of the default.

        Returns
        -------
        pandas.DataFrame
            In the order of `walk`, with the columns

            - ``name`` (the target, or ``ab1``, ...), ``kind`` ("rule", "exception", "default"), ``depth`` (0,
              of an exception 1, of its exceptions 2), ``label`` (what the rule concludes or, of an exception,
              what the outermost rule does), ``text`` (the line as it is printed), ``length`` (literals) and
              ``n_exceptions`` (its own);
            - ``covered``, the weight of the rows that the rule decides or the exception withholds,
              ``coverage``, their share of all rows, and ``support_<label>``, their weight by label;
            - ``correct``, the weight of the covered rows on which it is right: a rule where they have its
              label, an exception where they have not, and one of an exception where they have;
            - ``precision``, the share of the covered rows on which it is right; ``recall``, the share covered
              of all rows on which it would be right; ``lift``, precision over the share that these rows are
              of all;
            - ``confidence``, ``confidence_low``, ``confidence_high``, see `Confidence`.

        Raises
        ------
        ValueError, TypeError
            If `y` or `sample_weight` is given without `X` or is not as long, `y` has a label that the model
            does not know, or `X` lacks a feature of the rules.

        Notes
        -----
        A rule covers the rows for which it is the first to fire. An exception covers those that no earlier
        rule decides, on which the bodies above it hold and it fires; two exceptions of one rule may cover the
        same row.

        The figures of training are `Rule.support`. There an exception may cover more rows: those it fired on
        when it was learned, among them, of two classes, rows of the other class that an earlier rule decides,
        and rows that a sibling withholds which is a literal of the rule since it was simplified. They are NaN
        for rules that were not learned, and shares of all rows are then NaN for every rule.
        """
        from foldse.model.frame import coverage_of_training, coverage_on, rules_frame

        if X is None and (y is not None or sample_weight is not None):
            raise ValueError(f"{'sample_weight' if y is None else 'y'} is given without X; give both")
        parts = list(self.walk())
        if X is None:
            coverage = coverage_of_training(parts, self.default_support, len(self.classes))
        else:
            coverage = coverage_on(parts, self.read(X), self.classes, y, sample_weight)
        frame = rules_frame(parts, list(self.lines()), self.classes, self.target, self.otherwise, coverage)
        return frame if default else frame.iloc[:-1].copy()

    def predicate_names(self) -> dict[str, str]:
        """Return a distinct predicate name for each feature, distinct from the target's, too."""
        names: dict[str, str] = {}
        taken = {self.target}
        for feature in self.features:
            names[feature] = predicate_name(feature, taken)
            taken.add(names[feature])
        return names

    @property
    def used_features(self) -> frozenset[str]:
        """Names of the features that the rules compare."""
        return frozenset(literal.feature for literal in self.literals())

    def literals(self) -> Iterator[Literal]:
        """Yield every literal of the rules and of their exceptions, in the order of `walk`."""
        for called in self.walk():
            yield from called.rule.body

    def walk(self) -> Iterator[CalledRule]:
        """Yield the rules, then their exceptions, in the order and under the names in which they are printed.

        Yields
        ------
        CalledRule

        Notes
        -----
        Exceptions are numbered inner first, as the paper prints them: a rule calls ``ab3``, whose definition
        calls ``ab1`` and ``ab2``. All that prints, exports or explains a program takes names and order from
        here.
        """
        rules: list[CalledRule] = []
        exceptions: list[CalledRule] = []
        uncalled: list[str] = []  # exceptions whose rule is yet to come; its own are the last
        for rule in self.rules:
            for part, depth in _inner_first(rule):
                first = len(uncalled) - len(part.exceptions)
                called = tuple(uncalled[first:])
                del uncalled[first:]
                if depth == 0:
                    rules.append(CalledRule(self.target, part, rule.head, 0, called))
                else:
                    uncalled.append(f"ab{len(exceptions) + 1}")
                    exceptions.append(CalledRule(uncalled[-1], part, rule.head, depth, called))
        yield from rules
        yield from exceptions

    def lines(self, nested: bool = False, whole: bool = False) -> Iterator[ProgramLine]:
        """Yield the program as it is printed, and the default, with what each line covers.

        Parameters
        ----------
        nested : bool, default=False
            Whether exceptions follow the rule that calls them; by default they come after all rules, as in
            ``str()``.
        whole : bool, default=False
            Whether long categories are written as they are; by default they are cut, see
            `foldse.model.literals.shortened`.

        Yields
        ------
        ProgramLine

        Notes
        -----
        Categories of one feature that would print the same, such as 1 and ``'1'``, are written by type:
        ``1``, ``true`` and ``"1"``, text in full.
        """
        predicates, variables = self.predicate_names(), self._variables()
        category_text = self._category_texts(whole)
        for called in self._nested() if nested else self.walk():
            head = f"{called.name}(X,{quote(str(called.label) if called.depth == 0 else 'True')})"
            body = [
                *goals(called.rule.body, predicates, variables, category_text),
                *(f"not {x}(X,'True')" for x in called.exceptions),
            ]
            yield ProgramLine(
                f"{head} :- {', '.join(body)}.",
                "exception" if called.depth else "rule",
                called.depth,
                *self._coverage(called.rule.support, called.label, called.depth),
                called.rule.confidence,
                called.rule.origin,
            )
        label = self.otherwise
        text = "otherwise no label" if label is None else f"otherwise {self.target}(X,{quote(str(label))})"
        covered, correct = self._coverage(self.default_support, label, 0)
        yield ProgramLine(text, "default", 0, covered, correct)

    def _variables(self) -> dict[str, str]:
        """Return the variable of each feature that is compared by size."""
        features = dict.fromkeys(x.feature for x in self.literals() if x.op.is_threshold)
        return {feature: f"N{number}" for number, feature in enumerate(features, 1)}

    def _category_texts(self, whole: bool) -> Callable[[Literal], str]:
        """Return how the categories of literals are written."""

        def plain(literal: Literal) -> str:
            if not whole or not isinstance(literal.value, str):
                return literal.value_text
            return exact_text(literal.value) if is_cut(literal.value) else quote(literal.value)

        meant: dict[tuple[str, str], set[Any]] = {}
        for literal in self.literals():
            if not literal.op.is_threshold:
                meant.setdefault((literal.feature, plain(literal)), set()).add(category_key(literal.value))
        unclear = {written for written, categories in meant.items() if len(categories) > 1}

        def text(literal: Literal) -> str:
            written = plain(literal)
            return exact_text(literal.value) if (literal.feature, written) in unclear else written

        return text

    def _nested(self) -> Iterator[CalledRule]:
        walked = list(self.walk())
        exceptions = {called.name: called for called in walked if called.depth}
        stack = [called for called in reversed(walked) if not called.depth]
        while stack:
            called = stack.pop()
            yield called
            stack += [exceptions[name] for name in reversed(called.exceptions)]

    def _coverage(
        self, support: tuple[float, ...], label: Any, depth: int
    ) -> tuple[float | None, float | None]:
        if not support:
            return None, None
        covered = sum(support)
        if label not in self.classes:
            return covered, None  # neither right nor wrong
        of_label = support[self.classes.index(label)]
        # An exception withholds the label; an exception of that one grants it again.
        return covered, covered - of_label if depth % 2 else of_label

    def __str__(self) -> str:
        return "\n".join(line.text for line in self.lines() if line.kind != "default")

    def to_text(self) -> str:
        """Return the program as ``str()`` does, but with long categories whole."""
        return "\n".join(line.text for line in self.lines(whole=True) if line.kind != "default")

    def to_html(self) -> str:
        """Return a model card as HTML: the rules with their coverage and precision on the training rows."""
        from foldse.model.html import model_card

        return model_card(self.target, self.n_predicates, list(self.lines(nested=True)))

    def _repr_html_(self) -> str:
        return self.to_html()
