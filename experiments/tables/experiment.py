"""What the file of an experiment says of its table: title, and what its sweep runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from hydra.conf import HydraConf
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf

from experiments.config import CONF, written_overrides

# Where things are and what a fold may take, not what is run.
_NEUTRAL = re.compile(r"(experiment$|(paths|tracking|limits|hydra)(\.|$))")


@dataclass(frozen=True, slots=True)
class Experiment:
    """A named experiment, or one that the command line changed.

    Attributes
    ----------
    name : str
        That of its file; behind a slash each key that the command line set to something else, such as
        ``"quickstart/learner.tail"``. It is the name of the table in the store.
    title, description : str
        For people; the title of an experiment without a file is its name.
    axes : dict of str to list of str
        What its sweep varies, by key.
    """

    name: str
    title: str
    description: str = ""
    axes: dict[str, list[str]] = field(default_factory=dict)

    @property
    def base(self) -> str:
        """The experiment that it was before the command line changed it."""
        return self.name.split("/")[0]

    @property
    def changed(self) -> list[str]:
        """The keys that the command line set to something that the file does not have."""
        return self.name.split("/")[1:]

    @property
    def file_name(self) -> str:
        """The name of its files, without a suffix."""
        return self.name.replace("/", "-")

    @classmethod
    def read(cls, name: str) -> Self:
        """Read the file of an experiment in ``conf/experiment``; where there is none, its name is all."""
        folder = CONF / "experiment"
        path = folder / f"{name.split('/')[0]}.yaml"
        if not path.is_file():
            return cls(name, name.replace("/", " with other "))
        cfg = _load(path)
        params: dict[str, Any] = {}
        for entry in cfg.get("defaults", []):
            if isinstance(entry, str) and (shared := folder / f"{entry}.yaml").is_file():
                params.update(OmegaConf.to_container(_load(shared)))  # type: ignore[arg-type]
        params.update(OmegaConf.to_container(OmegaConf.select(cfg, "hydra.sweeper.params") or {}))  # type: ignore[arg-type]
        title = str(cfg.get("title", name))
        if others := name.split("/")[1:]:
            title += f", with {' and '.join(others)} set on the command line"
        return cls(name, title, str(cfg.get("description", "")), axes(params))

    def rank(self, key: str, value: str) -> tuple[int, list[tuple[int, float, str]]]:
        """Return what sorts the values of a setting: as the sweep names them, others by number or text."""
        known = self.axes.get(key, [])
        return (known.index(value) if value in known else len(known)), natural(value)


def axes(params: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the values of each parameter of a sweep, as a job's overrides spell them."""
    parser = OverridesParser.create()
    found = {}
    for key, values in params.items():
        override = parser.parse_override(f"{key}={values}")
        try:
            each = override.sweep_string_iterator() if override.is_discrete_sweep() else [_text(override)]
            found[str(key)] = [plain(value) for value in each]
        except HydraException:  # a glob: which files there are is known to Hydra only
            found[str(key)] = []
    return found


def plain(value: str) -> str:
    """Return a value as YAML spells it: Python writes True, False and None."""
    return value.lower() if value in ("True", "False") else "null" if value == "None" else value


def _text(override: Override) -> str:
    return plain(override.get_value_element_as_str())


def _load(path: Path) -> DictConfig:
    cfg = OmegaConf.load(path)
    assert isinstance(cfg, DictConfig)
    return cfg


def table_name(hydra: DictConfig | HydraConf) -> str | None:
    """Return the table that a job is part of: that of its experiment, or that of a changed experiment.

    Parameters
    ----------
    hydra : omegaconf.DictConfig or hydra.conf.HydraConf
        Hydra's own part of the config of the job.

    Returns
    -------
    str or None
        `Experiment.name`; None without an experiment.
    """
    name = hydra.runtime.choices.get("experiment")
    if not name:
        return None
    swept = axes(hydra.sweeper.get("params") or {})
    changed = set()
    for override in OverridesParser.create().parse_overrides(written_overrides(hydra)):
        key = override.get_key_element().lstrip("+~")
        if not _NEUTRAL.match(key) and _text(override) not in swept.get(key, ()):
            changed.add(re.sub(r"[^\w.@-]", "_", key))
    return "/".join([str(name), *sorted(changed)])


def natural(value: str) -> list[tuple[int, float, str]]:
    """Return what sorts texts with numbers in them by the numbers."""
    parts = re.split(r"(\d+(?:\.\d+)?)", value)
    return [(1, float(p), "") if i % 2 else (0, 0.0, p) for i, p in enumerate(parts) if p]
