"""Regions: pieces of a table's HTML with ids, each rendered from values that its screen may know.

The boxes of board games are here too: their templates come with the games, as those of the regions do.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from django.template import TemplateDoesNotExist
from django.template.base import Node, NodeList, Template
from django.template.loader import get_template
from django.template.loader_tags import BlockNode, ExtendsNode, IncludeNode
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from characters.services.faces import render_face, render_portrait
from companion import rendering
from companion.caches import BoundedDict
from companion.figures import figure
from companion.templatetags.companion import SheetNode
from sessions.board_games.games import board_games
from sessions.engine import undo
from sessions.engine.game_errors import guard_call
from sessions.engine.registry import registry
from sessions.game import AnyModule, Event, GameFailed
from sessions.models import Table
from sessions.table import seat_view, undo_window
from sessions.table.log import LogLine
from sessions.table.seat_view import SeatView
from sessions.templatetags.table import RegionNode

logger = logging.getLogger(__name__)
#: Characters of rendered log pieces that are cached.
PIECES_KEPT = 8_000_000
#: The sources of regions that show the table itself.
TABLE = ("own", "shared")
N = TypeVar("N", bound=Node)
#: The templates of log lines that are the same in every game, by the kind of event.
EVERY_GAMES_EVENTS = {
    "stood_in": "tables/_stood_in.jinja",
    "bot_played": "tables/_bot_played.jinja",
} | dict.fromkeys(undo.KINDS, "tables/_undo_event.jinja")


class Screen(NamedTuple):
    """One way to show a table: the layout of the phone, the GM or the table face, for a seat or none.

    ``runs`` is True if the reader runs the session, wherever they sit.
    """

    layout: str
    seat: str | None
    runs: bool = False


def screen_of(table: Table, seat: str | None, *, face: bool = False, runs: bool = False) -> Screen:
    """Return the screen that fits a seat: the GM's where the module has one, else the phone."""
    if face:
        return Screen("face", None)
    return Screen("gm" if seat == "gm" and registry()[table.module].gm else "phone", seat, runs)


def layout_template(module: str, layout: str) -> str:
    return f"tables/{module}/{layout}.html"


@lru_cache
def region_names(name: str, source: str) -> tuple[str, ...]:
    """Return the regions of one source in a template and in those that it extends or includes by name."""
    return _regions(_nodes(name), source)


@lru_cache
def sheets(name: str) -> dict[str, tuple[str, ...]]:
    """Return the regions of the table inside bottom sheets, by the sheet's id."""
    every = list(_with_parts(_nodes(name)))
    # In reverse: the blocks of a template replace those of the template that it extends.
    filled = {block.name: block.nodelist for nodes in reversed(every) for block in _of_type(nodes, BlockNode)}
    found: dict[str, tuple[str, ...]] = {}
    for sheet in (sheet for nodes in every for sheet in _of_type(nodes, SheetNode)):
        blocks = _of_type(sheet.nodelist, BlockNode)
        lists = [sheet.nodelist, *(filled[block.name] for block in blocks)]
        regions = [region for each in lists for source in TABLE for region in _regions(each, source)]
        if regions:
            found[str(sheet.sheet_id.var)] = tuple(dict.fromkeys(regions))
    return found


@lru_cache(maxsize=1024)
def visible_regions(layout: str, opened: frozenset[str], *, with_undo: bool) -> tuple[str, ...]:
    """Return the regions of the table that a layout shows: those outside of sheets, and those in open sheets.

    :param opened: the ids of the open sheets.
    """
    in_sheets = sheets(layout)
    closed = {region for sheet in in_sheets.keys() - opened for region in in_sheets[sheet]}
    if not with_undo:
        closed.add("undo")
    every = region_names(layout, "shared") + region_names(layout, "own")
    return tuple(region for region in every if region not in closed)


def _regions(nodes: NodeList, source: str) -> tuple[str, ...]:
    found = [node for part in _with_parts(nodes) for node in _of_type(part, RegionNode)]
    return tuple(dict.fromkeys(node.region for node in found if node.source == source))


def _with_parts(nodes: NodeList) -> Iterator[NodeList]:
    """Yield these nodes, then those of the templates that they extend or include by name."""
    yield nodes
    named: list[Any] = [node.parent_name for node in _of_type(nodes, ExtendsNode)]
    named += [node.template for node in _of_type(nodes, IncludeNode)]
    for expression in named:
        if isinstance(expression.var, str):
            yield from _with_parts(_nodes(expression.var))


