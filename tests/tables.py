"""Random mixed tables for the tests, and how to hand them to the library and to the oracle."""

import pandas as pd
from hypothesis import strategies as st

NUMBERS = st.sampled_from([-2.0, -0.5, 0.0, 1.0, 1.5, 2.0, 7.0, 1e9, float("inf"), float("-inf")])
TEXTS = st.sampled_from(["a", "b", "c", "", "it's", "Z", "2"])
CELLS = (
    NUMBERS,
    TEXTS,
    st.one_of(NUMBERS, TEXTS, st.none()),
    st.one_of(NUMBERS, st.none()),
    st.one_of(TEXTS, st.none()),
)


@st.composite
def mixed_tables(draw, labels=("no", "yes"), max_rows=25, max_columns=4):
    """Rows of Python values and their labels; each column is numeric, text or mixed."""
    kinds = draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=max_columns))
    n_rows = draw(st.integers(len(labels), max_rows))
    rows = [tuple(draw(kind) for kind in kinds) for _ in range(n_rows)]
    y = [draw(st.sampled_from(labels)) for _ in range(n_rows)]
    y[: len(labels)] = labels  # every class is there
    return rows, y


def frame(rows):
    """Return the rows as a frame of object columns x0, x1, ..., in which each value is what its type says."""
    names = [f"x{i}" for i in range(len(rows[0]))]
    return pd.DataFrame(
        {name: pd.Series([row[i] for row in rows], dtype=object) for i, name in enumerate(names)}
    )


def as_naive(rule):
    """Return a library rule in the oracle's form."""
    literals = [(int(x.feature[1:]), str(x.op), x.value) for x in rule.body]
    return literals, [as_naive(e) for e in rule.exceptions]
