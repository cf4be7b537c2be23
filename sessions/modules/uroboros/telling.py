"""The table's tale of its last moves: the chain on the field, and the moment that all look at.

It holds what everybody saw when it happened, and nothing of it is read by a rule.
"""

from __future__ import annotations

from companion.cards import Card, Suit
from sessions.game import Seat

from .checks import Bond
from .figures import figure_of, is_up
from .state import GM, Beat, Change, Combat, Link, Moment, Npc, Result, SecretCheck, State, Task
from .story import LONG

#: So many cards of the chain are told, the field card included.
CHAIN_KEPT = 7
#: So many cards of a long run are told.
RUN_KEPT = 24


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
    told = state.told
    told.chain = [*told.chain, how][-CHAIN_KEPT:]
    told.run = [*told.run, how][-RUN_KEPT:] if how.by else []
    if len(told.run) > len(told.best):
        told.best = told.run


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
    side, told, run = task.sides[task.now], state.told, state.told.run
    joker = Link(state.pile[-1], suit, played=True, by="joker")
    told.chain, told.run = [*told.chain[:-1], joker], [*run[:-1], joker]
    if told.best == run:
        told.best = told.run
    now = moment(state)
    now.seat, now.npc, now.links = side.seat, side.npc, told.chain[-2:]


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


def hp_set(state: State, who: str, was: int) -> None:
    """Tell of a figure that falls or rises, of the last foe that falls, and of HP that a result changes."""
    figure, told = figure_of(state, who), state.told
    turns = (was > 0) != is_up(figure)
    follows = told.moment and told.moment.number == told.moves and told.moment.result
    if not turns and not follows:
        return
    now = moment(state)
    now.changes = [*now.changes, Change(who, was, figure.hp, figure.hp_max)]
    if turns and is_up(figure):
        now.beats.append(Beat("rose", who))
    elif turns:
        now.beats.append(Beat("fell", who))
        _tell_of_fall(state, now, who)


def _tell_of_fall(state: State, now: Moment, who: str) -> None:
    """Tell who can still help a player, or that the last foe has fallen."""
    if not who.startswith("n"):
        now.treated = who in state.treated
        now.helpers = [seat for seat in state.seating if is_up(state.characters[seat]) and not now.treated]
    elif state.combat and _all_seen_down(state.npcs):
        now.beats.append(Beat("last_foe", who))
        now.ring = state.told.chain


def round_begun(state: State, combat: Combat) -> None:
    """Tell that a round begins."""
    now = moment(state)
    now.round = combat.round
    now.beats.append(Beat("round", combat.turn))


def ended(state: State) -> None:
    """Tell that the night is over, and its best chain if it was long."""
    told = state.told
    best = told.best if len(told.best) >= LONG else []
    told.moment = Moment(told.moves, beats=[Beat("ended", GM)], ring=best)


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
