"""Work in a process of its own, with a limit on its time and its memory.

What ends the process ends only the piece of work that it was doing: the parent lives.

pebble's process pool is as fast (0.3 ms a call) and keeps the time as well, but ends the process alone: what
a learner started, such as a Java machine or a solver, would go on. A worker here leads a process group, which
is ended whole.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import connection
from multiprocessing.connection import Connection
from typing import Any

from omegaconf import DictConfig

from experiments.running import memory
from experiments.statuses import CRASHED, TIMEOUT

# Imported once, by the server that workers are forked from: a worker then starts in milliseconds.
PRELOADED = ("experiments.running.preload",)
_KINDS = ("fork", "spawn", "forkserver")
# For a process to begin and to end, beyond what its work takes.
_GRACE = 5.0


class LimitsError(ValueError):
    """Limits that cannot be kept; the message is one line."""


class StoppedError(Exception):
    """Work that ended without a result.

    Parameters
    ----------
    status : str
        ``"timeout"``, ``"out of memory"`` or ``"crashed"``.
    message : str
        What was seen, in one line.
    """

    def __init__(self, status: str, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True, slots=True)
class Limits:
    """What a fold and a job may take.

    Attributes
    ----------
    subprocess : bool
        Whether folds run in a process of their own; without it there are no limits.
    seconds : float or None
        Wall clock; None for no limit.
    memory_mb : float or None
        What a fold may add to its process; None for most of what the machine has free.
    job_seconds : float or None
        Wall clock of all folds of a job: a repetition after the first begins only if it would end before, at
        the pace so far. None for all repetitions.
    """

    subprocess: bool = True
    seconds: float | None = None
    memory_mb: float | None = None
    job_seconds: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.subprocess, bool):
            raise LimitsError(f"limits.subprocess={self.subprocess} must be true or false")
        for name in ("seconds", "memory_mb", "job_seconds"):
            value = getattr(self, name)
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
                raise LimitsError(f"limits.{name}={value} must be a number above 0, or null for none")
            if not self.subprocess and name != "job_seconds":
                raise LimitsError(
                    f"limits.{name}={value} needs limits.subprocess=true: only a process can be stopped"
                )

    @classmethod
    def from_config(cls, cfg: DictConfig) -> Limits:
        """Read the config group ``limits``."""
        return cls(cfg.subprocess, cfg.seconds, cfg.memory_mb, cfg.get("job_seconds"))


class Worker:
    """A process that does one piece of work after another, and is replaced when it had to be ended.

    Parameters
    ----------
    make : callable
        Called with `arguments` once a process; what it returns is called with each piece of work. Both must
        be importable by name, since they are sent to the process.
    arguments : tuple
    limits : Limits
    """

    def __init__(self, make: Callable[..., Callable[[Any], Any]], arguments: tuple, limits: Limits) -> None:
        self.make, self.arguments, self.limits = make, arguments, limits
        self.process: Any = None
        self.pipe: Connection | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    @property
    def fresh(self) -> bool:
        """Whether the next piece of work is the first of its process."""
        return self.process is None

    def call(self, work: Any) -> Any:
        """Do a piece of work.

        Raises
        ------
        StoppedError
            If it went over a limit or ended the process. The next call has a new process.
        """
        try:
            if self.process is None:
                self._start()
            assert self.pipe is not None
            self.pipe.send(work)
            if not self.pipe.poll(self.limits.seconds):
                self.stop()
                raise StoppedError(TIMEOUT, f"over limits.seconds={self.limits.seconds:g}")
            done, value = self.pipe.recv()
        except (EOFError, OSError) as error:
            raise StoppedError(CRASHED, self._ending()) from error
        except StoppedError:
            raise
        except BaseException:  # an interrupt leaves no process behind
            self.stop()
            raise
        if not done:
            self.stop()
            raise StoppedError(CRASHED, value)
        return value

    def stop(self) -> None:
        """End the process, and those that it began."""
        if self.process is None:
            return
        with contextlib.suppress(OSError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join(_GRACE)
        if self.pipe is not None:
            self.pipe.close()
        self.process = self.pipe = None

    def _start(self) -> None:
        context = _context()
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(theirs, self.make, self.arguments, self.limits.memory_mb), daemon=True
        )
        self.process.start()
        theirs.close()
        # Neither the start of the process nor the reading of its data is part of the first piece of work.
        done, value = self.pipe.recv()
        if not done:
            self.stop()
            raise StoppedError(CRASHED, value)

    def _ending(self) -> str:
        """Say how the process ended, whose end of the pipe is closed."""
        process = self.process
        process.join(_GRACE)
        code = process.exitcode
        self.stop()
        if code is None:
            return "the worker process closed its pipe"
        if code >= 0:
            return f"the worker process ended with exit code {code}"
        with contextlib.suppress(ValueError):
            return f"the worker process was ended by {signal.Signals(-code).name}"
        return f"the worker process was ended by signal {-code}"


def prepare() -> None:
    """Begin to import what workers need, in the background; calling it early saves its time later."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        from multiprocessing import forkserver

        _context()
        forkserver.ensure_running()


def _context() -> Any:
    # In a worker of a parallel launcher the default is a kind of its own, which no child process knows.
    if multiprocessing.get_start_method(allow_none=True) not in (None, *_KINDS):
        multiprocessing.set_start_method("forkserver", force=True)
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    return context


def _serve(pipe: Connection, make: Callable[..., Any], arguments: tuple, memory_mb: float | None) -> None:
    """Do what comes through the pipe until it is closed."""
    with contextlib.suppress(OSError, AttributeError):
        os.setsid()  # a group of its own: it is ended whole, and an interrupt at the terminal is the parent's
    _end_with_parent()
    memory.freeze()
    try:
        do = make(*arguments)
    except BaseException as error:
        pipe.send((False, _last_line(error)))
        return
    pipe.send((True, None))
    while True:
        try:
            work = pipe.recv()
        except EOFError:
            return
        try:
            with memory.Bound(memory_mb):
                value = do(work)
            pipe.send((True, value))
        except Exception as error:  # what cannot be sent, too
            memory.lift()
            pipe.send((False, _last_line(error)))


def _end_with_parent() -> None:
    """End this process when its parent is gone, whatever it does then."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        connection.wait([parent.sentinel])
        with contextlib.suppress(OSError, AttributeError):
            if os.getpgid(0) == os.getpid():
                os.killpg(0, signal.SIGKILL)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
    time.sleep(0)  # the thread begins before a bound on memory could refuse it its stack


def _last_line(error: BaseException) -> str:
    return traceback.format_exception_only(error)[-1].strip()
