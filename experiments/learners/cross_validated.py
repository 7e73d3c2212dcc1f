"""FOLD-SE whose settings are chosen by cross-validation on the training rows of each fold."""

from __future__ import annotations

from experiments.learners.fold import _RuleLearner
from foldse import FoldSECV


class CrossValidatedFoldSE(_RuleLearner):
    """FOLD-SE with the settings that do best in a cross-validation of its own, inside each training fold."""

    classifier = FoldSECV
    counted = "rules_simplified"

    def rules(self) -> str:
        """Return the program below a comment that names the settings which were chosen."""
        n_tried = len(self.estimator.cv_results_["params"])
        chosen = ", ".join(f"{name}={value}" for name, value in self.estimator.best_params_.items())
        return f"% chosen of {n_tried} settings: {chosen}\n{super().rules()}"
