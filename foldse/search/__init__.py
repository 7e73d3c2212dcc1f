"""The best literal on a set of examples, by histograms of codes."""
