"""Limits of the rows that one person, campaign or session may store, far above any real need.

Without them, a stranger's script could fill the disk. The limits are checked when a new row is saved, by any
view or service, and the user gets a message that names the limit and the remedy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Model, QuerySet, Sum
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from companion.observability.metrics import TURNED_AWAY
from companion.pages.defaults import Middleware
from companion.requests.throttle import DAY, HOUR, TooManyRequests, Windows, too_many_requests_page

#: New guests from one address. Guests who join by a session's code are limited by its seats instead.
GUESTS = Windows("guest", ((150, HOUR), (600, DAY)), of_an_address=True)
#: Open websockets in a process: per address (``scale_to_crowd``), which a convention may share; per person,
#: as a GM may run many tables; and per person and page, as a page may be open on several devices.
SOCKETS_OF_AN_ADDRESS, SOCKETS_OF_A_PERSON, SOCKETS_AT_A_PAGE = 1_500, 300, 12
TOO_MANY_GUESTS = _("Many new guests came from your network. Please try again in an hour.")
TOO_MANY_GAMES = _("Many new games were begun from here. Please go on with one, or try again in an hour.")
READY = _("This campaign has 500 of these. Discard some first.")


class QuotaExceeded(Exception):
    """``sentence`` is the message for the user."""

    def __init__(self, sentence: str | Promise) -> None:
        super().__init__(sentence)
        self.sentence = sentence


@dataclass(frozen=True)
class Quota:
    """A limit on rows with the same value at ``of``, a field path. Only rows that match ``only`` count."""

    of: str
    at_most: int
    sentence: str | Promise
    only: Mapping[str, Any] = field(default_factory=dict)

    def counts(self, row: Model) -> bool:
        return all(getattr(row, name) == value for name, value in self.only.items())

    def is_full(self, row: Model) -> bool:
        return self.counted_rows(row)[: self.at_most].count() >= self.at_most

    def counted_rows(self, row: Model) -> QuerySet[Model]:
        owner: Any = row
        for name in self.of.split("__"):
            owner = getattr(owner, name, None)
        rows = type(row)._default_manager
        return rows.filter(**{self.of: owner}, **self.only) if owner is not None else rows.none()


class SequenceQuota(Quota):
    """A quota for rows numbered from 1 without gaps: the number of the new row replaces a count."""

    def is_full(self, row: Model) -> bool:
        number: int = getattr(row, "number")  # noqa: B009 (no model in particular)
        return number > self.at_most


class Weighed(Quota):
    """A quota on the sum of the rows' ``size``, in bytes."""

    def is_full(self, row: Model) -> bool:
        held = self.counted_rows(row).aggregate(held=Sum("size"))["held"] or 0
        size: int = getattr(row, "size")  # noqa: B009 (no model in particular)
        return bool(held + size > self.at_most)


#: tests/companion/test_quotas.py says what limits the rows of each other model.
QUOTAS: Mapping[str, list[Quota]] = {
    "companion.Picture": [Quota("owner", 300, _("You have 300 pictures. Take some away first."))],
    "companion.PushSubscription": [
        Quota("person", 20, _("20 of your devices are notified. Switch one of them off first."))
    ],
    "characters.Character": [
        Quota(
            "owner", 50, _("You have 50 unfinished characters. Finish or delete one."), {"status": "draft"}
        ),
        Quota("owner", 500, _("You have 500 characters. Delete one that you do not need.")),
    ],
    "characters.Revision": [
        Quota("character", 2_000, _("This sheet was changed 2,000 times. Go on with a copy of it."))
    ],
    "characters.LedgerEntry": [
        Quota("character", 2_000, _("This sheet has 2,000 lines of experience. Go on with a copy of it."))
    ],
    # Checklists of a session do not count: a player could prevent the GM from ending the session.
    "characters.ExperienceChecklist": [
        Quota(
            "character",
            20,
            _("20 checklists of this sheet are open. Confirm one first."),
            {"session_key": "", "confirmed_at": None},
        ),
        Quota(
            "character",
            500,
            _("This sheet has 500 checklists. Go on with a copy of it."),
            {"session_key": ""},
        ),
    ],
    "play.Campaign": [Quota("gm", 100, _("You have 100 campaigns. Go on with one of them."))],
    "play.Session": [
        Quota("campaign__gm", 200, _("200 of your evenings are open. End one first."), {"ended_at": None}),
        Quota("campaign", 1_000, _("This campaign has 1,000 evenings. Begin another campaign.")),
        Quota("host", 30, _("30 of your evenings are open. End one first."), {"ended_at": None}),
        Quota("host", 1_000, _("You have had 1,000 evenings of board games here.")),
    ],
    "play.Table": [Quota("session", 200, _("This evening has 200 tables. Open another evening."))],
    "play.Move": [SequenceQuota("table", 20_000, _("This table has 20,000 moves. Open another table."))],
    "play.Message": [
        Quota("session", 20_000, _("20,000 messages were written this evening. Open another evening."))
    ],
    "play.SeatClaim": [
        Quota("seat__session", 40, _("40 people ask for a seat of this evening. Please talk to the GM."))
    ],
    "play.Handout": [Quota("campaign", 500, READY)],
    "play.SceneNote": [Quota("campaign", 500, READY)],
    "play.PreparedCheck": [Quota("campaign", 500, READY)],
    "play.Scenario": [Quota("owner", 200, _("You have 200 scenarios. Delete one that you do not need."))],
    "play.ScenarioSound": [
        Quota("scenario__owner", 100, _("You have 100 sounds. Delete a scenario with some first.")),
        Weighed(
            "scenario__owner", 200_000_000, _("Your sounds fill 200 MB. Delete a scenario with some first.")
        ),
    ],
    "play.SeatNote": [
        Quota("session", 5_000, _("5,000 things were noted of the seats of this evening. Open another one."))
    ],
    "play.Notice": [
        Quota("session", 5_000, _("5,000 letters were handed out this evening. Open another evening."))
    ],
    "mfa.Authenticator": [Quota("user", 20, _("You have 20 passkeys. Remove one first."))],
    "play.LibraryNpc": [Quota("owner", 1_000, _("Your library has 1,000 NPCs. Delete some first."))],
}


def check(sender: type[Model], instance: Model, raw: bool = False, **kwargs: Any) -> None:
    """Raise ``QuotaExceeded`` if a new row exceeds a quota; a receiver of ``pre_save``."""
    if raw or not instance._state.adding:
        return
    for quota in QUOTAS.get(sender._meta.label, []):
        if quota.counts(instance) and quota.is_full(instance):
            raise QuotaExceeded(quota.sentence)


class LimitMiddleware(Middleware):
    """Respond with 422 to an exceeded quota (as HTML or JSON), and with 429 to too many requests."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, TooManyRequests):
            return too_many_requests_page(request, exception.seconds)
        if not isinstance(exception, QuotaExceeded):
            return None
        TURNED_AWAY.labels("quota").inc()
        if request.accepts("text/html"):
            return render(request, "full.html", {"sentence": exception.sentence}, status=422)
        return JsonResponse({"reason": str(exception.sentence)}, status=422)
