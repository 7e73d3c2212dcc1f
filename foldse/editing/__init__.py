"""Rules as people write them: read from text, JSON or objects, checked, and counted on data."""
