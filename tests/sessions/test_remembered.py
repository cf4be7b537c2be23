"""The drawings that a process remembers of a table equal fresh ones, for everybody, always."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.template import engines
from django.utils import translation
from msgspec.structs import replace

from companion import rendering
from companion.rendering import NOTHING, Renderer
from sessions.engine.registry import registry
from sessions.game_tests.fixtures import seeds
from sessions.game_tests.screens import game, screens
from sessions.live import regions, screen_view
from sessions.live.regions import LoggedMove, Screen, region_names
from sessions.live.screen_view import SPECTATOR, RenderedTable, ScreenExtras, ScreenView, spectator_view
from sessions.table.log import RecentLog

LANGUAGES = [code for code, _ in settings.LANGUAGES]
SAYS_NONE = re.compile(r'="[^"]*\bNone\b')
"""An attribute with Python's word for what is not there."""


class Afresh(ScreenView):
    """A sight that remembers no regions and no moves of the log."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._rendered = RenderedTable()

    def _visible_moves(self, tail: RecentLog) -> list[LoggedMove]:
        return [move for lines in tail if (move := self._visible_move(lines))]


def afresh(sight: ScreenView, region: str) -> str:
    """Render a region with empty caches; one that is the same for all is rendered as a spectator sees it."""
    if region in region_names(sight.layout, "shared"):
        return Afresh(sight.cached, SPECTATOR, ScreenExtras()).render_region(region)
    return Afresh(sight.cached, sight.screen, sight.extra).render_region(region)


@pytest.mark.parametrize("seed", seeds(1, of=2))
@pytest.mark.parametrize("key", registry())
def test_a_region_rendered_with_caches_equals_one_rendered_without(key: str, seed: int) -> None:
    module, drawn_anew = registry()[key], 0
    for cached in game(module, seed):
        for language in LANGUAGES:
            with translation.override(language):
                shared = spectator_view(cached)
                for screen in screens(module, cached):
                    extra = ScreenExtras(can_undo=cached.mover == screen.seat)
                    sight = ScreenView(cached, screen, extra, shared)
                    for region in sight.every:
                        html = sight.render_region(region)
                        assert html == afresh(sight, region), (region, screen, language)
                        assert not SAYS_NONE.search(html), (region, screen, language)
                        drawn_anew += 1
    assert drawn_anew


@pytest.mark.parametrize("key", registry())
def test_cached_log_lines_of_one_seat_are_not_shown_to_another(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process draws each seat, in either order, and then again without the pieces that it kept."""
    module = registry()[key]
    *_, cached = game(module, 0)
    looking = screens(module, cached)
    for order in (looking, looking[::-1]):
        screen_view.clear_rendered_tables()
        shared = spectator_view(cached)
        seen = [ScreenView(cached, screen, ScreenExtras(), shared) for screen in order]
        drawn = [{region: sight.render_region(region) for region in sight.every} for sight in seen]
        with monkeypatch.context() as patch:
            patch.setattr(regions, "_cached_piece", lambda place, draw: draw())
            for sight, remembered in zip(seen, drawn, strict=True):
                assert remembered == {region: afresh(sight, region) for region in sight.every}


def compiled(template: str) -> Renderer:
    made: Renderer = engines["jinja2"].from_string(template).renderer("en")  # type: ignore[attr-defined]
    return made


def region_of(table: RenderedTable, template: Renderer, *, version: int = 1, **values: Any) -> str:
    return table.render(template, lambda name: values.get(name, NOTHING), version)


HAND = compiled("{{ view.hand|join }}{% if seat == 'gm' %}{{ view.notes }}{% endif %}")


def test_two_seats_share_the_html_of_a_region_that_is_the_same_for_both() -> None:
    table = RenderedTable()
    one = region_of(table, HAND, seat="p1", view={"hand": ["s01"], "other": 1})
    assert region_of(table, HAND, seat="p2", view={"hand": ["s01"], "other": 2}) is one
    assert one == "s01"


def test_a_seat_with_another_hand_gets_html_of_its_own() -> None:
    table = RenderedTable()
    assert region_of(table, HAND, seat="p1", view={"hand": ["s01"]}) == "s01"
    assert region_of(table, HAND, seat="p2", view={"hand": ["s02"]}) == "s02"


def test_values_that_one_seat_alone_reads_are_not_shared() -> None:
    table = RenderedTable()
    assert region_of(table, HAND, seat="gm", view={"hand": ["s01"], "notes": "A trap."}) == "s01A trap."
    assert region_of(table, HAND, seat="p1", view={"hand": ["s01"], "notes": "A trap."}) == "s01"
    assert region_of(table, HAND, seat="gm", view={"hand": ["s01"], "notes": "None."}) == "s01None."


def test_a_move_that_no_hand_shows_renders_no_hand_again() -> None:
    hand = rendering.renderer_of(regions.region_templates("uroboros", "hand"), "en")
    cached = next(iter(game(registry()["uroboros"], 1)))
    with translation.override("en"):
        sight = ScreenView(cached, Screen("phone", "p1"), ScreenExtras(), spectator_view(cached))
        me = sight.view.me
        assert "interrupt" not in me.can
        others = {"view": replace(sight.view, me=replace(me, can=(*me.can, "interrupt")))}
        assert hand.inputs(lambda name: others.get(name, sight.get(name))) == hand.inputs(sight.get)


def test_a_region_that_has_not_changed_stays_the_same_for_the_next_version() -> None:
    table = RenderedTable()
    one = region_of(table, HAND, seat="p1", view={"hand": ["s01"]})
    assert region_of(table, HAND, version=2, seat="p1", view={"hand": ["s01"]}) is one
    assert region_of(table, HAND, version=3, seat="p1", view={"hand": ["s02"]}) == "s02"


@pytest.mark.parametrize(
    "template",
    [
        "{% with task=view.task %}{% if task %}{{ task.label }}{% endif %}{% endwith %}",
        "{% with task=view.task %}{% set task = task or none %}{{ task.label }}{% endwith %}",
        "{% if view.task and view.task.label != 'x' %}{{ view.task.label }}{% endif %}",
        "{{ view.task.label if view.task else '' }}",
        "{% macro label(task) %}{{ task.label }}{% endmacro %}{{ label(view.task) }}",
        "{% for key in ['task'] %}{{ view[key].label }}{% endfor %}",
        "{% set name = 'task' %}{{ view[name].label }}",
    ],
)
def test_a_change_of_what_a_template_shows_is_always_drawn(template: str) -> None:
    table, render = RenderedTable(), compiled(template)
    shown = [region_of(table, render, view={"task": task}) for task in ({"label": "a"}, {"label": "b"}, None)]
    assert shown == ["a", "b", ""]
