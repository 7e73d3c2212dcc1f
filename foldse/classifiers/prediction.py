"""What is asked of a program: predictions, which rule decides, what conditions are worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, overload

import numpy as np
import pandas as pd
import scipy.sparse
from sklearn.utils.validation import check_is_fitted

from foldse.classifiers.editing import EditableRules
from foldse.classifiers.importances import importances
from foldse.editing.parse import constraints_from_text
from foldse.editing.vocabulary import Vocabulary
from foldse.explain.actions import Within
from foldse.explain.counterfactual import Counterfactual, counterfactuals
from foldse.explain.english import describe
from foldse.model.frame import DEFAULT
from foldse.model.literals import Literal
from foldse.model.rule import Rule
from foldse.reading.containers import as_table

__all__ = ["ProgramClassifier"]

Constraints: TypeAlias = str | Rule | Literal | Iterable[str | Rule | Literal]
"""Text or a rule without a head says what must not hold, a literal what must."""


class ProgramClassifier(EditableRules):
    """A fitted program that is asked about rows."""

    def _first_firing(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return self.rules_.first_firing(self._columns(X, self.rules_.used_features))

    def predict(self, X: Any) -> np.ndarray:
        """Return the label that the rules conclude for each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            In any container that `fit` takes. Columns are matched by name, in any order, where there are
            names: those that the rules do not use may be missing, further ones are left out with a warning.
            Without names all columns are there, in their order. A category that was not there at fit is
            equal to no category of a rule.

        Returns
        -------
        numpy.ndarray of shape (n_rows,)
            The head of the first rule that fires; where none does, the other class of two, and the most
            frequent class of the training data of more, or else ``abstain`` if it is not False.
        """
        fired = self._first_firing(X)
        heads = [rule.head for rule in self.rules_] + [self.rules_.default]
        labels = self.classes_[np.searchsorted(self.classes_, np.array(heads, dtype=self.classes_.dtype))]
        abstain = self.rules_.abstain
        if abstain is not False:
            labels = np.append(labels[:-1].astype(self._dtype_with(abstain)), [abstain])
        return labels[fired]

    def _dtype_with(self, label: Any) -> np.dtype:
        """Return the dtype for the classes and one more label: theirs, if the label is of their kind."""
        alone = np.array([label])
        return self.classes_.dtype if alone.dtype.kind == self.classes_.dtype.kind else np.dtype(object)

    def predict_confidence(self, X: Any) -> np.ndarray:
        """Return how sure the rule is that decides each row, see `foldse.model.confidence.Confidence`.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        numpy.ndarray of float64, shape (n_rows,)
            NaN where no rule fires.
        """
        fired = self._first_firing(X)
        sure = [np.nan if rule.confidence is None else rule.confidence.value for rule in self.rules_]
        return np.array([*sure, np.nan])[fired]

    def predict_proba(self, X: Any) -> np.ndarray:
        """Return the share of each class among the training rows that the same rule decides.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        numpy.ndarray of shape (n_rows, n_classes)
            Columns in the order of ``classes_``. Smoothed by Laplace: (n_k + 1) / (n + n_classes), with
            n_k the weight of class k among the training rows for which this rule was the first to fire.
            The largest share need not be that of the predicted class. Where `predict` abstains, the shares
            are those of the training rows for which no rule fires. Equal shares where nothing was counted, as
            for rules that were written by hand, see `remeasure`.
        """
        fired = self._first_firing(X)
        nothing = (0.0,) * len(self.classes_)  # was counted of a rule without support
        counted = [*(rule.support for rule in self.rules_), self.rules_.default_support]
        supports = np.array([support or nothing for support in counted])
        shares = (supports + 1.0) / (supports.sum(axis=1, keepdims=True) + len(self.classes_))
        return shares[fired]

    def apply(self, X: Any) -> np.ndarray:
        """Return which rule decides each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        numpy.ndarray of intp, shape (n_rows,)
            The position in ``rules_`` of the first rule that fires, which is also its row in
            ``rules_.to_frame()``; -1 where none does and the default decides.
        """
        fired = self._first_firing(X).astype(np.intp)
        return np.where(fired == len(self.rules_), DEFAULT, fired)

    def decision_path(self, X: Any) -> scipy.sparse.csr_matrix:
        """Return which rules and exceptions fire on each row.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.

        Returns
        -------
        scipy.sparse.csr_matrix of bool, shape (n_rows, n_rules_)
            A column for each rule and exception, in the order of ``rules_.walk()`` and of the rows of
            ``rules_.to_frame()``. A rule fires where its body holds and none of its exceptions fires, whether
            or not an earlier rule decides the row; an exception likewise, whether or not its rule is asked.
        """
        check_is_fitted(self)
        table = self._columns(X, self.rules_.used_features)
        rows: list[np.ndarray] = [np.empty(0, dtype=np.intp)] * self.rules_.n_rules
        for place, fires, _ in self.rules_.firing(table):
            if place != DEFAULT:
                rows[place] = np.flatnonzero(fires)
        ends = np.cumsum([0, *map(len, rows)])
        found = np.concatenate([np.empty(0, dtype=np.intp), *rows])
        by_rule = scipy.sparse.csc_matrix(
            (np.ones(len(found), dtype=bool), found, ends), shape=(table.n_rows, len(rows))
        )
        return by_rule.tocsr()

    def importances(self, X: Any, y: Any, scoring: Any = None) -> pd.DataFrame:
        """Return how much the score drops without each column, and without each literal, of the rules.

        Parameters
        ----------
        X : table of shape (n_rows, n_features)
            As for `predict`.
        y : array-like of shape (n_rows,)
            Labels of these rows.
        scoring : str or callable, optional
            The name of a score of scikit-learn, or a function of an estimator, `X` and `y`; accuracy by
            default.

        Returns
        -------
        pandas.DataFrame
            A row for each column that the rules use, in the order of the table, then one for each distinct
            literal, in the order in which they are printed. ``kind`` is "column" or "literal"; ``feature``;
            ``literal``, None for a column; ``n_uses``, in how many places of the rules it is; ``score``,
            without it; ``importance``, by how much the score of the whole rules is higher.

        Raises
        ------
        ValueError, TypeError
            If `scoring` is no score or gives more than one number, or as for `predict`.

        Notes
        -----
        What is left out counts as true, in rules and in exceptions alike. So a rule without a condition left
        fires on all rows that reach it, and an exception without one withholds all of them: to drop them
        would make the condition false instead. Nothing is learned anew and nothing is shuffled;
        `predict_proba` of the changed rules goes by the training rows of the unchanged ones. Of two
        conditions of a rule that mean the same, either can be left out at no loss: both have the
        importance 0.
        """
        check_is_fitted(self)
        return importances(self, X, y, scoring)

    @overload
    def counterfactual(
        self,
        x: Any,
        target: Any = ...,
        fixed: Iterable[str] = ...,
        allow_missing: bool = ...,
        name: str | None = ...,
        *,
        n: None = ...,
        within: Within | None = ...,
        directions: Mapping[str, str] | None = ...,
        costs: Mapping[str, float] | None = ...,
        constraints: Constraints = ...,
    ) -> Counterfactual: ...

    @overload
    def counterfactual(
        self,
        x: Any,
        target: Any = ...,
        fixed: Iterable[str] = ...,
        allow_missing: bool = ...,
        name: str | None = ...,
        *,
        n: int,
        within: Within | None = ...,
        directions: Mapping[str, str] | None = ...,
        costs: Mapping[str, float] | None = ...,
        constraints: Constraints = ...,
    ) -> list[Counterfactual]: ...

    def counterfactual(
        self,
        x: Any,
        target: Any = None,
        fixed: Iterable[str] = (),
        allow_missing: bool = True,
        name: str | None = None,
        *,
        n: int | None = None,
        within: Within | None = None,
        directions: Mapping[str, str] | None = None,
        costs: Mapping[str, float] | None = None,
        constraints: Constraints = (),
    ) -> Counterfactual | list[Counterfactual]:
        """Find the smallest changes of one row that change its label.

        Parameters
        ----------
        x : pandas.Series, dict, array-like of shape (n_features,), or table of one row
            A table keeps its dtypes, which matter where numbers are categories by their dtype only.
        target : object, optional
            The label to reach; any other by default.
        fixed : iterable of str, default=()
            Features that may not change.
        allow_missing : bool, default=True
            Whether a value may become missing.
        name : str, optional
            What the row is called.
        n : int, optional
            How many answers to find, at least 1; by default the best one, which is returned by itself.
        within : mapping of str to tuple or list, optional
            New values that are allowed: of numbers a closed range, such as ``(20_000, None)``, of categories
            a list. The present value may stay.
        directions : mapping of str to str, optional
            For a feature of numbers ``"up"`` or ``"down"``, the only way it may change.
        costs : mapping of str to float, optional
            What it costs to change a feature, above 0; 1 by default. Infinity is as good as `fixed`.
        constraints : str, Rule, Literal, or iterable of them, default=()
            What the changed row has to meet: a rule without a head says what must not hold, a literal what
            must. As text, what must not hold together: ``"sex(X,'male'), age(X,N), N=<5"``. The row as it is
            need not meet them.

        Returns
        -------
        Counterfactual or list of Counterfactual
            With the lowest total cost, among those the fewest changed features, and then the fewest literals
            changed; exact. With `n` a list in this order, shorter if there are no more answers. No answer
            makes all changes of another one, be it the same or, of a number, further the same way.

        Raises
        ------
        ValueError
            If no change that is allowed reaches the label, or a setting is wrong; the message names it. Of
            text that cannot be read a `RuleSyntaxError`.
        TypeError
            If a constraint is neither text, a rule nor a literal, or another setting is no mapping.

        Notes
        -----
        `foldse.explain.counterfactual.counterfactuals` documents the search.
        """
        if isinstance(x, Mapping) and any(isinstance(v, str) or np.ndim(v) == 0 for v in x.values()):
            x = [x]
        has_names = isinstance(x, Mapping) or getattr(getattr(x, "dtype", None), "names", None) is not None
        has_names |= isinstance(x, list | tuple) and any(isinstance(row, Mapping) for row in x)
        if has_names or (hasattr(x, "__arrow_c_stream__") and not isinstance(x, pd.Series)):
            x = as_table(x)
        found = counterfactuals(
            self,
            x,
            target=target,
            fixed=fixed,
            allow_missing=allow_missing,
            name=name,
            n=1 if n is None else n,
            within=within,
            directions=directions,
            costs=costs,
            constraints=self._read_constraints(constraints),
        )
        return found[0] if n is None else found

    def _read_constraints(self, given: Constraints) -> list[Rule | Literal]:
        """Return constraints as objects."""
        found: list[Rule | Literal] = []
        for item in [given] if isinstance(given, str | Rule | Literal) else given:
            found += constraints_from_text(item, Vocabulary.of(self)) if isinstance(item, str) else [item]
        return found

    def describe(self, templates: Any = None, subject: str = "X") -> str:
        """Tell the whole model in English.

        Parameters
        ----------
        templates : mapping of str to str, optional
            For a feature a sentence with ``@(X)`` for the subject and ``@(V)`` for the value, such as
            ``"@(X) is a passenger of class @(V)"``.
        subject : str, default="X"
            What the sentences speak of.

        Returns
        -------
        str
            A paragraph a rule, exceptions as ``unless``, then the default.
        """
        return describe(self, templates, subject)
