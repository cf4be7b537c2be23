"""Where contract 1 had them."""

from sessions.game import allows, demand, refusal

__all__ = ["allows", "demand", "refusal"]
