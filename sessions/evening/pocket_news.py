"""Push notifications of a session: a handout was handed over, a session was opened.

Anybody who sees the locked screen can read them. So they say only what the whole table may know, and go to
all people but the GM alike: a phone does not reveal whether the handout is for its owner.
"""

from __future__ import annotations

from functools import partial

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext

from companion.models import Person
from companion.push.sending import Notification, send_in_background
from sessions.evening import presence
from sessions.models import Role, Seat, Session

#: Seconds that push services keep these for a phone that is off: a handout can wait, a session ends.
HANDOUT_KEPT, OPENING_KEPT = 24 * 3600, 6 * 3600


def notify_handout(session: Session) -> None:
    """Notify all but the GM whose pages of the session are closed; open pages show the handout themselves."""
    seats = session.seats.filter(removed_at=None).exclude(role=Role.GM)
    here = presence.page_states(list(seats.values_list("pk", flat=True)))
    away = [pk for pk, state in here.items() if state != "here"]
    send_in_background(
        _people_with_push(seats.filter(pk__in=away)), partial(handout_notification, session), seconds=HANDOUT_KEPT
    )


def notify_session_opened(session: Session) -> None:
    """Notify all people who have played in the campaign and were not removed from any of its sessions."""
    seats = Seat.objects.filter(session__campaign=session.own_campaign)
    removed = seats.exclude(removed_at=None).values("person")
    players = seats.filter(role=Role.PLAYER).exclude(person__in=removed)
    send_in_background(_people_with_push(players), partial(session_notification, session), seconds=OPENING_KEPT)


def handout_notification(session: Session) -> Notification:
    """Return the notification of a handout, in the active language."""
    return Notification(session.name, gettext("A letter has come."), session.get_absolute_url())


def session_notification(session: Session) -> Notification:
    """Return the notification of an opened session, in the active language."""
    body = gettext("%(night)s has opened: your seat is waiting.") % {"night": session.name}
    return Notification(session.own_campaign.name, body, reverse("play:join", args=[session.code]))


def _people_with_push(seats: QuerySet[Seat]) -> QuerySet[Person]:
    """Return the people of these seats who have a device with push notifications."""
    return Person.objects.filter(seats__in=seats, push_subscriptions__isnull=False).distinct()
