"""How kernels are compiled and run in threads."""
