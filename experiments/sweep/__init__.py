"""Hydra's side: jobs, sweeps and their progress."""
