"""Delimited text: what is detected, what is a number, what is a code, what is missing."""

import contextlib
import io
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from foldse.cli.errors import CommandError
from foldse.cli.files.tables import read_table
from foldse.cli.options import Reading

from .running import DATA


def read(text, written="utf-8", **reading):
    """Return a table read from text, how it was read, and the notes."""
    data = text if isinstance(text, bytes) else text.encode(written)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as said:
        path = Path(folder) / "t.csv"
        path.write_bytes(data)
        frame = read_table(str(path), Reading(**reading)).frame
    how, *notes = [line.removeprefix("foldse: ") for line in said.getvalue().splitlines()]
    return frame, how.partition(": ")[2].partition("; ")[0], notes


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
    frame, how, notes = read(text, encoding)
    assert ("separator tab" if separator == "\t" else f"separator {separator!r}") in how
    assert ("decimal comma" in how) == (decimal == ",")
    assert [note for note in notes if "is a guess" not in note] == []
    assert (notes == []) == (
        encoding != "latin-1"
    )  # a code page has no mark: it is a guess, and said to be one
    pd.testing.assert_frame_equal(frame, table, check_dtype=False, check_column_type=False)
    assert frame["size"].dtype == np.float64


def test_quoted_cells_may_hold_what_separates():
    table = pd.DataFrame({"who": ['Smith, "J"', "Doe; A", "line\nbreak"] * 9, "y": [1, 2, 3] * 9})
    frame, how, _ = read(table.to_csv(index=False))
    assert "separator ','" in how
    assert frame["who"].tolist() == table["who"].tolist()


def test_times_and_dates_do_not_mislead():
    text = "name,when,y\n" + "".join(f"f(x),20:5{n}:06,2019-09-01T19:2{n}:21\n" for n in range(9))
    frame, how, _ = read(text)
    assert "separator ','" in how
    assert frame["when"][3] == "20:53:06"


def test_what_is_given_is_taken():
    text = "a;b,c;d\n1;5,2;x\n2;5,3;y\n"
    frame, how, _ = read(text, separator="comma", encoding="cp1252")
    assert how == "CSV, cp1252, separator ','"
    assert frame.to_dict("list") == {"a;b": ["1;5", "2;5"], "c;d": ["2;x", "3;y"]}


def test_numbers_with_a_comma_for_thousands_are_no_decimals():
    text = "a;y\n1,234;x\n22,500;y\n9,000;x\n"
    frame, how, _ = read(text)
    assert how == "CSV, utf-8, separator ';'"
    assert frame["a"].tolist() == ["1,234", "22,500", "9,000"]
    frame, _, _ = read(text, thousands=",")
    assert frame["a"].tolist() == [1234, 22500, 9000]


def test_a_decimal_comma_and_points_for_thousands():
    frame, _, _ = read("a;y\n1.234,5;x\n22,25;y\n", decimal=",", thousands=".")
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
    frame, _, notes = read(text)
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
    frame, _, _ = read(text)
    assert frame["a"].tolist() == values.tolist()
    swapped = text.replace(",", ";").replace(".", ",")
    assert read(swapped)[0]["a"].tolist() == values.tolist()


def test_what_stands_for_no_value():
    text = "a,b,y\n1,NA,x\n?,k,y\n,None,x\n4,m,z\n"
    frame, _, _ = read(text)
    assert cells(frame, "b") == [None, "k", None, "m"]
    assert cells(frame, "a") == ["1", "?", None, "4"]
    frame, _, _ = read(text, missing=["?"])
    assert cells(frame, "a") == [1, None, None, 4]
    frame, _, _ = read(text, missing=["?", "k"], no_default_missing=True)
    assert cells(frame, "b") == ["NA", None, "None", "m"]
    assert cells(frame, "a") == [1, None, None, 4]


def test_the_blank_after_each_separator_is_no_part_of_the_value():
    frame, how, _ = read("39, State-gov, <=50K\n50, Private, >50K\n", no_header=True)
    assert how == "CSV, utf-8, separator ',' and a blank"
    assert frame.columns.tolist() == ["x0", "x1", "x2"]
    assert frame["x1"].tolist() == ["State-gov", "Private"]
    # Not everywhere: then it is one.
    frame, how, _ = read("a,b,y\n1, p,x\n2,q,y\n")
    assert how == "CSV, utf-8, separator ','"
    assert frame["b"].tolist() == [" p", "q"]


