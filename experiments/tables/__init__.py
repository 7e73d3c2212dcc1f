"""Measured figures beside the published ones."""
