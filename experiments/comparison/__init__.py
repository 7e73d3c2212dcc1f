"""From scores to conclusions: which learner is better than which, by how much, and how sure that is."""
