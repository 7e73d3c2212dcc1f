"""The learners: one adapter a family, named by ``_target_`` in ``conf/learner``."""

from experiments.learners.base import Learner, LearnerError, NotApplicableError, NotInstalledError, Recipe

__all__ = ["Learner", "LearnerError", "NotApplicableError", "NotInstalledError", "Recipe"]
