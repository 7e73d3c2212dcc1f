"""Tables with names and values that are hard to print and to read back."""

import pandas as pd
from hypothesis import strategies as st

LONG = "a" * 100
NAMES = st.sampled_from(
    [
        "a b",
        "a-b",
        "A B",
        "ab1",
        "AB1",
        "not",
        "y",
        "X",
        "N1",
        "",
        "it's",
        "%",
        "é",
        "3d",
        "true",
        "a\nb",
        LONG,
    ]
)
TEXTS = st.sampled_from(
    [
        *(
            "a",
            "it's",
            '"',
            "\\",
            "\\'",
            "\n",
            "\x1b[31m",
            "\u202e",
            "% no",
            "",
            " ",
            "?",
            ").",
            "é\U0001f600",
        ),
        *("1", "1.0", "01", "True", "true", "None", "nan", "inf", "-0.0"),
        # Cut for print: two that print the same, and one that looks as if it had been cut.
        *(LONG + "x" + LONG, LONG + "y" + LONG, f"{'a' * 60}...[121 characters]...{'a' * 20}"),
    ]
)
CODES = st.sampled_from([0, 1, 2, -3, 2**60 + 1, 1.5, 1e300, float("inf"), float("-inf")])
NUMBERS = st.sampled_from([-2.0, 0.0, 0.1 + 0.2, 1e-300, 1e300, 5e-324, 7.0, 1e16, float("inf")])
TRUTHS = st.booleans()
# What the cells of a column may be, and whether numbers among them are categories.
KINDS = (
    (NUMBERS, False),
    (st.one_of(NUMBERS, TEXTS, st.none()), False),
    (TEXTS, False),
    (st.one_of(TEXTS, st.none()), False),
    (TRUTHS, False),
    (st.one_of(TRUTHS, st.sampled_from(["True", "False"])), False),
    (CODES, True),
    (st.one_of(CODES, TRUTHS, st.none()), True),
    (st.one_of(CODES, TRUTHS, TEXTS, st.none()), True),
    (st.sampled_from([1, "1", True, "True"]), True),
)
LABELS = st.sampled_from(
    [
        *(("no", "yes"), (0, 1), (False, True), (-1.0, 2.0), ("0", "1", "True"), (1, 2, 3)),
        *(("it's", "\\", "\n"), ("?", '"'), ("a", "a "), ("x",) * 1),
    ]
)


@st.composite
def nasty_tables(draw, max_rows=24, max_columns=4):
    """A frame, its labels as a series with a name, and the names of the columns of categories."""
    n_rows = draw(st.integers(4, max_rows))
    names = draw(st.lists(NAMES, min_size=1, max_size=max_columns, unique=True))
    labels = draw(LABELS)
    columns, categorical = {}, []
    for name in names:
        cells, is_categorical = draw(st.sampled_from(KINDS))
        values = draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
        columns[name] = pd.Series(values, dtype=object)
        categorical += [name] * is_categorical
    y = draw(st.lists(st.sampled_from(labels), min_size=n_rows, max_size=n_rows))
    y[: len(labels)] = labels[:n_rows]
    return pd.DataFrame(columns), pd.Series(y, name=draw(NAMES)), categorical
