"""The context of one move at this table."""

from __future__ import annotations

from sessions.game import Scene as AnyScene

from .state import State

Scene = AnyScene[State]
