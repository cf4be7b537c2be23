"""The list on the home page: which board games one plays with others, and whose turn it is."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F

from sessions.board_games import games
from sessions.board_games.own_games import own_games
from sessions.evening import free_sessions, nights
from sessions.models import Bot, Role, Seat, Session, Table
from sessions.table import clock, opening
from sessions.table.opening import Sitter
from tests.conftest import Somebody

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tally")]


def opened(session: Session, *players: Seat | Sitter, **more: int) -> Table:
    return opening.open_table(session=session, module_key="tally", players=players, **more)


def test_a_persons_games_list_own_turns_first_and_urgent_ones_before_others(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    one, two = seats
    quiet = opened(session, one, two)
    slow, late = opened(session, one, two, clock=clock.DAY), opened(session, one, two, clock=clock.DAY)
    Table.objects.filter(pk=late.pk).update(opened_at=F("opened_at") - timedelta(hours=23, minutes=10))
    others = opened(session, two, one)
    found = own_games(ayumi.person)
    assert [game.table for game in found] == [late, slow, quiet, others]
    assert [game.is_mine for game in found] == [True, True, True, False]
    assert found[0].others == found[3].waited == ["ボー"]
    assert [game.is_mine for game in own_games(bo.person)] == [True, False, False, False]
    page = ayumi.client.get("/").content.decode()
    assert "(3)" in page[page.index("<title>") : page.index("</title>")]
    assert page.index("あと50分") < page.index("あと23時間") < page.index("ボーの番")


def test_a_persons_games_leave_out_ended_and_solo_games(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    over = opened(session, *seats)
    games.stop_game(table=over, by=seats[0])
    alone = free_sessions.seat_in_solo_session(bo.person)
    opened(alone.session, Sitter(alone), Sitter(None, Bot.STEADY))
    handed = opened(session, *seats)
    games.hand_to_bot(table=handed, key="p1")
    assert [(game.table, game.is_mine) for game in own_games(ayumi.person)] == [(handed, False)]
    assert [game.table for game in own_games(bo.person)] == [handed]
    assert own_games(kei.person) == []
    nights.close_session(session=session)
    assert own_games(bo.person) == []


def test_a_persons_games_leave_out_removed_seats_and_tables_with_a_gm(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    opening.open_table(session=session, module_key="uroboros", players=seats)
    opened(session, *seats)
    nights.remove_seat(seat=seats[1])
    assert len(own_games(ayumi.person)) == 1
    assert own_games(bo.person) == own_games(gm.person) == []


def test_a_spectators_home_page_lists_no_own_games(
    session: Session, seats: list[Seat], kei: Somebody
) -> None:
    nights.take_seat(session=session, person=kei.person, name="ケイ", role=Role.SPECTATOR)
    opened(session, *seats)
    assert own_games(kei.person) == []
    assert "own-games" not in kei.client.get("/").content.decode()
