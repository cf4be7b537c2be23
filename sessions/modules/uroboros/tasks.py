"""A check from the GM's call to its result, and whoever is asked in it. [UC-4]"""

from __future__ import annotations

from companion.cards import Card, Suit, is_joker
from sessions.engine.contract import IllegalMove, Seat

from .checks import Verdict, field_target, judge
from .figures import actor, means_of, standing
from .hands import adjust, surplus, take
from .moves import Call, NameSuit, Play
from .piles import can_draw, lay, top_card, turn_up
from .scene import Scene
from .state import Result, Side, State, Task

RESULTS_KEPT = 10


def busy(state: State) -> bool:
    """Tell whether a task runs, adjusting included."""
    return state.task is not None or bool(state.adjusting)


def free(state: State) -> None:
    """Refuse what cannot be done while a task runs.

    :raises IllegalMove: ``task_running``.
    """
    if busy(state):
        raise IllegalMove("task_running", rule="UC-4.1")


def asked_side(task: Task) -> Side:
    """Return the side whose move it is."""
    return task.sides[task.now]


def asked_seat(state: State) -> Seat | None:
    """Return the seat to move in the running task or adjusting."""
    if state.adjusting:
        return state.adjusting[0]
    return asked_side(state.task).seat if state.task else None


def need(state: State) -> int | None:
    """Return how many cards have to be discarded now."""
    return surplus(state, state.adjusting[0]) if state.adjusting else None


def card_asked(state: State, seat: Seat) -> bool:
    """Tell whether a card is asked of this seat now."""
    return state.task is not None and asked_seat(state) == seat and state.task.stage != "name"


def allow_draw(state: State) -> bool:
    """Tell whether 山引 is allowed now. [UC-4.6]"""
    return state.task is not None and state.task.stage != "name" and can_draw(state)


def judged(state: State, task: Task, card: Card) -> Verdict:
    """Judge what ``card`` would do now for the side that is asked."""
    means = means_of(state, asked_side(task))
    return judge(state.ladder, task.level, card, field_target(state), means)


def call(scene: Scene, move: Call) -> None:
    """Ask for a check. [UC-4.1, 4.2, 4.10]

    :raises IllegalMove: ``task_running``, ``down``, and those of figures.actor.
    """
    free(scene.state)
    if move.chain:
        raise IllegalMove("malformed_move")
    standing(actor(scene.state, move.seat, move.npc))
    side = Side(move.seat, move.npc, move.skill, move.q, asked=True)
    level = min(move.difficulty + move.tool_missing, 5)
    begin(scene, Task("check", "play", [side], move.difficulty, level, move.label))


def begin(scene: Scene, task: Task) -> None:
    """Announce a task; the turning of its level happens now. [UC-4.2]"""
    state, acting = scene.state, task.sides[0]
    state.task_number += 1
    state.declared.clear()
    state.task = task
    scene.tell(
        "called",
        number=state.task_number,
        kind=task.kind,
        seat=acting.seat,
        npc=acting.npc,
        difficulty=task.difficulty,
        level=task.level,
        label=task.label,
    )
    if state.ladder[task.level].flip:
        task.turned = True
        turn_up(scene)


def play(scene: Scene, task: Task, seat: Seat, move: Play) -> None:
    """Play a hand card, also one that cannot succeed. [UC-4.4, 4.5]

    :raises IllegalMove: ``not_in_hand``, ``suit_needed``, ``suit_not_wanted``.
    """
    take(scene.state, seat, move.card)
    named = move.suit or None
    if is_joker(move.card) and named is None:
        raise IllegalMove("suit_needed", rule="UC-4.4")
    if not is_joker(move.card) and named is not None:
        raise IllegalMove("suit_not_wanted", rule="UC-4.4")
    _put(scene, task, move.card, named, source="hand")
    _decide(scene, task)


def draw(scene: Scene, task: Task) -> None:
    """山引: play the top card of the deck. A joker's suit is named next. [UC-4.6]

    :raises IllegalMove: ``no_card_left``.
    """
    card = top_card(scene)
    if card is None:
        raise IllegalMove("no_card_left", rule="UC-4.6")
    _put(scene, task, card, None, source="deck")
    if is_joker(card):
        task.stage = "name"
    else:
        _decide(scene, task)


def name_suit(scene: Scene, task: Task, move: NameSuit) -> None:
    """Name the suit of the joker that came by 山引. [UC-4.6]"""
    side, state = asked_side(task), scene.state
    state.field_suit = move.suit
    scene.tell("named", seat=side.seat, npc=side.npc, card=state.pile[-1], suit=move.suit)
    _decide(scene, task)


def give_up(scene: Scene, task: Task) -> None:
    """Fail without a card; the field does not change. [UC-4.7]"""
    side = asked_side(task)
    scene.tell("gave_up", seat=side.seat, npc=side.npc)
    _decide(scene, task)


def cancel(scene: Scene) -> None:
    """Break off the task, or drop the rest of the adjusting.

    :raises IllegalMove: ``no_task``.
    """
    state = scene.state
    if state.adjusting:
        scene.tell("cancelled", number=state.task_number, kind="adjust")
        state.adjusting = []
    elif state.task:
        scene.tell("cancelled", number=state.task_number, kind=state.task.kind)
        _close(scene, state.task)
    else:
        raise IllegalMove("no_task")


def _put(scene: Scene, task: Task, card: Card, suit: Suit | None, *, source: str) -> None:
    """Judge a card and lay it onto the field, success or not. [UC-4.5]"""
    side, verdict = asked_side(task), judged(scene.state, task, card)
    side.cards.append(card)
    side.successes += verdict.success
    lay(scene.state, card, suit)
    scene.tell(
        "played",
        seat=side.seat,
        npc=side.npc,
        card=card,
        suit=suit,
        source=source,
        success=verdict.success,
        why=verdict.why,
    )


def _decide(scene: Scene, task: Task) -> None:
    acting = task.sides[0]
    result = Result(
        kind=task.kind,
        seat=acting.seat,
        npc=acting.npc,
        difficulty=task.difficulty,
        card=acting.cards[0] if acting.cards else None,
        success=acting.successes > 0,
        count=None,
        damage=None,
        target=task.target,
    )
    scene.state.results = [*scene.state.results, result][-RESULTS_KEPT:]
    scene.tell("decided", number=scene.state.task_number, **_fields(result))
    _close(scene, task)


def _close(scene: Scene, task: Task) -> None:
    """End the task; who was asked or had their HP set adjusts, in this order. [UC-4.8]"""
    scene.state.task = None
    adjust(scene, [side.seat for side in task.sides if side.asked] + task.touched)


def _fields(result: Result) -> dict[str, object]:
    return {name: getattr(result, name) for name in result.__struct_fields__}
