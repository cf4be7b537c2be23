"""Safety tools: lines and veils (リミット) that the table agreed on, and care signals to the GM.

A proposal of a limit is anonymous. The GM sees it after a random delay, so that it cannot be matched with a
tap seen at the table. Its row has the end of the delay until then. Pages are notified by a timer
(``live/heartbeats.py``), never by the request. No stored data leads from a proposal to a person.

A care signal is a card that tells the GM of a need, e.g. a break, without a name unless the player gives it.
An anonymous signal waits for a random delay in this process alone. Then it is in the cache, without a name,
until the GM dismisses it. It is never written to the database or a log. A server that stops during the delay
loses it; the phones say so.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal, get_args

from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.db import transaction
from django.db.models import Q, QuerySet

from companion import shared_time
from companion.requests.throttle import DAY, record_try
from sessions.evening.announcements import announce_parts, broadcast
from sessions.evening.refusals import Refused
from sessions.models import Campaign, Limit, Seat, Session

#: The most limits of a campaign, proposals included, and the most proposals of a person in a session.
LIMITS_AT_MOST, PROPOSALS_AT_MOST = 60, 10
#: Seconds of delay before the GM sees a proposal.
PROPOSAL_SOONEST, PROPOSAL_LATEST = 20.0, 90.0
#: The regions that show limits.
LIMIT_PARTS = ("limits", "limits_call")
_chance = secrets.SystemRandom()
SignalKind = Literal["x", "pace", "break", "spotlight"]
SIGNAL_KINDS: tuple[SignalKind, ...] = get_args(SignalKind)
#: Seconds of delay for an anonymous signal, and seconds that a signal stays in the cache for an absent GM.
SIGNAL_SOONEST, SIGNAL_LATEST = 5.0, 20.0
SIGNAL_KEPT = 30 * 60
#: Signals in their delay, at most one of each kind per session: further taps add none.
_under_way: dict[tuple[int, str], asyncio.Task[None]] = {}


def limits_context(session: Session, *, leads: bool) -> dict[str, Any]:
    """Return the context of the limits' regions: the agreed limits and, for the GM, the proposals.

    :param leads: True if the reader runs the session, and so may read the proposals.
    """
    pk = session.campaign_id
    found = session.read_once("limits", lambda: list(visible_limits(pk))) if pk else []
    return {
        "leads": leads,
        "agreed": [limit for limit in found if limit.agreed],
        "proposed": [limit for limit in found if leads and not limit.agreed],
    }


def visible_limits(campaign_pk: int | None) -> QuerySet[Limit]:
    """Return the limits of a campaign, without the proposals that are still in their delay."""
    waits = Q(shown_from__gt=shared_time.now())
    return Limit.objects.filter(~waits, campaign=campaign_pk)


@transaction.atomic
def write_limit(*, session: Session, limit: Limit) -> None:
    """Add an agreed limit as the GM; it replaces any limit or proposal with the same words.

    :raises Refused: ``session_over``, ``limits_full``.
    """
    campaign = _lock_limits(session)
    campaign.limits.filter(words__iexact=limit.words).delete()
    limit.campaign, limit.agreed = campaign, True
    limit.save()
    _announce_limits(campaign)


@transaction.atomic
def propose_limit(*, seat: Seat, limit: Limit) -> None:
    """Store a proposal, unless the same words are proposed already: the answer does not tell.

    :raises Refused: ``session_over``, ``limit_holds`` (agreed limits are public), ``limits_of_one``,
        ``limits_full``.
    """
    same = Limit.objects.filter(campaign=seat.session.own_campaign, words__iexact=limit.words)
    if same.filter(agreed=True).exists():
        raise Refused("limit_holds")
    # The count is kept in a counter that expires, apart from the row, so that no row leads to a person.
    if not record_try("", f"limits.{seat.session_id}.{seat.person_id}", PROPOSALS_AT_MOST, DAY):
        raise Refused("limits_of_one", most=PROPOSALS_AT_MOST)
    campaign = _lock_limits(seat.session)
    if same.exists():
        return
    limit.campaign, limit.agreed = campaign, False
    wait = timedelta(seconds=_chance.uniform(PROPOSAL_SOONEST, PROPOSAL_LATEST))
    limit.shown_from = shared_time.now() + wait
    limit.save()


@transaction.atomic
def agree_on_limit(*, limit: Limit, kind: str) -> None:
    """Agree on a proposal, or change an agreed limit between line and veil.

    :raises Limit.DoesNotExist: it was removed.
    """
    limit = Limit.objects.select_for_update().get(pk=limit.pk)
    limit.kind, limit.agreed = kind, True
    limit.save(update_fields=["kind", "agreed"])
    _announce_limits(limit.campaign)


def remove_limit(*, limit: Limit) -> None:
    campaign = limit.campaign
    limit.delete()
    _announce_limits(campaign)


def announce_due_proposals(session_pks: Collection[int]) -> None:
    """Notify the open pages of these sessions of the proposals whose delay has ended.

    Every process asks every few seconds, so a transaction begins only where something is due.
    """
    due = Limit.objects.filter(
        shown_from__lte=shared_time.now(), campaign__sessions__in=session_pks
    ).select_related("campaign")
    for campaign in {limit.campaign for limit in due.distinct()}:
        with transaction.atomic():
            campaign.limits.filter(shown_from__lte=shared_time.now()).update(shown_from=None)
            _announce_limits(campaign)


def _lock_limits(session: Session) -> Campaign:
    """Return the campaign of a session, locked; refuse if it has no room for one more limit."""
    if session.ended_at:
        raise Refused("session_over")
    campaign = Campaign.objects.select_for_update().get(pk=session.own_campaign.pk)
    # Before looking for the same words: otherwise this refusal would reveal that they are not proposed yet.
    if campaign.limits.count() >= LIMITS_AT_MOST:
        raise Refused("limits_full")
    return campaign


def _announce_limits(campaign: Campaign) -> None:
    for pk in campaign.sessions.filter(ended_at=None).values_list("pk", flat=True):
        broadcast(pk, *LIMIT_PARTS)


@dataclass(frozen=True)
class CareSignal:
    """A signal as the GM sees it; ``names`` are those of the senders who chose to be named."""

    kind: str
    names: tuple[str, ...]


async def send_signal(session_pk: int, kind: SignalKind) -> None:
    """Send an anonymous signal after a random delay."""
    way = session_pk, kind
    if way not in _under_way:
        task = asyncio.create_task(_send_after_delay(session_pk, kind))
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
    names = {kind: [found[key] for key in row if key in found] for kind, row in keys.items()}
    return {"signals": [CareSignal(kind, tuple(filter(None, of))) for kind, of in names.items() if of]}


async def _send_after_delay(session_pk: int, kind: str) -> None:
    await asyncio.sleep(_chance.uniform(SIGNAL_SOONEST, SIGNAL_LATEST))
    await cache.aset(_signal_key(session_pk, kind, 0), "", SIGNAL_KEPT)
    await _announce_signals(session_pk)


async def _announce_signals(session_pk: int) -> None:
    await sync_to_async(announce_parts)(session_pk, "care")


def _signal_key(session_pk: int, kind: str, seat: int) -> str:
    """Return the cache key; seat 0 stands for anonymous signals."""
    return f"care.{session_pk}.{kind}.{seat}"
