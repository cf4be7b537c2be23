"""A table with open pages: each push says its version, and no page shows a seat that it has lost."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import uuid
import weakref
from collections.abc import Callable
from typing import Any

import pytest
from django.db.models import F
from django.utils import timezone

from characters.services import sheets
from companion.models import Person
from sessions.board_games import games
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import announcements, devices, nights, stand_ins
from sessions.game import AnyModule
from sessions.live import heartbeats, hub, screen_view
from sessions.models import Role, Seat, Session, Table
from sessions.table import commit, log, moves, opening, seat_view, table_cache
from sessions.table.opening import Sitter
from tests.conftest import Somebody
from tests.evening import call, cards_in, hand, in_database, play, sit
from tests.phones import Phone, phone
from tests.servers import ProcessServer, ThreadServer, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

Change = Callable[[], object]


def path(table: Table, **query: object) -> str:
    return f"/ws/tables/{table.pk}/?" + "&".join(f"{name}={value}" for name, value in query.items())


def say(text: str) -> dict[str, str]:
    return {"type": "declare", "text": text}


def versions(device: Phone) -> list[int | None]:
    """Return the version that each push to a phone carries, in their order; None for none."""
    marks = [re.search(r'data-version="(\d+)"', push) for push in device.html]
    return [int(mark[1]) if mark else None for mark in marks]


def reseat(session: Session, change: Change) -> Change:
    """Return a change of the evening of which no page is told: its message was lost."""

    def unannounced() -> None:
        change()
        Session.objects.filter(pk=session.pk).update(seating=F("seating") + 1)

    return unannounced


@pytest.fixture
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """The jobs after a move follow at once."""
    monkeypatch.setattr(hub, "UNDO_PAUSE", 0)


@pytest.fixture
def nothing_else_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a change of the table makes a page check its permissions: arrivals are not announced."""
    monkeypatch.setattr(heartbeats, "COLLECT_PRESENCE_FOR", 600)


async def whole(device: Phone) -> None:
    """Wait until a page shows everything, with its log open."""
    await device.open_log()
    await device.until_shown('hx-target="#presence"')


@pytest.fixture
def asks_at_every_heartbeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heartbeats, "CHECK_EVERY", 0.05)


@pytest.fixture
def game(tally: AnyModule, session: Session, seats: list[Seat]) -> Table:
    """The small board game with Ayumi as p1, who begins, and Bo as p2."""
    return opening.open_table(session=session, module_key="tally", players=seats, options={"rounds": 2})


# --- every push says what it shows ---------------------------------------------------------------------


def play_any(table: Table) -> bool:
    """Play some legal move of a seat that is waited for, or the GM's. False if the game is over."""
    table.refresh_from_db()
    module = registry()[table.module]
    state = module.load(bytes(table.snapshot))
    for seat in sorted(module.waiting_for(state))[:1]:
        play(table, seat, encode(module.legal_moves(state, seat)[0]))
        return True
    return False


@pytest.mark.parametrize("key", registry())
async def test_every_push_carries_the_version_it_shows_and_none_goes_back(
    server: ThreadServer,
    session: Session,
    seats: list[Seat],
    gm: Somebody,
    ayumi: Somebody,
    key: str,
    no_pause: None,
) -> None:
    def opened() -> Table:
        fewest = registry()[key].seats.start
        others = [Person.objects.create(name=f"人{number}") for number in range(fewest - 2)]
        players = [*seats, *(sit(session, person) for person in others)][:fewest]
        return opening.open_table(session=session, module_key=key, players=players)

    table = await in_database(opened)
    face = f"/ws/faces/{session.face_key}/"
    async with (
        phone(server, gm, path(table)) as desk,
        phone(server, ayumi, path(table)) as player,
        phone(server, None, face) as wall,
    ):
        last = 0
        for device in (desk, player, wall):
            await device.until_version(0)
        while last < 5 and await in_database(play_any, table):
            last += 1
            for device in (desk, player, wall):
                await device.until_version(last)
        assert last > 1, "nothing was pushed: this test could not have failed"
        for device in (desk, player, wall):
            shown = versions(device)
            assert None not in shown
            assert shown == sorted(shown)


