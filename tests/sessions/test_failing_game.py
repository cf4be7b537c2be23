"""A game that breaks its contract while people play it: its table says so, and other tables go on."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast
from urllib.error import HTTPError
from urllib.request import Request as Page
from urllib.request import urlopen
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from prometheus_client import REGISTRY

from companion import rendering
from companion.observability.health import measure_waits
from companion.server import threads
from companion.server.threads import run_in_lane
from sessions.engine.game_errors import Hung, game_call, guard_module
from sessions.engine.registry import preload_types, registry
from sessions.engine.step import encode
from sessions.evening.refusals import Refused
from sessions.game import AnyModule
from sessions.live import page_base, regions
from sessions.live.page_base import LivePage, OpenPage, PagePlace, RegionRenderer, RegionUpdate, SharedRows
from sessions.models import Seat, Session, Table
from sessions.table import moves, opening, table_cache
from sessions.table.moves import MoveRequest
from tests.conftest import Somebody
from tests.phones import phone
from tests.servers import PATIENCE, ThreadServer, wait_until

pytestmark = pytest.mark.django_db

GONE = 4404
#: Seconds within which a move is answered, whatever another table waits for.
AT_ONCE = 2.0
SAID = "このゲームに不具合があります"
Break = Callable[..., None]


class Boom(Exception):
    """What a mistake in a game may raise."""


def raises(*_values: Any) -> Any:
    raise Boom


def leaves(*_values: Any) -> Any:
    raise SystemExit


def ends(*_values: Any) -> Any:
    return next(iter(()))


def loop(*_values: Any) -> Any:
    while True:
        with suppress(Exception):
            raise Boom


def nobody(*_values: Any) -> Any:
    return set()


@pytest.fixture
def table(tally: AnyModule, session: Session, seats: list[Seat]) -> Table:
    return opening.open_table(session=session, module_key="tally", players=seats, opened_by=seats[0])


@pytest.fixture
def broken(tally: AnyModule) -> Iterator[Break]:
    """Break functions of the game from now on, for all who ask the shelf."""

    def breaks(**functions: Any) -> None:
        if names := functions.pop("names", None):
            functions["telling"] = replace(tally.telling, names=names)
        registry()["tally"] = guard_module(replace(tally, **functions))
        table_cache.invalidate_table()

    yield breaks
    registry()["tally"] = tally


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "fault",
    [
        {"apply": raises},
        {"apply": leaves},
        {"apply": ends},
        {"outcome": raises},
        {"waiting_for": nobody},
        {"view": "later"},
    ],
)
async def test_a_move_that_makes_the_game_fail_is_refused_and_play_goes_on(
    server: ThreadServer,
    table: Table,
    ayumi: Somebody,
    tally: AnyModule,
    broken: Break,
    fault: dict[str, Any],
    caplog: pytest.LogCaptureFixture,
) -> None:
    state = tally.load(bytes(table.snapshot))
    lay = {"type": "lay", "number": state.hands["p1"][0]}
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as device:
        await device.until_version(0)
        if fault == {"view": "later"}:
            fault = {
                "view": lambda state, seat: raises() if any(state.laid.values()) else tally.view(state, seat)
            }
        broken(**fault)
        with caplog.at_level(logging.ERROR):
            answer = await device.play(lay)
        assert answer["refused"] == "game_failed"
        assert "ゲーム" in answer["reason"]
        assert f"table {table.pk} at 0: the move lay" in caplog.text
        assert "tally" in caplog.text
        broken()
        assert (await device.play(lay))["accepted"] == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("problem", [StopIteration, SystemExit])
async def test_a_move_that_makes_the_server_fail_is_refused_as_our_fault(
    server: ThreadServer,
    table: Table,
    ayumi: Somebody,
    tally: AnyModule,
    monkeypatch: pytest.MonkeyPatch,
    problem: type[BaseException],
) -> None:
    def fail(*_: Any) -> Any:
        raise problem

    lay = {"type": "lay", "number": tally.load(bytes(table.snapshot)).hands["p1"][0]}
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as device:
        await device.until_version(0)
        with monkeypatch.context() as failing:
            failing.setattr(moves, "submit", fail)
            assert (await device.play(lay))["refused"] == "our_fault"
        assert (await device.play(lay))["accepted"] == 1


@pytest.mark.django_db(transaction=True)
async def test_a_page_whose_game_loops_without_end_says_so_with_503(
    server: ThreadServer,
    table: Table,
    ayumi: Somebody,
    broken: Break,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threads, "HUNG", 2)
    broken(view=loop)
    page = Page(f"{server.url}/t/{table.pk}/", headers={**ayumi.headers, "Accept": "text/html"})
    with pytest.raises(HTTPError, match="503") as refused:
        await asyncio.to_thread(urlopen, page, timeout=PATIENCE)
    assert SAID in refused.value.read().decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["apply", "view"])
async def test_a_game_that_loops_without_end_is_broken_off_and_named_in_the_log(
    server: ThreadServer,
    table: Table,
    ayumi: Somebody,
    tally: AnyModule,
    broken: Break,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    def health() -> dict[str, str]:
        with pytest.raises(HTTPError, match="503") as refused:
            urlopen(f"{server.url}/health/ready/", timeout=PATIENCE)
        told: dict[str, str] = json.load(refused.value)
        return told

    monkeypatch.setattr(threads, "SLOW", 0)
    monkeypatch.setattr(threads, "HUNG", 3)
    monkeypatch.setattr(threads, "TOO_MANY", 1)
    lay = {"type": "lay", "number": tally.load(bytes(table.snapshot)).hands["p1"][0]}
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as device:
        await device.until_version(0)
        broken(**{name: loop})
        answer = asyncio.create_task(device.play(lay))
        await asyncio.to_thread(wait_until, lambda: "has not come back" in caplog.text)
        told = await asyncio.to_thread(health)
        assert (told["status"], told["moves"]) == ("down", "stuck")
        assert (await answer)["refused"] == "game_failed"
        broken()
        assert (await device.play(lay))["accepted"] == 1
    slow = next(record for record in caplog.records if "has not come back" in record.getMessage())
    assert slow.getMessage().startswith(f"tally: {name}")
    assert slow.table == table.pk  # type: ignore[attr-defined]


@pytest.mark.django_db(transaction=True)
async def test_a_game_that_loops_without_end_stops_its_own_table_alone(
    server: ThreadServer,
    table: Table,
    session: Session,
    seats: list[Seat],
    ayumi: Somebody,
    bo: Somebody,
    tally: AnyModule,
    broken: Break,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def apply(state: Any, seat: str, move: Any, fate: Any) -> Any:
        return loop() if encode(state) == stuck else tally.apply(state, seat, move, fate)

    def lay(dealt: Table, seat: str, place: int = 0) -> dict[str, Any]:
        return {"type": "lay", "number": tally.load(bytes(dealt.snapshot)).hands[seat][place]}

    def health() -> dict[str, str]:
        told: dict[str, str] = json.load(urlopen(f"{server.url}/health/ready/", timeout=PATIENCE))
        return told

    monkeypatch.setattr(threads, "HUNG", 5)
    stuck = bytes(table.snapshot)
    other = await sync_to_async(opening.open_table)(session=session, module_key="tally", players=seats)
    async with (
        phone(server, ayumi, f"/ws/tables/{table.pk}/") as one,
        phone(server, bo, f"/ws/tables/{table.pk}/") as beside,
        phone(server, ayumi, f"/ws/tables/{other.pk}/") as elsewhere,
    ):
        for device in (one, beside, elsewhere):
            await device.until_version(0)
        broken(apply=apply)
        await one.send(lay(table, "p1"))
        told = asyncio.create_task(beside.answer("stalled"))
        began = time.monotonic()
        assert (await elsewhere.play(lay(other, "p1")))["accepted"] == 1
        assert time.monotonic() - began < AT_ONCE
        assert await told == {"stalled": 1}
        assert await one.answer("stalled") == {"stalled": 1}
        assert (await asyncio.to_thread(health))["moves"] == "stalled"
        await measure_waits()
        assert REGISTRY.get_sample_value("takujo_stalled_lanes") == 1
        refused = await beside.play(lay(table, "p2"))
        assert refused["refused"] == "stalled"
        assert "このテーブル" in refused["reason"]
        async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as late:
            assert await late.answer("stalled") == {"stalled": 1}
            assert (await one.answer())["refused"] == "game_failed"
            assert await late.answer("stalled") == {"stalled": 0}
        assert await beside.answer("stalled") == {"stalled": 0}
        broken()
        assert (await one.play(lay(table, "p1")))["accepted"] == 1
    assert "tally: apply of p1 has not come back" in caplog.text


async def test_work_of_one_lane_keeps_its_order_while_other_lanes_go_on() -> None:
    done, held = list[str](), threading.Event()
    waits = asyncio.create_task(run_in_lane("a", held.wait, PATIENCE))
    behind = asyncio.create_task(run_in_lane("a", done.append, "a"))
    await asyncio.create_task(run_in_lane("b", done.append, "b"))
    held.set()
    assert await waits, "the other lane was held up"
    await behind
    assert done == ["b", "a"]


async def test_a_rendering_that_hangs_loses_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    class Page(LivePage[None]):
        def render_again(self, parts: set[str], shared: SharedRows) -> RegionUpdate:
            return None, {"hung": str(held.wait(PATIENCE))} if "hung" in parts else {}

    class Viewer:
        def __init__(self) -> None:
            self.is_drawn = asyncio.Event()

        def show_regions(self, place: PagePlace | None, html: dict[str, str]) -> None:
            self.is_drawn.set()

    monkeypatch.setattr(page_base, "TURN", 0.1)
    held, viewers = threading.Event(), {name: Viewer() for name in ("hung", "well")}
    for name, viewer in viewers.items():
        renderer = RegionRenderer(Page(), "ja")
        renderer.viewers.add(cast("OpenPage", viewer))
        renderer.request_regions(name)
    async with asyncio.timeout(PATIENCE):
        await viewers["well"].is_drawn.wait()
        assert not viewers["hung"].is_drawn.is_set()
        held.set()
        await viewers["hung"].is_drawn.wait()


async def test_no_page_is_left_with_an_older_rendering(monkeypatch: pytest.MonkeyPatch) -> None:
    class Page(LivePage[None]):
        turn_key = "table", 1

        def render_again(self, parts: set[str], shared: SharedRows) -> RegionUpdate:
            time.sleep(0.05)
            return None, {"chat": vars(shared).setdefault("said", said[-1])}

    class Viewer:
        def __init__(self) -> None:
            self.shown = ""

        def show_regions(self, place: PagePlace | None, html: dict[str, str]) -> None:
            self.shown = html["chat"]

    monkeypatch.setattr(page_base, "TURN", 0.01)
    monkeypatch.setattr(page_base, "SHORT_REST", 0)
    monkeypatch.setattr(page_base, "REST", 0)
    said, viewers = ["first"], [Viewer() for _ in range(8)]
    renderers = [RegionRenderer(Page(), "ja") for _ in viewers]
    for renderer, viewer in zip(renderers, viewers, strict=True):
        renderer.viewers.add(cast("OpenPage", viewer))
        renderer.request_regions("chat")
    async with asyncio.timeout(PATIENCE):
        while not viewers[0].shown:
            await asyncio.sleep(0)
        said.append("second")
        for renderer in reversed(renderers):
            renderer.request_regions("chat")
        while any(viewer.shown != "second" for viewer in viewers[:1]):
            await asyncio.sleep(0)
        await run_in_lane("regions of ('table', 1)", bool)
    assert [viewer.shown for viewer in viewers] == ["second"] * 8


async def test_the_watchdog_reads_stack_frames_of_lasting_work_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Python 3.11, frames of a running thread can crash a process that reads them."""
    read: list[str] = []
    monkeypatch.setattr(threads, "RUNNING", {1: threads.Work("a move", lane="table.1")})
    monkeypatch.setattr(threads.sys, "_current_frames", lambda: read.append("frames") or {})
    watchdog = threads.ThreadWatchdog()
    for work, expected in [("a move", 0), ("the next move", 0), ("", 1)]:
        if work:
            threads.RUNNING[1] = threads.Work(work, lane="table.1")
        await watchdog.sample_threads(game_call, Hung)
        assert len(read) == expected


