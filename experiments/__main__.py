"""``python -m experiments``: one run, a sweep, or a named experiment."""

from __future__ import annotations

import sys

from experiments.config import CONF, ConfigError, check_arguments
from experiments.console import say_error


def main() -> int:
    """Run what the command line says; return the exit code."""
    try:
        check_arguments(sys.argv[1:])
    except ConfigError as error:
        say_error(str(error))
        return 2

    # MLflow and scikit-learn take seconds to import: a misspelt name is told before. What workers need is
    # imported meanwhile, by another process.
    from experiments.running import worker as limits

    limits.prepare()

    import hydra

    from experiments.sweep import callbacks, job, progress

    try:
        hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")(job.run)()
    except KeyboardInterrupt:
        progress.current().stop()
        say_error("interrupted; python -m experiments.tables makes tables of the runs that were finished")
        return 130
    finally:
        progress.current().stop()
    return 1 if callbacks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
