"""What every learner offers the runner, and how a config becomes one."""

from __future__ import annotations

import importlib
import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from omegaconf import DictConfig, OmegaConf

from experiments.records import Dataset
from foldse import Confidence


class LearnerError(ValueError):
    """A learner that cannot be made as its config says; the message is one line."""


class NotInstalledError(LearnerError):
    """A learner for which an optional package or program is missing; the message says how to get it."""


class NotApplicableError(Exception):
    """A learner that is not meant for this data set; the message says why."""


class Learner(ABC):
    """One algorithm on one data set, behind the calls that the runner times and counts.

    A subclass takes the `Dataset` and its settings as keyword-only arguments, checks them in its constructor
    (`LearnerError`, `NotApplicableError`) and touches no rows there. A new object is made for each fold. A
    keyword-only argument ``seed`` receives the seed of the fold (`Fold.seed`) unless the config sets it. The
    training rows always have at least two labels: for a fold with one, the runner takes `Constant`.

    Attributes
    ----------
    classes : sequence of str
        The labels of the training rows in the order of the columns of `predict_proba`; set by `fit`.
    compiled : bool, default=False
        Whether it runs code that is compiled or loaded at its first use, so that the runner has to warm it up
        before it is timed.
    size_of_constant : dict of str to float, default={}
        What `measure` would return for a model that predicts the same label for every row.
    estimator : object, default=None
        The classifier of this library that it runs, if it runs one.
    """

    classes: Sequence[str] | np.ndarray = ()
    compiled: bool = False
    estimator: Any = None
    size_of_constant: ClassVar[dict[str, float]] = {}

    def __init__(self, dataset: Dataset) -> None:  # noqa: B027
        """Take the data set; a subclass with settings has its own constructor."""

    @abstractmethod
    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Learn from the training rows. All preparation of columns is done here, inside the timed part."""

    @abstractmethod
    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Return a label for each row; None for a row without one, which counts as wrong."""

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray | None:
        """Return the probability of each of `classes` for each row, shape (n_rows, n_classes).

        None if the learner has no probabilities.
        """
        return None

    def predict_confidence(self, X: pd.DataFrame) -> np.ndarray | None:
        """Return how sure the label of each row is, from 0 to 1, shape (n_rows,); NaN where nothing says so.

        None if the learner has no confidences. By default those of its `estimator`.
        """
        found = getattr(self.estimator, "predict_confidence", None)
        return None if found is None else found(X)

    def measure(self) -> dict[str, float]:
        """Return figures of the fitted model under any names: rules, predicates, nodes, ..."""
        return {}

    def rules(self) -> str:
        """Return the fitted model as text; empty if it cannot be read."""
        return ""

    @classmethod
    def setting_names(cls) -> list[str]:
        """Return the settings that a config may have: by default the keyword-only arguments."""
        parameters = inspect.signature(cls).parameters.values()
        return [each.name for each in parameters if each.kind is inspect.Parameter.KEYWORD_ONLY]


class Constant(Learner):
    """Stands in for a learner whose training rows have a single label: predicts that label.

    Parameters
    ----------
    learner : Learner
        The learner that it stands in for.
    """

    def __init__(self, learner: Learner) -> None:
        self.learner, self.estimator = learner, learner.estimator

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        self.classes, self.n_rows = [y.iloc[0]], len(y)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        return np.full(len(X), self.classes[0], dtype=object)

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        return np.ones((len(X), 1))

    def predict_confidence(self, X: pd.DataFrame) -> np.ndarray | None:
        """Return that of a rule which is right about all training rows, if the learner has confidences."""
        has_its_own = type(self.learner).predict_confidence is not Learner.predict_confidence
        if not (has_its_own or hasattr(self.estimator, "predict_confidence")):
            return None
        return np.full(len(X), Confidence.of(self.n_rows, self.n_rows).value)

    def measure(self) -> dict[str, float]:
        return dict(self.learner.size_of_constant)

    def rules(self) -> str:
        return f"% always {self.classes[0]!r}: the training rows have no other label"


