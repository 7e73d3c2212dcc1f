"""Fetching data files, against a real HTTP server on this machine that misbehaves on request."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import threading
import time
import tracemalloc
import zipfile
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from omegaconf import OmegaConf
from rich.console import Console
from rich.progress import Progress

from experiments import fetch
from experiments.config import compose
from experiments.data.config import DataError, DatasetConfig, read
from experiments.data.download import (
    DownloadError,
    Downloads,
    git_blob_hash,
    unzip,
    weather,
)
from experiments.data.load import load
from experiments.fetch import Bar

DATA = Path(os.environ.get("FOLDSE_DATA", "/nowhere"))
needs_data = pytest.mark.skipif("FOLDSE_DATA" not in os.environ, reason="FOLDSE_DATA is not set")

TABLE = b"a,b,label\n" + b"".join(
    b"%d,x%d,%s\n" % (i, i % 7, b"yes" if i % 3 else b"no") for i in range(20000)
)
ADDRESS = "https://raw.githubusercontent.com/owner/repo/0123abc/toy.csv"
PATH = "/owner/repo/0123abc/toy.csv"


class Server:
    """Serves `files`; what else it does is set per test.

    Attributes
    ----------
    files : dict of str to bytes
    cuts : int
        How many of the next answers stop in the middle.
    statuses : list of int
        Answers of the next requests, errors only.
    silence : float
        Seconds before each answer.
    stall : float
        Seconds from the middle of a file to the end of the connection.
    log : list of str
        The paths that were asked for.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cuts = 0
        self.statuses: list[int] = []
        self.silence = 0.0
        self.stall = 0.0
        self.log: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.answer(self)

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.http.block_on_close = False
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        self.log.append(request.path)
        time.sleep(self.silence)
        if self.statuses:
            return request.send_error(self.statuses.pop(0))
        content = self.files.get(request.path)
        if content is None:
            return request.send_error(404)
        request.send_response(200)
        request.send_header("Content-Length", str(len(content)))
        request.end_headers()
        end = len(content)
        if self.cuts:
            self.cuts -= 1
            end //= 2
        with contextlib.suppress(OSError):  # the client may have had enough
            request.wfile.write(content[:end])
            if end < len(content):
                time.sleep(self.stall)


@pytest.fixture
def server(monkeypatch):
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(name, "127.0.0.1")  # a proxy of this machine is no part of the tests
    made = Server()
    made.files[PATH] = TABLE
    yield made
    made.http.shutdown()
    made.http.server_close()


@pytest.fixture
def downloads(server, tmp_path):
    return Downloads(tmp_path / "cache", server.url, timeout=5, retries=1)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def toy(**changes):
    return {
        "id": "toy",
        "source": "download",
        "file": "toys/toy.csv",
        "sha256": digest(TABLE),
        "label": "label",
        "target": "fate",
        "positive": "yes",
        "numeric": ["a"],
        "categorical": ["b"],
        "address": ADDRESS,
        **changes,
    }


