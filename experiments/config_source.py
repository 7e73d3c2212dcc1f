"""Configs without a file: data sets of suites, suites, and classifiers by their import path."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import yaml
from hydra.core.object_type import ObjectType
from hydra.plugins.config_source import ConfigResult, ConfigSource
from omegaconf import OmegaConf

SUITES = Path(__file__).resolve().parents[1] / "conf" / "suites"
# As in sklearn.ensemble.RandomForestClassifier.
IMPORT_PATH = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)+")


# A file of the user's, in any format that the command line reads: data=my.csv target=churned.
_OWN: dict[str, Any] = {
    "id": "${stem:${data}}",
    "source": "own",
    "file": "${data}",
    "sha256": None,
    "label": "${target}",
    "target": "${target}",
    "positive": None,
    "infer_roles": True,
    "numeric": [],
    "categorical": [],
    "ignore": [],
    "missing": [],
}


class GeneratedConfigs(ConfigSource):
    """Hydra's source of the configs of `generated`; ``hydra.searchpath`` of ``conf/config.yaml`` names it."""

    @staticmethod
    def scheme() -> str:
        return "generated"

    def load_config(self, config_path: str) -> ConfigResult:
        node = generated(config_path)
        assert node is not None  # Hydra asks is_config before
        package = "_global_" if config_path.startswith("suite/") else None
        return ConfigResult(self.provider, self.full_path(), OmegaConf.create(node), {"package": package})

    def available(self) -> bool:
        return True

    def is_group(self, config_path: str) -> bool:
        return config_path.strip("/") in ("dataset", "learner", "suite")

    def is_config(self, config_path: str) -> bool:
        return generated(config_path) is not None

    def list(self, config_path: str, results_filter: ObjectType | None) -> list[str]:
        if results_filter == ObjectType.GROUP:
            return []
        group = config_path.strip("/")
        return sorted({"dataset": suite_datasets(), "suite": suites()}.get(group, {}))


def generated(path: str) -> dict[str, Any] | None:
    """Return the config of a path such as ``dataset/vowel``; None where there is none.

    Parameters
    ----------
    path : str
        ``dataset/own``, the file that ``data=`` names; ``dataset/<id>`` of a data set in a file of
        ``conf/suites``; ``suite/<name>``, which sweeps over all of such a file; or ``learner/<import path>``
        of any classifier with scikit-learn's interface.
    """
    group, _, name = path.strip("/").removesuffix(".yaml").partition("/")
    if group == "dataset":
        return _OWN if name == "own" else suite_datasets().get(name)
    if group == "suite" and name in suites():
        params = {"dataset": ",".join(suites()[name])}
        return {"hydra": {"mode": "MULTIRUN", "sweeper": {"params": params}}}
    if group == "learner" and IMPORT_PATH.fullmatch(name):
        return {
            "id": name.rpartition(".")[2],
            "title": name,
            "_target_": "experiments.learners.SklearnLearner",
            "estimator": {"_target_": name},
            "columns": "onehot",
        }
    return None


@functools.cache
def suites() -> dict[str, dict[str, dict[str, Any]]]:
    """Return the configs of the data sets of each suite, by the name of the suite and by id."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    made: dict[str, dict[str, dict[str, Any]]] = {}
    for path in sorted(SUITES.glob("*.yaml")):
        common = yaml.load(path.read_text(encoding="utf-8"), loader)
        own = common.pop("datasets")
        made[path.stem] = {name: _config(name, common, settings) for name, settings in own.items()}
    return made


def suite_datasets() -> dict[str, dict[str, Any]]:
    """Return the configs of the data sets of all suites, by id."""
    return {name: config for datasets in suites().values() for name, config in datasets.items()}


def _config(name: str, common: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    config = {"id": name, **common, **own}
    if "address" in common and "address" in own:
        config["address"] = common["address"] + own["address"]
    config.setdefault("target", config["label"])
    return config
