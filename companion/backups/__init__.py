"""A copy of everything that a server keeps, in one file, and the way back from it."""
