"""``python -m foldse`` is the command ``foldse``."""

from foldse.cli import main

if __name__ == "__main__":
    main()
