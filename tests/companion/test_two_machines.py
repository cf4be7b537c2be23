"""Workers on two machines: their clocks differ, and the proxy leads the pages of a table to one of them."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from sessions import urls as session_urls
from sessions.live import routing
from tests.faults.lines import Line
from tests.hosted import Evening, environment, let_in, opened
from tests.phones import Visitor, phone
from tests.proxy import CADDYFILE
from tests.servers import ROOT, PostgresServer, ProcessServer, missing
from tests.sessions.test_free_nights import filled_in

#: The seconds by which the clock of the second machine is wrong: enough to make a phone that is here away.
SKEWS = (-40, 40)


@pytest.fixture(scope="module", params=SKEWS)
def evening(request: pytest.FixtureRequest, postgres: PostgresServer, redis_url: str) -> Iterator[Evening]:
    """An evening on two machines, the second of which has a wrong clock."""
    env = environment(postgres.migrated("skewed"), redis_url) | {"TAKUJO_TEST_GRACE": "20"}
    wrong = {**env, "TAKUJO_TEST_SKEW": str(request.param)}
    machines = [ProcessServer(env), ProcessServer(wrong, "tests.skewed_app:application")]
    for machine in machines:
        machine.start()
    yield opened(*machines, let_in(*machines))
    for machine in machines:
        machine.kill()


@contextmanager
def another_network() -> Iterator[tuple[str, str, str]]:
    """Make a network with another machine; yield its name, our address in it, and that of the other one.

    Our network card has the name of the network.
    """
    name, here, there = f"takujo-{os.getpid() % 10_000}", "10.213.7.1", "10.213.7.2"
    if os.geteuid() or not shutil.which("ip") or subprocess.run(["ip", "netns", "add", name]).returncode:
        missing("networks of one's own")
    try:
        for command in (
            f"link add {name} type veth peer name there netns {name}",
            f"address add {here}/24 dev {name}",
            f"link set {name} up",
            f"-netns {name} address add {there}/24 dev there",
            f"-netns {name} link set there up",
            f"-netns {name} link set lo up",
        ):
            subprocess.run(["ip", *command.split()], check=True)
        yield name, here, there
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=True)


@pytest.mark.long
async def test_a_machine_whose_network_breaks_loses_and_doubles_no_move(
    postgres: PostgresServer, redis_url: str
) -> None:
    """Its clock is wrong as well. A phone at it sends its move again to the other machine."""
    env = environment(postgres.migrated("parted"), redis_url)
    a = ProcessServer(env)
    with another_network() as (name, here, there), ExitStack() as stack:
        database, cache = (
            stack.enter_context(Line(env[service], here).held()) for service in ("DATABASE_URL", "REDIS_URL")
        )
        far = {"DATABASE_URL": database.url, "REDIS_URL": cache.url, "ALLOWED_HOSTS": there}
        b = ProcessServer({**env, **far, "TAKUJO_TEST_SKEW": "40"}, "tests.skewed_app:application")
        b.address, b.within = there, ["ip", "netns", "exec", name]
        for machine in (a, b):
            stack.callback(machine.kill)
            machine.start()
        evening = opened(a, a, let_in(a, a))
        moves = [{"type": "declare", "text": words} for words in ("登る", "待つ", "走る")]
        ids = [str(uuid.uuid4()) for _ in moves]
        async with phone(a, evening.one, evening.table_socket) as one:
            await one.until_version(0)
            async with phone(b, evening.two, evening.table_socket) as two:
                await two.until_version(0)
                subprocess.run(["ip", "link", "set", name, "down"], check=True)
                await two.send(moves[0], id=ids[0])
                assert (await one.play(moves[1], id=ids[1]))["accepted"] == 1
                two.socket.transport.abort()
            async with phone(a, evening.two, evening.table_socket) as again:
                await again.until_version(1)
                assert (await again.play(moves[0], id=ids[0]))["accepted"] == 2
            subprocess.run(["ip", "link", "set", name, "up"], check=True)
            await one.until_version(2)
            async with phone(b, evening.two, evening.table_socket) as back:
                await back.until_version(2)
                assert (await back.play(moves[0], id=ids[0]))["accepted"] == 2
                assert (await back.play(moves[2], id=ids[2]))["accepted"] == 3
            await one.until_version(3)
        assert [evening.log().count(move["text"]) for move in moves] == [1, 1, 1]


async def both_hear(
    evening: Evening, who: Visitor, path: str, kind: str, left: Callable[[dict[str, float]], float]
) -> None:
    """Wait until a player's pages on both machines hear the same seconds."""
    async with (
        phone(evening.a, who, path) as one,
        phone(evening.b, who, path) as two,
    ):
        heard = [left((await page.answer(kind))[kind]) for page in (one, two)]
    assert heard[0] == pytest.approx(heard[1], abs=1), heard


