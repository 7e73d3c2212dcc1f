"""One job of a sweep: config in, outcome out. Nothing that it meets stops the sweep."""

from __future__ import annotations

import json
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter

from hydra.core.hydra_config import HydraConfig
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from experiments import datasets, progress
from experiments.learners import LearnerError, NotApplicableError, Recipe
from experiments.protocol import Protocol, ProtocolError
from experiments.runner import TIMES, Summary, run_folds, warm_up
from experiments.tracking import Store, TrackingError, describe, flatten

OUTCOME_FILE = "outcome.json"
GOOD = ("ok", "not applicable")
_BAD_INPUT = (datasets.DataError, LearnerError, ProtocolError, OmegaConfBaseException)


@dataclass(slots=True)
class Outcome:
    """What came of a job.

    Attributes
    ----------
    dataset, learner : str
    status : str
        ``"ok"``, ``"not applicable"``, ``"failed"``, or ``"bad input"``, which leaves nothing in the store.
    message : str
        Why it is not ok: one line.
    run_id : str
        The MLflow run; empty where none was made.
    seconds : float
        From the start of the job to its end.
    learning_seconds : float
        The part of it that is fit and predict, the warm-up included; the rest is overhead.
    summary : dict of str to Summary
    rules : str
        The rules of the last fold.
    """

    dataset: str
    learner: str
    status: str
    message: str = ""
    run_id: str = ""
    seconds: float = 0.0
    learning_seconds: float = 0.0
    summary: dict[str, Summary] = field(default_factory=dict)
    rules: str = ""

    @property
    def good(self) -> bool:
        """Whether nothing went wrong."""
        return self.status in GOOD

    @property
    def name(self) -> str:
        """What the job is called in messages."""
        return f"{self.dataset} · {self.learner}"

    def line(self) -> str:
        """Return the outcome as one line."""
        if self.status != "ok":
            return f"{self.name}: {self.status}: {self.message}"
        figures = [
            f"{name} {self.summary[name].mean:.{decimals}f}"
            for name, decimals in (("accuracy", 3), ("rules", 1), ("predicates", 1), ("nodes", 1))
            if name in self.summary
        ]
        return f"{self.name}: {', '.join(figures)} ({self.seconds:.1f} s)"

    @classmethod
    def read(cls, path: Path) -> Outcome:
        """Read the file that `run` left in the folder of its job."""
        values = json.loads(path.read_text(encoding="utf-8"))
        values["summary"] = {name: Summary(**figures) for name, figures in values["summary"].items()}
        return cls(**values)


def run(cfg: DictConfig) -> Outcome:
    """Run one job; Hydra calls it, in this process or in a worker.

    Parameters
    ----------
    cfg : omegaconf.DictConfig
        The whole config.

    Returns
    -------
    Outcome
        Also left as a file in the job's folder, where the parent of a sweep finds it whatever the launcher.
    """
    hydra = HydraConfig.get()
    started = perf_counter()
    # The names that were chosen: the config itself may be what is wrong.
    chosen = hydra.runtime.choices
    outcome = Outcome(str(chosen.get("dataset")), str(chosen.get("learner")), "failed")
    try:
        _attempt(cfg, chosen.get("experiment"), outcome)
    except _BAD_INPUT as error:
        outcome.status, outcome.message = "bad input", " ".join(str(error).split())
    except TrackingError as error:
        outcome.status, outcome.message = "failed", str(error)
    except Exception as error:
        folder = Path(hydra.runtime.output_dir)
        (folder / "traceback.txt").write_text(traceback.format_exc(), encoding="utf-8")
        last = traceback.format_exception_only(error)[-1].strip()
        outcome.status, outcome.message = "failed", f"{last} (see {folder / 'traceback.txt'})"
    outcome.seconds = perf_counter() - started
    (Path(hydra.runtime.output_dir) / OUTCOME_FILE).write_text(json.dumps(asdict(outcome)), encoding="utf-8")
    progress.current().end(outcome.line(), outcome.good)
    return outcome


def _attempt(cfg: DictConfig, table: str | None, outcome: Outcome) -> None:
    data_dir = Path(cfg.paths.data) if cfg.paths.data else None
    dataset = datasets.load(cfg.dataset, data_dir)
    protocol = Protocol.from_config(cfg.protocol)
    folds = protocol.split(dataset.y)
    try:
        recipe: Recipe | None = Recipe.from_config(cfg.learner, dataset)
    except NotApplicableError as reason:
        recipe = None
        outcome.message = str(reason)
    # From here on the input is good: what goes wrong now is a run of its own.
    params = flatten(cfg)
    config = OmegaConf.to_yaml(cfg, resolve=True)
    tags = describe(cfg, dataset, protocol, table)
    with Store.from_config(cfg.tracking).run(outcome.name, tags, params) as run:
        outcome.run_id = run.id
        if recipe is None:
            run.not_applicable(outcome.message)
            outcome.status = "not applicable"
            return
        reporter = progress.current()
        reporter.start(outcome.name, len(folds))
        begun = perf_counter()
        warm_up(dataset, recipe, folds[0])
        warmed = perf_counter()
        results = run_folds(dataset, recipe, folds, lambda result: reporter.fold())
        outcome.learning_seconds = warmed - begun + sum(r.metrics.get(t, 0.0) for r in results for t in TIMES)
        outcome.summary = run.log(config, results)
        outcome.rules = results[-1].rules
        broken = [result for result in results if result.status != "ok"]
        outcome.status = broken[0].status if broken else "ok"
        if broken:
            outcome.message = f"{len(broken)} of {len(results)} folds: {broken[0].error}"
