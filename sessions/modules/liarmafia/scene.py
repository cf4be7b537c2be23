"""The context in which one move is carried out."""

from __future__ import annotations

from sessions.game import Scene as AnyScene

from .state import State

Scene = AnyScene[State]
