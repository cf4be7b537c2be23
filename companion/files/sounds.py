"""Uploaded sounds: detect their format from their bytes, and strip their metadata.

Sounds cannot be re-encoded without an encoder, so the audio data is stored as uploaded. Every file is parsed
completely, and tags, pictures and other data are removed, because they may contain names and locations of
people. Of the libraries for this, one is under the GPL, and the others read tags but cannot remove them.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

BYTES_AT_MOST = 8_000_000
SECONDS_AT_MOST = 10 * 60
#: Refused formats that Apple's browsers play, but no other browsers.
FOR_APPLE = ("Apple Lossless (ALAC)", "AIFF", "CAF", "AC-3", "E-AC-3")
#: The codes for sounds of formats that are not accepted: those of ``FOR_APPLE``, and all others.
OTHER_KINDS = ("sound_for_apple", "sound_of_other_kind")


class SoundRefused(Exception):
    """An upload is refused as a sound. ``code`` is a key of ``sessions.scenarios.editing.SOUND_REFUSALS``."""

    def __init__(self, code: str, **details: str) -> None:
        super().__init__(code)
        self.code, self.details = code, details


@dataclass(frozen=True)
class Sound:
    """A sound without metadata."""

    content: bytes
    media_type: str
    seconds: float


# Formats that are not accepted are detected, so that a refusal can name them.
#: The first bytes of video files, and of formats that may contain a video.
FILMS = re.compile(rb"\0\0\x01[\xb3\xba]|RIFF.{4}AVI |FLV.[\x01\x03\x05\x07]|(?:G.{187}){3}", re.DOTALL)
MATROSKA = re.compile(rb"\x1aE\xdf\xa3")
MATROSKA_SOUND, MATROSKA_FILM = re.compile(rb"\x86[\x81-\xa0]A_"), re.compile(rb"\x86[\x81-\xa0]V_")
WINDOWS_MEDIA = re.compile(rb"0&\xb2u\x8ef\xcf\x11")
WINDOWS_FILM = b"\xc0\xef\x19\xbcM[\xcf\x11\xa8\xfd\0\x80_\\D+"
#: Bytes to search: the entry of a track is near the beginning of a file.
LOOKED_AT = 200_000
OTHERS = {
    "AIFF": re.compile(rb"FORM.{4}AIF[FC]", re.DOTALL),
    "CAF": re.compile(rb"caff"),
    "FLAC": re.compile(rb"fLaC"),
    "AMR": re.compile(rb"#!AMR"),
    "MIDI": re.compile(rb"MThd|RIFF.{4}RMID", re.DOTALL),
    "AC-3": re.compile(rb"\x0b\x77"),
    "AAC (ADTS)": re.compile(rb"\xff[\xf0\xf1\xf8\xf9]"),
    "MP2": re.compile(rb"\xff[\xe4\xe5\xf4\xf5\xfc\xfd\xe6\xe7\xf6\xf7\xfe]"),
    "AU": re.compile(rb"\.snd"),
    "WAV (RF64)": re.compile(rb"RF64|BW64|riff"),
    "WavPack": re.compile(rb"wvpk"),
    "Monkey’s Audio": re.compile(rb"MAC "),
    "Musepack": re.compile(rb"MPCK|MP\+"),
    "True Audio": re.compile(rb"TTA1"),
    "DSD": re.compile(rb"DSD |FRM8"),
    "RealAudio": re.compile(rb"\.RMF|\.ra\xfd"),
}
ID3 = re.compile(rb"ID3.{3}(.{4})", re.DOTALL)


class Film(Exception):
    """The file is a video."""


class OtherKind(Exception):
    """The file is a sound of a format that is not accepted. ``name`` is its common name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class StrippedSound(NamedTuple):
    """The content of a file without metadata, and its duration."""

    content: bytes
    seconds: float


def refuse_other_kinds(sent: bytes) -> None:
    """Raise ``Film`` or ``OtherKind`` for a known format that is not accepted."""
    tag = ID3.match(sent)
    place = 10 + sum(part << 7 * (3 - at) for at, part in enumerate(tag[1])) if tag else 0
    begins, near = sent[place : place + LOOKED_AT], sent[:LOOKED_AT]
    if FILMS.match(begins) or (MATROSKA.match(begins) and not MATROSKA_SOUND.search(near)):
        raise Film
    if MATROSKA.match(begins):
        raise Film if MATROSKA_FILM.search(near) else OtherKind("WebM / Matroska")
    if WINDOWS_MEDIA.match(begins):
        raise Film if WINDOWS_FILM in near else OtherKind("Windows Media (WMA)")
    for name, begin in OTHERS.items():
        if begin.match(begins):
            raise OtherKind(name)


