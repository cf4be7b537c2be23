"""WAV: chunks, of which three are heard."""

from __future__ import annotations

import re
import struct

from companion.files.sounds.parsed import Bare

BEGINS = re.compile(rb"RIFF.{4}WAVE", re.DOTALL)
MEDIA_TYPE = "audio/wav"
HEARD = (b"fmt ", b"fact", b"data")
#: Whole numbers, fractions, and either with a longer head.
SAMPLES = (1, 3, 0xFFFE)


def bare(sent: bytes) -> Bare:
    """Return the file with nothing but the sound.

    :raises ValueError: it cannot be read.
    """
    chunks: dict[bytes, bytes] = {}
    place = 12
    while place + 8 <= len(sent):
        name, size = sent[place : place + 4], int.from_bytes(sent[place + 4 : place + 8], "little")
        if name in HEARD:
            chunks.setdefault(name, sent[place + 8 : place + 8 + size])
        place += 8 + size + size % 2
    samples, _, _, bytes_a_second = struct.unpack_from("<HHII", chunks[b"fmt "])
    if samples not in SAMPLES:
        raise ValueError("packed in a way that browsers do not know")
    kept = b"".join(_chunk(name, chunks[name]) for name in HEARD if name in chunks)
    return Bare(_chunk(b"RIFF", b"WAVE" + kept), len(chunks[b"data"]) / bytes_a_second)


def _chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)
