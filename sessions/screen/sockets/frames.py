"""The frames that pages send. Each kind is known by a field that no other has."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal
from uuid import UUID

from msgspec import Raw, Struct
from msgspec.json import Decoder

from sessions.evening import care_signals
from sessions.screen.pacing import Tempo


class Play(Struct, frozen=True):
    """A move, with the version and the mark of the question that its player saw."""

    id: UUID
    version: int
    asked: str
    move: Raw

    @property
    def kind(self) -> str:
        """The move's own type, for the log."""
        with suppress(LookupError, ValueError, RecursionError):
            return _text.decode(_fields.decode(self.move)["type"])[:80]
        return "?"


class Ping(Struct, frozen=True):
    """A sign of life."""

    ping: Literal[1]


class Care(Struct, frozen=True):
    """A care signal, without its sender's name unless they want it."""

    care: care_signals.Kind
    named: bool = False


class Heard(Struct, frozen=True):
    """The GM has heard a care signal."""

    heard: care_signals.Kind


class Share(Struct, frozen=True):
    """What a page gives to the chance of a table that is opening."""

    share: str
    opening: str


class Nudge(Struct, frozen=True):
    """The GM calls the phone of a seat."""

    nudge: str


class Draw(Struct, frozen=True):
    """A mover turns up at once what their move drew; ``draw`` is the version it led to."""

    draw: int


class Reads(Struct, frozen=True):
    """A player reads what they could play, so that their silence is no answer; or has stopped."""

    reads: bool


class Learns(Struct, frozen=True):
    """A player reads a lesson, so that the clock of their table stands; or has stopped."""

    learns: bool


class AtTempo(Struct, frozen=True):
    """How fast this page's reader wants bots to move."""

    tempo: Tempo


class Emote(Struct, frozen=True):
    emote: str


class Opened(Struct, frozen=True):
    """A bottom sheet lies open, so that its content is drawn."""

    opened: str


class Closed(Struct, frozen=True):
    closed: str


class Unreadable(Struct, frozen=True):
    """Whatever no page of ours sends; ``id`` is there if it could be read."""

    id: str | None = None


Frame = (
    Ping
    | Care
    | Heard
    | Share
    | Nudge
    | Draw
    | Reads
    | Learns
    | AtTempo
    | Emote
    | Opened
    | Closed
    | Play
    | Unreadable
)

_fields = Decoder(dict[str, Raw])
_text = Decoder(str)
READERS: dict[str, Decoder[Frame]] = {
    "move": Decoder(Play),
    "ping": Decoder(Ping),
    "care": Decoder(Care),
    "heard": Decoder(Heard),
    "share": Decoder(Share),
    "nudge": Decoder(Nudge),
    "draw": Decoder(Draw),
    "reads": Decoder(Reads),
    "learns": Decoder(Learns),
    "tempo": Decoder(AtTempo),
    "emote": Decoder(Emote),
    "opened": Decoder(Opened),
    "closed": Decoder(Closed),
}


def read(text: str) -> Frame:
    given: dict[str, Raw] = {}
    with suppress(ValueError, RecursionError):
        given = _fields.decode(text)
        for name, reader in READERS.items():
            if name in given:
                return reader.decode(text)
    return Unreadable(_id(given))


def _id(given: dict[str, Raw]) -> str | None:
    with suppress(KeyError, ValueError):
        return _text.decode(given["id"])
    return None
