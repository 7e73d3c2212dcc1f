import numpy as np
import pandas as pd
import pytest
from omegaconf import OmegaConf
from sklearn.model_selection import train_test_split

from experiments.config import compose
from experiments.running import protocol as protocols
from experiments.running.cross_validation import CrossValidation
from experiments.running.hold_out import HoldOut
from experiments.running.protocol import ProtocolError


def labels(**counts):
    made = pd.Series([label for label, count in counts.items() for _ in range(count)], dtype=object)
    return made.sample(frac=1, random_state=5, ignore_index=True)


@pytest.mark.parametrize("stratified", [True, False])
def test_splits_of_two_classes_are_those_of_scikit_learn(stratified):
    y = labels(ill=37, well=66)

    folds = HoldOut(repeats=10, seed=42, stratified=stratified).split(y, "ill")

    assert [fold.seed for fold in folds] == list(range(42, 52))
    for fold in folds:
        stratify = {"stratify": (y == "ill").astype(int)} if stratified else {}
        train, test = train_test_split(np.arange(len(y)), test_size=0.2, random_state=fold.seed, **stratify)
        assert np.array_equal(fold.train, train)
        assert np.array_equal(fold.test, test)


def test_splits_of_more_classes_are_stratified_by_the_label():
    y = labels(a=20, b=31, c=9)

    (fold,) = HoldOut(seeds=(7,)).split(y)

    train, test = train_test_split(np.arange(60), test_size=0.2, random_state=7, stratify=y)
    assert np.array_equal(fold.train, train)
    assert np.array_equal(fold.test, test)


def test_listed_seeds_stand_in_place_of_counted_ones():
    y = labels(a=20, b=31)
    listed = HoldOut(seeds=[3, 9], repeats=10).split(y, "a")

    assert [fold.seed for fold in listed] == [3, 9]
    assert np.array_equal(listed[1].test, HoldOut(seed=9, repeats=1).split(y, "a")[0].test)


def test_all_splits_are_one_repetition():
    folds = HoldOut(repeats=3).split(labels(a=20, b=31), "a")

    assert [(fold.index, fold.repeat) for fold in folds] == [(0, 0), (1, 0), (2, 0)]


def test_its_line_names_every_setting():
    assert str(HoldOut(ddof=1)) == "hold_out=0.2 seeds=42-51 stratified=true ddof=1"
    assert str(HoldOut(seeds=[3, 9], stratified=False)) == "hold_out=0.2 seeds=3,9 stratified=false ddof=0"
    assert str(HoldOut(seeds=[42, 43])) == str(HoldOut(repeats=2))


def test_a_class_of_one_row_cannot_be_stratified():
    y = labels(common=30, rare=1)

    assert len(HoldOut(stratified=False).split(y, "rare")) == 10
    with pytest.raises(ProtocolError, match=r"31 rows: .*; take protocol.stratified=false") as caught:
        HoldOut().split(y, "rare")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"test_share": 0}, "protocol.test_share=0"),
        ({"test_share": 1.0}, "protocol.test_share=1.0"),
        ({"test_share": "half"}, "protocol.test_share=half"),
        ({"repeats": 0}, "protocol.repeats=0"),
        ({"ddof": -1}, "protocol.ddof=-1"),
        ({"ddof": 1, "repeats": 1}, "protocol.ddof=1 needs more than 1 splits"),
        ({"seeds": []}, r"protocol.seeds=\[\]"),
        ({"seeds": [1, 1]}, "names a seed twice"),
        ({"seeds": 42}, "protocol.seeds=42"),
        ({"stratified": "yes"}, "protocol.stratified=yes"),
    ],
)
def test_settings_out_of_range_are_named(settings, message):
    with pytest.raises(ProtocolError, match=message):
        HoldOut(**settings)


def test_a_protocol_is_made_as_its_config_says():
    default = protocols.read(compose().protocol)
    hold_out = protocols.read(
        compose(["protocol=hold_out", "protocol.seeds=[1,2]", "protocol.ddof=1"]).protocol
    )

    assert default == CrossValidation()
    assert hold_out == HoldOut(seeds=(1, 2), ddof=1)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"fold": 3}, "unknown setting protocol.fold: did you mean folds"),
        ({"_target_": "experiments.records.Fold"}, "is not a subclass of Protocol"),
        ({"_target_": "no.such.Thing"}, "cannot be loaded"),
    ],
)
def test_a_config_that_names_no_protocol_is_an_error(config, message):
    with pytest.raises(ProtocolError, match=message):
        protocols.read(OmegaConf.create(config))
