"""Open a rehearsal with a shipped scenario on its stage, so that the GM can try scenes, too."""

from __future__ import annotations

from contextlib import suppress

from django.db import transaction

from companion.limits.quotas import QuotaExceeded
from sessions.card_table import trials
from sessions.models import Campaign, Table
from sessions.scenarios import shipped, staging


@transaction.atomic
def begin_staged_rehearsal(campaign: Campaign, language: str | None) -> Table:
    """Open a rehearsal of a campaign, replacing any earlier one. It has no scenario if the GM has no room."""
    table = trials.begin_rehearsal(campaign)
    with suppress(QuotaExceeded), transaction.atomic():
        scenario = shipped.copy_shipped(campaign.gm, shipped.list_shipped(language)[0].key, language)
        scenario.rehearsal = table.session
        scenario.save(update_fields=["rehearsal"])
        staging.choose(session=table.session, scenario=scenario)
    return table
