"""Legal moves: all of them, or a sample where texts, numbers or orders make them too many.

For a seat in its turn, the attacks that it may make are also judged with each of its cards. [UC-8.2, 8.3]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Literal

from msgspec import Struct

from companion.cards import SUITS, Card, is_joker, kind
from sessions.game import Seat, allows

from . import rules
from .cards import can_draw, surplus
from .checks import (
    Means,
    actor,
    field_target,
    figure_of,
    is_up,
    judge,
    seat_of,
    weapon_value,
    weapons,
)
from .gm import MOST_NPCS, MOST_PLAYERS, has_part
from .moves import (
    AddNpc,
    AddPlayer,
    AnswerInterrupt,
    AnswerRaise,
    AnyMove,
    Attack,
    Call,
    Cancel,
    Contest,
    Deal,
    Declare,
    Discard,
    Draw,
    End,
    EndCombat,
    EndTurn,
    Flip,
    GiveUp,
    Interrupt,
    NameSuit,
    Observe,
    Other,
    Party,
    Play,
    Raise,
    RemoveNpc,
    Rest,
    Reveal,
    SetHp,
    Stack,
    StartCombat,
    Stop,
    Support,
    Treat,
    Withdraw,
)
from .rules import may_grant
from .state import GM, HP_LOWEST, InterruptRequest, Sheet, State, Task
from .tasks import damage
from .turns import allow_draw, asked_seat, asked_side, busy, turn_seat

DIFFICULTIES = range(6)
ANY_TEXT = "…"
ATTACK_DIFFICULTIES = range(1, 6)
#: Whether a card would succeed; ``turned``: unknown, because a card is turned onto the field first.
Prospect = Literal["yes", "no", "turned"]


def gm_moves(state: State) -> list[AnyMove]:
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
    sample: list[AnyMove] = [Cancel()] if busy(state) else _openings(state)
    if state.task and state.task.stage == "raise":
        sample += [AnswerRaise(True), AnswerRaise(False)]
    for request in state.requests:
        sample += _interrupt_answers(state, request)
    if state.rehearsal and state.deck:
        sample += [Stack(card) for card in state.hands[GM].cards[:1]]
    sample += [Deal(seat, 1) for seat in state.seating if is_up(state.characters[seat])]
    sample += [Reveal(check.number) for check in state.secrets]
    return [*sample, Deal(GM, 1), *_hp_moves(state), *_npc_moves(state), End()]


def _openings(state: State) -> list[AnyMove]:
    combat: list[AnyMove] = [EndCombat(), EndTurn()] if state.combat else [StartCombat(), Rest(1)]
    latecomers = [AddPlayer(Sheet())] if len(state.seating) < MOST_PLAYERS else []
    return [*_calls(state), *_contests(state), *_treatments(state), Flip(), *combat, *latecomers]


def _calls(state: State) -> list[AnyMove]:
    number = state.task_number
    return [
        Call(
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
    everybody, number = _everybody(state), state.task_number
    return [
        Contest(_party(who, number), _party(everybody[place - 1], number), (number + place) % 6, "")
        for place, who in enumerate(everybody)
        if is_up(figure_of(state, who)) and len(everybody) > 1
    ]


def _treatments(state: State) -> list[AnyMove]:
    number, healers = state.task_number, _standing(state)
    patients = [who for who in _everybody(state) if who not in state.treated]
    if not healers:
        return []
    return [
        Treat(*_who(healers[(number + place) % len(healers)]), patient, 1, number % 3 == 0, number % 4)
        for place, patient in enumerate(patients)
    ]


def _interrupt_answers(state: State, request: InterruptRequest) -> list[AnyMove]:
    refusal = AnswerInterrupt(request.seat, False)
    if not allows(may_grant, state, request):
        return [refusal]
    number = state.task_number
    return [refusal, AnswerInterrupt(request.seat, True, number % 6, number % 3 == 0, number % 4)]


def _hp_moves(state: State) -> list[AnyMove]:
    return [
        SetHp(who, hp)
        for who in _everybody(state)
        for figure in [figure_of(state, who)]
        for hp in sorted({max(figure.hp - 1, HP_LOWEST), max(min(figure.hp + 1, figure.hp_max), HP_LOWEST)})
    ]


def _npc_moves(state: State) -> list[AnyMove]:
    removals: list[AnyMove] = [RemoveNpc(npc.id) for npc in state.npcs if not has_part(state, npc)]
    if len(state.npcs) == MOST_NPCS:
        return removals
    rank = state.npc_ids % 6 + 1
    return [AddNpc("NPC", rank), AddNpc("NPC", rank, hidden=True), *removals]


def _everybody(state: State) -> list[str]:
    return [*state.seating, *(npc.id for npc in state.npcs)]


def _standing(state: State) -> list[str]:
    return [who for who in _everybody(state) if is_up(figure_of(state, who))]


def _who(who: str) -> tuple[Seat, str | None]:
    seat = seat_of(who)
    return seat, None if seat == who else who


def _party(who: str, number: int) -> Party:
    return Party(*_who(who), skill=number % 3 == 0, q=number % 4)


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    """Return the legal moves of ``seat`` now.

    Some are samples:

    - ``support``: each card and each receiver
    - ``discard``: the oldest cards and the newest
    - texts: one
    - actions in the GM's turn: those of one NPC
    - moves of the GM: see gm_moves
    """
    if state.ended:
        return []
    moves = _answers(state, seat) if asked_seat(state) == seat else []
    if turn_seat(state) == seat:
        for npc in _sample(actors(state, seat), state.task_number):
            moves += _actions(state, seat, npc)
    moves += _requests(state, seat)
    if seat == GM:
        moves += gm_moves(state)
    return [*moves, Declare(ANY_TEXT)]


def _answers(state: State, seat: Seat) -> list[AnyMove]:
    hand, task = state.hands[seat].visible_cards, state.task
    if task is None:
        return _discards(hand, surplus(state, seat))
    if task.stage == "name":
        return [NameSuit(suit) for suit in SUITS]
    if task.stage == "raise":
        return []
    side = asked_side(task)
    moves: list[AnyMove] = [play for card in hand for play in _plays(card)]
    if allow_draw(state):
        moves.append(Draw())
    if not side.cards:
        moves.append(GiveUp())
    elif task.chain:
        moves.append(Stop())
    if task.kind == "interrupt" and is_up(actor(state, seat, side.npc)):
        moves += _supports(state, seat, side.npc)
    return moves + _raises(task)


def _plays(card: Card) -> list[AnyMove]:
    return [Play(card, suit) for suit in SUITS] if is_joker(card) else [Play(card)]


def _discards(hand: list[Card], count: int) -> list[AnyMove]:
    oldest, newest = Discard(tuple(hand[:count])), Discard(tuple(reversed(hand[-count:])))
    return [oldest] if oldest == newest else [oldest, newest]


def _raises(task: Task) -> list[AnyMove]:
    if task.stage != "active" or task.raise_to is not None:
        return []
    return [Raise(difficulty) for difficulty in range(task.difficulty + 1, 6)]


def actors(state: State, seat: Seat) -> list[str | None]:
    """Return the NPC ids that a seat may act for in its turn; None is a player's own character."""
    return [npc.id for npc in state.npcs if not npc.acted and is_up(npc)] if seat == GM else [None]


