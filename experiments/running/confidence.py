"""How sure a learner is of its labels, and how many rows it gives none."""

from __future__ import annotations

import numpy as np
import pandas as pd

from experiments.learners import Learner
from experiments.records import Dataset
from foldse import inverse_brier_score


def confidence_scores(
    learner: Learner, dataset: Dataset, X: pd.DataFrame, truth: np.ndarray, predicted: np.ndarray
) -> dict[str, float]:
    """Score the confidences of a learner on rows.

    Parameters
    ----------
    learner : Learner
        Fitted.
    dataset : Dataset
    X : pandas.DataFrame of shape (n_rows, n_columns)
        The rows to predict.
    truth, predicted : numpy.ndarray of shape (n_rows,)
        Their true labels and those that were predicted.

    Returns
    -------
    dict of str to float
        ``inverse_brier`` (`foldse.inverse_brier_score`) of a learner with confidences that has rules for
        every class; ``no_label``, the share of rows without one, of a learner that may abstain.

    Notes
    -----
    Of two classes most rule learners have rules for the positive one only. All other rows would count as rows
    without a label, which would not be a score of their labels.
    """
    scores = {}
    estimator = learner.estimator
    if dataset.positive is None or getattr(estimator, "learns_all_classes", False):
        confidence = learner.predict_confidence(X)
        if confidence is not None:
            scores["inverse_brier"] = inverse_brier_score(truth, predicted, confidence)
    if getattr(estimator, "abstain", False) is not False:
        scores["no_label"] = float(pd.isna(predicted).mean())
    return scores
