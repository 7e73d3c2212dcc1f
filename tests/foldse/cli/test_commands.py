"""The main path as a user walks it, in processes: what is printed is what the library says."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest

from foldse import FoldRPPClassifier, FoldSEClassifier, HeuristicTreeClassifier, load_model
from foldse.export import (
    to_c,
    to_clingo,
    to_java,
    to_javascript,
    to_json,
    to_onnx,
    to_pmml,
    to_prolog,
    to_rust,
    to_sql,
)

from .running import DATA, call, people, run

HEART = DATA / "heart.csv.gz"


@pytest.fixture(scope="module")
def heart():
    table = pd.read_csv(HEART)
    return table.drop(columns="label"), table["label"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Return the path of a model that the command has learned, and what it printed."""
    path = tmp_path_factory.mktemp("model") / "heart.json"
    done = run("fit", HEART, "--target", "label", "--positive", "absent", "-o", path)
    assert done.returncode == 0, done.stderr
    return path, done


def rules_in(text):
    return [line for line in text.splitlines() if line and not line.startswith("%")]


def test_the_rules_printed_are_those_of_the_estimator(model, heart):
    path, done = model
    clf = FoldSEClassifier(pos_label="absent").fit(*heart)
    assert rules_in(done.stdout) == str(clf.rules_).splitlines()
    assert path.read_text(encoding="utf-8") == to_json(clf)
    # 270 rows, a fifth held out.
    assert "held out 54 of 270 rows (stratified, seed 0)" in done.stdout
    assert "Traceback" not in done.stderr


def test_coverage_and_precision_are_counted_on_the_rows(model, heart):
    X, y = heart
    path, done = model
    clf = load_model(path)
    fired = clf.rules_.first_firing(clf._columns(X, frozenset(X.columns)))
    lines = done.stdout.splitlines()
    first = lines.index(str(clf.rules_).splitlines()[0])
    decided = y[fired == 0]
    right = 100 * (decided == clf.rules_[0].head).mean()
    share = 100 * len(decided) / len(y)
    assert lines[first + 1].startswith(
        f"%   covers {len(decided)} rows ({share:.1f}%), precision {right:.1f}%, confidence 0."
    )


def test_predictions_are_those_of_predict(model, heart, tmp_path):
    X, _ = heart
    path, _ = model
    clf = load_model(path)
    done = run("predict", path, HEART, "--proba", "--keep", "age")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [row["prediction"] for row in rows] == clf.predict(X).tolist()
    assert [int(row["age"]) for row in rows] == X["age"].tolist()
    shares = clf.predict_proba(X)
    assert [float(row["share present"]) for row in rows] == shares[:, 1].tolist()
    out = tmp_path / "labels.tsv"
    assert call("predict", path, HEART, "-o", out).exit_code == 0
    assert pd.read_csv(out, sep="\t")["prediction"].tolist() == clf.predict(X).tolist()


def test_columns_may_be_in_any_order_and_more(model, heart, tmp_path):
    X, _ = heart
    path, _ = model
    shuffled = X[X.columns[::-1]].assign(note="x")
    shuffled.to_csv(tmp_path / "other.csv", index=False)
    done = call("predict", path, tmp_path / "other.csv")
    assert done.stdout.split()[1:] == load_model(path).predict(X).tolist()
    assert "warning" not in done.stderr


@pytest.mark.parametrize(
    ("learner", "kind"),
    [("foldrpp", FoldRPPClassifier), ("tree", HeuristicTreeClassifier), ("foldse", FoldSEClassifier)],
)
def test_every_learner_with_its_settings(learner, kind, heart, tmp_path):
    path = tmp_path / "m.json"
    options = ["--heuristic", "information_gain", "--drop", "age", "--categorical", "thal"]
    assert call("fit", HEART, "-t", "label", "-l", learner, "--no-score", "-o", path, *options).exit_code == 0
    X, y = heart
    X = X.drop(columns="age").assign(thal=X["thal"].astype(str))
    settings = {"heuristic": "information_gain", "categorical_features": ["thal"]}
    assert path.read_text(encoding="utf-8") == to_json(kind(**settings).fit(X, y))


def test_ratio_tail_weight_and_labels_left_out(tmp_path):
    table = people().assign(weight=[1 + row % 3 for row in range(60)])
    table.loc[[3, 30], "buys"] = None
    data, path = tmp_path / "people.csv", tmp_path / "m.json"
    table.to_csv(data, index=False)
    options = ["--ratio", "0.2", "--tail", "4", "--weight", "weight", "--skip-unlabelled", "--no-score"]
    done = call("fit", data, "-t", "buys", "-o", path, *options)
    assert "left out 2 rows without a label" in done.stderr
    kept = table.dropna(subset="buys")
    clf = FoldSEClassifier(ratio=0.2, tail=4)
    clf.fit(kept[["age", "income", "city", "code"]], kept["buys"], sample_weight=kept["weight"])
    assert path.read_text(encoding="utf-8") == to_json(clf)