def files(folder: Path) -> list[str]:
    """All that is left in a folder, hidden files too."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_file_is_fetched_once_and_then_cached(server, downloads):
    with Progress(console=Console(file=io.StringIO())) as progress:
        task = progress.add_task("toy", total=None)
        first = load(toy(), None, replace(downloads, bar=Bar(progress, task)))
        assert progress.tasks[0].completed == progress.tasks[0].total == len(TABLE)
    assert len(first.X) == 20000
    assert first.source == "toys/toy.csv"
    assert server.log == [PATH]
    assert files(downloads.cache) == ["toys/toy.csv"]

    assert read(DatasetConfig.from_mapping(toy()), None, downloads) == ("cached", TABLE)
    assert load(toy(), None, downloads).digest == first.digest
    assert len(server.log) == 1


def test_the_users_folder_comes_first_and_is_left_alone(server, downloads, tmp_path):
    (tmp_path / "mine" / "toys").mkdir(parents=True)
    (tmp_path / "mine" / "toys" / "toy.csv").write_bytes(TABLE)
    assert read(DatasetConfig.from_mapping(toy()), tmp_path / "mine", downloads)[0] == "in your folder"

    (tmp_path / "mine" / "toys" / "toy.csv").write_bytes(TABLE[:-1])
    with pytest.raises(DataError, match=r"toy.csv \(in your folder\) has SHA-256") as caught:
        load(toy(), tmp_path / "mine", downloads)
    assert caught.value.status == "wrong checksum"
    assert server.log == []
    # A folder without the file is passed over.
    assert read(DatasetConfig.from_mapping(toy()), tmp_path / "empty", downloads)[0] == "ok"


def test_nothing_is_fetched_unless_asked(server, downloads):
    with pytest.raises(DataError, match=r"no data folder is set; .*FOLDSE_DATA.*experiments\.fetch"):
        load(toy())
    with pytest.raises(DataError, match=r"no file toys/toy\.csv") as caught:
        load(toy(source="file"), None, downloads)
    assert caught.value.status == "missing"
    assert server.log == []


@pytest.mark.parametrize("sha256", [digest(TABLE), None])
def test_a_transfer_that_was_cut_is_repeated(server, downloads, sha256):
    server.cuts = 1
    assert load(toy(sha256=sha256), None, downloads).X.shape == (20000, 2)
    assert server.log == [PATH, PATH]
    assert (downloads.cache / "toys" / "toy.csv").read_bytes() == TABLE
    assert files(downloads.cache) == ["toys/toy.csv"]


def test_a_connection_that_is_always_cut_leaves_nothing(server, downloads):
    server.cuts = 99
    with pytest.raises(DataError, match="the connection was cut") as caught:
        load(toy(), None, downloads)
    assert caught.value.status == "unreachable"
    assert len(server.log) == 2
    assert files(downloads.cache) == []


def test_a_busy_server_is_asked_again(server, downloads):
    server.statuses = [503]
    assert read(DatasetConfig.from_mapping(toy()), None, downloads)[0] == "ok"
    assert len(server.log) == 2


def test_a_file_with_a_wrong_checksum_is_not_kept(server, downloads):
    server.files[PATH] = b"<html>please log in</html>"
    with pytest.raises(DataError) as caught:
        load(toy(), None, downloads)
    message = str(caught.value)
    assert caught.value.status == "wrong checksum"
    assert "\n" not in message
    for part in ("data set toy: no file toys/toy.csv", f"{server.url}{PATH}", "wrong SHA-256", "paths.data="):
        assert part in message
    assert "FOLDSE_DATA" in message
    assert "dataset.verify=false" in message
    assert files(downloads.cache) == []

    server.files[PATH] = TABLE[: len(TABLE) // 2].rsplit(b"\n", 1)[0]
    assert 9000 < len(load(toy(verify=False), None, downloads).X) < 12000
    # The cache does not pass it off as the right one later.
    server.files[PATH] = TABLE
    assert len(load(toy(), None, downloads).X) == 20000


def test_a_page_that_does_not_exist_is_not_asked_for_twice(server, downloads):
    del server.files[PATH]
    with pytest.raises(DataError) as caught:
        load(toy(origin="a far country"), None, downloads)
    assert caught.value.status == "unreachable"
    for part in ("toys/toy.csv", "HTTP 404", "paths.data=", "FOLDSE_DATA", "paths.mirror=", "a far country"):
        assert part in str(caught.value)
    assert len(server.log) == 1
    assert files(downloads.cache) == []


def test_a_silent_server_is_given_up(server, downloads):
    server.silence = 2
    hasty = replace(downloads, timeout=0.1, retries=0)
    begun = time.perf_counter()
    with pytest.raises(DataError, match=r"no answer for 0\.1 s") as caught:
        load(toy(), None, hasty)
    assert caught.value.status == "unreachable"
    assert time.perf_counter() - begun < 1.5
    assert len(server.log) == 1


def test_a_server_that_falls_silent_in_the_middle(server, downloads):
    server.cuts, server.stall = 99, 2
    hasty = replace(downloads, timeout=0.2, retries=0)
    begun = time.perf_counter()
    with pytest.raises(DownloadError, match=r"no answer for 0\.2 s"):
        hasty.get("again.csv", ADDRESS)
    assert time.perf_counter() - begun < 1.5
    assert files(downloads.cache) == []


def test_a_server_that_is_not_there(server, downloads):
    server.http.shutdown()
    server.http.server_close()
    with pytest.raises(DownloadError, match="no connection") as caught:
        downloads.get("toy.csv", ADDRESS)
    assert caught.value.status == "unreachable"


def test_a_cache_that_cannot_be_written(server, tmp_path):
    (tmp_path / "cache").write_text("a file, not a folder")
    with pytest.raises(DataError, match=r"paths\.cache=<folder>"):
        load(toy(), None, Downloads(tmp_path / "cache", server.url, retries=0))


@pytest.mark.parametrize(
    ("mirror", "url"),
    [
        (None, ADDRESS),
        ("http://10.0.0.5:8000", f"http://10.0.0.5:8000{PATH}"),
        ("https://host/copies/", f"https://host/copies{PATH}"),
    ],
)
def test_a_mirror_replaces_the_host(mirror, url, tmp_path):
    assert Downloads(tmp_path, mirror).url(ADDRESS) == url


def test_cache_and_mirror_come_from_the_config(monkeypatch, tmp_path):
    monkeypatch.setenv("FOLDSE_CACHE", str(tmp_path))
    monkeypatch.setenv("FOLDSE_MIRROR", "http://host")
    made = Downloads.from_config(compose().paths)
    assert (made.cache, made.mirror) == (tmp_path, "http://host")
    made = Downloads.from_config(compose(["paths.cache=/elsewhere", "paths.mirror=null"]).paths)
    assert (made.cache, made.mirror) == (Path("/elsewhere"), None)
    monkeypatch.delenv("FOLDSE_CACHE")
    assert Downloads.from_config(compose().paths).cache.name == "foldse"


# What is made of a download.

WEATHER = (
    "Date,Location,MinTemp,RISK_MM,RainTomorrow\n2008-12-01,Albury,13.40,0,No\n2009-02-11,Uluru,NA,3.6,Yes\n"
)
RAIN = b"Month,Day,Location,MinTemp,RainTomorrow\n12,1,Albury,13.40,No\n2,11,Uluru,NA,Yes\n"


def zipped(*members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return buffer.getvalue()


def test_rain_is_made_of_the_weather():
    assert weather(WEATHER.encode()) == RAIN
    assert weather(b"\xef\xbb\xbf" + WEATHER.replace("\n", "\r\n").encode()) == RAIN
    assert weather(zipped(("weatherAUS.csv", WEATHER.encode()), ("__MACOSX/._weatherAUS.csv", b""))) == RAIN
    assert weather(RAIN) == RAIN


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (zipped(("a.csv", b"1"), ("b.csv", b"2")), "2 CSV files"),
        (zipped(("a.txt", b"1")), "0 CSV files"),
        (zipped(("a.csv", TABLE))[:-40], "damaged archive"),
    ],
)
def test_archives_that_are_no_data_set(content, message):
    with pytest.raises(ValueError, match=message):
        unzip(content)


def test_an_archive_is_unpacked_before_it_gets_its_name(server, downloads):
    cfg = DatasetConfig.from_mapping(toy(derive="weather", sha256=digest(RAIN)))
    server.files[PATH] = zipped(("weatherAUS.csv", WEATHER.encode()))
    server.cuts = 1
    assert read(cfg, None, downloads) == ("ok", RAIN)
    assert files(downloads.cache) == ["toys/toy.csv"]
    assert (downloads.cache / "toys" / "toy.csv").read_bytes() == RAIN
    assert read(cfg, None, downloads) == ("cached", RAIN)


def test_an_archive_writes_nothing_beside_its_own_file(server, downloads, tmp_path):
    cfg = DatasetConfig.from_mapping(toy(derive="unzip"))
    server.files[PATH] = zipped(("../../../evil.csv", TABLE))
    assert read(cfg, None, downloads) == ("ok", TABLE)
    assert files(tmp_path) == ["cache/toys/toy.csv"]


@pytest.mark.parametrize("form", ["zip", "gz"])
def test_what_unpacks_without_end_is_given_up(server, downloads, tmp_path, monkeypatch, form):
    monkeypatch.setattr("experiments.data.download.LARGEST_UNPACKED", 1 << 20)
    bomb = b"0" * (50 << 20)
    packed = zipped(("w.csv", bomb)) if form == "zip" else gzip.compress(bomb)
    changes = {"derive": "unzip"} if form == "zip" else {"source": "file", "file": "toy.csv.gz"}
    (tmp_path / "toy.csv.gz").write_bytes(packed)
    server.files[PATH] = packed
    tracemalloc.start()
    with pytest.raises(DataError, match=r"it unpacks to more than 1 MB: unpack it yourself"):
        load(toy(**changes), tmp_path, downloads)
    assert tracemalloc.get_traced_memory()[1] < 10 << 20
    tracemalloc.stop()


@pytest.mark.parametrize("file", ["../toy.csv", "toys/../../toy.csv", "/toy.csv"])
@pytest.mark.parametrize("source", ["download", "file", "bundled"])
def test_a_file_stays_below_its_folder(server, downloads, tmp_path, file, source):
    (tmp_path / "toy.csv").write_bytes(TABLE)
    with pytest.raises(DataError, match=r"dataset\.file=\S+ leaves the data folder; .*paths\.data"):
        load(toy(file=file, source=source), tmp_path / "mine", downloads)
    assert server.log == []
    assert files(tmp_path) == ["toy.csv"]


@pytest.mark.parametrize(
    "sent",
    [zipped(("w.csv", WEATHER.replace("Uluru", "Ayers Rock").encode())), zipped(("w.csv", TABLE))[:-9]],
)
def test_an_archive_with_something_else_leaves_nothing(sent, server, downloads):
    server.files[PATH] = sent
    with pytest.raises(DataError) as caught:
        load(toy(derive="weather", sha256=digest(RAIN)), None, downloads)
    assert caught.value.status == "wrong checksum"
    assert "\n" not in str(caught.value)
    assert files(downloads.cache) == []


@needs_data
@pytest.mark.data
def test_the_rain_archive_gives_the_rain_table_to_the_byte(server, downloads):
    cfg = compose(["dataset=rain"]).dataset
    path = cfg.address.removeprefix("https://raw.githubusercontent.com")
    server.files[path] = zipped(("weatherAUS.csv", (DATA / "rain" / "weatherAUS.csv").read_bytes()))
    status, content = read(DatasetConfig.from_mapping(cfg), None, downloads)
    assert status == "ok"
    assert digest(content) == cfg.sha256
    assert read(DatasetConfig.from_mapping(cfg), DATA, downloads) == ("in your folder", content)


@needs_data
@pytest.mark.data
def test_the_shorter_rain_archive_gives_the_rain_file_to_the_byte(server, downloads):
    """Go back from the table to an archive of Kaggle's form, and serve that."""
    header, *rows = (DATA / "rain" / "rain.csv").read_text().splitlines()
    lines = [header.replace("Month,Day", "Date").replace(",RainTomorrow", ",RISK_MM,RainTomorrow")]
    for row in rows:
        month, day, rest = row.split(",", 2)
        values, label = rest.rsplit(",", 1)
        lines.append(f"2010-{int(month):02}-{int(day):02},{values},0.0,{label}")
    cfg = compose(["dataset=rain_142193"]).dataset
    path = cfg.address.removeprefix("https://raw.githubusercontent.com")
    server.files[path] = zipped(("weatherAUS.csv", ("\r\n".join(lines) + "\r\n").encode()))
    status, content = read(DatasetConfig.from_mapping(cfg), None, downloads)
    assert status == "ok"
    assert digest(content) == cfg.sha256


