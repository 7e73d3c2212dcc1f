"""Features, labels and weights from a table and options, and classifiers from options."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from foldse.cli import messages
from foldse.cli.errors import CommandError, UsageError
from foldse.cli.files.columns import is_number
from foldse.cli.files.tables import column_of, read_table
from foldse.cli.options import Learner, Learning, Reading, Settings, Size
from foldse.editing.nearest import close_matches

__all__ = [
    "FRONT_FOLDS",
    "Constant",
    "Problem",
    "estimator",
    "label_of",
    "positive_of",
    "read_problem",
    "text_of",
    "weights_of",
]

MANY_LABELS = 50
FRONT_FOLDS = 5  # of the cross-validation that chooses settings
RULES, SE, PRUNED = "rules", "foldse", "foldse and confold"
# The settings that not every learner has, and whose they are.
OWN_SETTINGS = {
    "ratio": RULES,
    "tail": SE,
    "improvement_threshold": PRUNED,
    "confidence_threshold": PRUNED,
    "abstain": PRUNED,
    "expert_rules": PRUNED,
    "max_rule_length": PRUNED,
}
HAVE = {
    Learner.FOLDSE: {RULES, SE, PRUNED},
    Learner.FOLDRPP: {RULES},
    Learner.CONFOLD: {RULES, PRUNED},
    Learner.TREE: set(),
}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is to be learned.

    Attributes
    ----------
    X : pandas.DataFrame
    y : pandas.Series
        Labels, without missing ones; its name is the target's.
    weights : numpy.ndarray of float64 or None
    positive : object
        The positive one of two labels: as given, else the more frequent by weight, of all rows. It is decided
        here, once, and holds for every part of the rows. None for other numbers of labels.
    code_page : str or None
        See `foldse.cli.files.tables.Table`.
    """

    X: pd.DataFrame
    y: pd.Series
    weights: np.ndarray | None = None
    positive: Any = None
    code_page: str | None = None

    @property
    def labels(self) -> list[Any]:
        """The distinct labels, sorted."""
        return sorted(self.y.unique().tolist())


def read_problem(path: str, reading: Reading, learning: Learning) -> Problem:
    """Read a table and take the target, the weights and what is dropped from it.

    Raises
    ------
    CommandError
        If a column is not there, or a label is missing.
    """
    named = [learning.target] if not learning.target.lstrip("-").isdecimal() else []
    read = read_table(
        path,
        reading,
        learning.categorical or (),
        learning.numeric or (),
        drop=learning.drop or (),
        known=named,
    )
    table = read.frame
    names = table.columns.tolist()
    target = column_of(learning.target, names, "--target")
    dropped = {column_of(name, names, "--drop") for name in learning.drop or ()}
    weights = None
    if learning.weight is not None:
        weight = column_of(learning.weight, names, "--weight")
        weights = weights_of(table, weight)
        if weight == target:
            raise UsageError(f"--weight and --target are both {weight!r}")
        dropped.add(weight)
    if target in dropped:
        raise UsageError(f"--drop names the target {target!r}")
    y = table[target]
    missing = np.flatnonzero(y.isna().to_numpy())
    if len(missing):
        if not learning.skip_unlabelled:
            raise CommandError(
                f"the target {target!r} has no value in {messages.count(len(missing), 'row')}, first in row "
                f"{missing[0]} (from 0); label them or give --skip-unlabelled"
            )
        kept = np.flatnonzero(y.notna().to_numpy())
        table, y = table.iloc[kept].reset_index(drop=True), y.iloc[kept].reset_index(drop=True)
        weights = None if weights is None else weights[kept]
        messages.note(f"left out {messages.count(len(missing), 'row')} without a label")
    if not len(y):
        raise CommandError(f"the target {target!r} has no value in any row")
    if y.dtype.kind == "f" and (y == np.floor(y)).all():
        y = y.astype(np.int64)
    features = [name for name in names if name != target and name not in dropped]
    if not features:
        raise CommandError(f"there is no column to learn {target!r} from")
    n_labels = y.nunique()
    if n_labels > MANY_LABELS and y.dtype.kind != "f":
        messages.note(f"the target {target!r} has {n_labels:,} different values; rules are learned for each")
    return Problem(table[features], y, weights, _positive(learning.positive, y, weights), read.code_page)


def weights_of(table: pd.DataFrame, given: str) -> np.ndarray:
    """Return the column that --weight names as float64.

    Raises
    ------
    CommandError
        If it is not there, or holds no numbers.
    """
    weight = column_of(given, table.columns.tolist(), "--weight")
    if not is_number(table[weight]):
        raise CommandError(f"--weight {weight!r} is a column of text, and weights are numbers")
    return table[weight].to_numpy(np.float64)


def _positive(given: str | None, y: pd.Series, weights: np.ndarray | None) -> Any:
    labels = sorted(y.unique().tolist())
    if given is not None:
        label = label_of(given, labels, "--positive")
        if len(labels) > 2:
            raise UsageError(
                f"--positive is for two labels, and there are {len(labels)}; rules are learned for each"
            )
        return label if len(labels) == 2 else None
    if len(labels) != 2:
        return None
    of_rows = np.ones(len(y)) if weights is None else weights
    # Divided by a power of two, which changes no comparison, so that no total leaves the range of floats.
    of_rows = np.ldexp(of_rows, -np.frexp(np.abs(of_rows).max())[1])
    totals = [math.fsum(of_rows[(y == label).to_numpy()]) for label in labels]
    return labels[int(np.argmax(totals))]


