"""CON-FOLD, rules given before learning, and models that give some rows no label, on the command line."""

import json

import pandas as pd
import pytest

from foldse import ConFoldClassifier, FoldSEClassifier, load_model
from foldse.cli.scoring import metrics
from foldse.export import to_json

from .running import DATA, call, people

HEART = DATA / "heart.csv.gz"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Return the path of a CON-FOLD model."""
    path = tmp_path_factory.mktemp("model") / "heart.json"
    assert call("fit", HEART, "-t", "label", "-l", "confold", "--no-score", "-o", path).exit_code == 0
    return path


@pytest.fixture(scope="module")
def heart():
    table = pd.read_csv(HEART)
    return table.drop(columns="label"), table["label"]


def test_the_model_is_that_of_the_library(model, heart):
    assert model.read_text(encoding="utf-8") == to_json(ConFoldClassifier().fit(*heart))
    shown = call("show", model).stdout
    assert "\n% otherwise no label: covers 8 rows (3.0%)\n" in shown
    entries = json.loads(call("show", model, "--json").stdout)["rules"]
    assert (entries[-1]["rows"], entries[-1]["precision"]) == (8, None)


@pytest.mark.parametrize("learner", ["confold", "foldse"])
def test_settings(learner, heart, tmp_path):
    path, rules = tmp_path / "m.json", tmp_path / "rules.pl"
    text = "label(X,'present') :- thal(X,N1), N1>6.5, sex(X,N2), N2>0.5.\n"
    rules.write_text(text)
    options = ["--improvement-threshold", "0.05", "--confidence-threshold", "0.6", "--abstain", "unknown"]
    options += ["--max-rule-length", "2", "--expert-rules", rules]
    done = call("fit", HEART, "-t", "label", "-l", learner, "-o", path, "--cv", "3", *options)
    assert done.exit_code == 0, done.stderr
    kind = {"confold": ConFoldClassifier, "foldse": FoldSEClassifier}[learner]
    clf = kind(
        improvement_threshold=0.05,
        confidence_threshold=0.6,
        abstain="unknown",
        max_rule_length=2,
        expert_rules=text,
    ).fit(*heart)
    assert path.read_text(encoding="utf-8") == to_json(clf)
    assert load_model(path).predict(heart[0]).tolist() == clf.predict(heart[0]).tolist()


def test_an_empty_text_is_no_label_and_one_of_the_labels_is_that_label(tmp_path):
    table = pd.DataFrame({"kind": ["a"] * 20 + ["b"] * 20, "y": [1] * 20 + [2] * 20})
    table.to_csv(tmp_path / "t.csv", index=False)
    for given, expected in (("", None), ("1", 1), ("x", "x")):
        path = tmp_path / "m.json"
        done = call("fit", tmp_path / "t.csv", "-t", "y", "--no-score", "--abstain", given, "-o", path)
        assert done.exit_code == 0, done.stderr
        abstain = load_model(path).rules_.abstain
        assert (abstain, type(abstain)) == (expected, type(expected))


def test_a_category_of_an_expert_rule_need_not_be_in_every_part(tmp_path):
    table = people().assign(rare=["x"] * 2 + ["y"] * 58)
    table.to_csv(tmp_path / "t.csv", index=False)
    rules = tmp_path / "rules.pl"
    rules.write_text("buys(X,'no') :- not rare(X,'y'), city(X,'Köln').\nbuys(X,'no') :- rare(X,'x').\n")
    options = ["--expert-rules", rules, "--cv", "20", "--seed", "1"]
    done = call("fit", tmp_path / "t.csv", "-t", "buys", *options)
    assert done.exit_code == 0, done.stderr
    assert "20-fold cross-validation" in done.stdout
    rules.write_text("buys(X,'no') :- rare(X,'z').\n")
    done = call("fit", tmp_path / "t.csv", "-t", "buys", "--expert-rules", rules)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == (
        f"foldse: error: {rules}: line 1, column 24: the column 'rare' never held \"z\"; "
        "the categories are 'x', 'y'"
    )


def test_predictions_with_their_confidence(model, heart, tmp_path):
    X, _ = heart
    clf = load_model(model)
    out = tmp_path / "labels.csv"
    assert call("predict", model, HEART, "--confidence", "-o", out).exit_code == 0
    found = pd.read_csv(out)
    assert list(found) == ["prediction", "confidence"]
    assert found["prediction"].astype(object).where(found["prediction"].notna(), None).tolist() == (
        clf.predict(X).tolist()
    )
    assert found["confidence"].tolist() == pytest.approx(clf.predict_confidence(X).tolist(), nan_ok=True)
    assert out.read_text().splitlines().count(",") == 8
    tree = tmp_path / "tree.json"
    call("fit", HEART, "-t", "label", "-l", "tree", "--no-score", "-o", tree)
    done = call("predict", tree, HEART, "--confidence")
    assert done.exit_code == 2
    assert "--confidence is for rules, and this model is a tree" in done.stderr


def test_rows_without_a_label_are_wrong():
    # Right: 2 of 5. p: predicted once, rightly; 3 there are. q: predicted twice, once rightly; 2 there are.
    y, predicted = ["p", "p", "p", "q", "q"], ["p", None, "q", "q", None]
    assert metrics(y, predicted, "p") == pytest.approx(
        {"accuracy": 2 / 5, "precision": 1, "recall": 1 / 3, "f1": 1 / 2}
    )
    assert metrics(y, predicted) == pytest.approx(
        {"accuracy": 2 / 5, "precision": 3 / 4, "recall": (1 / 3 + 1 / 2) / 2, "f1": 1 / 2}
    )
    assert metrics(["p", "q"], [None, None], "p") == {"accuracy": 0, "precision": 0, "recall": 0, "f1": 0}


@pytest.mark.parametrize("abstain", [None, "unknown"])
def test_evaluate(abstain, heart, tmp_path):
    X, y = heart
    clf = ConFoldClassifier(abstain=abstain).fit(X, y)
    path = tmp_path / "m.json"
    clf.save(path)
    result = json.loads(call("evaluate", path, HEART, "--json").stdout)
    assert result["accuracy"] == pytest.approx((clf.predict(X) == y.to_numpy()).mean())
    assert result["without_label"] == 8
    assert result["predicted"] == ["absent", "present", None]
    assert result["positive"] == "absent"  # as fit has it: the more frequent
    assert [sum(row) for row in result["confusion"]] == [150, 120]
    assert sum(row[2] for row in result["confusion"]) == 8
    text = call("evaluate", path, HEART).stdout.splitlines()
    assert text[1] == "8 rows without a label, counted as wrong"
    assert text[3].split() == ["label", "as", "absent", "as", "present", "without"]


def test_the_score_of_fit_says_how_many_have_none(heart):
    from sklearn.model_selection import StratifiedKFold

    X, y = heart
    n_right = n_without = 0
    for learned, held in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        predicted = ConFoldClassifier().fit(X.iloc[learned], y.iloc[learned]).predict(X.iloc[held])
        n_right += (predicted == y.iloc[held].to_numpy()).sum()
        n_without += predicted.tolist().count(None)
    options = ["-t", "label", "-l", "confold", "--cv", "3", "-p", "present"]
    scores = json.loads(call("fit", HEART, *options, "--json").stdout)["score"]
    assert scores["mean"]["accuracy"] == pytest.approx(n_right / 270)  # folds of 90
    assert scores["without_label"] == n_without > 0
    text = call("fit", HEART, *options).stdout
    assert text.splitlines()[-1] == f"%   {n_without} rows without a label, counted as wrong"
    assert "label 'present': precision" in text


def test_constraints(tmp_path):
    table = pd.DataFrame({"kind": ["a", "b", "c"] * 12, "y": ["no", "yes", "yes"] * 12})
    table.to_csv(tmp_path / "t.csv", index=False)
    path = tmp_path / "m.json"
    call("fit", tmp_path / "t.csv", "-t", "y", "-p", "no", "--no-score", "-o", path)
    asked = ["explain", path, tmp_path / "t.csv", "-r", 0, "-c", "--format", "json"]
    allowed = ["--constraint", "not kind(X,'c')"]
    (entry,) = json.loads(call(*asked, *allowed).stdout)
    assert [change["to"] for change in entry["counterfactual"]["changes"]] == ["c"]
    done = call(*asked, "--constraint", "kind(X,'c'), knd(X,'b')")
    assert done.exit_code == 2
    assert "--constraint \"kind(X,'c'), knd(X,'b')\": line 1, column 14: there is no column" in done.stderr
    done = call("explain", path, tmp_path / "t.csv", *allowed)
    assert done.exit_code == 2
    assert "--constraint needs --counterfactual" in done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["-l", "foldrpp", "--abstain", "x"],
            "--abstain is for the learners foldse and confold, and not for",
        ),
        (["-l", "tree", "--expert-rules", "x.pl"], "--expert-rules is for rules, and a tree has none"),
        (["-l", "confold", "--tail", "0.1"], "--tail is for the learner foldse, and not for confold"),
        (["--confidence-threshold", "2"], "confidence_threshold must be a number from 0 to 1"),
    ],
)
def test_options_of_other_learners(options, message):
    done = call("fit", HEART, "-t", "label", "-q", *options)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
