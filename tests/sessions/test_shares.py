"""Shares of phones in a table's chance: gathered over real websockets, kept, and checked."""

from __future__ import annotations

import asyncio
import copy
import hashlib
import json
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from asgiref.sync import sync_to_async

from companion.fate import combine_secret, commitment
from sessions.engine.playthrough import Script, run_script
from sessions.engine.step import encode
from sessions.evening import nights, presence, shares
from sessions.models import Seat, Session, Table
from sessions.report import proofs
from sessions.table import opening, replay
from tests.conftest import Somebody
from tests.phones import Phone, phone
from tests.servers import PATIENCE, ThreadServer, wait_until

OWN, FIRST, SECOND = "a" * 64, "b" * 64, "c" * 64


def mark(share: str) -> str:
    return hashlib.sha256(share.encode()).hexdigest()


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phones are waited for on however busy a machine."""
    monkeypatch.setattr(shares, "WAIT", PATIENCE)


class Giver:
    """A phone that hears of an opening, promises a share, and gives one."""

    def __init__(self, page: Phone, share: str, given: str | None = "") -> None:
        self.page, self.share = page, share
        self.given = share if given == "" else given
        self.commitment, self.fingerprints = "", [""]

    async def promise(self) -> None:
        fate = (await self.page.answer("fate"))["fate"]
        self.commitment = fate["commitment"]
        await self.say(fate, mark(self.share))

    async def give(self) -> None:
        fate = (await self.page.answer("fate"))["fate"]
        self.fingerprints = fate["fingerprints"]
        if self.given:
            await self.say(fate, self.given)

    async def say(self, fate: dict[str, Any], share: str) -> None:
        await self.page.socket.send(json.dumps({"share": share, "opening": fate["opening"]}))

    async def take_part(self) -> None:
        await self.promise()
        await self.give()


async def opened(server: ThreadServer, gm: Somebody, session: Session, seats: list[Seat]) -> None:
    """Open the card table by the GM's form, over HTTP and on the server's own loop."""

    def post() -> None:
        token = "t" * 32
        fields = {"module": "uroboros", "seat": [seat.pk for seat in seats], "csrfmiddlewaretoken": token}
        data = urllib.parse.urlencode(fields, doseq=True).encode()
        headers = {"Cookie": f"{gm.headers['Cookie']}; csrftoken={token}", "Origin": server.url}
        request = urllib.request.Request(f"{server.url}/s/{session.pk}/tables/", data, headers)
        with urllib.request.urlopen(request) as answer:
            assert answer.status == 200

    await asyncio.to_thread(post)


def all_here(seats: list[Seat]) -> None:
    """Wait until the server has noted that these seats have a page."""
    pks = [seat.pk for seat in seats]
    wait_until(lambda: set(presence.page_states(pks).values()) == {"here"})


@sync_to_async
def newest(session: Session) -> Table:
    return session.tables.order_by("pk").last()


@pytest.fixture
def lobby(session: Session) -> str:
    return f"/ws/sessions/{session.pk}/"


async def test_open_phones_give_shares_of_a_new_tables_secret(
    server: ThreadServer,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    session: Session,
    seats: list[Seat],
    lobby: str,
) -> None:
    async with phone(server, ayumi, lobby) as one, phone(server, bo, lobby) as two:
        await asyncio.to_thread(all_here, seats)
        givers = [Giver(one, FIRST), Giver(two, SECOND)]
        await asyncio.gather(opened(server, gm, session, seats), *(giver.take_part() for giver in givers))
    table = await newest(session)
    record = table.shares
    assert {(each["seat"], each["share"]) for each in record["of"]} == {("あゆみ", FIRST), ("ボー", SECOND)}
    assert table.commitment == commitment(record["secret"]) == givers[0].commitment == givers[1].commitment
    assert givers[0].fingerprints == givers[1].fingerprints == sorted([mark(FIRST), mark(SECOND)])
    assert table.secret == combine_secret(record["secret"], [each["share"] for each in record["of"]])
    assert table.secret != record["secret"]
    assert (await sync_to_async(replay.check_log)(table)).holds


async def test_a_table_opens_without_a_silent_phones_share_and_records_that(
    server: ThreadServer,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    session: Session,
    seats: list[Seat],
    lobby: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shares, "WAIT", 2.0)
    async with phone(server, ayumi, lobby) as one, phone(server, bo, lobby):
        await asyncio.to_thread(all_here, seats)
        liar = Giver(one, FIRST, given=SECOND)
        await asyncio.gather(opened(server, gm, session, seats), liar.take_part())
    table = await newest(session)
    assert table.shares["of"] == [
        {"seat": "あゆみ", "fingerprint": mark(FIRST), "share": ""},
        {"seat": "ボー", "fingerprint": "", "share": ""},
    ], "another share than was promised is none"
    assert table.secret == table.shares["secret"]
    assert (await sync_to_async(replay.check_log)(table)).holds


async def test_two_tables_opened_at_once_have_their_own_shares(
    server: ThreadServer, gm: Somebody, ayumi: Somebody, session: Session, seats: list[Seat], lobby: str
) -> None:
    async with phone(server, ayumi, lobby) as page:
        await asyncio.to_thread(all_here, seats[:1])

        async def answering() -> None:
            share: dict[str, str] = {}
            while len(share) < 2 or len(given) < 2:
                fate = (await page.answer("fate"))["fate"]
                number = share.setdefault(fate["opening"], f"{len(share) + 1}" * 64)
                if "fingerprints" in fate:
                    given.add(fate["opening"])
                said = number if "fingerprints" in fate else mark(number)
                await page.socket.send(json.dumps({"share": said, "opening": fate["opening"]}))

        given: set[str] = set()
        twice = (opened(server, gm, session, seats[:1]) for _ in range(2))
        await asyncio.gather(*twice, answering())
    tables = await sync_to_async(list)(session.tables.all())
    assert len({table.secret for table in tables}) == 2
    assert {table.shares["of"][0]["share"] for table in tables} == {"1" * 64, "2" * 64}


async def test_malformed_shares_are_ignored(
    server: ThreadServer, gm: Somebody, ayumi: Somebody, session: Session, seats: list[Seat], lobby: str
) -> None:
    async with phone(server, ayumi, lobby) as page:
        await asyncio.to_thread(all_here, seats[:1])
        giver = Giver(page, FIRST)

        async def odd() -> None:
            fate = (await page.answer("fate"))["fate"]
            for share in ("", "x", "A" * 64, 7, None, [FIRST], f"{FIRST}\n"):
                await giver.say(fate, share)  # type: ignore[arg-type]
            await giver.say({"opening": "another"}, SECOND)
            await giver.say(fate, mark(FIRST))
            await giver.give()

        await asyncio.gather(opened(server, gm, session, seats), odd())
    table = await newest(session)
    assert [each["share"] for each in table.shares["of"]] == [FIRST]


@pytest.mark.django_db
def test_a_table_opens_at_once_if_no_phone_is_here(
    gm: Somebody, session: Session, seats: list[Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shares, "WAIT", 3600)
    gm.client.post(f"/s/{session.pk}/tables/", {"module": "uroboros", "seat": [seat.pk for seat in seats]})
    table = session.tables.get()
    assert (table.shares, table.own_secret) == ({}, table.secret)
    assert table.commitment == commitment(table.secret)
    assert replay.check_log(table).holds


@pytest.mark.django_db
def test_a_table_opens_while_the_channel_layer_is_away(
    session: Session, seats: list[Seat], settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    presence.note_signs([presence.Sign(seats[0].pk, "page")])
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": ["redis://127.0.0.1:1/0"]},
        }
    }
    assert [each.share for each in shares.gather_shares(session).shares] == [""]
    assert "no shares asked for" in caplog.text


def given() -> tuple[dict[str, Any], str, str]:
    """Return a table's kept parts, its secret, and the fingerprint that it published."""
    chance = shares.SecretParts(
        "1", OWN, (shares.PhoneShare("B", mark(FIRST), FIRST), shares.PhoneShare("C", mark(SECOND), SECOND))
    )
    return copy.deepcopy(chance.record), chance.secret, commitment(OWN)


