"""What the consoles do with text of others."""

import pytest
from rich.table import Table
from rich.text import Text

from experiments.console import err, out, printable, say_error, without_password


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, é, 漢\tand a\nline", "plain text, é, 漢\tand a\nline"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b31m\r\x00\x7f", r"\x9b31m\x0d\x00\x7f"),
    ],
)
def test_control_characters_are_shown_by_their_codes(text, shown):
    assert printable(text) == shown


def test_names_with_brackets_and_escapes_are_printed_as_they_are(capsys):
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_row("[/x] \x1b[2J", "[bold]b\x1b]0;t")
    out().print(table)
    out().print(Text("[dim]\x1b]0;t", style="bold"))
    out().print("[red]\x1b[31mlabel", ":smile:")
    err().print("[/]\x1b")
    say_error("no [bold]\x1b[2J\n  file")

    stdout, stderr = capsys.readouterr()
    lines = [line.rstrip() for line in stdout.splitlines()]
    assert lines == [r"[/x] \x1b[2J  [bold]b\x1b]0;t", r"[dim]\x1b]0;t", r"[red]\x1b[31mlabel :smile:"]
    assert stderr.splitlines() == [r"[/]\x1b", r"error: no [bold]\x1b[2J file"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("no http://me:s3cret@host:5000/x there", "no http://me:***@host:5000/x there"),
        ("postgresql+psycopg2://me:p%40@ss/w@h/db", "postgresql+psycopg2://me:***@h/db"),
        ("https://:token@host", "https://:***@host"),
        ("mysql://h/db?user=me&password=s3cret&x=1", "mysql://h/db?user=me&password=***&x=1"),
        ("sqlite:////a/b.db http://host:5000", "sqlite:////a/b.db http://host:5000"),
        ("http://me@host/a:b", "http://me@host/a:b"),
    ],
)
def test_passwords_of_addresses_are_hidden(text, shown):
    assert without_password(text) == shown
