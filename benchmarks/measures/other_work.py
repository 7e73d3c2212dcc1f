"""How busy other programs kept the machine: what makes a figure less trustworthy."""

from __future__ import annotations

import os
import time

import psutil

BUSY = ("user", "nice", "system", "irq", "softirq")


class OtherWork:
    """Watches the share of the processors that programs other than this process and its children use."""

    def __init__(self) -> None:
        self._last = self._read()

    def since(self) -> float:
        """Return the share since the last call, from 0 to 1; NaN if no time has passed."""
        before, self._last = self._last, self._read()
        seconds, busy, own = (b - a for a, b in zip(before, self._last, strict=True))
        if seconds <= 0:
            return float("nan")
        return min(1.0, max(0.0, (busy - own) / (seconds * (os.cpu_count() or 1))))

    @staticmethod
    def _read() -> tuple[float, float, float]:
        """Return seconds of the clock, of all processors' work, and of our own work."""
        times = psutil.cpu_times()
        busy = sum(getattr(times, part, 0.0) for part in BUSY)
        return time.monotonic(), busy, sum(psutil.Process().cpu_times()[:4])
