"""Memory of this process: what it adds at most, and a bound on it."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import sys
from collections.abc import Iterator
from pathlib import Path

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

MB = 1 << 20
_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
# The part of the free memory that a fold without a limit may take: the rest keeps the parent alive.
_SHARE_OF_FREE = 0.9


# Whether `freeze` was called: asking gc for it counts every frozen object, 30 ms after many imports.
_frozen = False


def freeze() -> None:
    """Take all objects that there are out of garbage collection, which then takes no time to speak of.

    For a forked process, whose imports are never garbage: a look at them would copy the memory of its parent.
    """
    global _frozen
    gc.freeze()
    _frozen = True


class Peak:
    """What the process adds at most between its making and `mb`.

    On Linux the peak of the resident size, set back at the start. Elsewhere only the peak since the process
    began is known: growth below an earlier peak then counts as nothing.
    """

    def __init__(self) -> None:
        if _frozen:  # elsewhere a look at everything that is imported takes long
            gc.collect()
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)  # what earlier work freed is given back, so that it counts anew
        try:
            _CLEAR.write_text("5")  # sets VmHWM to VmRSS
            self.start = _status_bytes("VmRSS")
        except OSError:
            self.start = None
        self.peak_before = _highest()

    def mb(self) -> float:
        """Return the megabytes (of 2**20 bytes) that were added at the highest point so far."""
        if self.start is not None and (peak := _status_bytes("VmHWM")) is not None:
            return max(0.0, (peak - self.start) / MB)
        return max(0.0, (_highest() - self.peak_before) / MB)


class Bound:
    """A bound on the address space of this process: what it has now, and a budget.

    The space is counted as reserved, not as used: the stacks and heaps of threads count in full.

    Parameters
    ----------
    budget_mb : float or None
        None takes most of what the machine has free.
    """

    _now: Bound | None = None

    def __init__(self, budget_mb: float | None) -> None:
        self.budget_mb = budget_mb
        self.before: tuple[int, int] | None = None

    def __enter__(self) -> Bound:
        budget = free_mb() if self.budget_mb is None else self.budget_mb
        size = _status_bytes("VmSize")
        if resource is not None and budget is not None and size is not None:
            before = resource.getrlimit(resource.RLIMIT_AS)
            wanted = size + int(budget * MB)
            if before[1] != resource.RLIM_INFINITY:
                wanted = min(wanted, before[1])
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_AS, (wanted, before[1]))
                self.before = before
        Bound._now = self
        return self

    def __exit__(self, *error: object) -> None:
        self.lift()

    def lift(self) -> None:
        """Take the bound away."""
        if self.before is not None:
            resource.setrlimit(resource.RLIMIT_AS, self.before)
            self.before = None
        Bound._now = None


def lift() -> None:
    """Take away the bound that holds, if any: who tells of an error needs a little memory for it."""
    if Bound._now is not None:
        Bound._now.lift()


def is_shortage(error: BaseException) -> bool:
    """Tell whether an error says that memory ran out, in Python, in a C++ library, or for a thread."""
    if isinstance(error, MemoryError):
        return True
    text = str(error)
    said = ("bad_alloc", "bad allocation", "Cannot allocate memory", "can't start new thread")
    return any(phrase in text for phrase in said)


def free_mb() -> float | None:
    """Return most of what machine and container have free; None where neither tells."""
    found = list(_free())
    return _SHARE_OF_FREE * min(found) / MB if found else None


def _free() -> Iterator[int]:
    with contextlib.suppress(OSError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                yield int(line.split()[1]) * 1024
    group = Path("/sys/fs/cgroup")
    with contextlib.suppress(OSError, ValueError):  # "max", where the container has no limit, is no number
        limit = int((group / "memory.max").read_text())
        yield max(0, limit - int((group / "memory.current").read_text()))


def _status_bytes(name: str) -> int | None:
    """Return a size of ``/proc/self/status`` in bytes."""
    with contextlib.suppress(OSError):
        for line in _STATUS.read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1024
    return None


def _highest() -> int:
    if resource is None:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