def test_blanks_separate_where_nothing_else_does():
    frame, how, _ = read("11 6  1169 good\n48   12 5951 bad\n", no_header=True)
    assert how == "CSV, utf-8, separator blanks"
    assert frame.to_numpy().tolist() == [[11, 6, 1169, "good"], [48, 12, 5951, "bad"]]


def test_a_column_without_a_name_gets_the_one_that_pandas_gives():
    frame, _, _ = read(",a,y\n0,5,x\n1,6,y\n")
    assert frame.columns.tolist() == ["Unnamed: 0", "a", "y"]


@pytest.mark.parametrize("name", sorted(path.name for path in DATA.glob("*.csv.gz")))
def test_the_bundled_tables_are_read_as_pandas_reads_them(name):
    read = read_table(str(DATA / name), Reading()).frame
    expected = pd.read_csv(DATA / name)
    pd.testing.assert_frame_equal(read, expected, check_column_type=False)


def test_columns_may_be_told_to_be_text_or_numbers(tmp_path, capsys):
    path = tmp_path / "t.csv"
    path.write_text("a;b;c;y\n01;1,5;7;x\n2;k;8;y\n3;2,5;9;x\n")
    table = read_table(str(path), Reading(), text=["c"], numeric=["a", "b"]).frame
    assert table["c"].tolist() == ["7", "8", "9"]
    assert table["a"].tolist() == [1, 2, 3]
    assert table["b"].tolist() == [1.5, "k", 2.5]
    assert "column 'b' has text in 1 row, such as 'k'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("values", "note"),
    [
        (["1", "2", "3", "?"], "has '?' beside numbers; --missing '?' or --numeric 'a'"),
        (
            ["1,500", "2,250", "3"],
            "as it has '1,500'; --thousands ',' or --decimal ',' makes such values numbers",
        ),
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


def test_decimal_commas_in_quotes_between_commas():
    text = 'a,b,y\n1,"1,50",no\n2,"2,75",yes\n'
    for given in ({}, {"decimal": ","}):
        frame, how, notes = read(text, **given)
        assert how == "CSV, utf-8, separator ',', decimal comma"
        assert frame["b"].tolist() == [1.5, 2.75]
        assert notes == []


@pytest.mark.parametrize(
    ("cells", "options", "numbers"),
    [
        (["1.234,56", "7"], {"decimal": ",", "thousands": "."}, [1234.56, 7]),
        (["$10.00", "$1,250.50"], {"strip": ["$"], "thousands": ","}, [10, 1250.5]),
        (["-$3", "4 $"], {"strip": ["$"]}, [-3, 4]),
        (["3%", "2.5 %"], {"strip": ["%"]}, [3, 2.5]),
        (["1 234", "1\u00a0234\u202f567"], {"thousands": " "}, [1234, 1234567]),
        (["1'234", "1\u2019234"], {"thousands": "'"}, [1234, 1234]),
        (["\u22125", "5"], {}, [-5, 5]),
    ],
)
def test_numbers_as_people_write_them(cells, options, numbers):
    text = "a|y\n" + "".join(f"{cell}|{row}\n" for row, cell in enumerate(cells))
    frame, _, notes = read(text, separator="|", **options)
    assert frame["a"].tolist() == numbers
    assert notes == []
    if options:  # without them the column is text, and the note says which options read it
        frame, _, notes = read(text, separator="|", decimal=".")
        assert frame["a"].tolist() == cells
        [note] = notes
        assert "column 'a' is text" in note
        for option, value in options.items():
            for given in value if isinstance(value, list) else [value]:
                assert f"--{option} {given!r}" in note


def test_a_group_has_three_digits():
    """Otherwise 1.50 would be 150."""
    frame, _, notes = read("a;y\n1.234;x\n1.50;y\n", thousands=".", decimal=",")
    assert frame["a"].tolist() == ["1.234", "1.50"]
    assert "column 'a' is text" in notes[0]


def test_dates_are_noted():
    frame, _, notes = read("when,y\n2024-01-05,a\n2024-02-05 10:30,b\n")
    assert frame["when"].tolist() == ["2024-01-05", "2024-02-05 10:30"]
    assert notes[0].startswith("column 'when' has dates, each of them a category of its own")


def test_a_decimal_sign_that_separates_thousands_is_refused():
    with pytest.raises(CommandError, match="is the decimal sign and cannot separate thousands"):
        read("a;b\n1,5;x\n2,5;y\n", thousands=",")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark(encoding):
    frame, how, _ = read("a,y\n1,Łódź\n2,b\n", encoding)
    assert how == f"CSV, {encoding}, separator ','"
    assert frame["y"].tolist() == ["Łódź", "b"]


@pytest.mark.parametrize(
    "text", ["a 3583,9 x\nb 3272,815 y\n", "green 683€ 3583,9€\nblue 975€ 3272,815€\n", "1,5 2,5\n3,5 4,25\n"]
)
def test_decimal_commas_between_blanks_are_not_split_at_the_comma(text):
    with pytest.raises(CommandError, match="can be split at ',' or ' '; give --separator"):
        read(text, no_header=True)
    frame, _, _ = read(text, no_header=True, separator="space")
    assert frame.shape[1] == len(text.split("\n")[0].split())


@pytest.mark.parametrize("text", ["New York,1\nLos Angeles,2\n", "a b,1,2\nc d,3,4\n", "Smith, J\nDoe, A\n"])
def test_blanks_in_text_leave_commas_as_separators(text):
    frame, how, _ = read(text, no_header=True)
    assert "separator ','" in how
    assert frame.shape == (2, text.split("\n")[0].count(",") + 1)


def test_a_separator_that_is_the_decimal_sign_needs_quotes():
    with pytest.raises(
        CommandError, match="',' cannot be the separator and the decimal sign in a file without"
    ):
        read("x,3233,5\n", no_header=True, separator=",", decimal=",", quote="none")
    frame, _, _ = read('a,b\n"1,5",2\n', separator=",", decimal=",")
    assert frame["a"].tolist() == [1.5]


def test_a_nul_is_refused():
    with pytest.raises(CommandError, match="has a NUL character in line 2"):
        read(b"a,y\n1,\x00\n2,b\x00\n3")


def test_with_few_accents_the_common_code_page_wins_and_is_said_to_be_a_guess():
    frame, how, notes = read("name,y\nJos\u00e9,1\nZo\u00eb,2\n", "cp1252")
    assert how == "CSV, cp1252, separator ','"
    assert frame["name"].tolist() == ["José", "Zoë"]
    assert notes == ["the encoding cp1252 is a guess (it reads 'José'); --encoding names another"]


def test_polish_with_many_accents_is_told_from_french():
    words = [
        "żółw",
        "łódź",
        "gęś",
        "ćma",
        "świat",
        "źdźbło",
        "książę",
        "pięść",
        "wąż",
        "żaba",
        "miłość",
        "radość",
        "wieś",
        "ściana",
        "łąka",
        "mąka",
        "dąb",
        "ząb",
        "kąt",
        "ślad",
    ]
    text = "name,y\n" + "".join(f"{word},{row}\n" for row, word in enumerate(words * 2))
    frame, _, _ = read(text, "cp1250")
    assert frame["name"].tolist() == words * 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a,b\n1,"big\n2,x\n3,small"\n4,y\n', "line 2: a quote encloses 3 lines that look like rows"),
        ('a,b\n1,"big\n2,"small\n4,y\n', "text follows a closing quote in the row of line 2"),
        ('a,b\n1,"big\n2,x\n', "a quote is not closed in the row of line 2"),
        ('a,b\n1,x\n2,"y" z\n', "text follows a closing quote in the row of line 3"),
        ("a,b\n'tis,x\nthe 80',y\nz,w\n", "a quote encloses 2 lines that look like rows; give --quote none"),
        ("a,b\n1,x\n2\n", "line 3 has 1 cell and the first line 2"),
        ("a,b\n1,x\n2,y,z\n", "line 3 has 3 cells and the first line 2"),
        (
            "My export\n\na;b\n1;2\n3;4\n",
            "line 3 has 2 cells and the first line 1; name all columns, or give --skip-lines",
        ),
        (
            "My export;;\na;b;c\n1;2;3\n",
            "the first line has no name for column 2; name it, or give --skip-lines",
        ),
        ("# made today\na,b\n1,2\n", "begins with '#': give --skip-lines 1"),
        ("a;b,c\nx;y,z\n", "can be split at ',' or ';'; give --separator"),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(text, message):
    with pytest.raises(CommandError) as error:
        read(text)
    assert message in str(error.value)


def test_quotes_that_are_part_of_the_text():
    frame, how, _ = read('a,b\n1,"big\n2,x\n3,small"\n', quote="none")
    assert frame["b"].tolist() == ['"big', "x", 'small"']
    assert how.endswith("no quotes")


def test_a_cell_with_line_breaks_that_look_like_rows_can_be_meant():
    frame, _, _ = read('a,b\n1,"big\n2,x\n3,small"\n4,y\n', quote='"')
    assert frame["b"].tolist() == ["big\n2,x\n3,small", "y"]


def test_lines_before_the_names_are_skipped():
    text = "# made today\nMy export\na;b\n1;2\n3;4\n"
    assert read(text, skip_lines=2)[0].to_dict("list") == {"a": [1, 3], "b": [2, 4]}
    assert read("#,b\n1,2\n", skip_lines=0)[0].columns.tolist() == ["#", "b"]
    frame, how, _ = read("sep=|\r\na|b;c\r\n1|2\r\n")
    assert (how, frame.to_dict("list")) == ("CSV, utf-8, separator '|'", {"a": [1], "b;c": [2]})


def test_a_first_line_that_looks_like_a_row_is_noted():
    for text in ("39,2.5\n40,3.5\n", "x,p\ny,p\nx,q\n"):
        assert "was read as the names of the columns; --no-header if it is a row" in read(text)[2][0]
    assert read("0,1\n5,6\n")[2] == []  # places


def test_a_file_of_one_column():
    frame, how, notes = read("city\nNew York\nBonn\n\nKöln\n")
    assert how == "CSV, utf-8, one column"
    assert cells(frame, "city") == ["New York", "Bonn", None, "Köln"]
    assert notes == ["1 empty line read as 1 row without a value"]
    frame, _, _ = read("city\nBonn, Beuel\nKöln\n", separator="none")
    assert frame["city"].tolist() == ["Bonn, Beuel", "Köln"]


def test_empty_lines_among_rows_are_skipped_and_counted():
    frame, _, notes = read("\na,b\n1,2\n\n  \n3,4\n\n")
    assert frame.to_dict("list") == {"a": [1, 3], "b": [2, 4]}
    assert notes == ["skipped 2 empty lines"]


def test_single_quotes_and_backslashes():
    frame, how, _ = read("'a','b'\n'x, y','z'\n'it''s','w'\n")
    assert how.endswith("quotes '")
    assert frame["a"].tolist() == ["x, y", "it's"]
    frame, _, _ = read("'a' 'b'\n'the \"big\" one' 2\n'z' 3\n")
    assert frame.to_dict("list") == {"a": ['the "big" one', "z"], "b": [2, 3]}
    frame, _, _ = read("'a' 'total, net' 'c'\n'x' 2,5 'y'\n'z' 3,5 'w'\n")
    assert frame.to_dict("list") == {"a": ["x", "z"], "total, net": [2.5, 3.5], "c": ["y", "w"]}
    frame, _, _ = read('a b\n"\\"tab\there\\"" 1\nx   2\n')
    assert frame.to_dict("list") == {"a": ['"tab\there"', "x"], "b": [1, 2]}
    frame, _, _ = read('a,b\n"say \\"hi\\"",x\n')
    assert frame["a"].tolist() == ['say "hi"']
    frame, _, _ = read("a,b\n'tis,x\nO'Neil,y\nz,w\n")
    assert frame["a"].tolist() == ["'tis", "O'Neil", "z"]


def test_a_column_declared_numeric_without_a_number_is_an_error(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a;y\n1,000;x\n2,500;z\n")
    with pytest.raises(CommandError) as error:
        read_table(str(path), Reading(), numeric=["a"])
    assert str(error.value).startswith("--numeric 'a': no value is a number, such as '1,000', '2,500'; --")
    # What a model knows as numbers may be text in all rows of a file to predict.
    read_table(str(path), Reading(), numeric=["a"], required=False)
