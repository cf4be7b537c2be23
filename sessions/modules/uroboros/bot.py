"""The bots: a player for rehearsals, and the script of the practice session. [UC-12]

The player answers questions and fights; like every bot it sees only its own view.

In a practice session a scripted GM and companion lead one newcomer through a short story. ``SCRIPT`` is
the story: the seat that has to move makes the first of its steps that the table is ready for. A step
depends on the table and not on the number of moves, so the story continues after every move of the
newcomer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.cards import Card, is_joker, rank
from sessions.game import Fate, Seat

from . import moves
from .moves import AnyMove
from .state import GM, Practice, TaskKind
from .view import MyView, NpcView, View

NEWCOMER: Seat = "p1"
COMPANION: Seat = "p2"
FOE_HP = 6
#: The number of rounds after which the GM ends the fight.
ROUNDS = 2


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the move of a plausible player: a card that fits, else 山引; in its turn a sure attack."""
    assert view.me
    if plays := [move for move in legal if isinstance(move, moves.Play)]:
        if cards := fitting(view.me):
            return next(play for play in plays if play.card == cards[0])
        return next((move for move in legal if isinstance(move, moves.Stop | moves.Draw)), plays[0])
    return _act(view, view.me) if "observe" in view.me.can else legal[0]


def fitting(me: MyView) -> list[Card]:
    """Return the cards that would succeed now, jokers and high cards last."""
    cards = [fit.card for fit in me.fits if fit.success]
    return sorted(cards, key=lambda card: (is_joker(card), rank(card), card))


def _act(view: View, me: MyView) -> AnyMove:
    """Attack a foe who is up, at the highest difficulty where a hand card surely succeeds; else watch."""
    foes = [npc.id for npc in view.npcs if npc.hp is None or npc.hp > 0]
    if not foes:
        return moves.Observe(None)
    sure = [
        (difficulty, way)
        for way in me.ways
        for prospects in way.prospects.values()
        for difficulty, prospect in enumerate(prospects, 1)
        if prospect == "yes"
    ]
    difficulty, way = max(sure, key=lambda one: one[0]) if sure else (1, None)
    weapon, skill = (way.weapon, 0 if way.skill else None) if way else (None, None)
    return moves.Attack(None, foes[0], difficulty, weapon, skill, False)


class ScriptStep(NamedTuple):
    """One action of the GM or the companion, taken as soon as the table is ready for it."""

    seat: Seat
    ready: Callable[[View], bool]
    move: Callable[[View], AnyMove]


