"""``python -m experiments.tables`` rebuilds every table that the store has runs of."""

import sys

from experiments.tables.rebuild import main

sys.exit(main())
