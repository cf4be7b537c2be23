"""Requests are read up to a bound."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from companion.requests.asgi_middleware import BYTES_AT_MOST
from tests.servers import PATIENCE, ThreadServer

PIECE = b"x" * 100_000


@pytest.fixture
def line(server: ThreadServer) -> Iterator[socket.socket]:
    place = urlsplit(server.url)
    with socket.create_connection((place.hostname, place.port), timeout=PATIENCE) as sock:
        yield sock


def posted(line: socket.socket, header: str, pieces: Iterator[bytes]) -> bytes:
    """Post to the page of codes; return the first line of the answer."""
    line.sendall(f"POST /j/ HTTP/1.1\r\nHost: localhost\r\n{header}\r\n\r\n".encode())
    try:
        for piece in pieces:
            line.sendall(piece)
    except ConnectionError:  # the server has heard enough
        pass
    return line.recv(4_000).partition(b"\r\n")[0]


def chunks(size: int) -> Iterator[bytes]:
    for _ in range(size // len(PIECE)):
        yield f"{len(PIECE):x}\r\n".encode() + PIECE + b"\r\n"
    yield b"0\r\n\r\n"


def test_a_chunked_body_beyond_the_limit_is_refused(line: socket.socket) -> None:
    assert b" 413 " in posted(line, "Transfer-Encoding: chunked", chunks(BYTES_AT_MOST + 200_000))


def test_a_chunked_body_within_the_limit_is_read(line: socket.socket) -> None:
    assert b" 403 " in posted(line, "Transfer-Encoding: chunked", chunks(BYTES_AT_MOST - 200_000))


def test_a_content_length_beyond_the_limit_is_refused_before_reading(line: socket.socket) -> None:
    assert b" 413 " in posted(line, f"Content-Length: {BYTES_AT_MOST + 1}", iter([]))
