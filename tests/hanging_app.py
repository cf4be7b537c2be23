"""The product, where certain words hang: in the game's rules, in a thread, or in the event loop itself."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import tests.skewed_app  # noqa: F401 (sets the clock)
from companion.asgi import application
from sessions.engine.game_errors import guard_module
from sessions.engine.registry import registry
from sessions.live.consumers import TableConsumer
from sessions.live.sockets import MoveFrame
from sessions.table import moves
from tests.servers import IN_A_THREAD, IN_THE_GAME, IN_THE_LOOP

__all__ = ["application"]


def wait_for_ever(*_: object) -> Any:
    threading.Event().wait()


def _apply(state: Any, seat: str, move: Any, fate: Any) -> Any:
    while getattr(move, "text", "") == IN_THE_GAME:
        pass
    return cards.apply(state, seat, move, fate)


def _submit(table_pk: int, request: moves.MoveRequest) -> Any:
    return wait_for_ever() if IN_A_THREAD.encode() in request.raw else submit(table_pk, request)


async def _play(self: TableConsumer, frame: MoveFrame) -> bool:
    return wait_for_ever() if IN_THE_LOOP.encode() in bytes(frame.move) else await play(self, frame)


cards, submit, play = registry()["uroboros"], moves.submit, TableConsumer.answer_move
registry()["uroboros"] = guard_module(replace(cards, apply=_apply))
moves.submit, TableConsumer.answer_move = _submit, _play  # type: ignore[method-assign]
