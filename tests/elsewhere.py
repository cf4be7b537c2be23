"""``python tests/elsewhere.py``: ``manage.py`` as it runs where there is nothing of Unix: on Windows."""

import asyncio
import sys
from pathlib import Path

# None of these is there: a server runs on asyncio's own loop, and its files are as large as they are written.
for module in ("uvloop", "resource", "minify"):
    sys.modules[module] = None  # type: ignore[assignment]
sys.path[0] = str(Path(__file__).resolve().parent.parent)

from companion.command_line import main  # noqa: E402
from companion.server import supervisor  # noqa: E402


def hears_nothing(*args: object) -> None:
    raise NotImplementedError


if __name__ == "__main__":
    asyncio.SelectorEventLoop.add_signal_handler = hears_nothing  # type: ignore[assignment,method-assign]
    supervisor.HANDS_OVER = False
    main()
