"""Lines on which nothing whole arrives are ended; slow phones and quiet pages go on."""

from __future__ import annotations

import asyncio
import select
import socket
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect

from companion.server import slow_requests
from companion.server.request_bodies import BYTES_AT_MOST
from sessions.models import Session
from tests.conftest import Somebody
from tests.servers import PATIENCE, ThreadServer, wait_until

#: Seconds after which a line crawls: a busy machine has sent what it means to send by then.
SOON = 2.0
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
POST = b"POST /j/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: "


@contextmanager
def lines(server: ThreadServer, count: int) -> Iterator[list[socket.socket]]:
    place = urlsplit(server.url)
    with ExitStack() as stack:
        address = (str(place.hostname), int(place.port or 0))
        yield [stack.enter_context(socket.create_connection(address, timeout=PATIENCE)) for _ in range(count)]


def ended(crawling: Iterable[socket.socket], byte: bytes = b"x") -> None:
    """Send byte after byte on all of these lines until the server has ended them."""
    left = list(crawling)

    def all_ended() -> bool:
        for line in left[:]:
            try:
                line.send(byte)
                readable, *_ = select.select([line], [], [], 0)
                open_ = not readable or line.recv(4_000)
            except ConnectionError:
                open_ = False
            if not open_:
                left.remove(line)
        return not left

    wait_until(all_ended, what="the end of all lines that crawl")


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_requests, "HEAD", SOON)


@pytest.mark.usefixtures("hurry")
@pytest.mark.parametrize("sent", [b"", HEAD, HEAD + b"x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX: "])
def test_lines_on_which_a_head_crawls_are_ended(server: ThreadServer, sent: bytes) -> None:
    with lines(server, 50) as crawling:
        for line in crawling:
            line.sendall(sent)
        ended(crawling, b"x" if sent else b"")


@pytest.mark.usefixtures("hurry")
def test_a_line_that_had_an_answer_may_not_crawl_either(server: ThreadServer) -> None:
    with lines(server, 1) as [line]:
        line.sendall(b"GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(4_000).startswith(b"HTTP/1.1 204")
        ended([line], b"\n")


def test_bodies_that_crawl_are_ended_also_where_the_answer_came_before_them(
    server: ThreadServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_requests, "BODY", SOON)
    monkeypatch.setattr(slow_requests, "HEAD", SOON)
    with lines(server, 20) as crawling:
        for line in crawling[:10]:
            line.sendall(POST + b"30000\r\n\r\n")
        for line in crawling[10:]:
            line.sendall(POST.replace(b"/j/", b"/health/") + b"30000\r\n\r\n")
        ended(crawling)


@pytest.mark.usefixtures("hurry")
def test_a_slow_upload_and_a_quiet_websocket_outlive_lines_that_crawl(
    server: ThreadServer, session: Session, gm: Somebody
) -> None:
    address = server.ws(f"/ws/sessions/{session.pk}/")
    with (
        connect(address, origin=server.url, additional_headers=gm.headers, proxy=None) as page,
        lines(server, 1) as [phone],
        lines(server, 20) as crawling,
    ):
        phone.sendall(POST + b"4000\r\n\r\n" + b"x" * 2_000)
        for line in crawling:
            line.sendall(HEAD)
        ended(crawling)
        phone.sendall(b"x" * 2_000)
        assert phone.recv(4_000).startswith(b"HTTP/1.1 403"), "all of it was read, and had no token"
        assert page.ping().wait(PATIENCE)


def test_an_answer_may_take_longer_than_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_requests, "BODY", SOON)
    go = threading.Event()

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] != "http":  # the server asks at its start, too
            return
        await asyncio.to_thread(go.wait, PATIENCE)
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    server = ThreadServer(app)
    server.start()
    try:
        with lines(server, 1) as [patient], lines(server, 1) as crawling:
            patient.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            crawling[0].sendall(POST + b"30000\r\n\r\n")
            ended(crawling)
            go.set()
            assert patient.recv(4_000).startswith(b"HTTP/1.1 204")
    finally:
        go.set()
        server.stop()


def test_a_picture_over_a_slow_line_has_its_time() -> None:
    assert slow_requests.BODY + BYTES_AT_MOST / slow_requests.PACE > 120


def test_one_address_holds_so_many_lines_without_a_request(
    server: ThreadServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_requests.waiting(), "at_most", 20)
    with lines(server, 20) as waiting, lines(server, 1) as [one_more]:
        assert one_more.recv(1) == b""
        waiting[0].sendall(b"GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert waiting[0].recv(4_000).startswith(b"HTTP/1.1 204")
    wait_until(lambda: not slow_requests.waiting().taken, what="the place of every line")
