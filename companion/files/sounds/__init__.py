"""Uploaded sounds: detect their format from their bytes, and strip their metadata.

Sounds cannot be re-encoded without an encoder, so the audio data is stored as uploaded. Every file is parsed
completely, and tags, pictures and other data are removed, because they may contain names and locations of
people. Of the libraries for this, one is under the GPL, and the others read tags but cannot remove them.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.files.sounds import mp3, mp4, ogg, other_kinds, wav
from companion.files.sounds.other_kinds import Film, OtherKind

BYTES_AT_MOST = 8_000_000
SECONDS_AT_MOST = 10 * 60
KINDS = (mp3, ogg, mp4, wav)
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
        other_kinds.refuse(sent)
        kind = next((kind for kind in KINDS if kind.BEGINS.match(sent)), None)
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
    return Sound(content, kind.MEDIA_TYPE, seconds)
