"""Sights: one screen's values of a table at one version, drawn once for all screens that see the same."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from companion import drawing
from companion.memory.bounded import Bounded
from companion.memory.used import Used
from sessions.card_table.npcs import notes_of
from sessions.engine.failing import doing
from sessions.engine.first_games import NEWCOMER
from sessions.engine.shelf import shelf
from sessions.game import Event
from sessions.models import Table, Trial
from sessions.screen import regions
from sessions.screen.regions import LoggedMove, Screen
from sessions.table import looks
from sessions.table.held import Held
from sessions.table.ledger import Line
from sessions.table.log import Tail, shown

#: So many moves of a log are remembered for one kind of reader.
MOVES_KEPT = 256
UNKNOWN = (None, None)
#: So many lines tell what happened since one's last move.
SINCE = 3
#: The same where a game tells a whole turn in one.
GIST = 12
#: The tables that open pages show are remembered, and so many others that were drawn last.
TABLES_KEPT = 16


Gist = Callable[[Sequence[Event]], Sequence[Event]]
SPECTATOR = Screen("phone", None)


@dataclass(frozen=True)
class Extra:
    """The values of a screen besides the table itself."""

    #: The GM's name and notes for an NPC, by its id at the table. For the GM's eyes only.
    notes: dict[str, dict[str, str]] | None = None
    #: True if the seat may take its last move back; None while that is not known.
    can_undo: bool | None = False


class Sight:
    """One screen's table at one version, in the reader's language. Values are made when asked for.

    Templates read ``SHOWN`` and nothing else; they are drawn from it alone.
    """

    SHOWN = frozenset(
        {"view", "seat", "names", "faces", "bot_faces", "figures", "waiting", "over", "table", "entries"}
        | {"last_move", "rewinds", "can_undo", "can_concede", "notes", "since", "absent", "grace"}
        | {"first_game"}
    )

    def __init__(self, held: Held, screen: Screen, extra: Extra, everybodys: Sight | None = None) -> None:
        self.held, self.screen, self.extra = held, screen, extra
        #: A spectator's sight, from which regions are drawn that are the same for all.
        self.everybodys = everybodys
        self.seat, self.language = screen.seat, get_language()
        self.look = held.look(screen.seat)
        self.view, self.figures, self.over = self.look.view, self.look.figures, self.look.over
        self._drawn: dict[str, SafeString] = {}

    def draw(self, region: str) -> SafeString:
        if self.everybodys and region in regions.placed(self.layout, "shared"):
            return self.everybodys.draw(region)
        if region not in self._drawn:
            key = self.held.table.module
            with doing(key, f"drawing {region}"):
                template = drawing.drawing(regions.templates(key, region), self.language)
                self._drawn[region] = SafeString(template(self.get))
        return self._drawn[region]

    def get(self, name: str) -> Any:
        return getattr(self, name) if name in self.SHOWN else drawing.NOTHING

    @cached_property
    def said(self) -> dict[str, str]:
        """The names of the seats as the log tells of them."""
        return self.everybodys.said if self.everybodys else regions.names_of(self.held.table)

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of the seats as the table shows them now: with a mark where a bot plays for somebody."""
        if self.everybodys:
            return self.everybodys.names
        lent = [sits.key for sits in self.held.table.sitters if sits.bot and sits.seat_id]
        return self.said | {key: _("%(name)s (bot)") % {"name": self.said[key]} for key in lent}

    @cached_property
    def faces(self) -> dict[str, SafeString]:
        """The faces of the characters at the table, by seat."""
        return self.everybodys.faces if self.everybodys else regions.faces_of(self.held.table)

    @cached_property
    def bot_faces(self) -> dict[str, str]:
        """The faces of bots that are nobody's, by seat (templates/tables/kit/bot_face.jinja)."""
        if self.everybodys:
            return self.everybodys.bot_faces
        return {sits.key: sits.key for sits in self.held.table.sitters if sits.seat_id is None}

    @cached_property
    def waiting(self) -> tuple[str, ...]:
        if self.everybodys:
            return self.everybodys.waiting
        return looks.waiting(self.held.table, self.held.seen)

    @cached_property
    def table(self) -> dict[str, int]:
        return {"pk": self.held.table.pk}

    @cached_property
    def entries(self) -> list[SafeString]:
        """The end of the log, an entry a move."""
        moves = self._logged(shown(self.held.told, self.seat))
        return regions.draw_entries(self.held.table, moves, rewinds=self.rewinds)

    @cached_property
    def last_move(self) -> LoggedMove | None:
        return next(iter(self._logged(self.held.told[-1:])), None)

    @cached_property
    def since(self) -> tuple[SafeString, ...]:
        """The newest lines of what happened since the player's own last act; nothing before their first.

        What a bot played for them meanwhile belongs to it. A game may tell it shorter, from its beginning.
        """
        told = self.held.told
        own = next((place for place in reversed(range(len(told))) if self._is_own(told[place])), None)
        if gist := shelf()[self.held.table.module].telling.gist:
            return self._gist(gist, told[own or 0 :])  # with what came of that act
        if own is None:
            return ()
        moves = [move for move in self._logged(told[own + 1 :]) if move.stands]
        return tuple(line for move in moves for line in move.lines)[-SINCE:]

    def _gist(self, gist: Gist, tail: Tail) -> tuple[SafeString, ...]:
        readable = [line for lines in tail for line in lines if line.may_be_read_by(self.seat)]
        events = gist([line.event for line in readable if not line.taken_back])
        drawn = (regions.draw_event(self.held.table, event, self._log_values) for event in events[-GIST:])
        return tuple(drawn)

    def _is_own(self, lines: Sequence[Line]) -> bool:
        """True if a move was an act of this seat's player; what tells nobody else of it, a pass, is none."""
        if not lines or lines[0].by != self.seat or lines[0].event.kind == "bot_played":
            return False
        return lines[0].event.to is None

    def _logged(self, tail: Tail) -> list[LoggedMove]:
        """Return the moves that the seat may read of; each is drawn when it is new."""
        known = drawings(self.held.table.pk).logged(self.language, self.seat, tuple(self.said.values()))
        moves = []
        for lines in tail:
            # By identity: the lines of a move stay the same object as long as the log only grows.
            drawn_from, move = known.get(id(lines), UNKNOWN)
            if drawn_from is not lines:
                move = self._logged_move(lines)
                known[id(lines)] = lines, move
            if move:
                moves.append(move)
        return moves

    def _logged_move(self, lines: Sequence[Line]) -> LoggedMove | None:
        readable = [line for line in lines if line.may_be_read_by(self.seat)]
        move = regions.draw_move(self.held.table, readable, self._log_values) if readable else None
        return move if move and move.lines else None

    @property
    def _log_values(self) -> dict[str, Any]:
        own = {"view": self.view, "figures": self.figures, "seat": self.seat}
        return {"table": self.table, "names": self.said, **own}

    @property
    def rewinds(self) -> bool:
        return self.screen.runs and self.held.table.session.ended_at is None

    @property
    def can_undo(self) -> bool:
        return bool(self.extra.can_undo)

    @property
    def grace(self) -> str:
        """The mover whose newest move lies under a veil: "own", "other", or "" if none does."""
        if self.held.veiled is None:
            return ""
        return "own" if self.seat is not None and self.held.newest_mover == self.seat else "other"

    @cached_property
    def first_game(self) -> str:
        """The step of a first game at which its newcomer is, "" for everybody else."""
        first, session = shelf()[self.held.table.module].first_game, self.held.table.session
        told = first and session.trial == Trial.FIRST_GAME and self.seat == NEWCOMER and not self.over
        return first.step(self.view) if first and told else ""

    @cached_property
    def can_concede(self) -> bool:
        return looks.can_concede(self.held.table, self.held.seen, self.seat)

    @cached_property
    def absent(self) -> list[dict[str, Any]]:
        """For who runs the session: the seats that the table waits for in vain, with who could play them."""
        return absent(self.held.table, self.waiting) if self.screen.runs else []

    @property
    def bots_play(self) -> bool:
        """True if the reader plays here with bots, and is not asked anything now."""
        idle = bool(self.seat) and not self.over and self.seat not in self.waiting
        return idle and any(sits.bot for sits in self.held.table.sitters)

    @property
    def notes(self) -> dict[str, dict[str, str]]:
        return self.extra.notes or {}

    @cached_property
    def layout(self) -> str:
        return regions.layout_template(self.held.table.module, self.screen.layout)

    def shown(self, opened: Iterable[str]) -> tuple[str, ...]:
        """Return the regions that a page shows with these bottom sheets open."""
        return regions.shown(self.layout, frozenset(opened), with_undo=self.extra.can_undo is not None)

    @property
    def sheets(self) -> dict[str, tuple[str, ...]]:
        """The regions that lie in bottom sheets, by the sheet's id."""
        return regions.sheets(self.layout)

    @property
    def every(self) -> tuple[str, ...]:
        """All regions of the table that the layout places."""
        return regions.placed(self.layout, "shared") + regions.placed(self.layout, "own")


