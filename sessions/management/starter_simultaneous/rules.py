"""The rules: the first deal, the moves that are possible, and what comes of them."""

from __future__ import annotations

from sessions.game import Event, Fate, Outcome, Seat, demand

from .moves import AnyMove, Choose
from .state import CARDS, HAND, Options, Player, State

#: Cards that count as the same: 10 to 19 are one ten.
TEN = 10


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Shuffle and deal. [ST-1.2]"""
    box = fate.shuffle("deck", list(CARDS))
    hands = {seat: Player([box.pop() for _ in range(HAND)]) for seat in seats}
    return State(seats, options, box, hands)


def waiting_for(state: State) -> set[Seat]:
    """Return everybody who has not chosen yet. [ST-2.1]"""
    if outcome(state):
        return set()
    return {seat for seat, player in state.players.items() if player.chosen is None}


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return every move that the rules accept from a seat now."""
    return [*map(Choose, state.players[seat].hand)] if seat in waiting_for(state) else []


def asked(state: State, seat: Seat) -> object:
    """Return what a seat is asked; None for nothing. Choices of others change no question."""
    return state.round if seat in waiting_for(state) else None


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return what happened.

    :raises IllegalMove: ``has_chosen``, ``not_yours``.
    """
    player = state.players[seat]
    demand(player.chosen is None, "has_chosen", "ST-2.1")
    demand(move.card in player.hand, "not_yours", "ST-2.1")
    player.hand.remove(move.card)
    player.chosen = move.card
    # Everybody reads that a card was chosen; which one, nobody does.
    events = [Event("chose", {"seat": seat})]
    return events if waiting_for(state) else [*events, *_turn_up(state)]


def outcome(state: State) -> Outcome | None:
    """Return the winners, None before the last round. [ST-3.1]"""
    if state.round <= state.options.rounds:
        return None
    best = max(player.points for player in state.players.values())
    winners = tuple(seat for seat, player in state.players.items() if player.points == best)
    return Outcome(winners, "counted")


def _turn_up(state: State) -> list[Event]:
    """Turn all cards up, and let the highest earn that stands alone in its ten. [ST-2.2]"""
    laid: dict[Seat, int] = {}
    for seat, player in state.players.items():
        assert player.chosen is not None
        laid[seat] = player.shown = player.chosen
        player.chosen = None
    state.past += laid.values()
    state.round += 1
    events = [Event("turned_up", {"cards": laid})]
    tens = [card // TEN for card in laid.values()]
    alone = {seat: card for seat, card in laid.items() if tens.count(card // TEN) == 1}
    if not alone:
        return [*events, Event("nobody_earned")]
    best = max(alone, key=lambda seat: alone[seat])
    state.players[best].points += alone[best]
    return [*events, Event("earned", {"seat": best, "points": alone[best]})]