@dataclass(frozen=True, slots=True)
class LearnerSpec:
    """How a learner is made: what its config says. Cheap to pass to a process.

    Attributes
    ----------
    id : str
        Name of the learner, as in ``learner=...`` and in the tables' CSV.
    target : str
        Dotted path of its `Learner` class.
    settings : dict
        Keyword arguments of the class.
    title : str
        Name of the learner as people read it; `id` if the config has none.
    packages : tuple of str
        Further packages (names of distributions) whose versions are part of a run, beside those that are
        found from imports.
    extra : str
        The extra of this project that installs what the learner needs.
    """

    id: str
    target: str
    settings: dict[str, Any]
    title: str = ""
    packages: tuple[str, ...] = ()
    extra: str = ""

    @classmethod
    def from_config(cls, cfg: DictConfig) -> LearnerSpec:
        """Read the config group ``learner``. `build` checks its settings.

        Raises
        ------
        LearnerError
            If ``id`` or ``_target_`` are missing.
        """
        settings: dict[str, Any] = OmegaConf.to_container(cfg, resolve=True)  # type: ignore[assignment]
        try:
            name, target = str(settings.pop("id")), str(settings.pop("_target_"))
        except KeyError as error:
            raise LearnerError(f"the learner config has no key {error}: add it to conf/learner/") from None
        title = str(settings.pop("title", None) or name)
        packages = tuple(settings.pop("packages", None) or ())
        return cls(name, target, settings, title, packages, str(settings.pop("extra", None) or ""))

    @property
    def learner_class(self) -> type[Learner]:
        """The class of the learner."""
        try:
            found = locate(self.target)
        except LearnerError as error:
            raise LearnerError(f"learner {self.id}: {error}") from None
        if not (isinstance(found, type) and issubclass(found, Learner)):
            raise LearnerError(f"learner {self.id}: _target_ {self.target!r} is not a subclass of Learner")
        return found

    def build(self, dataset: Dataset, seed: int = 0) -> Learner:
        """Make a fresh, unfitted learner.

        Parameters
        ----------
        dataset : Dataset
        seed : int, default=0
            For what the learner draws at random; a seed in its config takes precedence.

        Raises
        ------
        LearnerError
            If class or settings do not exist or are out of range; one line that names the learner.
        NotApplicableError
            If the learner is not meant for this data set.
        """
        made_by = self.learner_class
        known = made_by.setting_names()
        try:
            check_names(self.settings, known)
            seeded = {"seed": seed} if "seed" in known else {}
            return made_by(dataset, **{**seeded, **self.settings})
        except NotInstalledError as error:
            is_package = isinstance(error.__cause__, ImportError)
            hint = f": pip install -e '.[{self.extra}]'" if self.extra and is_package else ""
            raise NotInstalledError(f"learner {self.id}: {error}{hint}") from None
        except ValueError as error:
            raise LearnerError(f"learner {self.id}: {_first_line(error)}") from error


def check_names(settings: dict[str, Any], known: Sequence[str], where: str = "") -> None:
    """Raise a one-line `LearnerError` if a setting is not one of the known names.

    Parameters
    ----------
    settings : dict
    known : sequence of str
    where : str, optional
        Dotted place of the settings in the learner's config.
    """
    for name in sorted(set(settings) - set(known)):
        near = get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        place = f"{where}.{name}" if where else name
        raise LearnerError(f"there is no setting {place!r}; {hint}there are {', '.join(known) or 'none'}")


def check_number(name: str, value: Any, low: float, high: float = float("inf"), whole: bool = False) -> None:
    """Raise a one-line `LearnerError` unless `value` is a number from `low` to `high`."""
    number = isinstance(value, int) or (isinstance(value, float) and not whole)
    if isinstance(value, bool) or not number or not low <= value <= high:
        kind = "a whole number" if whole else "a number"
        limits = f"of at least {low:g}" if high == float("inf") else f"from {low:g} to {high:g}"
        raise LearnerError(f"learner.{name}={value} is out of range: it must be {kind} {limits}")


@contextmanager
def optional_import(extra: str) -> Iterator[None]:
    """Turn a failed import of an optional package into a one-line `NotInstalledError`."""
    try:
        yield
    except ImportError as error:
        raise NotInstalledError(
            f"the package {error.name} is needed ({_first_line(error)}): pip install -e '.[{extra}]'"
        ) from error


def locate(target: str) -> Any:
    """Return what a dotted path names.

    Raises
    ------
    NotInstalledError
        If its package is not installed.
    LearnerError
        If there is no such name.
    """
    module, _, name = target.rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise NotInstalledError(f"_target_ {target!r} cannot be imported ({_first_line(error)})") from error
    except (AttributeError, ValueError) as error:
        raise LearnerError(f"_target_ {target!r} cannot be loaded ({_first_line(error)})") from None


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
