"""The screens, drawn from real views in both languages."""

from __future__ import annotations

import pytest
from django.conf import settings

from sessions.game import Event

from .. import module
from ..state import OpenClaim, State
from .drawing import draw

EVENTS = [
    Event("claimed", {"seat": "p1", "before": "p2", "number": 5}),
    Event("believed", {"seat": "p2"}),
    Event("doubted", {"seat": "p2", "number": 3}),
    Event("earned", {"seat": "p1", "points": 5}),
]


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.kind)
def test_every_event_has_a_line_in_both_languages(event: Event) -> None:
    lines = {draw("event", language, event=event) for language, _ in settings.LANGUAGES}
    assert len(lines) == 2
    assert all(line.startswith("<li") for line in lines)


def test_the_hand_offers_cards_and_numbers_to_whose_turn_it_is(opened: State) -> None:
    view = module.view(opened, "p1")
    mine = draw("hand", "en", view=view, seat="p1", waiting=("p1",))
    assert all(f'data-card="{card}"' in mine for card in view.hand)
    assert all(f'id="choose-number-{number}"' in mine for number in range(1, 6))
    assert "act-lay" not in draw("hand", "en", view=view, seat="p1", waiting=("p2",))


def test_the_asked_player_answers_and_the_board_shows_the_question(opened: State) -> None:
    opened.claim = OpenClaim("p2", 5)
    view = module.view(opened, "p2")
    hand = draw("hand", "en", view=view, seat="p2", waiting=("p2",))
    assert "act-believe" in hand
    assert "act-doubt" in hand
    assert "“a 5”" in draw("board", "en", view=view, waiting=("p2",), names={"p1": "人1", "p2": "人2"})


@pytest.mark.parametrize("code", ["not_your_turn", "not_yours", "no_other", "not_asked"])
def test_every_refusal_has_its_sentence(code: str) -> None:
    said = draw("refusal", "en", code=code, details={})
    assert said != draw("refusal", "en", code="no such code", details={})
