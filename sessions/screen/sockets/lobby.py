"""The websocket of the session's own page."""

from __future__ import annotations

from sessions.screen.lobby_page import LobbyPage
from sessions.screen.sockets.live import LiveConsumer


class LobbyConsumer(LiveConsumer):
    kind = "lobby"

    def page(self) -> LobbyPage:
        return LobbyPage(self.scope["person"], self.scope["url_route"]["kwargs"]["pk"], self.origin)
