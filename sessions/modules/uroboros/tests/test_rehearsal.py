"""A rehearsal: bots that answer, and a GM who chooses the next card."""

from __future__ import annotations

import pytest

from sessions.engine import bots
from sessions.engine.bots import MAX_MOVES
from sessions.engine.step import encode, start, step
from sessions.game import Fate
from sessions.modules.uroboros import module
from sessions.modules.uroboros.tests.table import Table
from sessions.modules.uroboros.view import view
from tests.rules import rule


@rule("UC-12.1")
@pytest.mark.parametrize("card", ["c03", "s05", "d01"])
def test_a_card_that_lies_face_down_anywhere_changes_places_with_the_top_card(card: str) -> None:
    table = Table({"p1": "s05 h02", "p2": "h03"}, gm="d01 d02 d03", deck="c01 c02 c03", rehearsal=True)
    everything = sorted([*table.state.deck, *(c for hand in table.state.hands.values() for c in hand.cards)])
    table.do("gm", "stack", card=card)
    assert table.state.deck[0] == card
    assert everything == sorted(
        [*table.state.deck, *(c for hand in table.state.hands.values() for c in hand.cards)]
    )


@rule("UC-12.1")
def test_a_card_chosen_in_a_rehearsal_does_not_reveal_where_it_was() -> None:
    """The others see the same, whether the card lay in the deck or in a hand of which they know nothing."""
    seen = []
    for hand, deck in (("s05 h02", "c01 c03"), ("c03 h02", "c01 s05")):
        table = Table({"p1": hand, "p2": "h03"}, gm="d01 d02 d03", deck=deck, rehearsal=True)
        events = table.do("gm", "stack", card="c03")
        seen.append(
            ([(e.kind, e.data, e.to) for e in events], view(table.state, "p2"), view(table.state, None))
        )
    assert seen[0] == seen[1]


@rule("UC-12.1")
def test_only_the_gm_of_a_rehearsal_chooses_the_next_card() -> None:
    real = Table({"p1": "s05"}, deck="c03")
    assert real.refusal("gm", "stack", card="c03") == "rehearsal_only"
    assert "stack" not in (view(real.state, "gm").me.can)  # type: ignore[union-attr]
    rehearsal = Table({"p1": "s05"}, field="h07", deck="c03", rehearsal=True)
    assert rehearsal.refusal("p1", "stack", card="c03") == "gm_only"
    assert rehearsal.refusal("gm", "stack", card="h07") == "lies_open"


@pytest.mark.parametrize("seed", range(6))
def test_a_bot_always_has_an_answer(seed: int) -> None:
    """The GM makes random moves; the bots answer each demand by a legal move."""
    secret = f"rehearsal {seed}"
    snapshot = start(module, ["gm", "p1", "p2", "p3"], {"rehearsal": True}, Fate(secret, 0))
    answered = 0
    for number in range(1, min(MAX_MOVES, 250)):
        state = module.load(snapshot)
        if module.outcome(state) is not None:
            break
        seat = sorted(module.waiting_for(state))[-1]
        fate = Fate(secret, number)
        if seat == "gm":
            legal = [m for m in module.legal_moves(state, "gm") if encode(m) != b'{"type":"end"}']
            move = bots.choose_at_random(legal, fate)
        else:
            move, answered = bots.choose_move(module, bots.STEADY, state, seat, fate), answered + 1
        snapshot, _ = step(module, snapshot, seat, move, fate)
    assert answered > 10


def test_a_bot_plays_a_card_that_fits_and_draws_without_one() -> None:
    table = Table({"p1": "s05 h02"}, field="h07", deck="c01")
    table.call("p1", 2)
    move = bots.choose_move(module, bots.STEADY, table.state, "p1", Fate("x", 0))
    assert encode(move) == b'{"type":"play","card":"h02"}'
    table = Table({"p1": "s05 s02"}, field="h07", deck="c01")
    table.call("p1", 2)
    move = bots.choose_move(module, bots.STEADY, table.state, "p1", Fate("x", 0))
    assert encode(move) == b'{"type":"draw"}'
