"""The drawings that a process remembers of a table equal fresh ones, for everybody, always."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.utils import translation

from sessions.engine.registry import registry
from sessions.game_tests.fixtures import seeds
from sessions.game_tests.screens import game, screens
from sessions.live import regions, screen_view
from sessions.live.regions import LoggedMove, region_names
from sessions.live.screen_view import SPECTATOR, ScreenExtras, ScreenView, spectator_view
from sessions.table.log import RecentLog

LANGUAGES = [code for code, _ in settings.LANGUAGES]
SAYS_NONE = re.compile(r'="[^"]*\bNone\b')
"""An attribute with Python's word for what is not there."""


class Afresh(ScreenView):
    """A sight that remembers no moves of the log."""

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
