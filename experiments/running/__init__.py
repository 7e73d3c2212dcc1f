"""Folds, in a process with limits."""
