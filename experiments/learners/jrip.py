"""Weka's JRip: RIPPER for two and more classes, in a Java machine inside the process."""

from __future__ import annotations

import ctypes
import importlib.util
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from experiments.learners.base import (
    Learner,
    LearnerError,
    NotInstalledError,
    check_number,
    optional_import,
)
from experiments.learners.columns import CategoryCodes, numbers
from experiments.records import Dataset

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

# What Java reserves of the address space beside its heap, with the settings below: about 400 MB was measured.
OUTSIDE_HEAP_MB = 600
SMALLEST_HEAP_MB = 100
_MB = 1 << 20
_ARENA_MAX = -8  # M_ARENA_MAX of malloc.h
_SETTINGS = (
    "-Xrs",  # interrupts are Python's
    "-XX:+UseSerialGC",  # no threads that would disturb the others' times
    "-Xms16m",
    "-XX:CompressedClassSpaceSize=32m",  # these two reserve 1,200 MB otherwise
    "-XX:ReservedCodeCacheSize=64m",
    "-XX:-UsePerfData",
    "-XX:ErrorFile=/dev/null",
    "--add-opens=java.base/java.lang=ALL-UNNAMED",  # Weka loads classes of its own
    "-Djava.awt.headless=true",
    "-Dweka.packageManager.loadPackages=false",
    "-Dweka.packageManager.offline=true",
)


class JRip(Learner):
    """An ordered list of rules, for the rarer classes first; the most frequent class is the default.

    Weka gets nothing but numbers and codes in columns of our own naming, so that no name or value can trip
    it, or change its split into growing and pruning rows, which follows the text of a row. Missing is
    missing to it, too: such a cell fulfils no condition. So are infinities, text among the numbers, and
    categories that the training rows did not have. Rules and conditions are counted in its model; the
    default rule, which has no condition, is none.

    Java starts once a process, at the first fit, and stays: it needs `OUTSIDE_HEAP_MB` and a heap of address
    space, 700 MB at least, so 750 for ``limits.memory_mb``, as the rows are there, too. What its heap holds
    is given back late or never, so that ``peak_memory_mb`` of a fold tells what it added to the folds before.

    Parameters
    ----------
    dataset : Dataset
        Gives the roles of the columns.
    folds, min_weight, optimizations, prune, seed
        Weka's options ``-F``, ``-N``, ``-O``, ``-P`` (absent where `prune` is true) and ``-S``.
    heap_mb : int
        The largest heap; where the bound on memory leaves less, what it leaves.
    """

    compiled = True  # Java compiles what runs often: the first fit takes several times as long as the next
    size_of_constant: ClassVar[dict[str, float]] = {"rules": 0.0, "predicates": 0.0}

    def __init__(
        self,
        dataset: Dataset,
        *,
        folds: int = 3,
        min_weight: float = 2.0,
        optimizations: int = 2,
        prune: bool = True,
        heap_mb: int = 2048,
        seed: int = 1,
    ) -> None:
        check_number("folds", folds, 2, whole=True)
        check_number("min_weight", min_weight, 0)
        check_number("optimizations", optimizations, 0, whole=True)
        if not isinstance(prune, bool):
            raise LearnerError(f"learner.prune={prune} must be true or false")
        check_number("heap_mb", heap_mb, SMALLEST_HEAP_MB, whole=True)
        check_number("seed", seed, 0, 2**31 - 1, whole=True)
        with optional_import("weka"):
            import jpype
            import weka  # noqa: F401  (whose wheel carries Weka itself)
        try:
            jpype.getDefaultJVMPath()
        except jpype.JVMNotFoundException as error:
            raise NotInstalledError(
                "Java 11 or later is needed: install it (on Debian default-jre-headless) or set JAVA_HOME"
            ) from error
        self.heap_mb = heap_mb
        self.options = ["-F", folds, "-N", float(min_weight), "-O", optimizations, "-S", seed]
        self.options += [] if prune else ["-P"]
        self.target = str(dataset.y.name)
        self.names = [str(name) for name in dataset.X]
        self.categorical = frozenset(dataset.categorical)

    def fit(self, X: pd.DataFrame, y: pd.Series) -> None:
        self.classes, codes = np.unique(y.to_numpy(dtype=object), return_inverse=True)
        self.codes = {name: CategoryCodes(X, [name]) for name in self.names if name in self.categorical}
        with _java_errors():
            weka = _weka(self.heap_mb)
            self.header = self._header(weka)
            self.model = weka.JClass("weka.classifiers.rules.JRip")()
            self.model.setOptions([str(option) for option in self.options])
            self.model.buildClassifier(self._instances(weka, X, codes.astype(np.float64)))
            self.learned = list(_rules(self.model))

    def predict(self, X: pd.DataFrame) -> np.ndarray:
        return np.asarray(self.classes)[self.predict_proba(X).argmax(axis=1)]

    def predict_proba(self, X: pd.DataFrame) -> np.ndarray:
        with _java_errors():
            rows = self._instances(_weka(self.heap_mb), X, np.full(len(X), np.nan))
            shares = np.array(self.model.distributionsForInstances(rows)).reshape(len(X), len(self.classes))
        # The shares of the classes among the training rows of a rule, of which Weka's classifyInstance takes
        # the first largest; a rule without such rows (the default's) predicts its own class.
        shares[~shares.any(axis=1), self.learned[-1].label] = 1.0
        return shares

    def measure(self) -> dict[str, float]:
        conditions = [len(rule.conditions) for rule in self.learned if rule.conditions]
        return {"rules": float(len(conditions)), "predicates": float(sum(conditions))}

    def rules(self) -> str:
        lines = []
        for rule in self.learned:
            body = " and ".join(self._tell(condition) for condition in rule.conditions)
            head = f"{self.target} = {self.classes[rule.label]!r}"
            lines.append(f"{head} if {body}" if body else f"{head} otherwise")
        return "\n".join(lines)

    def _tell(self, condition: tuple[int, str, float]) -> str:
        column, operator, value = condition
        name = self.names[column]
        if name in self.codes:
            return f"{name} = {self.codes[name].values[0][int(value)]!r}"
        return f"{name} {operator} {value!r}"

    def _header(self, weka: Any) -> Any:
        """Return a table without rows: a0, a1, ... with values v0, v1, ..., and the class with c0, c1, ..."""
        attribute, texts = weka.JClass("weka.core.Attribute"), weka.JClass("java.util.ArrayList")
        columns = texts()
        for i, name in enumerate(self.names):
            if name in self.codes:
                # One without any value has a single, unused one: Weka refuses an empty list.
                values = [f"v{k}" for k in range(max(1, len(self.codes[name].values[0])))]
                columns.add(attribute(f"a{i}", texts(values)))
            else:
                columns.add(attribute(f"a{i}"))
        columns.add(attribute("class", texts([f"c{k}" for k in range(len(self.classes))])))
        header = weka.JClass("weka.core.Instances")("rows", columns, 0)
        header.setClassIndex(len(self.names))
        return header

    def _instances(self, weka: Any, X: pd.DataFrame, classes: np.ndarray) -> Any:
        cells = np.empty((len(X), len(self.names) + 1))
        for i, name in enumerate(self.names):
            if name in self.codes:
                codes = self.codes[name].transform(X)[0].codes
                cells[:, i] = np.where(codes < 0, np.nan, codes)
            else:
                cells[:, i] = numbers(X, [name])[:, 0]
        cells[:, -1] = classes
        table = weka.JClass("weka.core.Instances")(self.header, len(X))
        row = weka.JClass("weka.core.DenseInstance")
        for values in weka.JArray.of(cells):
            table.add(row(1.0, values))
        return table


