"""The code page that a model was learned with counts where the text of a later file does not tell."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from foldse import FoldSEClassifier, load_model
from foldse.persistence import from_json, to_json

from .running import call

# The byte 0xE8 is č in cp1250 and è in cp1252; 0xB3 is ł in cp1250 and ³ in cp1252.
CZECH = "město;y\n" + "Čáslav;yes\nBrno;no\nJičín;no\n" * 10


def saved(tmp_path, text, code_page, *options):
    """Return the model file learned from a text in a code page, and the notes."""
    path = tmp_path / "fit.csv"
    path.write_bytes(text.encode(code_page))
    done = call("fit", path, "-t", "y", "-p", "yes", "--no-score", "-o", tmp_path / "m.json", *options)
    assert done.exit_code == 0, done.stderr
    return tmp_path / "m.json"


def predicted(model, path, text, code_page, *options):
    """Return labels and notes."""
    path.write_bytes(text.encode(code_page))
    done = call("predict", model, path, *options)
    assert done.exit_code == 0, done.stderr
    return done.stdout.split()[1:], done.stderr


def test_few_words_are_read_in_the_code_page_of_the_model(tmp_path):
    model = saved(tmp_path, CZECH, "cp1250", "--encoding", "cp1250")
    assert json.loads(model.read_text(encoding="utf-8"))["code_page"] == "cp1250"
    labels, said = predicted(model, tmp_path / "t.csv", "město;z\nČáslav;1\nBrno;2\n", "cp1250")
    assert labels == ["yes", "no"]
    assert "CSV, cp1250" in said
    assert "the encoding cp1250 is a guess (it reads 'město')" in said
    assert "learned from a file in" not in said


def test_few_words_in_cp1252(tmp_path):
    """As in the issue: the words alone look like windows-1250 to a detector."""
    text = "name;y\n" + "Zoë;yes\nJosé;no\nAnna;no\n" * 3
    model = saved(tmp_path, text, "cp1252")
    assert load_model(model).code_page_ == "cp1252"
    for few in ("name;z\nZoë;1\nAnna;2\n", "name;z\nZoë;1\nJosé;2\n"):
        labels, said = predicted(model, tmp_path / "t.csv", few, "cp1252")
        assert labels == ["yes", "no"]
        assert "CSV, cp1252" in said


def test_cyrillic_of_few_words(tmp_path):
    model = saved(tmp_path, "a;y\n" + "да;yes\nнет;no\n" * 10, "koi8-r", "--encoding", "koi8-r")
    labels, said = predicted(model, tmp_path / "t.csv", "a;z\nда;1\nнет;2\n", "koi8-r")
    assert labels == ["yes", "no"]
    assert "CSV, koi8-r" in said


def test_a_sure_difference_is_said(tmp_path):
    model = saved(tmp_path, CZECH, "cp1250", "--encoding", "cp1250")
    labels, said = predicted(model, tmp_path / "t.csv", "město;z\nČáslav;1\nBrno;2\n", "utf-8")
    assert labels == ["yes", "no"]
    assert "the model was learned from a file in cp1250, and " in said
    assert said.count("t.csv is in utf-8\n") == 1


def test_many_words_tell_another_code_page(tmp_path):
    model = saved(tmp_path, "x;y\n" + "Čáslav;yes\nBrno;no\n" * 10, "cp1250", "--encoding", "cp1250")
    words = (
        "привет мир это очень длинный текст который можно узнать по буквам потому что слов достаточно много "
        "один два три четыре пять шесть семь"
    )
    text = "x;z\n" + "".join(f"{word};1\n" for word in words.split())
    _, said = predicted(model, tmp_path / "t.csv", text, "cp1251")
    assert "the model was learned from a file in cp1250, and " in said
    assert "t.csv is in windows-1251" in said


@pytest.mark.parametrize("page", ["cp1250", "cp1252"])
def test_what_the_user_names_counts(page, tmp_path):
    model = saved(tmp_path, CZECH.replace("město", "x"), "cp1250", "--encoding", "cp1250")
    labels, said = predicted(model, tmp_path / "t.csv", "x;z\nČáslav;1\n", "cp1250", "--encoding", page)
    assert labels == (["yes"] if page == "cp1250" else ["no"])
    assert "learned from" not in said


@pytest.mark.parametrize(
    ("text", "encoding"),
    [("x;y\nü;yes\nb;no\n", "utf-8"), ("x;y\nü;yes\nb;no\n", "utf-16"), ("x;y\na;yes\nb;no\n", "ascii")],
)
def test_files_that_tell_their_encoding_leave_no_code_page(text, encoding, tmp_path):
    model = saved(tmp_path, text, encoding)
    assert "code_page" not in json.loads(model.read_text(encoding="utf-8"))
    assert load_model(model).code_page_ is None


def test_the_code_page_survives_saving_and_goes_with_a_new_fit(tmp_path):
    clf = load_model(saved(tmp_path, CZECH, "cp1250", "--encoding", "cp1250"))
    again = from_json(to_json(clf))
    assert again.code_page_ == "cp1250"
    again.fit(pd.DataFrame({"x": ["a", "b"]}), ["no", "yes"])
    assert again.code_page_ is None
    assert FoldSEClassifier().fit(pd.DataFrame({"x": ["a", "b"]}), ["a", "b"]).code_page_ is None


def test_a_file_that_the_code_page_cannot_read(tmp_path):
    """Ť is a byte that cp1252 does not have: another page is taken, and the difference is said."""
    model = saved(tmp_path, "x;y\n" + "Zoë;yes\nb;no\n" * 3, "cp1252")
    _, said = predicted(model, tmp_path / "t.csv", "x;z\nŤava žlutá;1\n", "cp1250")
    assert "the model was learned from a file in cp1252, and " in said
