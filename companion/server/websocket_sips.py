"""Websockets are read in sips: whoever sends a thousand frames at once waits for themselves.

uvicorn takes all frames apart that have arrived, and stops reading then. Of ten sockets with a thousand
frames each, that alone would hold up every move for half a second.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

#: So many bytes are taken apart before the page has heard what was in them: about ten frames of a phone.
SIP = 2_000


class SippingProtocol(WebSocketsSansIOProtocol):
    """uvicorn's side of a websocket; what was not taken apart yet waits until the page asks for more."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._rest = bytearray()

    def data_received(self, data: bytes) -> None:
        self._rest += data
        self._sip()

    async def receive(self) -> Any:
        message = await super().receive()
        self._sip()
        return message

    def _sip(self) -> None:
        # After a close of ours nobody asks for more: the other side's is looked for.
        while self._rest and (self.close_sent or not self.read_paused):
            sip = bytes(self._rest[:SIP])
            del self._rest[:SIP]
            super().data_received(sip)
            if self.conn.parser_exc is not None:
                self._rest.clear()
