"""Where a tracking store is: its address, its file, and how it is opened."""

from __future__ import annotations

import functools
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock
from mlflow.tracking import MlflowClient

from experiments.console import without_password


class TrackingError(RuntimeError):
    """A store that cannot be used; the message is one line, without the password of an address."""

    def __init__(self, message: str) -> None:
        super().__init__(without_password(message))


def exists(uri: str) -> bool:
    """Tell whether there is a store to read; only of a file can it be told beforehand."""
    path = database(uri)
    return path is None or path.is_file()


def was_deleted(uri: str) -> bool:
    """Tell whether a store that was used is gone: its locks are still there."""
    path = database(uri)
    return path is not None and not path.exists() and Path(f"{path}.locks").exists()


@functools.cache
def client(uri: str) -> MlflowClient:
    """Return MLflow's client of a store."""
    # MLflow announces each migration of a fresh database; the progress bar is on the same terminal.
    for name in ("mlflow.store.db.utils", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    if (path := database(uri)) is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    return MlflowClient(tracking_uri=uri)


@contextmanager
def one_at_a_time(uri: str) -> Iterator[None]:
    """Let one process at a time make a fresh SQLite database: several at once leave it beyond repair."""
    path = database(uri)
    if path is None:
        yield
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TrackingError(f"tracking.uri={uri} cannot be used: {one_line(error)}") from error
    with FileLock(f"{path}.lock"):
        yield


@contextmanager
def few_retries() -> Iterator[None]:
    """Give up on a server that is not there after seconds; once it answered, MLflow's own patience holds."""
    name = "MLFLOW_HTTP_REQUEST_MAX_RETRIES"
    if name in os.environ:
        yield
        return
    os.environ[name] = "2"
    try:
        yield
    finally:
        del os.environ[name]


def database(uri: str) -> Path | None:
    """Return the file of an SQLite store, None of another store."""
    match = re.fullmatch(r"sqlite(?:\+\w+)?:///(.+?)(?:\?.*)?", uri)
    return Path(match[1]).absolute() if match else None


def artifact_location(uri: str, artifacts: str | None) -> str | None:
    """Return where artifacts go: the folder that is given, else beside an SQLite file; None for a server."""
    if artifacts:
        return artifacts if re.match(r"\w+://", artifacts) else Path(artifacts).absolute().as_uri()
    path = database(uri)
    return (path.parent / "mlartifacts").as_uri() if path is not None else None


def one_line(error: Exception) -> str:
    """Return the first line of an error's message."""
    text = str(error).strip()
    return text.splitlines()[0] if text else type(error).__name__
