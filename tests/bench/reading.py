"""What grows with the log of a table, or should not: its pages, its replay, its proof, and taking back."""

from __future__ import annotations

import json
from pathlib import Path

from tests.bench.measuring import Row
from tests.bench.running import SECRET_KEY
from tests.bench.wanted import READ
from tests.servers import ProcessServer

GOAL = "2 at most"


async def reading(folder: Path) -> list[Row]:
    """The same questions, asked by turns at tables with short and long logs, in one process."""
    database = f"sqlite:///{folder / 'reading.sqlite3'}"
    server = ProcessServer({"TAKUJO_VAR": str(folder), "SECRET_KEY": SECRET_KEY, "DATABASE_URL": database})
    server.manage("migrate", "--verbosity", "0")
    printed = server.manage("shell", "-v0", "-c", "from tests.bench.asking import ask; ask()")
    seconds, sizes = json.loads(printed.splitlines()[-1])
    return [
        *(row for name, times in seconds.items() for row in _rows("processor time", name, times)),
        *(row for name, sizes_then in sizes.items() for row in _rows("bytes", name, sizes_then)),
    ]


def _rows(what: str, name: str, measured: list[list[float]]) -> list[Row]:
    """Return the ratios of what was measured by turns, a list a length, to that at the shortest log."""
    first, *others = measured
    return [
        Row(
            f"reading, log of {length:,} moves",
            f"{what} of {name} ÷ that at {READ[0]}",
            [now / then for now, then in zip(times, first, strict=True)],
            GOAL,
        )
        for length, times in zip(READ[1:], others, strict=True)
    ]
