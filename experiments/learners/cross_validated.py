"""FOLD-SE whose settings are chosen by cross-validation on the training rows of each fold."""

from __future__ import annotations

from experiments.learners.fold import FoldSE
from foldse import FoldSECV


class CrossValidatedFoldSE(FoldSE):
    """FOLD-SE with the settings that do best in a cross-validation of its own, inside each training fold."""

    classifier = FoldSECV

    def rules(self) -> str:
        """Return the program below a comment that names the settings which were chosen."""
        chosen = ", ".join(f"{name}={value}" for name, value in self.estimator.best_params_.items())
        return f"% chosen of {len(self.estimator.cv_results_['params'])} settings: {chosen}\n{super().rules()}"
