"""Tests and intervals, each from arrays of scores alone."""
