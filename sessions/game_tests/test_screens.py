"""The screens of random games: drawn in every language, with forms that fit the moves they send."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.utils import translation

from sessions.engine.forms import Form
from sessions.game import AnyModule
from sessions.game_tests.fixtures import seeds
from sessions.game_tests.screens import Drawn, game, screens
from sessions.live.screen_view import ScreenExtras, ScreenView, spectator_view
from sessions.templatetags.table import forms_of_game


def kind_of(form: Form, control: str) -> Any:
    kind: Any = form.kinds
    for part in control.split("."):
        kind = kind.get(part) if isinstance(kind, dict) else None
    return kind


@pytest.mark.parametrize("seed", seeds(1, of=3))
def test_every_form_fills_in_its_move(module: AnyModule, seed: int) -> None:
    seen = set()
    for cached in game(module, seed):
        with translation.override(settings.LANGUAGE_CODE):
            shared = spectator_view(cached)
            for screen in screens(module, cached):
                sight = ScreenView(cached, screen, ScreenExtras(can_undo=True), shared)
                for move, names in Drawn("".join(map(sight.render_region, sight.every))).forms:
                    kind = move.pop("type")
                    form = forms_of_game(module.key)[kind]
                    assert not form.misfit(move), (kind, move)
                    assert all(kind_of(form, name) for name in names), (kind, names)
                    filled = {name.partition(".")[0] for name in [*names, *move]}
                    assert form.required <= filled, (kind, names, move)
                    assert not names & set(move), (kind, "is given and asked for")
                    seen.add(kind)
    assert seen
