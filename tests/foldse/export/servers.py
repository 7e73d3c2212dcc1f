"""Database servers that the tests start for themselves, in a folder that is removed afterwards."""

import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

FOLDERS = (*map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), "/usr/sbin")


def program(name, package):
    """Return the path of a program of Debian; without it skip, but not in continuous integration."""
    path = os.pathsep.join([os.environ["PATH"], *FOLDERS])
    found = shutil.which(name, path=path)
    if found is None:
        message = f"{name} is not installed (Debian: {package})"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return found


@contextlib.contextmanager
def folder():
    """Yield a folder, and how a program is started that owns it and is not root."""
    with tempfile.TemporaryDirectory(prefix="foldse") as path:  # a short path: sockets allow no long one
        who = {}
        if os.geteuid() == 0:
            shutil.chown(path, "nobody")
            who = {"user": "nobody"}
        yield path, {"cwd": path, "check": True, "capture_output": True, "text": True, "timeout": 120} | who


@contextlib.contextmanager
def postgresql():
    """Start PostgreSQL, and yield a function that runs statements and returns what they print."""
    initdb, server, psql = (program(name, "postgresql") for name in ("initdb", "pg_ctl", "psql"))
    with folder() as (path, started):
        subprocess.run(
            [initdb, "-D", "data", "-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync"], **started
        )
        options = f"-c listen_addresses='' -c unix_socket_directories='{path}' -c fsync=off"
        subprocess.run([server, "-D", "data", "-w", "-l", "log", "-o", options, "start"], **started)

        def run(statements):
            command = [psql, "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", path, "-U", "test", "postgres"]
            return _printed(command, statements, {"PGCLIENTENCODING": "UTF8"})

        try:
            yield run
        finally:
            subprocess.run([server, "-D", "data", "-m", "immediate", "stop"], **started)


@contextlib.contextmanager
def mariadb():
    """Start MariaDB, and yield a function that runs statements and returns what they print."""
    server, client = program("mariadbd", "mariadb-server"), program("mariadb", "mariadb-server")
    with folder() as (path, started):
        own = ["--no-defaults", f"--datadir={path}/data", f"--socket={path}/s", "--skip-networking"]
        own += ["--skip-grant-tables", f"--pid-file={path}/pid", "--innodb-flush-log-at-trx-commit=0"]
        Path(path, "data").mkdir()
        if "user" in started:
            shutil.chown(Path(path, "data"), started["user"])
        with open(Path(path, "log"), "w") as log:
            running = subprocess.Popen(
                [server, *own], stdout=log, stderr=log, cwd=path, user=started.get("user")
            )

            def run(statements):
                command = [client, "--no-defaults", f"--socket={path}/s", "--batch", "--skip-column-names"]
                return _printed([*command, "--default-character-set=utf8mb4"], statements, {})

            try:
                for _ in range(300):
                    if Path(path, "s").exists() or running.poll() is not None:
                        break
                    time.sleep(0.1)
                run("CREATE DATABASE test")
                yield lambda statements: run(f"USE test;\n{statements}")
            except Exception as error:
                raise AssertionError(Path(path, "log").read_text()[-2000:]) from error
            finally:
                running.kill()
                running.wait()


def _printed(command, statements, settings):
    done = subprocess.run(
        command, input=statements.encode(), capture_output=True, timeout=120, env=os.environ | settings
    )
    if done.returncode:
        raise RuntimeError(done.stderr.decode()[-1000:])
    return done.stdout.decode()


def rows_of_postgresql(run, query, types, rows):
    """Return what a query gives of a table `t` with columns of some types and some rows."""
    names = ", ".join(f"{_named(name)} {kind}" for name, kind in types.items())
    lines = "\n".join("\t".join(map(_copied, row)) for row in rows)
    statements = f"DROP TABLE IF EXISTS t;\nCREATE TABLE t ({names});\nCOPY t FROM STDIN;\n{lines}\n\\.\n"
    return json.loads(run(f"{statements}SELECT json_agg(q) FROM (\n{query}\n) AS q;\n"))


def _named(name, mark='"'):
    return mark + name.replace(mark, 2 * mark) + mark


def _copied(value):
    if value is None:
        return "\\N"
    if not isinstance(value, str):
        return repr(value).replace("inf", "Infinity")
    escapes = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(escapes.get(char, char) for char in value)


def rows_of_mariadb(run, query, types, rows, columns):
    """Return the same; `columns` are the names of what the query gives, the second of which is text."""
    names = ", ".join(f"{_named(name, '`')} {kind}" for name, kind in types.items())
    values = ",\n".join(f"({', '.join(map(_inserted, row))})" for row in rows)
    statements = f"DROP TABLE IF EXISTS t;\nCREATE TABLE t ({names}) CHARACTER SET utf8mb4;\n"
    key, label, rule = (_named(name, "`") for name in columns)
    got = run(
        f"{statements}INSERT INTO t VALUES {values};\n"
        f"SELECT {key}, HEX(CONVERT({label} USING utf8mb4)), {rule} FROM (\n{query}\n) AS q;\n"
    )
    found = []
    for line in got.splitlines():
        number, text, place = line.split("\t")
        found.append((int(number), None if text == "NULL" else bytes.fromhex(text).decode(), int(place)))
    return found


def _inserted(value):
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return f"CONVERT(X'{value.encode().hex()}' USING utf8mb4)"
    return f"{value!r}e0" if isinstance(value, float) and "e" not in repr(value) else repr(value)
