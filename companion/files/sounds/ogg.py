"""Ogg with Vorbis or Opus: packets on pages with a checksum each. The second packet holds the metadata."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from companion.files.sounds.other_kinds import Film, OtherKind, StrippedSound

BEGINS = re.compile(rb"OggS")
MEDIA_TYPE = "audio/ogg"
VORBIS, OPUS = b"\x01vorbis", b"OpusHead"
OTHERS = {b"\x7fFLAC": "FLAC", b"fLaC": "FLAC", b"Speex   ": "Speex"}
FILMS = (b"\x80theora", b"\x01video", b"BBCD")
OPUS_HERTZ = 48_000
#: The maximum size of a segment. After one of this size, the packet continues.
FULL = 255
NO_TIME = 0xFFFFFFFFFFFFFFFF
MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class OggPage(NamedTuple):
    """A page, with the offsets of the segments on it."""

    begin: int
    end: int
    time: int
    stream: bytes
    pieces: list[tuple[int, int]]


def strip_metadata(sent: bytes) -> StrippedSound:
    """Return the same file with its metadata packet blanked.

    :raises Film: it has a video stream.
    :raises OtherKind: it is FLAC or Speex.
    :raises ValueError: it cannot be read, is of an unknown format, or has more than one stream.
    """
    pages = list(_pages(sent))
    head = sent[pages[0].pieces[0][0] : pages[0].end]
    if any(sent[page.pieces[0][0] :].startswith(FILMS) for page in pages[:4] if page.pieces):
        raise Film
    for begins, name in OTHERS.items():
        if head.startswith(begins):
            raise OtherKind(name)
    if len({page.stream for page in pages}) > 1:
        raise ValueError("several streams")
    content = bytearray(sent[: pages[-1].end])
    _blank(content, pages, head.startswith(VORBIS))
    ends = max(page.time for page in pages if page.time != NO_TIME)
    if head.startswith(VORBIS):
        return StrippedSound(bytes(content), ends / int.from_bytes(head[12:16], "little"))
    if head.startswith(OPUS):
        return StrippedSound(bytes(content), (ends - int.from_bytes(head[10:12], "little")) / OPUS_HERTZ)
    raise ValueError("neither Vorbis nor Opus")


def _pages(sent: bytes) -> Iterator[OggPage]:
    begin = 0
    while sent[begin : begin + 4] == b"OggS":
        count = sent[begin + 26]
        place, pieces = begin + 27 + count, []
        for size in sent[begin + 27 : place]:
            pieces.append((place, place + size))
            place += size
        if place > len(sent) or _sum(sent[begin:place]) != sent[begin + 22 : begin + 26]:
            raise ValueError("a broken page")
        time = int.from_bytes(sent[begin + 6 : begin + 14], "little")
        yield OggPage(begin, place, time, sent[begin + 14 : begin + 18], pieces)
        begin = place


def _blank(content: bytearray, pages: list[OggPage], is_vorbis: bool) -> None:
    """Overwrite the second packet with an encoder's name of blanks that fills it, and without comments."""
    pieces = [(begin, end, page) for page in pages for begin, end in page.pieces]
    after_first = 1 + next(
        (at for at, (begin, end, _) in enumerate(pieces) if end - begin < FULL), len(pieces)
    )
    second = []
    for begin, end, page in pieces[after_first:]:
        second.append((begin, end, page))
        if end - begin < FULL:
            break
    size = sum(end - begin for begin, end, _ in second)
    name, tail = (b"\x03vorbis", b"\0\0\0\0\x01") if is_vorbis else (b"OpusTags", b"\0\0\0\0")
    blanks = size - len(name) - 4 - len(tail)
    if not second or blanks < 0 or not content[second[0][0] :].startswith(name):
        raise ValueError("no second packet")
    told = iter(name + blanks.to_bytes(4, "little") + b" " * blanks + tail)
    for begin, end, _ in second:
        content[begin:end] = bytes(next(told) for _ in range(end - begin))
    for page in {page.begin: page for _, _, page in second}.values():
        content[page.begin + 22 : page.begin + 26] = _sum(content[page.begin : page.end])


def _sum(page: bytes | bytearray) -> bytes:
    """Return the checksum of a page: zlib's CRC-32 with reversed bits, and without XOR before and after."""
    mirrored = (page[:22] + bytes(4) + page[26:]).translate(MIRRORED)
    turned = zlib.crc32(mirrored, 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{turned:032b}"[::-1], 2).to_bytes(4, "little")
