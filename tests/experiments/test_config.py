import pandas as pd
import pytest
from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from omegaconf import OmegaConf

from experiments.config import CONF, ROOT, ConfigError, choices, compose, jobs, read_overrides

GROUPS = sorted(path.name for path in CONF.iterdir() if path.is_dir() and path.name != "suites")


def sweep(*overrides):
    """Return the config that Hydra hands a callback before a sweep, and the jobs of the sweep."""
    with initialize_config_dir(str(CONF), version_base="1.3"):
        cfg = hydra_compose("config", list(overrides), return_hydra_config=True)
        return cfg, jobs(cfg)


@pytest.mark.parametrize("group", [group for group in GROUPS if group != "experiment"])
def test_every_choice_composes_resolves_and_is_named_as_its_file(group):
    assert choices(group)
    for name in choices(group):
        cfg = compose([f"{group}={name}"])
        OmegaConf.to_container(cfg, resolve=True, throw_on_missing=True)
        if group == "dataset":
            assert cfg.dataset.id == name
        if group == "learner" and cfg.learner.id != name:
            # A variant: the id of another file, and other settings.
            other = compose([f"learner={cfg.learner.id}"]).learner
            assert {**other, "title": ""} != {**cfg.learner, "title": ""}


@pytest.mark.parametrize("name", choices("experiment"))
def test_every_experiment_sweeps_over_choices_that_exist_and_opens_with_its_command(name):
    cfg, expanded = sweep(f"experiment={name}")
    text = (CONF / "experiment" / f"{name}.yaml").read_text(encoding="utf-8")

    assert f"# python -m experiments -m experiment={name}\n" in text
    assert cfg.hydra.mode.name == "MULTIRUN"
    assert len({tuple(job) for job in expanded}) == len(expanded) > 1
    for group in ("dataset", "learner"):
        swept = {o.split("=")[1] for job in expanded for o in job if o.startswith(f"{group}=")}
        assert swept <= set(choices(group))
    for job in expanded[:: max(1, len(expanded) // 5)]:
        compose(job)


def test_the_quickstart_is_the_bundled_data_with_every_learner():
    _, expanded = sweep("experiment=quickstart")
    bundled = {
        name for name in choices("dataset") if compose([f"dataset={name}"]).dataset.source == "bundled"
    }

    swept = {o.split("=")[1] for job in expanded for o in job if o.startswith("dataset=")}
    # The second reading of a data set that is already there is not a data set of its own.
    assert swept == bundled - {"breast_w_numeric"}
    assert len(expanded) == 80


PUBLISHED_AS = {"xgboost_paper": "xgboost", "mlp_paper": "mlp"}


def test_each_table_of_the_paper_is_an_experiment_with_its_data_small_first_and_its_learners():
    figures = pd.read_csv(compose().paths.published)
    for table, rows in figures.groupby("table"):
        swept = {"dataset": [], "learner": []}
        for job in sweep(f"experiment={table}")[1]:
            for key, name in (override.split("=") for override in job):
                if key in swept and name not in swept[key]:
                    swept[key].append(name)
        printed = [name for name in dict.fromkeys(rows["dataset"]) if name != "average"]
        assert [name for name in swept["dataset"] if name != "breast_w_numeric"] == printed
        assert set(rows["learner"]) <= {PUBLISHED_AS.get(name, name) for name in swept["learner"]}


@pytest.mark.parametrize("name", choices("experiment"))
def test_the_jobs_of_an_experiment_are_all_different(name):
    settings = {
        tuple(o for o in job if not o.startswith("dataset")) for job in sweep(f"experiment={name}")[1]
    }
    composed = [compose(setting) for setting in settings]
    made = {OmegaConf.to_yaml([cfg.learner, cfg.protocol], resolve=True) for cfg in composed}
    assert len(made) == len(settings)


def test_the_command_line_replaces_an_axis_and_fixes_values():
    _, expanded = sweep("experiment=quickstart", "dataset=heart", "learner=foldse", "protocol.folds=3")

    assert expanded == [["dataset=heart", "learner=foldse", "experiment=quickstart", "protocol.folds=3"]]


def test_the_jobs_of_a_sweeper_that_chooses_them_as_it_goes_are_not_known():
    cfg, expanded = sweep("experiment=quickstart", "hydra.sweeper._target_=builtins.dict")
    assert cfg.hydra.sweeper.params
    assert expanded == []


def test_paths_follow_the_checkout_and_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("FOLDSE_DATA", str(tmp_path))
    cfg = compose()
    assert cfg.paths.data == str(tmp_path)
    assert cfg.tracking.uri == f"sqlite:///{ROOT}/mlflow.db"

    monkeypatch.delenv("FOLDSE_DATA")
    assert compose().paths.data is None
    assert compose(["paths.data=/elsewhere"]).paths.data == "/elsewhere"


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["dataset=heard"], "unknown dataset 'heard': did you mean heart? there are acute, "),
        (["learner=ripley"], "unknown learner 'ripley': did you mean ripper? there are confold, "),
        (["experiment=fast"], "unknown experiment 'fast': there are ablation_heuristic, "),
        (["protocol=loo"], "unknown protocol 'loo': there are hold_out, ten_fold"),
        (["hydra/launcher=joblip"], "unknown hydra/launcher 'joblip': "),
        (["learner.tial=0.1"], "unknown setting learner.tial: did you mean tail? learner has id, "),
        (["trackin.uri=x"], "unknown setting trackin: did you mean tracking? the config has "),
        (["dataset=heart,wine"], "To sweep over it, add --multirun to your command line"),
        (["dataset=["], "no viable alternative at input '['"),
    ],
)
def test_what_cannot_be_composed_is_named_in_one_line_with_what_exists(overrides, message):
    with pytest.raises(ConfigError) as caught:
        compose(overrides)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id: mine\n\tsource: file\n", r"mine\.yaml, line 2: .*; indent with spaces, not tabs$"),
        ("id: mine\nid: yours\n", r"mine\.yaml, line 2: found duplicate key id$"),
        ("id: [a\nsource: file\n", r"mine\.yaml, line \d: "),
    ],
)
def test_a_file_that_is_not_yaml_is_named_with_its_line(tmp_path, text, message):
    (tmp_path / "dataset").mkdir()
    (tmp_path / "dataset" / "mine.yaml").write_text(text)
    with pytest.raises(ConfigError, match=message) as caught:
        compose([f"hydra.searchpath=[file://{tmp_path}]", "dataset=mine"])
    assert "\n" not in str(caught.value)


def test_a_command_without_settings_of_its_own_has_help(capsys):
    assert read_overrides("fetch", "Get files.", ["paths.data=x", "dataset=a,b"]) == [
        "paths.data=x",
        "dataset=a,b",
    ]
    with pytest.raises(SystemExit) as stopped:
        read_overrides("fetch", "Get files.", ["--help"])
    assert stopped.value.code == 0
    out = capsys.readouterr().out
    assert "python -m experiments.fetch" in out
    assert "Get files." in out
