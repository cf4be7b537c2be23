"""Sounds from outside: their kind is read from their bytes, and what they tell beside the sound is dropped.

A sound cannot be written anew from its samples without an encoder, so what is heard stays as it was sent.
Every file is read from beginning to end, and tags, pictures and whatever else it carries go: names and places
of people are among them. Of the libraries for this one is under the GPL, and others read, but drop nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.files.sounds import mp3, mp4, ogg, other_kinds, wav
from companion.files.sounds.parsed import Film, OtherKind

BYTES_AT_MOST = 8_000_000
SECONDS_AT_MOST = 10 * 60
KINDS = (mp3, ogg, mp4, wav)
#: Of other kinds, those that Apple's browsers play and no others.
FOR_APPLE = ("Apple Lossless (ALAC)", "AIFF", "CAF", "AC-3", "E-AC-3")


class SoundRefused(Exception):
    """This is not taken as a sound. ``code`` says why; ``sessions.scenarios.sounds`` has the words."""

    def __init__(self, code: str, **details: str) -> None:
        super().__init__(code)
        self.code, self.details = code, details


#: The codes of whole sounds of other kinds.
OTHER_KINDS = ("sound_for_apple", "sound_of_other_kind")


@dataclass(frozen=True)
class Sound:
    """A sound with nothing beside it."""

    content: bytes
    media_type: str
    seconds: float


def checked(sent: bytes) -> Sound:
    """Return the sound in a file.

    :param sent: an MP3, Ogg (Vorbis or Opus), M4A or WAV file, or anything else that a stranger says is one.
    :raises SoundRefused: with one of the codes of ``sessions.scenarios.sounds.SENTENCES``.
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
        content, seconds = kind.bare(sent)
    except Film as film:
        raise SoundRefused("sound_is_film") from film
    except OtherKind as other:
        raise SoundRefused(OTHER_KINDS[other.name not in FOR_APPLE], kind=other.name) from other
    except Exception as problem:  # readers of broken files fail in every way there is
        raise SoundRefused("sound_unreadable") from problem
    if seconds > SECONDS_AT_MOST:
        raise SoundRefused("sound_too_long")
    if seconds <= 0:
        raise SoundRefused("sound_unreadable")
    return Sound(content, kind.MEDIA_TYPE, seconds)