def other_secret(record: dict[str, Any]) -> None:
    record["secret"] = "d" * 64


def other_share(record: dict[str, Any]) -> None:
    record["of"][0]["share"] = "d" * 64


def other_share_and_fingerprint(record: dict[str, Any]) -> None:
    record["of"][0] |= {"share": "d" * 64, "fingerprint": mark("d" * 64)}


def made_silent(record: dict[str, Any]) -> None:
    record["of"][1]["share"] = ""


def other_order(record: dict[str, Any]) -> None:
    record["of"].reverse()


@pytest.mark.parametrize(
    "harm", [other_secret, other_share, other_share_and_fingerprint, made_silent, other_order]
)
def test_a_changed_share_or_secret_fails_the_proof(harm: Callable[[dict[str, Any]], None]) -> None:
    record, secret, published = given()
    assert shares.is_proven(record, secret, published)
    harm(record)
    assert not shares.is_proven(record, secret, published)


def test_another_secret_of_the_host_for_the_same_shares_fails_the_proof() -> None:
    record, _, published = given()
    other_secret(record)
    assert not shares.is_proven(record, combine_secret(record["secret"], [FIRST, SECOND]), published)


@pytest.mark.django_db
def test_a_table_with_shares_is_played_again_from_its_script(session: Session, seats: list[Seat]) -> None:
    chance = shares.SecretParts("1", OWN, (shares.PhoneShare("B", mark(FIRST), FIRST),))
    table = opening.open_table(session=session, module_key="uroboros", players=seats, chance=chance)
    nights.close_session(session=session)
    table.refresh_from_db()
    script = json.loads(proofs.playthrough_script(table))
    assert script.keys() == {"module", "seats", "options", "secret", "steps"}
    assert script["secret"] == combine_secret(OWN, [FIRST])
    lines = [encode(line) for line, _ in run_script(msgspec.convert(script, Script))]
    assert lines
    assert replay.snapshot_at(table, 0) == bytes(table.snapshot)
    assert replay.table_proof(table) == replay.Proof(commitment(OWN), OWN)
    assert replay.check_log(table).holds
    assert OWN in proofs.chance_report(table).command
