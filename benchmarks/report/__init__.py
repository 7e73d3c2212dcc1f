"""The report: targets, tables and plots of the results."""
