"""Configs without a file: those of suites, of classifiers by import path, of a table of one's own."""

from __future__ import annotations

import os
import re

import pytest

from experiments.config import ConfigError, choices, compose, own_data
from experiments.config_source import generated, suites
from experiments.data.config import DataError, DatasetConfig
from experiments.data.families import families
from experiments.data.load import load
from experiments.learners import LearnerSpec
from tests.experiments.stand_ins import two_classes

ARFF = """% a comment
@relation toy
@attribute size real
@attribute 'its colour' {red, blue}
@attribute code {1, 2}
@attribute class {yes, no}
@data
1.5, red, 1, yes
2, blue, 2, no
?, ?, 1, no
"""


def test_each_data_set_of_a_suite_has_a_good_config():
    for name, datasets in suites().items():
        assert datasets, name
        for one, node in datasets.items():
            config = DatasetConfig.from_mapping(node)
            assert (config.id, config.infer_roles) == (one, True)
            assert re.fullmatch(r"[0-9a-f]{64}", config.sha256)
            assert config.address.startswith("https://raw.githubusercontent.com/")
            assert config.address.count("https://") == 1
    assert not {one for datasets in suites().values() for one in datasets} & {*choices("dataset")}


def test_a_suite_sweeps_over_its_data_sets():
    names = list(suites()["arff40"])
    assert len(names) == 40
    swept = generated("suite/arff40")["hydra"]
    assert swept == {"mode": "MULTIRUN", "sweeper": {"params": {"dataset": ",".join(names)}}}
    assert compose(["dataset=vowel"]).dataset.label == "Class"
    with pytest.raises(ConfigError, match="unknown suite 'arff': did you mean arff40"):
        compose(["suite=arff"])
    with pytest.raises(ConfigError, match="unknown dataset 'vowell': did you mean vowel"):
        compose(["dataset=vowell"])


def test_families_are_those_of_configs_and_suites():
    known = families()
    assert known["breast_w_numeric"] == known["breast_w"]
    assert known["heart_c"] == known["heart_h"] == known["heart"]
    assert known["sick"] == known["hypothyroid"]
    assert "vowel" not in known


def test_a_classifier_is_a_learner_by_its_import_path():
    chosen = ["learner=sklearn.ensemble.RandomForestClassifier", "+learner.estimator.n_estimators=3"]
    spec = LearnerSpec.from_config(compose(chosen).learner)
    assert spec.id == "RandomForestClassifier"
    learner = spec.build(two_classes(), seed=7)
    dataset = two_classes()
    learner.fit(dataset.X, dataset.y)
    assert learner.model.n_estimators == 3
    assert learner.model.random_state == 7
    assert (learner.predict(dataset.X) == dataset.y).mean() > 0.9
    with pytest.raises(ConfigError, match="unknown learner 'fold_se': did you mean foldse"):
        compose(["learner=fold_se"])


def typed(tmp_path, text, **changes):
    (tmp_path / "toy.arff").write_text(text)
    config = {
        "id": "toy", "source": "file", "file": "toy.arff", "sha256": None, "label": "class",
        "target": "class", "positive": None, "numeric": [], "categorical": [], "infer_roles": True,
    }  # fmt: skip
    return load(config | changes, tmp_path)


def test_roles_are_those_of_the_file_unless_they_are_listed(tmp_path):
    found = typed(tmp_path, ARFF)
    assert found.numeric == ("size",)
    assert found.categorical == ("its colour", "code")  # a nominal one, whatever it looks like
    assert found.positive == "no"  # the more frequent
    assert found.X["code"].tolist() == ["1", "2", "1"]
    assert found.X["its colour"].tolist() == ["red", "blue", None]
    changed = typed(tmp_path, ARFF, numeric=["code"], ignore=["size"], positive="yes")
    assert (changed.numeric, changed.categorical) == (("code",), ("its colour",))
    assert changed.positive == "yes"
    with pytest.raises(DataError, match="no column 'colour'"):
        typed(tmp_path, ARFF, categorical=["colour"])


def test_files_are_looked_for_in_several_folders(tmp_path):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    (second / "toy.csv").write_text("a,label\n1,x\n2,y\n")
    config = {
        "id": "toy", "source": "file", "file": "toy.csv", "sha256": None, "label": "label",
        "target": "label", "positive": "x", "numeric": "rest", "categorical": [],
    }  # fmt: skip
    assert len(load(config, f"{first}{os.pathsep}{second}").y) == 2
    with pytest.raises(DataError, match=r"no file toy\.csv"):
        load(config, first)


def test_a_table_of_ones_own_needs_no_config(tmp_path, capsys):
    path = tmp_path / "people.v1.csv"
    path.write_text("plan;fee;zip;churned\nbasic;1,5;007;0\nplus;2,5;008;1\nbasic;;009;0\n", encoding="utf-8")
    cfg = compose(own_data([f"data={path}", "target=churned", "dataset.ignore=[zip]"]))
    found = load(cfg.dataset)
    assert found.id == "people"
    assert (found.numeric, found.categorical) == (("fee",), ("plan",))
    assert found.X["fee"].tolist()[:2] == [1.5, 2.5]
    assert (found.y.name, found.y.tolist(), found.positive) == ("churned", ["0", "1", "0"], "0")
    said = " ".join(capsys.readouterr().err.split())
    assert "'churned' has 2 labels, rules are learned for '0'" in said
    assert "numbers: 'fee'; categories: 'plan'" in said


def test_the_command_line_of_a_table_of_ones_own():
    assert own_data(["dataset=heart"]) == ["dataset=heart"]
    assert own_data(["data=a.csv", "target=y"]) == ["data=a.csv", "target=y", "dataset=own"]
    with pytest.raises(ConfigError, match="data= needs target=<the column to predict>"):
        own_data(["data=a.csv"])
    cfg = compose(own_data(["data=no.csv", "target=y"]))
    with pytest.raises(DataError, match=r"there is no file no\.csv; correct data="):
        load(cfg.dataset)
