"""Apply one move of any module to an encoded snapshot: the only way a state ever changes.

Live tables, replay, playthroughs and tests all use this module, so there is one definition of
"a refused move changes nothing": the state is decoded, changed and encoded again, and a refused move
is never encoded. A stored snapshot can be compared with the one that a log leads to.
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.fate import Fate
from sessions.engine.game_errors import guard_call
from sessions.game import AnyModule, BadTable, Event, GameFailed, IllegalMove, Seat

MAX_MOVE_BYTES = 32 * 1024  # a whole character sheet, written in \u escapes, fits
encode = msgspec.json.Encoder(order="deterministic").encode


def decode_move(module: AnyModule, raw: bytes) -> Any:
    """Decode wire bytes into a move of the module.

    :raises IllegalMove: ``malformed_move`` for a wrong type, field or value, before any rule is checked.
    """
    return read_move(module.moves, raw)


def read_move(decoder: msgspec.json.Decoder[Any], raw: bytes) -> Any:
    """Decode wire bytes with ``decoder``.

    :raises IllegalMove: ``malformed_move``; ``raw`` is too long or is no move that ``decoder`` knows.
    """
    if len(raw) > MAX_MOVE_BYTES:
        raise IllegalMove("malformed_move")
    try:
        return decoder.decode(raw)
    except (ValueError, RecursionError) as problem:
        raise IllegalMove("malformed_move") from problem


def start(module: AnyModule, seats: list[Seat], options: dict[str, Any], fate: Fate) -> bytes:
    """Open a table and return its first snapshot.

    :raises BadTable: the seats or options do not fit the module.
    :raises GameFailed: the game breaks its contract.
    """
    players = len(seats) - module.gm
    if seats != module.seat_list(players):
        raise BadTable(f"seats must be {module.seat_list(players)}")
    try:
        state = module.setup(seats, msgspec.convert(options, module.options), fate)
    except msgspec.ValidationError as problem:
        raise BadTable(str(problem)) from None
    return _snapshot(module, state)


def step(
    module: AnyModule, snapshot: bytes, seat: Seat | None, move: Any, fate: Fate
) -> tuple[bytes, list[Event]]:
    """Apply one move to a snapshot; return the next snapshot and the events.

    After either exception, ``snapshot`` is still the current one.

    :raises IllegalMove: ``not_seated``, ``game_over``, or a code of the module.
    :raises GameFailed: the game breaks its contract.
    """
    state = module.load(snapshot)
    if seat is None or seat not in state.seats:
        raise IllegalMove("not_seated")
    if module.outcome(state) is not None:
        raise IllegalMove("game_over")
    events = module.apply(state, seat, move, fate)
    return _snapshot(module, state), events


def _snapshot(module: AnyModule, state: Any) -> bytes:
    # A GM can always move, so a game with a GM need not wait for a seat.
    if not module.gm and module.outcome(state) is None and not module.waiting_for(state):
        raise GameFailed(module.key, "waiting_for: nobody can play, and nobody has won")
    with guard_call(module.key, "writing a state"):
        return encode(state)


def is_same_state(module: AnyModule, played: bytes, kept: bytes) -> bool:
    """True if a stored snapshot equals the replayed one.

    An older snapshot may lack fields that its game has added since.

    :raises GameFailed: the game cannot read a snapshot.
    """
    return played == kept or comparable_snapshot(module, played) == comparable_snapshot(module, kept)


def comparable_snapshot(module: AnyModule, snapshot: bytes) -> bytes:
    """Return a snapshot as the game encodes it today, without the fields that only describe recent moves."""
    state = module.load(snapshot)
    for name in module.telling.fields:
        setattr(state, name, None)
    return encode(state)
