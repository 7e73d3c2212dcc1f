"""A config becomes a table."""
