"""Reproduction of the FOLD-SE paper: sweeps logged to MLflow, rebuilt as tables."""
