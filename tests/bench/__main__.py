"""``python -m tests.bench``: how fast the product is, in ratios.

Prints one table in Markdown. Times tell more about a machine than about the product; ratios of what was
measured by turns on the same machine travel further. Processor time is that of the server.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
import time
from pathlib import Path

import uvloop

from tests.bench.measuring import Row, table
from tests.bench.parts import PARTS
from tests.bench.running import PROCESSORS

#: In a file, what stands after this line is the newest run.
MARK = "<!-- make bench -->\n"


async def run(names: list[str]) -> list[Row]:
    rows: list[Row] = []
    for name in names:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="takujo-bench-") as folder:
            rows += await PARTS[name](Path(folder))
        print(f"{name}: {time.monotonic() - began:.0f} s", file=sys.stderr)
    return rows


def report(names: list[str], rows: list[Row]) -> str:
    command = "make bench" if names == list(PARTS) else f'make bench ARGS="{" ".join(names)}"'
    where = f"Python {platform.python_version()}, {len(PROCESSORS)} processors"
    return f"{time.strftime('%Y-%m-%d')}, `{command}`, {where}.\n\n{table(rows)}\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make bench", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("parts", nargs="*", metavar="part", help=f"some of: {', '.join(PARTS)}; all if none")
    parser.add_argument("--into", type=Path, help="write the table into this file instead of printing it")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - PARTS.keys():
        parser.error(f"no such part: {', '.join(unknown)}")
    names = asked.parts or list(PARTS)
    text = report(names, uvloop.run(run(names)))
    if asked.into:
        before, mark, _ = asked.into.read_text().partition(MARK)
        asked.into.write_text(before + MARK + text)
    else:
        print(text, end="")
