"""What is learned, and how it prints: no data, no compiled code."""