# MP3: a sequence of frames, with tags before, between and after them.
MP3_BEGINS = re.compile(rb"ID3|\xff[\xe2\xe3\xf2\xf3\xfa\xfb]", re.DOTALL)
MP3_SYNC = re.compile(rb"\xff[\xe2\xe3\xf2\xf3\xfa\xfb]")
#: Bit rates in kbit/s by the index in the frame's header: for MPEG 1, and for MPEG 2 and 2.5.
MP3_RATES = (
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
)
MP3_SAMPLE_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}
#: Bytes to skip at most in search of the next frame, not counting a tag at the beginning.
MP3_GAP_AT_MOST = 70_000


class Mp3Frame(NamedTuple):
    size: int
    seconds: float


def strip_mp3(sent: bytes) -> StrippedSound:
    """Return only the frames, or raise ValueError: fewer than three, or too many other bytes."""
    frames, seconds, place = [], 0.0, _behind_tags(sent)
    while frame := _mp3_frame(sent, place):
        frames.append(sent[place : place + frame.size])
        seconds += frame.seconds
        place += frame.size
        if not _mp3_frame(sent, place):
            place = _next_mp3_frame(sent, place)
    if len(frames) < 3 or len(sent) - place > MP3_GAP_AT_MOST:
        raise ValueError("no row of frames")
    return StrippedSound(b"".join(frames), seconds)


def _behind_tags(sent: bytes) -> int:
    place = 0
    while sent[place : place + 3] == b"ID3":
        flags, *size = sent[place + 5 : place + 10]
        place += 10 + sum(part << 7 * (3 - at) for at, part in enumerate(size)) + (10 if flags & 0x10 else 0)
    return place if _mp3_frame(sent, place) else _next_mp3_frame(sent, place)


def _next_mp3_frame(sent: bytes, place: int) -> int:
    """Return the offset of the next two consecutive frames; ``place`` if there are none nearby."""
    for found in MP3_SYNC.finditer(sent, place, place + MP3_GAP_AT_MOST):
        at = found.start()
        if (frame := _mp3_frame(sent, at)) and _mp3_frame(sent, at + frame.size):
            return at
    return place


def _mp3_frame(sent: bytes, place: int) -> Mp3Frame | None:
    """Return the frame at ``place``; None if there is none or it is incomplete."""
    if len(sent) < place + 4 or sent[place] != 0xFF or sent[place + 1] & 0xE6 != 0xE2:
        return None
    version, rates, padding = sent[place + 1] >> 3 & 3, sent[place + 2] >> 2, sent[place + 2] >> 1 & 1
    rate, sample_rate = rates >> 2, rates & 3
    if version == 1 or sample_rate == 3 or rate in (0, 15):
        return None
    samples = 1152 if version == 3 else 576
    hertz = MP3_SAMPLE_RATES[version][sample_rate]
    size = samples // 8 * MP3_RATES[version != 3][rate] * 1000 // hertz + padding
    return Mp3Frame(size, samples / hertz) if place + size <= len(sent) else None


# Ogg with Vorbis or Opus: packets on pages with a checksum each. The second packet holds the metadata.
OGG_BEGINS = re.compile(rb"OggS")
VORBIS, OPUS = b"\x01vorbis", b"OpusHead"
OGG_OTHERS = {b"\x7fFLAC": "FLAC", b"fLaC": "FLAC", b"Speex   ": "Speex"}
OGG_FILMS = (b"\x80theora", b"\x01video", b"BBCD")
OPUS_HERTZ = 48_000
#: The maximum size of a segment. After one of this size, the packet continues.
OGG_FULL = 255
OGG_NO_TIME = 0xFFFFFFFFFFFFFFFF
MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class OggPage(NamedTuple):
    begin: int
    end: int
    time: int
    stream: bytes
    pieces: list[tuple[int, int]]