def look_now(held: Held, screen: Screen) -> Sight:
    """Return a screen's sight of a table, with all values that the database has to be asked for."""
    extra = Extra(notes_for(held, screen), looks.can_undo(held.table, screen.seat, held.newest))
    return Sight(held, screen, extra, everybodys(held))


def everybodys(held: Held) -> Sight:
    """Return the sight from which regions are drawn that are the same for all."""
    return Sight(held, SPECTATOR, Extra())


def absent(table: Table, waiting: Collection[str]) -> list[dict[str, Any]]:
    """Return the awaited seats of which nobody plays the hand: with those at the table who could.

    Their players stepped out, or had their seat taken back.

    The next at the table comes first, the GM last.
    """
    seated = [sits for sits in table.sitters if sits.seat and not sits.bot]
    found = []
    for place, sits in enumerate(seated):
        seat = sits.seat
        if seat is None or seat.is_gm or sits.key not in waiting or seat.stand_in_id:
            continue
        if not seat.stepped_out and not seat.removed_at:
            continue
        others = [other.seat for other in (*seated[place + 1 :], *seated[:place]) if other.seat]
        others.sort(key=lambda other: other.is_gm)
        able = [other for other in others if not other.stepped_out and not other.removed_at]
        helpers = [{"pk": other.pk, "name": other.name, "gm": other.is_gm} for other in able]
        asked = {"pk": seat.pk, "session": table.session_id, "name": seat.name, "helpers": helpers}
        found.append(asked | {"empty": seat.removed_at is not None})
    return found


def notes_for(held: Held, screen: Screen) -> dict[str, dict[str, str]]:
    """Return the GM's notes about the NPCs of a table, nothing for any other screen."""
    return notes_of(held.table) if screen.layout == "gm" else {}


Logged = Bounded[int, tuple[Sequence[Line], LoggedMove | None]]  # by the identity of a move's lines


class Drawings:
    """The lines of one table's log that this process has drawn."""

    def __init__(self) -> None:
        self._logged: dict[tuple[Any, ...], Logged] = {}

    def logged(self, *place: Any) -> Logged:
        """Return the moves of the log that were drawn for readers of one language, seat and time of names."""
        return self._logged.setdefault(place, Bounded(MOVES_KEPT))


_tables: Used[int, Drawings] = Used(TABLES_KEPT)


def drawings(table_pk: int) -> Drawings:
    return _tables.get(table_pk) or _tables.setdefault(table_pk, Drawings())


def forget() -> None:
    """Drop every drawing, for a database that begins anew."""
    _tables.clear()
    regions.forget()
