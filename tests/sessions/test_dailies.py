"""The game of the day in every game: one person, bots that answer alike, and what may be told of it."""

from __future__ import annotations

from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from companion.fate import Fate
from sessions.board_games import games
from sessions.board_games.own_games import TableScore, bests
from sessions.engine import bots as choosing
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.game import Seat as Key
from sessions.models import Seat, Table
from sessions.report.result_card import day_line, result_card, signs_of
from sessions.table import bots, moves, replay
from tests.conftest import Somebody

pytestmark = pytest.mark.django_db
GAMES = ("goodcop", "journey", "liarmafia", "twentyfour")
LEAST = {"goodcop": 4, "journey": 1, "liarmafia": 2, "twentyfour": 3}


@pytest.fixture(autouse=True)
def _known_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same day in every run, and so the same deals; no midnight comes in the middle of a game."""
    monkeypatch.setattr(replay, "local_date", lambda: date(2026, 11, 22))


def today(seat: Seat, key: str) -> Table:
    """Today's game, requested with these other fields of the form."""
    choices = games.GameChoices(bot="random", bot_count=5, of_the_day=True)
    return games.open_game(key=key, opener=seat, players=[seat], choices=choices)


def answer(table: Table, key: Key) -> None:
    """Let a seat move: a bot as it does, the person always in the same way."""
    table.refresh_from_db()
    module, sits = registry()[table.module], table.table_seats.get(key=key)
    if sits.bot:
        bots._play_bot_move(table, sits, sits.bot)
        return
    own = Fate("the person", table.moves.filter(seat=key).count())
    move = choosing.choose_move(module, "steady", module.load(bytes(table.snapshot)), key, own)
    raw = encode(move)
    moves.submit(
        table.pk, moves.MoveRequest(seat=key, client_id=uuid4(), raw=raw, version=table.version, asked="")
    )


def to_its_end(table: Table, *, person_first: bool = True) -> Table:
    """Play a table to its end; where several are asked at once, the person is faster than bots, or slower."""
    module = registry()[table.module]
    while table.ended_at is None:
        waited = sorted(module.waiting_for(module.load(bytes(table.snapshot))), reverse=not person_first)
        answer(table, waited[0])
        table.refresh_from_db()
    return table


@pytest.mark.parametrize("key", GAMES)
def test_a_game_of_the_day_seats_one_person_first_against_plain_bots(seats: list[Seat], key: str) -> None:
    table = today(seats[0], key)
    assert table.daily == replay.local_date()
    sitting = [(sits.key, sits.seat_id, sits.bot) for sits in table.table_seats.order_by("key")]
    expected: list[tuple[str, int | None, str]] = [("p1", seats[0].pk, "")]
    expected += [(f"p{number}", None, "steady") for number in range(2, LEAST[key] + 1)]
    assert sitting == expected


@pytest.mark.parametrize("key", GAMES)
def test_a_game_of_the_day_is_equal_for_equal_moves_and_counts_at_once(
    seats: list[Seat], ayumi: Somebody, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    one, other = to_its_end(today(seats[0], key)), to_its_end(today(seats[1], key))
    assert bytes(one.snapshot) == bytes(other.snapshot)
    assert one.moves.count() == other.moves.count()
    own = bests(ayumi.person, key)
    assert own.today, "though bots sat at the table"
    assert (own.today.table, own.streak) == (one.pk, 1)
    while_others_may_still_play_it_its_card_shows_signs_and_no_cards(one)
    tomorrow = replay.local_date() + timedelta(days=1)
    monkeypatch.setattr(replay, "local_date", lambda: tomorrow)
    card = result_card(one)
    assert card
    assert card.signs == ""
    assert "data-sent-card" in card.nameless.sent


def while_others_may_still_play_it_its_card_shows_signs_and_no_cards(table: Table) -> None:
    card = result_card(table)
    assert card
    assert card.signs == signs_of(table) != ""
    assert set(card.signs) <= set("🟩🟨🟥🟦⬜⬛ ")
    assert card.of_the_day == f"今日の一局 {replay.local_date().month}/{replay.local_date().day}"
    for told in (card.named, card.nameless):
        assert (told.said, told.sent, told.prompt) == ("", "", "")


def test_bots_of_the_game_of_the_day_play_alike_for_fast_and_slow_players(seats: list[Seat]) -> None:
    """In 24 all place their cards at the same time; the order of players says nothing of the cards."""
    quick, slow = today(seats[0], "twentyfour"), today(seats[1], "twentyfour")
    placed = []
    for table, person_first in ((quick, True), (slow, False)):
        module = registry()[table.module]
        while (state := module.load(bytes(table.snapshot))).phase in ("detectives", "place1"):
            waited = sorted(module.waiting_for(state), reverse=not person_first)
            answer(table, waited[0])
            table.refresh_from_db()
        placed.append([player.first for player in state.players.values()])
    assert placed[0] == placed[1]


def test_a_rematch_of_a_game_of_the_day_keeps_the_seats(seats: list[Seat]) -> None:
    table = to_its_end(today(seats[0], "liarmafia"))
    again = games.rematch(table=table, by=seats[0])
    assert again.table_seats.get(key="p1").seat_id == seats[0].pk
    assert again.daily == replay.local_date()


def test_a_game_of_the_day_partly_played_by_a_bot_does_not_count(seats: list[Seat], ayumi: Somebody) -> None:
    table = to_its_end(today(seats[0], "liarmafia"))
    table.moves.filter(seat="p1", number__lt=3).update(bot="steady")
    assert bests(ayumi.person, "liarmafia").days == {}


def test_a_game_with_bots_that_is_not_of_the_day_has_no_best_score(
    seats: list[Seat], ayumi: Somebody
) -> None:
    choices = games.GameChoices(bot="random", bot_count=1)
    own = games.open_game(key="liarmafia", opener=seats[0], players=[seats[0]], choices=choices)
    to_its_end(own)
    assert bests(ayumi.person, "liarmafia").ever == []


def test_the_share_text_has_day_game_signs_score_and_address(seats: list[Seat]) -> None:
    table = to_its_end(today(seats[0], "liarmafia"))
    day = replay.local_date()
    line = day_line(TableScore(table.pk, 7, day, daily=True), "https://takujo.example/games/liarmafia/")
    assert line.splitlines() == [
        f"今日の一局 {day.month}/{day.day} ライアーマフィア",
        f"{signs_of(table)} 7点",
        "https://takujo.example/games/liarmafia/",
    ]


def test_the_share_text_is_on_the_game_page_and_the_result_page(
    seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    table = to_its_end(today(seats[0], "goodcop"))
    day = f"今日の一局 {replay.local_date().month}/{replay.local_date().day}"
    free, card = reverse("play:free-game", args=["goodcop"]), reverse("play:result", args=[table.pk])
    for address in (free, card):
        page = ayumi.client.get(address).content.decode()
        assert f"{day} グッドコップ" in page
        assert 'class="bests-curve"' in page
        assert "day-line" not in bo.client.get(address).content.decode()
    assert "今日の一局" in ayumi.client.get(table.get_absolute_url()).content.decode()
