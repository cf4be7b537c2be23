"""Pages and actions of board games: choose one, open it, manage its seats, play again.

A game can be opened in a session, or from the home page without account and campaign: alone or with
friends. The book of games between the same people is for those who played them; with it are the
standings of a campaign.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from companion.identity.first_posts import answered_once
from companion.identity.people import HttpRequest, ensure_person
from companion.models import Person
from companion.pages.reach import origin_of
from companion.requests import read_number
from companion.requests.queue import heavy
from companion.requests.throttle import client_address
from sessions import access
from sessions.board_games import games
from sessions.evening import free_sessions, shares
from sessions.forms.games import GameForm, RewardForm
from sessions.game import AnyModule
from sessions.live.regions import game_box, game_boxes, result_words
from sessions.models import Seat, Table, TableSeat
from sessions.report import head_to_head
from sessions.report.result_card import days_context
from sessions.table import replay
from sessions.views.responses import action, no_store, refusals_as_errors, to_session


@require_safe
def game_list(request: HttpRequest, pk: int) -> HttpResponse:
    seat = access.game_opener_seat(request.person, pk)
    return render(request, "sessions/games.html", {"session": seat.session, "boxes": game_boxes()})


@require_http_methods(["GET", "HEAD", "POST"])
def new_game(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Choose players, bots and options; the proposed choice opens the game in one tap."""
    opener = access.game_opener_seat(request.person, pk)
    module = _board_game(key)
    people = games.candidates(opener.session, module, opener)
    sitting = sum(likely for _, likely in people)
    form = GameForm(request.POST or None, module=module, sitting=sitting, over_days=True)
    if request.method == "POST":
        people = _apply_choice(people, [read_number(value) for value in request.POST.getlist("seat")])
        if form.is_valid():
            choices, players = form.choices, [seat for seat, ticked in people if ticked]
            chance = None if choices.of_the_day else shares.gather_shares(opener.session)
            with refusals_as_errors(form):
                return redirect(
                    games.open_game(key=key, opener=opener, players=players, choices=choices, chance=chance)
                )
    context = {"session": opener.session, "module": module, "people": people, "form": form}
    context |= {"box": game_box(module), **_daily_context(request, opener.person, module)}
    return render(request, "sessions/game.html", context, status=422 if form.errors else 200)


def _board_game(key: str) -> AnyModule:
    module = games.board_games().get(key)
    if module is None:
        raise Http404
    return module


def _daily_context(request: HttpRequest, person: Person | None, module: AnyModule) -> dict[str, Any]:
    """Return the scores of a person in the games of the day; nothing for a game without such."""
    if person is None or not module.tables.daily:
        return {}
    url = origin_of(request) + reverse("play:free-game", args=[module.key])
    return days_context(person, module.key, replay.local_date(), url)


def _apply_choice(people: list[tuple[Seat, bool]], chosen: list[int]) -> list[tuple[Seat, bool]]:
    """Return all people as the form has them: the ticked seats first, in the form's order."""
    order = {pk: place for place, pk in reversed(list(enumerate(chosen)))}
    ticked = [(seat, seat.pk in order) for seat, _ in people]
    return sorted(ticked, key=lambda entry: order.get(entry[0].pk, len(chosen)))


@action(access.gm_seat, to=to_session)
def let_players_open(request: HttpRequest, gm: Seat) -> None:
    """Allow players to open board games, or withdraw that."""
    games.let_players_open(session=gm.session, allowed=request.POST.get("allowed") == "1")


def _table_and_seat(person: Person | None, pk: int) -> tuple[Table, Seat]:
    table, seat = access.table_and_seat(person, pk)
    if seat.removed_at:
        raise Http404
    return table, seat


@action(_table_and_seat)
def open_rematch(request: HttpRequest, table: Table, seat: Seat) -> HttpResponse:
    """Open the same game again; a second tap leads to the table that the first opened."""
    if table.session.trial or not (games.manages(seat, table) or table.sitter(seat)):
        raise Http404
    chance = shares.gather_shares(table.session) if games.may_begin_again(table) else None
    return redirect(games.rematch(table=table, by=seat, chance=chance))


@action(_table_and_seat)
def hand_to_bot(request: HttpRequest, table: Table, seat: Seat, key: str) -> None:
    """Let a bot play a seat. Its owner, the game's manager, and players who wait for the owner may do so."""
    sits = _seat_of(table, key)
    if not (_cares_for(seat, sits) or games.misses_owner_of(seat, sits)):
        raise Http404
    games.hand_to_bot(table=table, key=key, by="" if sits.seat_id == seat.pk else seat.name)


