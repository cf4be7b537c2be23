"""Actions on lines and veils (リミット): the limits that the table agreed on, and anonymous proposals.

A proposal is shown to the GM after a random delay, so that it cannot be matched with a tap seen at the table.
Its row has the end of the delay until then. Pages are notified by a timer (``screen/heartbeats.py``), never
by the request. No stored data leads from a proposal to a person.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from companion.limits import quotas
from companion.limits.throttle import record_try
from sessions.evening.announcing import broadcast
from sessions.evening.refusals import Refused
from sessions.models import Campaign, Limit, Seat, Session

#: The most limits of a campaign, proposals included, and the most proposals of a person in a session.
LIMITS_AT_MOST, PROPOSALS_AT_MOST = 60, 10
#: Seconds of delay before the GM sees a proposal.
PROPOSAL_SOONEST, PROPOSAL_LATEST = 20.0, 90.0
#: The regions that show limits.
LIMIT_PARTS = ("limits", "limits_call")

_chance = secrets.SystemRandom()


def limits_context(session: Session, *, leads: bool) -> dict[str, Any]:
    """Return the context of the limits' regions: the agreed limits and, for the GM, the proposals.

    :param leads: True if the reader runs the session, and so may read the proposals.
    """
    found = list(visible_limits(session.campaign_id)) if session.campaign_id else []
    return {
        "leads": leads,
        "agreed": [limit for limit in found if limit.agreed],
        "proposed": [limit for limit in found if leads and not limit.agreed],
    }


def visible_limits(campaign_pk: int | None) -> QuerySet[Limit]:
    """Return the limits of a campaign, without the proposals that are still in their delay."""
    waits = Q(shown_from__gt=timezone.now())
    return Limit.objects.filter(~waits, campaign=campaign_pk)


@transaction.atomic
def write_limit(*, session: Session, limit: Limit) -> None:
    """Add an agreed limit as the GM; it replaces any limit or proposal with the same words.

    :raises Refused: ``session_over``, ``limits_full``.
    """
    campaign = _open_list(session)
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
    if not record_try("", f"limits.{seat.session_id}.{seat.person_id}", PROPOSALS_AT_MOST, quotas.DAY):
        raise Refused("limits_of_one", most=PROPOSALS_AT_MOST)
    campaign = _open_list(seat.session)
    if same.exists():
        return
    limit.campaign, limit.agreed = campaign, False
    limit.shown_from = timezone.now() + timedelta(seconds=_chance.uniform(PROPOSAL_SOONEST, PROPOSAL_LATEST))
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
    """Remove a limit or a proposal."""
    campaign = limit.campaign
    limit.delete()
    _announce_limits(campaign)


@transaction.atomic
def announce_due_proposals(session_pks: Collection[int]) -> None:
    """Notify the open pages of these sessions of the proposals whose delay has ended."""
    due = Limit.objects.filter(
        shown_from__lte=timezone.now(), campaign__sessions__in=session_pks
    ).select_related("campaign")
    for campaign in {limit.campaign for limit in due.distinct()}:
        campaign.limits.filter(shown_from__lte=timezone.now()).update(shown_from=None)
        _announce_limits(campaign)


def _open_list(session: Session) -> Campaign:
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