def strip_ogg(sent: bytes) -> StrippedSound:
    """Return the same file with its metadata packet blanked; raise ``Film``, ``OtherKind`` or ValueError."""
    pages = list(_ogg_pages(sent))
    head = sent[pages[0].pieces[0][0] : pages[0].end]
    if any(sent[page.pieces[0][0] :].startswith(OGG_FILMS) for page in pages[:4] if page.pieces):
        raise Film
    for begins, name in OGG_OTHERS.items():
        if head.startswith(begins):
            raise OtherKind(name)
    if len({page.stream for page in pages}) > 1:
        raise ValueError("several streams")
    content = bytearray(sent[: pages[-1].end])
    _blank_ogg_comments(content, pages, head.startswith(VORBIS))
    ends = max(page.time for page in pages if page.time != OGG_NO_TIME)
    if head.startswith(VORBIS):
        return StrippedSound(bytes(content), ends / int.from_bytes(head[12:16], "little"))
    if head.startswith(OPUS):
        return StrippedSound(bytes(content), (ends - int.from_bytes(head[10:12], "little")) / OPUS_HERTZ)
    raise ValueError("neither Vorbis nor Opus")


def _ogg_pages(sent: bytes) -> Iterator[OggPage]:
    begin = 0
    while sent[begin : begin + 4] == b"OggS":
        count = sent[begin + 26]
        place, pieces = begin + 27 + count, []
        for size in sent[begin + 27 : place]:
            pieces.append((place, place + size))
            place += size
        if place > len(sent) or _ogg_checksum(sent[begin:place]) != sent[begin + 22 : begin + 26]:
            raise ValueError("a broken page")
        time = int.from_bytes(sent[begin + 6 : begin + 14], "little")
        yield OggPage(begin, place, time, sent[begin + 14 : begin + 18], pieces)
        begin = place


def _blank_ogg_comments(content: bytearray, pages: list[OggPage], is_vorbis: bool) -> None:
    """Overwrite the second packet with an encoder's name of blanks that fills it, and without comments."""
    pieces = [(begin, end, page) for page in pages for begin, end in page.pieces]
    after_first = 1 + next(
        (at for at, (begin, end, _) in enumerate(pieces) if end - begin < OGG_FULL), len(pieces)
    )
    second = []
    for begin, end, page in pieces[after_first:]:
        second.append((begin, end, page))
        if end - begin < OGG_FULL:
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
        content[page.begin + 22 : page.begin + 26] = _ogg_checksum(content[page.begin : page.end])


def _ogg_checksum(page: bytes | bytearray) -> bytes:
    """Return the checksum of a page: zlib's CRC-32 with reversed bits, and without XOR before and after."""
    mirrored = (page[:22] + bytes(4) + page[26:]).translate(MIRRORED)
    turned = zlib.crc32(mirrored, 0xFFFFFFFF) ^ 0xFFFFFFFF
    return int(f"{turned:032b}"[::-1], 2).to_bytes(4, "little")


