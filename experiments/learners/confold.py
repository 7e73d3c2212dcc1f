"""CON-FOLD, and FOLD-SE with its two prunings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from experiments.learners.base import LearnerError, check_names
from experiments.learners.fold import FoldSE, _RuleLearner
from experiments.records import Dataset
from foldse import ConFoldClassifier, RuleSet


class ConFold(_RuleLearner):
    """CON-FOLD; `rules` counts them with all exceptions and before simplification, as its authors do.

    Parameters
    ----------
    dataset : Dataset
    by_dataset : mapping of str to mapping, optional
        By id of a data set, settings that take the place of those given for all. A data set that is not there
        is an error.
    **settings
        The parameters of `ConFoldClassifier` but for the roles of columns.
    """

    classifier = ConFoldClassifier
    counted = "rules_raw"
    size_of_constant: ClassVar[dict[str, float]] = FoldSE.size_of_constant | {"predicates_distinct": 0.0}

    def __init__(
        self,
        dataset: Dataset,
        *,
        by_dataset: Mapping[str, Mapping[str, Any]] | None = None,
        **settings: Any,
    ) -> None:
        if by_dataset is not None:
            if dataset.id not in by_dataset:
                raise LearnerError(
                    f"by_dataset has no settings for {dataset.id}: add learner.by_dataset.{dataset.id}, "
                    "or take learner=confold"
                )
            own = dict(by_dataset[dataset.id])
            check_names(own, super().setting_names(), f"by_dataset.{dataset.id}")
            settings |= own
        self.estimator = ConFoldClassifier(
            **settings,
            numeric_features=list(dataset.numeric),
            categorical_features=list(dataset.categorical),
        )
        self.estimator._check_parameters()

    @classmethod
    def setting_names(cls) -> list[str]:
        return ["by_dataset", *super().setting_names()]

    def measure(self) -> dict[str, float]:
        return {**super().measure(), "predicates_distinct": distinct_predicates(self.estimator.rules_)}


class PrunedFoldSE(FoldSE):
    """FOLD-SE with the prunings of CON-FOLD; `rules` counts them after simplification."""

    size_of_constant: ClassVar[dict[str, float]] = ConFold.size_of_constant

    def measure(self) -> dict[str, float]:
        return {**super().measure(), "predicates_distinct": distinct_predicates(self.estimator.rules_)}


def distinct_predicates(program: RuleSet) -> float:
    """Return the number of distinct conditions of a program, whatever their sign: CON-FOLD's predicates.

    Notes
    -----
    Its authors split the printed program into texts, drop a leading "not" and count the different ones. Here
    conditions are counted, not pieces of text, and calls of exceptions do not count.
    """
    literals = program.literals()
    return float(len({literal.negated() if literal.op.is_negated else literal for literal in literals}))
