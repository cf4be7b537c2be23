"""Messages to the people of a session: to open pages by channel groups, to closed ones by push.

Open pages learn of changes, nudges and emotes, which are not stored. A seat note in the session's log is an
action on a seat, with the person who did it.

Anybody who sees the locked screen can read a push notification. So it says only what the whole table may
know, and goes to all people but the GM alike: a phone does not reveal whether a handout is for its owner.
"""

from __future__ import annotations

import uuid
from functools import partial

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from companion.models import Person
from companion.push.notifications import Notification, send_in_background
from sessions.evening import presence
from sessions.models import Role, Seat, SeatNote, Session, TableSeat

#: Seconds between two nudges of one seat.
NUDGES_APART = 3
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
#: Seconds for which the mark of a session's newest announcement is kept.
_MARK_KEPT = 60
#: Seconds that push services keep these for a phone that is off: a handout can wait, a session ends.
HANDOUT_KEPT, OPENING_KEPT = 24 * 3600, 6 * 3600


def session_group(session_pk: int) -> str:
    return f"session.{session_pk}"


def seat_group(seat_pk: int) -> str:
    return f"seat.{seat_pk}"


def nudge_seat(seat: Seat) -> None:
    """Buzz the phones of a seat that the table waits for, and of its stand-in, every few seconds at most."""
    if cache.add(f"nudge.{seat.pk}", True, NUDGES_APART):
        for pk in {seat.pk, seat.stand_in_id or seat.pk}:
            async_to_sync(get_channel_layer().group_send)(seat_group(pk), {"type": "seat.nudged"})


def broadcast(session_pk: int, *parts: str) -> None:
    """Notify the open pages of a session of a change, once it is committed.

    :param parts: the regions that may have changed. Without any, every region and every permission may have
        changed: then the seating gets a new number, which invalidates everything cached of the session.
    """
    if not parts:
        Session.objects.filter(pk=session_pk).update(seating=F("seating") + 1)
    # Not a partial: Django logs a failing callback by its ``__qualname__``, which a partial lacks.
    transaction.on_commit(lambda: announce_parts(session_pk, *parts), robust=True)


def announce_parts(session_pk: int, *parts: str) -> None:
    """Notify the open pages of a session now, and replace the mark of its newest announcement."""
    # The mark first: a page that finds the old one has joined the group, and gets the message.
    cache.set(_mark_key(session_pk), uuid.uuid4().hex, _MARK_KEPT)
    message = {"type": "session.changed", "parts": parts}
    async_to_sync(get_channel_layer().group_send)(session_group(session_pk), message)


def newest_mark(session_pk: int) -> str:
    """Return a mark that each announcement to a session's pages replaces, also those of other processes.

    While the mark is the same, no open page of the session was told of a change. Presence is no such change.
    """
    return str(cache.get_or_set(_mark_key(session_pk), lambda: uuid.uuid4().hex, _MARK_KEPT))


def _mark_key(session_pk: int) -> str:
    return f"announced.{session_pk}"


def add_seat_note(kind: str, seat: Seat, by: str = "") -> None:
    SeatNote.objects.create(session_id=seat.session_id, kind=kind, name=seat.name, by=by)
    broadcast(seat.session_id)


def show_emote(sits: TableSeat, kind: str) -> None:
    """Show an emote of a seat on all screens of its table, unless the seat showed one just before."""
    if sits.table.session.emotes and cache.add(f"emote.{sits.pk}", True, EMOTES_APART):
        emote = {"seat": sits.key, "name": sits.name, "kind": kind}
        message = {"type": "seat.emoted", "table": sits.table_id, "emote": emote}
        async_to_sync(get_channel_layer().group_send)(session_group(sits.table.session_id), message)


def allow_emotes(*, session: Session, allowed: bool) -> None:
    Session.objects.filter(pk=session.pk).update(emotes=allowed)
    broadcast(session.pk)


def notify_handout(session: Session) -> None:
    """Notify all but the GM whose pages of the session are closed; open pages show the handout themselves."""
    seats = session.seats.filter(removed_at=None).exclude(role=Role.GM)
    states = presence.page_states(list(seats.values_list("pk", flat=True)))
    away = [pk for pk, state in states.items() if state != "here"]
    send_in_background(
        _people_with_push(seats.filter(pk__in=away)),
        partial(handout_notification, session),
        seconds=HANDOUT_KEPT,
    )


def notify_session_opened(session: Session) -> None:
    """Notify all people who have played in the campaign and were not removed from any of its sessions."""
    seats = Seat.objects.filter(session__campaign=session.own_campaign)
    removed = seats.exclude(removed_at=None).values("person")
    players = seats.filter(role=Role.PLAYER).exclude(person__in=removed)
    send_in_background(
        _people_with_push(players), partial(session_notification, session), seconds=OPENING_KEPT
    )


def handout_notification(session: Session) -> Notification:
    return Notification(session.name, gettext("A letter has come."), session.get_absolute_url())


def session_notification(session: Session) -> Notification:
    body = gettext("%(night)s has opened: your seat is waiting.") % {"night": session.name}
    return Notification(session.own_campaign.name, body, reverse("play:join", args=[session.code]))


def _people_with_push(seats: QuerySet[Seat]) -> QuerySet[Person]:
    return Person.objects.filter(seats__in=seats, push_subscriptions__isnull=False).distinct()
