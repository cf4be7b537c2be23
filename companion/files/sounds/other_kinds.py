"""The result and the errors of the parsers of sounds, and the formats that are not accepted.

A format that is not accepted is detected, so that a refusal can name it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

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
    """The content of a file without metadata, and its duration in seconds."""

    content: bytes
    seconds: float


def refuse(sent: bytes) -> None:
    """Raise for a known format that is not accepted.

    :raises Film: it is, or may be, a video.
    :raises OtherKind: it is a sound of that format.
    """
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
