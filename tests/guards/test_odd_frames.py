"""Frames that no page of ours sends: no change, no traceback in the log, and the line lives on or closes."""

from __future__ import annotations

import asyncio
import json
import logging
from contextlib import suppress
from random import Random
from typing import Any

import pytest
import websockets
from asgiref.sync import sync_to_async
from django.apps import apps

from tests.guards import odd
from tests.guards.world import World, lay_out
from tests.phones import Phone, phone
from tests.servers import PATIENCE, ThreadServer

pytestmark = pytest.mark.long

#: How many frames are sent to the pages of each role.
FRAMES = 600
#: After so many frames the line is asked whether it still lives.
TOGETHER = 20
#: Our own closing codes, and those of the websocket protocol for what is no text and what is too long. 1006
#: is what we see if our next frames arrive at a line that is closed: its reason is lost with it.
CLOSED = {4400, 4404, 4429, 1006, 1007, 1009}
ROLES = ["gm", "player", "spectator", "stand-in", "kicked", "stranger"]


@pytest.fixture
def lived_in(transactional_db: None, reference_rows: None) -> World:
    """The world in a database that the server sees."""
    return lay_out()


def frame(rng: Random) -> str | bytes:
    """Return something odd."""
    return rng.choice([_garbage, _nested, _huge, _bent, _bent, _bent, _signal, _signal])(rng)


def _garbage(rng: Random) -> str | bytes:
    return rng.choice(["", "{", "[1,", "null", "7", '"x"', "\x00", "[]", '{"ping": 1}}', rng.randbytes(40)])


def _nested(rng: Random) -> str:
    depth = rng.choice([10, 900, 4000])
    return rng.choice(["[" * depth, '{"move":' * (depth // 8), "[" * (depth // 2) + "]" * (depth // 2)])


def _huge(rng: Random) -> str:
    return json.dumps({"move": {"type": "declare", "text": "x" * rng.choice([8_000, 9_000, 300_000])}})


def _bent(rng: Random) -> str:
    """A move with a field too many, so that no rule could ever allow it, in an envelope with odd fields."""
    kind = rng.choice(["declare", "call", "set_hp", "undo", "rewind", "lay", "shoot", "", "p1"])
    move: Any = {"type": kind, "surprise": rng.choice(odd.VALUES), rng.choice(odd.TEXTS): 1, "hp": 1}
    fields = {"id": "0" * 32, "version": 3, "asked": "", "move": move}
    for name in rng.sample(sorted(fields), rng.randrange(4)):
        if rng.random() < 0.3:
            del fields[name]
        elif name != "move" or rng.random() < 0.3:
            fields[name] = rng.choice(odd.VALUES)
    return json.dumps(fields)


def _signal(rng: Random) -> str:
    names = rng.sample(
        ["ping", "nudge", "opened", "closed", "care", "heard", "named", "share", "opening", ""], 2
    )
    return json.dumps({name: rng.choice(odd.VALUES) for name in names})


def everything() -> dict[str, list[Any]]:
    """Return all rows of the database."""
    return {
        str(model): list(model._default_manager.order_by("pk").values_list()) for model in apps.get_models()
    }


class Line:
    """A page's websocket that is opened again whenever the server has closed it."""

    def __init__(self, server: ThreadServer, world: World, role: str, path: str) -> None:
        self.server, self.path = server, path
        self.headers = world.headers(role)

    async def say(self, frames: list[str | bytes]) -> None:
        """Send frames until the line is closed, then the rest on a new one."""
        while frames:
            async with phone(self.server, self, self.path) as page:
                sent = await self._send(page, frames)
                frames = frames[sent:]
                if page.socket.close_code is not None:
                    assert page.socket.close_code in CLOSED
                assert '"accepted"' not in page.bytes

    async def _send(self, page: Phone, frames: list[str | bytes]) -> int:
        """Return how many frames were sent before the line was closed, one at least."""
        sent = 0
        with suppress(websockets.ConnectionClosed):
            for sent, each in enumerate(frames, 1):  # noqa: B007  # told to the caller
                await page.socket.send(each)
            await asyncio.wait_for(page.pong(), PATIENCE)
        return max(sent, 1)


@pytest.mark.parametrize("role", ROLES)
async def test_a_malformed_websocket_frame_changes_nothing(
    server: ThreadServer, lived_in: World, role: str, caplog: pytest.LogCaptureFixture
) -> None:
    rng, before = Random(role), await sync_to_async(everything)()
    paths = [
        f"/ws/tables/{lived_in.table.pk}/",
        f"/ws/tables/{lived_in.game.pk}/",
        f"/ws/sessions/{lived_in.night.pk}/",
        f"/ws/faces/{lived_in.night.face_key}/",
    ]
    for _ in range(FRAMES // TOGETHER):
        await Line(server, lived_in, role, rng.choice(paths)).say([frame(rng) for _ in range(TOGETHER)])
    assert await sync_to_async(everything)() == before
    assert not [record for record in caplog.records if record.exc_info or record.levelno >= logging.ERROR]
