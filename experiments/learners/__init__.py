"""The learners, named by ``_target_`` in ``conf/learner``."""

from experiments.learners.base import (
    Learner,
    LearnerError,
    LearnerSpec,
    NotApplicableError,
    NotInstalledError,
)
from experiments.learners.scikit_learn import SklearnLearner

__all__ = [
    "Learner",
    "LearnerError",
    "LearnerSpec",
    "NotApplicableError",
    "NotInstalledError",
    "SklearnLearner",
]
