"""WAV: a sequence of chunks, three of which are needed for the sound."""

from __future__ import annotations

import re
import struct

from companion.files.sounds.other_kinds import OtherKind, StrippedSound

BEGINS = re.compile(rb"RIFF.{4}WAVE", re.DOTALL)
MEDIA_TYPE = "audio/wav"
HEARD = (b"fmt ", b"fact", b"data")
#: Format codes of integer and float samples. The extensible header has one of these at a later offset.
SAMPLES, LONGER_HEAD = (1, 3), 0xFFFE


def strip_metadata(sent: bytes) -> StrippedSound:
    """Return the file without chunks other than the sound's.

    :raises OtherKind: it is compressed in a way that not all browsers support.
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
    if samples == LONGER_HEAD:
        [samples] = struct.unpack_from("<H", chunks[b"fmt "], 24)
    if samples not in SAMPLES:
        raise OtherKind("WAV (ADPCM …)")
    kept = b"".join(_chunk(name, chunks[name]) for name in HEARD if name in chunks)
    return StrippedSound(_chunk(b"RIFF", b"WAVE" + kept), len(chunks[b"data"]) / bytes_a_second)


def _chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)
