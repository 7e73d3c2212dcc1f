"""Where the configuration lives, and its errors in one line each."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from hydra.conf import HydraConf
from hydra.core.global_hydra import GlobalHydra
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.plugins import Plugins
from hydra.errors import HydraException, MissingConfigException
from hydra.utils import get_class
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException
from yaml import MarkedYAMLError

from experiments.config_source import GeneratedConfigs

ROOT = Path(__file__).resolve().parents[1]
CONF = ROOT / "conf"

# What Hydra raises for a name, a setting or a file that it cannot use.
CONFIG_ERRORS = (HydraException, OmegaConfBaseException, MarkedYAMLError)

# ${checkout:} in conf/paths: the checkout, whatever folder the command is given in.
OmegaConf.register_new_resolver("checkout", lambda: str(ROOT), replace=True)
# ${stem:people.csv.gz} in the data set own: the name of a file without folder and endings.
OmegaConf.register_new_resolver("stem", lambda file: Path(str(file)).name.partition(".")[0], replace=True)
Plugins.instance().register(GeneratedConfigs)


class ConfigError(HydraException):
    """A configuration that cannot be composed; the message is one line."""


def compose(overrides: Sequence[str] = ()) -> DictConfig:
    """Compose the configuration as ``python -m experiments`` does, without running anything.

    Parameters
    ----------
    overrides : sequence of str
        What would be given on the command line, such as ``"dataset=heart"``.

    Returns
    -------
    omegaconf.DictConfig
        The configuration, without Hydra's own part.

    Raises
    ------
    ConfigError
    """
    try:
        with initialize_config_dir(str(CONF), version_base="1.3"):
            return hydra_compose("config", overrides=list(overrides))
    except CONFIG_ERRORS as error:
        raise ConfigError(one_line(error)) from None


def choices(group: str) -> list[str]:
    """Return the names that a config group offers, sorted."""
    return sorted(path.stem for path in (CONF / group).glob("*.yaml"))


def jobs(config: DictConfig) -> list[list[str]]:
    """Return the overrides of each job of a sweep, as Hydra's sweeper splits them.

    Parameters
    ----------
    config : omegaconf.DictConfig
        The whole config with Hydra's own part, such as a callback gets before the sweep.

    Returns
    -------
    list of list of str
        Empty for a sweeper that does not know its jobs beforehand.
    """
    sweeper = config.hydra.sweeper
    split = getattr(get_class(sweeper._target_), "split_arguments", None)
    if split is None:
        return []
    swept = [f"{key}={values}" for key, values in (sweeper.get("params") or {}).items()]
    parser = OverridesParser.create(config_loader=GlobalHydra.instance().config_loader())
    return split(parser.parse_overrides([*swept, *written_overrides(config.hydra)]), None)[0]


def written_overrides(hydra: DictConfig | HydraConf) -> list[str]:
    """Return the overrides of a run, a sweep or a job as they were written, without resolving ``${...}``.

    Parameters
    ----------
    hydra : omegaconf.DictConfig or hydra.conf.HydraConf
        Hydra's own part of the config.
    """
    written = OmegaConf.to_container(hydra.overrides.task, resolve=False)
    return list(map(str, written or ()))


def own_data(arguments: Sequence[str]) -> list[str]:
    """Return a command line in which ``data=my.csv`` chooses the data set ``own``, which is that file.

    Raises
    ------
    ConfigError
        If the column to predict is not named.
    """
    given = {argument.partition("=")[0] for argument in arguments if "=" in argument}
    if "data" not in given:
        return list(arguments)
    if "target" not in given:
        raise ConfigError("data= needs target=<the column to predict>")
    return [*arguments, *([] if "dataset" in given else ["dataset=own"])]


def read_overrides(module: str, description: str | None, arguments: Sequence[str]) -> list[str]:
    """Read the command line of ``python -m experiments.<module>``: overrides only, and ``--help``."""
    parser = argparse.ArgumentParser(f"python -m experiments.{module}", description=description)
    parser.add_argument(
        "overrides", nargs="*", metavar="KEY=VALUE", help="a setting of conf/, such as paths.results=FOLDER"
    )
    return parser.parse_args(arguments).overrides


def one_line(error: Exception) -> str:
    """Say in one line what is wrong with a configuration; Hydra and YAML fill a page."""
    cause = error.__cause__ if isinstance(error.__cause__, CONFIG_ERRORS) else error
    if isinstance(error, MissingConfigException) and error.missing_cfg_file and error.options:
        group, _, name = error.missing_cfg_file.rpartition("/")
        options = ", ".join(error.options)
        return f"unknown {group} {name!r}: {did_you_mean(name, error.options)}there are {options}"
    if isinstance(cause, MarkedYAMLError) and cause.problem_mark is not None:
        mark = cause.problem_mark
        remedy = "; indent with spaces, not tabs" if "\\t" in str(cause.problem) else ""
        return f"{mark.name}, line {mark.line + 1}: {cause.problem}{remedy}"
    parent = getattr(cause, "parent_node", None)
    if "is not in struct" in str(cause) and isinstance(parent, DictConfig):
        key, known = str(getattr(cause, "full_key", "")), [str(name) for name in parent]
        where, name = key.rpartition(".")[::2]
        hint = did_you_mean(name, known)
        return f"unknown setting {key}: {hint}{where or 'the config'} has {', '.join(known)}"
    return " ".join(str(error).split())


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a hint at the nearest of the known names; empty where none is near."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]}? " if near else ""
