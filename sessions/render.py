"""A view becomes regions: pieces of HTML with ids, sent only when they changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from typing import Any

from django.template import TemplateDoesNotExist
from django.template.base import Template
from django.template.loader import get_template
from django.template.loader_tags import ExtendsNode, IncludeNode
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from companion import jinja
from companion.figures import figure
from sessions.engine import undo
from sessions.engine.shelf import shelf
from sessions.models import Table
from sessions.npcs import notes_of
from sessions.tablelog import Line, newest_lines
from sessions.tables import Look, can_concede, can_undo, look
from sessions.templatetags.table import RegionNode

PIECES_KEPT = 8192
#: Lines of the log that are told alike at every game, by the kind of event.
EVERY_GAMES_EVENTS = {
    "stood_in": "tables/_stood_in.jinja",
    "bot_played": "tables/_bot_played.jinja",
} | dict.fromkeys(undo.KINDS, "tables/_undo_event.jinja")


@dataclass(frozen=True)
class Screen:
    """One way to look at a table: the layout of the phone, the GM or the table face, for a seat or none.

    ``runs`` says whether the evening's GM looks, wherever they sit.
    """

    layout: str
    seat: str | None
    runs: bool = False


def screen_of(table: Table, seat: str | None, *, face: bool = False, runs: bool = False) -> Screen:
    """Return the screen that fits a seat: the GM's where the module has one, else the phone."""
    if face:
        return Screen("face", None)
    return Screen("gm" if seat == "gm" and shelf()[table.module].gm else "phone", seat, runs)


def layout_template(module: str, layout: str) -> str:
    """Return the template name of a screen."""
    return f"tables/{module}/{layout}.html"


@lru_cache
def placed(name: str, source: str) -> tuple[str, ...]:
    """Return the regions of one source that a template places, or those it extends and includes by name."""
    template: Template = get_template(name).template  # type: ignore[attr-defined]
    nodes = template.nodelist.get_nodes_by_type(RegionNode)
    regions = [node.region for node in nodes if isinstance(node, RegionNode) and node.source == source]
    for part in _parts(template):
        regions += placed(part, source)
    return tuple(dict.fromkeys(regions))


def _parts(template: Template) -> list[str]:
    extended = template.nodelist.get_nodes_by_type(ExtendsNode)
    included = template.nodelist.get_nodes_by_type(IncludeNode)
    names = [node.parent_name.var for node in extended] + [node.template.var for node in included]  # type: ignore[attr-defined]
    return [name for name in names if isinstance(name, str)]


def draw(table: Table, screen: Screen) -> tuple[Look, dict[str, str]]:
    """Return what a screen's seat sees and the HTML of each of its regions."""
    own = look(table, screen.seat)
    said = names_of(table)
    names = called(table, said)
    context = _context(table, screen.seat, own, names)
    log = newest_lines(table, screen.seat)
    context["moves"] = draw_log(table, log, {**context, "names": said})
    context["rewinds"] = screen.runs and table.session.ended_at is None
    # Asked for only where they are drawn.
    context["can_undo"] = partial(can_undo, table, screen.seat)
    context["can_concede"] = partial(can_concede, table, screen.seat)
    if screen.seat == "gm":
        context["notes"] = notes_of(table)
    layout = layout_template(table.module, screen.layout)
    drawn = draw_shared(table, layout, names)
    for name in placed(layout, "own"):
        drawn[name] = _draw(table.module, name, context)
    return own, drawn


def draw_shared(table: Table, layout: str, names: dict[str, str]) -> dict[str, str]:
    """Return the HTML of the regions of a layout that are the same for all."""
    drawn: dict[str, str] = {}
    for name in placed(layout, "shared"):
        key = (table.pk, table.version, name, get_language(), *names.items())
        drawn[name] = _once(key, partial(_draw_shared, table, name, names))
    return drawn


def draw_hand(table: Table, seat: str, names: dict[str, str]) -> str:
    """Return the HTML of the hand of one seat as that seat sees it; "" where its screen places none."""
    if "hand" not in placed(layout_template(table.module, screen_of(table, seat).layout), "own"):
        return ""
    return _draw(table.module, "hand", _context(table, seat, look(table, seat), names))


def has_template(name: str) -> bool:
    """Tell whether a game brings an optional template."""
    try:
        get_template(name, using=jinja.ENGINE)
    except TemplateDoesNotExist:
        return False
    return True


