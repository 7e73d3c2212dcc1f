"""Reproduction of the FOLD-SE paper: sweeps over data sets and learners, logged to MLflow, rebuilt as tables."""
