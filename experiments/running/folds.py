"""One learner on the folds of one data set: fit, predict, count, time."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter

import numpy as np
import pandas as pd

from experiments.learners import Learner, LearnerSpec
from experiments.learners.base import Constant
from experiments.records import Dataset, Fold, FoldResult
from experiments.running import memory
from experiments.running.confidence import confidence_scores
from experiments.running.worker import Limits, StoppedError, Worker
from experiments.statuses import FAILED, NOT_TRIED, OK, OUT_OF_MEMORY, TIMEOUT

# What this process has run on a data set, so that its compiled code is loaded: learner, digest.
_warmed: set[tuple[str, str]] = set()


def run_folds(
    dataset: Dataset,
    spec: LearnerSpec,
    folds: Iterable[Fold],
    on_fold: Callable[[FoldResult], None] = lambda result: None,
) -> tuple[FoldResult, ...]:
    """Run a learner on each fold; see `warm_up` for what to do before.

    Parameters
    ----------
    dataset : Dataset
    spec : LearnerSpec
        How the learner is made, once a fold.
    folds : iterable of Fold
    on_fold : callable
        Told of each result as it comes.

    Returns
    -------
    tuple of FoldResult
        One a fold; a fold whose learner raised is there as ``"failed"``.
    """
    results = []
    for fold in folds:
        result = run_fold(dataset, spec, fold)
        on_fold(result)
        results.append(result)
    return tuple(results)


def run_limited(
    dataset: Dataset,
    spec: LearnerSpec,
    folds: Sequence[Fold],
    limits: Limits,
    on_fold: Callable[[FoldResult], None] = lambda result: None,
    done: Mapping[int, FoldResult] | None = None,
) -> tuple[tuple[FoldResult, ...], float]:
    """Warm a learner up and run it on each fold, in a process of its own where the limits ask for one.

    A learner that is over the time on its first fold is not tried on the others. No further repetition begins
    after one with a fold that is not ok, nor where it would end after ``limits.job_seconds``.

    Parameters
    ----------
    dataset : Dataset
    spec : LearnerSpec
    folds : sequence of Fold
    limits : Limits
        Of each fold; the warm-up has the same.
    on_fold : callable
        Called with each result as it comes.
    done : mapping of int to FoldResult, optional
        Results of an interrupted run by `Fold.index`: these folds are not run again.

    Returns
    -------
    results : tuple of FoldResult
        One a fold of the repetitions that were begun, in their order.
    warm_seconds : float
        Duration of the warm-up.
    """
    results: list[FoldResult] = []
    warm_seconds = 0.0
    with Worker(FoldRunner, (dataset, spec), limits) as worker:
        for fold in folds:
            if results and fold.repeat != results[-1].repeat and _is_last(results, limits.job_seconds):
                break
            if done and fold.index in done:
                results.append(done[fold.index])
                continue
            start = perf_counter()
            if results and results[0].status == TIMEOUT:
                result = FoldResult(fold.index, NOT_TRIED, error="the first fold was over the time")
            elif not limits.subprocess:
                warm_seconds += warm_up(dataset, spec, fold)
                result = run_fold(dataset, spec, fold)
            else:
                try:
                    if worker.fresh:
                        warm_seconds += worker.call(("warm", fold))
                    result = worker.call(("run", fold))
                except StoppedError as stopped:
                    result = FoldResult(fold.index, stopped.status, error=str(stopped))
            if result.status == OUT_OF_MEMORY:
                worker.stop()  # what it could not give back is no part of the next fold
            result = replace(result, repeat=fold.repeat, seconds=perf_counter() - start)
            results.append(result)
            on_fold(result)
    return tuple(results), warm_seconds


def _is_last(results: Sequence[FoldResult], job_seconds: float | None) -> bool:
    """Tell whether the repetitions that `results` are of are all that can be run."""
    if any(result.status != OK for result in results):
        return True
    repetitions = len({result.repeat for result in results})
    spent = sum(result.seconds for result in results)
    return job_seconds is not None and spent * (repetitions + 1) / repetitions > job_seconds


class FoldRunner:
    """What a worker process does: warms up or runs a fold of one learner on one data set."""

    def __init__(self, dataset: Dataset, spec: LearnerSpec) -> None:
        self.dataset, self.spec = dataset, spec

    def __call__(self, work: tuple[str, Fold]) -> FoldResult | float:
        """Return what `run_fold` does, or the seconds that the warm-up took."""
        kind, fold = work
        if kind == "warm":
            return warm_up(self.dataset, self.spec, fold)
        return run_fold(self.dataset, self.spec, fold)


def warm_up(dataset: Dataset, spec: LearnerSpec, fold: Fold) -> float:
    """Run a learner with compiled code once untimed, where this process has not done so on this data set.

    Loading compiled code is no part of the algorithm. The whole fold is taken, not a few of its rows: which
    compiled code is used depends on the size and the values of a table. What another fold needs besides is
    found by `run_fold`.

    Returns
    -------
    float
        The seconds that it took.
    """
    seen = (repr(spec), dataset.digest)
    if seen in _warmed:
        return 0.0
    start = perf_counter()
    try:
        learner = build(dataset, spec, fold)
        if not learner.compiled:
            return 0.0
        _warmed.add(seen)
        learner.fit(dataset.X.iloc[fold.train], dataset.y.iloc[fold.train])
        learner.predict(dataset.X.iloc[fold.test])
    except Exception:  # it comes again in the fold itself, and is recorded there
        memory.lift()
    return perf_counter() - start


def run_fold(dataset: Dataset, spec: LearnerSpec, fold: Fold) -> FoldResult:
    """Fit on the training rows, predict the test rows, and measure both.

    Only ``fit`` and ``predict`` are inside the two times; the peak of the memory is of ``fit``. Where code
    was compiled in them, or loaded, they are done once more, which is what is measured.
    """
    try:
        with _watch_compiler() as compiled:
            result = _measure(dataset, spec, fold)
        return _measure(dataset, spec, fold) if compiled() else result
    except Exception as error:  # whatever a learner raises is a result: the sweep goes on
        memory.lift()
        status = OUT_OF_MEMORY if memory.is_shortage(error) else FAILED
        last = traceback.format_exception_only(error)[-1].strip()
        return FoldResult(fold.index, status, error=last, traceback=traceback.format_exc())


def build(dataset: Dataset, spec: LearnerSpec, fold: Fold) -> Learner:
    """Make the learner of a fold: a constant if its training rows have a single label, whatever the learner.

    Some algorithms would raise an error there, others predict the label that is absent.
    """
    learner = spec.build(dataset, fold.seed)
    labels = dataset.y.to_numpy(dtype=object)[fold.train]
    return learner if (labels != labels[0]).any() else Constant(learner)


@contextmanager
def _watch_compiler() -> Iterator[Callable[[], bool]]:
    """Watch a block; the callable that it yields tells whether numba compiled or loaded a kernel in it."""
    from numba.core import event  # 0.2 s, where no learner has imported it

    # Held in both cases: compiling alone is an event of its own, loading is not.
    with event.install_recorder("numba:compiler_lock") as recorder:
        yield lambda: bool(recorder.buffer)


def _measure(dataset: Dataset, spec: LearnerSpec, fold: Fold) -> FoldResult:
    X_train, y_train = dataset.X.iloc[fold.train], dataset.y.iloc[fold.train]
    X_test, y_test = dataset.X.iloc[fold.test], dataset.y.iloc[fold.test]
    learner = build(dataset, spec, fold)
    peak = memory.Peak()
    start = perf_counter()
    learner.fit(X_train, y_train)
    fitted = perf_counter()
    peak_mb = peak.mb()
    started = perf_counter()
    predicted = learner.predict(X_test)
    done = perf_counter()
    scores = score(y_test.to_numpy(dtype=object), predicted, dataset.positive)
    scores |= confidence_scores(learner, dataset, X_test, y_test.to_numpy(dtype=object), predicted)
    size = learner.measure()
    times = {"fit_seconds": fitted - start, "predict_seconds": done - started, "peak_memory_mb": peak_mb}
    if taken := sorted(size.keys() & {*scores, *times}):
        raise ValueError(f"the learner's measure() returns {', '.join(taken)}, which the runner measures")
    metrics = {**scores, **size, **times}
    if odd := [f"{name} is {value}" for name, value in metrics.items() if not math.isfinite(value)]:
        raise ValueError(f"a metric of the learner is not a finite number: {', '.join(odd)}")
    return FoldResult(fold.index, OK, metrics, learner.rules())


def score(truth: np.ndarray, predicted: np.ndarray, positive: str | None) -> dict[str, float]:
    """Compare predicted labels with the true ones.

    Parameters
    ----------
    truth : numpy.ndarray of str of shape (n_rows,)
    predicted : numpy.ndarray of shape (n_rows,)
        Labels; None for a row without one, which is wrong, and claimed for no class.
    positive : str or None
        The label that precision, recall and F1 are of; None, for more than two classes, averages them over
        the classes weighted by their rows. Where they are not defined they are 0.

    Returns
    -------
    dict of str to float
        accuracy, precision, recall, f1.
    """
    # Counted here rather than by scikit-learn, whose checks of text labels take longer than many a fit.
    codes, labels = pd.factorize(np.concatenate([truth, predicted]).astype(object), sort=True)
    n = len(labels)
    codes[codes < 0] = n  # no label: a column of its own, behind those of the labels
    cells = codes[: len(truth)] * (n + 1) + codes[len(truth) :]
    counts = np.bincount(cells, minlength=n * (n + 1)).reshape(n, n + 1)
    hits, actual, claimed = np.diag(counts), counts.sum(axis=1), counts[:, :n].sum(axis=0)
    # F1 as hits over the mean of both totals: 0 where hits are, and defined for every label that occurs.
    each = {
        "precision": np.divide(hits, claimed, out=np.zeros(n), where=claimed > 0),
        "recall": np.divide(hits, actual, out=np.zeros(n), where=actual > 0),
        "f1": 2 * hits / (actual + claimed),
    }
    scores = {"accuracy": float(hits.sum() / len(truth))}
    for name, values in each.items():
        if positive is None:
            scores[name] = float(values @ actual / len(truth))
        else:
            scores[name] = float(values[labels == positive].sum())  # 0 where it does not occur at all
    return scores
