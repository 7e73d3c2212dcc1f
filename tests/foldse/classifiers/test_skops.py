"""Pipelines saved by skops, which loads the types that it is told to trust, and no others."""

import pandas as pd
import pytest
import skops.io
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from foldse import ConFoldClassifier, FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier

X = pd.DataFrame({"sex": ["m", "f", "m", "f", None] * 3, "age": [30.0, 40.0, 5.0, 8.0, 20.0] * 3})
Y = pd.Series(["no", "yes", "no", "yes", "no"] * 3, name="survived")


@pytest.mark.parametrize(
    "kind", [ConFoldClassifier, FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier]
)
def test_a_pipeline_comes_back(kind):
    pipeline = make_pipeline(FunctionTransformer(), kind()).fit(X, Y)
    saved = skops.io.dumps(pipeline)
    needed = skops.io.get_untrusted_types(data=saved)
    assert {name for name in needed if not name.startswith("foldse.")} <= {"builtins.frozenset"}
    again = skops.io.loads(saved, trusted=needed)
    assert again.predict(X).tolist() == pipeline.predict(X).tolist()
    name = "tree_" if kind is HeuristicTreeClassifier else "rules_"
    assert str(getattr(again[-1], name)) == str(getattr(pipeline[-1], name))
