"""The frames that pages send. Each kind is recognised by a field that no other kind has."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal
from uuid import UUID

from msgspec import Raw, Struct
from msgspec.json import Decoder

from sessions.evening import care_signals
from sessions.screen.pacing import Tempo


class MoveFrame(Struct, frozen=True):
    """A move, with the table version and the mark of the question that its player saw."""

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
    """A heartbeat."""

    ping: Literal[1]


class Care(Struct, frozen=True):
    """A care signal, without its sender's name unless they want it."""

    care: care_signals.SignalKind
    named: bool = False


class Heard(Struct, frozen=True):
    """The GM has heard a care signal."""

    heard: care_signals.SignalKind


class ShareFrame(Struct, frozen=True):
    """A page's share in the random seed of a table that is opening."""

    share: str
    opening: str


class Nudge(Struct, frozen=True):
    """The GM buzzes the phone of a seat."""

    nudge: str


class RevealFrame(Struct, frozen=True):
    """A mover reveals the drawn cards before the undo window ends; ``draw`` is the version of the move."""

    draw: int


class Reads(Struct, frozen=True):
    """A player reads what they could play, which delays the timeout of their silence; or has stopped."""

    reads: bool


class Learns(Struct, frozen=True):
    """A player reads a lesson, which pauses the clock of their table; or has stopped."""

    learns: bool


class AtTempo(Struct, frozen=True):
    """The tempo at which this page's reader wants bots to move."""

    tempo: Tempo


class Emote(Struct, frozen=True):
    emote: str


class SheetOpened(Struct, frozen=True):
    """A bottom sheet was opened, so its content must be rendered."""

    opened: str


class SheetClosed(Struct, frozen=True):
    closed: str


class UnreadableFrame(Struct, frozen=True):
    """A frame that no page of ours sends; ``id`` is set if it could be read."""

    id: str | None = None


Frame = (
    Ping
    | Care
    | Heard
    | ShareFrame
    | Nudge
    | RevealFrame
    | Reads
    | Learns
    | AtTempo
    | Emote
    | SheetOpened
    | SheetClosed
    | MoveFrame
    | UnreadableFrame
)

_fields = Decoder(dict[str, Raw])
_text = Decoder(str)
READERS: dict[str, Decoder[Frame]] = {
    "move": Decoder(MoveFrame),
    "ping": Decoder(Ping),
    "care": Decoder(Care),
    "heard": Decoder(Heard),
    "share": Decoder(ShareFrame),
    "nudge": Decoder(Nudge),
    "draw": Decoder(RevealFrame),
    "reads": Decoder(Reads),
    "learns": Decoder(Learns),
    "tempo": Decoder(AtTempo),
    "emote": Decoder(Emote),
    "opened": Decoder(SheetOpened),
    "closed": Decoder(SheetClosed),
}


def read_frame(text: str) -> Frame:
    given: dict[str, Raw] = {}
    with suppress(ValueError, RecursionError):
        given = _fields.decode(text)
        for name, reader in READERS.items():
            if name in given:
                return reader.decode(text)
    return UnreadableFrame(_id(given))


def _id(given: dict[str, Raw]) -> str | None:
    with suppress(KeyError, ValueError):
        return _text.decode(given["id"])
    return None