@pytest.mark.parametrize("name", ["view", "asked", "names"])
def test_the_page_of_a_failed_game_says_that_it_failed(
    table: Table, ayumi: Somebody, broken: Break, name: str
) -> None:
    broken(**{name: raises})
    answer = ayumi.client.get(table.get_absolute_url())
    assert answer.status_code == 503
    assert SAID in answer.content.decode()


def test_the_page_of_an_unreadable_state_says_that_the_game_failed(table: Table, ayumi: Somebody) -> None:
    Table.objects.filter(pk=table.pk).update(snapshot=b"[]")
    table_cache.invalidate_table()
    assert SAID in ayumi.client.get(table.get_absolute_url()).content.decode()


@pytest.mark.django_db(transaction=True)
async def test_the_websocket_of_a_page_that_cannot_be_rendered_is_closed(
    server: ThreadServer, table: Table, ayumi: Somebody, broken: Break
) -> None:
    broken(view=raises)
    async with phone(server, ayumi, f"/ws/tables/{table.pk}/") as device:
        assert await device.closing_code() == GONE


@pytest.mark.parametrize("name", ["view", "waiting_for", "outcome", "names"])
@pytest.mark.parametrize("page", ["", "log/", "report/"])
def test_session_log_and_report_pages_open_although_a_game_fails(
    table: Table, ayumi: Somebody, broken: Break, name: str, page: str
) -> None:
    broken(**{name: raises})
    assert ayumi.client.get(f"/s/{table.session_id}/{page}").status_code == 200


