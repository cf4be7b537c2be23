"""Where contract 1 had them."""

from sessions.game import kind_of, kinds

__all__ = ["kind_of", "kinds"]