def test_cross_validation_and_json(heart):
    from sklearn.metrics import accuracy_score, f1_score
    from sklearn.model_selection import StratifiedKFold

    X, y = heart
    done = call("fit", HEART, "-t", "label", "-p", "present", "--cv", "4", "--seed", "3", "--json")
    result = json.loads(done.stdout)
    accuracy, f1 = [], []
    for learned, held in StratifiedKFold(4, shuffle=True, random_state=3).split(X, y):
        clf = FoldSEClassifier(pos_label="present").fit(X.iloc[learned], y.iloc[learned])
        predicted = clf.predict(X.iloc[held])
        accuracy.append(accuracy_score(y.iloc[held], predicted))
        f1.append(f1_score(y.iloc[held], predicted, pos_label="present"))
    assert result["score"]["mean"]["accuracy"] == pytest.approx(sum(accuracy) / 4)
    assert result["score"]["mean"]["f1"] == pytest.approx(sum(f1) / 4)
    assert result["score"]["std"]["accuracy"] == pytest.approx(pd.Series(accuracy).std(ddof=0))
    clf = FoldSEClassifier(pos_label="present").fit(X, y)
    assert result["model"] == json.loads(to_json(clf))
    rules = [line["text"] for line in result["program"]["rules"] if line["kind"] != "default"]
    assert rules == str(clf.rules_).splitlines()
    assert sum(line["rows"] for line in result["program"]["rules"] if line["kind"] != "exception") == 270
    assert result["data"]["labels"] == {"absent": 150, "present": 120}


def test_a_small_table_waits_for_no_compilation_and_gives_the_same_rules(tmp_path):
    """The first command of a user: kernels are cached only where some were compiled."""
    options = ("fit", HEART, "--target", "label", "--no-score")
    quick = run(*options, NUMBA_CACHE_DIR=str(tmp_path / "quick"))
    compiled = run(*options, NUMBA_CACHE_DIR=str(tmp_path / "compiled"), FOLDSE_INTERPRETED_CELLS="0")
    assert quick.returncode == compiled.returncode == 0
    assert not list(tmp_path.glob("quick/**/*.nbi"))
    assert list(tmp_path.glob("compiled/**/*.nbi"))
    assert quick.stdout == compiled.stdout


def test_evaluate(model, heart):
    from sklearn.metrics import confusion_matrix, precision_score, recall_score

    X, y = heart
    path, _ = model
    predicted = load_model(path).predict(X)
    result = json.loads(call("evaluate", path, HEART, "--target", "label", "--json").stdout)
    assert result["confusion"] == confusion_matrix(y, predicted).tolist()
    assert result["accuracy"] == pytest.approx((predicted == y).mean())
    assert result["precision"] == pytest.approx(precision_score(y, predicted, pos_label="absent"))
    assert result["recall"] == pytest.approx(recall_score(y, predicted, pos_label="absent"))
    other = json.loads(call("evaluate", path, HEART, "--json", "-p", "present").stdout)
    assert other["recall"] == pytest.approx(recall_score(y, predicted, pos_label="present"))
    text = call("evaluate", path, HEART).stdout
    assert f"accuracy {(predicted == y).mean():.3f}" in text
    n_absent_right = confusion_matrix(y, predicted)[0, 0]
    assert text.splitlines()[3].split()[:2] == ["absent", str(n_absent_right)]


def test_a_label_that_the_model_does_not_know_is_predicted_wrongly(model, tmp_path):
    path, _ = model
    table = pd.read_csv(HEART).assign(label="perhaps")
    table.to_csv(tmp_path / "t.csv", index=False)
    result = json.loads(call("evaluate", path, tmp_path / "t.csv", "--json").stdout)
    assert result["accuracy"] == 0
    assert result["labels"] == ["absent", "present", "perhaps"]
    assert sum(result["confusion"][2]) == 270


def test_explain(model, heart):
    X, _ = heart
    path, _ = model
    clf = load_model(path)
    texts = [clf.explain(X)[row].to_text() for row in (12, 0, 1)]
    done = run("explain", path, HEART, "--row", "12", "--row", "0:2")
    assert done.stdout == "\n\n".join(texts) + "\n"
    entries = json.loads(call("explain", path, HEART, "-r", "-1", "-c", "--format", "json").stdout)
    assert entries == [
        {
            "row": 269,
            "explanation": clf.explain(X)[269].to_dict(),
            "counterfactual": clf.counterfactual(X.iloc[[269]], name="X269").to_dict(),
        }
    ]
    assert len(call("explain", path, HEART, "--format", "short").stdout.splitlines()) == 270
    named = call("explain", path, HEART, "-r", "12", "--names", "age", "--format", "english").stdout
    assert named == clf.explain(X.iloc[[12]], names=[str(X["age"][12])])[0].to_text("english") + "\n"