async def test_the_undo_button_is_pushed_with_the_version_of_its_move(
    server: ThreadServer, table: Table, ayumi: Somebody, no_pause: None
) -> None:
    async with phone(server, ayumi, path(table)) as device:
        await device.until_version(0)
        assert (await device.play(say("登る")))["accepted"] == 1
        await device.until_shown('"type":"undo"')
        assert versions(device)[-1] == 1


async def test_the_attack_sheet_of_the_gm_is_pushed_only_while_it_is_open(
    server: ThreadServer, table: Table, gm: Somebody
) -> None:
    async with phone(server, gm, path(table)) as desk:
        await desk.until_version(0)
        assert 'hx-target="#attack"' not in desk.bytes
        await desk.socket.send('{"opened": "attack-sheet"}')
        await desk.until_shown('hx-target="#attack"')
        assert versions(desk)[-1] == 0
        await desk.socket.send('{"closed": "attack-sheet"}')
        seen = len(desk.html)
        assert (await desk.play(json.loads(call("p1"))))["accepted"] == 1
        assert not any('hx-target="#attack"' in push for push in desk.html[seen:])


# --- who may look --------------------------------------------------------------------------------------


def kicked(seat: Seat) -> Change:
    return lambda: nights.remove_seat(seat=seat)


def kicked_and_not_told(seat: Seat) -> Change:
    return reseat(seat.session, lambda: Seat.objects.filter(pk=seat.pk).update(removed_at=timezone.now()))


@pytest.mark.parametrize("taken", [kicked, kicked_and_not_told])
async def test_a_phone_whose_seat_was_taken_gets_no_further_push(
    server: ThreadServer,
    table: Table,
    seats: list[Seat],
    ayumi: Somebody,
    bo: Somebody,
    taken: Callable[[Seat], Change],
    nothing_else_is_drawn: None,
) -> None:
    async with phone(server, ayumi, path(table)) as stays, phone(server, bo, path(table)) as gone:
        await whole(stays)
        await whole(gone)
        await in_database(taken(seats[1]))
        assert (await stays.play(say("合言葉")))["accepted"] == 1
        assert "合言葉" in stays.bytes
        assert await gone.closing_code() == 4404
        assert set(versions(gone)) == {0}
        assert "合言葉" not in gone.bytes


async def test_a_removed_phone_is_disconnected_at_its_next_heartbeat(
    server: ThreadServer,
    table: Table,
    seats: list[Seat],
    bo: Somebody,
    asks_at_every_heartbeat: None,
    nothing_else_is_drawn: None,
) -> None:
    async with phone(server, bo, path(table)) as gone:
        await whole(gone)
        await in_database(kicked_and_not_told(seats[1]))
        await gone.socket.send('{"ping": 1}')
        assert await gone.closing_code() == 4404


async def test_a_removed_phone_cannot_play_although_no_message_reached_it(
    server: ThreadServer, table: Table, seats: list[Seat], bo: Somebody, nothing_else_is_drawn: None
) -> None:
    async with phone(server, bo, path(table)) as gone:
        await whole(gone)
        await in_database(kicked_and_not_told(seats[1]))
        await gone.send(say("まだいる"))
        assert await gone.closing_code() == 4404
    assert await in_database(table.moves.count) == 0


async def test_a_seat_given_back_shows_its_hand_again(
    server: ThreadServer, table: Table, seats: list[Seat], bo: Somebody
) -> None:
    cards = set(await in_database(hand, table, "p2"))
    async with phone(server, bo, path(table)) as gone:
        await gone.until_version(0)
        await in_database(nights.remove_seat, seat=seats[1])
        assert await gone.closing_code() == 4404
    await in_database(nights.restore_seat, seat=seats[1])
    async with phone(server, bo, path(table)) as again:
        await again.until_version(0)
        assert cards <= cards_in(again.bytes)
        assert (await again.play(say("戻った")))["accepted"] == 1


