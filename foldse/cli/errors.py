"""Errors in one line, and exit codes."""

from __future__ import annotations

import functools
import os
import signal
import sys
import warnings
from collections.abc import Callable
from typing import Any

import typer

from foldse.cli import messages

__all__ = [
    "BAD_DATA",
    "BAD_USAGE",
    "CommandError",
    "UsageError",
    "end_by_interrupt",
    "needs",
    "reported",
    "set_debug",
]

BAD_DATA, BAD_USAGE = 1, 2

_debug = False


class CommandError(Exception):
    """Data or a model that cannot be used; the message is one line that says what to do."""

    exit_code = BAD_DATA


class UsageError(CommandError):
    """Options that do not go together, or a value that an option does not take."""

    exit_code = BAD_USAGE


def set_debug(value: bool) -> None:
    """Let errors show where they come from, if `value` is true."""
    global _debug
    _debug = value


def needs(package: str, purpose: str) -> CommandError:
    """Return the error for an optional package that is not installed."""
    return CommandError(f"{purpose} needs the package {package}; install it: pip install {package}")


def end_by_interrupt() -> None:
    """End as Ctrl-C ends a program: by the signal, so that a shell sees it (code 130)."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)


def _one_line(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return " ".join(str(error).split())


def reported(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a command report its errors and warnings in one line each, and exit with the right code."""

    @functools.wraps(function)
    def run(*args: Any, **given: Any) -> Any:
        shown = warnings.showwarning
        if not _debug:
            warnings.showwarning = lambda message, *_, **__: messages.note(f"warning: {_one_line(message)}")
        try:
            return function(*args, **given)
        except (typer.Exit, typer.Abort, typer.BadParameter):
            raise
        except KeyboardInterrupt:
            end_by_interrupt()
        except Exception as error:  # the outermost place: the rest would be a traceback
            if _debug:
                raise
            expected = isinstance(error, CommandError | OSError | ValueError | TypeError)
            text = _one_line(error)
            if not expected:
                text = f"unexpected {type(error).__name__}: {text}; --debug shows where"
            print(f"foldse: error: {messages.visible(text)}", file=sys.stderr)
            raise typer.Exit(getattr(error, "exit_code", BAD_DATA)) from None
        finally:
            warnings.showwarning = shown

    return run