# M4A: nested boxes. Some hold offsets of others, so metadata is overwritten with zeros, not removed.
MP4_BEGINS = re.compile(rb".{4}ftyp", re.DOTALL)
MP4_HOLD_BOXES = (b"moov", b"trak", b"mdia", b"minf", b"stbl")
SOUND, AAC = b"soun", b"mp4a"
MP4_OTHERS = {
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
MP4_TELL = (b"udta", b"meta", b"uuid", b"free", b"skip", b"wide")


class Mp4Box(NamedTuple):
    name: bytes
    begin: int
    body: int
    end: int


def strip_mp4(sent: bytes) -> StrippedSound:
    """Return the same file with its metadata overwritten; raise ``Film``, ``OtherKind`` or ValueError."""
    content, tracks, seconds = bytearray(sent), set(), 0.0
    packings: list[bytes] = []
    track = b""
    for box in _mp4_boxes(sent):
        if box.name in MP4_TELL:
            content[box.begin + 4 : box.begin + 8] = b"free"
            content[box.body : box.end] = bytes(box.end - box.body)
        elif box.name == b"hdlr":
            track = track or sent[box.body + 8 : box.body + 12]
            tracks.add(track)
        elif box.name == b"trak":
            track = b""
        elif box.name == b"mvhd":
            seconds = _mp4_seconds(sent[box.body : box.end])
        elif box.name == b"stsd" and track == SOUND:  # skips tracks with names of chapters
            packings.append(sent[box.body + 12 : box.body + 16])
    if b"vide" in tracks:
        raise Film
    if SOUND not in tracks:
        raise ValueError("no track of sound")
    for packing in packings:
        if packing != AAC:
            raise OtherKind(MP4_OTHERS.get(packing, f"MP4 ({packing.decode('ascii', 'replace')})"))
    return StrippedSound(bytes(content), seconds)


def _mp4_boxes(sent: bytes) -> Iterator[Mp4Box]:
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
        if name in MP4_HOLD_BOXES:
            ends.append(box.end)
        begin = body if name in MP4_HOLD_BOXES else box.end


def _mp4_seconds(head: bytes) -> float:
    """Return the duration in seconds, from the body of the ``mvhd`` box."""
    wide = head[0] == 1
    ticks = int.from_bytes(head[20:24] if wide else head[12:16])
    return int.from_bytes(head[24:32] if wide else head[16:20]) / ticks


# WAV: a sequence of chunks, three of which are needed for the sound.
WAV_BEGINS = re.compile(rb"RIFF.{4}WAVE", re.DOTALL)
WAV_HEARD = (b"fmt ", b"fact", b"data")
#: Format codes of integer and float samples. The extensible header has one of these at a later offset.
WAV_SAMPLES, LONGER_HEAD = (1, 3), 0xFFFE


def strip_wav(sent: bytes) -> StrippedSound:
    """Return the file without chunks other than the sound's; raise ``OtherKind`` or ValueError."""
    chunks: dict[bytes, bytes] = {}
    place = 12
    while place + 8 <= len(sent):
        name, size = sent[place : place + 4], int.from_bytes(sent[place + 4 : place + 8], "little")
        if name in WAV_HEARD:
            chunks.setdefault(name, sent[place + 8 : place + 8 + size])
        place += 8 + size + size % 2
    samples, _, _, bytes_a_second = struct.unpack_from("<HHII", chunks[b"fmt "])
    if samples == LONGER_HEAD:
        [samples] = struct.unpack_from("<H", chunks[b"fmt "], 24)
    if samples not in WAV_SAMPLES:
        raise OtherKind("WAV (ADPCM …)")
    kept = b"".join(_wav_chunk(name, chunks[name]) for name in WAV_HEARD if name in chunks)
    return StrippedSound(_wav_chunk(b"RIFF", b"WAVE" + kept), len(chunks[b"data"]) / bytes_a_second)


def _wav_chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)


class SoundKind(NamedTuple):
    """An accepted format: its first bytes, its media type, and its parser, which removes the metadata."""

    begins: re.Pattern[bytes]
    media_type: str
    strip_metadata: Callable[[bytes], StrippedSound]


KINDS = (
    SoundKind(MP3_BEGINS, "audio/mpeg", strip_mp3),
    SoundKind(OGG_BEGINS, "audio/ogg", strip_ogg),
    SoundKind(MP4_BEGINS, "audio/mp4", strip_mp4),
    SoundKind(WAV_BEGINS, "audio/wav", strip_wav),
)


def check_sound(sent: bytes) -> Sound:
    """Check an uploaded sound, and return it without its metadata.

    :param sent: untrusted bytes; an MP3, Ogg (Vorbis or Opus), M4A or WAV file is accepted.
    :raises SoundRefused: with one of the codes of ``sessions.scenarios.editing.SOUND_REFUSALS``.
    """
    if not sent:
        raise SoundRefused("sound_empty")
    if len(sent) > BYTES_AT_MOST:
        raise SoundRefused("sound_too_heavy")
    try:
        refuse_other_kinds(sent)
        kind = next((kind for kind in KINDS if kind.begins.match(sent)), None)
        if kind is None:
            raise ValueError("nothing that is known")
        content, seconds = kind.strip_metadata(sent)
    except Film as film:
        raise SoundRefused("sound_is_film") from film
    except OtherKind as other:
        raise SoundRefused(OTHER_KINDS[other.name not in FOR_APPLE], kind=other.name) from other
    except Exception as problem:  # parsers may raise anything on broken files
        raise SoundRefused("sound_unreadable") from problem
    if seconds > SECONDS_AT_MOST:
        raise SoundRefused("sound_too_long")
    if seconds <= 0:
        raise SoundRefused("sound_unreadable")
    return Sound(content, kind.media_type, seconds)
