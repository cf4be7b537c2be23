"""The shelf of board games: a table is opened in a few taps, its seats kept and swapped, and played again."""

from __future__ import annotations

import re
import time
from functools import partial
from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.test import Client

from characters.models import Character, LedgerEntry
from companion.fate import Fate
from companion.models import Person
from sessions.board_games import games
from sessions.board_games.own_games import record
from sessions.engine import bots as engine
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import nights, presence, refusals, stand_ins
from sessions.evening.announcements import session_group
from sessions.evening.shares import SecretParts
from sessions.game import AnyModule, IllegalMove
from sessions.live import regions
from sessions.live.pages import FacePage, LobbyPage, TablePage
from sessions.live.regions import Screen
from sessions.live.screen_view import view_for
from sessions.models import Handout, HandoutCopy, Role, Seat, Session, Table, TableSeat
from sessions.table import bots, clock, opening, replay, seat_view, table_cache
from sessions.table.opening import Sitter
from tests.conftest import Somebody
from tests.evening import call, play, sit
from tests.phones import phone
from tests.servers import ThreadServer
from tests.sessions.test_races import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tally")]

ORIGIN = "http://takujo.test"


@pytest.fixture
def game(tally: AnyModule, session: Session, seats: list[Seat]) -> Table:
    """A game of Ayumi and Bo."""
    return opening.open_table(session=session, module_key="tally", players=seats, opened_by=seats[0])


def sitting(table: Table) -> dict[str, tuple[str, str]]:
    """The people and bots on each seat."""
    return {sits.key: (sits.seat.name if sits.seat else "", sits.bot) for sits in table.table_seats.all()}


def hand(table: Table, seat: str) -> list[int]:
    table.refresh_from_db()
    view: Any = seat_view.seat_view(table, seat).view
    return list(view.hand)


def lay(table: Table, seat: str) -> None:
    play(table, seat, encode({"type": "lay", "number": hand(table, seat)[0]}))


def finish(table: Table) -> None:
    while not table.ended_at:
        view: Any = seat_view.seat_view(table, None).view
        lay(table, view.turn)
        table.refresh_from_db()


def says(answer: Any, *parts: str) -> None:
    page = answer.content.decode()
    for part in parts:
        assert part in page


# --- opening -------------------------------------------------------------------------------------------


def test_the_gm_opens_a_game_in_three_taps(session: Session, seats: list[Seat], gm: Somebody) -> None:
    """Each page is opened by what the one before offers, and the last tap sends the form as it stands."""
    lobby = gm.client.get(session.get_absolute_url()).content.decode()
    assert f'href="/s/{session.pk}/games/"' in lobby
    shelf = gm.client.get(f"/s/{session.pk}/games/").content.decode()
    assert f'href="/s/{session.pk}/games/tally/"' in shelf
    assert "The highest sum wins." in shelf
    assert "uroboros" not in shelf, "that one is dealt by the GM's own button"
    proposed = gm.client.get(f"/s/{session.pk}/games/tally/").content.decode()
    ticked = re.findall(r'name="seat" value="(\d+)" checked', proposed)
    answer = gm.client.post(
        f"/s/{session.pk}/games/tally/", {"seat": ticked, "option-rounds": "2", "option-order": "ring"}
    )
    table = Table.objects.get()
    assert answer.url == table.get_absolute_url()
    assert sitting(table) == {"p1": ("あゆみ", ""), "p2": ("ボー", "")}


def opens(client: Client, session: Session, **fields: Any) -> Any:
    given = {"option-rounds": "2", "option-order": "ring", **fields}
    return client.post(f"/s/{session.pk}/games/tally/", given)


def test_players_open_games_only_if_the_gm_allows_it(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, kei: Somebody
) -> None:
    sit(session, kei.person, Role.SPECTATOR)
    pages = (f"/s/{session.pk}/games/", f"/s/{session.pk}/games/tally/")
    assert [ayumi.client.get(page).status_code for page in pages] == [404, 404]
    assert f"/s/{session.pk}/games/" not in ayumi.client.get(session.get_absolute_url()).content.decode()
    assert ayumi.client.post(f"/s/{session.pk}/games/allow/", {"allowed": "1"}).status_code == 404
    gm.client.post(f"/s/{session.pk}/games/allow/", {"allowed": "1"})
    assert [ayumi.client.get(page).status_code for page in pages] == [200, 200]
    assert f"/s/{session.pk}/games/" in ayumi.client.get(session.get_absolute_url()).content.decode()
    assert [kei.client.get(page).status_code for page in pages] == [404, 404], "spectators do not"
    assert opens(ayumi.client, session, seat=[s.pk for s in seats]).status_code == 302
    gm.client.post(f"/s/{session.pk}/games/allow/", {"allowed": "0"})
    assert opens(ayumi.client, session, seat=[s.pk for s in seats]).status_code == 404
    assert Table.objects.count() == 1


