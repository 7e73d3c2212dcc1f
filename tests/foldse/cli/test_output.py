"""Results that cannot be written, files that must survive, and control characters that reach no terminal."""

import gzip
import json
import os
import pty
import stat
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from foldse import load_model
from foldse.cli.errors import CommandError
from foldse.cli.messages import visible
from foldse.cli.output import as_json_text, write

from .running import call, people, run

ESCAPE = "\x1b]0;owned\x07\x1b[2J"


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    """Return a file of people and a model learned from it."""
    folder = tmp_path_factory.mktemp("learned")
    people().to_csv(folder / "people.csv", index=False)
    assert (
        call("fit", folder / "people.csv", "-t", "buys", "--no-score", "-o", folder / "m.json").exit_code == 0
    )
    return folder / "people.csv", folder / "m.json"


def test_a_symbolic_link_is_followed_and_the_mode_is_kept(tmp_path):
    real, link = tmp_path / "real.txt", tmp_path / "link.txt"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert stat.S_IMODE(real.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "real.txt"]


def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    reader = subprocess.Popen(["cat", str(path)], stdout=subprocess.PIPE)
    write(path, b"through")
    assert reader.communicate(timeout=20)[0] == b"through"
    assert stat.S_ISFIFO(path.stat().st_mode)


def test_the_null_device_stays_a_device(learned):
    data, _ = learned
    before = os.stat(os.devnull)
    done = call("fit", data, "-t", "buys", "--no-score", "-o", os.devnull)
    assert done.exit_code == 0
    assert os.stat(os.devnull).st_rdev == before.st_rdev
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize("command", ["fit", "predict", "export"])
def test_a_folder_as_output_is_one_line_and_leaves_no_part(command, learned, tmp_path):
    data, model = learned
    words = {
        "fit": ["fit", data, "-t", "buys", "--no-score"],
        "predict": ["predict", model, data],
        "export": ["export", model, "--to", "prolog"],
    }[command]
    (tmp_path / "out").mkdir()
    done = call(*words, "-o", tmp_path / "out")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == f"foldse: error: {tmp_path / 'out'} is a folder; name a file in it"
    assert [path.name for path in tmp_path.rglob("*")] == ["out"]


def test_a_folder_that_is_not_there_and_a_folder_as_input(tmp_path):
    with pytest.raises(CommandError, match=r"cannot write .*nowhere/x: No such file or directory"):
        write(tmp_path / "nowhere" / "x", b"")
    done = call("fit", tmp_path, "-t", "y")
    assert done.stderr == f"foldse: error: {tmp_path} is a folder; name a file in it\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device here")
def test_a_full_device_is_one_line(learned):
    data, model = learned
    for words in (["show", model], ["predict", model, data]):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "foldse", *map(str, words), "-q"],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                timeout=300,
                check=False,
            )
        assert done.returncode == 1
        assert done.stderr == "foldse: error: cannot write to standard output: No space left on device\n"


def test_a_pipe_with_an_8_bit_code_page_gets_all_rows_or_none(tmp_path):
    table = pd.DataFrame({"x": range(40), "y": ["a", "Łódź"] * 20})
    table.assign(x=[row % 2 for row in range(40)]).to_csv(tmp_path / "t.csv", index=False)
    assert call("fit", tmp_path / "t.csv", "-t", "y", "--no-score", "-o", tmp_path / "m.json").exit_code == 0
    done = run("predict", tmp_path / "m.json", tmp_path / "t.csv", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stdout) == (1, "")
    assert "standard output is iso8859-1 and has no '\\u0141'; set PYTHONIOENCODING=utf-8" in done.stderr


def test_compressed_labels_are_the_same_bytes_each_time(learned, tmp_path):
    data, model = learned
    written = []
    for name in ("a.csv.gz", "b.csv.gz"):
        assert call("predict", model, data, "-o", tmp_path / name).exit_code == 0
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1]
    assert gzip.decompress(written[0]).decode().splitlines()[0] == "prediction"


def test_kept_columns_are_as_the_file_has_them(learned, tmp_path):
    _, model = learned
    table = people().astype(object).assign(price=["1.10", "007"] * 30, prediction="mine")
    table.to_csv(tmp_path / "t.csv", index=False)
    done = call("predict", model, tmp_path / "t.csv", "--keep", "price", "--keep", "age")
    lines = done.stdout.splitlines()
    assert lines[0] == "price,age,prediction"
    assert [line.split(",")[0] for line in lines[1:3]] == ["1.10", "007"]
    done = call("predict", model, tmp_path / "t.csv", "--keep", "prediction")
    assert done.exit_code == 1
    assert "--keep 'prediction': the result has a column of this name, too" in done.stderr


def test_control_characters_are_written_out():
    assert visible(f"a{ESCAPE}b\x9bc\u202ed\r\n\te") == "a\\x1b]0;owned\\x07\\x1b[2Jb\\x9bc\\u202ed\\r\n\te"
    text = as_json_text({"a": "\x1b[2J\x9b\x7f", "b": np.nan, "c": [float("nan"), 1.5]})
    assert not set(text) & {"\x1b", "\x9b", "\x7f"}
    assert json.loads(text) == {"a": "\x1b[2J\x9b\x7f", "b": None, "c": [None, 1.5]}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """Return a file whose names, values and labels have escape sequences, and its model."""
    folder = tmp_path_factory.mktemp("hostile")
    label, value = f"bad{ESCAPE}", f"v{ESCAPE}"
    rows = [(value, 1, label) if row % 3 else ("w", 2, "good") for row in range(30)]
    pd.DataFrame(rows, columns=["kind", f"n{ESCAPE}", "y"]).to_csv(folder / "t.csv", index=False)
    assert call("fit", folder / "t.csv", "-t", "y", "-o", folder / "m.json").exit_code == 0
    return folder / "t.csv", folder / "m.json"


@pytest.mark.parametrize(
    "words",
    [
        ["fit", "DATA", "-t", "y"],
        ["fit", "DATA", "-t", "y", "--json"],
        ["show", "MODEL"],
        ["evaluate", "MODEL", "DATA", "-t", "y"],
        ["explain", "MODEL", "DATA", "-r", "0", "-c"],
        ["explain", "MODEL", "DATA", "-r", "0", "--format", "english"],
        ["fit", "DATA", "-t", "zzz"],
        ["fit", "DATA", "-t", "y", "-p", "zzz"],
    ],
)
def test_no_escape_sequence_reaches_a_reader_raw(words, hostile):
    data, model = hostile
    done = call(*[{"DATA": data, "MODEL": model}.get(word, word) for word in words])
    assert not {"\x1b", "\x07"} & {*done.stdout, *done.stderr}
    assert "x1b" in done.stdout + done.stderr or "u001b" in done.stdout


def test_predictions_are_raw_in_a_file_and_written_out_on_a_terminal(hostile):
    data, model = hostile
    done = call("predict", model, data)
    assert f"bad{ESCAPE}" in done.stdout
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "foldse", "predict", str(model), str(data), "-q"], stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 65536):
            seen += part
    except OSError:  # the terminal is closed
        pass
    os.close(ours)
    assert process.wait(60) == 0
    assert b"bad\\x1b]0;owned" in seen
    assert b"\x1b]0" not in seen
    assert load_model(model).classes_.tolist() == [f"bad{ESCAPE}", "good"]
