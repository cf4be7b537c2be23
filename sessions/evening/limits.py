"""The verbs of lines and veils (リミット): what the table agreed on, and proposals without a name.

A proposal is not announced: a page that changed at this moment could be matched with a tap seen at the table.
The GM's pages show it when they are drawn the next time.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet

from sessions.evening.refusals import Refused
from sessions.models import Campaign, Limit, Session

#: Of one campaign, proposals included.
AT_MOST = 60


def agreed(session: Session) -> QuerySet[Limit]:
    """Return the limits that hold tonight. They belong to the campaign, and so to its other nights."""
    return Limit.objects.filter(campaign=session.campaign_id, agreed=True)


def proposed(session: Session) -> QuerySet[Limit]:
    """Return the proposals, which are for the GM's eyes alone."""
    return Limit.objects.filter(campaign=session.campaign_id, agreed=False)


@transaction.atomic
def write(*, session: Session, limit: Limit, agreed: bool) -> None:
    """Write a limit down; one in the same words that is there already stays the only one.

    :param agreed: True from the GM, False for a proposal.
    :raises Refused: ``limits_full``.
    """
    campaign = Campaign.objects.select_for_update().get(pk=session.own_campaign.pk)
    same = campaign.limits.filter(words__iexact=limit.words)
    if (agreed and same.update(kind=limit.kind, agreed=True)) or same.exists():
        return
    if campaign.limits.count() >= AT_MOST:
        raise Refused("limits_full")
    limit.campaign, limit.agreed = campaign, agreed
    limit.save()


def agree(*, limit: Limit, kind: str) -> None:
    """Put a proposal among what holds, or change how far a limit goes."""
    limit.kind, limit.agreed = kind, True
    limit.save(update_fields=["kind", "agreed"])
