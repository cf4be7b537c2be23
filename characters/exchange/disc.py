"""The default picture of a piece, free of rights: a disc in its colour within a golden ring."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache
from math import hypot

DISC_SIZE = 128
RING = (201, 162, 78)
#: Radii of the disc and of the ring around it, in pixels.
DISC, RING_INSIDE, RING_OUTSIDE = 46.0, 53.0, 60.0


@lru_cache(maxsize=8)
def disc_png(colour: str) -> bytes:
    """Return the picture as a PNG.

    :param colour: ``#rrggbb``.
    """
    fill = tuple(bytes.fromhex(colour.removeprefix("#")))
    rows = b"".join(
        b"\0"
        + b"".join(bytes(_pixel(hypot(x - DISC_SIZE / 2 + 0.5, y - DISC_SIZE / 2 + 0.5), fill)) for x in range(DISC_SIZE))
        for y in range(DISC_SIZE)
    )
    header = struct.pack(">IIBBBBB", DISC_SIZE, DISC_SIZE, 8, 6, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _pixel(distance: float, fill: tuple[int, ...]) -> tuple[int, ...]:
    """Return colour and opacity at a distance from the centre, in pixels; edges are antialiased."""
    in_disc = _coverage(DISC - distance)
    in_ring = min(_coverage(RING_OUTSIDE - distance), _coverage(distance - RING_INSIDE))
    return (*fill, round(255 * in_disc)) if in_disc else (*RING, round(255 * in_ring))


def _coverage(depth: float) -> float:
    return min(max(depth + 0.5, 0.0), 1.0)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
