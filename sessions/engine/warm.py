"""Use every msgspec type in one thread before other threads start.

msgspec completes its data about a class at the first use, without a lock: a thread that decodes while another
one is still doing this crashes the process. See docs/msgspec-threads.md.
"""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from companion.fate import Fate
from sessions.game import AnyModule, Event, GameFailed

from .shelf import registry
from .step import decode_move, encode, start
from .undo import Undo, decode

logger = logging.getLogger(__name__)


def preload_types(*kinds: Any) -> None:
    """Use every type of every module once, and ``kinds``, the types that other code decodes or converts into.

    Call this before the first thread starts.
    """
    for kind in (list[Event], *kinds):
        msgspec.json.Decoder(kind)
    for module in registry().values():
        try:
            _rehearse(module)
        except GameFailed as failure:
            # Its tables show the failure; sessions with other games must be able to begin.
            logger.exception("not rehearsed: %s", failure)


def _rehearse(module: AnyModule) -> None:
    """Open the smallest table, and call once each function that threads call."""
    seats = module.seat_list(module.seats.start)
    state = module.load(start(module, seats, {}, Fate("rehearsal", 0)))
    decode(module, encode(Undo()))
    for seat in seats:
        encode(module.asked(state, seat))
        for move in module.legal_moves(state, seat):
            decode_move(module, encode(move))
    for looker in (*seats, None):
        encode(module.view(state, looker))
    encode(module.outcome(state))
    if module.telling.digest:
        encode(module.telling.digest([], msgspec.convert({}, module.options)))
    if module.telling.marks:
        encode(module.telling.marks(module.view(state, None), []))
