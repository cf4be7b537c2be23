"""The rules: the setup, the legal moves, and their effects."""

from __future__ import annotations

from sessions.game import Event, Fate, Outcome, Seat, demand

from .moves import AnyMove, Choose
from .state import CARDS, HAND, Options, Player, State

#: Cards from 10 to 19 are one ten, those from 20 to 29 the next.
TEN = 10


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Shuffle and deal. [ST-1.2]"""
    box = fate.shuffle("deck", list(CARDS))
    hands = {seat: Player([box.pop() for _ in range(HAND)]) for seat in seats}
    return State(seats, options, box, hands)


def waiting_for(state: State) -> set[Seat]:
    """Return the seats that have not chosen a card yet. [ST-2.1]"""
    if outcome(state):
        return set()
    return {seat for seat, player in state.players.items() if player.chosen is None}


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return every move that the rules accept from a seat now."""
    return [*map(Choose, state.players[seat].hand)] if seat in waiting_for(state) else []


def question(state: State, seat: Seat) -> object:
    """Return the question to a seat; None if it need not move.

    A move made on an older version of the table is applied only if the question is still the same. Here it is
    the round, so a choice of another seat does not change it.
    """
    return state.round if seat in waiting_for(state) else None


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Apply a move to ``state``; return the events.

    :raises IllegalMove: ``has_chosen``, ``not_yours``.
    """
    player = state.players[seat]
    demand(player.chosen is None, "has_chosen", "ST-2.1")
    demand(move.card in player.hand, "not_yours", "ST-2.1")
    player.hand.remove(move.card)
    player.chosen = move.card
    # Everybody sees this event, so it does not name the card.
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
    """Turn all cards up; the highest card that is alone in its ten earns its number as points. [ST-2.2]"""
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
