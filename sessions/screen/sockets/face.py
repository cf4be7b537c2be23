"""The websocket of a table face."""

from __future__ import annotations

from sessions.screen import painting
from sessions.screen.face_page import FacePage
from sessions.screen.page import PagePlace
from sessions.screen.sockets.watching import TableWatcher


class FaceConsumer(TableWatcher):
    kind = "face"
    join_only = False

    def __init__(self, *, join_only: bool = False) -> None:
        super().__init__()
        self.join_only = join_only

    def page(self) -> FacePage:
        return FacePage(
            str(self.scope["url_route"]["kwargs"]["key"]), self.origin, self.join_only, self.chosen
        )

    async def heartbeat(self) -> None:
        """Check the place, too: a move at another table is not announced to this page."""
        await super().heartbeat()
        self.want(painting.PLACE)

    async def go_to(self, place: PagePlace) -> None:
        """Send the face to another table, even to one that was opened earlier."""
        if place.number and place.number != self.placed:
            self.placed = place.number
            await self.reply(go=place.url)