class Rule:
    """A rule of the model.

    Attributes
    ----------
    label : int
        Position of its class.
    conditions : list of (int, str, float)
        Position of the column, operator, and threshold or position of the category. The default has none.
    """

    __slots__ = ("conditions", "label")

    def __init__(self, label: int, conditions: list[tuple[int, str, float]]) -> None:
        self.label, self.conditions = label, conditions


def _rules(model: Any) -> Iterator[Rule]:
    """Read the rules from the objects of the model.

    Their classes are read from its text, a line a rule in the same order: the objects have them by a
    numbering by frequency, which the model keeps to itself.
    """
    labels = [int(code) for code in re.findall(r"=> class=c(\d+) \(", str(model.toString()))]
    for label, rule in zip(labels, model.getRuleset(), strict=True):
        conditions = []
        for antecedent in rule.getAntds():
            column, value = antecedent.getAttr(), float(antecedent.getAttrValue())
            if column.isNominal():
                conditions.append((int(column.index()), "=", value))
            else:
                operator = "<=" if value == 0 else ">="
                conditions.append((int(column.index()), operator, float(antecedent.getSplitPoint())))
        yield Rule(label, conditions)


def _weka(heap_mb: int) -> Any:
    """Return the module jpype, with Java running and Weka to be found."""
    with optional_import("weka"):
        import jpype as java
    if java.isJVMStarted():
        return java
    spec = importlib.util.find_spec("weka")
    folder = Path(((spec and spec.submodule_search_locations) or [""])[0]) / "lib"
    heap = _heap_mb(heap_mb)
    with tempfile.TemporaryDirectory() as home:  # Weka would make folders in the user's own at its start
        # Not by weka.core.jvm, which sets up logging and takes no settings but the heap.
        java.startJVM(
            *_SETTINGS,
            f"-Xmx{heap}m",
            f"-DWEKA_HOME={home}",
            classpath=[str(folder / "weka.jar")],
            convertStrings=True,
            interrupt=False,
        )
        # It warns of solvers that JRip has no use for.
        java.JClass("java.util.logging.LogManager").getLogManager().reset()
        java.JClass("weka.core.WekaPackageManager")
    return java


def _heap_mb(wanted: int) -> int:
    """Return the heap that the bound on this process's address space has room for.

    Raises
    ------
    MemoryError
        If there is too little: Java would end the process.
    """
    if resource is None:
        return wanted
    bound = resource.getrlimit(resource.RLIMIT_AS)[0]
    if bound == resource.RLIM_INFINITY:
        return wanted
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    room = (bound - size) // _MB - OUTSIDE_HEAP_MB
    if room < SMALLEST_HEAP_MB:
        raise MemoryError(
            f"Java needs {OUTSIDE_HEAP_MB + SMALLEST_HEAP_MB} MB of address space, "
            f"{max(0, room + OUTSIDE_HEAP_MB)} are left: raise limits.memory_mb"
        )
    # Each thread of Java would else reserve 64 MB for what it allocates outside the heap.
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)
    return min(wanted, room)


@contextmanager
def _java_errors() -> Iterator[None]:
    """Raise Java's errors as what they are to Python."""
    try:
        yield
    except Exception as error:
        names = [kind.__name__ for kind in type(error).__mro__]
        if "java.lang.OutOfMemoryError" in names:
            raise MemoryError(f"Java: {error}: raise learner.heap_mb or limits.memory_mb") from None
        raise
