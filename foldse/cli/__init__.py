"""The command ``foldse``: rules learned from a file of data, without writing Python.

A module here is either a part (messages, errors, options, the reading of files, columns, learners, scores,
printing) or one command. pandas, scikit-learn and the library are imported when a command runs, so that help
and completion answer at once.
"""

from __future__ import annotations

import signal

__all__ = ["main"]


def main() -> None:
    """Run the command line; does not return.

    Ends with 0, with 1 for bad data or a bad model, with 2 for wrong usage. Where the reader of the output
    goes away (``| head``), or on Ctrl-C, the process ends by the signal, quietly, as other programs do.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    from foldse.cli.errors import end_by_interrupt

    try:
        from foldse.cli.app import app

        app(prog_name="foldse")
    except KeyboardInterrupt:
        end_by_interrupt()