def test_table_seats_follow_the_order_of_the_form_with_bots_last(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    opens(gm.client, session, seat=[seats[1].pk, seats[0].pk], bot_count="2", bot="random")
    assert sitting(Table.objects.get()) == {
        "p1": ("ボー", ""),
        "p2": ("あゆみ", ""),
        "p3": ("", "random"),
        "p4": ("", "random"),
    }


def test_a_gm_who_plays_a_board_game_gets_a_players_screen(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    own = session.seats.get(role=Role.GM)
    opens(gm.client, session, seat=[own.pk, seats[0].pk])
    table = Table.objects.get()
    assert sitting(table) == {"p1": ("GM", ""), "p2": ("あゆみ", "")}
    drawn = TablePage(gm.person, table.pk, ORIGIN).render_all()
    assert drawn.context["layout"] == "tables/tally/phone.html"
    assert drawn.context["table_seat"] == "p1"
    for number in hand(table, "p1"):
        assert f'"number":{number}' in drawn.regions["hand"]


def test_a_gm_without_a_table_seat_sees_what_a_spectator_sees(
    game: Table, gm: Somebody, kei: Somebody
) -> None:
    sit(game.session, kei.person, Role.SPECTATOR)
    page = TablePage(gm.person, game.pk, ORIGIN).render_all()
    watching = TablePage(kei.person, game.pk, ORIGIN).render_all()
    for name in ("hand", "me", "prompt", "board", "state"):
        assert page.regions[name] == watching.regions[name]


@pytest.mark.django_db(transaction=True)
async def test_a_gm_without_a_table_seat_cannot_play(server: ThreadServer, game: Table, gm: Somebody) -> None:
    async with phone(server, gm, f"/ws/tables/{game.pk}/") as device:
        await device.until_version(0)
        assert (await device.play({"type": "concede"}))["refused"] == "not_seated"


def test_the_gm_and_then_bots_are_proposed_if_there_are_too_few_players(
    tally: AnyModule, session: Session, ayumi: Somebody, gm: Somebody
) -> None:
    own = session.seats.get(role=Role.GM)
    alone = gm.client.get(f"/s/{session.pk}/games/tally/").content.decode()
    assert re.findall(r'name="seat" value="(\d+)" checked', alone) == [str(own.pk)]
    assert re.search(r'name="bot_count" value="1"', alone)
    first = sit(session, ayumi.person)
    together = gm.client.get(f"/s/{session.pk}/games/tally/").content.decode()
    assert set(re.findall(r'name="seat" value="(\d+)" checked', together)) == {str(first.pk), str(own.pk)}
    assert re.search(r'name="bot_count" value="0"', together)


def test_the_form_asks_for_a_games_options_and_the_table_gets_them(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    page = gm.client.get(f"/s/{session.pk}/games/tally/").content.decode()
    says_all = ["How many rounds", "Round the table", "random", 'name="option-open"', 'max="5"']
    assert all(part in page for part in says_all)
    assert page.index("Round the table") < page.index('value="random"', page.index("How many rounds"))
    assert "option-extra" not in page, "of a shape that no form asks for"
    chosen = {"option-rounds": "4", "option-open": "on", "option-order": "random"}
    opens(gm.client, session, seat=[seat.pk for seat in seats], **chosen)
    table = Table.objects.get()
    assert table.options == {"rounds": 4, "open": True, "order": "random"}
    assert len(hand(table, "p1")) == 4


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"option-rounds": "6"}, "5"),
        ({"option-rounds": "９" * 400}, ""),
        ({"option-rounds": ""}, ""),
        ({"option-order": "\x00"}, ""),
        ({"bot_count": "4"}, ""),
        ({"bot_count": "-1"}, ""),
        ({"bot_count": "3", "bot": "random"}, "4"),
        ({"bot_count": "1", "bot": "genius"}, ""),
        ({"seat": []}, ""),
        ({"seat": ["0", "x", "9" * 30]}, ""),
    ],
)
def test_an_invalid_form_shows_errors_and_opens_no_table(
    session: Session, seats: list[Seat], gm: Somebody, fields: dict[str, Any], words: str
) -> None:
    answer = opens(gm.client, session, **{"seat": [seat.pk for seat in seats], **fields})
    assert answer.status_code == 422
    says(answer, "errorlist", words)
    assert not Table.objects.exists()


