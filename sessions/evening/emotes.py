"""Emotes: a face that a player shows to the table for a moment. It is not stored."""

from __future__ import annotations

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from sessions.evening import announcing
from sessions.models import Session, TableSeat

#: The emotes with their words; static/img/icons.svg has the faces.
EMOTES = {
    "hello": _("Hello!"),
    "nice": _("Nice!"),
    "laugh": _("Haha"),
    "gasp": _("What!?"),
    "hmm": _("Hmm…"),
    "sorry": pgettext_lazy("emote", "Sorry"),
}
#: Seconds between two emotes of one seat, so that one is gone before the next; emotes.js waits as long.
EMOTES_APART = 2


def show_emote(sits: TableSeat, kind: str) -> None:
    """Show an emote of a seat on all screens of its table, unless the seat showed one just before."""
    if sits.table.session.emotes and cache.add(f"emote.{sits.pk}", True, EMOTES_APART):
        message = {
            "type": "seat.emoted",
            "table": sits.table_id,
            "emote": {"seat": sits.key, "name": sits.name, "kind": kind},
        }
        group = announcing.session_group(sits.table.session_id)
        async_to_sync(get_channel_layer().group_send)(group, message)


def allow_emotes(*, session: Session, allowed: bool) -> None:
    """Allow or forbid emotes in a session."""
    Session.objects.filter(pk=session.pk).update(emotes=allowed)
    announcing.broadcast(session.pk)
