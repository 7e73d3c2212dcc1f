"""One table in every container that the classifiers take."""

import decimal

import numpy as np
import pandas as pd
import pytest


def numpy_columns(columns):
    """Return each column as an array: text and truth values as objects, as None may be among them."""
    return {
        name: np.array(values, dtype=np.float64)
        if all(v is None or (isinstance(v, int | float) and not isinstance(v, bool)) for v in values)
        else np.array(values, dtype=object)
        for name, values in columns.items()
    }


def structured(columns):
    arrays = numpy_columns(columns)
    table = np.empty(len(next(iter(arrays.values()))), dtype=[(name, a.dtype) for name, a in arrays.items()])
    for name, array in arrays.items():
        table[name] = array
    return table


def masked(columns):
    """Return a structured array in which missing values are masked and something else stands there."""
    full = {
        name: [next(v for v in values if v is not None) if v is None else v for v in values]
        for name, values in columns.items()
    }
    table = np.ma.array(structured(full))
    for name, values in columns.items():
        table.mask[name] = [v is None for v in values]
    return table


def rows(columns):
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def polars(columns):
    return pytest.importorskip("polars").DataFrame(columns)


def arrow(columns):
    return pytest.importorskip("pyarrow").table(columns)


def arrow_dictionaries(columns):
    """Return an Arrow table in several chunks whose text is dictionary-encoded."""
    pa = pytest.importorskip("pyarrow")
    table = pa.table(
        {
            name: pa.array(values).dictionary_encode() if isinstance(values[0], str) else pa.array(values)
            for name, values in columns.items()
        }
    )
    half = len(table) // 2
    return pa.concat_tables([table.slice(0, half), table.slice(half)])


def duckdb(columns):
    database = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame(columns)  # noqa: F841 - read by name
    return database.sql("select * from frame")


def pyarrow_backed(columns):
    pytest.importorskip("pyarrow")
    return pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow")


def decimals(columns):
    """Return a frame whose numbers are decimals, as a database driver gives them."""
    return pd.DataFrame(
        {
            name: [decimal.Decimal(repr(v)) if type(v) in (int, float) else v for v in values]
            for name, values in columns.items()
        },
        dtype=object,
    )


# Those that keep the names of the columns.
NAMED = {
    "pandas": pd.DataFrame,
    "pandas object": lambda columns: pd.DataFrame(columns, dtype=object),
    "pandas nullable": lambda columns: pd.DataFrame(columns).convert_dtypes(),
    "pandas pyarrow": pyarrow_backed,
    "pandas decimals": decimals,
    "polars": polars,
    "narwhals": lambda columns: pytest.importorskip("narwhals").from_native(pd.DataFrame(columns)),
    "pyarrow table": arrow,
    "pyarrow batch": lambda columns: pytest.importorskip("pyarrow").RecordBatch.from_pydict(columns),
    "pyarrow dictionaries": arrow_dictionaries,
    "duckdb": duckdb,
    "structured array": structured,
    "record array": lambda columns: structured(columns).view(np.recarray),
    "masked array": masked,
    "list of dicts": rows,
    "list of dicts without missing": lambda columns: [
        {name: value for name, value in row.items() if value is not None} for row in rows(columns)
    ],
    "dict of lists": dict,
    "dict of tuples": lambda columns: {name: tuple(values) for name, values in columns.items()},
    "dict of arrays": numpy_columns,
    "dict of indexed series": lambda columns: {
        name: pd.Series(values).set_axis(np.arange(len(values))[:: -1 if i % 2 else 1])
        for i, (name, values) in enumerate(columns.items())
    },
    "dict of polars series": lambda columns: {
        name: pytest.importorskip("polars").Series(values) for name, values in columns.items()
    },
}

# Those whose columns have no names.
UNNAMED = {
    "object array": lambda columns: np.array(list(zip(*columns.values(), strict=True)), dtype=object),
    "list of lists": lambda columns: [list(row) for row in zip(*columns.values(), strict=True)],
    "list of tuples": lambda columns: list(zip(*columns.values(), strict=True)),
    "tuple of arrays": lambda columns: tuple(
        np.array(row, dtype=object) for row in zip(*columns.values(), strict=True)
    ),
    "numbered frame": lambda columns: pd.DataFrame(columns).set_axis(range(len(columns)), axis=1),
}
