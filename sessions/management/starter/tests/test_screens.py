"""The screens, drawn from real views in both languages."""

from __future__ import annotations

import pytest
from django.conf import settings

from sessions.game import Event

from .. import module
from ..state import State
from .drawing import draw

EVENTS = [
    Event("laid", {"seat": "p1", "card": 7, "total": 9}),
    Event("went_over", {"seat": "p1"}),
    Event("stayed", {"seat": "p1"}),
    # [gm]
    Event("stopped"),
    # [/gm]
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)
def test_every_event_has_a_line_in_both_languages(event: Event) -> None:
    lines = {draw("event", language, event=event) for language, _ in settings.LANGUAGES}
    assert len(lines) == 2
    assert all(line.startswith("<li") for line in lines)


def test_the_hand_offers_cards_to_whose_turn_it_is(opened: State) -> None:
    view = module.view(opened, "p1")
    mine = draw("hand", "en", view=view, seat="p1", waiting=("p1",))
    assert all(f'data-card="{card}"' in mine for card in view.hand)
    assert "act-lay" in mine
    assert "act-lay" not in draw("hand", "en", view=view, seat="p1", waiting=("p2",))


def test_the_end_shows_the_score(opened: State) -> None:
    view = module.view(opened, "p1")
    assert 'data-points="0"' in draw("prompt", "en", view=view, seat="p1", waiting=(), over=True)


@pytest.mark.parametrize("code", ["not_your_turn", "not_yours"])
def test_every_refusal_has_its_sentence(code: str) -> None:
    said = draw("refusal", "en", code=code, details={})
    assert said != draw("refusal", "en", code="no such code", details={})