def test_a_table_of_bots_alone_is_not_opened(session: Session, gm: Somebody) -> None:
    assert opens(gm.client, session, bot_count="3", bot="steady").status_code == 422
    assert not Table.objects.exists()


def test_an_unknown_game_or_one_in_an_ended_session_is_not_opened(
    session: Session, seats: list[Seat], gm: Somebody
) -> None:
    for key in ("uroboros", "nothing"):
        assert gm.client.get(f"/s/{session.pk}/games/{key}/").status_code == 404
    nights.close_session(session=session)
    assert opens(gm.client, session, seat=[seat.pk for seat in seats]).status_code == 404


def test_a_person_without_a_seat_cannot_see_or_change_a_sessions_games(
    session: Session, game: Table, kei: Somebody
) -> None:
    for path in (f"/s/{session.pk}/games/", f"/s/{session.pk}/games/tally/", f"/t/{game.pk}/reward/"):
        assert kei.client.get(path).status_code == 404
    for path in ("again", "leave", "stop", "reward", "seats/p1/bot", "seats/p1/back", "seats/p1/replace"):
        assert kei.client.post(f"/t/{game.pk}/{path}/", {"seat": "1"}).status_code == 404
    assert sitting(game) == {"p1": ("あゆみ", ""), "p2": ("ボー", "")}


# --- seats ---------------------------------------------------------------------------------------------


def test_a_player_hands_the_seat_to_a_bot_and_takes_it_back(game: Table, ayumi: Somebody) -> None:
    ayumi.client.post(f"/t/{game.pk}/seats/p1/bot/")
    assert sitting(game)["p1"] == ("あゆみ", "steady")
    with pytest.raises(IllegalMove, match="bot_plays"):
        lay(game, "p1")
    assert bots.play_next(table_pk=game.pk, version=0)
    ayumi.client.post(f"/t/{game.pk}/seats/p1/back/")
    lay(game, "p2")
    lay(game, "p1")
    assert list(game.moves.values_list("bot", flat=True)) == ["steady", "", ""]
    kinds = list(game.session.seat_notes.order_by("pk").values_list("kind", "name"))
    assert kinds == [("bot_plays", "あゆみ"), ("bot_left", "あゆみ")]


def test_all_players_see_that_a_bot_plays_for_a_person(game: Table, ayumi: Somebody, bo: Somebody) -> None:
    games.hand_to_bot(table=game, key="p1")
    board = TablePage(bo.person, game.pk, ORIGIN).render_all().regions["board"]
    assert "あゆみ (bot)" in board or "あゆみ（ボット）" in board
    own = TablePage(ayumi.person, game.pk, ORIGIN).render_all().regions
    assert f"/t/{game.pk}/seats/p1/back/" in own["evening"], "the way back is at hand"
    assert (
        f"/t/{game.pk}/seats/p1/back/"
        not in TablePage(bo.person, game.pk, ORIGIN).render_all().regions["evening"]
    )


