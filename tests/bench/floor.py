"""``python -m tests.bench.floor DATABASE PORT SIZE``: what websockets and commits alone cost.

A bare websocket server: one commit a move, and SIZE bytes to every page of the table; no rules, no views,
no pages.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys

import uvloop
from websockets.asyncio.server import ServerConnection, serve


async def run(database: str, port: int, size: int) -> None:
    rows = sqlite3.connect(database, isolation_level=None)
    rows.execute("PRAGMA journal_mode=WAL")
    rows.execute("PRAGMA synchronous=NORMAL")
    rows.execute("CREATE TABLE move (number INTEGER PRIMARY KEY, move TEXT)")
    rooms: dict[str, set[ServerConnection]] = {}

    async def handle(page: ServerConnection) -> None:
        room = rooms.setdefault(page.request.path if page.request else "", set())
        room.add(page)
        await page.send('data-version="0"')
        async for text in page:
            version = json.loads(text)["version"] + 1
            rows.execute("INSERT INTO move (move) VALUES (?)", [text])
            push = f'data-version="{version}"'.ljust(size, ".")
            for other in room:
                await other.send(push)

    async with serve(handle, "127.0.0.1", port, compression=None):
        await asyncio.Future()


if __name__ == "__main__":
    uvloop.run(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
