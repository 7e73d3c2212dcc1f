import pandas as pd
import pytest
from hydra import compose as hydra_compose
from hydra import initialize_config_dir
from omegaconf import OmegaConf

from experiments.config import (
    CONF,
    ROOT,
    ConfigError,
    check_arguments,
    check_choices,
    choices,
    compose,
    expand,
    groups,
)


@pytest.mark.parametrize("group", [group for group in groups() if group != "experiment"])
def test_every_choice_composes_resolves_and_is_named_as_its_file(group):
    assert choices(group)
    for name in choices(group):
        cfg = compose([f"{group}={name}"])
        OmegaConf.to_container(cfg, resolve=True, throw_on_missing=True)
        if group in ("dataset", "learner"):
            assert cfg[group].id == name


@pytest.mark.parametrize("name", choices("experiment"))
def test_every_experiment_sweeps_over_choices_that_exist_and_opens_with_its_command(name):
    with initialize_config_dir(str(CONF), version_base="1.3"):
        cfg = hydra_compose("config", [f"experiment={name}"], return_hydra_config=True)
    text = (CONF / "experiment" / f"{name}.yaml").read_text(encoding="utf-8")

    assert f"# python -m experiments -m experiment={name}\n" in text
    assert cfg.hydra.mode.name == "MULTIRUN"
    params = list(cfg.hydra.sweeper.params.items())
    check_choices(f"{key}={values}" for key, values in params)
    jobs = expand(params, [])
    assert len(set(jobs)) == len(jobs) > 1
    for job in jobs[:: max(1, len(jobs) // 5)]:
        compose([f"experiment={name}", *job])


def test_the_quickstart_is_the_bundled_data_with_every_learner():
    with initialize_config_dir(str(CONF), version_base="1.3"):
        params = hydra_compose(
            "config", ["experiment=quickstart"], return_hydra_config=True
        ).hydra.sweeper.params
    jobs = expand(params.items(), [])
    bundled = {
        name for name in choices("dataset") if compose([f"dataset={name}"]).dataset.source == "bundled"
    }

    swept = {override.split("=")[1] for job in jobs for override in job if override.startswith("dataset=")}
    # The second reading of a data set that is already there is no data set of its own.
    assert swept == bundled - {"breast_w_numeric"}
    assert len(jobs) == 80


PUBLISHED_AS = {"xgboost_paper": "xgboost", "mlp_paper": "mlp"}


def test_each_table_of_the_paper_is_an_experiment_with_its_data_small_first_and_its_learners():
    figures = pd.read_csv(compose().paths.published)
    for table, rows in figures.groupby("table"):
        with initialize_config_dir(str(CONF), version_base="1.3"):
            cfg = hydra_compose("config", [f"experiment={table}"], return_hydra_config=True)
        swept = {"dataset": [], "learner": []}
        for job in expand(cfg.hydra.sweeper.params.items(), []):
            for override in job:
                key, name = override.split("=")
                swept[key] += [name] if name not in swept[key] else []
        printed = [name for name in dict.fromkeys(rows["dataset"]) if name != "average"]
        assert [name for name in swept["dataset"] if name != "breast_w_numeric"] == printed
        assert set(rows["learner"]) <= {PUBLISHED_AS.get(name, name) for name in swept["learner"]}


@pytest.mark.parametrize("name", [name for name in choices("experiment") if name.startswith("ablation")])
def test_the_settings_of_an_ablation_have_ids_of_their_own(name):
    with initialize_config_dir(str(CONF), version_base="1.3"):
        params = hydra_compose(
            "config", [f"experiment={name}"], return_hydra_config=True
        ).hydra.sweeper.params
        settings = {
            tuple(o for o in job if not o.startswith("dataset")) for job in expand(params.items(), [])
        }
        ids = {hydra_compose("config", [f"experiment={name}", *setting]).learner.id for setting in settings}
    assert len(ids) == len(settings)


def test_the_command_line_replaces_an_axis_and_fixes_values():
    jobs = expand([("dataset", "a,b"), ("learner", "x,y")], ["learner=z", "protocol.folds=3"])

    assert jobs == [
        ("dataset=a", "learner=z", "protocol.folds=3"),
        ("dataset=b", "learner=z", "protocol.folds=3"),
    ]


def test_paths_follow_the_checkout_and_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("FOLDSE_DATA", str(tmp_path))
    cfg = compose()
    assert cfg.paths.data == str(tmp_path)
    assert cfg.tracking.uri == f"sqlite:///{ROOT}/mlflow.db"

    monkeypatch.delenv("FOLDSE_DATA")
    assert compose().paths.data is None
    assert compose(["paths.data=/elsewhere"]).paths.data == "/elsewhere"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dataset=heard"], "unknown dataset 'heard': did you mean heart?"),
        (["-m", "dataset=heart,nix"], "unknown dataset 'nix': there are acute, "),
        (["learner=ripley"], "unknown learner 'ripley': did you mean ripper? there are ebm, "),
        (["experiment=fast"], "unknown experiment 'fast'"),
        (["protocol=loo"], "unknown protocol 'loo': there are ten_fold"),
        (["-m", "learner=choice(foldse,nix)"], "unknown learner 'nix'"),
    ],
)
def test_an_unknown_choice_is_named_with_what_exists(arguments, message):
    with pytest.raises(ConfigError) as caught:
        check_arguments(arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        ["dataset=heart", "learner=mlp", "protocol.folds=3"],
        ["-m", "learner=glob(tree_*)"],
        ["experiment=null"],
        ["dataset=["],  # no override at all: Hydra marks the place
        ["--config-dir", "elsewhere", "dataset=my_own"],
        ["+note=heart"],
    ],
)
def test_everything_else_is_left_to_hydra(arguments):
    check_arguments(arguments)
