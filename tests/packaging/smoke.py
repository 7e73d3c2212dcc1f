"""What somebody does first who has nothing but the wheel and a CSV file: ``python smoke.py animals.csv``."""

import sys
from pathlib import Path

import pandas as pd

import foldse
from foldse import FoldSEClassifier, load_model
from foldse.export import clingo_facts, prolog_facts, to_clingo, to_prolog, to_sql

assert Path(foldse.__file__).is_relative_to(sys.prefix), foldse.__file__

animals = pd.read_csv(sys.argv[1])
X, y = animals[["kind", "home", "weight"]], animals["flies"]
clf = FoldSEClassifier(pos_label="yes").fit(X, y)
print(clf.rules_)
assert clf.predict(X).tolist() == y.tolist()
assert "does not hold" in str(clf.explain(X, names=animals["animal"])[15])

clf.save("model.json")
loaded = load_model("model.json")
assert loaded.rules_ == clf.rules_
assert loaded.predict(X).tolist() == y.tolist()

assert "flies(X,'yes') :- kind(X,'bird')" in to_prolog(clf) + prolog_facts(clf, X)
assert 'flies(X,"yes") :- kind(X,"bird")' in to_clingo(clf) + clingo_facts(clf, X)
assert to_sql(clf, "animals").startswith("SELECT")
