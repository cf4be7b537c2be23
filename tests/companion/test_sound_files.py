"""Sound files: each upload is a sound or is refused, and a refusal names the type of the file."""

from __future__ import annotations

import struct
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.files import sounds
from tests.servers import ROOT

TONES = ROOT / "tests/sessions/scenarios/files"


def outcome(sent: bytes) -> Any:
    """What becomes of a file; nothing but ``SoundRefused`` may be raised."""
    try:
        return sounds.check_sound(sent).media_type
    except sounds.SoundRefused as refused:
        return refused.details.get("kind", refused.code)


def box(name: bytes, *inside: bytes) -> bytes:
    body = b"".join(inside)
    return struct.pack(">I", 8 + len(body)) + name + body


def m4a(*packings: bytes, kind: bytes = b"soun", chapters: bytes = b"") -> bytes:
    """Three seconds of nothing, packed so, and a track of names of chapters if there are any."""
    head = box(b"mvhd", bytes(12), struct.pack(">II", 1000, 3000), bytes(80))
    tracks = [
        box(
            b"trak",
            box(
                b"mdia",
                box(b"hdlr", bytes(8), kind, bytes(13)),
                box(b"minf", box(b"stbl", box(b"stsd", bytes(7), b"\1", box(packing, bytes(28))))),
            ),
        )
        for packing, kind in [(packing, kind) for packing in packings]
        + ([(chapters, b"text")] if chapters else [])
    ]
    return box(b"ftyp", b"M4A \0\0\0\0") + box(b"moov", head, *tracks) + box(b"mdat", bytes(64))


def page(pieces: list[bytes], time: int = 48_000, lengths: bytes | None = None) -> bytes:
    sizes = bytes(map(len, pieces)) if lengths is None else lengths
    head = b"OggS\0\2" + struct.pack("<Q", time) + b"serialno" + b"...." + bytes([len(sizes)]) + sizes
    raw = bytearray(head + b"".join(pieces))
    raw[22:26] = sounds._ogg_checksum(raw)
    return bytes(raw)


def wav(samples: int, more: bytes = b"") -> bytes:
    head = struct.pack("<HHIIHH", samples, 1, 100, 100, 1, 8) + more
    chunks = b"WAVEfmt " + struct.pack("<I", len(head)) + head + b"data" + struct.pack("<I", 200) + bytes(200)
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


def windows_media(stream: str) -> bytes:
    return bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c" + "00" * 40 + stream) + bytes(300)


ID3 = b"ID3\x04\0\0\0\0\0\x05Tags."
VIDEO, AUDIO = "c0ef19bc4d5bcf11a8fd00805f5c442b", "409e69f84d5bcf11a8fd00805f5c442b"


