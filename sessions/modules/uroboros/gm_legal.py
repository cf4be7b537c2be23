"""A sample of the GM's legal moves."""

from __future__ import annotations

from sessions.game import Seat, allows

from .asking import busy
from .figures import figure_of, is_up, seat_of
from .interrupts import may_grant
from .moves import (
    AddNpc,
    AddPlayer,
    AnswerInterrupt,
    AnswerRaise,
    AnyMove,
    Call,
    Cancel,
    Contest,
    Deal,
    End,
    EndCombat,
    EndTurn,
    Flip,
    Party,
    RemoveNpc,
    Rest,
    Reveal,
    SetHp,
    Stack,
    StartCombat,
    Treat,
)
from .npcs import MOST_NPCS, has_part
from .options import HP_LOWEST, Sheet
from .rulings import MOST_PLAYERS
from .state import GM, InterruptRequest, State

DIFFICULTIES = range(6)


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
