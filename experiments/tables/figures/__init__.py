"""The figures of the ablations."""