async def test_phones_hear_the_same_time_from_both_machines(evening: Evening) -> None:
    async with (
        phone(evening.a, evening.one, evening.lobby_socket) as one,
        phone(evening.b, evening.two, evening.lobby_socket) as two,
    ):
        told = []
        for page in (one, two):
            await page.socket.send('{"ping": 1}')
            told.append((await page.answer("pong"))["pong"])
    assert told[0] == pytest.approx(told[1], abs=1_000)


async def test_a_phone_that_is_open_on_one_machine_is_here_on_the_other(evening: Evening) -> None:
    places = [(evening.a, evening.b), (evening.b, evening.a)]
    for own, other in places:
        async with phone(own, evening.gm, evening.lobby_socket) as desk:
            await desk.until_shown("ボー")
            async with phone(other, evening.two, evening.table_socket) as two:
                await two.pong()
                await desk.until_shown('data-state="here"')
                desk.bytes = ""
                await two.pong()
                await desk.pong()
                assert 'data-state="gone"' not in desk.bytes
            await desk.until_shown('data-state="away"')


async def test_an_undo_window_ends_on_both_machines_at_once(evening: Evening) -> None:
    call = {"difficulty": 0, "label": "", "skill": False, "q": 0, "tool_missing": False, "chain": False}
    async with (
        phone(evening.a, evening.gm, evening.table_socket) as desk,
        phone(evening.a, evening.one, evening.table_socket) as one,
        phone(evening.b, evening.two, evening.table_socket) as two,
    ):
        await desk.until_version(0)
        called = await desk.play({"type": "call", "seat": "p1", "npc": None, **call})
        for who, page in ((evening.one, one), (evening.two, two)):
            await page.until_version(called["accepted"])
            hand = re.findall(r'data-card="([shdc]\d\d)"', who.get(evening.a, evening.table))
            answer = await page.play({"type": "play", "card": hand[0]})
            if answer.get("refused") != "not_asked":
                break
        assert "accepted" in answer
    await both_hear(evening, who, evening.table_socket, "grace", lambda grace: grace["left"])


async def test_a_clock_shows_the_same_seconds_on_both_machines(evening: Evening) -> None:
    form = filled_in("liarmafia") | {"clock": "120", "bot_count": "1"}
    table = await asyncio.to_thread(lambda: evening.one.post(evening.b, "/games/liarmafia/", **form))
    await both_hear(
        evening, evening.one, f"/ws{table.replace('/t/', '/tables/')}", "clock", lambda clock: clock["left"]
    )


#: Files in which a machine's own clock is meant: tokens for push services, backups, and tools for authors.
OWN_CLOCK = re.compile(
    r"companion/(shared_time|push/encryption|backups/.*)|sessions/(game_tests|bench)/.*|.*/migrations/.*"
)


def test_no_other_code_asks_the_clock_of_a_machine() -> None:
    asking = [
        str(file.relative_to(ROOT))
        for folder in ("companion", "characters", "sessions")
        for file in (ROOT / folder).rglob("*.py")
        if re.search(r"\btimezone\.now\b|\btime\.time\b", file.read_text())
    ]
    assert [file for file in asking if not OWN_CLOCK.match(file)] == []


UUID = str(uuid.UUID(int=7))
#: The live pages and their websockets.
LIVE = [
    ("/s/7/", "/ws/sessions/7/"),
    ("/t/7/", "/ws/tables/7/"),
    (f"/face/{UUID}/", f"/ws/faces/{UUID}/"),
    (f"/face/{UUID}/join/", f"/ws/faces/{UUID}/join/"),
]


def room_of(path: str) -> str:
    """Return the room to which the Caddyfile maps a path."""
    rooms = re.findall(r"^\t\t~(\S+) (\w+)-\$\{1\}$", CADDYFILE.read_text(), re.MULTILINE)
    assert len(rooms) == 3
    found = [f"{name}-{match[1]}" for rule, name in rooms if (match := re.match(rule, path))]
    assert len(found) <= 1
    return found[0] if found else ""


def example_path(route: str) -> str:
    """Return a path that a route of Django matches."""
    return "/" + re.sub(r"<(?:(\w+):)?\w+>", lambda found: UUID if found[1] == "uuid" else "7", route)


@pytest.mark.parametrize(("page", "socket"), LIVE)
def test_the_proxy_leads_a_page_and_its_websocket_to_one_worker(page: str, socket: str) -> None:
    assert room_of(page) == room_of(socket) != ""
    assert room_of(page.replace("7", "8")) != room_of(page)


def test_the_proxy_leads_all_pages_of_a_table_and_a_session_to_the_worker_of_its_live_page() -> None:
    paths = [example_path(str(pattern.pattern)) for pattern in session_urls.urlpatterns]
    assert len([path for path in paths if path.startswith("/t/7/")]) > 10
    for live, _ in LIVE[:3]:
        assert {room_of(path) for path in paths if path.startswith(live)} == {room_of(live)}


def test_every_websocket_of_the_product_has_a_page_that_the_proxy_knows() -> None:
    routes = {example_path(str(pattern.pattern)) for pattern in routing.urlpatterns if str(pattern.pattern)}
    assert routes == {socket for _, socket in LIVE}
