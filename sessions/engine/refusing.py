"""The import path of contract 1, for games that use it."""

from sessions.game import allows, demand, refusal

__all__ = ["allows", "demand", "refusal"]