# Parkinson, whose file is known by git's blob hash alone.


def speech(rows: int = 756, features: int = 752) -> bytes:
    """Return a table of the shape of the paper's parkinson file: id, gender, features, class."""
    numbers = np.random.default_rng(0).normal(size=(rows, features)).round(4)
    lines = [",".join(["id", "gender", *(f"f{i}" for i in range(features)), "class"])]
    lines += [
        ",".join([str(row // 3), str(row % 2), *map(str, numbers[row]), str(int(row % 4 > 0))])
        for row in range(rows)
    ]
    return ("\n".join(lines) + "\n").encode()


def test_the_blob_hash_is_that_of_git():
    # echo "hello world" | git hash-object --stdin
    assert git_blob_hash(b"hello world\n") == "3b18e512dba79e4c8300dd08aeb37f8e728b8dad"


def test_parkinson_is_fetched_checked_by_its_blob_hash_and_read(server, downloads, tmp_path):
    content = speech()
    cfg = OmegaConf.to_container(compose(["dataset=parkinson"]).dataset)
    path = cfg["address"].removeprefix("https://raw.githubusercontent.com")
    server.files[path] = content
    with pytest.raises(DataError, match="has the wrong git blob hash") as caught:
        load(cfg, None, downloads)
    assert caught.value.status == "wrong checksum"
    assert files(downloads.cache) == []

    cfg["git_blob"] = git_blob_hash(content)
    asked = len(server.log)
    data = load(cfg, None, downloads)
    assert data.X.shape == (756, 753)
    assert data.categorical == ("gender",)
    assert (data.published_rows, data.published_columns) == (756, 754)
    assert data.positive == "1"
    assert load(cfg, None, downloads).digest == data.digest
    assert len(server.log) == asked + 1  # the second time it is in the cache

    cfg["git_blob"] = "0" * 40
    (tmp_path / "parkinson").mkdir()
    (tmp_path / "parkinson" / "pd_speech_features.csv").write_bytes(content)
    own = load(cfg, tmp_path)
    assert own.digest == data.digest
    assert any("is another file than the authors' (git blob 000000000000)" in note for note in own.notes)


def test_a_file_in_the_cache_with_another_blob_hash_is_fetched_anew(server, downloads):
    server.files[PATH] = b"a,b,label\n1,x,yes\n2,y,no\n"
    cfg = DatasetConfig.from_mapping(toy(sha256=None, git_blob=git_blob_hash(server.files[PATH])))
    kept = downloads.cache / cfg.file
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(b"damaged")

    assert read(cfg, None, downloads) == ("ok", server.files[PATH])
    assert read(cfg, None, downloads)[0] == "cached"


# The command.


def served(server: Server, tmp_path: Path, *arguments: str) -> int:
    return fetch.main(
        [*arguments, f"paths.mirror={server.url}", f"paths.cache={tmp_path / 'cache'}", "paths.data=null"]
    )


@needs_data
@pytest.mark.data
def test_the_command_tells_where_each_data_set_stands(server, tmp_path, capsys):
    for name in ("acute", "cars", "kidney", "autism"):
        cfg = compose([f"dataset={name}"]).dataset
        server.files[cfg.address.removeprefix("https://raw.githubusercontent.com")] = (
            DATA / cfg.file
        ).read_bytes() + (b"\n" if name == "kidney" else b"")
    names = "dataset=acute,cars,kidney,heart,ecoli"
    assert served(server, tmp_path, "dataset=acute") == 0
    capsys.readouterr()

    assert served(server, tmp_path, names) == 1
    out, err = capsys.readouterr()
    stands = {line.split()[0]: line[18:34].strip() for line in out.splitlines() if not line.startswith(" ")}
    assert stands == {
        "acute": "cached",
        "cars": "ok",
        "kidney": "wrong checksum",
        "heart": "bundled",
        "ecoli": "unreachable",
    }
    assert err.strip() == "error: 2 of 5 not available: kidney, ecoli"

    assert fetch.main(["dataset=acute,rain", f"paths.data={DATA}", f"paths.cache={tmp_path / 'cache'}"]) == 0
    assert capsys.readouterr().out.count("in your folder") == 2


def test_the_command_names_a_data_set_that_does_not_exist(server, tmp_path, capsys):
    assert served(server, tmp_path, "dataset=hart") == 2
    assert "did you mean heart?" in capsys.readouterr().err


def test_the_command_goes_through_all_data_sets(server, tmp_path, capsys):
    assert served(server, tmp_path) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert len(lines) == 33
    assert sum("unreachable" in line for line in lines) == 24
    assert len(server.log) == 24  # all at the mirror, none asked twice
