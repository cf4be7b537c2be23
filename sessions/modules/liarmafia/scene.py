"""One move being carried out."""

from __future__ import annotations

from sessions.engine import scene as engine

from .state import State

Scene = engine.Scene[State]
