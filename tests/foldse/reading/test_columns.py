"""What a value means, in whatever column it comes."""

import numpy as np
import pandas as pd
import pytest

from foldse.reading import columns
from foldse.reading.encoding import encode
from foldse.reading.values import column_names, read_columns


def codes(values, **roles):
    """Return the numbers and the categories of one encoded column, and its codes."""
    table = encode(read_columns(pd.DataFrame({"c": values}), **roles))
    return table.features[0].numbers.tolist(), table.features[0].categories, table.codes(0).tolist()


TEXT = ["b", "a", None, "b"]


@pytest.mark.parametrize(
    "values",
    [
        pd.Series(TEXT, dtype=object),
        pd.Series(TEXT, dtype="str"),
        pd.Series(TEXT, dtype="string"),
        pd.Series(TEXT, dtype="string[pyarrow]"),
        pd.Series(TEXT, dtype="category"),
        pd.Series(pd.Categorical(TEXT, categories=["z", "b", "a"], ordered=True)),
    ],
    ids=["object", "str", "string", "pyarrow", "category", "ordered"],
)
def test_text_in_any_dtype(values):
    assert codes(values) == ([], (None, "a", "b"), [2, 1, 0, 2])


@pytest.mark.parametrize(
    "dtype", ["int8", "uint16", "int64", "float32", "float64", "Int64", "Float64", "object"]
)
def test_numbers_in_any_dtype(dtype):
    assert codes(pd.Series([3, 1, 3], dtype=dtype)) == ([1.0, 3.0], (), [1, 0, 1])


@pytest.mark.parametrize("values", [[1.5, None], pd.array([1.5, pd.NA], "Float64"), np.array([1.5, np.nan])])
def test_missing_number_is_a_category_of_its_own(values):
    assert codes(values) == ([1.5], (None,), [0, 1])


@pytest.mark.parametrize("dtype", ["bool", "boolean", "object"])
def test_truth_values_are_categories(dtype):
    assert codes(pd.Series([True, False, True], dtype=dtype)) == ([], (False, True), [1, 0, 1])


def test_mixed_object_column_by_the_type_of_each_value():
    values = pd.Series([2, "2", 1.0, None, True, "b", np.int8(1), np.nan], dtype=object)
    assert codes(values) == ([1.0, 2.0], (None, True, "2", "b"), [1, 4, 0, 2, 3, 5, 0, 2])


def test_text_stays_text_however_numeric_it_looks():
    assert codes(["007", "7", "7.0"])[1] == ("007", "7", "7.0")


def test_numeric_role_reads_text_and_keeps_what_is_no_number():
    values = ["2.5", "?", "-1e3", "nan", None, "1_0"]
    assert codes(values, numeric=["c"]) == ([-1000.0, 2.5], (None, "1_0", "?", "nan"), [1, 4, 0, 5, 2, 3])


def test_categorical_role_keeps_numbers_as_categories():
    assert codes([10, 2, 10], categorical=["c"]) == ([], (2, 10), [1, 0, 1])
    assert codes([1.0, 2.5, np.nan], categorical=["c"]) == ([], (None, 1, 2.5), [1, 2, 0])


def test_minus_zero_is_zero():
    assert codes([-0.0, 0.0]) == ([0.0], (), [0, 0])


def test_unused_categories_are_no_codes():
    assert codes(pd.Series(pd.Categorical(["a"], categories=["a", "b"])))[1] == ("a",)


@pytest.mark.parametrize(
    "values",
    [
        pd.to_datetime(["2020-01-01"]),
        pd.to_timedelta([1]),
        [1 + 2j],
        pd.Series([pd.Timestamp("2020-01-01")], dtype=object),
        pd.Series([[1, 2]], dtype=object),
    ],
    ids=["datetime", "timedelta", "complex", "timestamp", "list"],
)
def test_what_is_neither_number_nor_category_is_an_error_that_names_the_column(values):
    with pytest.raises((TypeError, ValueError), match=r"column 'c' has .*(convert|two columns)"):
        read_columns(pd.DataFrame({"c": values}))


def test_a_column_name_twice():
    with pytest.raises(ValueError, match="column 'a' is there more than once"):
        column_names(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    with pytest.raises(ValueError, match="column '1' is there more than once"):
        column_names(pd.DataFrame([[1, 2]], columns=[1, "1"]))


@pytest.mark.parametrize("category", ["a", "b", None, "zz", True, 1])
def test_equals_on_text_before_and_after_factorization(category):
    values = pd.Series(TEXT, dtype="str")
    direct, factorized = read_columns(pd.DataFrame({"c": values})), read_columns(pd.DataFrame({"c": values}))
    encode(factorized)
    expected = [category is None if v is None else v == category for v in TEXT]
    assert direct.equals("c", category).tolist() == factorized.equals("c", category).tolist() == expected


@pytest.mark.parametrize(
    ("n", "dtype"), [(256, np.uint8), (257, np.uint16), (65536, np.uint16), (65537, np.uint32)]
)
def test_codes_are_as_narrow_as_they_can_be(n, dtype):
    table = encode(read_columns(pd.DataFrame({"a": np.arange(n)[::-1], "b": 0.0})))
    assert table.codes(0).dtype == dtype
    assert table.codes(0).tolist() == list(range(n))[::-1]
    assert table.codes(1).dtype == np.uint8


@pytest.mark.parametrize("rows_at_a_time", [1, 7, 100, 1_000])
@pytest.mark.parametrize("dtype", ["string[pyarrow]", "str"])
def test_text_is_the_same_however_many_rows_are_numbered_at_a_time(dtype, rows_at_a_time, monkeypatch):
    rng = np.random.default_rng(4)
    text = pd.Series(rng.choice(["b", "", "a", "ä", None], 300), dtype=dtype)
    text[290:] = "late"
    monkeypatch.setattr(columns, "ARROW_ROWS", rows_at_a_time)
    _, categories, found = codes(text)
    assert categories == (None, "", "a", "b", "late", "ä")
    assert [categories[code] for code in found] == [
        None if value is pd.NA or value != value else value for value in text
    ]