def _of_type(nodes: NodeList, kind: type[N]) -> list[N]:
    return [node for node in nodes.get_nodes_by_type(kind) if isinstance(node, kind)]


def _nodes(name: str) -> NodeList:
    template: Template = get_template(name).template  # type: ignore[attr-defined]
    return template.nodelist


def render_region(module: str, region: str, values: Mapping[str, Any]) -> SafeString:
    with guard_call(module, f"drawing {region}"):
        return rendering.render_first(region_templates(module, region), dict(values))


@lru_cache(maxsize=1024)
def region_templates(module: str, region: str) -> tuple[str, str]:
    """Return the names a region's template may have: the game's own, else every game's."""
    return f"tables/{module}/_{region}.jinja", f"tables/_{region}.jinja"


def has_template(name: str) -> bool:
    """True if a game brings an optional template."""
    try:
        get_template(name, using=rendering.ENGINE)
    except TemplateDoesNotExist:
        return False
    return True


def result_words(table: Table) -> str:
    """Return a table's result in words, the game's own or else the winners; "" if it runs or was stopped."""
    module = registry()[table.module]
    outcome = module.outcome(module.load(bytes(table.snapshot)))
    if outcome is None:
        return ""
    values = plain_values(table, None, seat_names(table))
    winners = [figure(values["figures"], values["names"], seat) for seat in outcome.winners]
    return render_region(table.module, "outcome", values | {"outcome": outcome, "winners": winners})


def plain_values(table: Table, seat: str | None, names: dict[str, str]) -> dict[str, Any]:
    """Return the values of a region outside of a live page: the table as ``seat`` sees it."""
    state = undo_window.visible_state(table)
    own, waiting = seat_view.seat_view_of_state(table, state, seat), seat_view.awaited_seats(table, state)
    seen = {"view": own.view, "figures": own.figures, "over": own.over, "waiting": waiting}
    return {"table": table, "seat": seat, "names": names, **seen}


def render_shared_regions(table: Table, layout: str, names: dict[str, str]) -> dict[str, str]:
    """Return the HTML of the regions of a layout that are the same for all."""
    values = plain_values(table, None, names)
    return {name: render_region(table.module, name, values) for name in region_names(layout, "shared")}


def render_hand(table: Table, seat: str, names: dict[str, str]) -> str:
    """Return the HTML of the hand of one seat as that seat sees it; "" where its screen places none."""
    if "hand" not in region_names(layout_template(table.module, screen_of(table, seat).layout), "own"):
        return ""
    return render_region(table.module, "hand", plain_values(table, seat, names))


def seat_names(table: Table) -> dict[str, str]:
    return {sits.key: sits.name for sits in table.sitters}


def seat_faces(table: Table) -> dict[str, SafeString]:
    """Return the face of each seat that has brought a character, and of NPCs by their names: ``npc 鬼``.

    NPCs are keyed by name because an undo can give an NPC's number to another one.
    """
    brought = ((sits.key, sits.seat.character) for sits in table.sitters if sits.seat)
    faces = {key: render_face(character) for key, character in brought if character}
    return faces | {f"npc {name}": render_portrait(picture) for name, picture in table.npc_pictures.items()}


@dataclass(frozen=True)
class LoggedMove:
    """One move in the log: its lines, whether it was taken back, and whether it took other moves back."""

    number: int
    lines: tuple[SafeString, ...]
    taken_back: bool
    takes_back: bool
    #: Its rendered entries, by whether they offer to go back to this move.
    entries: dict[bool, SafeString] = field(default_factory=dict, compare=False, repr=False)

    @property
    def stands(self) -> bool:
        """True if the GM can go back to it."""
        return not self.taken_back and not self.takes_back


def render_log(table: Table, lines: Iterable[LogLine], values: Mapping[str, Any]) -> list[LoggedMove]:
    """Return the moves to which these lines belong, in their order."""
    groups = groupby(lines, key=lambda line: (line.number, line.taken_back))
    moves = [render_move(table, list(group), values) for _, group in groups]
    return [move for move in moves if move.lines]


def render_move(table: Table, lines: Sequence[LogLine], values: Mapping[str, Any]) -> LoggedMove:
    drawn = tuple(html for line in lines if (html := render_line(table, line, values)))
    last = lines[-1]
    return LoggedMove(last.number, drawn, last.taken_back, last.event.kind in undo.KINDS)


