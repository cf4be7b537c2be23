"""Screen views: one screen's values of a table at one version, rendered once for all pages that share it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from companion import rendering
from companion.caches import BoundedDict, LruCache
from sessions.card_table.npcs import notes_of
from sessions.engine.bots import NEWCOMER
from sessions.engine.game_errors import guard_call
from sessions.engine.registry import registry
from sessions.game import Event
from sessions.live import regions
from sessions.live.regions import LoggedMove, Screen
from sessions.models import Table, Trial
from sessions.table import seat_view
from sessions.table.log import LogLine, RecentLog, fit_to_page
from sessions.table.table_cache import CachedTable

#: Rendered moves of a log that are cached for one language, seat and set of names.
MOVES_KEPT = 256
UNKNOWN = (None, None)
#: The most log lines that show what happened since the reader's last move.
SINCE = 3
#: The same where a game sums up a whole turn in one line.
GIST = 12
#: The tables that open pages show are cached, and this many of those that were rendered last.
TABLES_KEPT = 16
Gist = Callable[[Sequence[Event]], Sequence[Event]]
SPECTATOR = Screen("phone", None)


@dataclass(frozen=True)
class ScreenExtras:
    """The values of a screen besides the table itself."""

    #: The GM's name and notes for an NPC, by its id at the table. For the GM's eyes only.
    notes: dict[str, dict[str, str]] | None = None
    #: True if the seat may undo its last move; None while that is not known.
    can_undo: bool | None = False


class ScreenView:
    """One screen's view of a table at one version, in one language. Values are computed on first use.

    Templates can read the values in ``SHOWN`` and nothing else.
    """

    SHOWN = frozenset(
        {"view", "seat", "names", "faces", "bot_faces", "figures", "waiting", "over", "table", "entries"}
        | {"last_move", "rewinds", "can_undo", "can_concede", "notes", "since", "absent", "grace"}
        | {"first_game"}
    )

    def __init__(
        self,
        cached: CachedTable,
        screen: Screen,
        extra: ScreenExtras,
        spectators_view: ScreenView | None = None,
    ) -> None:
        self.cached, self.screen, self.extra = cached, screen, extra
        #: A spectator's view, which renders the regions that are the same for all.
        self.spectators_view = spectators_view
        self.seat = screen.seat
        self.language: str = spectators_view.language if spectators_view else get_language()
        self.seat_view = cached.view_for(screen.seat)
        self.view, self.figures = self.seat_view.view, self.seat_view.figures
        self.over = self.seat_view.over
        self._regions: dict[str, SafeString] = {}
        self._rendered: RenderedTable = (
            spectators_view._rendered if spectators_view else rendered_table(cached.table.pk)
        )

    def render_region(self, region: str) -> SafeString:
        if region in self._regions:
            return self._regions[region]
        if self.spectators_view and region in regions.region_names(self.layout, "shared"):
            self._regions[region] = self.spectators_view.render_region(region)
        else:
            key = self.cached.table.module
            with guard_call(key, f"drawing {region}"):
                template = rendering.renderer_of(regions.region_templates(key, region), self.language)
                self._regions[region] = self._rendered.render(template, self.get, self.cached.version)
        return self._regions[region]

    def get(self, name: str) -> Any:
        return getattr(self, name) if name in self.SHOWN else rendering.NOTHING

    @cached_property
    def log_names(self) -> dict[str, str]:
        """Return the names of the seats as the log writes them."""
        return (
            self.spectators_view.log_names if self.spectators_view else regions.seat_names(self.cached.table)
        )

    @cached_property
    def names(self) -> dict[str, str]:
        """Return the names of the seats as the table shows them, marked where a bot plays a person's seat."""
        if self.spectators_view:
            return self.spectators_view.names
        lent = [sits.key for sits in self.cached.table.sitters if sits.bot and sits.seat_id]
        return self.log_names | {key: _("%(name)s (bot)") % {"name": self.log_names[key]} for key in lent}

    @cached_property
    def faces(self) -> dict[str, SafeString]:
        return self.spectators_view.faces if self.spectators_view else regions.seat_faces(self.cached.table)

    @cached_property
    def bot_faces(self) -> dict[str, str]:
        """Return the bot faces of seats without a person, by seat (templates/tables/kit/bot_face.jinja)."""
        if self.spectators_view:
            return self.spectators_view.bot_faces
        return {sits.key: sits.key for sits in self.cached.table.sitters if sits.seat_id is None}

    @cached_property
    def waiting(self) -> tuple[str, ...]:
        if self.spectators_view:
            return self.spectators_view.waiting
        return seat_view.awaited_seats(self.cached.table, self.cached.visible_state)

    @cached_property
    def table(self) -> dict[str, int]:
        return {"pk": self.cached.table.pk}

    @cached_property
    def entries(self) -> list[SafeString]:
        """Return the end of the log, one entry a move."""
        moves = self._visible_moves(fit_to_page(self.cached.visible_log, self.seat))
        return regions.render_entries(self.cached.table, moves, rewinds=self.rewinds)

    @cached_property
    def last_move(self) -> LoggedMove | None:
        newest = self.cached.visible_log[-1:]
        if self.spectators_view and all(line.event.to is None for lines in newest for line in lines):
            return self.spectators_view.last_move
        return next(iter(self._visible_moves(newest)), None)

    @cached_property
    def since(self) -> tuple[SafeString, ...]:
        """Return the newest log lines since the player's own last act; none before their first act.

        A bot's moves for the player are no acts of theirs. If the game has a ``gist``, it sums up the events
        from the last act on, or all events before the first.
        """
        log = self.cached.visible_log
        own = next((place for place in reversed(range(len(log))) if self._is_own(log[place])), None)
        if gist := registry()[self.cached.table.module].telling.gist:
            return self._gist(gist, log[own or 0 :])  # with the results of that act
        if own is None:
            return ()
        moves = [move for move in self._visible_moves(log[own + 1 :]) if move.stands]
        return tuple(line for move in moves for line in move.lines)[-SINCE:]

    def _gist(self, gist: Gist, tail: RecentLog) -> tuple[SafeString, ...]:
        readable = [line for lines in tail for line in lines if line.may_be_read_by(self.seat)]
        events = gist([line.event for line in readable if not line.taken_back])
        return tuple(
            regions.render_event(self.cached.table, event, self._log_values) for event in events[-GIST:]
        )

    def _is_own(self, lines: Sequence[LogLine]) -> bool:
        """True if a move was an act of this seat's player. A pass, which others do not see, is none."""
        if not lines or lines[0].by != self.seat or lines[0].event.kind == "bot_played":
            return False
        return lines[0].event.to is None

    def _visible_moves(self, tail: RecentLog) -> list[LoggedMove]:
        """Return the moves that the seat may read about; each is rendered once."""
        known = self._rendered.moves_for(self.language, self.seat, tuple(self.log_names.values()))
        moves = []
        for lines in tail:
            # By identity: the lines of a move stay the same object as long as the log only grows.
            drawn_from, move = known.get(id(lines), UNKNOWN)
            if drawn_from is not lines:
                move = self._visible_move(lines)
                known[id(lines)] = lines, move
            if move:
                moves.append(move)
        return moves

    def _visible_move(self, lines: Sequence[LogLine]) -> LoggedMove | None:
        readable = [line for line in lines if line.may_be_read_by(self.seat)]
        move = regions.render_move(self.cached.table, readable, self._log_values) if readable else None
        return move if move and move.lines else None

    @property
    def _log_values(self) -> dict[str, Any]:
        own = {"view": self.view, "figures": self.figures, "seat": self.seat}
        return {"table": self.table, "names": self.log_names, **own}

    @property
    def rewinds(self) -> bool:
        return self.screen.runs and self.cached.table.session.ended_at is None

    @property
    def can_undo(self) -> bool:
        return bool(self.extra.can_undo)

    @property
    def grace(self) -> str:
        """Return whose newest move is masked in its undo window: "own", "other", or "" if none is."""
        if self.cached.masked_state is None:
            return ""
        return "own" if self.seat is not None and self.cached.newest_mover == self.seat else "other"

    @cached_property
    def first_game(self) -> str:
        """Return the step that the newcomer of a first game has reached; "" for all other readers."""
        first, session = registry()[self.cached.table.module].first_game, self.cached.table.session
        reads = session.trial == Trial.FIRST_GAME and self.seat == NEWCOMER and not self.over
        return first.step(self.view) if first and reads else ""

    @cached_property
    def can_concede(self) -> bool:
        return seat_view.can_concede(self.cached.table, self.cached.visible_state, self.seat)

    @cached_property
    def absent(self) -> list[dict[str, Any]]:
        """Return the awaited seats of absent players; none if the reader does not run the session."""
        return absent_seats(self.cached.table, self.waiting) if self.screen.runs else []

    @property
    def bots_play(self) -> bool:
        """True if the reader plays at a table with bots and is not asked anything now."""
        idle = bool(self.seat) and not self.over and self.seat not in self.waiting
        return idle and any(sits.bot for sits in self.cached.table.sitters)

    @property
    def notes(self) -> dict[str, dict[str, str]]:
        return self.extra.notes or {}

    @cached_property
    def layout(self) -> str:
        return regions.layout_template(self.cached.table.module, self.screen.layout)

    def visible_regions(self, opened: Iterable[str]) -> tuple[str, ...]:
        """Return the regions that a page shows with these bottom sheets open."""
        return regions.visible_regions(
            self.layout, frozenset(opened), with_undo=self.extra.can_undo is not None
        )

    @property
    def sheets(self) -> dict[str, tuple[str, ...]]:
        return regions.sheets(self.layout)

    @property
    def every(self) -> tuple[str, ...]:
        """All regions of the table that the layout places."""
        return regions.region_names(self.layout, "shared") + regions.region_names(self.layout, "own")


