"""Which data sets are versions of one table, so that a comparison counts only one of them."""

from __future__ import annotations

import yaml

from experiments.config import CONF


def families() -> dict[str, str]:
    """Return the family of each data set of ``conf/dataset`` that has one, by its id."""
    found = {}
    for path in sorted((CONF / "dataset").glob("*.yaml")):
        config = yaml.safe_load(path.read_text(encoding="utf-8"))
        if family := config.get("family"):
            found[str(config["id"])] = str(family)
    return found