def render_line(table: Table, line: LogLine, values: Mapping[str, Any]) -> SafeString:
    """Return one line of the log, cached: all its readers see the same HTML, which never changes."""
    names = tuple(values["names"].values())
    key = table.pk, table.opened_at, line.number, line.index, get_language(), names
    return _cached_piece(key, lambda: render_event(table, line.event, values))


def render_event(table: Table, event: Event, values: Mapping[str, Any]) -> SafeString:
    """Return an event as a line, the same for all who may read it."""
    template = EVERY_GAMES_EVENTS.get(event.kind, f"tables/{table.module}/_event.jinja")
    with guard_call(table.module, f"drawing the event {event.kind}"):
        return rendering.render_first((template,), {**values, "event": event})


def render_entries(
    table: Table, moves: Sequence[LoggedMove], *, rewinds: bool, is_last: bool = True
) -> list[SafeString]:
    """Return the entries of a log or of a page of it, one a move, oldest first.

    :param rewinds: True if each move that stands, except the newest, offers to go back to it.
    :param is_last: True if the page ends with the newest move.
    """
    newest = moves[-1] if moves and is_last else None
    entries = [_entry(table, move, rewinds and move.stands and move is not newest) for move in moves]
    dealt = rewinds and moves and moves[0].number == 1
    return [_entry(table, None, True), *entries] if dealt else entries


def _entry(table: Table, move: LoggedMove | None, back: bool) -> SafeString:
    """Return the entry of one move of a log; None means the table as it was dealt."""

    def render_entry() -> SafeString:
        values = {"table": table, "move": move, "back": back}
        return rendering.render_first(("tables/_entry.jinja",), values)

    if move is None:
        return render_entry()
    if back not in move.entries:
        move.entries[back] = _cached_piece((table.pk, move, back, get_language()), render_entry)
    return move.entries[back]


#: The log pieces that this process has rendered, by the values they depend on.
_pieces: BoundedDict[tuple[Any, ...], SafeString] = BoundedDict(PIECES_KEPT, len)


def _cached_piece(key: tuple[Any, ...], render: Callable[[], SafeString]) -> SafeString:
    piece = _pieces.get(key)
    if piece is None:
        piece = _pieces[key] = render()
    return piece


def clear_log_pieces() -> None:
    """Clear the cache of log pieces, for a new database whose rows reuse the old keys."""
    _pieces.clear()


def pulse_element(own: SeatView, at: float = 0, *, bots: bool = False) -> str:
    """Return the element that names the table version of a push; every push includes it.

    :param at: when the table reached this state, in seconds since 1970. Animations start a fixed time later
        on all screens (static/js/moments.js). 0 for a whole page, which starts no animation.
    :param bots: True if bots play while the reader is not asked (static/js/tempo.js).
    """
    marks = f' data-at="{at * 1000:.0f}"' if at else ""
    marks += " data-ended" * own.over + " data-bots" * bots
    return f'<div id="pulse" data-version="{own.version}" data-asked="{own.asked}"{marks} hidden></div>'


def table_refusal(module: str | None, code: str, details: dict[str, Any]) -> str:
    """Return the sentence for a refusal code: the game's own words, else the shared ones."""
    names = (f"tables/{module}/_refusal.jinja", "tables/_refusal.jinja")
    values = {"code": code, "details": details}
    if module:
        try:
            with guard_call(module, f"drawing the refusal {code}"):
                return rendering.render_first(names, values)
        except GameFailed as failure:
            logger.exception("%s", failure)  # The shared words are better than none.
    return rendering.render_first(names[1:], values)


@dataclass(frozen=True)
class GameBox:
    """A board game as a box; ``about`` is True if the game has a template with a sentence about itself."""

    game: AnyModule
    about: bool

    @property
    def least(self) -> int:
        return self.game.seats.start

    @property
    def most(self) -> int:
        return self.game.seats.stop - 1

    @property
    def picture(self) -> str:
        return f"tables/{self.game.key}/cover.svg"


def game_box(game: AnyModule) -> GameBox:
    return GameBox(game, has_template(f"tables/{game.key}/_about.jinja"))


def game_boxes() -> list[GameBox]:
    return [game_box(game) for game in board_games().values()]