@action(_table_and_seat)
def take_from_bot(request: HttpRequest, table: Table, seat: Seat, key: str) -> None:
    if not _cares_for(seat, _seat_of(table, key)):
        raise Http404
    games.take_from_bot(table=table, key=key)


def _seat_of(table: Table, key: str) -> TableSeat:
    return get_object_or_404(table.table_seats.select_related("table__session", "seat"), key=key)


def _cares_for(seat: Seat, sits: TableSeat) -> bool:
    """True if ``seat`` holds this seat of a game, plays it as a stand-in (代行), or manages the game."""
    owner = sits.seat_id
    mine = owner is not None and (owner == seat.pk or access.represented_seat(seat, owner) is not None)
    return mine or games.manages(seat, sits.table)


@action(_table_and_seat, to=to_session)
def leave_game(request: HttpRequest, table: Table, seat: Seat) -> None:
    """Leave the game: a bot plays on, and the owner can take the seat back."""
    games.hand_to_bot(table=table, key=get_object_or_404(table.table_seats, seat=seat).key)


def _table_to_manage(person: Person | None, pk: int) -> tuple[Table, Seat]:
    table, seat = _table_and_seat(person, pk)
    if not games.manages(seat, table):
        raise Http404
    return table, seat


@action(_table_to_manage)
def replace_bot(request: HttpRequest, table: Table, manager: Seat, key: str) -> None:
    newcomer = get_object_or_404(table.session.seats, pk=read_number(request.POST.get("seat", "")))
    games.replace_bot(table=table, key=key, newcomer=newcomer)


def _to_session_or_table(request: HttpRequest, table: Table) -> HttpResponse:
    # The page of a game that cannot be shown asks for its session, by ``to_evening``.
    return redirect(table.session if "to_evening" in request.POST else table)


@action(_table_to_manage, to=_to_session_or_table)
def stop_game(request: HttpRequest, table: Table, seat: Seat) -> None:
    games.stop_game(table=table, by=seat)


@require_http_methods(["GET", "HEAD", "POST"])
def reward_players(request: HttpRequest, pk: int) -> HttpResponse:
    table = access.table_gm(request.person, pk)
    if table.ended_at is None or table.module not in games.board_games():
        raise Http404
    form = RewardForm(request.POST or None, campaign=table.session.own_campaign)
    seats, had = games.rewardable_seats(table), games.rewarded_characters(table)
    if request.method == "POST":
        chosen = {read_number(value) for value in request.POST.getlist("seat")}
    else:
        chosen = set(table.table_seats.exclude(seat=None).values_list("seat", flat=True))
    if form.is_valid():
        games.reward_seats(
            table=table,
            seats=[seat for seat in seats if seat.pk in chosen],
            points=form.cleaned_data["points"],
            handout=form.cleaned_data["handout"],
            by=request.person,
        )
        messages.success(request, _("Handed over."))
        return redirect(table)
    people = [(seat, seat.pk in chosen, seat.character_id in had) for seat in seats]
    context = {"table": table, "form": form, "people": people, "result": result_words(table)}
    return render(request, "sessions/reward.html", context, status=422 if form.errors else 200)


