"""Where the configuration lives, and the checks on names that Hydra answers with a page of text."""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path

from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf

ROOT = Path(__file__).resolve().parents[1]
CONF = ROOT / "conf"

# ${checkout:} in conf/paths: the checkout, whatever folder the command is given in.
OmegaConf.register_new_resolver("checkout", lambda: str(ROOT), replace=True)

# ${choose:flag,yes,no}: for an experiment to name its learners by a setting that is true or false.
OmegaConf.register_new_resolver("choose", lambda flag, yes, no: yes if flag else no, replace=True)

# A user's own folder of configs adds choices that are not under CONF: leave those to Hydra.
_OWN_CONFIG_FLAGS = (
    "--config-dir",
    "-cd",
    "--config-path",
    "-cp",
    "--config-name",
    "-cn",
    "hydra.searchpath",
)


class ConfigError(ValueError):
    """A name or value on the command line that does not exist; the message is one line."""


def compose(overrides: Sequence[str] = ()) -> DictConfig:
    """Compose the configuration as ``python -m experiments`` does, without running anything.

    Parameters
    ----------
    overrides : sequence of str
        What would stand on the command line, such as ``"dataset=heart"``.

    Returns
    -------
    omegaconf.DictConfig
        The configuration, without Hydra's own part.
    """
    with initialize_config_dir(str(CONF), version_base="1.3"):
        return hydra_compose("config", overrides=list(overrides))


def choices(group: str) -> list[str]:
    """Return the names that a config group offers, sorted."""
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


def groups() -> list[str]:
    """Return the config groups, sorted."""
    return sorted(path.name for path in CONF.iterdir() if path.is_dir())


def check_arguments(arguments: Sequence[str]) -> None:
    """Raise a one-line `ConfigError` where the command line chooses something that does not exist.

    Parameters
    ----------
    arguments : sequence of str
        The command line, flags included. What cannot be parsed is left for Hydra to report.
    """
    if any(argument.startswith(_OWN_CONFIG_FLAGS) for argument in arguments):
        return
    check_choices(argument for argument in arguments if not argument.startswith("-"))


def check_choices(overrides: Iterable[str]) -> None:
    """Raise a one-line `ConfigError` at the first group choice that does not exist.

    Parameters
    ----------
    overrides : iterable of str
        Overrides in Hydra's syntax, sweeps such as ``"dataset=heart,wine"`` included.
    """
    known_groups = groups()
    for override in _parse(overrides):
        group = override.key_or_group
        if group not in known_groups or override.is_delete():
            continue
        offered = choices(group)
        for name in _values(override):
            if name not in offered and name != "null":
                near = difflib.get_close_matches(name, offered, n=1)
                hint = f"did you mean {near[0]}? " if near else ""
                raise ConfigError(f"unknown {group} {name!r}: {hint}there are {', '.join(offered)}")


def expand(params: Iterable[tuple[str, str]], overrides: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the jobs of a sweep as Hydra's basic sweeper would make them: one tuple of overrides each.

    Parameters
    ----------
    params : iterable of (str, str)
        Key and values from ``hydra.sweeper.params``.
    overrides : iterable of str
        The command line; a key that is also in `params` replaces it.
    """
    axes: dict[str, list[str]] = {}
    for override in _parse([*(f"{key}={values}" for key, values in params), *overrides]):
        key = override.get_key_element()
        axes[key] = [f"{key}={value}" for value in _values(override)]
    return list(itertools.product(*axes.values()))


def _parse(overrides: Iterable[str]) -> list[Override]:
    loader = GlobalHydra.instance().config_loader() if GlobalHydra.instance().is_initialized() else None
    parser = OverridesParser.create(config_loader=loader)
    parsed = []
    for override in overrides:
        try:
            parsed.append(parser.parse_override(override))
        except HydraException:
            continue  # Hydra reports it, with a mark under the place
    return parsed


def _values(override: Override) -> list[str]:
    """Return the values of an override; none where they cannot be known before Hydra runs."""
    if not override.is_sweep_override():
        return [override.get_value_element_as_str()]
    if override.is_discrete_sweep() and (override.config_loader is not None or not _is_glob(override)):
        return list(override.sweep_string_iterator())
    return []


def _is_glob(override: Override) -> bool:
    return type(override.value()).__name__ == "Glob"
