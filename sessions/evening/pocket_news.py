"""What reaches phones in pockets between the scenes: a letter that was handed over, a night that opened.

Everybody who sees a locked screen reads it. So it says what the whole table may know, and it goes to all
players alike: whether a letter holds anything for somebody, their phone does not tell.
"""

from __future__ import annotations

from functools import partial

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from companion.models import Person
from companion.push.sending import Letter, send_later
from sessions.evening import presence
from sessions.models import Role, Seat, Session

#: So long a push service keeps what a phone was switched off for: a letter waits, a night ends.
LETTER, NIGHT = 24 * 3600, 6 * 3600


def letter_came(session: Session) -> None:
    """Tell those at the evening, except its GM, whose pages are closed; open ones show the letter."""
    seats = session.seats.filter(removed_at=None).exclude(role=Role.GM)
    here = presence.of(list(seats.values_list("pk", flat=True)))
    away = [pk for pk, state in here.items() if state != "here"]
    send_later(_told(seats.filter(pk__in=away)), partial(letter_words, session), seconds=LETTER)


def night_opened(session: Session) -> None:
    """Tell whoever has played in the campaign, and was removed from none of its nights."""
    seats = Seat.objects.filter(session__campaign=session.own_campaign)
    removed = seats.exclude(removed_at=None).values("person")
    players = seats.filter(role=Role.PLAYER).exclude(person__in=removed)
    send_later(_told(players), partial(night_words, session), seconds=NIGHT)


def letter_words(session: Session) -> Letter:
    """Return what is said of a letter, in the language that is active."""
    return Letter(session.name, _("A letter has come."), session.get_absolute_url())


def night_words(session: Session) -> Letter:
    """Return what is said of a night that opened, in the language that is active."""
    body = _("%(night)s has opened: your seat is waiting.") % {"night": session.name}
    return Letter(session.own_campaign.name, body, reverse("play:join", args=[session.code]))


def _told(seats: QuerySet[Seat]) -> QuerySet[Person]:
    """Return the people of these seats who want some device to be told."""
    return Person.objects.filter(seats__in=seats, push_subscriptions__isnull=False).distinct()
