"""Care signals: cards that tell the GM of a need, e.g. a break, without a name unless the player gives it.

An anonymous signal waits for a random delay in this process alone, so that it cannot be matched with a tap
seen at the table. Then it is in the cache, without a name, until the GM dismisses it. It is never written to
the database or a log. A server that stops during the delay loses it; the phones say so.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from typing import Any, Literal, get_args

from channels.layers import get_channel_layer
from django.core.cache import cache

from sessions.evening import announcing
from sessions.models import Seat, Session

SignalKind = Literal["x", "pace", "break", "spotlight"]
SIGNAL_KINDS: tuple[SignalKind, ...] = get_args(SignalKind)
#: Seconds of delay for an anonymous signal, and seconds that a signal stays in the cache for an absent GM.
SIGNAL_SOONEST, SIGNAL_LATEST = 5.0, 20.0
SIGNAL_KEPT = 30 * 60

_chance = secrets.SystemRandom()
#: Signals in their delay, at most one of each kind per session: further taps add none.
_under_way: dict[tuple[int, str], asyncio.Task[None]] = {}


@dataclass(frozen=True)
class CareSignal:
    """A signal as the GM sees it; ``names`` are those of the senders who chose to be named."""

    kind: str
    names: tuple[str, ...]


async def send_signal(session_pk: int, kind: SignalKind) -> None:
    """Send an anonymous signal after a random delay."""
    way = session_pk, kind
    if way not in _under_way:
        task = asyncio.create_task(_arrive(session_pk, kind))
        _under_way[way] = task
        task.add_done_callback(lambda _: _under_way.pop(way, None))


async def send_named_signal(seat: Seat, kind: SignalKind) -> None:
    """Send a signal at once, with the name of the seat."""
    await cache.aset(_signal_key(seat.session_id, kind, seat.pk), seat.name, SIGNAL_KEPT)
    await _announce_signals(seat.session_id)


async def dismiss_signal(session_pk: int, kind: SignalKind) -> None:
    """Remove a signal from the GM's screens."""
    seats = [pk async for pk in Seat.objects.filter(session=session_pk).values_list("pk", flat=True)]
    await cache.adelete_many([_signal_key(session_pk, kind, seat) for seat in (0, *seats)])
    await _announce_signals(session_pk)


def care_context(session: Session, reader: Seat | None) -> dict[str, Any]:
    """Return the context of the region ``care``: the GM's signals, none for any other reader."""
    if reader is None or not reader.is_gm:
        return {"signals": []}
    seats = [0, *sorted(seat.pk for seat in session.sitters)]
    keys = {kind: [_signal_key(session.pk, kind, seat) for seat in seats] for kind in SIGNAL_KINDS}
    found = cache.get_many([key for row in keys.values() for key in row])
    lying = {kind: [found[key] for key in row if key in found] for kind, row in keys.items()}
    return {"signals": [CareSignal(kind, tuple(filter(None, names))) for kind, names in lying.items() if names]}


async def _arrive(session_pk: int, kind: str) -> None:
    await asyncio.sleep(_chance.uniform(SIGNAL_SOONEST, SIGNAL_LATEST))
    await cache.aset(_signal_key(session_pk, kind, 0), "", SIGNAL_KEPT)
    await _announce_signals(session_pk)


async def _announce_signals(session_pk: int) -> None:
    message = {"type": "session.changed", "parts": ["care"]}
    await get_channel_layer().group_send(announcing.session_group(session_pk), message)


def _signal_key(session_pk: int, kind: str, seat: int) -> str:
    """Return the cache key; seat 0 stands for anonymous signals."""
    return f"care.{session_pk}.{kind}.{seat}"
