"""The game of the day: the same for everybody, its secret kept until it is over, one's own best scores."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from companion.fate import commitment
from sessions.board_games import games
from sessions.board_games.own_games import bests
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import nights, refusals
from sessions.models import Seat, Session, Table
from sessions.modules.journey.state import SUITS
from sessions.table import moves, opening, replay
from tests.conftest import Somebody

pytestmark = pytest.mark.django_db


def open_today(seat: Seat, **more: Any) -> Table:
    choices = games.GameChoices(**{"of_the_day": True, **more})
    return games.open_game(key="journey", opener=seat, players=[seat], choices=choices)


def open_own(seat: Seat) -> Table:
    """A journey of one's own deal."""
    return open_today(seat, of_the_day=False)


def do(table: Table, **move: Any) -> None:
    table.refresh_from_db()
    moves.submit(
        table.pk,
        moves.MoveRequest(seat="p1", client_id=uuid4(), raw=encode(move), version=table.version, asked=""),
    )
    table.refresh_from_db()


def come_home(table: Table, letters: int = 1) -> None:
    """Put a journey before its last step, and take it."""
    do(table, type="pack", items=[])
    state = registry()["journey"].load(bytes(table.snapshot))
    state.phase, state.letters, state.solved = "end", letters, list(SUITS)
    state.pawns = {"white": 7, "a": 7, "b": 7}
    table.snapshot = encode(state)
    table.save(update_fields=["snapshot"])
    do(table, type="end_turn")


def dealt(table: Table) -> tuple[Any, ...]:
    state = registry()["journey"].load(bytes(table.snapshot))
    return state.locations, state.hand, state.deck


