"""A view becomes regions: pieces of HTML with ids, sent only when they changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.template.base import Template
from django.template.loader import get_template, render_to_string, select_template
from django.utils.translation import get_language

from sessions.engine.shelf import shelf
from sessions.models import Table, TableSeat
from sessions.tables import Look, look, recent_events
from sessions.templatetags.table import RegionNode


@dataclass(frozen=True)
class Screen:
    """One way to look at a table: the phone's, the GM's or the table face's layout, for one seat (None: no seat)."""

    layout: str
    seat: str | None


def screen_of(table: Table, seat: str | None, *, face: bool = False) -> Screen:
    """Return the screen that fits a seat: the GM's where the module has one, else the phone."""
    if face:
        return Screen("face", None)
    return Screen("gm" if seat == "gm" and shelf()[table.module].gm else "phone", seat)


def layout_template(module: str, layout: str) -> str:
    """Return the template name of a screen."""
    return f"tables/{module}/{layout}.html"


@lru_cache
def placed(module: str, layout: str, source: str) -> tuple[str, ...]:
    """Return the regions of one source that a screen's layout places, in its order."""
    template: Template = get_template(layout_template(module, layout)).template  # type: ignore[attr-defined]
    nodes = template.nodelist.get_nodes_by_type(RegionNode)
    return tuple(node.region for node in nodes if node.source == source)


def draw(table: Table, screen: Screen) -> tuple[Look, dict[str, str]]:
    """Return what a screen's seat sees and the HTML of each of its regions."""
    own = look(table, screen.seat)
    names = names_of(table)
    log = recent_events(table, screen.seat)
    context = {"table": table, "seat": screen.seat, "names": names, "over": own.over}
    context["event_template"] = f"tables/{table.module}/_event.html"
    drawn = {}
    for name in placed(table.module, screen.layout, "shared"):
        drawn[name] = _draw_shared(
            _Shared(table.pk, table.version, name, get_language() or "", tuple(names.items()), table)
        )
    for name in placed(table.module, screen.layout, "own"):
        drawn[name] = _draw(table.module, name, {**context, "view": own.view, "events": log})
    return own, drawn


def names_of(table: Table) -> dict[str, str]:
    """Return the display name of each seat at the table."""
    rows = TableSeat.objects.filter(table=table).values_list("key", "seat__name")
    return dict(rows)


@dataclass(frozen=True)
class _Shared:
    """What the HTML of a region that is the same for all depends on."""

    table_pk: int
    version: int
    region: str
    language: str
    names: tuple[tuple[str, str], ...]
    table: Table = field(compare=False)


@lru_cache(maxsize=512)
def _draw_shared(of: _Shared) -> str:
    view = look(of.table, None).view
    context = {"table": of.table, "seat": None, "names": dict(of.names), "view": view, "over": of.table.ended_at}
    return _draw(of.table.module, of.region, context)


def _draw(module: str, region: str, context: dict[str, Any]) -> str:
    template = select_template([f"tables/{module}/_{region}.html", f"tables/_{region}.html"])
    return str(template.render(context)).strip()


def pulse(own: Look) -> str:
    """Return the mark of the version that a push shows; it goes out with every push."""
    return render_to_string("tables/_pulse.html", {"look": own})


def push(fragments: dict[str, str]) -> str:
    """Return the bytes that put fragments in the place of what carries their ids."""
    return "\n".join(
        f'<hx-partial hx-target="#{name}" hx-swap="outerMorph">{html}</hx-partial>' for name, html in fragments.items()
    )


def refusal(module: str | None, code: str, details: dict[str, Any]) -> str:
    """Return the sentence for a refusal code: the game's own words, else the shared ones."""
    names = [f"tables/{module}/_refusal.html"] if module else []
    return render_to_string([*names, "tables/_refusal.html"], {"code": code, "details": details}).strip()
