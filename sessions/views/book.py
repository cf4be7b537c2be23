"""The book of games between the same people, for those who played them; and the standings of a campaign."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from companion.http import HttpRequest
from companion.models import Person
from companion.pacing.heavy import heavy
from sessions import access
from sessions.report import book, tallies
from sessions.report.book import HeadToHead
from sessions.report.tallies import Who


@heavy("GET")
@require_safe
def book_contents(request: HttpRequest) -> HttpResponse:
    """List the groups of people with whom the reader has played."""
    person = request.person
    context = {"groups": book.groups(person) if person else [], "bound": book.NEWEST}
    context["campaigns"] = book.campaigns(person) if person else []
    context["mine"] = book.book_of(person, [person.pk]) if person else None
    return _no_store(render(request, "book/contents.html", context))


@heavy("GET")
@require_safe
def own_book(request: HttpRequest) -> HttpResponse:
    """Show all games that the reader has played, with anyone."""
    if request.person is None:
        raise Http404
    return _render_book(request, request.person, {request.person.pk: ""})


@heavy("GET")
@require_safe
def group_book(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the book of those who sat at a table to its end."""
    table, reader = access.finished_table(request.person, pk)
    return _render_book(
        request, reader, {seat.person_id: seat.name for seat in book.people_at(table).values()}
    )


@heavy("GET")
@require_safe
def pair_book(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Show the book of two people: the reader and the person who sat at ``key`` of a table."""
    table, reader = access.finished_table(request.person, pk)
    seats = book.people_at(table)
    if key not in seats:
        raise Http404
    both = {reader.pk, seats[key].person_id}
    return _render_book(request, reader, {s.person_id: s.name for s in seats.values() if s.person_id in both})


@heavy("GET")
@require_safe
def standings(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the standings of a campaign's people, to all who have a seat there."""
    campaign = access.campaign_known(request.person, pk)
    found = book.book_of_campaign(campaign, book.this_year() if _this_year(request) else None)
    rest = tallies.opponents_never_beaten([played.game for played in found.games], list(found.names))
    context = _standings(request, found) | {"campaign": campaign, "runs": campaign.gm == request.person}
    context["unbeaten"] = [(found.names[one], [found.names[who] for who in others]) for one, others in rest]
    return _no_store(render(request, "book/campaign.html", context))


def _render_book(request: HttpRequest, reader: Person, people: dict[Who, str]) -> HttpResponse:
    """Render the book of people; ``people`` has the names of those without a game in it."""
    found = book.book_of(reader, people, book.this_year() if _this_year(request) else None)
    context = _standings(request, found) | {
        "memories": book.memories(found),
        "names": [found.names.get(who, name) for who, name in sorted(people.items())],
        "alone": len(people) == 1,
    }
    if len(people) > 2 and found.games:
        newest = found.games[0]
        context["others"] = [(newest.keys[who], found.names[who]) for who in people if who != reader.pk]
    return _no_store(render(request, "book/group.html", context))


def _standings(request: HttpRequest, found: HeadToHead) -> dict[str, Any]:
    """Return the context of a page with standings."""
    won = tallies.count_wins_by_pair([played.game for played in found.games])
    order = [one.who for one in found.standings]
    duels = [
        (found.names[one], [None if one == other else won[one, other] for other in order]) for one in order
    ]
    return {
        "book": found,
        "this_year": _this_year(request),
        "bound": book.NEWEST,
        "rows": [(found.names[one.who], one) for one in found.standings],
        "duels": duels,
        "duel": (duels[0][0], duels[0][1][1], duels[1][1][0], duels[1][0]) if len(duels) == 2 else None,
    }


def _this_year(request: HttpRequest) -> bool:
    return request.GET.get("season") == "year"


def _no_store(response: HttpResponse) -> HttpResponse:
    """Keep a response out of caches: only the people who played may see it."""
    response["Cache-Control"] = "no-store"
    return response
