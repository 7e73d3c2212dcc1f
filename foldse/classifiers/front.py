"""Choosing how large a program may be: many settings, cross-validated on codes, and the front of them."""

from __future__ import annotations

import itertools
import math
import numbers
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.metrics import check_scoring
from sklearn.model_selection import StratifiedShuffleSplit, check_cv

from foldse.classifiers.rules import RuleClassifier
from foldse.learning.training import TrainingData
from foldse.model.rules import RuleSet
from foldse.reading.encoding import EncodedTable
from foldse.runtime.kernels import prepare

__all__ = ["FrontSearch"]

CHOICES = ("one_se", "best")


class _Trial(NamedTuple):
    """What one setting gave on one split."""

    score: float
    fit_seconds: float
    score_seconds: float
    n_rules: int
    n_predicates: int


class FrontSearch(RuleClassifier):
    """Learns with every setting of a grid, and keeps the program of one."""

    drops_weightless = False  # a splitter may know rows by their position, and they are scored
    plain: ClassVar[type[RuleClassifier]]  # what is learned with each setting
    default_grid: ClassVar[Mapping[str, Sequence[Any]]]
    cv: Any
    choose: str
    scoring: Any
    max_predicates: int | None
    max_rules: int | None

    def grid(self) -> list[dict[str, Any]]:
        """Return the settings that are tried: every combination of the values of each parameter."""
        values = []
        for name, default in self.default_grid.items():
            given = getattr(self, name)
            if given is None:
                given = default
            elif isinstance(given, str) or np.ndim(given) == 0:
                given = [given]
            if not len(given):
                raise ValueError(f"{name} is empty; give one value, several, or None for the default grid")
            values.append(list(given))
        return [dict(zip(self.default_grid, setting, strict=True)) for setting in itertools.product(*values)]

    def _check_parameters(self) -> None:
        if self.choose not in CHOICES:
            raise ValueError(f"choose must be one of {', '.join(CHOICES)}; got {self.choose!r}")
        for name in ("max_predicates", "max_rules"):
            most = getattr(self, name)
            is_count = isinstance(most, numbers.Integral) and not isinstance(most, bool)
            if most is not None and not (is_count and most >= 0):
                raise ValueError(f"{name} must be a whole number of at least 0 or None, got {most!r}")
        for setting in self.grid():
            self._plain(setting)._check_parameters()

    def _plain(self, setting: Mapping[str, Any]) -> RuleClassifier:
        names = self.plain._get_param_names()
        return self.plain(**{name: getattr(self, name) for name in names} | dict(setting))

    def _splits(self, labels: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return the positions of the rows to learn from, and of those to score on, of each split."""
        is_share = isinstance(self.cv, float)
        if is_share and not 0 < self.cv < 1:
            raise ValueError(
                f"cv must be a number of folds, a share of the rows or a splitter; got {self.cv!r}"
            )
        splitter = (
            StratifiedShuffleSplit(1, test_size=self.cv, random_state=0)
            if is_share
            else check_cv(self.cv, labels, classifier=True)
        )
        return list(splitter.split(np.zeros((len(labels), 1)), labels))

    def _learn(self, data: TrainingData) -> None:
        self._check_directions(data.table)
        data = self._with_given(data)
        grid = self.grid()
        candidates = [self._plain(setting) for setting in grid]
        scorer = (
            _accuracy if self.scoring in (None, "accuracy") else check_scoring(self, scoring=self.scoring)
        )
        splits = self._splits(data.classes[data.labels])
        trials: list[list[_Trial]] = [[] for _ in candidates]
        n_fits = len(candidates) * len(splits)
        prepare(data.table.n_rows * len(data.table.features) * n_fits * self.interpreted_cost)
        has_weight = self._has_weight(data.classes, data.labels, data.weights)
        for train, test in splits:
            split = _Split(data.take(train[has_weight[train]]), data.take(test), scorer)
            for candidate, found in zip(candidates, trials, strict=True):
                found.append(split.tried(clone(candidate)))
        learned_from = data if has_weight.all() else data.take(np.flatnonzero(has_weight))
        for candidate in candidates:
            candidate.learn_encoded(learned_from)
        self.cv_results_ = _results(grid, trials, candidates)
        self.n_splits_ = len(splits)
        self.scorer_ = scorer
        self.front_ = _front(self.cv_results_)
        self.best_index_ = self._chosen()
        self.best_params_ = grid[self.best_index_]
        self.best_score_ = float(self.cv_results_["mean_test_score"][self.best_index_])
        self.best_estimator_ = candidates[self.best_index_]
        for name in ("classes_", "feature_types_", "feature_names_in_", "code_page_"):
            if hasattr(self, name):
                setattr(self.best_estimator_, name, getattr(self, name))
        self._set_program(self.best_estimator_.raw_rules_)
        self._warn_of_no_rules()

    def _chosen(self) -> int:
        """Return the position of the setting whose program is kept."""
        results = self.cv_results_
        scores, sizes = results["mean_test_score"], np.asarray(results["n_predicates"])
        allowed = np.isfinite(scores)
        if not allowed.any():
            raise ValueError("no setting has a score: learning or scoring failed on some split of each")
        for name, counts in (("max_predicates", sizes), ("max_rules", np.asarray(results["n_rules"]))):
            most = getattr(self, name)
            if most is not None:
                if not (counts[allowed] <= most).any():
                    raise ValueError(
                        f"no program has at most {most} {name[4:]}: the smallest that the settings give has "
                        f"{counts[allowed].min()}; allow more, or try larger values of tail or ratio"
                    )
                allowed &= counts <= most
        positions = np.flatnonzero(allowed)
        best = positions[np.lexsort((sizes[positions], -scores[positions]))[0]]
        if self.choose == "best" or self.max_predicates is not None or self.max_rules is not None:
            return int(best)
        within = positions[scores[positions] >= scores[best] - self._standard_errors()[best]]
        return int(within[np.lexsort((-scores[within], sizes[within]))[0]])

    def _standard_errors(self) -> np.ndarray:
        """Return that of the mean score of each setting; 0 on one split, which says nothing of it."""
        # The deviations (ddof=1) over the root of the number of splits; those of the results have ddof=0.
        return self.cv_results_["std_test_score"] / math.sqrt(max(1, self.n_splits_ - 1))

    def plot_front(self, ax: Any = None) -> Any:
        """Draw the score of every setting over the size of its program, and the front.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            By default one of a new figure.

        Returns
        -------
        matplotlib.axes.Axes
        """
        if ax is None:
            import matplotlib.pyplot as plt

            _, ax = plt.subplots(figsize=(6, 4), layout="constrained")
        results = self.cv_results_
        ax.scatter(results["n_predicates"], results["mean_test_score"], s=14, color="0.7", label="settings")
        front = self.front_.sort_values("n_predicates")
        ax.errorbar(
            front["n_predicates"],
            front["mean_test_score"],
            self._standard_errors()[front.index],
            marker="o",
            capsize=2,
            label="front, ± one standard error",
        )
        ax.plot(
            results["n_predicates"][self.best_index_],
            self.best_score_,
            "o",
            ms=11,
            mfc="none",
            color="C3",
            label="chosen",
        )
        ax.set_xlabel("predicates of the program")
        ax.set_ylabel(f"{self.scoring if isinstance(self.scoring, str) else 'score'}, mean over the splits")
        ax.legend()
        return ax

    def saved_model(self) -> RuleClassifier:
        """Return what a model file holds: the plain classifier with the program of this one."""
        return self.best_estimator_._with_program(self.rules_)


def _accuracy(clf: RuleClassifier, table: EncodedTable, labels: np.ndarray) -> float:
    """Return the accuracy, as scikit-learn's scorer, which looks at the labels at length first."""
    return float(np.mean(clf.predict(table) == labels))


class _Split:
    """Rows to learn from and rows to score on."""

    def __init__(self, part: TrainingData, held_out: TrainingData, scorer: Callable[..., float]):
        self.part, self.table, self.scorer = part, held_out.table, scorer
        self.labels = held_out.classes[held_out.labels]
        self._known: dict[RuleSet, float] = {}  # many settings give the same program

    def tried(self, clf: RuleClassifier) -> _Trial:
        start = time.perf_counter()
        clf.learn_encoded(self.part)
        fitted = time.perf_counter()
        if clf.raw_rules_ not in self._known:
            self._known[clf.raw_rules_] = float(self.scorer(clf, self.table, self.labels))
        return _Trial(
            self._known[clf.raw_rules_],
            fitted - start,
            time.perf_counter() - fitted,
            clf.n_rules_,
            clf.n_predicates_,
        )


def _results(
    grid: Sequence[Mapping[str, Any]], trials: Sequence[Sequence[_Trial]], learned: Sequence[RuleClassifier]
) -> dict[str, Any]:
    """Return what scikit-learn's searches call ``cv_results_``, and the sizes of the programs."""
    results: dict[str, Any] = {}

    def add(name: str, values: Sequence[Sequence[float]]) -> None:
        results[f"mean_{name}"] = np.mean(values, axis=1)
        results[f"std_{name}"] = np.std(values, axis=1)

    add("fit_time", [[trial.fit_seconds for trial in found] for found in trials])
    add("score_time", [[trial.score_seconds for trial in found] for found in trials])
    for name in grid[0]:
        values = [setting[name] for setting in grid]
        column = np.ma.masked_all(len(values), dtype=np.array(values).dtype)
        column[:] = values
        results[f"param_{name}"] = column
    results["params"] = [dict(setting) for setting in grid]
    scores = np.array([[trial.score for trial in found] for found in trials])
    for split in range(scores.shape[1]):
        results[f"split{split}_test_score"] = scores[:, split]
    add("test_score", scores.tolist())
    means = results["mean_test_score"]
    ranks = [1 + sum(other > mean for other in means) if np.isfinite(mean) else len(means) for mean in means]
    results["rank_test_score"] = np.array(ranks, dtype=np.int32)
    add("n_rules", [[trial.n_rules for trial in found] for found in trials])
    add("n_predicates", [[trial.n_predicates for trial in found] for found in trials])
    results["n_rules"] = np.array([clf.n_rules_ for clf in learned])
    results["n_predicates"] = np.array([clf.n_predicates_ for clf in learned])
    return results


def _front(results: Mapping[str, Any]) -> pd.DataFrame:
    """Return the settings that no other beats in score and size, smallest program first."""
    names = [name for name in results if name.startswith("param_")]
    columns = [*names, "mean_test_score", "std_test_score", "n_rules", "n_predicates"]
    frame = pd.DataFrame({name.removeprefix("param_"): np.ma.getdata(results[name]) for name in columns})
    return frame.loc[list(_undominated(frame))]


def _undominated(frame: pd.DataFrame) -> Iterator[int]:
    best = -math.inf
    order = frame.sort_values(["n_predicates", "mean_test_score"], ascending=[True, False], kind="stable")
    for position, score in zip(order.index, order["mean_test_score"], strict=True):
        if score > best:
            best = score
            yield position
