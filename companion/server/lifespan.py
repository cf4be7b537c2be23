"""The answer to a server that tells of its beginning and its end: nothing here waits for either."""

from __future__ import annotations

from typing import Any


async def lifespan(scope: dict[str, Any], receive: Any, send: Any) -> None:
    for moment in ("startup", "shutdown"):
        await receive()
        await send({"type": f"lifespan.{moment}.complete"})
