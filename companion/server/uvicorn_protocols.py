"""uvicorn's protocols: HTTP with timeouts for a request, websockets with data that is parsed in small chunks.

uvicorn has a timeout for idle connections only, and every byte restarts it. So a connection on which a
request takes too long to arrive is closed here.

uvicorn parses all websocket frames that have arrived before it pauses reading. With ten sockets of a thousand
frames each, that alone would delay every move by half a second. In small chunks, a client that floods frames
delays only itself.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from contextlib import ExitStack
from functools import cache
from typing import Any

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from companion.requests.asgi_middleware import content_length
from companion.requests.throttle import Places, network_of, scale_to_crowd

#: Seconds for the head of a request, since the connection was opened or the last response was sent.
HEAD = 15
#: Seconds for a body, and the bytes per additional second: enough for the picture of a slow phone.
BODY, PACE = 30, 64_000
#: The connections of one address that may wait for the head of a request (``scale_to_crowd``).
WAITING_OF_AN_ADDRESS = 500
#: Bytes to parse at a time, before the app has received their frames: about ten frames of a phone.
READ_CHUNK = 2_000


@cache
def waiting() -> Places:
    """Return the places of connections that wait for a request. Their number depends on the settings."""
    return Places(scale_to_crowd(WAITING_OF_AN_ADDRESS))


class PatientProtocol(HttpToolsProtocol):
    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._end: TimerHandle | None = None
        self._place = ExitStack()

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._place.close()
        self._end_in(BODY + content_length(self.scope) / PACE)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._await_request()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _await_request(self) -> None:
        self._place.close()
        # Behind a proxy all clients have its address, and the proxy has its own limits.
        if self.client and not settings.TRUSTED_PROXIES:
            free = self._place.enter_context(waiting().take_place(network_of(self.client[0])))
            if not free:
                self.transport.close()
        self._end_in(HEAD)

    def _end_in(self, seconds: float) -> None:
        if self._end:
            self._end.cancel()
        self._end = self.loop.call_later(seconds, self._close_if_waiting)

    def _close_if_waiting(self) -> None:
        served = self.cycle and not self.cycle.more_body and not self.cycle.response_complete
        if not served:
            self.transport.close()

    def _stop_waiting(self) -> None:
        self._place.close()
        if self._end:
            self._end.cancel()


class ChunkedReadProtocol(WebSocketsSansIOProtocol):
    """uvicorn's websocket protocol that buffers unparsed data until the app receives more messages."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._rest = bytearray()

    def data_received(self, data: bytes) -> None:
        self._rest += data
        self._parse_chunks()

    async def receive(self) -> Any:
        message = await super().receive()
        self._parse_chunks()
        return message

    def _parse_chunks(self) -> None:
        # After our close frame the app receives no more, so parse on to find the client's close frame.
        while self._rest and (self.close_sent or not self.read_paused):
            chunk = bytes(self._rest[:READ_CHUNK])
            del self._rest[:READ_CHUNK]
            super().data_received(chunk)
            if self.conn.parser_exc is not None:
                self._rest.clear()
