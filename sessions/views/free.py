"""Board games from the home page: alone in three taps, or with friends, without account and campaign."""

from __future__ import annotations

from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from companion.http import HttpRequest
from companion.identity.first_posts import answered_once
from companion.identity.people import ensure_person
from companion.limits.throttle import client_address
from companion.models import Person
from companion.pages.public_origin import origin_of
from sessions.board_games import first_games, games
from sessions.evening import free_nights, refusals
from sessions.evening.refusals import refusal_sentence
from sessions.forms.games import GameForm
from sessions.game import AnyModule
from sessions.models import Table
from sessions.report.day_line import own_days
from sessions.screen.boxes import box_of
from sessions.table import daily


@answered_once
@require_http_methods(["GET", "HEAD", "POST"])
def free_game(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game's own page: begin it alone, continue it, or play it with friends."""
    module = games.board_games().get(key)
    if module is None:
        raise Http404
    form = GameForm(request.POST if request.method == "POST" else None, module=module, sitting=1)
    if request.method == "POST":
        friends = "friends" in request.POST and module.seats.stop > 2
        if friends or form.is_valid():
            person = ensure_person(request)
            free_nights.count_game(person, client_address(request))
            if friends:
                seat = free_nights.with_friends(person, request.POST.get("name", ""))
                return redirect(f"{seat.session.get_absolute_url()}?game={key}")
            if table := _open_free_game(form, person, module, of_the_day=request.POST.get("daily") == "1"):
                return redirect(table)
    context = {"module": module, "form": form, "box": box_of(module)}
    context["going_on"] = free_nights.game_going_on(request.person, key)
    if module.first_game:
        context["first_going_on"] = first_games.first_game_going_on(request.person, key)
        context["is_new"] = first_games.is_new_to(request.person, key)
    if module.tables.daily and request.person:
        url = origin_of(request) + reverse("play:free-game", args=[key])
        context |= own_days(request.person, key, daily.today(), url)
    return render(request, "sessions/free_game.html", context, status=422 if form.errors else 200)


@answered_once
@require_POST
def open_first_game(request: HttpRequest, key: str) -> HttpResponse:
    """Begin a newcomer's first game against a script. It replaces an earlier one."""
    module = games.board_games().get(key)
    if module is None or module.first_game is None:
        raise Http404
    person = ensure_person(request)
    free_nights.count_game(person, client_address(request))
    return redirect(first_games.begin_first_game(person, module))


def _open_free_game(form: GameForm, person: Person, module: AnyModule, *, of_the_day: bool) -> Table | None:
    """Open a game for one person and bots, and stop the unfinished one that it replaces.

    A refusal becomes an error of the form, and nothing is opened.
    """
    left = free_nights.game_going_on(person, module.key)
    try:
        with transaction.atomic():
            seat = free_nights.seat_alone(person)
            table = games.open_game(
                session=seat.session,
                key=module.key,
                players=[seat],
                options=form.options,
                opened_by=seat,
                of_the_day=of_the_day,
                clock=form.clock,
                **form.bots,
            )
            if left:
                games.stop(table=left, by=seat)
    except refusals.Refused as refused:
        form.add_error(None, refusal_sentence(refused))
        return None
    return table
