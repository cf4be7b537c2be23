"""Other states that look the same: to some seats, or behind a view for the bot and for hints.

Only the deck's order is hidden, so the unseen part of the deck is put in random order.
"""

from __future__ import annotations

from collections.abc import Collection
from copy import copy

from sessions.game import Fate, Seat

from .moves import AnyMove
from .rules import apply
from .state import CARDS, TRAVELLER, Card, Pawn, State
from .view import View

_NO_FATE = Fate("nothing is shuffled once everything is laid out", 0)


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Shuffle the part of the deck that is not known. Before packing the order has no meaning yet."""
    top, end = state.known_top, len(state.deck) - state.known_bottom
    state.deck[top:end] = fate.shuffle("unseen", state.deck[top:end])


def imagine_state(view: View, fate: Fate) -> State:
    """Return a state that has this view; ``fate`` guesses the order of the unseen cards."""
    open_cards = [*view.hand, *view.discards, *(card for day in view.days for card in day.events)]
    if view.reason == "deck" and view.played:
        open_cards.append(view.played)
    seen = {*open_cards, *view.known_top, *view.known_bottom}
    unseen = [card for card in CARDS if card not in seen]
    pawns: dict[Pawn, int] = {"white": view.pawns.white, "a": view.pawns.a, "b": view.pawns.b}
    return State(
        seats=[TRAVELLER],
        single_key=view.single_key,
        phase=view.phase,
        turn=view.turn,
        items=view.items,
        locations=tuple(day.location for day in view.days),
        days=[list(day.events) for day in view.days],
        pawns=pawns,
        deck=[*view.known_top, *fate.shuffle("unseen", unseen), *view.known_bottom],
        known_top=len(view.known_top),
        known_bottom=len(view.known_bottom),
        hand=list(view.hand),
        discards=list(view.discards),
        solved=[suit for suit, solved in view.stories.items() if solved],
        letters=view.letters,
        played=view.played,
        to_come=list(view.to_come),
        applied=list(view.applied),
        acting=view.acting,
        reason=view.reason,
    )


def unseen_by(state: State) -> frozenset[Card]:
    """Return the cards of the deck whose position the traveller does not know."""
    return frozenset(state.deck[state.known_top : len(state.deck) - state.known_bottom])


def apply_to_copy(state: State, move: AnyMove) -> State:
    """Return a copy of the state on which a legal move was carried out."""
    then = copy(state)
    then.days = [list(cards) for cards in state.days]
    then.pawns = dict(state.pawns)
    then.deck, then.hand, then.discards = list(state.deck), list(state.hand), list(state.discards)
    then.solved, then.to_come, then.applied = list(state.solved), list(state.to_come), list(state.applied)
    apply(then, TRAVELLER, move, _NO_FATE)
    return then
