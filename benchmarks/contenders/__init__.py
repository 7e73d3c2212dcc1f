"""The learners that are compared, by id."""

from __future__ import annotations

from typing import Final

from benchmarks.contenders.base import Contender
from benchmarks.contenders.boosting import LightGBM, XGBoost, XGBoostConverted
from benchmarks.contenders.ours import FoldRPP, FoldSE
from benchmarks.contenders.rules import AuthorsFoldRPP, Ripper
from benchmarks.contenders.trees import OneHotTree, OneHotTreeConverted

__all__ = ["CONTENDERS", "Contender"]

CONTENDERS: Final[dict[str, type[Contender]]] = {
    contender.id: contender
    for contender in (
        FoldSE,
        FoldRPP,
        XGBoost,
        XGBoostConverted,
        LightGBM,
        OneHotTree,
        OneHotTreeConverted,
        Ripper,
        AuthorsFoldRPP,
    )
}
