"""The programs learned on the bundled data equal those in ``golden/``, one compressed file a data set.

A change of any program or prediction has to raise `foldse.LEARNING_VERSION`: results stored under the old
number are results of another learner. ``python -m tests.foldse.test_golden`` then writes the files anew.
"""

import difflib
import gzip
import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import foldse
from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier
from foldse.heuristics import SCORES
from tests.foldse.cases import dataset

GOLDEN = Path(__file__).parent / "golden"
COMMAND = "python -m tests.foldse.test_golden"
SETS = ("breast_w", "diabetes", "heart", "ionosphere", "kr_vs_kp", "shuttle", "voting", "wine")
MULTICLASS = ("shuttle", "wine")


def variants(n_rows, roles):
    """Return what is learned on each data set: a classifier and the weights of the rows, by name."""
    rng = np.random.default_rng(0)
    counts, shares = rng.integers(0, 4, n_rows), rng.random(n_rows)
    kinds = {"foldse": FoldSEClassifier, "foldrpp": FoldRPPClassifier, "tree": HeuristicTreeClassifier}
    found = {
        f"{name} heuristic={score}": (kind(heuristic=score, **roles), None)
        for name, kind in kinds.items()
        for score in SCORES
    }
    found["foldse tail=0 ratio=0.2"] = (FoldSEClassifier(tail=0, ratio=0.2, **roles), None)
    found["foldse tail=0.05"] = (FoldSEClassifier(tail=0.05, **roles), None)
    found["foldse tail=0.05 unpruned exceptions"] = (
        FoldSEClassifier(tail=0.05, prune_exceptions=False, **roles),
        None,
    )
    found["foldse wrongly covered rows stay"] = (FoldSEClassifier(remove_covered="correct", **roles), None)
    found["foldse class_weight=balanced"] = (FoldSEClassifier(class_weight="balanced", **roles), None)
    for name, kind in kinds.items():
        found[f"{name} sample_weight=counts"] = (kind(**roles), counts)
        found[f"{name} sample_weight=shares"] = (kind(**roles), shares)
    return found


def learn(name):
    """Return the lines of each program with the support of its rules, and a digest of its predictions."""
    data = dataset(name)
    roles = {"numeric_features": list(data.numeric), "categorical_features": list(data.categorical)}
    learned = {}
    for variant, (clf, weights) in variants(len(data.y), roles | {"pos_label": data.positive}).items():
        clf.fit(data.X, data.y, sample_weight=weights)
        if isinstance(clf, HeuristicTreeClassifier):
            program = str(clf.tree_).splitlines()
        else:
            supports = [rule.support for rule in clf.rules_] + [clf.rules_.default_support]
            rounded = [[float(f"{weight:.10g}") for weight in support] for support in supports]
            program = [*str(clf.rules_).splitlines(), f"support: {rounded}"]
        predicted = "\n".join(map(str, clf.predict(data.X)))
        probabilities = np.round(clf.predict_proba(data.X), 9) + 0.0
        digest = hashlib.sha256(predicted.encode() + np.ascontiguousarray(probabilities).tobytes())
        learned[variant] = {"program": program, "predictions": digest.hexdigest()[:16]}
    return learned


def write():
    GOLDEN.mkdir(exist_ok=True)
    for name in SETS:
        known = {"learning_version": foldse.LEARNING_VERSION, "learned": learn(name)}
        text = json.dumps(known, indent=1, ensure_ascii=False)
        (GOLDEN / f"{name}.json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def difference(before, after):
    """Return the lines in which two programs differ, the first few of them."""
    lines = difflib.unified_diff(before["program"], after["program"], "before", "now", lineterm="", n=0)
    return "\n".join(line[:200] for line in list(lines)[:8]) or "the same program, other predictions"


@pytest.mark.parametrize("name", SETS)
def test_programs_and_predictions_are_those_of_the_learning_version(name):
    known = json.loads(gzip.decompress((GOLDEN / f"{name}.json.gz").read_bytes()))
    before, now = known["learned"], learn(name)
    assert before.keys() == now.keys(), f"the variants have changed: run {COMMAND}"
    changed = [variant for variant in now if now[variant] != before[variant]]
    assert not changed, (
        f"on {name} other programs are learned by: {', '.join(changed)}. If that is meant, raise "
        f"foldse.LEARNING_VERSION and run {COMMAND}\n{difference(before[changed[0]], now[changed[0]])}"
    )
    assert known["learning_version"] == foldse.LEARNING_VERSION, f"the version has changed: run {COMMAND}"


if __name__ == "__main__":
    write()