@pytest.mark.parametrize(
    ("sent", "becomes"),
    [
        (m4a(b"mp4a"), "audio/mp4"),
        (m4a(b"mp4a", chapters=b"tx3g"), "audio/mp4"),
        (m4a(b"alac"), "Apple Lossless (ALAC)"),
        (m4a(b"mp4a", b"alac"), "Apple Lossless (ALAC)"),
        (m4a(b"ac-3"), "AC-3"),
        (m4a(b"ec-3"), "E-AC-3"),
        (m4a(b"samr"), "AMR"),
        (m4a(b"drms"), "M4P (DRM)"),
        (m4a(b"sowt"), "MP4 (sowt)"),
        (m4a(b"jpeg", kind=b"vide"), "sound_is_film"),
        (windows_media(AUDIO), "Windows Media (WMA)"),
        (windows_media(AUDIO + VIDEO), "sound_is_film"),
        (b"\x1aE\xdf\xa3" + bytes(40) + b"\x86\x86A_OPUS" + bytes(90), "WebM / Matroska"),
        (b"\x1aE\xdf\xa3" + bytes(40) + b"\x86\x86A_OPUS\x86\x85V_VP9" + bytes(90), "sound_is_film"),
        (b"FORM\0\0\1\0AIFFCOMM" + bytes(90), "AIFF"),
        (b"caff\0\1\0\0desc" + bytes(90), "CAF"),
        (b"fLaC\0\0\0\x22" + bytes(90), "FLAC"),
        (ID3 + b"fLaC\0\0\0\x22" + bytes(90), "FLAC"),
        (page([b"\x7fFLAC\1\0" + bytes(40)]), "FLAC"),
        (page([b"Speex   1.2" + bytes(60)]), "Speex"),
        (b"#!AMR-WB\n" + bytes(90), "AMR"),
        (b"MThd\0\0\0\6" + bytes(90), "MIDI"),
        (b"\x0b\x77" + bytes(90), "AC-3"),
        (b"\xff\xf1\x50\x80" + bytes(90), "AAC (ADTS)"),
        (ID3 + b"\xff\xf9\x50\x80" + bytes(90), "AAC (ADTS)"),
        (b"\xff\xfd\x50\x80" + bytes(90), "MP2"),
        (wav(1), "audio/wav"),
        (wav(0xFFFE, struct.pack("<HHIH", 22, 8, 4, 3) + bytes(14)), "audio/wav"),
        (wav(0xFFFE, struct.pack("<HHIH", 22, 8, 4, 2) + bytes(14)), "WAV (ADPCM …)"),
        (wav(2), "WAV (ADPCM …)"),
        (b"\x89PNG\r\n\x1a\n" + bytes(90), "sound_unreadable"),
        (b"PK\3\4" + bytes(90), "sound_unreadable"),
    ],
)
def test_a_sound_file_is_accepted_or_refused_by_its_content(sent: bytes, becomes: str) -> None:
    assert outcome(sent) == becomes


def test_an_ogg_page_on_which_no_packet_ends_is_refused() -> None:
    assert outcome(page([bytes(255)] * 255)) == "sound_unreadable"
    head = b"\x01vorbis" + bytes(5) + b"\x44\xac\0\0" + bytes(14)
    assert outcome(page([head]) + page([bytes(255)] * 255)) == "sound_unreadable"
    assert outcome(page([], lengths=b"")) == "sound_unreadable"


@pytest.mark.parametrize("name", [b"moov", b"trak", b"stbl"])
def test_an_mp4_with_endlessly_nested_boxes_is_refused(name: bytes) -> None:
    nested = b""
    for _ in range(4000):
        nested = box(name, nested)
    assert outcome(box(b"ftyp", b"M4A ") + nested) == "sound_unreadable"


@pytest.mark.parametrize("whole", [*sorted(TONES.glob("tone.*")), "boxes"], ids=lambda path: Path(path).name)
def test_a_damaged_sound_file_is_a_sound_or_is_refused(whole: Path | str) -> None:
    original = m4a(b"mp4a") if isinstance(whole, str) else whole.read_bytes()
    chance = Random(str(whole)[-8:])
    for _ in range(150):
        sent = bytearray(original)
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(min(len(sent), 3000))
            match chance.randrange(4):
                case 0:
                    sent[at] = chance.choice([0, 1, 0x7F, 0xFE, 0xFF])
                case 1:
                    del sent[at : at + chance.randint(1, 400)]
                case 2:
                    sent[at:at] = sent[chance.randrange(len(sent)) :][: chance.randint(1, 400)]
                case _:
                    sent[at : at + 4] = chance.randbytes(4)
        if original.startswith(b"OggS"):
            _with_right_sums(sent)
        outcome(bytes(sent))


def _with_right_sums(sent: bytearray) -> None:
    """Make the sums of pages right again, or every change would end there."""
    begin = 0
    while sent[begin : begin + 4] == b"OggS" and begin + 27 < len(sent):
        lengths = sent[begin + 27 : begin + 27 + sent[begin + 26]]
        end = begin + 27 + len(lengths) + sum(lengths)
        if end <= len(sent):
            sent[begin + 22 : begin + 26] = sounds._ogg_checksum(sent[begin:end])
        begin = end