def test_a_counterfactual_changes_the_label_and_leaves_what_is_fixed(model, heart):
    X, _ = heart
    path, _ = model
    clf = load_model(path)
    wanted = "absent" if clf.predict(X)[0] == "present" else "present"
    free = json.loads(call("explain", path, HEART, "-r", 0, "-c", "--format", "json").stdout)
    changed = free[0]["counterfactual"]["changes"][0]["feature"]
    options = ["-c", "--fixed", changed, "--wanted", wanted, "--format", "json"]
    entry = json.loads(call("explain", path, HEART, "-r", 0, *options).stdout)[0]["counterfactual"]
    assert entry["prediction"] == wanted
    row = X.iloc[[0]].astype(object)
    for change in entry["changes"]:
        assert change["feature"] != changed
        row[change["feature"]] = [change["to"]]
    assert clf.predict(row)[0] == wanted
    # Only with all features fixed there is none, which is said in the text.
    everything = [option for name in X.columns for option in ("--fixed", name)]
    done = call("explain", path, HEART, "-r", 0, "-c", *everything)
    assert done.exit_code == 0
    assert "no change of any feature that may change" in done.stdout


def test_the_answers_are_those_of_the_library(model, heart):
    X, _ = heart
    path, _ = model
    clf = load_model(path)
    options = ["--within", "age=30:", "--within", "thal=:6.5"]
    options += ["--direction", "oldpeak=down", "--cost", "age=5", "--cost", "thal=0.5", "--fixed", "sex"]
    expected = clf.counterfactual(
        X.iloc[[3]],
        name="X3",
        n=4,
        fixed=["sex"],
        within={"age": (30, None), "thal": (None, 6.5)},
        directions={"oldpeak": "down"},
        costs={"age": 5, "thal": 0.5},
    )
    assert len(expected) > 1
    done = call("explain", path, HEART, "-r", 3, "-c", "--answers", 4, *options, "--format", "json")
    (entry,) = json.loads(done.stdout)
    assert entry["counterfactuals"] == [answer.to_dict() for answer in expected]
    assert "counterfactual" not in entry
    text = call("explain", path, HEART, "-r", 3, "-c", "--answers", 4, *options).stdout
    assert text.endswith("\n".join(map(str, expected)) + "\n")


def test_categories_that_are_allowed(tmp_path):
    table = pd.DataFrame({"a=b": ["x", "y", "z,1", "y"] * 9, "code": ["007", "042", "100", "042"] * 9})
    table["buys"] = ["no", "yes", "yes", "yes"] * 9
    table.to_csv(tmp_path / "t.csv", index=False)
    path = tmp_path / "m.json"
    fitted = ["fit", tmp_path / "t.csv", "-t", "buys", "--no-score", "--drop", "code", "-o", path]
    assert call(*fitted).exit_code == 0
    asked = ["explain", path, tmp_path / "t.csv", "-r", 0, "-c"]
    listed = call(*asked, "--within", 'a=b="z,1", y').stdout
    assert "'z,1' ('z,1' or y) instead of 'x'" in listed
    twice = call(*asked, "--within", "a=b=y", "--within", "a=b=q").stdout
    assert "'y' (y or q) instead of 'x'" in twice


def test_a_page_is_html(model):
    from html.parser import HTMLParser

    page = call("explain", model[0], HEART, "-r", "0", "-c", "--format", "html").stdout
    opened = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            opened.append(tag)

        def handle_endtag(self, tag):
            opened.remove(tag)

    reader = Reader()
    reader.feed(page)
    assert page.startswith("<!DOCTYPE html>")
    assert opened == ["meta", "meta"]  # which have no end


def test_export(model):
    path, _ = model
    clf = load_model(path)
    expected = {
        "prolog": to_prolog(clf),
        "scasp": to_prolog(clf, "scasp"),
        "clingo": to_clingo(clf),
        "english": clf.describe() + "\n",
        "sql": to_sql(clf, "data") + "\n",
        "c": to_c(clf),
        "java": to_java(clf),
        "javascript": to_javascript(clf),
        "rust": to_rust(clf),
        "pmml": to_pmml(clf),
    }
    for engine, text in expected.items():
        assert call("export", path, "--to", engine).stdout == text
    options = ["--table", "main.people", "--dialect", "sqlite", "--key", "id"]
    assert call("export", path, "--to", "sql", *options).stdout == (
        to_sql(clf, ["main", "people"], "sqlite", "id") + "\n"
    )
    assert clf.rules_.to_html() in call("export", path, "--to", "html").stdout


