"""The screens, drawn from real views in both languages."""

from __future__ import annotations

import pytest
from django.conf import settings

from sessions.game import Event

from .. import module
from ..state import State
from .drawing import draw

EVENTS = [
    Event("chose", {"seat": "p1"}),
    Event("earned", {"seat": "p1", "points": 31}),
    Event("nobody_earned"),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)
def test_every_event_has_a_line_in_both_languages(event: Event) -> None:
    lines = {draw("event", language, event=event) for language, _ in settings.LANGUAGES}
    assert len(lines) == 2
    assert all(line.startswith("<li") for line in lines)


def test_the_cards_that_are_turned_up_are_told() -> None:
    told = draw("event", "en", event=Event("turned_up", {"cards": {"p1": 31, "p2": 7}}))
    assert "人1 31" in " ".join(told.split())


def test_the_hand_offers_cards_until_its_player_has_chosen(opened: State) -> None:
    view = module.view(opened, "p1")
    mine = draw("hand", "en", view=view, seat="p1", waiting=("p1",))
    assert all(f'data-card="{card}"' in mine for card in view.hand)
    assert "act-choose" in mine
    assert "act-choose" not in draw("hand", "en", view=view, seat="p1", waiting=("p2",))


@pytest.mark.parametrize("code", ["has_chosen", "not_yours"])
def test_every_refusal_has_its_sentence(code: str) -> None:
    said = draw("refusal", "en", code=code, details={})
    assert said != draw("refusal", "en", code="no such code", details={})
