"""``python -m experiments``: one run, a sweep, or a named experiment."""

from __future__ import annotations

import os
import sys

import hydra
from omegaconf import DictConfig

from experiments.config import CONF, CONFIG_ERRORS, one_line, own_data
from experiments.console import say_error
from experiments.running import worker
from experiments.sweep import progress


def main() -> int:
    """Run what the command line says; return the exit code."""
    # What workers need is imported by another process while this one reads the configuration.
    worker.prepare()
    wants_traceback = os.environ.get("HYDRA_FULL_ERROR") == "1"
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra raises what it would otherwise print
    try:
        sys.argv[1:] = own_data(sys.argv[1:])
        hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")(run)()
    except CONFIG_ERRORS as error:
        if wants_traceback:
            raise
        say_error(one_line(error))
        return 2
    except OSError as error:
        if wants_traceback:
            raise
        say_error(f"the outputs cannot be written: {error}; set paths.outputs=<folder>")
        return 1
    except KeyboardInterrupt:
        progress.current().stop()
        say_error("interrupted; python -m experiments.tables makes tables of the runs that are finished")
        return 130
    finally:
        progress.current().stop()
    return 0


def run(cfg: DictConfig) -> None:
    """Run one job; its imports wait until the configuration is known to be good."""
    from experiments.sweep import job

    job.run(cfg)


if __name__ == "__main__":
    sys.exit(main())