def test_export_to_a_file(model, tmp_path):
    path, _ = model
    out = tmp_path / "rules.pl"
    done = call("export", path, "--to", "prolog", "-o", out)
    assert done.stdout == ""
    assert out.read_text(encoding="utf-8") == to_prolog(load_model(path))
    call("export", path, "--to", "java", "-o", tmp_path / "Rules.java")
    assert (tmp_path / "Rules.java").read_text(encoding="utf-8") == to_java(load_model(path), "Rules")
    call("export", path, "--to", "onnx", "-o", tmp_path / "rules.onnx")
    assert (tmp_path / "rules.onnx").read_bytes() == to_onnx(load_model(path)).SerializeToString()


def test_onnx_is_not_printed(model):
    path, _ = model
    done = call("export", path, "--to", "onnx")
    assert done.exit_code == 1
    assert "a model of ONNX is not text; name its file with --output" in done.stderr


def test_show_prints_what_fit_printed(model):
    path, done = model
    shown = call("show", path).stdout
    assert done.stdout.startswith(shown)
    assert json.loads(call("show", path, "--json").stdout)["n_rules"] == load_model(path).n_rules_


def test_compare_in_the_same_folds(heart):
    from sklearn.model_selection import StratifiedKFold

    X, y = heart
    pytest.importorskip("xgboost")
    result = json.loads(run("compare", HEART, "-t", "label", "--cv", "3", "--json").stdout)
    rows = {row["learner"]: row for row in result["learners"]}
    assert list(rows) == ["FOLD-SE", "FOLD-R++", "tree", "XGBoost"]
    scores, sizes = [], []
    for learned, held in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y):
        clf = FoldRPPClassifier().fit(X.iloc[learned], y.iloc[learned])
        scores.append((clf.predict(X.iloc[held]) == y.iloc[held]).mean())
        sizes.append(clf.n_predicates_)
    assert rows["FOLD-R++"]["accuracy_mean"] == pytest.approx(sum(scores) / 3)
    assert rows["FOLD-R++"]["accuracy_std"] == pytest.approx(pd.Series(scores).std(ddof=0))
    assert rows["FOLD-R++"]["predicates"] == pytest.approx(sum(sizes) / 3)
    assert rows["XGBoost"]["rules"] is None
    assert rows["XGBoost"]["accuracy_mean"] > 0.7  # 0.56 would be the more frequent label
    assert all(row["fit_ms"] > 0 for row in rows.values())


def test_compare_without_xgboost_says_so(tmp_path):
    (tmp_path / "xgboost.py").write_text("raise ImportError('not here')\n")
    people().to_csv(tmp_path / "people.csv", index=False)
    done = run("compare", tmp_path / "people.csv", "-t", "buys", "--cv", "2", PYTHONPATH=str(tmp_path))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["learner", "FOLD-SE", "FOLD-R++", "tree", "XGBoost"]
    assert lines[4] == "XGBoost   not installed: pip install xgboost"
    assert lines[-1] == "2-fold cross-validation (stratified, seed 0); F1 is of 'yes'"  # 40 of 60 rows


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="no such signal here")
def test_a_reader_that_goes_away_ends_it_quietly(model):
    command = [sys.executable, "-m", "foldse", "explain", str(model[0]), str(HEART), "-q"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline().startswith(b"label(X0,")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == -signal.SIGPIPE


@pytest.mark.skipif(os.name == "nt", reason="another way to interrupt there")
def test_interrupting_ends_it_quietly(tmp_path):
    """The interrupt comes once the data are read, and what follows takes longer: 2,000 fits."""
    people(2_000).drop(columns="code").to_csv(tmp_path / "people.csv", index=False)
    command = [sys.executable, "-m", "foldse", "compare", str(tmp_path / "people.csv"), "-t", "buys"]
    with subprocess.Popen(
        [*command, "--cv", "500"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        first = process.stderr.readline()
        assert b"2,000 rows" in first
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == b""
        assert process.stdout.read() == b""
        assert process.wait(60) == -signal.SIGINT


def test_standard_input(model, heart):
    X, _ = heart
    path, _ = model
    for data in (HEART.read_bytes(), X.to_csv(index=False).encode()):
        done = run("predict", path, "-", stdin=data)
        assert done.stdout.split()[1:] == load_model(path).predict(X).tolist()
        assert done.stderr.startswith("foldse: standard input: CSV, utf-8, separator ','")


def test_quiet_says_nothing(model):
    assert run("predict", model[0], HEART, "--quiet").stderr == ""