def view_for(cached: CachedTable, screen: Screen) -> ScreenView:
    """Return the view of a screen of a table, including the values that need database queries."""
    notes = notes_of(cached.table) if screen.layout == "gm" else {}
    offered = seat_view.is_offered_undo(cached.table, screen.seat, cached.move_to_undo)
    extra = ScreenExtras(notes, offered)
    return ScreenView(cached, screen, extra, spectator_view(cached))


def spectator_view(cached: CachedTable) -> ScreenView:
    """Return the spectator's view, which renders the regions that are the same for all."""
    return ScreenView(cached, SPECTATOR, ScreenExtras())


def absent_seats(table: Table, waiting: Collection[str]) -> list[dict[str, Any]]:
    """Return the awaited seats without anyone to play them, each with the seats at the table that could.

    Their players stepped out, or their seat was taken from them. Of the seats that could play, the next at
    the table comes first and the GM last.
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


RenderedMoves = BoundedDict[
    int, tuple[Sequence[LogLine], LoggedMove | None]
]  # by the identity of a move's lines


#: The renderings of a template, as pairs of its inputs and the HTML.
Renderings = list[tuple[tuple[Any, ...], SafeString]]


class RenderedTable:
    """What this process has rendered of one table: moves of its log, and regions of its newest versions."""

    def __init__(self) -> None:
        self._logged: dict[tuple[Any, ...], RenderedMoves] = {}
        self._version = 0
        self._regions: dict[rendering.Renderer, Renderings] = {}
        self._regions_before: dict[rendering.Renderer, Renderings] = {}

    def moves_for(self, *place: Any) -> RenderedMoves:
        """Return the rendered moves of the log for one language, seat and set of names."""
        return self._logged.setdefault(place, BoundedDict(MOVES_KEPT))

    def render(self, template: rendering.Renderer, get: rendering.Lookup, version: int) -> SafeString:
        """Render a region, unless it was rendered from equal inputs for this version or the one before.

        All inputs are values that this reader may know. The HTML of another seat that had the same inputs
        contains nothing else.
        """
        if version != self._version:
            self._version, self._regions_before, self._regions = version, self._regions, {}
        inputs = template.inputs(get)
        present = self._regions.get(template)
        if present is None:
            present = self._regions[template] = []
        for known, html in present:
            if known == inputs:
                return html
        for known, before in self._regions_before.get(template, ()):
            if known == inputs:
                html = before
                break
        else:
            html = SafeString(template.render(inputs))
        present.append((inputs, html))
        return html


_tables: LruCache[int, RenderedTable] = LruCache(TABLES_KEPT)


def rendered_table(table_pk: int) -> RenderedTable:
    return _tables.get(table_pk) or _tables.setdefault(table_pk, RenderedTable())


def clear_rendered_tables() -> None:
    """Clear what was rendered of tables, for a new database whose rows reuse the old keys."""
    _tables.clear()
    regions.clear_log_pieces()
