"""The table's tale of its last moves: the chain on the field, and the moment that all look at.

It holds what everybody saw when it happened, and nothing of it is read by a rule.
"""

from __future__ import annotations

from companion.cards import Card, Suit
from sessions.game import Seat

from .checks import Bond
from .state import Beat, Link, Moment, Npc, Result, SecretCheck, State, Task

#: So many cards of the chain are told, the field card included.
CHAIN_KEPT = 7


def moment(state: State) -> Moment:
    """Return the moment of the move that is being carried out, a new one if it has none yet."""
    told = state.told
    if told.moment is None or told.moment.number != told.moves:
        told.moment = Moment(told.moves)
    return told.moment


def begin_move(state: State, seat: Seat) -> None:
    """Count a move, so that what it leads to is one moment. Its seat has read what it was told."""
    state.told.moves += 1
    state.told.peeked = [other for other in state.told.peeked if other != seat]


def link(state: State, card: Card, suit: Suit | None, bond: Bond | None) -> None:
    """Add a card to the chain.

    :param bond: how a card that was played fits the one before; None for a card that was laid otherwise.
    """
    how = Link(card, suit, bond is not None, bond.by if bond else "", bond.gap if bond else None)
    state.told.chain = [*state.told.chain, how][-CHAIN_KEPT:]


def landed(state: State, task: Task) -> None:
    """Tell of the card that was just played for a task."""
    side, last = task.sides[task.now], state.told.chain[-2:]
    now = moment(state)
    now.seat, now.npc, now.links = side.seat, side.npc, last
    now.count = side.successes if task.chain else None
    now.deed = deed_of(state, task)
    if last[-1].card[0] == "x":
        now.beats = [*now.beats, Beat("joker", side.npc or side.seat)]


def named(state: State, task: Task, suit: Suit) -> None:
    """Tell the suit of the joker on the field."""
    side, chain = task.sides[task.now], state.told.chain
    state.told.chain = [*chain[:-1], Link(state.pile[-1], suit, played=True, by="joker")]
    now = moment(state)
    now.seat, now.npc, now.links = side.seat, side.npc, state.told.chain[-2:]


def decided(state: State, task: Task, result: Result) -> None:
    """Tell the result of a task, with the deed."""
    now = moment(state)
    if not now.links:
        now.seat, now.npc = result.seat, result.npc
    now.result, now.deed, now.count = result, deed_of(state, task), result.count
    state.told.deed = now.deed


def kept(state: State, task: Task, result: Result) -> None:
    """Tell that a task was decided in secret, and nothing else of it."""
    now = moment(state)
    now.seat, now.npc, now.deed = result.seat, result.npc, deed_of(state, task)
    now.beats = [*now.beats, Beat("secret", result.npc or result.seat)]


def revealed(state: State, check: SecretCheck) -> None:
    """Tell how a secret check went: what everybody would have seen then."""
    now, result = moment(state), check.result
    now.seat, now.npc, now.links, now.result = result.seat, result.npc, check.links, result
    now.deed = state.told.deed = check.deed
    now.beats = [*now.beats, Beat("revealed", result.npc or result.seat)]


def peeked(state: State, seat: Seat) -> None:
    """Tell a seat that the GM has looked at its hand."""
    state.told.peeked = [*(other for other in state.told.peeked if other != seat), seat]


def hp_set(state: State, who: str, was: int, hp: int) -> None:
    """Tell of a figure that falls or rises, and of the last foe that falls."""
    if was > 0 >= hp:
        moment(state).beats.append(Beat("fell", who))
        if state.combat and who.startswith("n") and _all_seen_down(state.npcs):
            moment(state).beats.append(Beat("last_foe", who))
    elif hp > 0 >= was:
        moment(state).beats.append(Beat("rose", who))


def attempt(state: State, task: Task, said: str) -> None:
    """Remember what a task is about, and let go of the moment before: the next one begins empty.

    :param said: what the acting player had declared.
    """
    told = state.told
    if task.kind != "interrupt":
        told.moment, told.deeds = Moment(told.moves), {}
    told.deeds[str(task.number)] = task.label or task.text or said


def deed_of(state: State, task: Task) -> str:
    """Return what is attempted: the words of the call, else of the player; "" if nobody used any."""
    return state.told.deeds.get(str(task.number), "")


def _all_seen_down(npcs: list[Npc]) -> bool:
    """True if everybody sees that no NPC stands; one whose HP is hidden may stand for all that is seen."""
    return all(npc.hp <= 0 and not npc.hidden for npc in npcs)
