"""Which data sets are versions of one table, so that a comparison counts only one of them."""

from __future__ import annotations

import yaml

from experiments.config import CONF
from experiments.config_source import suite_datasets


def families() -> dict[str, str]:
    """Return the family of each data set of ``conf/dataset`` and ``conf/suites`` that has one, by its id."""
    found = {}
    for path in sorted((CONF / "dataset").glob("*.yaml")):
        config = yaml.load(path.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        if family := config.get("family"):
            found[str(config["id"])] = str(family)
    for name, config in suite_datasets().items():
        if family := config.get("family"):
            found[name] = str(family)
    return found
