"""The rules: the setup, the legal moves, and their effects."""

from __future__ import annotations

from sessions.game import Event, Fate, Outcome, Seat, demand

from .moves import AnyMove, Believe, Doubt, Lay
from .state import CARDS, NUMBERS, OpenClaim, Options, Player, State, number_on


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Shuffle and deal. [ST-1.2]"""
    box = fate.shuffle("deck", CARDS)
    hands = {seat: Player([box.pop() for _ in range(options.cards)]) for seat in seats}
    return State(seats, options, box, hands, turn=seats[0])


def waiting_for(state: State) -> set[Seat]:
    """Return the seat that has to lay a card, or to answer a claim. [ST-2.1, ST-2.3]"""
    if outcome(state):
        return set()
    return {state.claim.before if state.claim else state.turn}


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return every move that the rules accept from a seat now."""
    if seat not in waiting_for(state):
        return []
    if state.claim:
        return [Believe(), Doubt()]
    others = [other for other in state.players if other != seat]
    hand = state.players[seat].hand
    return [Lay(card, other, number) for card in hand for other in others for number in NUMBERS]


def question(state: State, seat: Seat) -> object:
    """Return the question to a seat; None if it need not move.

    A move made on an older version of the table is applied only if the question is still the same.
    """
    if seat not in waiting_for(state):
        return None
    return [state.turn, len(state.players[state.turn].hand), state.claim]


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Apply a move to ``state``; return the events.

    :raises IllegalMove: ``not_your_turn``, ``not_yours``, ``no_other``, ``not_asked``.
    """
    match move:
        case Lay():
            return _lay(state, seat, move)
        case Believe() | Doubt():
            return _answer(state, seat, doubts=isinstance(move, Doubt))


def outcome(state: State) -> Outcome | None:
    """Return the winners, None while a player has cards or a claim is open. [ST-3.1]"""
    if state.claim or any(player.hand for player in state.players.values()):
        return None
    best = max(player.points for player in state.players.values())
    winners = tuple(seat for seat, player in state.players.items() if player.points == best)
    return Outcome(winners, "counted")


def _lay(state: State, seat: Seat, move: Lay) -> list[Event]:
    """Lay a card face down, and claim its number. [ST-2.1, ST-2.2]"""
    player = state.players[seat]
    demand(seat == state.turn and not state.claim, "not_your_turn", "ST-2.1")
    demand(move.card in player.hand, "not_yours", "ST-2.2")
    demand(move.before in state.players and move.before != seat, "no_other", "ST-2.2")
    player.hand.remove(move.card)
    player.down.append(move.card)
    state.claim = OpenClaim(move.before, move.number)
    return [Event("claimed", {"seat": seat, "before": move.before, "number": move.number})]


def _answer(state: State, seat: Seat, *, doubts: bool) -> list[Event]:
    """Believe a claim or turn its card up, and pass the turn on. [ST-2.1, ST-2.3, ST-2.4, ST-2.5]"""
    claim, layer = state.claim, state.turn
    demand(claim is not None and claim.before == seat, "not_asked", "ST-2.3")
    assert claim
    state.claim = None
    order = list(state.players)
    state.turn = order[(order.index(layer) + 1) % len(order)]
    if not doubts:
        return [Event("believed", {"seat": seat}), _earn(state, layer, claim.number)]
    card = state.players[layer].down.pop()
    state.shown.append(card)
    is_true = number_on(card) == claim.number
    earned = _earn(state, layer, 2 * claim.number) if is_true else _earn(state, seat, claim.number)
    return [Event("doubted", {"seat": seat, "number": number_on(card)}), earned]


def _earn(state: State, seat: Seat, points: int) -> Event:
    state.players[seat].points += points
    return Event("earned", {"seat": seat, "points": points})
