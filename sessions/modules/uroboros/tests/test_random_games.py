"""The promises that hold at every moment of any game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from companion.cards import standard_deck
from sessions.engine.step import decode_move, encode, start, step
from sessions.game import Event, Fate, kind_of
from sessions.game_tests.fixtures import assert_alike, twin
from sessions.modules.uroboros import module
from sessions.modules.uroboros.cards import MOST_SECRETS, surplus
from sessions.modules.uroboros.moves import AnyMove, Call, Peek, Play
from sessions.modules.uroboros.state import GM, State
from sessions.modules.uroboros.turns import current_check

USUALLY = 20
RARELY = {"cancel": 2, "end_combat": 1, "set_hp": 6, "declare": 2, "end": 0, "give_up": 4}
TYPES = {kind_of(kind) for kind in get_args(AnyMove)}
SHEET = {
    "suits": ["h"],
    "skills": ["走る", "剣"],
    "weapons": [{"name": "杖", "value": 1}],
    "armour": 2,
    "shield": 1,
}


def lively_game(players: int, seed: int, moves: int = 250) -> Iterator[tuple[bytes, Any, list[Event]]]:
    """Yield moments of a game whose moves are drawn type by type, so that the rare ones are not."""
    secret = f"lively {seed}"
    seats = module.seat_list(players)
    sheets = {seat: SHEET | {"hp_max": place + seed % 3} for place, seat in enumerate(seats)}
    options = {"characters": {seat: sheets[seat] for seat in seats[1:]}}
    snapshot = start(module, seats, options, Fate(secret, 0))
    yield snapshot, None, []
    for number in range(1, moves + 1):
        state, choices = module.load(snapshot), Fate(f"choices of {secret}", number)
        seat = pick(choices, sorted(module.waiting_for(state)) * 3 + state.seats)
        by_type: dict[str, list[Any]] = {}
        for move in module.legal_moves(state, seat):
            by_type.setdefault(kind_of(move), []).append(move)
        lots = [kind for kind in by_type for _ in range(RARELY.get(kind, USUALLY))]
        choice = by_type[pick(choices, lots)]
        move = pick(choices, [move for move in choice if fits(state, move)] or choice)
        move = whispered(choices, state, move)
        snapshot, events = step(module, snapshot, seat, move, Fate(secret, number))
        yield snapshot, move, events


def whispered(choices: Fate, state: State, move: Any) -> Any:
    """Return a call as a secret one now and then, and sometimes a look at a hand in its place.

    Legal moves have neither.
    """
    if not isinstance(move, Call) or move.chain:
        return move
    if choices.roll("peek", 12) == 1:
        return Peek(pick(choices, state.seating))
    open_ = len(state.secrets) >= MOST_SECRETS or choices.roll("secret", 2) == 1
    return move if open_ else replace(move, secret=pick(choices, ["gm", "own"]))


def pick(choices: Fate, items: list[Any]) -> Any:
    return items[choices.roll("pick", len(items)) - 1]


def fits(state: State, move: Any) -> bool:
    """True if this plays a card that succeeds."""
    if not isinstance(move, Play) or state.task is None:
        return False
    return current_check(state, state.task).judge(move.card).success


@pytest.mark.parametrize("players", module.seats)
def test_every_state_of_a_random_game_keeps_the_invariants(players: int) -> None:
    for seed in range(3):
        for snapshot, _, _ in lively_game(players, seed):
            state = module.load(snapshot)
            assert encode(state) == snapshot
            holds(state)


def holds(state: State) -> None:
    hands = [card for hand in state.hands.values() for card in hand.cards]
    assert sorted([*hands, *state.deck, *state.pile]) == sorted(standard_deck()), "no card is lost or doubled"
    assert state.pile, "there is always a field card"
    assert len(set(state.adjusting)) == len(state.adjusting)
    if state.adjusting:
        assert surplus(state, state.adjusting[0]) > 0
        assert state.task is None
    if state.under:
        assert state.task
        assert state.task.kind == "interrupt"
    assert state.task or not state.requests
    assert module.waiting_for(state)
    assert all(module.legal_moves(state, seat) for seat in module.waiting_for(state))
    assert all(figure.hp <= figure.hp_max for figure in [*state.characters.values(), *state.npcs])
    if state.combat:
        assert state.combat.turn in [*state.seating, GM]
        assert not state.combat.done or state.adjusting


def test_every_legal_move_is_accepted_and_its_type_is_listed_in_the_view() -> None:
    for seed in range(8):
        for number, (snapshot, _, _) in enumerate(lively_game(seed % 8 + 1, seed)):
            if number % 12:
                continue
            state = module.load(snapshot)
            for seat in state.seats:
                legal = module.legal_moves(state, seat)
                for move in legal:
                    assert decode_move(module, encode(move)) == move
                    step(module, snapshot, seat, move, Fate("any", 1))
                me: Any = module.view(state, seat)
                assert set(me.me.can) == {kind_of(move) for move in legal}
                assert len(set(map(encode, legal))) == len(legal)


def test_no_view_of_a_random_game_leaks() -> None:
    for seed in range(8):
        for number, (snapshot, _, _) in enumerate(lively_game(seed % 8 + 1, seed)):
            if number % 5:
                continue
            for seats in [*({seat} for seat in module.load(snapshot).seats), set[str]()]:
                other = twin(module, snapshot, seats, Fate(f"twin {seed} {seats}", number))
                assert_alike(module, snapshot, other, seats)


def test_no_public_event_tells_a_hand_card_or_a_hidden_npcs_hp() -> None:
    for seed in range(8):
        before: State | None = None
        for snapshot, move, events in lively_game(seed % 8 + 1, seed):
            state = module.load(snapshot)
            hidden = {npc.id for npc in state.npcs if npc.hidden}
            public = [event for event in events if event.to is None]
            if before and move is not None:
                told = {card for event in public for card in standard_deck() if card in str(event.data)}
                revealed = {link.card for check in before.secrets for link in check.links}
                shown = revealed if kind_of(move) == "reveal" else set()
                assert told <= set(state.pile) | set(before.pile) | set(getattr(move, "cards", ())) | shown
                lying = {check.links[-1].card for check in state.secrets if check.lies}
                assert told.isdisjoint(lying), "a card that lies face down is not told"
            assert not [
                event for event in public if event.kind == "hp_changed" and event.data["who"] in hidden
            ]
            before = state


def test_random_games_reach_every_move_and_stage_of_a_task() -> None:
    """Every type of move, every stage of every task and every way to end one comes up."""
    moves, stages, results = Counter[str](), Counter[tuple[str, str, bool]](), Counter[tuple[str, bool]]()
    for seed in range(40):
        for snapshot, move, events in lively_game(seed % 8 + 1, seed):
            state = module.load(snapshot)
            moves[kind_of(move) if move else "setup"] += 1
            for task in (state.task, state.under):
                if task:
                    stages[task.kind, task.stage, task.chain] += 1
            for event in events:
                if event.kind == "decided":
                    results[event.data["kind"], event.data["success"]] += 1
    assert TYPES - set(moves) <= {"end", "stack"}, "a card is chosen in rehearsals alone (test_rehearsal.py)"
    assert {("attack", "defend", True), ("contest", "raise", False), ("attack", "name", False)} <= set(stages)
    kinds = ("check", "chain", "contest", "attack", "treat", "interrupt")
    assert {(kind, success) for kind in kinds for success in (True, False)} == set(results)
