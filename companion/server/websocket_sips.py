"""Parse websocket data in small chunks, so that a client that floods frames delays only itself.

uvicorn parses all frames that have arrived before it pauses reading. With ten sockets of a thousand frames
each, that alone would delay every move by half a second.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

#: Bytes to parse at a time, before the app has received their frames: about ten frames of a phone.
READ_CHUNK = 2_000


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
            sip = bytes(self._rest[:READ_CHUNK])
            del self._rest[:READ_CHUNK]
            super().data_received(sip)
            if self.conn.parser_exc is not None:
                self._rest.clear()
