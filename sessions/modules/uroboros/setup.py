"""Session start: seating, the deck, the hands, the first field card. [UC-3]"""

from __future__ import annotations

from msgspec import UNSET

from companion.cards import standard_deck
from sessions.game import Fate, Seat

from .hands import hand_limit
from .options import Options, Sheet, check_seats
from .piles import lay
from .state import GM, CharacterState, Hand, State


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Open the table: seat the players, deal, turn the field card up. [UC-3.1 to 3.4]

    :raises msgspec.ValidationError: a character for a seat that is not there.
    """
    check_seats(options, seats)
    players = [seat for seat in seats if seat != GM]
    characters = {seat: character(seat, options.characters.get(seat, Sheet())) for seat in players}
    state = State(
        seats=list(seats),
        seating=sorted(fate.shuffle("seating", players), key=lambda seat: characters[seat].ca),
        ladder=options.ladder,
        characters=characters,
        hands={seat: Hand() for seat in seats},
        deck=fate.shuffle("deck", standard_deck(options.jokers)),
        practice=options.practice,
        rehearsal=options.rehearsal,
    )
    for seat in [*state.seating, GM]:
        _deal(state, seat)
    lay(state, state.deck.pop(0))
    return state


def character(seat: Seat, sheet: Sheet) -> CharacterState:
    """Return a sheet as a character at the table, with defaults for the fields left out."""
    return CharacterState(
        name=seat if sheet.name is UNSET else sheet.name,
        ca=sheet.ca,
        hp_max=sheet.hp_max,
        hp=sheet.hp_max if sheet.hp is None else sheet.hp,
        suits=sheet.suits,
        skills=sheet.skills,
        weapons=sheet.weapons,
        armour=sheet.armour,
        shield=sheet.shield,
        tools=sheet.tools,
    )


def _deal(state: State, seat: Seat) -> None:
    """Deal a hand in one block off the top; the deck's last card is kept for the field. [UC-3.2, 3.3]"""
    count = min(hand_limit(state, seat), len(state.deck) - 1)
    state.hands[seat].cards, state.deck = state.deck[:count], state.deck[count:]