@answered_once
@require_http_methods(["GET", "HEAD", "POST"])
def free_game(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game's own page: begin it alone, continue it, or play it with friends."""
    module = _board_game(key)
    form = GameForm(request.POST if request.method == "POST" else None, module=module, sitting=1)
    if request.method == "POST":
        friends = "friends" in request.POST and module.seats.stop > 2
        if friends or form.is_valid():
            person = ensure_person(request)
            free_sessions.count_game(person, client_address(request))
            if friends:
                seat = free_sessions.open_with_friends(person, request.POST.get("name", ""))
                return redirect(f"{seat.session.get_absolute_url()}?game={key}")
            with refusals_as_errors(form):
                return redirect(_open_free_game(person, key, form.choices))
    context = {"module": module, "form": form, "box": game_box(module)}
    context["going_on"] = free_sessions.unfinished_game(request.person, key)
    if module.first_game:
        context["first_going_on"] = games.first_game_going_on(request.person, key)
        context["is_new"] = games.is_new_to(request.person, key)
    context |= _daily_context(request, request.person, module)
    return render(request, "sessions/free_game.html", context, status=422 if form.errors else 200)


@answered_once
@require_POST
def open_first_game(request: HttpRequest, key: str) -> HttpResponse:
    """Begin a newcomer's first game against a script. It replaces an earlier one."""
    module = _board_game(key)
    if module.first_game is None:
        raise Http404
    person = ensure_person(request)
    free_sessions.count_game(person, client_address(request))
    return redirect(games.begin_first_game(person, module))


@transaction.atomic
def _open_free_game(person: Person, key: str, choices: games.GameChoices) -> Table:
    """Open a game for one person and bots, and stop the unfinished one that it replaces."""
    left = free_sessions.unfinished_game(person, key)
    seat = free_sessions.seat_in_solo_session(person)
    table = games.open_game(key=key, opener=seat, players=[seat], choices=choices)
    if left:
        games.stop_game(table=left, by=seat)
    return table


@heavy("GET")
@require_safe
def book_contents(request: HttpRequest) -> HttpResponse:
    """List the groups of people with whom the reader has played."""
    person = request.person
    context = {"groups": head_to_head.groups_of(person) if person else [], "bound": head_to_head.NEWEST}
    context["campaigns"] = head_to_head.campaigns_with_games(person) if person else []
    context["books"] = access.member_campaigns(person)
    context["mine"] = head_to_head.book_of(person, [person.pk]) if person else None
    return no_store(render(request, "book/contents.html", context))


@heavy("GET")
@require_safe
def own_book(request: HttpRequest) -> HttpResponse:
    if request.person is None:
        raise Http404
    return _render_book(request, request.person, {request.person.pk: ""})


@heavy("GET")
@require_safe
def group_book(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the book of those who sat at a table to its end."""
    table, reader = access.finished_table(request.person, pk)
    seats = head_to_head.people_at(table).values()
    return _render_book(request, reader, {seat.person_id: seat.name for seat in seats})


@heavy("GET")
@require_safe
def pair_book(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Show the book of two people: the reader and the person who sat at ``key`` of a table."""
    table, reader = access.finished_table(request.person, pk)
    seats = head_to_head.people_at(table)
    if key not in seats:
        raise Http404
    both = {reader.pk, seats[key].person_id}
    return _render_book(request, reader, {s.person_id: s.name for s in seats.values() if s.person_id in both})


@heavy("GET")
@require_safe
def standings(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the standings of a campaign's people, to all who have a seat there."""
    campaign = access.known_campaign(request.person, pk)
    found = head_to_head.book_of_campaign(campaign, _season_start(request))
    rest = head_to_head.opponents_never_beaten([played.game for played in found.games], list(found.names))
    context = _standings_context(request, found)
    context |= {"campaign": campaign, "runs": campaign.gm == request.person}
    context["unbeaten"] = [(found.names[one], [found.names[who] for who in others]) for one, others in rest]
    return no_store(render(request, "book/campaign.html", context))


def _render_book(request: HttpRequest, reader: Person, people: dict[head_to_head.Who, str]) -> HttpResponse:
    """Render the book of ``people``, whose names are for those without a game in it."""
    found = head_to_head.book_of(reader, people, _season_start(request))
    context = _standings_context(request, found) | {
        "memories": head_to_head.memories(found),
        "names": [found.names.get(who, name) for who, name in sorted(people.items())],
        "alone": len(people) == 1,
    }
    if len(people) > 2 and found.games:
        newest = found.games[0]
        context["others"] = [(newest.keys[who], found.names[who]) for who in people if who != reader.pk]
    return no_store(render(request, "book/group.html", context))


def _standings_context(request: HttpRequest, found: head_to_head.HeadToHead) -> dict[str, Any]:
    won = head_to_head.count_wins_by_pair([played.game for played in found.games])
    order = [one.who for one in found.standings]
    duels = [
        (found.names[one], [None if one == other else won[one, other] for other in order]) for one in order
    ]
    return {
        "book": found,
        "this_year": _season_start(request) is not None,
        "bound": head_to_head.NEWEST,
        "rows": [(found.names[one.who], one) for one in found.standings],
        "duels": duels,
        "duel": (duels[0][0], duels[0][1][1], duels[1][1][0], duels[1][0]) if len(duels) == 2 else None,
    }


def _season_start(request: HttpRequest) -> datetime | None:
    return head_to_head.this_year() if request.GET.get("season") == "year" else None
