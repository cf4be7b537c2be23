"""The product, where each chat message and each move raises an error that quotes it."""

from typing import Any

from companion.asgi import application
from sessions.chat import messages
from sessions.table import moves

__all__ = ["application"]


def _quote(**fields: Any) -> Any:
    seat, draft = fields.get("seat"), fields.get("draft")
    # Values as an error's trace would show them, and a text as databases write theirs.
    raise ValueError(f"{getattr(seat, 'name', seat)} said {getattr(draft, 'text', fields.get('raw'))}")


def _quote_move(_table_pk: int, request: moves.MoveRequest) -> Any:
    _quote(seat=request.seat, raw=request.raw)


messages.send, moves.submit = _quote, _quote_move
