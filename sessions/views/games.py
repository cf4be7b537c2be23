"""Pages and actions of board games: choose one, open it, manage its seats, play again."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from companion.http import HttpRequest
from companion.pages.public_origin import origin_of
from sessions import access
from sessions.board_games import games, rewards
from sessions.evening import refusals, shares
from sessions.evening.codes import read_number
from sessions.evening.refusals import refusal_sentence
from sessions.forms.games import GameForm, RewardForm
from sessions.game import AnyModule
from sessions.models import Seat, Table, TableSeat
from sessions.report.day_line import own_days
from sessions.screen.boxes import box_of, boxes
from sessions.screen.regions import result_of
from sessions.table import daily
from sessions.views.answers import done


@require_safe
def game_list(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the board games, one card each."""
    seat = access.seat_opening(request.person, pk)
    return render(request, "sessions/games.html", {"session": seat.session, "boxes": boxes()})


@require_http_methods(["GET", "HEAD", "POST"])
def new_game(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Choose players, bots and options; the proposed choice opens the game in one tap."""
    opener = access.seat_opening(request.person, pk)
    module = games.board_games().get(key)
    if module is None:
        raise Http404
    people = games.candidates(opener.session, module, opener)
    sitting = sum(likely for _, likely in people)
    form = GameForm(request.POST or None, module=module, sitting=sitting, over_days=True)
    if request.method == "POST":
        people = _apply_choice(people, [read_number(value) for value in request.POST.getlist("seat")])
        of_the_day = request.POST.get("daily") == "1"
        if form.is_valid() and (table := _open_game(form, opener, module, people, of_the_day=of_the_day)):
            return redirect(table)
    context = {"session": opener.session, "module": module, "people": people, "form": form}
    context["box"] = box_of(module)
    if module.tables.daily:
        url = origin_of(request) + reverse("play:free-game", args=[key])
        context |= own_days(opener.person, key, daily.today(), url)
    return render(request, "sessions/game.html", context, status=422 if form.errors else 200)


def _apply_choice(people: list[tuple[Seat, bool]], chosen: list[int]) -> list[tuple[Seat, bool]]:
    """Return all people as the form has them: the ticked seats first, in the form's order."""
    order = {pk: place for place, pk in reversed(list(enumerate(chosen)))}
    ticked = [(seat, seat.pk in order) for seat, _ in people]
    return sorted(ticked, key=lambda entry: order.get(entry[0].pk, len(chosen)))


def _open_game(
    form: GameForm,
    opener: Seat,
    module: AnyModule,
    people: list[tuple[Seat, bool]],
    *,
    of_the_day: bool,
) -> Table | None:
    """Open the game that a filled-in form asks for; a refusal becomes an error of the form."""
    try:
        return games.open_game(
            session=opener.session,
            key=module.key,
            players=[seat for seat, ticked in people if ticked],
            **form.bots,
            clock=form.clock,
            options=form.options,
            opened_by=opener,
            of_the_day=of_the_day,
            chance=None if of_the_day else shares.gather(opener.session),
        )
    except refusals.Refused as refused:
        form.add_error(None, refusal_sentence(refused))
        return None


@require_POST
def let_players_open(request: HttpRequest, pk: int) -> HttpResponse:
    """Allow players to open board games, or withdraw that."""
    session = access.seat_gm(request.person, pk).session
    games.let_players_open(session=session, allowed=request.POST.get("allowed") == "1")
    return redirect(session)


@require_POST
def rematch(request: HttpRequest, pk: int) -> HttpResponse:
    """Open the same game again; a second tap leads to the table that the first opened."""
    table, seat = _at(request, pk)
    if table.session.trial or not (games.manages(seat, table) or table.sitter(seat)):
        raise Http404
    try:
        chance = shares.gather(table.session) if games.may_begin_again(table) else None
        return redirect(games.rematch(table=table, by=seat, chance=chance))
    except refusals.Refused as refused:
        messages.error(request, refusal_sentence(refused))
        return redirect(table)


@require_POST
def hand_to_bot(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Let a bot play a seat. Its owner, the game's manager, and players who wait for the owner may do so."""
    table, seat = _at(request, pk)
    sits = _seat_of(table, key)
    if not (_cares_for(seat, sits) or games.misses(seat, sits)):
        raise Http404
    by = "" if sits.seat_id == seat.pk else seat.name
    return _done(request, table, lambda: games.hand_to_bot(table=table, key=key, by=by))


@require_POST
def take_from_bot(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Give a seat back to its owner."""
    table, seat = _at(request, pk)
    if not _cares_for(seat, _seat_of(table, key)):
        raise Http404
    return _done(request, table, lambda: games.take_from_bot(table=table, key=key))


@require_POST
def replace_bot(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Seat a latecomer where a bot sat."""
    table, _manager = _table_to_manage(request, pk)
    newcomer = get_object_or_404(table.session.seats, pk=read_number(request.POST.get("seat", "")))
    return _done(request, table, lambda: games.replace_bot(table=table, key=key, newcomer=newcomer))


@require_POST
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave the game: a bot plays on, and the owner can take the seat back."""
    table, seat = _at(request, pk)
    sits = get_object_or_404(table.table_seats, seat=seat)
    _done(request, table, lambda: games.hand_to_bot(table=table, key=sits.key))
    return redirect(table.session)


@require_POST
def stop(request: HttpRequest, pk: int) -> HttpResponse:
    """End a game as it stands. With ``to_evening``, for a game that cannot be shown, go to the session."""
    table, seat = _table_to_manage(request, pk)
    ended = _done(request, table, lambda: games.stop(table=table, by=seat))
    return redirect(table.session) if "to_evening" in request.POST else ended


@require_http_methods(["GET", "HEAD", "POST"])
def reward(request: HttpRequest, pk: int) -> HttpResponse:
    """Let the GM choose the rewards of an ended game for the campaign."""
    table = access.table_gm(request.person, pk)
    if table.ended_at is None or table.module not in games.board_games():
        raise Http404
    form = RewardForm(request.POST or None, campaign=table.session.own_campaign)
    seats, had = rewards.rewardable_seats(table), rewards.rewarded_characters(table)
    if request.method == "POST":
        chosen = {read_number(value) for value in request.POST.getlist("seat")}
    else:
        chosen = set(table.table_seats.exclude(seat=None).values_list("seat", flat=True))
    if form.is_valid():
        rewards.reward(
            table=table,
            seats=[seat for seat in seats if seat.pk in chosen],
            points=form.cleaned_data["points"],
            handout=form.cleaned_data["handout"],
            by=request.person,
        )
        messages.success(request, _("Handed over."))
        return redirect(table)
    people = [(seat, seat.pk in chosen, seat.character_id in had) for seat in seats]
    context = {"table": table, "form": form, "people": people, "result": result_of(table)}
    return render(request, "sessions/reward.html", context, status=422 if form.errors else 200)


def _at(request: HttpRequest, pk: int) -> tuple[Table, Seat]:
    table, seat = access.table_seat(request.person, pk)
    if seat.removed_at:
        raise Http404
    return table, seat


def _table_to_manage(request: HttpRequest, pk: int) -> tuple[Table, Seat]:
    table, seat = _at(request, pk)
    if not games.manages(seat, table):
        raise Http404
    return table, seat


def _seat_of(table: Table, key: str) -> TableSeat:
    return get_object_or_404(table.table_seats.select_related("table__session", "seat"), key=key)


def _cares_for(seat: Seat, sits: TableSeat) -> bool:
    """True if ``seat`` holds this seat of a game, plays it as a stand-in (代行), or manages the game."""
    owner = sits.seat_id
    mine = owner is not None and (owner == seat.pk or access.acting_seat(seat, owner) is not None)
    return mine or games.manages(seat, sits.table)


def _done(request: HttpRequest, table: Table, act: Callable[[], object]) -> HttpResponse:
    """Run an action, or show the reason of a refusal; either way redirect to the table."""
    done(request, act)
    return redirect(table)
