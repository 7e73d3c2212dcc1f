import numpy as np
import pandas as pd
import pytest

from experiments.running.cross_validation import CrossValidation
from experiments.running.protocol import ProtocolError


def labels(**counts):
    return pd.Series([label for label, count in counts.items() for _ in range(count)], dtype=object)


@pytest.mark.parametrize("stratified", [False, True])
def test_the_test_parts_partition_the_rows_in_every_repeat(stratified):
    y = labels(a=23, b=14)
    folds = CrossValidation(folds=5, repeats=3, stratified=stratified).split(y)

    assert [fold.index for fold in folds] == list(range(15))
    assert [fold.repeat for fold in folds] == [0] * 5 + [1] * 5 + [2] * 5
    for repeat in range(3):
        tested = np.concatenate([fold.test for fold in folds if fold.repeat == repeat])
        assert sorted(tested) == list(range(37))
    for fold in folds:
        assert sorted([*fold.train, *fold.test]) == list(range(37))
        assert len(fold.test) in (7, 8)


def test_the_seed_decides_the_folds():
    y = labels(a=30, b=30)

    def tests(seed):
        return [tuple(fold.test) for fold in CrossValidation(folds=4, seed=seed).split(y)]

    assert tests(1) == tests(1)
    assert tests(1) != tests(2)


def test_repeats_draw_other_folds_and_continue_the_seeds():
    y = labels(a=30, b=30)
    twice = CrossValidation(folds=4, repeats=2, seed=7).split(y)
    following = CrossValidation(folds=4, seed=8).split(y)

    assert [tuple(fold.test) for fold in twice[4:]] == [tuple(fold.test) for fold in following]
    assert [tuple(fold.test) for fold in twice[:4]] != [tuple(fold.test) for fold in twice[4:]]


def test_without_shuffling_folds_are_contiguous():
    folds = CrossValidation(folds=3, shuffle=False).split(labels(a=4, b=5))

    assert [list(fold.test) for fold in folds] == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


def test_stratified_folds_have_equal_shares_of_each_class():
    y = labels(a=20, b=10)
    for fold in CrossValidation(folds=5, stratified=True).split(y):
        assert list(y.iloc[fold.test].value_counts()[["a", "b"]]) == [4, 2]


def test_a_small_class_is_an_error_only_where_it_is_stratified():
    y = labels(common=30, rare=3)

    assert len(CrossValidation(folds=10).split(y)) == 10
    with pytest.raises(ProtocolError, match=r"'rare' has 3 rows.*stratified=false or at most 3 folds"):
        CrossValidation(folds=10, stratified=True).split(y)


def test_more_folds_than_rows_is_an_error():
    with pytest.raises(ProtocolError, match="more than the 3 rows"):
        CrossValidation(folds=4).split(labels(a=2, b=1))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"folds": 1}, "protocol.folds=1"),
        ({"folds": 2.5}, "protocol.folds=2.5"),
        ({"repeats": 0}, "protocol.repeats=0"),
        ({"seed": -1}, "protocol.seed=-1"),
        ({"stratified": "yes"}, "protocol.stratified=yes"),
        ({"repeats": 2, "shuffle": False}, "protocol.shuffle=true"),
    ],
)
def test_settings_out_of_range_are_named(settings, message):
    with pytest.raises(ProtocolError, match=message) as caught:
        CrossValidation(**settings)
    assert "\n" not in str(caught.value)


def test_its_line_tells_protocols_apart():
    assert str(CrossValidation()) == "folds=10 repeats=1 seed=42 shuffle=true stratified=false"
    assert len({str(CrossValidation(seed=seed, stratified=s)) for seed in (1, 2) for s in (True, False)}) == 4
