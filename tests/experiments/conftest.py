import shutil
from pathlib import Path

import pytest

from experiments.store.tracking import Store


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory):
    """An SQLite file with MLflow's schema: making one takes seconds, copying it none."""
    path = tmp_path_factory.mktemp("schema") / "mlflow.db"
    Store(f"sqlite:///{path}", "unused")
    return path


@pytest.fixture
def database(empty_database, tmp_path):
    """A fresh database of this test, in a folder whose name has a space."""
    path = tmp_path / "a store" / "mlflow.db"
    path.parent.mkdir()
    shutil.copy(empty_database, path)
    return Path(path)
