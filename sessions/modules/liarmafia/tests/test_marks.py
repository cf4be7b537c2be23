"""What a book remembers of a game: a close end, and the best lie that was believed."""

from __future__ import annotations

from typing import Any

import pytest

from sessions.engine.bots import random_game
from sessions.engine.step import decode_move, step
from sessions.game import Event, Fate, Mark
from sessions.modules.liarmafia import module
from sessions.modules.liarmafia.legal import proof
from sessions.modules.liarmafia.state import BLOCKED_BY
from sessions.modules.liarmafia.telling import marks

from .table import Game

RICH = {"p1": [1, 1], "p2": [1]}


def remembered(game: Game, *moves: str) -> dict[str, Mark]:
    """Make moves in short, and return what is remembered by kind."""
    events = [event for move in moves for event in game.play(move) if event.to is None]
    return {mark.event.kind: mark for mark in marks(module.view(game.state, None), events)}


def test_a_claim_that_was_false_and_believed_is_a_lie() -> None:
    game = Game("p^ b^", "b^ p^", chips=RICH)
    found = remembered(game, "p1 declare action=murder", "p2 pass", "p1 hit slot=0")
    assert module.view(game.state, None).reason == "boss"
    assert found["lie"].event.data == {"seat": "p1", "action": "murder", "blocked": False}


def test_true_claims_and_doubted_claims_do_not_count_as_lies() -> None:
    game = Game("h^ b^", "b^ p^", chips=RICH)
    assert "lie" not in remembered(game, "p1 declare action=murder", "p2 pass", "p1 hit slot=0")
    game = Game("p^ b^", "b^ p^", chips=RICH)
    assert remembered(game, "p1 declare action=murder", "p2 doubt", "p1 remove slot=1") == {}


def test_a_false_block_is_a_lie_and_a_game_given_up_is_not_remembered() -> None:
    game = Game("h^ b^", "b^ p^", chips=RICH)
    moves = ("p1 declare action=murder", "p2 block", "p1 pass", "p1 rotate slot=1")
    more = ("p2 declare action=smuggle", "p1 pass", "p2 rotate slot=0")
    won = ("p1 declare action=murder", "p2 pass", "p1 hit slot=0")
    found = remembered(game, *moves, *more, *won)
    assert found["lie"].event.data == {"seat": "p2", "action": "murder", "blocked": True}
    game = Game("h^ b^", "b^ p^", chips=RICH)
    assert remembered(game, *moves, "p2 concede") == {}


@pytest.mark.parametrize(("claim", "lie"), [("embezzle", False), ("smuggle", True)])
def test_a_card_that_was_exchanged_since_counts_as_it_lay_at_the_claim(claim: str, lie: bool) -> None:
    game = Game("p^ h^", "b^ p^", chips={"p1": [1], "p2": [1]})
    claimed = (f"p1 declare action={claim}", "p2 pass")
    chosen = ("p1 gain how=take",) if claim == "embezzle" else ()
    between = ("p1 exchange slot=0 facing=up", "p2 declare action=smuggle", "p1 pass", "p2 rotate slot=1")
    found = remembered(
        game, *claimed, *chosen, *between, "p1 declare action=murder", "p2 pass", "p1 hit slot=0 pay=one"
    )
    assert module.view(game.state, None).reason == "boss"
    assert ("lie" in found) is lie


def test_a_winner_who_lost_a_card_was_close_to_losing() -> None:
    game = Game("h^ p^", "b^ p^", chips=RICH)
    caught = ("p1 declare action=smuggle", "p2 doubt", "p1 remove slot=1", "p1 replace facing=up")
    found = remembered(game, *caught, "p1 rotate slot=1", "p2 declare action=smuggle", "p1 pass")
    assert found == {}, "before the end there is nothing"
    won = ("p2 rotate slot=1", "p1 declare action=murder", "p2 pass", "p1 hit slot=0")
    assert remembered(game, *won)["closest"] == Mark(Event("closest", {"seat": "p1", "turn": 3}), rank=2)


def test_no_truth_is_ever_told_as_a_lie() -> None:
    """In random games, the best lie was false when it was believed."""
    lies = 0
    for seed in range(80):
        first, *rest = random_game(module, 2, f"lies {seed}")
        snapshot, events, truths = first.snapshot, list[Event](), dict[int, bool]()
        for number, moment in enumerate(rest, 1):
            state = module.load(snapshot)
            move = decode_move(module, moment.move)
            snapshot, happened = step(module, snapshot, moment.seat, move, Fate(f"lies {seed}", number))
            for event in happened:
                if event.kind == "passed":
                    truths[len(events)] = _holds(state, event)
                events += [event] if event.to is None else []
        for mark in marks(module.view(module.load(snapshot), None), events):
            if mark.event.kind == "lie":
                lies += 1
                assert not truths[mark.rank % 10_000]
    assert lies > 10


def _holds(state: Any, event: Event) -> bool:
    [claimant] = [seat for seat in state.seats if seat != event.data["seat"]]
    action = event.data["action"]
    ability = BLOCKED_BY.get(action) if event.data["blocked"] else action
    return ability is not None and proof(state.players[claimant], ability) is not None
