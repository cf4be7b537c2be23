"""The rules: the setup, the legal moves, and their effects."""

from __future__ import annotations

from sessions.game import Event, Fate, Outcome, Seat, demand

from .moves import (
    AnyMove,
    Lay,
    Stay,
    # [gm]
    Stop,
    # [/gm]
)
from .state import CARDS, HAND, Options, Player, State


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Shuffle and deal. [ST-1.2]"""
    players = list(seats)
    # [gm]
    players.remove("gm")  # the GM has no cards
    # [/gm]
    box = fate.shuffle("deck", list(CARDS))
    hands = {seat: Player([box.pop() for _ in range(HAND)]) for seat in players}
    return State(seats, options, box, hands, turn=players[0])


def waiting_for(state: State) -> set[Seat]:
    """Return the seats that have to move now. [ST-2.1]"""
    return set() if outcome(state) else {state.turn}


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return every move that the rules accept from a seat now."""
    # [gm]
    if seat == "gm" and not outcome(state):
        return [Stop()]
    # [/gm]
    if seat not in waiting_for(state):
        return []
    return [*map(Lay, state.players[seat].hand), Stay()]


def question(state: State, seat: Seat) -> object:
    """Return the question to a seat; None if it need not move.

    A move made on an older version of the table is applied only if the question is still the same.
    """
    if seat not in waiting_for(state):
        return None
    return [state.turn, sum(len(player.laid) for player in state.players.values())]


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Apply a move to ``state``; return the events.

    :raises IllegalMove: ``not_your_turn``, ``not_yours``.
    """
    # [gm]
    if isinstance(move, Stop):
        demand(seat == "gm", "gm_only", "ST-4.1")
        state.stopped = True
        return [Event("stopped")]
    # [/gm]
    demand(seat == state.turn, "not_your_turn", "ST-2.1")
    match move:
        case Lay(card):
            events = _lay(state, seat, card)
        case Stay():
            state.players[seat].stays = True
            events = [Event("stayed", {"seat": seat})]
    _pass_on(state)
    return events


def outcome(state: State) -> Outcome | None:
    """Return the winners, None while a player may still lay a card. [ST-3.1, ST-3.2]"""
    goes_on = any(may_lay(state, seat) for seat in state.players)
    # [gm]
    goes_on = goes_on and not state.stopped
    # [/gm]
    if goes_on:
        return None
    totals = {seat: player.total for seat, player in state.players.items() if not is_over(state, seat)}
    best = max(totals.values(), default=0)
    return Outcome(tuple(seat for seat, total in totals.items() if total == best), "counted")


def is_over(state: State, seat: Seat) -> bool:
    """True if a player's cards are above the limit. [ST-2.3]"""
    return state.players[seat].total > state.options.limit


def may_lay(state: State, seat: Seat) -> bool:
    """True if a player may still lay a card in this game."""
    player = state.players[seat]
    return bool(player.hand) and not player.stays and not is_over(state, seat)


def _lay(state: State, seat: Seat, card: int) -> list[Event]:
    """Lay a card. [ST-2.2, ST-2.3]"""
    player = state.players[seat]
    demand(card in player.hand, "not_yours", "ST-2.2")
    player.hand.remove(card)
    player.laid.append(card)
    events = [Event("laid", {"seat": seat, "card": card, "total": player.total})]
    if is_over(state, seat):
        events.append(Event("went_over", {"seat": seat}))
    return events


def _pass_on(state: State) -> None:
    """Give the turn to the next player who may still lay a card, if there is one. [ST-2.1]"""
    order = list(state.players)
    place = order.index(state.turn) + 1
    following = [seat for seat in order[place:] + order[:place] if may_lay(state, seat)]
    state.turn = next(iter(following), state.turn)