def on(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    monkeypatch.setattr(replay, "local_date", lambda: day)


def test_the_game_of_the_day_has_equal_deals_on_one_day_and_others_the_next(
    seats: list[Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = open_today(seats[0]), open_today(seats[1])
    on(monkeypatch, date(2027, 1, 2))
    later = open_today(seats[0])
    own = open_own(seats[0])
    for table in (one, other, later, own):
        do(table, type="pack", items=["map"])
        assert table.commitment == commitment(table.secret)
    assert dealt(one) == dealt(other)
    assert len({str(dealt(table)) for table in (one, later, own)}) == 3


def test_a_day_begins_at_midnight_in_the_servers_time_zone(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.TIME_ZONE = "Asia/Tokyo"
    monkeypatch.setattr(timezone, "now", lambda: datetime(2026, 11, 21, 15, 1, tzinfo=UTC))
    assert replay.local_date() == date(2026, 11, 22)


def test_the_daily_secret_depends_on_the_servers_key_and_the_game(settings: Any) -> None:
    day = date(2026, 11, 21)
    before = replay.daily_secret("journey", day)
    assert len(before) == 64
    assert before != replay.daily_secret("tally", day)
    settings.SECRET_KEY = "another server"
    assert replay.daily_secret("journey", day) != before


def test_the_game_of_the_day_ignores_options_of_the_form(seats: list[Seat]) -> None:
    assert open_today(seats[0], options={"single_key": "full"}).options == {}


def test_a_game_without_a_game_of_the_day_refuses_to_open_one(seats: list[Seat], tally: Any) -> None:
    with pytest.raises(refusals.Refused):
        games.open_game(
            key="tally", opener=seats[0], players=seats[:2], choices=games.GameChoices(of_the_day=True)
        )


def test_the_gm_can_open_the_game_of_the_day_from_the_games_form(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    page = reverse("play:new-game", args=[session.pk, "journey"])
    assert 'name="daily" value="1"' in gm.client.get(page).content.decode()
    answer = gm.client.post(page, {"seat": seats[0].pk, "daily": "1", "option-single_key": "1"})
    table = Table.objects.get()
    assert answer.headers["Location"] == table.get_absolute_url()
    assert table.daily == replay.local_date()


def pages_of_chance(table: Table) -> list[str]:
    names = ("play:report-verify-table", "play:report-facts", "play:report-playthrough", "play:log")
    return [reverse(name, args=[table.pk]) for name in names]


def test_the_secret_of_the_game_of_the_day_is_shown_only_after_that_day(
    session: Session, seats: list[Seat], gm: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_today(seats[0])
    come_home(table)
    nights.close_session(session=session)
    table.refresh_from_db()
    pages = [*pages_of_chance(table), reverse("play:report-verify", args=[session.pk])]
    for address in pages:
        assert table.secret not in gm.client.get(address).content.decode()
    assert replay.table_proof(table).secret is None
    on(monkeypatch, replay.local_date() + timedelta(days=1))
    assert replay.table_proof(table).secret == table.secret
    for address in pages:
        assert table.secret in gm.client.get(address).content.decode()


def test_a_rematch_of_an_earlier_days_game_is_the_game_of_today(
    seats: list[Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = open_today(seats[0])
    do(table, type="concede")
    on(monkeypatch, replay.local_date() + timedelta(days=1))
    again = games.rematch(table=table, by=seats[0])
    assert again.daily == replay.local_date()
    assert again.secret != table.secret


def test_best_scores_list_finished_games_and_no_lost_ones(seats: list[Seat], ayumi: Somebody) -> None:
    for letters in (1, 3):
        come_home(open_own(seats[0]), letters)
    do(lost := open_own(seats[0]), type="concede")
    own = bests(ayumi.person, "journey")
    assert lost.pk not in {score.table for score in own.ever}
    better, worse = (score.points or 0 for score in own.ever)
    assert better == worse + 4
    assert own.today is None


def test_the_first_finished_game_of_a_day_counts_for_score_and_streak(
    seats: list[Seat], ayumi: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    games.stop_game(table=open_today(seats[0]), by=seats[0])
    first = open_today(seats[0])
    come_home(first, 1)
    come_home(open_today(seats[0]), 3)
    own = bests(ayumi.person, "journey")
    assert own.today
    assert own.today.table == first.pk
    assert [score.table for score in own.ever] == [first.pk]
    assert own.streak == 1
    day = replay.local_date()
    on(monkeypatch, day + timedelta(days=1))
    assert (bests(ayumi.person, "journey").today, bests(ayumi.person, "journey").streak) == (None, 1)
    do(lost := open_today(seats[0]), type="concede")
    own = bests(ayumi.person, "journey")
    assert own.today
    assert (own.today.table, own.today.points, own.streak) == (lost.pk, None, 2)
    assert [score and score.table for _, score in own.curve][-3:] == [None, first.pk, lost.pk]
    on(monkeypatch, day + timedelta(days=3))
    assert bests(ayumi.person, "journey").streak == 0


def test_best_scores_omit_other_people_bots_and_other_options(
    seats: list[Seat], ayumi: Somebody, session: Session
) -> None:
    come_home(open_today(seats[1]))
    full = opening.open_table(
        session=session, module_key="journey", players=[seats[0]], options={"single_key": "full"}
    )
    come_home(full)
    played = open_today(seats[0])
    come_home(played)
    played.moves.filter(number=1).update(bot="random")
    assert bests(ayumi.person, "journey").ever == []


def test_a_game_of_the_day_rewound_to_its_start_is_not_the_days_score(
    seats: list[Seat], ayumi: Somebody
) -> None:
    table = open_today(seats[0])
    do(table, type="pack", items=[])
    moves.rewind(table_pk=table.pk, to=0, reason="", version=table.version)
    come_home(table)
    own = bests(ayumi.person, "journey")
    assert own.today is None
    assert len(own.ever) == 1


def test_best_scores_on_game_and_table_pages_are_shown_to_their_player_only(
    session: Session, seats: list[Seat], ayumi: Somebody, gm: Somebody
) -> None:
    table = open_today(seats[0])
    come_home(table)
    mark = 'class="bests"'
    assert mark in ayumi.client.get(table.get_absolute_url()).content.decode()
    assert mark not in gm.client.get(table.get_absolute_url()).content.decode()
    assert (
        "bests-ever"
        not in gm.client.get(reverse("play:new-game", args=[session.pk, "journey"])).content.decode()
    )
    games.let_players_open(session=session, allowed=True)
    page: str = ayumi.client.get(reverse("play:new-game", args=[session.pk, "journey"])).content.decode()
    assert "bests-ever" in page
