"""Websockets are read in sips: what a page has not asked for is not taken apart yet, and nothing is lost."""

from __future__ import annotations

import asyncio
from typing import Any

import websockets
from websockets.frames import Frame, Opcode

from companion.server.uvicorn_protocols import READ_CHUNK
from tests.servers import PATIENCE, ThreadServer, wait_until

FRAMES, SIZE = 600, 100


async def test_a_websocket_gets_all_frames_in_order_and_only_as_requested() -> None:
    heard: list[str] = []
    go = asyncio.Event()
    loop = asyncio.get_running_loop()

    async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(go.wait(), loop))
        while len(heard) < FRAMES:
            heard.append((await receive())["text"])
        await send({"type": "websocket.close", "code": 1000})

    server = ThreadServer(app)
    server.start()
    try:
        assert server._server
        async with websockets.connect(server.ws("/"), proxy=None) as page:
            [line] = server._server.server_state.connections
            frames = (Frame(Opcode.TEXT, f"{number}".ljust(SIZE).encode()) for number in range(FRAMES))
            page.transport.write(b"".join(frame.serialize(mask=True) for frame in frames))
            await asyncio.to_thread(wait_until, lambda: line._rest, what="the frames")
            assert 0 < line.queue.qsize() <= 2 * READ_CHUNK / SIZE
            go.set()
            async with asyncio.timeout(PATIENCE):
                await page.wait_closed()
            assert page.close_code == 1000
    finally:
        server.stop()
    assert [frame.strip() for frame in heard] == [str(number) for number in range(FRAMES)]
