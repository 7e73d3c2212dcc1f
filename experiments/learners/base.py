"""What every learner offers the runner, and how a config becomes one."""

from __future__ import annotations

import importlib
import inspect
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from omegaconf import DictConfig, OmegaConf

from experiments.records import Dataset


class LearnerError(ValueError):
    """A learner that cannot be made as its config says; the message is one line."""


class NotInstalledError(LearnerError):
    """A learner for which an optional package or program is missing; the message says how to get it."""


class NotApplicableError(Exception):
    """A learner that is not meant for this data set; the message says why."""


class Learner(ABC):
    """One algorithm on one data set, behind the three calls that the runner times and counts.

    A subclass takes the `Dataset` and its settings as keyword-only arguments, checks them in its constructor
    (`LearnerError`, `NotApplicableError`) and touches no rows there. A new object is made for each fold.

    Attributes
    ----------
    compiled : bool
        Whether it runs code that is compiled at its first use, and must be warmed before it is timed.
    packages : tuple of str
        The packages that do the learning, ``a|b`` where either does: their versions are part of a run.
    """

    compiled: ClassVar[bool] = False
    packages: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        """Learn from the training rows. All preparation of columns is done here, inside the timed part."""

    @abstractmethod
    def predict(self, X: pd.DataFrame) -> np.ndarray:
        """Return a label for each row."""

    def measure(self) -> dict[str, float]:
        """Return the size of the fitted model: rules, predicates, nodes, ..., as far as it has them."""
        return {}

    def rules(self) -> str:
        """Return the fitted model as text; empty where nobody could read it."""
        return ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a learner is made: what its config says, checked against a data set. Cheap to pass to a process.

    Attributes
    ----------
    id : str
        Name of the learner, as in the tables.
    target : str
        Dotted path of its `Learner` class.
    settings : dict
        Keyword arguments of the class.
    """

    id: str
    target: str
    settings: dict[str, Any]

    @classmethod
    def from_config(cls, cfg: DictConfig, dataset: Dataset) -> Recipe:
        """Read the config group ``learner``.

        Raises
        ------
        LearnerError
            If class or settings do not exist or are out of range.
        NotApplicableError
            If the learner is not meant for this data set.
        """
        recipe = cls.read(cfg)
        recipe.build(dataset)
        return recipe

    @classmethod
    def read(cls, cfg: DictConfig) -> Recipe:
        """Read the config group ``learner`` without a check of its settings."""
        settings: dict[str, Any] = OmegaConf.to_container(cfg, resolve=True)  # type: ignore[assignment]
        try:
            return cls(str(settings.pop("id")), str(settings.pop("_target_")), settings)
        except KeyError as error:
            raise LearnerError(f"the learner config has no key {error}: add it to conf/learner/") from None

    @property
    def kind(self) -> type[Learner]:
        """The class of the learner."""
        module, _, name = self.target.rpartition(".")
        try:
            found = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise LearnerError(
                f"learner {self.id}: _target_ {self.target!r} cannot be loaded ({_first_line(error)}): "
                "correct it, or install what it needs (pip install -e '.[experiments]')"
            ) from None
        if not (isinstance(found, type) and issubclass(found, Learner)):
            raise LearnerError(f"learner {self.id}: _target_ {self.target!r} is no subclass of Learner")
        return found

    def build(self, dataset: Dataset) -> Learner:
        """Make a fresh, unfitted learner."""
        kind = self.kind
        known = [
            name
            for name, parameter in inspect.signature(kind).parameters.items()
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        ]
        if unknown := sorted(set(self.settings) - set(known)):
            raise LearnerError(
                f"learner {self.id} has no setting {', '.join(map(repr, unknown))}; "
                f"it has {', '.join(known) or 'none'}"
            )
        return kind(dataset, **self.settings)  # type: ignore[call-arg]


def check_number(name: str, value: Any, low: float, high: float, whole: bool = False) -> None:
    """Raise a one-line `LearnerError` unless `value` is a number from `low` to `high`."""
    number = isinstance(value, int) or (isinstance(value, float) and not whole)
    if isinstance(value, bool) or not number or not low <= value <= high:
        what = "a whole number" if whole else "a number"
        limits = f"of at least {low:g}" if high == float("inf") else f"from {low:g} to {high:g}"
        raise LearnerError(f"learner.{name}={value} is out of range: it must be {what} {limits}")


def need(module: str, extra: str) -> Any:
    """Import an optional package; a one-line `NotInstalledError` names the extra that brings it.

    Parameters
    ----------
    module : str
        What is imported.
    extra : str
        The extra of this project.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise NotInstalledError(
            f"the package {module} is needed ({_first_line(error)}): pip install -e '.[{extra}]'"
        ) from None


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
