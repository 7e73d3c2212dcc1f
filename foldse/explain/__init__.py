"""Why a label is predicted, in words and HTML, and what would change it."""
