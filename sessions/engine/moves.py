"""The import path of contract 1, for games that use it."""

from sessions.game import kind_of, kinds

__all__ = ["kind_of", "kinds"]
