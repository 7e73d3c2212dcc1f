"""Delimited text: what is detected, what is a number, what is a code, what is missing."""

import numpy as np
import pandas as pd
import pytest

from foldse.cli.errors import CommandError
from foldse.cli.files.delimited import detect, read_delimited
from foldse.cli.files.tables import read_table
from foldse.cli.options import Reading

from .running import DATA


def read(text, encoding="utf-8", **reading):
    frame, dialect, found, notes = read_delimited(text.encode(encoding), "t", Reading(**reading))
    return frame, dialect, found, notes


def cells(frame, column):
    return [None if pd.isna(value) else value for value in frame[column].tolist()]


ROWS = [("Jürgen", 31, 2.5), ("Zoë", 45, 10.25), ("Hans", 7, 0.5), ("Éloïse", 62, 3.75)] * 12


@pytest.mark.parametrize(
    ("separator", "decimal"), [(",", "."), *((s, d) for s in (";", "\t", "|") for d in (".", ","))]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_separator_decimal_sign_and_encoding_are_found(separator, decimal, encoding):
    table = pd.DataFrame(ROWS, columns=["prénom", "âge", "size"])
    text = table.to_csv(index=False, sep=separator, decimal=decimal)
    frame, dialect, _, notes = read(text, encoding)
    assert (dialect.separator, dialect.decimal, notes) == (separator, decimal, [])
    pd.testing.assert_frame_equal(frame, table, check_dtype=False, check_column_type=False)
    assert frame["size"].dtype == np.float64


def test_quoted_cells_may_hold_what_separates():
    table = pd.DataFrame({"who": ['Smith, "J"', "Doe; A", "line\nbreak"] * 9, "y": [1, 2, 3] * 9})
    frame, dialect, _, _ = read(table.to_csv(index=False))
    assert dialect.separator == ","
    assert frame["who"].tolist() == table["who"].tolist()


def test_times_and_dates_do_not_mislead():
    text = "name,when,y\n" + "".join(f"f(x),20:5{n}:06,2019-09-01T19:2{n}:21\n" for n in range(9))
    frame, dialect, _, _ = read(text)
    assert dialect.separator == ","
    assert frame["when"][3] == "20:53:06"


def test_what_is_given_is_taken():
    text = "a;b,c;d\n1;5,2;x\n2;5,3;y\n"
    given = Reading(separator="comma", encoding="cp1252")
    frame, dialect, found, _ = read_delimited(text.encode(), "t", given)
    assert (dialect.separator, found) == (",", "cp1252")
    assert frame.to_dict("list") == {"a;b": ["1;5", "2;5"], "c;d": ["2;x", "3;y"]}


def test_numbers_with_a_comma_for_thousands_are_no_decimals():
    text = "a;y\n1,234;x\n22,500;y\n9,000;x\n"
    frame, dialect, _, _ = read(text)
    assert dialect.decimal == "."
    assert frame["a"].tolist() == ["1,234", "22,500", "9,000"]
    frame, _, _, _ = read(text, thousands=",")
    assert frame["a"].tolist() == [1234, 22500, 9000]


def test_a_decimal_comma_and_points_for_thousands():
    frame, _, _, _ = read("a;y\n1.234,5;x\n22,25;y\n", decimal=",", thousands=".")
    assert frame["a"].tolist() == [1234.5, 22.25]


@pytest.mark.parametrize(
    ("values", "is_text"),
    [
        (["007", "42", "100"], True),
        (["-01", "2", "3"], True),
        (["00", "1", "2"], True),
        (["0", "0.5", "10"], False),
        (["-0.5", "0", "1e3"], False),
        (["1", "2", ""], False),
        (["1", "x", "2"], True),
        (["9007199254740992", "1", "2"], False),  # 2**53, the last that a float tells apart
        (["9007199254740993", "1", "2"], True),
        (["12345678901234567", "", "2"], True),
        (["123456789012345678901234567890", "1", "2"], True),
        (["1e300", "2", "3"], False),
        (["True", "False", ""], True),
        (["true", "FALSE", "true"], True),
    ],
)
def test_codes_stay_text_as_they_are_written(values, is_text):
    text = "a,y\n" + "".join(f"{value},{n}\n" for n, value in enumerate(values))
    frame, _, _, notes = read(text)
    if is_text:
        assert cells(frame, "a") == [value or None for value in values]
    else:
        assert cells(frame, "a") == [float(value) if value else None for value in values]
        assert notes == []


def test_what_has_stayed_text_is_said():
    *_, notes = read("zip,id,y\n01067,1,a\n80331,12345678901234567890,b\n")
    assert notes == [
        "column 'zip' is text, as '01067' starts with a zero; --numeric 'zip' makes it numbers",
        "column 'id' is text, as '12345678901234567890' has more digits than a number keeps; "
        "--numeric 'id' makes it numbers",
    ]


def test_floats_are_read_exactly():
    rng = np.random.default_rng(5)
    values = np.concatenate([rng.normal(size=300) * 10.0 ** rng.integers(-12, 12, 300), [0.1, 1 / 3, 5e-324]])
    text = "a,y\n" + "".join(f"{value!r},x\n" for value in values.tolist())
    frame, _, _, _ = read(text)
    assert frame["a"].tolist() == values.tolist()
    swapped = text.replace(",", ";").replace(".", ",")
    assert read(swapped)[0]["a"].tolist() == values.tolist()


def test_what_stands_for_no_value():
    text = "a,b,y\n1,NA,x\n?,k,y\n,None,x\n4,m,z\n"
    frame, _, _, _ = read(text)
    assert cells(frame, "b") == [None, "k", None, "m"]
    assert cells(frame, "a") == ["1", "?", None, "4"]
    frame, _, _, _ = read(text, missing=["?"])
    assert cells(frame, "a") == [1, None, None, 4]
    frame, _, _, _ = read(text, missing=["?", "k"], no_default_missing=True)
    assert cells(frame, "b") == ["NA", None, "None", "m"]
    assert cells(frame, "a") == [1, None, None, 4]


def test_the_blank_after_each_separator_is_no_part_of_the_value():
    frame, dialect, _, _ = read("39, State-gov, <=50K\n50, Private, >50K\n", no_header=True)
    assert dialect.blanks
    assert frame.columns.tolist() == ["x0", "x1", "x2"]
    assert frame["x1"].tolist() == ["State-gov", "Private"]
    # Not everywhere: then it is one.
    frame, dialect, _, _ = read("a,b,y\n1, p,x\n2,q,y\n")
    assert not dialect.blanks
    assert frame["b"].tolist() == [" p", "q"]


def test_blanks_separate_where_nothing_else_does():
    frame, dialect, _, _ = read("11 6  1169 good\n48   12 5951 bad\n", no_header=True)
    assert dialect.separator == " "
    assert frame.to_numpy().tolist() == [[11, 6, 1169, "good"], [48, 12, 5951, "bad"]]


def test_a_column_without_a_name_gets_the_one_that_pandas_gives():
    frame, _, _, _ = read(",a,y\n0,5,x\n1,6,y\n")
    assert frame.columns.tolist() == ["Unnamed: 0", "a", "y"]


@pytest.mark.parametrize("name", sorted(path.name for path in DATA.glob("*.csv.gz")))
def test_the_bundled_tables_are_read_as_pandas_reads_them(name):
    read = read_table(str(DATA / name), Reading())
    expected = pd.read_csv(DATA / name)
    pd.testing.assert_frame_equal(read, expected, check_column_type=False)


def test_columns_may_be_told_to_be_text_or_numbers(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("a;b;c;y\n01;1,5;7;x\n2;k;8;y\n3;2,5;9;x\n")
    table = read_table(str(path), Reading(), text=["c"], numeric=["a", "b"])
    assert table["c"].tolist() == ["7", "8", "9"]
    assert table["a"].tolist() == [1, 2, 3]
    assert table["b"].tolist() == [1.5, "k", 2.5]
    assert "column 'b' has text in 1 row, such as 'k'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("values", "note"),
    [
        (["1", "2", "3", "?"], "has '?' beside numbers; --missing '?' or --numeric 'a'"),
        (["1,500", "2,250", "3"], "its numbers have ',' between digits; --thousands ','"),
        (["1", "x", "y", "z"], None),
        (["p", "q", "r"], None),
    ],
)
def test_numbers_that_a_few_cells_make_text_are_noted(values, note, tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("a;y\n" + "".join(f"{value};{n}\n" for n, value in enumerate(values)))
    read_table(str(path), Reading())
    said = capsys.readouterr().err
    assert ("column 'a'" in said) == (note is not None)
    assert note is None or note in said


def test_a_separator_that_is_the_decimal_sign_is_refused():
    with pytest.raises(CommandError, match="cannot separate columns and be the decimal sign"):
        detect("a,b\n1,2\n", Reading(decimal=","), False, "t")
