"""The practice evening: from the front door to a table with a scripted GM."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from characters.pregenerated import PEOPLE
from companion.http import HttpRequest
from companion.people import ensure_person
from companion.throttle import client_address
from sessions.card_table import trials
from sessions.evening import free_nights


@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Say what a practice evening is, and begin one with the chosen character."""
    who = request.POST.get("who", "")
    if who in PEOPLE:
        person = ensure_person(request)
        free_nights.count_game(person, client_address(request))
        return redirect(trials.begin_practice(person, who))
    (first, proposed), *others = [(key, one.sheet) for key, one in PEOPLE.items()]
    context = {"first": first, "proposed": proposed, "others": others}
    context["going_on"] = trials.practice_going_on(request.person)
    return render(request, "sessions/practice.html", context)
