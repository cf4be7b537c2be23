"""Legal moves: all of them, or a sample where texts, numbers or orders make them too many.

For a seat in its turn, the attacks that it may make are also judged with each of its cards. [UC-8.2, 8.3]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from msgspec import UNSET, Struct

from companion.cards import SUITS, Card, is_joker, kind
from sessions.game import Seat, allows

from . import moves, rules
from .cards import can_draw, surplus
from .checks import (
    Check,
    Means,
    actor,
    everybody,
    field_target,
    figure_of,
    is_up,
    seat_of,
    weapon_value,
    weapons,
)
from .gm import MOST_NPCS, MOST_PLAYERS, has_part
from .moves import AnyMove
from .rules import may_grant
from .state import GM, HP_LOWEST, InterruptRequest, Sheet, State
from .tasks import damage
from .turns import asked_seat, asked_side, busy, may_draw_now, turn_seat

ANY_TEXT = "…"
ATTACK_DIFFICULTIES = range(1, 6)
#: Whether a card would succeed; ``turned``: unknown, because a card is turned onto the field first.
Prospect = Literal["yes", "no", "turned"]


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return the legal moves of ``seat`` now.

    Some are samples:

    - ``support``: each card and each receiver
    - ``discard``: the oldest cards and the newest
    - texts: one
    - actions in the GM's turn: those of one NPC
    - moves of the GM: see _gm_moves
    """
    if state.ended:
        return []
    legal = _answers(state, seat) if asked_seat(state) == seat else []
    if turn_seat(state) == seat and (npcs := actors(state, seat)):
        npc = npcs[state.task_number % len(npcs)]
        legal += _attacks(state, seat, npc)
        legal += [moves.Observe(npc, card) for card in (None, *state.hands[seat].visible_cards)]
        legal += [*_supports(state, seat, npc), moves.Other(npc, ANY_TEXT)]
    legal += _requests(state, seat)
    if seat == GM:
        legal += _gm_moves(state)
    return [*legal, moves.Declare(ANY_TEXT)]


def _answers(state: State, seat: Seat) -> list[AnyMove]:
    hand, task = state.hands[seat].visible_cards, state.task
    if task is None:
        count = surplus(state, seat)
        oldest, newest = moves.Discard(tuple(hand[:count])), moves.Discard(tuple(reversed(hand[-count:])))
        return [oldest] if oldest == newest else [oldest, newest]
    if task.stage == "name":
        return [moves.NameSuit(suit) for suit in SUITS]
    if task.stage == "raise":
        return []
    side = asked_side(task)
    answers: list[AnyMove] = [
        moves.Play(card, suit) for card in hand for suit in (SUITS if is_joker(card) else (UNSET,))
    ]
    if may_draw_now(state):
        answers.append(moves.Draw())
    if not side.cards:
        answers.append(moves.GiveUp())
    elif task.chain:
        answers.append(moves.Stop())
    if task.kind == "interrupt" and is_up(actor(state, seat, side.npc)):
        answers += _supports(state, seat, side.npc)
    if task.stage == "active" and task.raise_to is None:
        answers += [moves.Raise(difficulty) for difficulty in range(task.difficulty + 1, 6)]
    return answers


def actors(state: State, seat: Seat) -> list[str | None]:
    """Return the NPC ids that a seat may act for in its turn; None is a player's own character."""
    return [npc.id for npc in state.npcs if not npc.acted and is_up(npc)] if seat == GM else [None]


def _attacks(state: State, seat: Seat, npc: str | None) -> list[AnyMove]:
    figure = actor(state, seat, npc)
    targets = [who for who in everybody(state) if who != (npc or seat)]
    with_weapon, with_skill = [None, *weapons(figure)], [None, *range(len(figure.skills))]
    ways = product(targets, ATTACK_DIFFICULTIES, with_weapon, with_skill, (False, True))
    return [moves.Attack(npc, *way) for way in ways]


def _supports(state: State, seat: Seat, npc: str | None) -> list[AnyMove]:
    cards = state.hands[seat].visible_cards
    receivers = [to for to in state.seats if to != seat and (to == GM or is_up(figure_of(state, to)))]
    if not cards or not receivers:
        return []
    return [
        moves.Support(npc, receivers[i % len(receivers)], cards[i % len(cards)], ANY_TEXT)
        for i in range(max(len(cards), len(receivers)))
    ]


def _requests(state: State, seat: Seat) -> list[AnyMove]:
    if rules.open_request(state, seat):
        return [moves.Withdraw()]
    npcs: list[str | None] = [npc.id for npc in state.npcs] if seat == GM else [None]
    return [moves.Interrupt(npc, ANY_TEXT) for npc in npcs if allows(rules.may_ask, state, seat, npc)]


def _gm_moves(state: State) -> list[AnyMove]:
    """Return a sample of the GM's legal moves.

    Difficulty, skill, q and tool vary with the number of tasks so far.

    - ``call``: a check and a chain for each figure, none of them secret
    - ``contest``: each figure against another
    - ``treat``: each patient once
    - ``answer_interrupt``: a refusal and a permission
    - ``set_hp``: one more and one less
    - ``deal`` and ``rest``: one
    - ``add_npc``: an open one and a hidden one
    - ``add_player``: a character with default values
    - ``peek``: none, so that a random bot does not look at hands
    """
    sample: list[AnyMove] = [moves.Cancel()] if busy(state) else _openings(state)
    if state.task and state.task.stage == "raise":
        sample += [moves.AnswerRaise(True), moves.AnswerRaise(False)]
    for request in state.requests:
        sample += _interrupt_answers(state, request)
    if state.rehearsal and state.deck:
        sample += [moves.Stack(card) for card in state.hands[GM].cards[:1]]
    sample += [moves.Deal(seat, 1) for seat in state.seating if is_up(state.characters[seat])]
    sample += [moves.Reveal(check.number) for check in state.secrets]
    return [*sample, moves.Deal(GM, 1), *_hp_moves(state), *_npc_moves(state), moves.End()]