def test_only_the_gm_and_the_opener_hand_other_seats_to_bots(
    game: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    assert bo.client.post(f"/t/{game.pk}/seats/p1/bot/").status_code == 404
    ayumi.client.post(f"/t/{game.pk}/seats/p2/bot/")
    assert sitting(game)["p2"] == ("ボー", "steady")
    gm.client.post(f"/t/{game.pk}/seats/p2/back/")
    assert sitting(game)["p2"] == ("ボー", "")
    assert gm.client.post(f"/t/{game.pk}/seats/p9/bot/").status_code == 404


@pytest.mark.parametrize(
    ("who", "silence", "may"),
    [("player", 60, True), ("player", 50, False), ("player", None, False), ("spectator", 60, False)],
)
def test_a_player_hands_an_absent_players_seat_to_a_bot_after_a_minute(
    session: Session, game: Table, bo: Somebody, kei: Somebody, who: str, silence: int | None, may: bool
) -> None:
    """So a table of friends goes on when the one who opened it, and could do so at once, has left."""
    sit(session, kei.person, Role.SPECTATOR)
    opener = game.table_seats.get(key="p1").seat
    if silence is not None:
        cache.set(presence._key(opener.pk), ("page", time.time() - silence, False))
    asks = {"player": bo, "spectator": kei}[who]
    offered = (
        f"/t/{game.pk}/seats/p1/bot/" in TablePage(asks.person, game.pk, ORIGIN).render_all().regions["left"]
    )
    assert offered == may
    answer = asks.client.post(f"/t/{game.pk}/seats/p1/bot/")
    assert answer.status_code == (302 if may else 404)
    assert sitting(game)["p1"] == ("あゆみ", "steady" if may else "")
    notes = session.seat_notes.values_list("kind", "name", "by")
    assert list(notes) == [("bot_plays", "あゆみ", "ボー")] * may
    assert bo.client.post(f"/t/{game.pk}/seats/p1/back/").status_code == 404, "that is the owner's"


def test_a_player_with_a_stand_in_or_at_a_slow_table_is_not_missed(
    session: Session, seats: list[Seat], game: Table, kei: Somebody
) -> None:
    cache.set(presence._key(seats[0].pk), ("page", time.time() - 60, False))
    assert games.misses_owner_of(seats[1], TableSeat.objects.get(key="p1"))
    Table.objects.update(clock=clock.DAY)
    assert not games.misses_owner_of(seats[1], TableSeat.objects.get(key="p1"))
    Table.objects.update(clock=0)
    stand_ins.let_stand_in(seat=seats[0], stand_in=sit(session, kei.person))
    assert not games.misses_owner_of(seats[1], TableSeat.objects.get(key="p1"))


def test_a_stand_in_can_take_the_players_seat_back_from_a_bot(
    session: Session, seats: list[Seat], game: Table, kei: Somebody
) -> None:
    helper = sit(session, kei.person)
    games.hand_to_bot(table=game, key="p1")
    assert kei.client.post(f"/t/{game.pk}/seats/p1/back/").status_code == 404
    stand_ins.let_stand_in(seat=seats[0], stand_in=helper)
    kei.client.post(f"/t/{game.pk}/seats/p1/back/")
    assert sitting(game)["p1"] == ("あゆみ", "")


def test_a_player_who_leaves_a_game_leaves_a_bot_and_returns_to_the_session(
    game: Table, bo: Somebody
) -> None:
    assert bo.client.post(f"/t/{game.pk}/leave/").url == game.session.get_absolute_url()
    assert sitting(game)["p2"] == ("ボー", "steady")


def test_conceding_is_offered_only_where_it_is_legal(game: Table, ayumi: Somebody, bo: Somebody) -> None:
    assert "concede" in TablePage(ayumi.person, game.pk, ORIGIN).render_all().regions["leaving"]
    assert "concede" not in TablePage(bo.person, game.pk, ORIGIN).render_all().regions["leaving"]
    play(game, "p1", b'{"type": "concede"}')
    game.refresh_from_db()
    assert game.ended_at


def test_a_latecomer_takes_the_place_of_a_bot_with_its_hand(
    tally: AnyModule, session: Session, seats: list[Seat], gm: Somebody, kei: Somebody
) -> None:
    table = opening.open_table(
        session=session, module_key="tally", players=[seats[0], Sitter(None, "random")]
    )
    newcomer, held = sit(session, kei.person), hand(table, "p2")
    before = TablePage(kei.person, table.pk, ORIGIN).place().number
    gm.client.post(f"/t/{table.pk}/seats/p2/replace/", {"seat": newcomer.pk})
    assert sitting(table)["p2"] == ("ケイ", "")
    assert hand(table, "p2") == held
    page = TablePage(kei.person, table.pk, ORIGIN, place_number=before)
    assert page.place().number > before, "the page that watched goes on as a player"
    note = session.seat_notes.first()
    assert note
    assert (note.kind, note.name, note.by) == ("bot_replaced", "ケイ", "2")


def test_a_seat_is_handed_to_a_bot_once_and_taken_back_only_from_a_bot(game: Table) -> None:
    with pytest.raises(refusals.Refused, match="no_such_seat"):
        games.take_from_bot(table=game, key="p1")
    games.hand_to_bot(table=game, key="p1")
    with pytest.raises(refusals.Refused, match="no_such_seat"):
        games.hand_to_bot(table=game, key="p1")
    assert list(game.session.seat_notes.values_list("kind", flat=True)) == ["bot_plays"], "told once"


def test_a_newcomer_cannot_take_the_seat_of_a_person(
    session: Session, game: Table, gm: Somebody, kei: Somebody
) -> None:
    newcomer = sit(session, kei.person)
    games.hand_to_bot(table=game, key="p2")
    gm.client.post(f"/t/{game.pk}/seats/p2/replace/", {"seat": newcomer.pk})
    assert sitting(game)["p2"] == ("ボー", "steady"), "that seat waits for its owner"
    with pytest.raises(refusals.Refused, match="no_such_seat"):
        games.replace_bot(table=game, key="p1", newcomer=newcomer)
    gm.client.post(f"/t/{game.pk}/seats/p2/replace/", {"seat": "x" * 50})
    assert sitting(game)["p2"] == ("ボー", "steady")


def test_a_seated_player_cannot_take_a_second_seat_of_a_table(
    tally: AnyModule, session: Session, seats: list[Seat]
) -> None:
    table = opening.open_table(
        session=session, module_key="tally", players=[seats[0], Sitter(None, "random")]
    )
    with pytest.raises(refusals.Refused, match="seated_here"):
        games.replace_bot(table=table, key="p2", newcomer=seats[0])


def test_the_gm_stops_a_game_without_a_result_and_a_player_cannot(
    game: Table, gm: Somebody, bo: Somebody
) -> None:
    assert bo.client.post(f"/t/{game.pk}/stop/").status_code == 404
    lay(game, "p1")
    gm.client.post(f"/t/{game.pk}/stop/")
    game.refresh_from_db()
    assert game.ended_at
    with pytest.raises(IllegalMove, match="game_over"):
        lay(game, "p2")
    assert replay.check_log(game).holds, "its log plays again"
    with pytest.raises(refusals.Refused, match="table_over"):
        games.hand_to_bot(table=game, key="p1")
    assert "Tally" in gm.client.get(f"/s/{game.session_id}/report/").content.decode()


def test_the_gms_card_table_cannot_be_stopped_repeated_or_given_to_a_bot(table: Table, gm: Somebody) -> None:
    for path in ("stop", "again", "leave"):
        gm.client.post(f"/t/{table.pk}/{path}/")
    gm.client.post(f"/t/{table.pk}/seats/p1/bot/")
    table.refresh_from_db()
    assert table.ended_at is None
    assert sitting(table) == {"gm": ("GM", ""), "p1": ("あゆみ", ""), "p2": ("ボー", "")}


# --- the end -------------------------------------------------------------------------------------------


def test_the_end_of_a_game_shows_the_winner_and_offers_a_rematch(
    game: Table, ayumi: Somebody, gm: Somebody
) -> None:
    finish(game)
    view: Any = seat_view.seat_view(game, None).view
    winner = max(view.laid, key=lambda key: sum(view.laid[key]))
    evening = TablePage(ayumi.person, game.pk, ORIGIN).render_all().regions["evening"]
    assert {"p1": "あゆみ", "p2": "ボー"}[winner] in evening
    for path in (f"/t/{game.pk}/again/", f"/t/{game.pk}/log/", f"/t/{game.pk}/replay/"):
        assert path in evening
    assert "/reward/" not in evening
    assert f"/t/{game.pk}/reward/" in TablePage(gm.person, game.pk, ORIGIN).render_all().regions["evening"]


def test_only_players_see_their_own_record_at_the_end_of_a_game(
    game: Table, ayumi: Somebody, bo: Somebody
) -> None:
    finish(game)
    mine, other = (record(somebody.person, game) for somebody in (ayumi, bo))
    assert mine
    assert other
    assert (mine.played, other.played) == (1, 1)
    assert {mine.won, other.won} == {int(mine.won_this), int(other.won_this)} == {0, 1}
    loser = ayumi if other.won else bo
    assert "勝ちは0回" not in TablePage(loser.person, game.pk, ORIGIN).render_all().regions["evening"]
    watching = sit(game.session, Person.objects.create(name="ケイ"), Role.SPECTATOR)
    assert "over-record" in TablePage(bo.person, game.pk, ORIGIN).render_all().regions["evening"]
    assert "over-record" not in TablePage(watching.person, game.pk, ORIGIN).render_all().regions["evening"]


def test_a_game_that_was_stopped_or_left_to_a_bot_is_not_in_the_record(
    game: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    games.hand_to_bot(table=game, key="p2")
    while not game.ended_at:
        view: Any = seat_view.seat_view(game, None).view
        if view.turn == "p1":
            lay(game, "p1")
        else:
            bots.play_next(table_pk=game.pk, version=game.version)
        game.refresh_from_db()
    stopped = games.rematch(table=game, by=seats[0])
    games.stop_game(table=stopped, by=seats[0])
    stopped.refresh_from_db()
    assert record(bo.person, game) is None
    assert record(ayumi.person, stopped) is None
    own = record(ayumi.person, game)
    assert own
    assert own.played == 1


def test_since_lists_the_moves_of_others_after_a_seats_own_last_move(game: Table) -> None:
    def since(seat: str) -> list[str]:
        game.refresh_from_db()
        return [
            str(line)
            for line in view_for(table_cache.get_current_table(game.pk), Screen("phone", seat)).since
        ]

    lay(game, "p1")
    assert since("p1") == since("p2") == []
    lay(game, "p2")
    assert len(since("p1")) == 1
    assert "ボー" in since("p1")[0]
    assert since("p2") == []
    games.hand_to_bot(table=game, key="p1")
    bots.play_next(table_pk=game.pk, version=2)
    games.take_from_bot(table=game, key="p1")
    assert len(since("p1")) == 3
    assert "ボットが" in since("p1")[1], "what a bot played for them is news, too"


@pytest.mark.parametrize("key", ["liarmafia", "twentyfour", "journey", "tally"])
def test_every_board_games_phone_screen_has_the_region_since(key: str) -> None:
    assert "since" in regions.region_names(regions.layout_template(key, "phone"), "own")


def test_good_cop_shows_moves_since_the_last_turn_in_its_prompt(session: Session, seats: list[Seat]) -> None:
    """There it stands in the prompt, which hides the parts for its seat alone."""
    players = [Sitter(seats[0]), *[Sitter(None, "steady")] * 3]
    chance = SecretParts("", "5" * 64)
    table = opening.open_table(session=session, module_key="goodcop", players=players, chance=chance)
    for _ in range(60):
        table.refresh_from_db()
        own = seat_view.seat_view(table, "p1").view.mine.can
        if own and "前の手番から" in str(
            view_for(table_cache.get_current_table(table.pk), Screen("phone", "p1")).render_region("prompt")
        ):
            return
        if "pass" in own:
            play(table, "p1", encode({"type": "pass"}))
        elif own:
            state = registry()["goodcop"].load(bytes(table.snapshot))
            play(
                table,
                "p1",
                encode(
                    engine.choose_move(
                        registry()["goodcop"], "steady", state, "p1", Fate("p1", table.version)
                    )
                ),
            )
        else:
            bots.play_next(table_pk=table.pk, version=table.version)
    pytest.fail("nothing was told")


def test_a_rematch_keeps_seats_bots_and_options_and_the_next_begins(
    tally: AnyModule, session: Session, seats: list[Seat], bo: Somebody
) -> None:
    players = [*seats, Sitter(None, "steady")]
    first = opening.open_table(session=session, module_key="tally", players=players, options={"rounds": 1})
    assert bo.client.post(f"/t/{first.pk}/again/").url == first.get_absolute_url()
    assert Table.objects.count() == 1, "not while it runs"
    games.stop_game(table=first, by=seats[0])
    answer = bo.client.post(f"/t/{first.pk}/again/")
    second = Table.objects.get(rematch_of=first)
    assert answer.url == second.get_absolute_url()
    assert sitting(second) == {"p1": ("ボー", ""), "p2": ("", "steady"), "p3": ("あゆみ", "")}
    assert second.options == first.options
    assert second.secret != first.secret


def test_a_bot_plays_the_seat_of_a_removed_player_in_a_rematch(seats: list[Seat], game: Table) -> None:
    games.hand_to_bot(table=game, key="p1")
    games.stop_game(table=game, by=seats[1])
    nights.remove_seat(seat=seats[1])
    again = games.rematch(table=game, by=seats[0])
    assert sitting(again) == {"p1": ("", "steady"), "p2": ("あゆみ", "steady")}


@pytest.mark.django_db(transaction=True)
def test_requests_for_a_rematch_at_the_same_moment_open_one_table(game: Table, seats: list[Seat]) -> None:
    games.stop_game(table=game, by=seats[0])
    assert at_once(*[lambda: games.rematch(table=game, by=seats[0])] * 3) == []
    assert Table.objects.count() == 2


def test_a_spectator_cannot_ask_for_a_rematch(game: Table, session: Session, kei: Somebody) -> None:
    sit(session, kei.person, Role.SPECTATOR)
    finish(game)
    assert kei.client.post(f"/t/{game.pk}/again/").status_code == 404
    assert "/again/" not in TablePage(kei.person, game.pk, ORIGIN).render_all().regions["evening"]


@pytest.fixture
def hero(seats: list[Seat]) -> Character:
    """Ayumi brings a character, and Bo does not."""
    character = Character.objects.create(
        owner=seats[0].person, name="サキ", hp_max=4, hp=4, status="done", suits="h"
    )
    nights.bring_character(seat=seats[0], character=character)
    return character


def test_the_gm_rewards_a_game_with_experience_once_and_a_handout(
    game: Table, seats: list[Seat], hero: Character, gm: Somebody
) -> None:
    handout = Handout.objects.create(campaign=game.session.campaign, title="古い鍵")
    aside = HandoutCopy.objects.create(
        handout=Handout.objects.create(campaign=game.session.campaign, title="まだ秘密"), seat=seats[0]
    )
    path = f"/t/{game.pk}/reward/"
    assert gm.client.get(path).status_code == 404, "not while it runs"
    finish(game)
    says(gm.client.get(path), "サキ", "古い鍵")
    fields = {"seat": [seat.pk for seat in seats], "points": "3", "handout": handout.pk}
    for _ in range(2):
        assert gm.client.post(path, fields).url == game.get_absolute_url()
    entry = LedgerEntry.objects.get()
    assert (entry.character, entry.points, entry.kind, entry.title) == (hero, 3, "given", "Tally")
    assert set(handout.copies.values_list("seat", flat=True)) == {seat.pk for seat in seats}
    assert not handout.copies.filter(notice=None).exists()
    aside.refresh_from_db()
    assert aside.notice is None, "what lies aside stays there"


@pytest.mark.parametrize(
    "fields", [{"points": "-1"}, {"points": "100"}, {"points": "9" * 300}, {"handout": "\x00"}]
)
def test_an_invalid_reward_is_refused(
    game: Table, seats: list[Seat], hero: Character, gm: Somebody, fields: dict[str, str]
) -> None:
    finish(game)
    given = {"seat": [seats[0].pk], "points": "1", **fields}
    assert gm.client.post(f"/t/{game.pk}/reward/", given).status_code == 422
    assert not LedgerEntry.objects.exists()


def test_only_the_gm_gives_rewards_for_a_game(
    game: Table, seats: list[Seat], hero: Character, ayumi: Somebody
) -> None:
    finish(game)
    answer = ayumi.client.post(f"/t/{game.pk}/reward/", {"seat": [seats[0].pk], "points": "9"})
    assert answer.status_code == 404
    assert not LedgerEntry.objects.exists()


# --- several tables ------------------------------------------------------------------------------------


def tabs(page: Any) -> str:
    return str(page.render_all().regions["tabs"])


def test_tabs_link_to_all_tables_and_mark_those_that_wait_for_the_player(
    session: Session, seats: list[Seat], game: Table, ayumi: Somebody, bo: Somebody
) -> None:
    assert "<a" not in tabs(TablePage(ayumi.person, game.pk, ORIGIN)), "one table needs none"
    cards = opening.open_table(session=session, module_key="uroboros", players=seats)
    for page in (
        TablePage(ayumi.person, cards.pk, ORIGIN),
        TablePage(ayumi.person, game.pk, ORIGIN),
        LobbyPage(ayumi.person, session.pk, ORIGIN),
    ):
        drawn = tabs(page)
        assert f'href="/t/{game.pk}/"' in drawn
        assert f'href="/t/{cards.pk}/"' in drawn
        assert drawn.count("tab-dot") == 1
    assert "tab-dot" not in tabs(TablePage(bo.person, cards.pk, ORIGIN))
    lay(game, "p1")
    assert "tab-dot" not in tabs(TablePage(ayumi.person, cards.pk, ORIGIN))
    assert tabs(TablePage(bo.person, cards.pk, ORIGIN)).count("tab-dot") == 1
    games.stop_game(table=game, by=seats[0])
    assert "<a" not in tabs(TablePage(ayumi.person, cards.pk, ORIGIN))


def test_a_new_table_calls_spectators_and_not_players_away_from_a_table(
    session: Session, seats: list[Seat], game: Table, ayumi: Somebody, kei: Somebody
) -> None:
    third = sit(session, kei.person)
    sits = TablePage(ayumi.person, game.pk, ORIGIN).place().number
    watches = TablePage(kei.person, game.pk, ORIGIN).place().number
    new = opening.open_table(session=session, module_key="tally", players=[seats[0], third])
    playing = TablePage(ayumi.person, game.pk, ORIGIN, place_number=sits)
    assert playing.place().number <= sits
    assert f'class="btn" href="/t/{new.pk}/"' in playing.render_all().regions["tabs"], "a calm word instead"
    watching = TablePage(kei.person, game.pk, ORIGIN, place_number=watches)
    assert watching.place() == (watching.place().number, new.get_absolute_url())
    assert watching.place().number > watches


@pytest.mark.django_db(transaction=True)
async def test_the_dot_on_another_tables_tab_is_pushed_over_the_websocket(
    server: ThreadServer, session: Session, seats: list[Seat], game: Table, bo: Somebody
) -> None:
    cards = await database_sync_to_async(opening.open_table)(
        session=session, module_key="uroboros", players=seats
    )
    path = f"/ws/tables/{cards.pk}/?place=99999"
    # The second page of a seat that is here already: nothing else makes it draw the evening anew.
    async with phone(server, bo, path) as first, phone(server, bo, path) as two:
        await first.until_version(0)
        await two.until_version(0)
        assert "tab-dot" not in two.bytes
        await database_sync_to_async(lay)(game, "p1")
        await two.until_shown("tab-dot")


@pytest.mark.django_db(transaction=True)
async def test_tabs_are_pushed_only_after_moves_that_change_the_awaited_seats(
    session: Session, seats: list[Seat], game: Table
) -> None:
    cards = await database_sync_to_async(opening.open_table)(
        session=session, module_key="uroboros", players=seats
    )
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(session_group(session.pk), channel)
    play_there = partial(database_sync_to_async(play), cards)
    told = []
    for seat, raw in (
        ("p1", b'{"type": "declare", "text": "1"}'),
        ("gm", call("p1")),
        ("p2", b'{"type": "declare", "text": "2"}'),
        ("gm", b'{"type": "rewind", "to": 1}'),
    ):
        await play_there(seat, raw)
        heard = layer.channels.get(channel)
        told.append(heard.qsize() if heard else 0)
    assert told == [0, 1, 1, 2]
    assert (await layer.receive(channel))["parts"] == ("tabs",)


def test_a_table_face_shows_the_newest_or_the_chosen_table(
    session: Session, seats: list[Seat], game: Table
) -> None:
    new = opening.open_table(session=session, module_key="tally", players=seats)
    key = str(session.face_key)
    assert FacePage(key, ORIGIN).render_all().context["table"] == new
    chosen = FacePage(key, ORIGIN, chosen_table_pk=game.pk)
    assert chosen.render_all().context["table"] == game
    page = Client().get(f"/face/{key}/?table={game.pk}").content.decode()
    assert f"table={game.pk}" in page
    for wrong in ("x", "999999", "9" * 40):
        assert f'data-table="{new.pk}"' in Client().get(f"/face/{key}/?table={wrong}").content.decode()


def test_a_table_face_shows_no_table_of_another_session(session: Session, game: Table) -> None:
    other = nights.open_session(campaign=session.campaign, title="よその夜")
    assert "table" not in FacePage(str(other.face_key), ORIGIN, chosen_table_pk=game.pk).render_all().context


# --- nothing leaks -------------------------------------------------------------------------------------


def test_pages_of_people_without_a_table_seat_do_not_depend_on_the_hands(
    tally: AnyModule, session: Session, seats: list[Seat], gm: Somebody, kei: Somebody
) -> None:
    """The pages of all who do not sit there stay as they are, byte for byte, when the hands are others."""
    sit(session, kei.person, Role.SPECTATOR)
    table = opening.open_table(
        session=session, module_key="tally", players=[seats[0], Sitter(None, "steady")]
    )
    pages = [TablePage(gm.person, table.pk, ORIGIN), TablePage(kei.person, table.pk, ORIGIN)]
    pages += [LobbyPage(gm.person, session.pk, ORIGIN), FacePage(str(session.face_key), ORIGIN)]
    before = [page.render_all().regions for page in pages]
    state = tally.load(bytes(table.snapshot))
    state.hands = {"p1": [77, 78], "p2": [79, 80]}
    Table.objects.filter(pk=table.pk).update(snapshot=encode(state))
    regions.clear_log_pieces()
    assert [page.render_all().regions for page in pages] == before
