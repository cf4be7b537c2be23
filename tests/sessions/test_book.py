"""The book of sessions: its readers, its counts, and its contents after erasure and thinning."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from companion.identity import people, personal_data
from companion.models import Person
from sessions.archive.erasure import thin_sessions
from sessions.board_games import games
from sessions.engine.registry import registry
from sessions.evening import free_sessions, nights
from sessions.models import Ending, Role, Seat, Session, Table
from sessions.report import head_to_head
from sessions.table import moves, opening
from sessions.table.opening import Sitter
from tests.conftest import Somebody
from tests.evening import sit
from tests.games import play_on, played

pytestmark = pytest.mark.django_db


@pytest.fixture
def seats(session: Session, ayumi: Somebody, bo: Somebody) -> list[Seat]:
    return [sit(session, person) for person in (ayumi.person, bo.person)]


@pytest.fixture
def duel(session: Session, seats: list[Seat]) -> Table:
    return played(session, "liarmafia", seats)


def text(who: Somebody, path: str, status: int = 200) -> str:
    answer = who.client.get(path)
    assert answer.status_code == status
    return answer.content.decode()


def told(who: Somebody, path: str) -> str:
    """Return what a page of the book tells, without the hint below, which says what a ボードゲーム is."""
    page = text(who, path)
    return page[page.index("<h1>") : page.rindex('class="hint"')]


def pair(one: Somebody, other: Somebody) -> head_to_head.HeadToHead:
    return head_to_head.book_of(one.person, {one.person.pk, other.person.pk})


def test_both_players_of_a_game_see_the_same_standings(
    duel: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    played(duel.session, "liarmafia", seats)
    mine, others = pair(ayumi, bo), pair(bo, ayumi)
    assert len(mine.games) == 2
    assert (mine.standings, mine.shelves) == (others.standings, others.shelves)
    assert sum(one.total.won for one in mine.standings) == 2
    assert {one.total.played for one in mine.standings} == {2}
    assert f"/t/{duel.pk}/replay/" in text(ayumi, f"/book/{duel.pk}/")
    [group] = head_to_head.groups_of(bo.person)
    assert (group.names, group.games) == (["あゆみ"], 2)


def test_a_groups_book_has_games_of_all_its_members_even_with_others(
    duel: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    three = played(duel.session, "twentyfour", [*seats, sit(duel.session, kei.person)])
    assert [one.table for one in pair(ayumi, bo).games] == [three.pk, duel.pk]
    assert [one.table for one in pair(ayumi, kei).games] == [three.pk]
    assert [(group.names, group.games) for group in head_to_head.groups_of(ayumi.person)] == [
        (["ボー"], 2),
        (["ボー", "ケイ"], 1),
    ]
    key = three.table_seats.get(seat__person=kei.person).key
    assert "ケイ" in text(ayumi, f"/book/{three.pk}/{key}/")


def test_bots_and_players_whom_a_bot_replaced_are_not_in_the_book(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    alone = played(session, "liarmafia", [seats[0], Sitter(None, "random")])
    assert head_to_head.groups_of(ayumi.person) == []
    assert [one.table for one in head_to_head.book_of(ayumi.person, [ayumi.person.pk]).games] == [alone.pk]
    left = opening.open_table(session=session, module_key="liarmafia", players=seats)
    games.hand_to_bot(table=left, key="p2")
    left = play_on(Table.objects.get(pk=left.pk))
    assert pair(ayumi, bo).games == []
    text(ayumi, f"/book/{left.pk}/")
    text(bo, f"/book/{left.pk}/", 404)
    text(ayumi, f"/book/{left.pk}/p2/", 404)


def test_stopped_games_trials_and_games_of_the_day_are_not_in_the_book(
    duel: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    stopped = games.rematch(table=duel, by=seats[0])
    games.stop_game(table=stopped, by=seats[0])
    assert [one.table for one in pair(ayumi, bo).games] == [duel.pk]
    Table.objects.filter(pk=duel.pk).update(daily=timezone.localdate())
    assert pair(ayumi, bo).games == []
    Table.objects.filter(pk=duel.pk).update(daily=None)
    Session.objects.filter(pk=duel.session_id).update(trial="rehearsal")
    assert pair(ayumi, bo).games == []


def test_an_end_undone_by_a_rewind_does_not_count_and_the_next_end_does(
    duel: Table, ayumi: Somebody, bo: Somebody
) -> None:
    assert len(pair(ayumi, bo).games) == 1
    moves.rewind(table_pk=duel.pk, to=0, reason="", version=duel.version)
    assert pair(ayumi, bo).games == []
    again = play_on(Table.objects.get(pk=duel.pk))
    [one] = pair(ayumi, bo).games
    assert one.marks is not None
    assert Ending.objects.get().version == again.version


# --- what nobody forgets -------------------------------------------------------------------------------


def test_the_book_shows_the_best_moment_of_each_kind_with_its_replay_link(
    duel: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    for _ in range(9):
        played(duel.session, "liarmafia", seats)
    whole = pair(ayumi, bo)
    found = {memory.played.table for memory in head_to_head.memories(whole)}
    marks = [(mark, one.table) for one in whole.games for mark in one.marks]
    assert {mark.event.kind for mark, _ in marks} == {"closest", "lie"}
    best = [max(mark.rank for mark, _ in marks if mark.event.kind == kind) for kind in ("closest", "lie")]
    assert found == {table for mark, table in marks if mark.rank in best}
    page = told(bo, f"/book/{duel.pk}/")
    assert "いちばんの接戦" in page
    assert "いちばんのうそ" in page
    for table in found:
        assert f"/t/{table}/replay/" in page


def test_a_groups_book_shows_solitaires_of_its_shared_sessions_only(
    duel: Table, seats: list[Seat], ayumi: Somebody, kei: Somebody
) -> None:
    played(duel.session, "journey", [seats[1]])
    assert "いちばん散々な旅" in told(ayumi, f"/book/{duel.pk}/")
    elsewhere = free_sessions.seat_in_solo_session(ayumi.person)
    Table.objects.filter(module="journey").update(session=elsewhere.session)
    assert "いちばん散々な旅" not in told(ayumi, f"/book/{duel.pk}/")
    assert kei.client.get(f"/book/{duel.pk}/").status_code == 404


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("key", "kinds"), [("twentyfour", 1), ("goodcop", 1), ("journey", 1), ("liarmafia", 2)]
)
def test_every_game_has_its_own_texts_for_memorable_moments(
    session: Session, ayumi: Somebody, key: str, kinds: int, language: str
) -> None:
    mine = sit(session, ayumi.person)
    others = [Sitter(None, "random")] * (registry()[key].seats.start - 1)
    for _ in range(12):
        played(session, key, [mine, *others])
    with translation.override(language):
        found = head_to_head.memories(head_to_head.book_of(ayumi.person, [ayumi.person.pk]))
    assert len(found) == kinds
    for memory in found:
        assert re.search(r"<b>\s*\S[^<]+</b>\s*<span>\s*\S", memory.words), memory.words


# --- who reads it --------------------------------------------------------------------------------------


def test_only_players_of_a_game_can_open_its_book_page(duel: Table, kei: Somebody, gm: Somebody) -> None:
    watching = sit(duel.session, kei.person, Role.SPECTATOR)
    for path in (f"/book/{duel.pk}/", f"/book/{duel.pk}/p1/", f"/book/{duel.pk}/p2/"):
        for client in (kei.client, gm.client, Client()):
            assert client.get(path).status_code == 404, path
    assert "/book/" not in text(kei, f"/s/{watching.session_id}/report/")
    assert "あゆみ" not in text(kei, "/book/")
    assert Client().get("/book/").status_code == 200
    assert Client().get("/book/mine/").status_code == 404


def test_a_removed_player_cannot_read_the_book_of_that_session(
    duel: Table, bo: Somebody, ayumi: Somebody
) -> None:
    nights.remove_seat(seat=Seat.objects.get(person=bo.person))
    text(bo, f"/book/{duel.pk}/", 404)
    assert head_to_head.groups_of(bo.person) == []
    assert len(pair(ayumi, bo).games) == 1, "that they played stays true"


def test_a_guest_takes_the_book_to_another_device(duel: Table, bo: Somebody) -> None:
    assert bo.person.user is None
    elsewhere = Person.objects.create()
    personal_data.hand_over(bo.person, elsewhere)
    client = Client()
    client.cookies[people.COOKIE] = people.token(elsewhere)
    assert "あゆみ" in client.get("/book/").content.decode()
    assert client.get(f"/book/{duel.pk}/").status_code == 200
    text(bo, f"/book/{duel.pk}/", 404)


def test_home_a_finished_table_and_the_report_link_to_the_book(duel: Table, ayumi: Somebody) -> None:
    assert 'href="/book/"' in text(ayumi, "/")
    for path in (f"/t/{duel.pk}/", f"/s/{duel.session_id}/report/"):
        assert f'href="/book/{duel.pk}/"' in text(ayumi, path)


def test_an_empty_book_says_that_nothing_is_recorded_yet(kei: Somebody) -> None:
    assert "まだ何も書かれていません" in text(kei, "/book/")


# --- the standings of a campaign -----------------------------------------------------------------------


def test_a_campaigns_standings_cover_all_sessions_and_all_members_read_them(
    duel: Table, gm: Somebody, bo: Somebody, kei: Somebody, session: Session
) -> None:
    nights.close_session(session=session)
    assert session.campaign
    other = nights.open_session(campaign=session.campaign, title="次の夜")
    played(other, "liarmafia", [sit(other, bo.person), sit(other, kei.person)])
    path = f"/campaigns/{session.campaign_id}/standings/"
    for who in (gm, bo, kei):
        page = told(who, path)
        assert all(name in page for name in ("あゆみ", "ボー", "ケイ"))
        assert "まだ勝っていない相手" in page
        assert f'href="{path}"' in text(who, "/book/")
    assert [one.games for one in head_to_head.book_of_campaign(session.campaign).shelves] == [2]
    assert f'href="{path}"' in text(bo, f"/s/{session.pk}/report/")
    assert f'href="{path}"' in text(gm, f"/gm/campaigns/{session.campaign_id}/")


def test_people_without_a_seat_cannot_read_a_campaigns_standings(duel: Table, kei: Somebody) -> None:
    path = f"/campaigns/{duel.session.campaign_id}/standings/"
    assert Client().get(path).status_code == 404
    text(kei, path, 404)
    assert path not in text(kei, "/book/")
    seat = sit(duel.session, kei.person)
    text(kei, path)
    nights.remove_seat(seat=seat)
    text(kei, path, 404)


def test_solo_games_and_games_against_bots_are_not_in_the_standings(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    played(session, "journey", [seats[0]])
    played(session, "liarmafia", [seats[0], Sitter(None, "random")])
    assert session.campaign
    assert head_to_head.book_of_campaign(session.campaign).games == []
    assert "ふたり以上で" in text(ayumi, f"/campaigns/{session.campaign_id}/standings/")


# --- what stays ----------------------------------------------------------------------------------------


def test_the_book_shows_an_erased_person_as_a_player_who_left(
    duel: Table, ayumi: Somebody, bo: Somebody
) -> None:
    assert "ボー" in told(ayumi, f"/book/{duel.pk}/")
    assert bo.client.post("/account/delete/").url == "/"
    for path in ("/book/", f"/book/{duel.pk}/"):
        page = told(ayumi, path)
        assert "ボー" not in page
        assert "退出したプレイヤー" in page


def test_games_of_thinned_sessions_still_count_in_the_book(
    duel: Table, ayumi: Somebody, bo: Somebody
) -> None:
    before = pair(ayumi, bo)
    Ending.objects.all().delete()
    nights.close_session(session=duel.session)
    Session.objects.update(ended_at=timezone.now() - timedelta(days=31))
    thin_sessions(30)
    assert not duel.moves.exists()
    after = pair(ayumi, bo)
    assert (after.standings, after.games[0].marks) == (before.standings, before.games[0].marks)
    page = text(ayumi, f"/book/{duel.pk}/")
    assert f"/t/{duel.pk}/replay/" not in page
    assert f"/s/{duel.session_id}/report/" in page


def test_the_books_view_of_this_year_leaves_out_earlier_games(
    duel: Table, ayumi: Somebody, bo: Somebody
) -> None:
    Table.objects.update(ended_at=head_to_head.this_year() - timedelta(seconds=1))
    assert len(pair(ayumi, bo).games) == 1
    page = told(ayumi, f"/book/{duel.pk}/?season=year")
    assert "この期間に終わった対局はありません。" in page
    assert "ボー" in page


def test_a_long_book_needs_as_many_queries_as_a_short_one(
    duel: Table, seats: list[Seat], ayumi: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts: list[int] = []
    for _ in range(2):
        text(ayumi, f"/book/{duel.pk}/")
        with CaptureQueriesContext(connection) as asked:
            text(ayumi, f"/book/{duel.pk}/")
        counts.append(len(asked))
        for _ in range(5):
            played(duel.session, "liarmafia", seats)
    assert max(counts) <= 16, "the same, but for the tables of moments: two kinds"
    monkeypatch.setattr(head_to_head, "NEWEST", 3)
    page = text(ayumi, f"/book/{duel.pk}/")
    assert "新しいほうから3局まで" in page


def test_a_solitaire_of_a_free_session_is_in_the_players_own_book(kei: Somebody) -> None:
    seat = free_sessions.seat_in_solo_session(kei.person)
    table = played(seat.session, "journey", [seat])
    assert "自分の記録" in text(kei, "/book/")
    assert f"/t/{table.pk}/replay/" in text(kei, "/book/mine/")