def script(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the next move of the seat that has to move: by its script, else by the bot."""
    for step in SCRIPT:
        if step.seat == view.seat and step.ready(view):
            return step.move(view)
    return bot(view, legal, fate)


def _me(view: View) -> MyView:
    assert view.me
    return view.me


def _words(view: View) -> Practice:
    assert view.practice
    return view.practice


def _foe(view: View) -> NpcView:
    return view.npcs[0]


def _is_up(view: View, seat: Seat) -> bool:
    return view.characters[seat].hp > 0


def _foe_is_up(view: View) -> bool:
    return bool(view.npcs) and (_foe(view).hp or 0) > 0


def _asked_stage(view: View) -> str | None:
    """Return the stage in which this seat is asked, None if it is not."""
    return view.task.stage if view.task and view.task.asked == view.seat else None


def _was(view: View, kind: TaskKind) -> bool:
    return any(result.kind == kind for result in view.results)


def _rescue_is_over(view: View) -> bool:
    return _was(view, "treat") and _is_up(view, COMPANION)


def _idle(view: View) -> bool:
    """True if the GM may begin something: nothing runs, and no other player has the turn."""
    return view.task is None and (view.turn in (None, GM) or view.stays)


def _own_turn(view: View) -> bool:
    return view.task is None and view.turn == view.seat


def _missing(view: View) -> AnyMove:
    """Answer with a card that fails, because the story needs a failure."""
    missing = [fit.card for fit in _me(view).fits if not fit.success]
    return moves.Play(missing[0]) if missing else moves.GiveUp()


def _any_card(view: View) -> AnyMove:
    """Play a card that fits, a low one first; a joker stands for spades."""
    cards = fitting(_me(view)) or list(_me(view).hand)
    if not cards:
        return moves.Draw() if "draw" in _me(view).can else moves.GiveUp()
    return moves.Play(cards[0], "s") if cards[0].startswith("x") else moves.Play(cards[0])


def _grant(view: View) -> AnyMove:
    """Allow the newcomer's interrupt where the rules permit it. [UC-9.1]"""
    seat, task = view.interrupts[0].seat, view.task
    allowed = task and not task.under and task.stage != "name" and task.asked != seat and _is_up(view, seat)
    return moves.AnswerInterrupt(seat, True, 1, False, 0) if allowed else moves.AnswerInterrupt(seat, False)


def _surplus(view: View) -> AnyMove:
    assert view.task
    return moves.Discard(_me(view).hand[: view.task.need])


#: The companion helps before its fall, and strikes after its rescue. The foe bites once a round until the
#: companion falls.
SCRIPT = (
    # Answers to the table's questions.
    ScriptStep(GM, lambda view: bool(view.interrupts), _grant),
    ScriptStep(GM, lambda view: _asked_stage(view) == "discard", _surplus),
    ScriptStep(GM, lambda view: _asked_stage(view) == "name", lambda view: moves.NameSuit("s")),
    ScriptStep(GM, lambda view: _asked_stage(view) == "defend", _missing),
    ScriptStep(GM, lambda view: _asked_stage(view) is not None, _any_card),
    ScriptStep(COMPANION, lambda view: _asked_stage(view) == "discard", _surplus),
    ScriptStep(COMPANION, lambda view: _asked_stage(view) == "name", lambda view: moves.NameSuit("s")),
    ScriptStep(COMPANION, lambda view: _asked_stage(view) == "defend", _missing),
    ScriptStep(COMPANION, lambda view: _asked_stage(view) is not None, _any_card),
    # A check, and a foe.
    ScriptStep(
        GM, lambda view: _idle(view) and not _is_up(view, NEWCOMER), lambda view: moves.SetHp(NEWCOMER, 1)
    ),
    ScriptStep(
        GM,
        lambda view: _idle(view) and not _was(view, "check"),
        lambda view: moves.Call(NEWCOMER, None, 1, _words(view).check, False, 0, False, False),
    ),
    ScriptStep(
        GM,
        lambda view: _idle(view) and not view.npcs,
        lambda view: moves.AddNpc(
            _words(view).foe, 1, hp_max=FOE_HP, suits=(), skills=(_words(view).bite,), weapon=0, armour=0
        ),
    ),
    ScriptStep(GM, lambda view: view.task is None and view.stays, lambda view: moves.EndTurn()),
    ScriptStep(
        GM,
        lambda view: _idle(view) and view.round is None and not (_was(view, "attack") or _was(view, "treat")),
        lambda view: moves.StartCombat(),
    ),
    # The fight.
    ScriptStep(
        COMPANION, lambda view: _own_turn(view) and not _foe_is_up(view), lambda view: moves.Observe(None)
    ),
    ScriptStep(
        COMPANION,
        lambda view: _own_turn(view) and _rescue_is_over(view),
        lambda view: moves.Attack(
            None, _foe(view).id, 1, None, 0 if view.characters[COMPANION].skills else None, False
        ),
    ),
    ScriptStep(
        COMPANION,
        lambda view: _own_turn(view) and bool(_me(view).hand) and _is_up(view, NEWCOMER),
        lambda view: moves.Support(None, NEWCOMER, _me(view).hand[0], _words(view).help),
    ),
    ScriptStep(COMPANION, _own_turn, lambda view: moves.Observe(None)),
    ScriptStep(
        GM,
        lambda view: (
            _own_turn(view)
            and _foe_is_up(view)
            and not _foe(view).acted
            and not _was(view, "treat")
            and _is_up(view, COMPANION)
        ),
        # The skill makes it level 0, which every card reaches. [UC-4.2, 4.3]
        lambda view: moves.Attack(_foe(view).id, COMPANION, 1, None, 0, False),
    ),
    # The rescue. If the foe fell before it could hurt the companion, the GM sets the companion's HP to 0.
    ScriptStep(
        GM,
        lambda view: _idle(view) and not _is_up(view, COMPANION) and COMPANION not in view.treated,
        # A skill helps, so that every card heals. [UC-10.2]
        lambda view: moves.Treat(NEWCOMER, None, COMPANION, 1, True, 0),
    ),
    ScriptStep(
        GM,
        lambda view: (
            _own_turn(view) and _rescue_is_over(view) and _foe_is_up(view) and (view.round or 0) < ROUNDS
        ),
        lambda view: moves.EndTurn(),
    ),
    ScriptStep(GM, _own_turn, lambda view: moves.EndCombat()),
    ScriptStep(
        GM,
        lambda view: _idle(view) and not _is_up(view, COMPANION),
        lambda view: moves.Rest(max(1, 1 - view.characters[COMPANION].hp)),
    ),
    ScriptStep(
        GM, lambda view: _idle(view) and not _was(view, "treat"), lambda view: moves.SetHp(COMPANION, 0)
    ),
    ScriptStep(GM, _idle, lambda view: moves.End()),
    # The end of a turn in which a player cannot act.
    ScriptStep(GM, lambda view: view.task is None and view.turn is not None, lambda view: moves.EndTurn()),
)
