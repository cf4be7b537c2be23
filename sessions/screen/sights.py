"""Sights: one screen's values of a table at one version, drawn once for all screens that see the same."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from companion import jinja
from companion.noting import MISSING, Comparison, Note
from sessions.card_table.npcs import notes_of
from sessions.screen import regions
from sessions.screen.regions import LoggedMove, Screen
from sessions.table import looks
from sessions.table.held import Held
from sessions.table.log import Tail, newest_moves

#: The most tables that are remembered.
TABLES_KEPT = 256


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
        {"view", "seat", "names", "over", "table", "entries", "last_move"}
        | {"rewinds", "can_undo", "can_concede", "notes"}
    )

    def __init__(
        self,
        held: Held,
        screen: Screen,
        extra: Extra,
        comparison: Comparison,
        everybodys: Sight | None = None,
    ) -> None:
        self.held, self.screen, self.extra, self.comparison = held, screen, extra, comparison
        #: A spectator's sight, from which regions are drawn that are the same for all.
        self.everybodys = everybodys
        self.seat, self.language = screen.seat, get_language()
        self.look = held.look(screen.seat)
        self.view, self.over = self.look.view, self.look.over
        self._drawn: dict[str, SafeString] = {}

    def draw(self, region: str) -> SafeString:
        """Return the HTML of a region."""
        if self.everybodys and region in regions.placed(self.layout, "shared"):
            return self.everybodys.draw(region)
        if region not in self._drawn:
            self._drawn[region] = drawings(self.held.table.pk).draw(self, region)
        return self._drawn[region]

    def get(self, name: str) -> Any:
        return getattr(self, name) if name in self.SHOWN else MISSING

    @cached_property
    def said(self) -> dict[str, str]:
        """The names of the seats as the log tells of them."""
        return regions.names_of(self.held.table)

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of the seats as the table shows them now: with a mark where a bot plays for somebody."""
        lent = [sits.key for sits in self.held.table.sitters if sits.bot and sits.seat_id]
        return self.said | {key: _("%(name)s (bot)") % {"name": self.said[key]} for key in lent}

    @cached_property
    def table(self) -> dict[str, int]:
        return {"pk": self.held.table.pk}

    @cached_property
    def entries(self) -> list[SafeString]:
        """The end of the log, an entry a move."""
        moves = self._logged(self.held.tail)
        return regions.draw_entries(self.held.table, moves, rewinds=self.rewinds)

    @cached_property
    def last_move(self) -> LoggedMove | None:
        return next(iter(self._logged(self.held.tail[-1:])), None)

    def _logged(self, tail: Tail) -> list[LoggedMove]:
        moves = newest_moves(tail, self.seat)
        logged = [regions.draw_move(self.held.table, lines, self._log_values) for lines in moves]
        return [move for move in logged if move.lines]

    @property
    def _log_values(self) -> dict[str, Any]:
        return {"table": self.table, "view": self.view, "names": self.said, "seat": self.seat}

    @property
    def rewinds(self) -> bool:
        return self.screen.runs and self.held.table.session.ended_at is None

    @property
    def can_undo(self) -> bool:
        return bool(self.extra.can_undo)

    @cached_property
    def can_concede(self) -> bool:
        return looks.can_concede(self.held.table, self.held.state, self.seat)

    @property
    def notes(self) -> dict[str, dict[str, str]]:
        return self.extra.notes or {}

    @cached_property
    def layout(self) -> str:
        return regions.layout_template(self.held.table.module, self.screen.layout)

    def shown(self, opened: Iterable[str]) -> list[str]:
        """Return the regions that a page shows: those outside of bottom sheets, and of the opened sheets.

        :param opened: ids of sheets.
        """
        in_sheets = self.sheets
        closed = {region for sheet in in_sheets.keys() - set(opened) for region in in_sheets[sheet]}
        if self.extra.can_undo is None:
            closed.add("undo")
        return [region for region in self.every if region not in closed]

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
    extra = Extra(notes_for(held, screen), looks.can_undo(held.table, screen.seat))
    comparison = Comparison()
    return Sight(held, screen, extra, comparison, everybodys(held, comparison))


def everybodys(held: Held, comparison: Comparison) -> Sight:
    """Return the sight from which regions are drawn that are the same for all."""
    return Sight(held, SPECTATOR, Extra(), comparison)


def notes_for(held: Held, screen: Screen) -> dict[str, dict[str, str]]:
    """Return the GM's notes about the NPCs of a table, nothing for any other screen."""
    return notes_of(held.table) if screen.layout == "gm" else {}


@dataclass(frozen=True)
class Drawing:
    """The HTML of a region, with the values that were read to draw it."""

    html: SafeString
    note: Note

    def fits(self, then: Sight, now: Sight) -> bool:
        """True if a sight would be drawn the same way as one that this drawing fitted."""
        holds = now.comparison.holds
        for name, part in self.note.parts.items():  # noqa: SIM110 (a generator costs half as much again)
            if not holds(part, then.get(name), now.get(name)):
                return False
        return True


Place = tuple[str, str | None]  # a region in a language


class Drawings:
    """The drawings of one table that this process remembers: each screen's last, and those of this moment."""

    def __init__(self) -> None:
        self._last: dict[tuple[Place, Screen], tuple[Drawing, Sight]] = {}
        self._now: dict[Place, list[tuple[Drawing, Sight]]] = {}

    def draw(self, sight: Sight, region: str) -> SafeString:
        """Return the HTML of a region: a remembered one if it would come out the same, else drawn now."""
        place = region, sight.language
        last = self._last.get((place, sight.screen))
        if last and last[0].fits(last[1], sight):
            drawing = last[0]
        else:
            drawing = self._of_others(place, sight) or draw_anew(sight, region)
            self._now.setdefault(place, []).append((drawing, sight))
        self._last[place, sight.screen] = drawing, sight
        return drawing.html

    def _of_others(self, place: Place, sight: Sight) -> Drawing | None:
        """Return a drawing that another screen got at the same moment of the table, if it fits here, too."""
        drawn = self._now.get(place, [])
        if drawn and drawn[0][1].held is not sight.held:
            drawn.clear()
        return next((drawing for drawing, then in drawn if drawing.fits(then, sight)), None)


def draw_anew(sight: Sight, region: str) -> Drawing:
    """Draw a region without looking for a remembered drawing."""
    html, note = jinja.draw_scene(regions.templates(sight.held.table.module, region), sight)
    return Drawing(html, note)


_tables: dict[int, Drawings] = {}


def drawings(table_pk: int) -> Drawings:
    """Return the remembered drawings of a table."""
    if table_pk not in _tables:
        while len(_tables) >= TABLES_KEPT:
            _tables.pop(next(iter(_tables)), None)
        _tables[table_pk] = Drawings()
    return _tables[table_pk]


def forget() -> None:
    """Drop every drawing, for a database that begins anew."""
    _tables.clear()
    regions.forget()
