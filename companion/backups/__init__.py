"""Back up all data of a server into one file, and restore it."""