def _sample(npcs: list[str | None], number: int) -> list[str | None]:
    return [npcs[number % len(npcs)]] if npcs else []


def _actions(state: State, seat: Seat, npc: str | None) -> list[AnyMove]:
    observes: list[AnyMove] = [Observe(npc, card) for card in (None, *state.hands[seat].visible_cards)]
    return [*_attacks(state, seat, npc), *observes, *_supports(state, seat, npc), Other(npc, ANY_TEXT)]


def _attacks(state: State, seat: Seat, npc: str | None) -> list[AnyMove]:
    figure = actor(state, seat, npc)
    everybody = [*state.seating, *(other.id for other in state.npcs)]
    targets = [who for who in everybody if who != (npc or seat)]
    with_weapon, with_skill = [None, *weapons(figure)], [None, *range(len(figure.skills))]
    ways = product(targets, range(1, 6), with_weapon, with_skill, (False, True))
    return [Attack(npc, *way) for way in ways]


def _supports(state: State, seat: Seat, npc: str | None) -> list[AnyMove]:
    cards = state.hands[seat].visible_cards
    receivers = [to for to in state.seats if to != seat and (to == GM or is_up(figure_of(state, to)))]
    if not cards or not receivers:
        return []
    return [
        Support(npc, receivers[i % len(receivers)], cards[i % len(cards)], ANY_TEXT)
        for i in range(max(len(cards), len(receivers)))
    ]


def _requests(state: State, seat: Seat) -> list[AnyMove]:
    if rules.open_request(state, seat):
        return [Withdraw()]
    npcs: list[str | None] = [npc.id for npc in state.npcs] if seat == GM else [None]
    return [Interrupt(npc, ANY_TEXT) for npc in npcs if allows(rules.may_ask, state, seat, npc)]


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


def ways(state: State, seat: Seat) -> Iterator[AttackOption]:
    """Yield the ways in which this seat, which has the turn, may attack now."""
    hand = state.hands[seat].visible_cards
    for npc in actors(state, seat):
        figure = actor(state, seat, npc)
        for weapon, skill in product((*weapons(figure), None), (False, True) if figure.skills else (False,)):
            means = Means(figure.suits, skill, weapon_value(figure, weapon))
            yield AttackOption(npc, weapon, skill, {card: _prospects(state, card, means) for card in hand})


def damages(state: State, seat: Seat) -> Iterator[Damage]:
    """Yield the damage of any number card, then that of each hand card."""
    for card in (None, *state.hands[seat].visible_cards):
        first = kind(card) if card else "number"
        plain = tuple(damage(difficulty, first, chain=False) for difficulty in ATTACK_DIFFICULTIES)
        chain = tuple(damage(difficulty, first, chain=True) for difficulty in ATTACK_DIFFICULTIES)
        yield Damage(card, plain, chain)


def _prospects(state: State, card: Card, means: Means) -> tuple[Prospect, ...]:
    return tuple(_prospect(state, level, card, means) for level in ATTACK_DIFFICULTIES)


def _prospect(state: State, level: int, card: Card, means: Means) -> Prospect:
    if state.ladder[level].flip and can_draw(state) and not is_joker(card):
        return "turned"
    return "yes" if judge(state.ladder, level, card, field_target(state), means).success else "no"