def test_a_slow_game_is_named_in_the_log(
    table: Table, tally: AnyModule, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(moves, "SLOW_AFTER", 0)
    lay = {"type": "lay", "number": tally.load(bytes(table.snapshot)).hands["p1"][0]}
    moves.submit(table.pk, MoveRequest(seat="p1", client_id=uuid4(), raw=encode(lay), version=0, asked=""))
    assert f"table {table.pk}: tally thought" in caplog.text
    assert "about Lay by p1" in caplog.text


@pytest.mark.parametrize("name", ["setup", "view", "asked"])
def test_a_server_starts_although_a_game_fails_and_logs_it(
    broken: Break, caplog: pytest.LogCaptureFixture, name: str
) -> None:
    broken(**{name: raises})
    preload_types()
    assert f"the game tally failed in {name}" in caplog.text


def test_a_refusal_whose_game_template_fails_uses_the_shared_words(
    tally: AnyModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = rendering.render_first

    def draw(names: tuple[str, ...], values: dict[str, Any]) -> Any:
        return raises() if "tally" in names[0] else whole(names, values)

    shared = regions.table_refusal(None, "stale", {})
    monkeypatch.setattr(regions.rendering, "render_first", draw)
    assert regions.table_refusal("tally", "stale", {}) == shared


@pytest.mark.parametrize("fault", [{"setup": raises}, {"waiting_for": nobody}])
def test_a_table_whose_game_fails_at_the_start_is_not_opened(
    session: Session, seats: list[Seat], broken: Break, fault: dict[str, Any]
) -> None:
    broken(**fault)
    with pytest.raises(Refused, match="game_failed"):
        opening.open_table(session=session, module_key="tally", players=seats)
    assert not Table.objects.exists()


def test_a_table_that_cannot_be_rendered_can_be_stopped(table: Table, ayumi: Somebody, broken: Break) -> None:
    broken(view=raises)
    address = f"/t/{table.pk}/stop/"
    assert address in ayumi.client.get(table.get_absolute_url()).content.decode()
    ayumi.client.post(address, {"to_evening": "1"})
    table.refresh_from_db()
    assert table.ended_at
