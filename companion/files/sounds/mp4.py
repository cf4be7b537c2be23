"""M4A: nested boxes. Some hold offsets of others, so metadata is overwritten with zeros, not removed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from companion.files.sounds.other_kinds import Film, OtherKind, StrippedSound

BEGINS = re.compile(rb".{4}ftyp", re.DOTALL)
MEDIA_TYPE = "audio/mp4"
HOLD_BOXES = (b"moov", b"trak", b"mdia", b"minf", b"stbl")
SOUND, AAC = b"soun", b"mp4a"
OTHERS = {
    b"alac": "Apple Lossless (ALAC)",
    b"ac-3": "AC-3",
    b"ec-3": "E-AC-3",
    b"samr": "AMR",
    b"sawb": "AMR",
    b"fLaC": "FLAC",
    b"Opus": "MP4 (Opus)",
    b"enca": "M4P (DRM)",
    b"drms": "M4P (DRM)",
}
TELL = (b"udta", b"meta", b"uuid", b"free", b"skip", b"wide")


class Mp4Box(NamedTuple):
    name: bytes
    begin: int
    body: int
    end: int


def strip_metadata(sent: bytes) -> StrippedSound:
    """Return the same file with its metadata overwritten.

    :raises Film: it has a video track.
    :raises OtherKind: its sound is not AAC.
    :raises ValueError: it has no sound, or a box is larger than the one around it.
    """
    content, tracks, seconds = bytearray(sent), set(), 0.0
    packings: list[bytes] = []
    track = b""
    for box in _boxes(sent):
        if box.name in TELL:
            content[box.begin + 4 : box.begin + 8] = b"free"
            content[box.body : box.end] = bytes(box.end - box.body)
        elif box.name == b"hdlr":
            track = track or sent[box.body + 8 : box.body + 12]
            tracks.add(track)
        elif box.name == b"trak":
            track = b""
        elif box.name == b"mvhd":
            seconds = _seconds(sent[box.body : box.end])
        elif box.name == b"stsd" and track == SOUND:  # skips tracks with names of chapters
            packings.append(sent[box.body + 12 : box.body + 16])
    if b"vide" in tracks:
        raise Film
    if SOUND not in tracks:
        raise ValueError("no track of sound")
    for packing in packings:
        if packing != AAC:
            raise OtherKind(OTHERS.get(packing, f"MP4 ({packing.decode('ascii', 'replace')})"))
    return StrippedSound(bytes(content), seconds)


def _boxes(sent: bytes) -> Iterator[Mp4Box]:
    """Yield all boxes in the order of the file. The children of a box follow it."""
    begin, ends = 0, [len(sent)]
    while ends:
        if begin >= ends[-1]:
            ends.pop()
            continue
        size, name, body = int.from_bytes(sent[begin : begin + 4]), sent[begin + 4 : begin + 8], begin + 8
        if size == 1:
            size, body = int.from_bytes(sent[body : body + 8]), body + 8
        box = Mp4Box(name, begin, body, begin + size if size else ends[-1])
        if not body <= box.end <= ends[-1]:
            raise ValueError("a box is larger than what it lies in")
        yield box
        if name in HOLD_BOXES:
            ends.append(box.end)
        begin = body if name in HOLD_BOXES else box.end


def _seconds(head: bytes) -> float:
    """Return the duration in seconds, from the body of the ``mvhd`` box."""
    wide = head[0] == 1
    ticks = int.from_bytes(head[20:24] if wide else head[12:16])
    return int.from_bytes(head[24:32] if wide else head[16:20]) / ticks
