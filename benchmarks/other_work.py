"""How busy other work kept the machine: what makes a figure less trustworthy."""

from __future__ import annotations

import os
import resource
import time
from pathlib import Path
from typing import Final

STAT: Final = Path("/proc/stat")


class OtherWork:
    """Watches the share of the processors that other processes than this one and its children use."""

    def __init__(self) -> None:
        self._last = self._read()

    def since(self) -> float | None:
        """Return the share since the last call, from 0 to 1; None where the system does not tell."""
        now, before = self._read(), self._last
        self._last = now
        if now is None or before is None or now[0] <= before[0]:
            return None
        seconds, busy, own = (b - a for a, b in zip(before, now, strict=True))
        return min(1.0, max(0.0, (busy - own) / (seconds * (os.cpu_count() or 1))))

    @staticmethod
    def _read() -> tuple[float, float, float] | None:
        """Return seconds of the clock, of all processors' work, and of our own work."""
        try:
            fields = STAT.read_text().split("\n", 1)[0].split()[1:]
        except OSError:
            return None
        user, nice, system, _, _, irq, softirq, *_ = (int(field) for field in fields)
        own = sum(
            usage.ru_utime + usage.ru_stime
            for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        )
        return time.monotonic(), (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK"), own
