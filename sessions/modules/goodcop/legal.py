"""All legal moves of a seat, and the same as choices on a phone with the refusal codes of impossible moves.

For two cards the legal plays are a sample. [RULES.md, Moves]
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from sessions.game import Seat, refusal

from . import actions, moves
from .equipment import EQUIPMENT, legal_plays, why_not
from .equipment.design import Timing
from .moves import Action, AnyMove, CardPosition, EquipmentId, Position
from .state import State, aims, face_down, in_window, neighbours, task, waiting_for


def legal_moves(state: State, seat: Seat) -> list[AnyMove]:
    if seat not in waiting_for(state):
        return []
    match state.phase:
        case "action":
            acts: list[AnyMove] = [*actions.possible(state, seat)]
            return [*(acts or [moves.Skip()]), *legal_plays(state, seat)]
        case "discard":
            return [moves.Discard(card) for card in dict.fromkeys(state.players[seat].hand)]
        case "aim":
            keep: list[AnyMove] = [] if state.tasks else [moves.Keep()]
            return [*(moves.Aim(other) for other in aims(state, seat)), *keep]
        case "shield":
            return [moves.Shield(other) for other in neighbours(state, seat)]
        case _:
            return [moves.Pass(), *legal_plays(state, seat)]


class PlayView(Struct, frozen=True):
    card: EquipmentId
    timing: Timing
    why_not: str | None  # the code of the refusal; null when it can be played now
    choices: dict[str, list[Any]]  # by field, the values that can be named


class ChoicesView(Struct, frozen=True):
    """The question to this seat, and its possible answers."""

    asked: bool
    forced: bool  # in ``aim``: the aim must change
    can: tuple[str, ...]  # the types of the moves that are possible now, ``play`` among them
    why_not: dict[str, str]  # in the seat's own action phase: by action, the code of its refusal
    aims: tuple[Seat, ...]  # the seats to aim at, or to name after Riot Shield
    looks: tuple[CardPosition, ...]  # the cards that can be investigated
    reveals: tuple[Position, ...]  # own face-down cards, one of which pays for an action
    bites: tuple[Position, ...]  # cards of the victim without a token
    plays: tuple[PlayView, ...]


def phone_choices(state: State, seat: Seat) -> ChoicesView:
    """Return the possible moves of a seat now, and their choices."""
    is_asked, phase = seat in waiting_for(state), state.phase
    player, acts = state.players[seat], is_asked and phase == "action"
    hand = _hand(state, seat, acts or (is_asked and in_window(state)))
    examples = _examples(state, seat) if acts else {}
    codes = {name: refusal(actions.check, state, seat, action) for name, action in examples.items()}
    why_not = {name: code for name, code in codes.items() if code}
    named = neighbours(state, seat) if phase == "shield" else aims(state, seat)
    return ChoicesView(
        asked=is_asked,
        forced=is_asked and phase == "aim" and task(state) is not None,
        can=_can(state, seat, why_not, hand) if is_asked else (),
        why_not=why_not,
        aims=tuple(named) if is_asked and phase in ("action", "aim", "shield") else (),
        looks=tuple(actions.lookable(state, seat)) if acts and not player.zombie else (),
        reveals=tuple(face_down(player)) if acts and not player.zombie else (),
        bites=tuple(actions.bitable(state, seat)) if acts and player.zombie else (),
        plays=hand,
    )


def _hand(state: State, seat: Seat, may_play: bool) -> tuple[PlayView, ...]:
    views = []
    for card in state.players[seat].hand:
        design = EQUIPMENT[card]
        why = why_not(state, seat, card) if may_play else "wrong_time"
        choices = {} if why else design.targets.choices(state, seat)
        views.append(PlayView(card, design.timing, why, choices))
    return tuple(views)


def _can(state: State, seat: Seat, why_not: dict[str, str], hand: tuple[PlayView, ...]) -> tuple[str, ...]:
    play = ("play",) if any(not card.why_not for card in hand) else ()
    match state.phase:
        case "action":
            able = tuple(name for name in _examples(state, seat) if name not in why_not)
            return (*(able or ("skip",)), *play)
        case "discard" | "shield":
            return (state.phase,)
        case "aim":
            return ("aim",) if state.tasks else ("aim", "keep")
        case _:
            return ("pass", *play)


def _examples(state: State, seat: Seat) -> dict[str, Action]:
    """Return an example of each action of a cop or of a zombie, with a legal target if there is one."""
    player = state.players[seat]
    target = aims(state, seat)[0]
    if player.zombie:
        bites = actions.bitable(state, seat)
        return {
            "bite": moves.Bite(bites[0] if bites else None),
            "weapon": moves.Weapon(target),
            "equip": moves.Equip(None),
        }
    down = face_down(player)
    reveal = down[0] if down else None
    look = next(iter(actions.lookable(state, seat)), CardPosition(target, 0))
    return {
        "investigate": moves.Investigate(look.seat, look.position),
        "arm": moves.Arm(reveal, target),
        "equip": moves.Equip(reveal),
        "shoot": moves.Shoot(),
    }
