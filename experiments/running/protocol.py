"""What a protocol is: splits of the rows, and how the results on them are summarised."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import pandas as pd
from omegaconf import OmegaConf

from experiments.config import did_you_mean
from experiments.records import Fold


class ProtocolError(ValueError):
    """A protocol that the data cannot follow; the message is one line."""


@dataclass(frozen=True, slots=True)
class Protocol(ABC):
    """A way to split rows into training and test rows, again and again.

    A subclass is a frozen dataclass whose fields are the settings of its config, and a file of
    ``conf/protocol`` that names it under ``_target_``. Splits of one repetition share `Fold.repeat`; a
    repetition is what would be published as one figure, such as the mean over ten folds.
    """

    @property
    def ddof(self) -> int:
        """Delta degrees of freedom of the standard deviation over the splits; 0 as in the paper."""
        return 0

    @abstractmethod
    def __str__(self) -> str:
        """Return the settings as ``name=value`` pairs in one line; runs with the same line are comparable."""

    @abstractmethod
    def split(self, y: pd.Series, positive: str | None = None) -> tuple[Fold, ...]:
        """Split the rows of a data set.

        Parameters
        ----------
        y : pandas.Series of str of shape (n_rows,)
            The labels. Splits depend on the order of the rows.
        positive : str or None
            The positive label of two; None where there are more.

        Raises
        ------
        ProtocolError
            If the rows cannot be split so.
        """

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Self:
        """Make the protocol of a config without its ``_target_``."""
        known = [field.name for field in fields(cls)]
        for name in settings:
            if name not in known:
                hint = did_you_mean(name, known)
                raise ProtocolError(f"unknown setting protocol.{name}: {hint}there are {', '.join(known)}")
        return cls(**settings)

    def check_whole_number(self, name: str, least: int) -> None:
        """Raise a `ProtocolError` unless a setting is a whole number of at least `least`."""
        value = getattr(self, name)
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            raise ProtocolError(f"protocol.{name}={value} must be a whole number of at least {least}")

    def check_flag(self, name: str) -> None:
        """Raise a `ProtocolError` unless a setting is true or false."""
        if not isinstance(getattr(self, name), bool):
            raise ProtocolError(f"protocol.{name}={getattr(self, name)} must be true or false")


def read(cfg: Any) -> Protocol:
    """Return the protocol of the config group ``protocol``."""
    settings: dict[str, Any] = OmegaConf.to_container(cfg, resolve=True)  # type: ignore[assignment]
    target = str(settings.pop("_target_", "experiments.running.cross_validation.CrossValidation"))
    module, _, name = target.rpartition(".")
    try:
        made_by = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ProtocolError(f"protocol._target_ {target!r} cannot be loaded ({error})") from None
    if not (isinstance(made_by, type) and issubclass(made_by, Protocol)):
        raise ProtocolError(f"protocol._target_ {target!r} is not a subclass of Protocol")
    return made_by.from_settings(settings)