@pytest.mark.parametrize("told", [True, False])
async def test_a_seat_that_moved_to_another_device_is_shown_there_alone(
    server: ThreadServer,
    table: Table,
    seats: list[Seat],
    ayumi: Somebody,
    bo: Somebody,
    kei: Somebody,
    told: bool,
) -> None:
    cards = set(await in_database(hand, table, "p2"))

    def moved_on() -> None:
        devices.redeem_link(token=devices.issue(seat=seats[1]), person=kei.person)

    def moved_silently() -> None:
        Seat.objects.filter(pk=seats[1].pk).update(person=kei.person)

    change = moved_on if told else reseat(seats[1].session, moved_silently)
    async with phone(server, bo, path(table)) as old, phone(server, ayumi, path(table)) as other:
        await old.open_log()
        await other.open_log()
        await in_database(change)
        async with phone(server, kei, path(table)) as new:
            await new.until_version(0)
            assert cards <= cards_in(new.bytes)
            assert (await new.play(say("新しい端末")))["accepted"] == 1
            await other.until_shown("新しい端末")
        assert await old.closing_code() == 4404
        assert "新しい端末" not in old.bytes


async def test_a_lent_seat_is_shown_to_its_stand_in_until_it_is_taken_back(
    server: ThreadServer, table: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    mine, theirs = [set(await in_database(hand, table, key)) for key in ("p1", "p2")]
    await in_database(stand_ins.let_stand_in, seat=seats[1], stand_in=seats[0])
    async with (
        phone(server, ayumi, path(table, **{"as": seats[1].pk})) as lent,
        phone(server, bo, path(table)) as owner,
    ):
        await lent.open_log()
        await owner.open_log()
        assert theirs <= cards_in(lent.bytes)
        assert mine.isdisjoint(cards_in(lent.bytes))
        assert (await lent.play(say("代わりに")))["accepted"] == 1
        await in_database(stand_ins.end_stand_in, seat=seats[1])
        assert (await owner.play(say("自分で")))["accepted"] == 2
        assert await lent.closing_code() == 4404
        assert "自分で" in owner.bytes
        assert "自分で" not in lent.bytes
    stood_in = await in_database(lambda: list(table.moves.values_list("seat", "stand_in")))
    assert stood_in == [("p2", seats[0].name), ("p2", "")]


@pytest.mark.parametrize("told", [True, False])
async def test_a_seat_lent_to_a_bot_takes_no_move_until_it_is_given_back(
    server: ThreadServer, game: Table, session: Session, bo: Somebody, told: bool
) -> None:
    """Bo's turn comes after Ayumi's, who does not move: the bot is not waited for."""
    sits = await in_database(game.table_seats.get, key="p2")

    def lend(bot: str) -> Change:
        if told:
            handing = games.hand_to_bot if bot else games.take_from_bot
            return lambda: handing(table=game, key="p2")
        return reseat(session, lambda: type(sits).objects.filter(pk=sits.pk).update(bot=bot))

    async with phone(server, bo, path(game)) as device:
        await device.until_version(0)
        await in_database(lend("steady"))
        assert (await device.play({"type": "concede"}))["refused"] == "bot_plays"
        await in_database(lend(""))
        assert (await device.play({"type": "concede"}))["refused"] == "not_your_turn"


async def test_a_person_who_replaces_a_bot_sees_and_plays_its_hand(
    server: ThreadServer, tally: AnyModule, session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    def opened() -> Table:
        sitters = [seats[0], Sitter(None, "steady")]
        return opening.open_table(session=session, module_key="tally", players=sitters)

    table = await in_database(opened)
    async with phone(server, ayumi, path(table)) as other, phone(server, bo, path(table)) as watches:
        await other.until_version(0)
        await watches.until_version(0)
        await in_database(games.replace_bot, table=table, key="p2", newcomer=seats[1])
        await other.until_shown(f"<li>{seats[1].name}:")
        assert await watches.answer("go") == {"go": table.get_absolute_url()}
    await in_database(play_any, table)
    async with phone(server, bo, path(table)) as plays:
        await plays.until_version(1)
        number = (await in_database(hand_of, table, "p2"))[0]
        assert (await plays.play({"type": "lay", "number": number}))["accepted"] == 2


def hand_of(table: Table, seat: str) -> list[int]:
    table.refresh_from_db()
    state: Any = registry()[table.module].load(bytes(table.snapshot))
    return list(state.hands[seat])


@pytest.mark.parametrize("told", [True, False])
async def test_a_changed_seat_name_is_pushed_to_every_page(
    server: ThreadServer, table: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody, told: bool
) -> None:
    def rename() -> None:
        Seat.objects.filter(pk=seats[1].pk).update(name="改名した人")
        if told:
            announcements.broadcast(table.session_id)

    async with phone(server, ayumi, path(table)) as one, phone(server, bo, path(table)) as two:
        await one.until_version(0)
        await two.until_version(0)
        await in_database(rename if told else reseat(table.session, rename))
        if not told:
            assert (await two.play(say("名乗る")))["accepted"] == 1
        await one.until_shown("改名した人")


# --- what becomes of a table ---------------------------------------------------------------------------


async def test_a_rewound_table_is_pushed_in_its_earlier_state(
    server: ThreadServer, table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    before = set(await in_database(hand, table, "p2"))
    async with phone(server, bo, path(table)) as one, phone(server, ayumi, path(table)) as other:
        await one.until_version(0)
        await other.until_version(0)
        await in_database(play, table, "gm", b'{"type": "deal", "seat": "p2", "count": 2}')
        await one.until_version(1)
        await in_database(moves.rewind, table_pk=table.pk, to=0, reason="", version=1)
        for device in (one, other):
            await device.until_version(2)
        [shown] = [push for push in one.html if 'hx-target="#hand"' in push][-1:]
        assert cards_in(shown.split('hx-target="#hand"')[1].split("</hx-partial>")[0]) == before
        assert (await one.play(say("もう一度")))["accepted"] == 3
        await other.until_version(3)


async def test_an_ended_game_can_be_played_on_after_a_rewind(
    server: ThreadServer, game: Table, ayumi: Somebody, bo: Somebody
) -> None:
    async with phone(server, ayumi, path(game)) as one, phone(server, bo, path(game)) as two:
        await one.until_version(0)
        await two.until_version(0)
        for version in range(1, 5):
            await in_database(play_any, game)
            await two.until_version(version)
        assert (await two.play({"type": "concede"}))["refused"] == "game_over"
        await in_database(moves.rewind, table_pk=game.pk, to=3, reason="", version=4)
        await two.until_version(5)
        [number] = await in_database(hand_of, game, "p2")
        assert (await two.play({"type": "lay", "number": number}))["accepted"] == 6
        await one.until_version(6)


async def test_a_stopped_game_takes_no_move_and_says_so_on_every_page(
    server: ThreadServer, game: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    async with phone(server, ayumi, path(game)) as one, phone(server, bo, path(game)) as two:
        await one.until_version(0)
        await two.until_version(0)
        await in_database(games.stop_game, table=game, by=seats[0])
        for device in (one, two):
            await device.until_shown('data-say="ゲームが終わりました。"')
        assert (await one.play({"type": "concede"}))["refused"] == "game_over"


async def test_a_move_after_the_end_of_the_session_is_refused(
    server: ThreadServer, table: Table, session: Session, bo: Somebody
) -> None:
    async with phone(server, bo, path(table)) as device:
        await device.until_version(0)
        await in_database(nights.close_session, session=session)
        assert (await device.play(say("まだ")))["refused"] == "session_over"


async def test_pages_of_one_table_get_pushes_in_their_own_language(
    server: ThreadServer, table: Table, ayumi: Somebody
) -> None:
    """A page that switches comes back with another language; the other pages keep theirs."""
    async with (
        phone(server, ayumi, path(table, lang="ja")) as japanese,
        phone(server, ayumi, path(table, lang="en")) as english,
    ):
        for device in (japanese, english):
            await device.until_version(0)
        await in_database(play, table, "gm", call("p1"))
        for device in (japanese, english):
            await device.until_version(1)
        prompts = [
            device.bytes.rsplit('hx-target="#prompt"', 1)[1].split("</hx-partial>")[0]
            for device in (japanese, english)
        ]
        assert not re.search(r"[ぁ-ん]", prompts[1])
        assert re.search(r"[ぁ-ん]", prompts[0])


# --- lost messages, and what fails after a move --------------------------------------------------------


async def test_a_move_of_another_process_whose_message_was_lost_shows_at_a_heartbeat(
    server: ThreadServer,
    server_process: ProcessServer,
    table: Table,
    ayumi: Somebody,
    bo: Somebody,
    asks_at_every_heartbeat: None,
) -> None:
    """Two processes on one database that have no channel layer between them."""
    async with phone(server, ayumi, path(table)) as here, phone(server_process, bo, path(table)) as there:
        await here.open_log()
        await there.open_log()
        assert (await there.play(say("向こう")))["accepted"] == 1
        await here.socket.send('{"ping": 1}')
        await here.until_version(1)
        assert "向こう" in here.bytes


async def test_a_reconnected_page_shows_the_newest_move_although_a_message_was_lost(
    server: ThreadServer, server_process: ProcessServer, table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    async with phone(server, ayumi, path(table)) as here, phone(server_process, bo, path(table)) as there:
        await here.open_log()
        await there.open_log()
        assert (await there.play(say("向こう")))["accepted"] == 1
        async with phone(server, ayumi, path(table)) as again:
            await again.until_version(1)


async def test_a_move_is_accepted_after_an_unannounced_move_of_another_process(
    server: ThreadServer, server_process: ProcessServer, table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    async with phone(server, ayumi, path(table)) as here, phone(server_process, bo, path(table)) as there:
        await here.open_log()
        await there.open_log()
        assert (await there.play(say("向こう")))["accepted"] == 1
        assert (await here.play(say("こちら")))["accepted"] == 2
        await here.until_version(2)
        assert "向こう" in here.bytes


@pytest.mark.parametrize(
    ("what", "verb"),
    [(screen_view.ScreenView, "render_region"), (hub.LiveTable, "reload"), (hub.LiveTable, "show_state")],
)
async def test_a_move_is_accepted_although_its_screen_cannot_be_rendered(
    server: ThreadServer,
    table: Table,
    ayumi: Somebody,
    monkeypatch: pytest.MonkeyPatch,
    what: type,
    verb: str,
) -> None:
    async with phone(server, ayumi, path(table)) as device:
        await device.open_log()
        with monkeypatch.context() as broken:
            broken.setattr(what, verb, lambda *_: 1 / 0)
            assert (await device.play(say("描けない")))["accepted"] == 1
        assert (await device.play(say("描ける"), version=1))["accepted"] == 2
        await device.until_shown("描けない")


async def test_a_move_is_accepted_although_the_character_sheet_cannot_be_saved(
    server: ThreadServer, table: Table, gm: Somebody, bo: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sessions.management.commands.demo import SAMPLES, create_character

    def bring() -> None:
        seat = table.table_seats.get(key="p2").seat
        nights.bring_character(seat=seat, character=create_character(bo.person, SAMPLES[1]))

    await in_database(bring)
    failed: list[int] = []
    monkeypatch.setattr(sheets, "set_hp", lambda **_: failed.append(1) or 1 / 0)
    async with phone(server, gm, path(table)) as desk:
        await desk.until_version(0)
        answer = await desk.play({"type": "set_hp", "who": "p2", "hp": 1})
        assert answer.get("accepted") == 1, answer
        wait_until(lambda: failed, what="the sheet")
        await desk.pong()


async def test_a_move_is_accepted_although_the_channel_layer_is_away(
    server: ThreadServer, table: Table, ayumi: Somebody, bo: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Away:
        """A channel layer that is gone."""

        async def group_send(self, group: str, message: dict[str, Any]) -> None:
            raise ConnectionError

    async with phone(server, ayumi, path(table)) as one, phone(server, bo, path(table)) as two:
        await one.until_version(0)
        await two.until_version(0)
        monkeypatch.setattr(commit, "get_channel_layer", Away)
        assert (await one.play(say("届く")))["accepted"] == 1
        await two.until_version(1)


async def test_a_move_is_played_once_though_the_process_died_before_it_answered(
    server_process: ProcessServer, table: Table, ayumi: Somebody
) -> None:
    server_process.kill()
    server_process.app = "tests.dying_app:application"
    server_process.start()
    client_id = str(uuid.uuid4())
    async with phone(server_process, ayumi, path(table)) as device:
        await device.until_version(0)
        asked = device.asked
        await device.send(say("一度だけ"), id=client_id)
        assert await device.closing_code() != 4404
        assert "accepted" not in device.bytes
    server_process.kill()
    server_process.app = "companion.asgi:application"
    server_process.start()
    async with phone(server_process, ayumi, path(table)) as device:
        await device.until_version(1)
        answer = await device.play(say("一度だけ"), id=client_id, version=0, asked=asked)
        assert answer["accepted"] == 1
    assert await in_database(table.moves.count) == 1


async def test_a_move_sent_twice_on_one_websocket_is_played_once(
    server: ThreadServer, table: Table, ayumi: Somebody
) -> None:
    client_id = str(uuid.uuid4())
    async with phone(server, ayumi, path(table)) as device:
        await device.until_version(0)
        frame = {"id": client_id, "version": 0, "asked": device.asked}
        first = await device.play(say("二度"), **frame)
        assert await device.play(say("二度"), **frame) == first
    assert await in_database(table.moves.count) == 1


async def test_a_removed_spectator_is_disconnected_like_a_player(
    server: ThreadServer,
    table: Table,
    session: Session,
    ayumi: Somebody,
    kei: Somebody,
    nothing_else_is_drawn: None,
) -> None:
    watcher = await in_database(sit, session, kei.person, Role.SPECTATOR)
    async with phone(server, kei, path(table)) as watches, phone(server, ayumi, path(table)) as plays:
        await whole(watches)
        await whole(plays)
        await in_database(kicked_and_not_told(watcher))
        assert (await plays.play(say("内緒")))["accepted"] == 1
        assert await watches.closing_code() == 4404
        assert "内緒" not in watches.bytes


def test_a_new_join_code_does_not_overwrite_a_newer_seating(session: Session) -> None:
    before = session.seating
    announcements.broadcast(session.pk)
    nights.rotate_code(session=session)  # read before that change
    assert Session.objects.get(pk=session.pk).seating == before + 2


def test_a_table_with_open_pages_stays_in_the_caches() -> None:
    live = hub.LiveTable(1)
    drawn, alone = screen_view.rendered_table(1), weakref.ref(screen_view.rendered_table(2))
    at = table_cache.cache_entry(1)
    for other in range(3, 3 + 2 * max(table_cache.TABLES_KEPT, screen_view.TABLES_KEPT)):
        table_cache.cache_entry(other)
        screen_view.rendered_table(other)
    assert (table_cache.cache_entry(1), screen_view.rendered_table(1)) == (at, drawn)
    assert live.cache_references == (at, drawn)
    assert alone() is None, "nobody looks at it"


async def test_the_undo_button_of_a_live_move_needs_no_read_of_the_move(
    server: ThreadServer, table: Table, ayumi: Somebody, no_pause: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Table] = []
    newest_move = log.newest_move

    def noted(of: Table) -> Any:
        read.append(of)
        return newest_move(of)

    async with phone(server, ayumi, path(table)) as device:
        await device.until_version(0)
        monkeypatch.setattr(log, "newest_move", noted)
        await device.play(say("登る"))
        await device.until_shown('"type":"undo"')
    assert not read


async def test_no_move_waits_for_the_answer_whether_the_one_before_it_can_be_undone(
    server: ThreadServer, table: Table, ayumi: Somebody, no_pause: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answers = threading.Event(), threading.Event()
    undoable_seat = seat_view.undoable_seat

    def hesitating(*about: Any) -> str | None:
        asked.set()
        assert answers.wait(60)
        return undoable_seat(*about)

    async with phone(server, ayumi, path(table)) as device:
        await device.until_version(0)
        monkeypatch.setattr(seat_view, "undoable_seat", hesitating)
        await device.play(say("登る"))
        assert await asyncio.to_thread(asked.wait, 60)
        try:
            assert (await device.play(say("降りる")))["accepted"] == 2
        finally:
            answers.set()
        await device.until_shown('"type":"undo"')
        assert versions(device)[-1] == 2
