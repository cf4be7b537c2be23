"""The record of the last moves for the screens: the chain on the field, and the moment (the animation).

It holds only what everybody saw at that time, and no rule reads it.
"""

from __future__ import annotations

from companion.cards import Card, Suit
from sessions.game import Seat

from .checks import Bond
from .figures import figure_of, is_up
from .state import GM, Beat, Combat, Cue, HpChange, Link, NpcState, SecretCheck, State, Task, TaskResult
from .story import LONG

#: The number of last cards of the chain that are kept, including the field card.
CHAIN_KEPT = 7
#: The number of last cards of a long run that are kept.
RUN_KEPT = 24


def current_cue(state: State) -> Cue:
    """Return the moment of the current move, and create it if there is none yet."""
    told = state.told
    if told.moment is None or told.moment.number != told.moves:
        told.moment = Cue(told.moves)
    return told.moment


def begin_move(state: State, seat: Seat) -> None:
    """Count a move, so that all its effects share one moment, and clear its seat's notice of a peek."""
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


def record_card(state: State, task: Task) -> None:
    """Add the card that was just played for a task to the moment."""
    side, last = task.sides[task.now], state.told.chain[-2:]
    now = current_cue(state)
    now.seat, now.npc, now.links = side.seat, side.npc, last
    now.count = side.successes if task.chain else None
    now.deed = deed_of(state, task)
    if last[-1].card[0] == "x":
        now.beats = [*now.beats, Beat("joker", side.npc or side.seat)]


def record_suit(state: State, task: Task, suit: Suit) -> None:
    """Add the named suit to the joker on the field."""
    side, told, run = task.sides[task.now], state.told, state.told.run
    joker = Link(state.pile[-1], suit, played=True, by="joker")
    told.chain, told.run = [*told.chain[:-1], joker], [*run[:-1], joker]
    if told.best == run:
        told.best = told.run
    now = current_cue(state)
    now.seat, now.npc, now.links = side.seat, side.npc, told.chain[-2:]


def record_result(state: State, task: Task, result: TaskResult) -> None:
    """Add the result of a task and the task's description to the moment."""
    now = current_cue(state)
    if not now.links:
        now.seat, now.npc = result.seat, result.npc
    now.result, now.deed, now.count = result, deed_of(state, task), result.count
    state.told.deed = now.deed


def record_secret(state: State, task: Task, result: TaskResult) -> None:
    """Add only the fact that a task was decided in secret."""
    now = current_cue(state)
    now.seat, now.npc, now.deed = result.seat, result.npc, deed_of(state, task)
    now.beats = [*now.beats, Beat("secret", result.npc or result.seat)]


def record_reveal(state: State, check: SecretCheck) -> None:
    """Add the card and the result of a secret check, as if it had been public."""
    now, result = current_cue(state), check.result
    now.seat, now.npc, now.links, now.result = result.seat, result.npc, check.links, result
    now.deed = state.told.deed = check.deed
    now.beats = [*now.beats, Beat("revealed", result.npc or result.seat)]


def record_peek(state: State, seat: Seat) -> None:
    """Note for a seat that the GM has looked at its hand."""
    state.told.peeked = [*(other for other in state.told.peeked if other != seat), seat]


def record_hp(state: State, who: str, was: int) -> None:
    """Add a figure's fall or rise, the last foe's fall, and a change of HP by a result to the moment."""
    figure, told = figure_of(state, who), state.told
    turns = (was > 0) != is_up(figure)
    follows = told.moment and told.moment.number == told.moves and told.moment.result
    if not turns and not follows:
        return
    now = current_cue(state)
    now.changes = [*now.changes, HpChange(who, was, figure.hp, figure.hp_max)]
    if turns and is_up(figure):
        now.beats.append(Beat("rose", who))
    elif turns:
        now.beats.append(Beat("fell", who))
        _tell_of_fall(state, now, who)


def _tell_of_fall(state: State, now: Cue, who: str) -> None:
    """Add the players who can help a fallen player; of an NPC, whether it was the last foe."""
    if not who.startswith("n"):
        now.treated = who in state.treated
        now.helpers = [seat for seat in state.seating if is_up(state.characters[seat]) and not now.treated]
    elif state.combat and _all_seen_down(state.npcs):
        now.beats.append(Beat("last_foe", who))
        now.ring = state.told.chain


def record_round(state: State, combat: Combat) -> None:
    """Add the beginning of a round to the moment."""
    now = current_cue(state)
    now.round = combat.round
    now.beats.append(Beat("round", combat.turn))


def record_end(state: State) -> None:
    """Begin the moment of the table's end, with the longest run if it is long."""
    told = state.told
    best = told.best if len(told.best) >= LONG else []
    told.moment = Cue(told.moves, beats=[Beat("ended", GM)], ring=best)


def attempt(state: State, task: Task, said: str) -> None:
    """Store the description of a task. Unless it is an interrupt, begin an empty moment.

    :param said: the acting player's last declaration.
    """
    told = state.told
    if task.kind != "interrupt":
        told.moment, told.deeds = Cue(told.moves), {}
    told.deeds[str(task.number)] = task.label or task.text or said


def deed_of(state: State, task: Task) -> str:
    """Return the description of a task: the words of the call, else of the player, else ""."""
    return state.told.deeds.get(str(task.number), "")


def _all_seen_down(npcs: list[NpcState]) -> bool:
    """True if everybody sees that all NPCs are down; an NPC with hidden HP may still be up."""
    return all(npc.hp <= 0 and not npc.hidden for npc in npcs)
