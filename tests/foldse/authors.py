"""Runs the authors' FOLD-R++ (PyPI: foldrpp) on a table; a program of its own, for its hash seed.

Their code keeps the first best literal over a set of text, so that its choice among literals that are as
good depends on the hash seed of the process. With seed 0 the tests know what they compare with.
"""

import json
import os
import subprocess
import sys


def run(table, categorical, numeric, positive, train, test):
    """Return what their learner makes of a CSV file: its program and its predictions on the test rows."""
    job = {
        "table": str(table),
        "categorical": list(categorical),
        "numeric": list(numeric),
        "positive": positive,
        "train": [int(i) for i in train],
        "test": [int(i) for i in test],
    }
    done = subprocess.run(
        [sys.executable, __file__],
        input=json.dumps(job),
        env={**os.environ, "PYTHONHASHSEED": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def main():
    import foldrpp

    job = json.load(sys.stdin)
    model = foldrpp.Foldrpp(job["categorical"], job["numeric"], "label", job["positive"])
    rows = model.load_data(job["table"])
    model.fit([rows[i] for i in job["train"]], ratio=0.5)
    predicted = [bool(p) for p in model.predict([rows[i] for i in job["test"]])]
    json.dump({"program": list(model.asp()), "positive": predicted}, sys.stdout)


if __name__ == "__main__":
    main()
