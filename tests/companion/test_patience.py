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

from companion.requests.asgi_middleware import BYTES_AT_MOST
from companion.server import uvicorn_protocols
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
    monkeypatch.setattr(uvicorn_protocols, "HEAD", SOON)


@pytest.mark.usefixtures("hurry")
@pytest.mark.parametrize("sent", [b"", HEAD, HEAD + b"x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX: "])
def test_connections_with_slow_request_headers_are_closed(server: ThreadServer, sent: bytes) -> None:
    with lines(server, 50) as crawling:
        for line in crawling:
            line.sendall(sent)
        ended(crawling, b"x" if sent else b"")


@pytest.mark.usefixtures("hurry")
def test_a_connection_is_closed_if_its_next_request_is_slow(server: ThreadServer) -> None:
    with lines(server, 1) as [line]:
        line.sendall(b"GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert line.recv(4_000).startswith(b"HTTP/1.1 204")
        ended([line], b"\n")


def test_connections_with_slow_bodies_are_closed_even_once_answered(
    server: ThreadServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uvicorn_protocols, "BODY", SOON)
    monkeypatch.setattr(uvicorn_protocols, "HEAD", SOON)
    with lines(server, 20) as crawling:
        for line in crawling[:10]:
            line.sendall(POST + b"30000\r\n\r\n")
        for line in crawling[10:]:
            line.sendall(POST.replace(b"/j/", b"/health/") + b"30000\r\n\r\n")
        ended(crawling)


@pytest.mark.usefixtures("hurry")
def test_a_slow_upload_and_a_quiet_websocket_are_not_closed(
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


def test_a_response_may_take_longer_than_a_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn_protocols, "BODY", SOON)
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


def test_a_picture_upload_over_a_slow_line_has_two_minutes() -> None:
    assert uvicorn_protocols.BODY + BYTES_AT_MOST / uvicorn_protocols.PACE > 120


def test_connections_without_a_request_are_limited_by_address(
    server: ThreadServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uvicorn_protocols.waiting(), "at_most", 20)
    with lines(server, 20) as waiting, lines(server, 1) as [one_more]:
        assert one_more.recv(1) == b""
        waiting[0].sendall(b"GET /favicon.ico HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert waiting[0].recv(4_000).startswith(b"HTTP/1.1 204")
    wait_until(lambda: not uvicorn_protocols.waiting().taken, what="the place of every line")
