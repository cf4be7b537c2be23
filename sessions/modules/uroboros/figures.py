"""The figure behind a seat or an NPC id."""

from __future__ import annotations

from sessions.game import IllegalMove, Seat, demand

from .checks import Means
from .state import GM, CharacterState, NpcState, Side, State


def npc_of(state: State, npc_id: str) -> NpcState:
    """Return the NPC.

    :raises IllegalMove: ``unknown_npc``.
    """
    for npc in state.npcs:
        if npc.id == npc_id:
            return npc
    raise IllegalMove("unknown_npc", rule="UC-10.4")


def character_of(state: State, seat: Seat) -> CharacterState:
    """Return a player's character.

    :raises IllegalMove: ``unknown_seat``.
    """
    demand(seat in state.characters, "unknown_seat", "UC-3.1")
    return state.characters[seat]


def figure_of(state: State, who: str) -> CharacterState | NpcState:
    """Return the figure of a player's seat or an NPC id.

    :raises IllegalMove: ``unknown_seat``, ``unknown_npc``.
    """
    return npc_of(state, who) if who.startswith("n") else character_of(state, who)


def seat_of(who: str) -> Seat:
    """Return the seat that plays a figure: the GM for an NPC."""
    return GM if who.startswith("n") else who


def actor(state: State, seat: Seat, npc: str | None) -> CharacterState | NpcState:
    """Return the figure that ``seat`` acts for; the GM acts for an NPC, a player for their own.

    :raises IllegalMove: ``npc_needed``, ``npc_not_wanted``, ``unknown_seat``, ``unknown_npc``.
    """
    if seat == GM:
        if npc is None:
            raise IllegalMove("npc_needed", rule="UC-10.5")
        return npc_of(state, npc)
    demand(npc is None, "npc_not_wanted", "UC-10.5")
    return character_of(state, seat)


def is_up(figure: CharacterState | NpcState) -> bool:
    """True if a figure has HP above 0. [UC-4.10]"""
    return figure.hp > 0


def standing(figure: CharacterState | NpcState) -> None:
    """Refuse an action that requires HP above 0. [UC-4.10]

    :raises IllegalMove: ``down``.
    """
    demand(is_up(figure), "down", "UC-4.10")


def means_of(state: State, side: Side) -> Means:
    """Return the help that this side has in its check."""
    return Means(actor(state, side.seat, side.npc).suits, side.skill, side.q)
