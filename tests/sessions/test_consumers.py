"""The websocket of an open page: real frames against the real application."""

from __future__ import annotations

import asyncio
import json

import pytest
import websockets
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.conf import settings

from companion.pages.home_screen import mark
from sessions.evening import nights, presence, stand_ins
from sessions.models import Seat, Session, Table
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import call, cards_in, hand, play, sit, ws_path
from tests.phones import phone
from tests.servers import ThreadServer, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

AN_ID = "00000000-0000-4000-8000-000000000000"


async def test_a_move_from_one_phone_is_pushed_to_the_others(
    server: ThreadServer, table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    async with (
        phone(server, gm, ws_path(table)) as desk,
        phone(server, ayumi, ws_path(table)) as one,
        phone(server, bo, ws_path(table)) as two,
    ):
        for device in (desk, one, two):
            await device.until_version(0)
        answer = await desk.play(json.loads(call("p1")))
        assert answer["accepted"] == 1
        await one.until_version(1)
        await two.until_version(1)


async def test_a_phone_that_connects_late_gets_the_current_version(
    server: ThreadServer, table: Table, bo: Somebody
) -> None:
    await database_sync_to_async(play)(table, "gm", call("p1"))
    async with phone(server, bo, ws_path(table)) as late:
        await late.until_version(1)


async def test_a_refusal_gives_its_reason_in_the_players_language(
    server: ThreadServer, table: Table, bo: Somebody
) -> None:
    reasons = {}
    for language, _ in settings.LANGUAGES:
        async with phone(server, bo, f"{ws_path(table)}?lang={language}") as device:
            await device.until_version(0)
            answer = await device.play({"type": "bogus"})
            assert answer["refused"] == "malformed_move"
            reasons[language] = answer["reason"]
    assert reasons["en"] == "This move could not be read. Nothing was changed."
    assert reasons["ja"] != reasons["en"]


BROKEN_FRAMES = [
    "",
    "null",
    "[]",
    "{",
    '"x"',
    "{}",
    '{"id": 1}',
    '{"id": "x", "version": 0, "asked": "", "move": {"type": "draw"}}',
    f'{{"id": "{AN_ID}", "version": "0", "asked": "", "move": {{}}}}',
    f'{{"id": "{AN_ID}", "version": 1e999, "asked": "", "move": {{"type": "draw"}}}}',
    f'{{"id": "{AN_ID}", "version": 0, "asked": "\\ud800", "move": {{"type": "\\ud800"}}}}',
    f'{{"id": "{AN_ID}", "version": -1, "asked": "", "move": {{"type": ["draw"]}}}}',
    "[" * 4000,
    '{"a":' * 1500,
    '{"id": ' + "9" * 5000 + "}",
]


async def test_a_malformed_frame_is_refused_and_the_websocket_stays_open(
    server: ThreadServer, table: Table, bo: Somebody
) -> None:
    async with phone(server, bo, ws_path(table)) as device:
        await device.until_version(0)
        for frame in BROKEN_FRAMES:
            await device.socket.send(frame)
            assert (await device.answer())["refused"] == "malformed_move", frame
            await device.pong()
    assert await database_sync_to_async(table.moves.count)() == 0


async def test_an_oversized_or_binary_frame_closes_the_websocket(
    server: ThreadServer, table: Table, bo: Somebody
) -> None:
    for frame in ("x" * 9000, b"binary"):
        async with phone(server, bo, ws_path(table)) as device:
            await device.until_version(0)
            await device.socket.send(frame)
            assert await device.closing_code() == 4400


async def test_a_person_without_a_seat_gets_no_data_from_a_tables_websocket(
    server: ThreadServer, table: Table, kei: Somebody
) -> None:
    for who in (kei, None):
        async with phone(server, who, ws_path(table)) as device:
            assert await device.closing_code() == 4404
            assert device.bytes == ""


async def test_the_websocket_of_a_removed_player_is_closed_at_once(
    server: ThreadServer, table: Table, seats: list[Seat], bo: Somebody
) -> None:
    async with phone(server, bo, ws_path(table)) as device:
        await device.until_version(0)
        await database_sync_to_async(nights.remove_seat)(seat=seats[1])
        assert await device.closing_code() == 4404


async def test_a_websocket_from_another_origin_is_refused(
    server: ThreadServer, table: Table, bo: Somebody
) -> None:
    with pytest.raises(websockets.InvalidStatus):
        await websockets.connect(
            server.ws(ws_path(table)), additional_headers=bo.headers, origin="http://evil.example", proxy=None
        )


async def test_a_spectator_cannot_make_a_move(
    server: ThreadServer, table: Table, session: Session, kei: Somebody
) -> None:
    from sessions.models import Role
    from tests.evening import sit

    await database_sync_to_async(sit)(session, kei.person, Role.SPECTATOR)
    async with phone(server, kei, ws_path(table)) as device:
        await device.until_version(0)
        assert (await device.play(json.loads(call("p1"))))["refused"] == "not_seated"


async def test_an_unchanged_region_is_not_sent_again(
    server: ThreadServer, table: Table, bo: Somebody
) -> None:
    async with phone(server, bo, ws_path(table)) as device:
        await device.until_version(0)
        first = device.html[0]
        await database_sync_to_async(play)(table, "gm", call("p1"))
        await device.until_version(1)
        assert len(device.html[-1]) < len(first)
        assert 'hx-target="#hand"' in first
        assert 'hx-target="#hand"' not in device.html[-1]


async def test_no_card_hidden_from_a_seat_is_sent_to_its_phone(
    server: ThreadServer, table: Table, ayumi: Somebody, bo: Somebody
) -> None:
    cards = await database_sync_to_async(lambda: {seat: hand(table, seat) for seat in ("gm", "p1", "p2")})()
    async with phone(server, ayumi, ws_path(table)) as one, phone(server, bo, ws_path(table)) as two:
        await one.until_version(0)
        await two.until_version(0)
        await database_sync_to_async(play)(table, "gm", b'{"type": "deal", "seat": "p1", "count": 2}')
        await one.until_version(1)
        await two.until_version(1)
    dealt = (await database_sync_to_async(hand)(table, "p1"))[-2:]
    assert set(cards["p1"] + dealt) <= cards_in(one.bytes)
    assert cards_in(two.bytes).isdisjoint(cards["p1"] + cards["gm"] + dealt)


async def test_the_lobby_shows_new_players_and_redirects_to_an_opened_table(
    server: ThreadServer, session: Session, seats: list[Seat], bo: Somebody, kei: Somebody
) -> None:
    from tests.evening import sit

    async with phone(server, bo, f"/ws/sessions/{session.pk}/") as lobby:
        await lobby.receive()
        await database_sync_to_async(sit)(session, kei.person)
        while "ケイ" not in lobby.bytes:
            await lobby.receive()
        table = await database_sync_to_async(opening.open_table)(
            session=session, module_key="uroboros", players=seats
        )
        assert await lobby.answer("go") == {"go": table.get_absolute_url()}


async def test_a_seats_presence_changes_when_its_phone_connects_and_leaves(
    server: ThreadServer, session: Session, seats: list[Seat], gm: Somebody, bo: Somebody
) -> None:
    async with phone(server, gm, f"/ws/sessions/{session.pk}/") as desk:
        await desk.receive()
        assert 'data-state="here"' not in desk.bytes
        async with phone(server, bo, f"/ws/sessions/{session.pk}/"):
            while 'data-state="here"' not in desk.bytes:
                await desk.receive()
        while 'data-state="away"' not in desk.bytes:
            await desk.receive()


async def test_all_people_of_a_shared_device_are_here_while_its_page_is_open(
    server: ThreadServer, session: Session, gm: Somebody, bo: Somebody
) -> None:
    @database_sync_to_async
    def sit_together() -> Seat:
        sit(session, bo.person)
        bo.client.post(f"/s/{session.pk}/beside/", {"name": "アキ", "role": "player"})
        bo.client.post("/device/curtain/", {"to": mark(bo.person)})
        bo.client.post("/device/curtain/", {"to": mark(bo.person), "open": ""})
        return session.seats.get(name="アキ")

    def state() -> str:
        return presence.seat_presences([aki.pk])[aki.pk].state

    aki = await sit_together()
    page = f"/ws/sessions/{session.pk}/"
    async with phone(server, gm, page) as desk:
        await desk.receive()
        assert state() == "absent"
        async with phone(server, bo, page):
            while desk.bytes.count('data-state="here"') < 2:
                await desk.receive()
        while state() == "here":
            await desk.receive()
        assert state() == "away"


async def test_the_table_face_shows_no_hand(server: ThreadServer, table: Table, session: Session) -> None:
    secret = await database_sync_to_async(
        lambda: [c for seat in ("gm", "p1", "p2") for c in hand(table, seat)]
    )()
    async with phone(server, None, f"/ws/faces/{session.face_key}/") as face:
        await face.until_version(0)
    assert cards_in(face.bytes).isdisjoint(secret)


async def test_the_table_face_shows_a_tables_end_and_follows_play_elsewhere(
    server: ThreadServer, table: Table, session: Session, seats: list[Seat]
) -> None:
    second = await database_sync_to_async(opening.open_table)(
        session=session, module_key="uroboros", players=seats
    )
    async with phone(server, None, f"/ws/faces/{session.face_key}/?place={second.pk}") as face:
        await face.until_version(0)
        await database_sync_to_async(play)(second, "gm", b'{"type": "end"}')
        await face.until_shown('data-phase="over"')
        await database_sync_to_async(play)(table, "gm", call("p1"))
        await face.pong()
        assert await face.answer("go") == {"go": f"/face/{session.face_key}/"}


async def test_a_page_that_leaves_during_rendering_is_away_and_leaves_all_groups(
    server: ThreadServer, table: Table, session: Session, gm: Somebody, bo: Somebody
) -> None:
    async with phone(server, gm, f"/ws/sessions/{session.pk}/") as desk:
        await desk.receive()
        for _ in range(5):
            async with phone(server, bo, ws_path(table)) as device:
                await device.receive()  # the table: the evening round it is being drawn
                device.socket.transport.abort()
            async with phone(server, bo, ws_path(table)) as device:
                device.socket.transport.abort()
        await desk.until_shown('data-state="away"')
    layer = get_channel_layer()
    await asyncio.to_thread(wait_until, lambda: not layer.groups, what="the last page's leave")


async def test_a_page_rendered_before_its_seat_was_dealt_in_is_redirected(
    server: ThreadServer, table: Table, bo: Somebody
) -> None:
    """The GM dealt between the phone's page and its websocket: no message told it."""
    place = (await database_sync_to_async(table.table_seats.get)(key="p2")).pk
    for path_, drawn_for, goes in [
        (f"/ws/sessions/{table.session_id}/", 0, True),
        (f"/ws/sessions/{table.session_id}/", place, False),
        (ws_path(table), 0, True),
        (ws_path(table), place, False),
    ]:
        async with phone(server, bo, f"{path_}?place={drawn_for}") as device:
            if goes:
                assert await device.answer("go") == {"go": table.get_absolute_url()}
            else:
                await device.until_shown('hx-target="#presence"')
                await device.pong()
                assert '"go"' not in device.bytes


async def test_a_malformed_place_in_the_websocket_address_is_ignored(
    server: ThreadServer, table: Table, bo: Somebody
) -> None:
    for place in ("", "x", "-1", "9" * 40, "１"):
        async with phone(server, bo, f"{ws_path(table)}?place={place}") as device:
            await device.until_version(0)


async def test_the_gm_can_nudge_a_player_once_and_players_cannot_nudge(
    server: ThreadServer, table: Table, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    async with (
        phone(server, gm, ws_path(table)) as desk,
        phone(server, ayumi, ws_path(table)) as one,
        phone(server, bo, ws_path(table)) as two,
    ):
        for device in (desk, one, two):
            await device.until_version(0)
        await two.socket.send('{"nudge": "p1"}')
        await two.pong()
        await desk.socket.send('{"nudge": "p1"}')
        assert await one.answer("nudge") == {"nudge": 1}
        await two.pong()
        assert '"nudge"' not in two.bytes, "and nobody else's phone buzzes"
        await desk.socket.send('{"nudge": "p1"}')
        await desk.pong()
        await one.pong()
        assert one.bytes.count('"nudge"') == 1, "nor a phone without end"


async def test_a_nudge_reaches_the_stand_ins_phone_too(
    server: ThreadServer, table: Table, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    await database_sync_to_async(stand_ins.let_stand_in)(seat=seats[0], stand_in=seats[1])
    async with (
        phone(server, gm, ws_path(table)) as desk,
        phone(server, ayumi, ws_path(table)) as one,
        phone(server, bo, ws_path(table)) as two,
    ):
        for device in (desk, one, two):
            await device.until_version(0)
        await desk.socket.send('{"nudge": "p1"}')
        for device in (one, two):
            assert await device.answer("nudge") == {"nudge": 1}


async def test_a_nudge_with_an_unknown_seat_key_keeps_the_websocket_open(
    server: ThreadServer, table: Table, gm: Somebody
) -> None:
    async with phone(server, gm, ws_path(table)) as desk:
        await desk.until_version(0)
        for key in ("\\ud800", "\\u0000", "nobody", "9" * 5000):
            await desk.socket.send(f'{{"nudge": "{key}"}}')
            await desk.pong()
