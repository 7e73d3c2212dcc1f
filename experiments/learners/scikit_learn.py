"""Any classifier with scikit-learn's interface as a learner, named by a config."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import numpy as np
import pandas as pd
from hydra.errors import InstantiationException
from hydra.utils import instantiate
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from experiments.learners.base import Learner, LearnerError, NotApplicableError, check_names, locate
from experiments.learners.columns import COLUMNS
from experiments.records import Dataset


class SklearnLearner(Learner):
    """A classifier that takes a table and labels 0, 1, ..., on columns that are prepared for it.

    Columns and labels are prepared on the training rows alone, so a class that a fold lacks is no gap.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    estimator : mapping
        The class as ``_target_``, and its settings; a setting that is an estimator has a ``_target_``, too.
    columns : str, default="native"
        How columns are prepared: a name of `experiments.learners.columns.COLUMNS`.
    kwargs : mapping, optional
        Further settings that the class accepts (as ``**kwargs``) without listing them: passed on unchecked.
    threads : int, optional
        Threads of OpenMP and BLAS, which wait for each other by spinning: more of them than idle cores take
        many times as long. None leaves them alone.
    two_classes_only : bool, default=False
        Whether data sets of more classes are not applicable.
    compiled : bool, default=False
        As in `Learner`.
    seed : int, default=0
        Becomes each ``random_state`` that the config does not set, those of nested estimators included.
    """

    def __init__(
        self,
        dataset: Dataset,
        *,
        estimator: Mapping[str, Any],
        columns: str = "native",
        kwargs: Mapping[str, Any] | None = None,
        threads: int | None = None,
        two_classes_only: bool = False,
        compiled: bool = False,
        seed: int = 0,
    ) -> None:
        if columns not in COLUMNS:
            raise LearnerError(f"unknown learner.columns={columns}: there are {', '.join(COLUMNS)}")
        if two_classes_only and dataset.positive is None:
            name = str(estimator.get("_target_")).rpartition(".")[2]
            raise NotApplicableError(f"{name} is for two classes, {dataset.id} has {len(dataset.classes)}")
        self.model = make_estimator(estimator, kwargs or {}, seed)
        self.columns = COLUMNS[columns](dataset.numeric, dataset.categorical)
        self.threads, self.compiled, self.seed = threads, compiled, seed

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        self.classes, codes = np.unique(y.to_numpy(dtype=object), return_inverse=True)
        self.columns.fit(X)
        with self._limited():
            self.fit_model(self.columns.transform(X), codes)

    def fit_model(self, table: Any, codes: np.ndarray) -> None:
        """Fit the model on prepared columns and labels 0, 1, ...."""
        self.model.fit(table, codes)

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        with self._limited():
            codes = self.model.predict(self.columns.transform(X))
        return np.asarray(self.classes)[np.asarray(codes, dtype=int)]

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray | None:
        if not hasattr(self.model, "predict_proba"):
            return None
        with self._limited():
            return np.asarray(self.model.predict_proba(self.columns.transform(X)))

    def _limited(self) -> Any:
        return nullcontext() if self.threads is None else threadpool_limits(self.threads)


def make_estimator(config: Mapping[str, Any], kwargs: Mapping[str, Any], seed: int) -> Any:
    """Make an estimator with the settings of a config and a seed.

    Raises
    ------
    NotInstalledError
        If its package is not installed.
    LearnerError
        If a class or a setting does not exist, or scikit-learn refuses the value of a setting.
    """
    if not isinstance(config, Mapping) or "_target_" not in config:
        raise LearnerError("learner.estimator must be a mapping with a _target_, the class of the estimator")
    settings = {name: value for name, value in config.items() if name != "_target_"}
    check_names(settings, _parameter_names(locate(str(config["_target_"]))), "estimator")
    try:
        model = instantiate(dict(config), **kwargs, _convert_="all")
    except InstantiationException as error:
        raise LearnerError(str(error.__cause__ or error).strip().splitlines()[0]) from error
    if hasattr(
        model, "_parameter_constraints"
    ):  # scikit-learn's own check of values, which fit makes too late
        model._validate_params()
    seeds = {
        name: seed
        for name, value in model.get_params().items()
        if name.rpartition("__")[2] == "random_state" and (value is None or "__" not in name)
    }
    return model.set_params(**{name: seed for name in seeds if name not in settings})


def _parameter_names(estimator: type) -> list[str]:
    parameters = inspect.signature(estimator).parameters.values()
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters):
        return sorted(estimator().get_params())  # XGBoost and LightGBM list the others here only
    return [each.name for each in parameters]
