"""Settings of the whole suite."""

from hypothesis import settings

# The first call of a compiled kernel compiles it: that is no slow test case.
settings.register_profile("foldse", deadline=None, print_blob=True)
settings.load_profile("foldse")
