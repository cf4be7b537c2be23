"""A foreign page cannot open our websockets."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from companion.requests.asgi_middleware import same_origin
from tests.servers import ThreadServer


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://192.168.1.5:8000", "192.168.1.5:8000"),
        ("http://Takujo.example", "takujo.example"),
        ("http://takujo.example", "takujo.example:80"),
        ("https://takujo.example", "takujo.example"),
        ("http://[fe80::1]:8000", "[fe80::1]:8000"),
    ],
)
def test_a_websocket_of_our_own_page_is_allowed(origin: str, host: str) -> None:
    assert same_origin(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, "192.168.1.5:8000"),
        ("", ""),
        ("null", "192.168.1.5:8000"),
        ("http://evil.example", "192.168.1.5:8000"),
        ("http://192.168.1.5:8001", "192.168.1.5:8000"),
        ("http://192.168.1.5", "192.168.1.5:8000"),
        ("http://192.168.1.5:8000.evil.example", "192.168.1.5:8000"),
        ("http://192.168.1.5:8000@evil.example", "192.168.1.5:8000"),
        ("file://192.168.1.5:8000", "192.168.1.5:8000"),
        ("http://takujo.example", None),
        ("http://takujo.example:x", "takujo.example:x"),
        ("http://[fe80", "[fe80"),
    ],
)
def test_a_websocket_of_a_foreign_page_is_refused(origin: str | None, host: str | None) -> None:
    assert not same_origin(origin, host)


def test_a_websocket_of_an_http_page_is_refused_under_https(settings) -> None:
    settings.HTTPS = True
    assert same_origin("https://takujo.example", "takujo.example")
    assert not same_origin("http://takujo.example", "takujo.example")


def test_a_websocket_of_a_host_that_is_not_allowed_is_refused(settings) -> None:
    settings.ALLOWED_HOSTS = ["takujo.example"]
    assert same_origin("https://takujo.example", "takujo.example")
    assert not same_origin("https://rebound.example", "rebound.example")


@pytest.fixture
def echo(transactional_db: None) -> Iterator[ThreadServer]:
    server = ThreadServer("tests.layer_app:application")
    server.start()
    yield server
    server.stop()


async def test_a_real_server_accepts_a_websocket_of_our_page(echo: ThreadServer) -> None:
    async with connect(echo.ws("/"), origin=echo.url) as socket:
        assert await socket.recv() == "here"


@pytest.mark.parametrize("origin", [None, "http://evil.example", "null"])
async def test_a_real_server_refuses_a_websocket_of_a_foreign_page(
    echo: ThreadServer, origin: str | None
) -> None:
    with pytest.raises(InvalidStatus) as refusal:
        async with connect(echo.ws("/"), origin=origin):
            pass
    assert refusal.value.response.status_code == 403
