"""Only the deck's order is hidden, and nothing tells it."""

from __future__ import annotations

from sessions.engine.step import decode_move, encode, step
from sessions.game import Event, Fate, IllegalMove
from sessions.modules.journey import module
from sessions.modules.journey.state import State

from .table import Journey
from .test_random_games import journey


def twin(state: State, number: int) -> State:
    other = module.load(encode(state))
    module.resample(other, ["p1"], Fate("twin", number))
    return other


def answer(state: State, raw: bytes) -> list[Event] | str:
    try:
        return step(module, encode(state), "p1", decode_move(module, raw), Fate("any", 9))[1]
    except IllegalMove as refusal:
        return f"{refusal.code} {refusal.details}"


def test_twins_look_alike() -> None:
    moved = 0
    for seed in range(12):
        tried: list[bytes] = []
        for number, (state, move) in enumerate(journey(seed)):
            other = twin(state, number)
            moved += other.deck != state.deck
            for seat in ("p1", None):
                assert encode(module.view(other, seat)) == encode(module.view(state, seat))
            assert module.legal_moves(other, "p1") == module.legal_moves(state, "p1")
            assert module.asked(other, "p1") == module.asked(state, "p1")
            refused = [(answer(state, raw), answer(other, raw)) for raw in tried[-10:]]
            assert all(one == two for one, two in refused if isinstance(one, str))
            tried.append(move)
    assert moved


def test_cards_seen_going_to_the_deck_stay_where_they_are() -> None:
    journey = Journey().put(hand="yellow-3 yellow-6", deck="red-1 red-2 red-3 red-4 red-5")
    journey.do("play", card="yellow-3", black="a")
    journey.do("yellow", card="red-1", to="bottom")
    assert journey.view.known_bottom == ("red-1",)
    assert {twin(journey.state, number).deck[-1] for number in range(20)} == {"red-1"}
    assert len({tuple(twin(journey.state, number).deck) for number in range(20)}) > 1


def test_a_spectator_sees_all_but_the_choices() -> None:
    journey = Journey("green-1 green-2")
    watched, own = module.view(journey.state, None), module.view(journey.state, "p1")
    assert encode(own).replace(encode(own.me), b"null") == encode(watched)
