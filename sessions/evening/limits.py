"""The verbs of lines and veils (リミット): what the table agreed on, and proposals without a name.

A proposal waits for a random while before the GM is shown it, so that it cannot be matched with a tap seen at
the table. The end of that while stands in the row until it is past, and pages are told by the clock
(``screen/heartbeats.py``), never by the request. Nothing that is kept leads from a proposal to a person.
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
from companion.limits.throttle import allowed
from sessions.evening.announcing import announce
from sessions.evening.refusals import Refused
from sessions.models import Campaign, Limit, Seat, Session

#: Of one campaign, proposals included; and proposals of one person in an evening.
AT_MOST, OF_ONE = 60, 10
#: Seconds before the GM is shown a proposal.
SOONEST, LATEST = 20.0, 90.0
#: The regions that show limits.
PARTS = ("limits", "limits_call")

_chance = secrets.SystemRandom()


def shown(session: Session, *, leads: bool) -> dict[str, Any]:
    """Return what a reader may see of the limits that hold tonight.

    :param leads: True if the reader runs the session, and so reads the proposals.
    """
    found = list(known(session.campaign_id)) if session.campaign_id else []
    return {
        "leads": leads,
        "agreed": [limit for limit in found if limit.agreed],
        "proposed": [limit for limit in found if leads and not limit.agreed],
    }


def known(campaign_pk: int | None) -> QuerySet[Limit]:
    """Return the limits of a campaign that its GM knows, those alone that have waited long enough."""
    waits = Q(shown_from__gt=timezone.now())
    return Limit.objects.filter(~waits, campaign=campaign_pk)


@transaction.atomic
def write(*, session: Session, limit: Limit) -> None:
    """Write down, as the GM, what holds from now on, in the place of whatever has the same words.

    :raises Refused: ``session_over``, ``limits_full``.
    """
    campaign = _open_list(session)
    campaign.limits.filter(words__iexact=limit.words).delete()
    limit.campaign, limit.agreed = campaign, True
    limit.save()
    _announce(campaign)


@transaction.atomic
def propose(*, seat: Seat, limit: Limit) -> None:
    """Pass a proposal on. Somebody else's in the same words is as good, and the answer does not tell.

    :raises Refused: ``session_over``, ``limit_holds`` (which everybody reads), ``limits_of_one``,
        ``limits_full``.
    """
    same = Limit.objects.filter(campaign=seat.session.own_campaign, words__iexact=limit.words)
    if same.filter(agreed=True).exists():
        raise Refused("limit_holds")
    # Counted beside the words, by a counter that forgets: no row says whose it is.
    if not allowed("", f"limits.{seat.session_id}.{seat.person_id}", OF_ONE, quotas.DAY):
        raise Refused("limits_of_one", most=OF_ONE)
    campaign = _open_list(seat.session)
    if same.exists():
        return
    limit.campaign, limit.agreed = campaign, False
    limit.shown_from = timezone.now() + timedelta(seconds=_chance.uniform(SOONEST, LATEST))
    limit.save()


@transaction.atomic
def agree(*, limit: Limit, kind: str) -> None:
    """Put a proposal among what holds, or change how far a limit goes.

    :raises Limit.DoesNotExist: it was taken off the list.
    """
    limit = Limit.objects.select_for_update().get(pk=limit.pk)
    limit.kind, limit.agreed = kind, True
    limit.save(update_fields=["kind", "agreed"])
    _announce(limit.campaign)


def take_off(*, limit: Limit) -> None:
    """Take a limit, or a proposal, off the list."""
    campaign = limit.campaign
    limit.delete()
    _announce(campaign)


@transaction.atomic
def come_due(session_pks: Collection[int]) -> None:
    """Let the open pages of these sessions show the proposals that have waited long enough."""
    due = Limit.objects.filter(
        shown_from__lte=timezone.now(), campaign__sessions__in=session_pks
    ).select_related("campaign")
    for campaign in {limit.campaign for limit in due.distinct()}:
        campaign.limits.filter(shown_from__lte=timezone.now()).update(shown_from=None)
        _announce(campaign)


def _open_list(session: Session) -> Campaign:
    """Return the campaign of a session, locked, if there is room for one more limit."""
    if session.ended_at:
        raise Refused("session_over")
    campaign = Campaign.objects.select_for_update().get(pk=session.own_campaign.pk)
    # Before looking for the same words: otherwise a refusal would tell that nobody has proposed these.
    if campaign.limits.count() >= AT_MOST:
        raise Refused("limits_full")
    return campaign


def _announce(campaign: Campaign) -> None:
    for pk in campaign.sessions.filter(ended_at=None).values_list("pk", flat=True):
        announce(pk, *PARTS)
