"""Run a scripted game and print one JSON object per line.

This is also a program: ``python -m sessions.engine.playthrough FILE``. The golden files in the modules'
folders show the format of scripts and lines. A seat may take its last move back, and the GM several, as at
any table::

    {"seat": "p1", "move": {"type": "undo"}}
    {"seat": "gm", "move": {"type": "rewind", "to": 3, "reason": "wrong target"}}

Each of them gets the next version number. Scripted shuffles and rolls of the moves taken back stay used up.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from companion.fate import BadFate, ScriptedFate
from sessions.engine.registry import GameNotRegistered, registry
from sessions.engine.step import encode, start, step
from sessions.engine.undo import History, Rewind, Undo, decode_table_move, is_safe, rewind, undo
from sessions.game import AnyModule, BadTable, Event, IllegalMove, Outcome, Seat, Seated

AS_SCRIPTED, NOT_AS_SCRIPTED, UNREADABLE = 0, 1, 2


class BadScript(ValueError):
    """A script that cannot be read or played; the text says why."""


class Scripted(msgspec.Struct, frozen=True):
    """Results of shuffles and rolls that the script fixes, by name."""

    shuffles: dict[str, list[list[Any]]] = {}
    rolls: dict[str, list[int]] = {}


class PlaythroughStep(msgspec.Struct, frozen=True):
    """One step of a script: a move of a seat, or a request for a view or for the legal moves."""

    seat: Seat | None = None
    move: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    refused: bool = False
    view: Seat | msgspec.UnsetType | None = msgspec.UNSET
    legal: Seat | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        kinds = (self.move, self.view, self.legal)
        if sum(kind is not msgspec.UNSET for kind in kinds) != 1:
            raise ValueError("a step has exactly one of move, view and legal")


class Script(msgspec.Struct, frozen=True):
    module: str
    seats: list[Seat]
    options: dict[str, Any] = {}
    secret: str = ""
    fate: Scripted = Scripted()
    steps: list[PlaythroughStep] = []


class Accepted(msgspec.Struct, frozen=True):
    step: int
    accepted: bool
    version: int
    events: list[Event]


class RefusedMove(msgspec.Struct, frozen=True):
    step: int
    accepted: bool
    code: str


class Looked(msgspec.Struct, frozen=True):
    """The line that is printed for a view."""

    step: int
    view: msgspec.Struct


class Listed(msgspec.Struct, frozen=True):
    """The line that is printed for legal moves."""

    step: int
    legal: list[Any]


class Last(msgspec.Struct, frozen=True):
    outcome: Outcome | None
    waiting_for: list[Seat]


Line = Accepted | RefusedMove | Looked | Listed | Last


@dataclass(frozen=True)
class AcceptedMove:
    """An accepted move of the module: its seat, the snapshot, and the scripted results used before it."""

    seat: Seat
    move: Any
    before: bytes
    used: Counter[str]


class ScriptedGame:
    """A running game: its snapshot, the number of accepted moves, and the scripted results used so far."""

    def __init__(self, script: Script) -> None:
        """Open the table.

        :raises BadScript: there is no such module.
        :raises BadTable: the seats or options do not fit the module.
        :raises BadFate: a scripted result does not fit the setup.
        """
        try:
            self.module: AnyModule = registry()[script.module]
        except GameNotRegistered:
            raise BadScript(f"no module {script.module!r}") from None
        self.script, self.version, self.used = script, 0, Counter[str]()
        self.played: dict[int, AcceptedMove] = {}
        self.restored: dict[int, int] = {}
        fate = self._fate(0, self.used)
        self.snapshot = start(self.module, script.seats, script.options, fate)
        self.used = fate.used

    def play(self, index: int, line: PlaythroughStep) -> tuple[Line, bool]:
        """Do one step; return the line to print, and whether the step went as the script says.

        :raises BadScript: the step asks for a view or the legal moves of an unknown seat.
        :raises BadFate: a scripted result does not fit (see ScriptedFate).
        """
        if isinstance(line.move, msgspec.Raw):
            printed = self._move(index, line.seat, bytes(line.move))
            return printed, printed.accepted is not line.refused
        state = self.module.load(self.snapshot)
        if line.legal is not msgspec.UNSET:
            return Listed(index, self.module.legal_moves(state, _check_seat(state, line.legal))), True
        seat = None if line.view in (None, msgspec.UNSET) else _check_seat(state, line.view)
        return Looked(index, self.module.view(state, seat)), True

    def last(self) -> Last:
        state = self.module.load(self.snapshot)
        return Last(self.module.outcome(state), sorted(self.module.waiting_for(state)))

    def _move(self, index: int, seat: Seat | None, raw: bytes) -> Accepted | RefusedMove:
        try:
            move = decode_table_move(self.module, raw)
            if isinstance(move, Undo | Rewind):
                events = [self._take_back(seat or "", move)]
            else:
                events = self._step(seat, move)
        except IllegalMove as refusal:
            return RefusedMove(index, False, refusal.code)
        self.version += 1
        return Accepted(index, True, self.version, events)

    def _step(self, seat: Seat | None, move: Any) -> list[Event]:
        before, number, fate = self.snapshot, self.version + 1, self._fate(self.version + 1, self.used)
        self.snapshot, events = step(self.module, before, seat, move, fate)
        self.played[number] = AcceptedMove(seat or "", move, before, self.used)
        self.used = fate.used
        return events

    def _take_back(self, seat: Seat, move: Undo | Rewind) -> Event:
        history = History(self.version, self.restored)
        match move:
            case Undo():
                back = undo(history, seat, allowed=self._can_undo(seat, history.newest_number))
            case Rewind():
                back = rewind(history, seat, move)
        self.snapshot = self.played[min(back.numbers)].before
        self.restored[self.version + 1] = back.to
        return back.event

    def _can_undo(self, seat: Seat, number: int) -> bool:
        last = self.played.get(number)
        if last is None or last.seat != seat:
            return False
        fate, seed = self._fate(number, last.used), f"{self.script.secret}/undo {number}"
        return is_safe(self.module, last.before, seat, last.move, fate, seed)

    def _fate(self, move_number: int, used: Counter[str]) -> ScriptedFate:
        scripted = self.script.fate
        return ScriptedFate(self.script.secret, move_number, scripted.shuffles, scripted.rolls, used)


def _check_seat(state: Seated, seat: Seat) -> Seat:
    if seat not in state.seats:
        raise BadScript(f"no seat {seat!r}")
    return seat


MAX_DEPTH = 100  # deeper than any move of any module nests
#: A JSON escape: a surrogate pair, half of one (the group), or any other.
ESCAPE = re.compile(
    rb"\\u[dD][89abAB]%b\\u[dD][c-fC-F]%b|(\\u[dD][89a-fA-F]%b)|\\." % ((b"[0-9a-fA-F]{2}",) * 3)
)


def read_script(raw: bytes) -> Script:
    """Read a script.

    :raises BadScript: ``raw`` is not the JSON of a script.
    """
    # No module accepts a lone surrogate or NUL. With NUL, such a move does not make the script unreadable.
    raw = ESCAPE.sub(lambda found: b"\\u0000" if found[1] else found[0], raw)
    try:
        try:
            return msgspec.json.decode(raw, type=Script)
        except RecursionError:
            return msgspec.json.decode(_prune_nesting(raw), type=Script)
    except ValueError as problem:
        raise BadScript(str(problem)) from None


def run_script(script: Script) -> Iterator[tuple[Line, bool]]:
    """Play a script; yield each line, and whether its step went as the script says.

    :raises ValueError: BadScript, BadTable or BadFate, possibly after some lines.
    """
    game = ScriptedGame(script)
    for index, line in enumerate(script.steps):
        yield game.play(index, line)
    yield game.last(), True


def main(path: str, write: Callable[[str], object], complain: Callable[[str], object]) -> int:
    """Run the script in the file ``path`` and return the exit status: 0 as scripted, 1 not, 2 unreadable."""
    status = AS_SCRIPTED
    try:
        for line, as_scripted in run_script(read_script(Path(path).read_bytes())):
            write(encode(line).decode() + "\n")
            if not as_scripted:
                status = NOT_AS_SCRIPTED
    except (OSError, BadScript, BadTable, BadFate) as problem:
        complain(f"{path}: {problem}\n")
        return UNREADABLE
    return status


def _prune_nesting(raw: bytes) -> bytes:
    """Replace everything nested deeper than any move by null: such a move stays illegal, but is readable."""
    kept, depth, in_string, escaped = bytearray(), 0, False, False
    for byte in raw:
        char = chr(byte)
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        if not in_string and char in "[{":
            depth += 1
            if depth == MAX_DEPTH:
                kept += b"null"
        if depth < MAX_DEPTH:
            kept.append(byte)
        if not in_string and char in "]}":
            depth -= 1
    return bytes(kept)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m sessions.engine.playthrough FILE.json")
    sys.exit(main(sys.argv[1], sys.stdout.write, sys.stderr.write))