def title_of(table: Table) -> str:
    """Return the name of the game."""
    return jinja.draw((f"tables/{table.module}/_title.jinja",), {})


def result_of(table: Table) -> str:
    """Return how a table ended, in words: the game's own, else who won; "" while it runs or was stopped."""
    module = shelf()[table.module]
    outcome = module.outcome(module.load(bytes(table.snapshot)))
    if outcome is None:
        return ""
    context = _context(table, None, look(table, None), names_of(table))
    winners = [figure(context, seat) for seat in outcome.winners]
    return _draw(table.module, "outcome", context | {"outcome": outcome, "winners": winners})


def _context(table: Table, seat: str | None, seen: Look, names: dict[str, str]) -> dict[str, Any]:
    return {"table": table, "seat": seat, "names": names, "over": seen.over, "view": seen.view}


def names_of(table: Table) -> dict[str, str]:
    """Return the display name of each seat at the table, in its order."""
    return {sits.key: sits.name for sits in table.sitters}


def called(table: Table, names: dict[str, str]) -> dict[str, str]:
    """Return the names of the seats as the table shows them now: with a mark where a bot plays for them."""
    lent = [sits.key for sits in table.sitters if sits.bot and sits.seat_id]
    return names | {key: _("%(name)s (bot)") % {"name": names[key]} for key in lent}


@dataclass(frozen=True)
class LoggedMove:
    """One move in the log: its lines, whether it was taken back, and whether it took others back itself."""

    number: int
    lines: list[SafeString]
    taken_back: bool
    takes_back: bool


def draw_log(table: Table, lines: Iterable[Line], context: dict[str, Any]) -> list[LoggedMove]:
    """Return the moves that these lines tell of, in their order."""
    moves: list[LoggedMove] = []
    for (number, taken_back), group in groupby(lines, key=lambda line: (line.number, line.taken_back)):
        told = list(group)
        drawn = [html for line in told if (html := draw_line(table, line, context))]
        moves.append(LoggedMove(number, drawn, taken_back, told[-1].event.kind in undo.KINDS))
    return [move for move in moves if move.lines]


def draw_line(table: Table, line: Line, context: dict[str, Any]) -> SafeString:
    """Return one line of the log: the same for all who may read it, and for ever."""
    key = (table.pk, line.number, line.index, get_language(), *context["names"].items())
    template = EVERY_GAMES_EVENTS.get(line.event.kind, f"tables/{table.module}/_event.jinja")
    return _once(key, lambda: jinja.draw((template,), {**context, "event": line.event}))


def _draw_shared(table: Table, name: str, names: dict[str, str]) -> SafeString:
    return _draw(table.module, name, _context(table, None, look(table, None), names))


#: HTML that this process has drawn before, by what it depends on.
_drawn: dict[tuple[Any, ...], SafeString] = {}


def forget() -> None:
    """Drop what was drawn, for a database that begins anew."""
    _drawn.clear()


def _once(key: tuple[Any, ...], make: Callable[[], SafeString]) -> SafeString:
    """Return what was made for this key, made now if it is new; the memory is emptied when it is full."""
    if key not in _drawn:
        if len(_drawn) >= PIECES_KEPT:
            _drawn.clear()
        _drawn[key] = make()
    return _drawn[key]


def _draw(module: str, region: str, context: dict[str, Any]) -> SafeString:
    return jinja.draw((f"tables/{module}/_{region}.jinja", f"tables/_{region}.jinja"), context)


def pulse(own: Look) -> str:
    """Return the mark of the version that a push shows; it goes out with every push."""
    return jinja.draw(("tables/_pulse.jinja",), {"look": own})


def push(fragments: dict[str, str]) -> str:
    """Return the bytes that put fragments in the place of what carries their ids."""
    return "\n".join(
        f'<hx-partial hx-target="#{name}" hx-swap="outerMorph">{html}</hx-partial>'
        for name, html in fragments.items()
    )


def refusal(module: str | None, code: str, details: dict[str, Any]) -> str:
    """Return the sentence for a refusal code: the game's own words, else the shared ones."""
    names = (f"tables/{module}/_refusal.jinja", "tables/_refusal.jinja")
    return jinja.draw(names if module else names[1:], {"code": code, "details": details})