def label_of(given: str, labels: list[Any], option: str) -> Any:
    """Return the label that a text stands for.

    Raises
    ------
    CommandError
        If there is none.
    """
    for label in labels:
        if str(label) == given:
            return label
    for label in labels:
        if not isinstance(label, str | bool) and given.replace(".", "", 1).lstrip("+-").isdecimal():
            if float(given) == label:
                return label
        elif isinstance(label, bool) and given.lower() == str(label).lower():
            return label
    known = close_matches(given, map(str, labels), "labels")
    raise CommandError(f"{option} {given!r} is not a label; {known}")


def estimator(
    learner: Learner,
    learning: Learning,
    problem: Problem,
    chosen: Settings | None = None,
    size: Size | None = None,
) -> Any:
    """Return a classifier that is not fitted.

    Raises
    ------
    UsageError
        If an option is none of this learner's.
    """
    import foldse

    chosen = chosen or Settings()
    settings = _own_settings(learner, chosen, problem)
    if learning.positive is not None and learner is not Learner.CONFOLD:
        settings["pos_label"] = problem.positive
    if chosen.heuristic is not None:
        settings["heuristic"] = str(chosen.heuristic)
    names = problem.X.columns
    for option, parameter in (("numeric", "numeric_features"), ("categorical", "categorical_features")):
        given = [name for name in getattr(learning, option) or () if name in names]
        if given:
            settings[parameter] = given
    kinds = {
        Learner.FOLDSE: foldse.FoldSEClassifier,
        Learner.FOLDRPP: foldse.FoldRPPClassifier,
        Learner.CONFOLD: foldse.ConFoldClassifier,
        Learner.TREE: foldse.HeuristicTreeClassifier,
    }
    if size is not None and size.is_asked:
        searches = {Learner.FOLDSE: foldse.FoldSECV, Learner.FOLDRPP: foldse.FoldRPPCV}
        if learner not in searches:
            raise UsageError(f"--front is for the learners foldse and foldrpp, and not for {learner}")
        kinds.update(searches)
        settings |= _size_settings(size, learning.seed)
    clf = kinds[learner](**settings)
    try:
        clf._check_parameters()
    except ValueError as error:
        raise UsageError(str(error)) from None
    return clf


def _own_settings(learner: Learner, chosen: Settings, problem: Problem) -> dict[str, Any]:
    """Return the settings that not every learner has, as far as they are given."""
    given = {name: getattr(chosen, name) for name in OWN_SETTINGS if getattr(chosen, name) is not None}
    for name in given:
        owners, option = OWN_SETTINGS[name], "--" + name.replace("_", "-")
        if owners not in HAVE[learner]:
            if learner is Learner.TREE:
                raise UsageError(f"{option} is for rules, and a tree has none")
            plural = "s" if owners == PRUNED else ""
            raise UsageError(f"{option} is for the learner{plural} {owners}, and not for {learner}")
    if "tail" in given:
        given["tail"] = _tail(given["tail"])
    if "abstain" in given:
        label = given["abstain"]
        known = (one for one in problem.labels if str(one) == label)
        given["abstain"] = next(known, label or None)
    if "expert_rules" in given:
        given["expert_rules"] = text_of(given["expert_rules"])
    return given


def _size_settings(size: Size, seed: int) -> dict[str, Any]:
    from sklearn.model_selection import StratifiedKFold

    is_limited = size.max_literals is not None or size.max_rules is not None
    if is_limited and size.choose is not None:
        raise UsageError("--choose is for programs of any size; with a limit the best within it is chosen")
    return {
        "cv": StratifiedKFold(FRONT_FOLDS, shuffle=True, random_state=seed),
        "max_predicates": size.max_literals,
        "max_rules": size.max_rules,
        "choose": str(size.choose or "one_se"),
    }


def text_of(path: str) -> str:
    """Return the text of a file, or of standard input for ``-``."""
    content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{path}: not UTF-8 text at byte {error.start}") from None


class Constant(BaseEstimator):
    """Predicts the label of rows that have one label only, from which nothing can be learned."""

    def fit(self, X: pd.DataFrame, y: pd.Series, sample_weight: Any = None) -> Constant:
        """Take the label."""
        self.label_ = y.iloc[0]
        return self

    def predict(self, X: pd.DataFrame) -> list[Any]:
        """Return the label for each row."""
        return [self.label_] * len(X)


def _tail(given: str) -> float | int:
    try:
        return int(given) if given.isdecimal() else float(given)
    except ValueError:
        raise UsageError(f"--tail {given!r} is neither a share below 1 nor a count of rows") from None


def positive_of(clf: Any) -> Any:
    """Return the label that a fitted classifier of two classes counts as positive; None for other numbers."""
    classes = clf.classes_.tolist()
    if len(classes) != 2:
        return None
    if clf.pos_label is not None:
        return clf.pos_label
    if getattr(clf, "learns_all_classes", False):
        return clf.rules_.default  # the more frequent one
    if hasattr(clf, "rules_"):
        return next(label for label in classes if label != clf.rules_.default)
    return classes[int(np.argmax(clf.tree_.root.support))]
