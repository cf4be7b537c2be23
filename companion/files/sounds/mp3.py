"""MP3: a sequence of frames, with tags before, between and after them."""

from __future__ import annotations

import re
from typing import NamedTuple

from companion.files.sounds.other_kinds import StrippedSound

BEGINS = re.compile(rb"ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb]", re.DOTALL)
SYNC = re.compile(rb"\xff[\xe2\xe3\xf2\xf3\xfa\xfb]")
MEDIA_TYPE = "audio/mpeg"
#: Bit rates in kbit/s by the index in the frame's header: for MPEG 1, and for MPEG 2 and 2.5.
RATES = (
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
)
SAMPLE_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}
#: Bytes to skip at most in search of the next frame, not counting a tag at the beginning.
GAP_AT_MOST = 70_000


class Frame(NamedTuple):
    size: int
    seconds: float


def strip_metadata(sent: bytes) -> StrippedSound:
    """Return only the frames.

    :raises ValueError: there are fewer than three, or too many other bytes.
    """
    frames, seconds, place = [], 0.0, _behind_tags(sent)
    while frame := _frame(sent, place):
        frames.append(sent[place : place + frame.size])
        seconds += frame.seconds
        place += frame.size
        if not _frame(sent, place):
            place = _next_frame(sent, place)
    if len(frames) < 3 or len(sent) - place > GAP_AT_MOST:
        raise ValueError("no row of frames")
    return StrippedSound(b"".join(frames), seconds)


def _behind_tags(sent: bytes) -> int:
    place = 0
    while sent[place : place + 3] == b"ID3":
        flags, *size = sent[place + 5 : place + 10]
        place += 10 + sum(part << 7 * (3 - at) for at, part in enumerate(size)) + (10 if flags & 0x10 else 0)
    return place if _frame(sent, place) else _next_frame(sent, place)


def _next_frame(sent: bytes, place: int) -> int:
    """Return the offset of the next two consecutive frames; ``place`` if there are none nearby."""
    for found in SYNC.finditer(sent, place, place + GAP_AT_MOST):
        at = found.start()
        if (frame := _frame(sent, at)) and _frame(sent, at + frame.size):
            return at
    return place


def _frame(sent: bytes, place: int) -> Frame | None:
    """Return the frame at ``place``; None if there is none or it is incomplete."""
    if len(sent) < place + 4 or sent[place] != 0xFF or sent[place + 1] & 0xE6 != 0xE2:
        return None
    version, rates, padding = sent[place + 1] >> 3 & 3, sent[place + 2] >> 2, sent[place + 2] >> 1 & 1
    rate, sample_rate = rates >> 2, rates & 3
    if version == 1 or sample_rate == 3 or rate in (0, 15):
        return None
    samples = 1152 if version == 3 else 576
    hertz = SAMPLE_RATES[version][sample_rate]
    size = samples // 8 * RATES[version != 3][rate] * 1000 // hertz + padding
    return Frame(size, samples / hertz) if place + size <= len(sent) else None
