"""The teams, calculated from the current cards. Nothing here changes the state. [chapter 3, GC-8.1]"""

from __future__ import annotations

from sessions.game import Seat

from .cards import LEADERS, POSITIONS, Card, CardPosition, Position, Team
from .state import Player, State


def all_cards(state: State) -> list[tuple[CardPosition, Card]]:
    """Return every integrity card with its place, in the order of the seats."""
    return [(place, card_at(state, place)) for seat in state.seats for place in places(seat)]


def places(seat: Seat) -> list[CardPosition]:
    return [CardPosition(seat, position) for position in POSITIONS]


def card_at(state: State, place: CardPosition) -> Card:
    return state.players[place.seat].cards[place.position]


def living(state: State) -> list[Seat]:
    """Return the seats that are not eliminated, in seat order."""
    return [seat for seat in state.seats if state.players[seat].alive]


def leader_card(player: Player) -> Card | None:
    """Return the leader card that a player holds; a player with both has already won. [GC-3.3]"""
    return next((card for card in player.cards if card.face in LEADERS), None)


def leads(state: State, seat: Seat) -> bool:
    """True if a seat holds a leader card."""
    return leader_card(state.players[seat]) is not None


def has_infector(player: Player) -> bool:
    """True if a player holds the infector, face up or down."""
    return any(card.face == "infector" for card in player.cards)


def shows(player: Player, *, leader: bool = False, infector: bool = False) -> bool:
    """True if a player has a face-up card of one of the kinds that are set to True."""
    return any(
        card.up and ((leader and card.face in LEADERS) or (infector and card.face == "infector"))
        for card in player.cards
    )


def infector_hidden(state: State) -> bool:
    """True if the infector is in play and face down; all players know this. [GC-8.2]"""
    return any(
        card.face == "infector" and not card.up for seat in state.seats for card in state.players[seat].cards
    )


def infection_tokens(player: Player) -> int:
    """Return the number of infection tokens on a player's cards."""
    return sum(card.infected for card in player.cards)


def face_down(player: Player) -> list[Position]:
    """Return the positions of a player's face-down cards."""
    return [position for position in POSITIONS if not player.cards[position].up]


def free_of_token(player: Player) -> list[Position]:
    """Return the positions of the cards without an infection token, the leftmost first."""
    return [position for position in POSITIONS if not player.cards[position].infected]


def team(state: State, seat: Seat) -> Team:
    """Return the team of a player: zombie, then the leader card, then the majority. [GC-3.1, GC-3.2]"""
    player = state.players[seat]
    if player.zombie or has_infector(player):
        return "zombie"
    leader = leader_card(player)
    if leader:
        return LEADERS[leader.face]
    honest = sum(card.face == "honest" for card in player.cards) >= 2
    return "honest" if honest is not ("planted_evidence" in player.active) else "crooked"
