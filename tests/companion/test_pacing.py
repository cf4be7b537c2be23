"""Pages wait for their turn before they get a thread, heavy ones in a line of their own; at a real server."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.http import HttpResponse
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import reverse

from companion import views
from companion.requests import queue_middleware
from companion.requests.queue import JOB, Capacity, Job
from sessions.evening import nights
from sessions.models import Session, Table
from sessions.report import audience
from sessions.table import replay
from tests.conftest import Somebody
from tests.evening import play
from tests.servers import PATIENCE, ThreadServer, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

HTML, ANYTHING = "text/html,*/*;q=0.8", "*/*"
DECLARED = b'{"type": "declare", "text": "x"}'
MOVES = 10


@dataclass
class Call:
    """A call that a thread has begun: it goes on when it may, and then really does its work."""

    job: Job | None
    may_go_on: threading.Event


class Held:
    """Stops each thread that comes by, until it may go on."""

    def __init__(self, real: Callable[..., Any]) -> None:
        self.real, self.calls = real, list[Call]()
        self.is_over = False

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        call = Call(JOB.get(), threading.Event())
        self.calls.append(call)
        if not self.is_over:
            assert call.may_go_on.wait(PATIENCE)
        return self.real(*arguments, **named)

    def let_all_go(self) -> None:
        self.is_over = True
        for call in self.calls:
            call.may_go_on.set()


@contextmanager
def held(monkeypatch: pytest.MonkeyPatch, place: object, name: str) -> Iterator[Held]:
    stopped = Held(getattr(place, name))
    monkeypatch.setattr(place, name, stopped)
    yield stopped
    stopped.let_all_go()


@pytest.fixture
def front_doors(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Holds the threads that draw the front door, and no other page."""
    with held(monkeypatch, views, "render") as stopped:
        yield stopped


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    """Holds the threads that play a log again, at each move."""
    with held(monkeypatch, replay, "_play_move") as stopped:
        yield stopped


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: str


