"""Speed and memory of foldse beside other learners: ``python -m benchmarks``; README.md explains it."""
