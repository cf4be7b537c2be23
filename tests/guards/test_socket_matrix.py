"""Who may watch and play: every websocket route, opened by every role; ``sockets.txt`` is the table.

It is reviewed and written anew as ``matrix.txt`` is (test_matrix.py).

    closed   told that there is nothing here
    watches  shown, and may not play
    plays    shown, and its moves are read
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import websockets
from asgiref.sync import sync_to_async
from django.urls import URLPattern

from sessions.live.routing import urlpatterns
from tests.evening import cards_in, hand
from tests.guards.addresses import Unknown
from tests.guards.test_matrix import HANDS
from tests.guards.test_odd_frames import Line
from tests.guards.world import ROLES, World, lay_out
from tests.phones import phone
from tests.servers import ThreadServer

pytestmark = pytest.mark.long

GOLDEN = Path(__file__).with_name("sockets.txt")
GONE = 4404


def paths(world: World, pattern: URLPattern) -> str | None:
    """Return the address of this world's own page; None for the route that all others end in.

    :raises Unknown: a new route, which stands for nothing that is known here.
    """
    known = {
        "ws/sessions/<row:pk>/": f"/ws/sessions/{world.night.pk}/",
        "ws/tables/<row:pk>/": f"/ws/tables/{world.table.pk}/",
        "ws/faces/<uuid:key>/": f"/ws/faces/{world.night.face_key}/",
        "ws/faces/<uuid:key>/join/": f"/ws/faces/{world.night.face_key}/join/",
        "": None,
    }
    route = str(pattern.pattern)
    if route not in known:
        raise Unknown(route)
    return known[route]


async def word(server: ThreadServer, world: World, role: str, path: str, hands: dict[str, set[str]]) -> str:
    """Open a page, try to play there, and return the word for it; nothing that is sent may be another's."""
    async with phone(server, Line(server, world, role, path), path) as page:
        try:
            await page.pong()
        except websockets.ConnectionClosed:
            assert page.socket.close_code == GONE
            assert page.bytes == ""
            return "closed"
        refused = (await page.play({"type": "nothing"}))["refused"]
        await page.pong()
    secrets = {name for name, canary in world.canaries.items() if role not in canary.roles}
    known = "/face/" if "/faces/" in path else path
    leaks = [
        name
        for name in secrets
        if world.canaries[name].text in page.bytes
        and not known[1:].startswith(world.canaries[name].addresses or "/")
    ]
    assert not leaks, f"{role} at {path}"
    shown = cards_in(page.bytes)
    assert not [owner for owner in hands if owner != role and shown & hands[owner]], f"{role} at {path}"
    return "plays" if refused == "malformed_move" and "/tables/" in path else "watches"


async def test_permissions_of_websockets_match_the_reviewed_matrix(
    server: ThreadServer, reference_rows: None
) -> None:
    world = await sync_to_async(lay_out)()
    hands = {role: set(await sync_to_async(hand)(world.table, seat)) for role, seat in HANDS.items()}
    written = [f"{'':31}{''.join(f'{role:<14}' for role in ROLES)}".rstrip(), ""]
    for pattern in urlpatterns:
        if path := paths(world, pattern):
            words = [await word(server, world, role, path, hands) for role in ROLES]
            written.append(f"{pattern.pattern!s:<31}{''.join(f'{each:<14}' for each in words)}".rstrip())
    if os.environ.get("GUARDS") == "write":
        GOLDEN.write_text("\n".join(written) + "\n", "utf-8")
    assert written == GOLDEN.read_text("utf-8").splitlines()