class Asked:
    """A request that was sent, over a line of its own."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def answer(self) -> Answer:
        async with asyncio.timeout(PATIENCE):
            raw = await self.reader.read()
        head, _, body = raw.partition(b"\r\n\r\n")
        first, *lines = head.decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
        self.writer.close()
        return Answer(int(first.split()[1]), headers, body.decode(errors="replace"))

    def hang_up(self) -> None:
        self.writer.transport.abort()


async def ask(server: ThreadServer, who: Somebody | None, path: str, accept: str = ANYTHING) -> Asked:
    return await _send(server, who, f"GET {path} HTTP/1.1", f"Accept: {accept}", "Accept-Language: ja")


async def _send(server: ThreadServer, who: Somebody | None, *lines: str) -> Asked:
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    cookie = who.headers["Cookie"] if who else ""
    head = [*lines, f"Host: {server.host}", "Connection: close", f"Cookie: {cookie}", "", ""]
    writer.write("\r\n".join(head).encode())
    return Asked(reader, writer)


async def until(ready: Callable[[], object]) -> None:
    await asyncio.to_thread(wait_until, ready)


def waiting(count: int) -> bool:
    """True if this number of requests wait, at any server of this test."""
    return (
        sum(
            len(mine)
            for pace in paces()
            for line in (pace.pages, pace.heavy)
            for mine in line._waiting.values()
        )
        == count
    )


def paces() -> list[queue_middleware.LoopQueues]:
    from companion.asgi import application

    return list(application.inner.application_mapping["http"].inner.inner._queues.values())


@pytest.fixture
def facts(table: Table, session: Session) -> str:
    """The address of the facts of a table, which is open to all who were there."""
    for _ in range(MOVES):
        play(table, "p1", DECLARED)
    nights.close_session(session=session)
    audience.open_secrets(session=Session.objects.get(pk=session.pk), is_open=True)
    return reverse("play:report-facts", args=[table.pk])


async def test_a_second_heavy_request_of_a_person_waits(
    server: ThreadServer, facts: str, steps: Held, ayumi: Somebody, bo: Somebody
) -> None:
    first = await ask(server, ayumi, facts)
    await until(lambda: len(steps.calls) == 1)
    second = await ask(server, ayumi, facts)
    await until(lambda: waiting(1))
    others = await ask(server, bo, facts)
    await until(lambda: len(steps.calls) == 2)
    assert waiting(1)
    steps.let_all_go()
    assert [(await asked.answer()).status for asked in (first, second, others)] == [200] * 3


async def test_a_waiting_person_sees_keeps_and_gets_their_place_in_the_queue(
    server: ThreadServer,
    facts: str,
    steps: Held,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    kei: Somebody,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(queue_middleware, "TOLD_AFTER", 0.05)
    at_work = [await ask(server, who, facts) for who in (ayumi, bo)]
    await until(lambda: len(steps.calls) == 2)
    page = await (await ask(server, gm, facts, HTML)).answer()
    assert (page.status, page.headers["retry-after"]) == (503, "1")
    assert "順番を待っています（前に2人）" in page.body
    assert '<meta http-equiv="refresh" content="1">' in page.body
    for who, ahead in ((kei, 3), (gm, 2)):
        told = await (await ask(server, who, facts)).answer()
        assert (told.status, json.loads(told.body)["ahead"]) == (503, ahead)
    monkeypatch.setattr(queue_middleware, "TOLD_AFTER", PATIENCE)
    steps.let_all_go()
    assert (await (await ask(server, gm, facts)).answer()).status == 200
    assert [(await asked.answer()).status for asked in at_work] == [200] * 2


async def test_work_for_a_closed_connection_ends_and_the_next_request_begins(
    server: ThreadServer, facts: str, steps: Held, ayumi: Somebody
) -> None:
    gone = await ask(server, ayumi, facts)
    await until(lambda: len(steps.calls) == 1)
    [call] = steps.calls
    after = await ask(server, ayumi, facts)
    await until(lambda: waiting(1))
    gone.hang_up()
    await until(lambda: call.job and call.job.gone)
    assert (await (await ask(server, ayumi, "/j/")).answer()).status == 200
    assert len(steps.calls) == 1, "the thread is still at work, and so nobody else's turn"
    call.may_go_on.set()
    await until(lambda: len(steps.calls) == 2)
    assert steps.calls[1].job is not call.job, "after one move of many the work has ended"
    steps.let_all_go()
    assert (await after.answer()).status == 200


@pytest.mark.parametrize("problem", [StopIteration, SystemExit, GeneratorExit])
async def test_a_view_that_raises_systemexit_is_answered_and_frees_its_place(
    server: ThreadServer,
    facts: str,
    ayumi: Somebody,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    problem: type[BaseException],
) -> None:
    def fail(*_: Any, **__: Any) -> Any:
        raise problem

    with monkeypatch.context() as failing:
        for place, name in ((views, "render"), (replay, "_play_move")):
            failing.setattr(place, name, fail)
        for path in ["/", facts] * 10:
            answer = await (await ask(server, ayumi, path)).answer()
            assert answer.status == 500
    assert len([record for record in caplog.records if record.levelname == "ERROR"]) >= 20
    assert (await (await ask(server, ayumi, facts)).answer()).status == 200


async def test_a_template_that_raises_stopiteration_is_answered_with_500(
    server: ThreadServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TemplateResponse, "rendered_content", property(lambda _: next(iter(()))))
    monkeypatch.setattr(views, "render", TemplateResponse)
    assert (await (await ask(server, None, "/")).answer()).status == 500


async def test_an_endless_request_frees_its_place_and_is_logged(
    server: ThreadServer,
    facts: str,
    steps: Held,
    ayumi: Somebody,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(queue_middleware, "HELD_AT_MOST", 0.1)
    endless = await ask(server, ayumi, facts)
    await until(lambda: len(steps.calls) == 1)
    steps.is_over = True
    assert (await (await ask(server, ayumi, facts)).answer()).status == 200
    assert "its place is given back" in caplog.text
    steps.let_all_go()
    assert (await endless.answer()).status == 200


async def test_a_client_that_reads_no_response_blocks_no_other_request(
    server: ThreadServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[bool] = []

    def endless(*_: Any) -> HttpResponse:
        drawn.append(True)
        return HttpResponse(os.urandom(50_000_000))

    monkeypatch.setattr(views, "render", endless)
    slow = [await ask(server, None, "/") for _ in range(queue_middleware.PAGES.of_a_person)]
    await until(lambda: len(drawn) == len(slow))
    assert (await (await ask(server, None, "/j/")).answer()).status == 200
    for one in slow:
        one.hang_up()


async def test_a_request_that_leaves_the_queue_is_not_run(
    server: ThreadServer, facts: str, steps: Held, ayumi: Somebody
) -> None:
    first = await ask(server, ayumi, facts)
    await until(lambda: len(steps.calls) == 1)
    (await ask(server, ayumi, facts)).hang_up()
    await until(lambda: waiting(0))
    steps.let_all_go()
    assert (await first.answer()).status == 200
    assert len(steps.calls) == MOVES


async def test_a_page_is_answered_while_sixty_requests_of_another_person_wait(
    server: ThreadServer, front_doors: Held, ayumi: Somebody, kei: Somebody
) -> None:
    many = [await ask(server, kei, "/") for _ in range(60)]
    await until(lambda: waiting(58))
    assert (await (await ask(server, ayumi, "/j/")).answer()).status == 200
    assert len(front_doors.calls) == 2, "threads"
    front_doors.let_all_go()
    assert {(await asked.answer()).status for asked in many} == {200}


async def test_a_person_who_aborts_requests_gets_no_more_threads(
    server: ThreadServer, front_doors: Held, kei: Somebody, ayumi: Somebody
) -> None:
    for asked in [await ask(server, kei, "/") for _ in range(2)]:
        await until(lambda: len(front_doors.calls) == 2)
        asked.hang_up()
    assert (await (await ask(server, ayumi, "/j/")).answer()).status == 200
    third = await ask(server, kei, "/")
    await until(lambda: waiting(1) or len(front_doors.calls) > 2)
    assert len(front_doors.calls) == 2
    front_doors.let_all_go()
    assert (await third.answer()).status == 200


async def test_a_request_beyond_the_queue_is_refused_in_the_readers_language(
    server: ThreadServer, front_doors: Held, kei: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        queue_middleware, "PAGES", Capacity(1, 1, 1, waiting_of_an_address=1, waiting_of_a_person=1)
    )
    two = [await ask(server, kei, "/") for _ in range(2)]
    await until(lambda: waiting(1))
    page = await (await ask(server, kei, "/", HTML)).answer()
    assert (page.status, page.headers["retry-after"]) == (429, "10")
    assert 'lang="ja"' in page.body
    assert "短い時間に" in page.body
    script = await (await ask(server, kei, "/")).answer()
    assert (script.status, json.loads(script.body)["ahead"]) == (429, None)
    front_doors.let_all_go()
    assert [(await asked.answer()).status for asked in two] == [200] * 2


async def test_a_request_limit_counts_per_person_and_not_per_address(
    server: ThreadServer, ayumi: Somebody, kei: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_middleware, "OF_A_PERSON", (3, 0.001))

    async def statuses(who: Somebody, *paths: str) -> list[int]:
        return [(await (await ask(server, who, path)).answer()).status for path in paths]

    assert finders.find("css/base.css")
    assert await statuses(kei, *["/j/"] * 3, "/j/", static("css/base.css")) == [200, 200, 200, 429, 200]
    assert await statuses(ayumi, "/j/") == [200]


async def test_a_slow_request_body_blocks_no_other_request(server: ThreadServer, kei: Somebody) -> None:
    slow = [await _send(server, kei, "POST /j/ HTTP/1.1", "Content-Length: 100") for _ in range(30)]
    for asked in slow:
        asked.writer.write(b"x")
        await asked.writer.drain()
    assert (await (await ask(server, kei, "/j/")).answer()).status == 200
    for asked in slow:
        asked.hang_up()


@pytest.fixture
def house(db: None) -> list[Somebody]:
    """The guests of a house with 24 phones."""
    from tests.conftest import _guest

    return [_guest(f"客{number}") for number in range(24)]


async def test_24_phones_of_one_address_reconnect_at_once_without_refusal(
    server: ThreadServer, house: list[Somebody]
) -> None:
    paths = ["/j/", "/kept/", "/manifest.webmanifest", "/worker.js", *["/pictures/none.webp"] * 8]
    jobs: list[Coroutine[Any, Any, Asked]] = [ask(server, who, path) for who in house for path in paths]
    answers = [await asked.answer() for asked in await asyncio.gather(*jobs)]
    assert [answer.status for answer in answers] == [200, 200, 200, 200, *[404] * 8] * 24


async def test_150_new_phones_of_one_address_get_their_pages(server: ThreadServer) -> None:
    answers = await asyncio.gather(*[ask(server, None, "/manifest.webmanifest") for _ in range(150)])
    assert {(await asked.answer()).status for asked in answers} == {200}


HEAVY_PAGES = [
    ("play:report", 1),
    ("play:report-file", 1),
    ("play:report-verify", 1),
    ("play:report-verify-table", 1),
    ("play:report-facts", 1),
    ("play:report-fits", 1),
    ("play:report-replay", 1),
    ("play:result", 1),
    ("play:report-playthrough", 1),
    ("play:campaign-file", 1),
    ("companion:account-data-file", None),
]
HEAVY_FORMS = [
    ("play:bring-campaign", None),
    ("characters:bring", None),
    ("characters:face", 1),
    ("characters:faces", 1),
    ("play:prepare", (1, "handouts")),
    ("play:write", (1, "handouts")),
]


@pytest.mark.parametrize(
    ("method", "name", "of"),
    [("GET", *page) for page in HEAVY_PAGES] + [("POST", *form) for form in HEAVY_FORMS],
)
def test_heavy_pages_and_forms_use_the_heavy_queue(method: str, name: str, of: Any) -> None:
    numbers = of if isinstance(of, tuple) else [of] if of else []
    scope = {"path": reverse(name, args=numbers), "headers": [(b"content-length", b"1000000")]}
    assert queue_middleware._is_heavy({**scope, "method": method})
    assert not queue_middleware._is_heavy({**scope, "method": "POST" if method == "GET" else "GET"})