def _openings(state: State) -> list[AnyMove]:
    combat: list[AnyMove] = (
        [moves.EndCombat(), moves.EndTurn()] if state.combat else [moves.StartCombat(), moves.Rest(1)]
    )
    latecomers = [moves.AddPlayer(Sheet())] if len(state.seating) < MOST_PLAYERS else []
    return [*_calls(state), *_contests(state), *_treatments(state), moves.Flip(), *combat, *latecomers]


def _calls(state: State) -> list[AnyMove]:
    number = state.task_number
    return [
        moves.Call(
            *_who(who),
            difficulty=(number + place) % 6,
            label="",
            skill=number % 3 == 0,
            q=number % 4,
            tool_missing=number % 5 == 0,
            chain=chain,
        )
        for place, who in enumerate(_standing(state))
        for chain in (False, True)
    ]


def _contests(state: State) -> list[AnyMove]:
    figures, number = everybody(state), state.task_number
    return [
        moves.Contest(_party(who, number), _party(figures[place - 1], number), (number + place) % 6, "")
        for place, who in enumerate(figures)
        if is_up(figure_of(state, who)) and len(figures) > 1
    ]


def _treatments(state: State) -> list[AnyMove]:
    number, healers = state.task_number, _standing(state)
    patients = [who for who in everybody(state) if who not in state.treated]
    if not healers:
        return []
    return [
        moves.Treat(*_who(healers[(number + place) % len(healers)]), patient, 1, number % 3 == 0, number % 4)
        for place, patient in enumerate(patients)
    ]


def _interrupt_answers(state: State, request: InterruptRequest) -> list[AnyMove]:
    refusal = moves.AnswerInterrupt(request.seat, False)
    if not allows(may_grant, state, request):
        return [refusal]
    number = state.task_number
    return [refusal, moves.AnswerInterrupt(request.seat, True, number % 6, number % 3 == 0, number % 4)]


def _hp_moves(state: State) -> list[AnyMove]:
    return [
        moves.SetHp(who, hp)
        for who in everybody(state)
        for figure in [figure_of(state, who)]
        for hp in sorted({max(figure.hp - 1, HP_LOWEST), max(min(figure.hp + 1, figure.hp_max), HP_LOWEST)})
    ]


def _npc_moves(state: State) -> list[AnyMove]:
    removals: list[AnyMove] = [moves.RemoveNpc(npc.id) for npc in state.npcs if not has_part(state, npc)]
    if len(state.npcs) == MOST_NPCS:
        return removals
    rank = state.npc_ids % 6 + 1
    return [moves.AddNpc("NPC", rank), moves.AddNpc("NPC", rank, hidden=True), *removals]


def _standing(state: State) -> list[str]:
    return [who for who in everybody(state) if is_up(figure_of(state, who))]


def _who(who: str) -> tuple[Seat, str | None]:
    seat = seat_of(who)
    return seat, None if seat == who else who


def _party(who: str, number: int) -> moves.Party:
    return moves.Party(*_who(who), skill=number % 3 == 0, q=number % 4)


class AttackOption(Struct, frozen=True):
    """A way to attack, and the prospects of each card at difficulty 1 to 5."""

    npc: str | None
    weapon: int | None
    skill: bool
    prospects: dict[Card, tuple[Prospect, ...]]


class Damage(Struct, frozen=True):
    """The damage that a card does at difficulty 1 to 5, None being any number card."""

    card: Card | None
    plain: tuple[int, ...]
    chain: tuple[int, ...]


def attack_options(state: State, seat: Seat) -> Iterator[AttackOption]:
    """Yield the ways in which this seat, which has the turn, may attack now."""
    hand, target = state.hands[seat].visible_cards, field_target(state)
    for npc in actors(state, seat):
        figure = actor(state, seat, npc)
        for weapon, skill in product((*weapons(figure), None), (False, True) if figure.skills else (False,)):
            means = Means(figure.suits, skill, weapon_value(figure, weapon))
            checks = [Check(state.ladder, level, target, means) for level in ATTACK_DIFFICULTIES]
            prospects = {card: tuple(_prospect(state, check, card) for check in checks) for card in hand}
            yield AttackOption(npc, weapon, skill, prospects)


def damage_options(state: State, seat: Seat) -> Iterator[Damage]:
    """Yield the damage of any number card, then that of each hand card."""
    for card in (None, *state.hands[seat].visible_cards):
        first = kind(card) if card else "number"
        plain, chain = (
            tuple(damage(difficulty, first, chain=chain) for difficulty in ATTACK_DIFFICULTIES)
            for chain in (False, True)
        )
        yield Damage(card, plain, chain)


def _prospect(state: State, check: Check, card: Card) -> Prospect:
    if state.ladder[check.level].flip and can_draw(state) and not is_joker(card):
        return "turned"
    return "yes" if check.judge(card).success else "no"
