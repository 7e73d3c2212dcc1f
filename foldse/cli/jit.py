"""Whether kernels are worth compiling: the first compilation takes ten seconds, a small table none."""

from __future__ import annotations

import os
import sys

from foldse.cli.options import Learner

__all__ = ["spare_compilation"]

# Cells, times fits, up to which FOLD-SE takes some three seconds without compiling; FOLD-R++ takes several
# times as long, a tree ten times.
INTERPRETED_CELLS = 1_000_000
SHARE = {Learner.FOLDSE: 1.0, Learner.FOLDRPP: 0.3, Learner.CONFOLD: 0.3, Learner.TREE: 0.1}


def spare_compilation(cells: int, learner: Learner, fits: int) -> None:
    """Let small work be done without compiling kernels; what is learned is the same.

    To be called before the library is imported; afterwards, and where the user has set
    ``NUMBA_DISABLE_JIT``, it does nothing.

    Parameters
    ----------
    cells : int
        Of the table.
    learner : Learner
    fits : int
        How often it is fitted.
    """
    if "numba" in sys.modules or "NUMBA_DISABLE_JIT" in os.environ:
        return
    if cells * fits <= INTERPRETED_CELLS * SHARE[learner]:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
