"""The course of a game: the deal, the steps of a turn, and the entry point for moves. [chapters 1, 2, 4, 6]

A move is checked against the phase and passed to the function that applies it. After that the game advances
without input until a seat is asked, or until the game is over. ``state.tasks`` come first; when there are
none, ``state.then`` names the next step, a key of ``STATIONS``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sessions.game import BadTable, Event, Fate, IllegalMove, Outcome, Seat, demand, kind_of

from . import actions, effects
from .effects import aim, draw, zombify
from .equipment import BASE, EQUIPMENT, deck, plays
from .moves import (
    NUMBERS,
    PLAIN,
    Action,
    Aim,
    AnyMove,
    Bite,
    Card,
    Discard,
    EquipmentId,
    Face,
    Keep,
    Pass,
    Play,
    Shield,
    Shoot,
    Skip,
)
from .state import (
    GoodCopScene,
    Options,
    PendingTask,
    Phase,
    Player,
    State,
    Then,
    aims,
    demand_living_other,
    following,
    in_window,
    living,
    neighbours,
    task,
    waiting_for,
)

#: The step that follows a window, once all asked seats have passed.
AFTER_WINDOW: dict[Phase, Then] = {"reaction": "resolve", "dice": "faces", "end_reaction": "next"}


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Deal integrity cards and equipment, and shuffle the turn order.

    :raises BadTable: when ``start`` is no seat of this table.
    """
    if options.start not in ("fate", *seats):
        raise BadTable(f"start: there is no seat {options.start}")
    dealt, aside = _integrity(seats, options, fate)
    equipment: list[EquipmentId] = fate.shuffle("equipment", deck(EQUIPMENT if options.zombies else BASE))
    players = {
        seat: Player([Card(face, [seat]) for face in faces], [equipment.pop(0)])
        for seat, faces in zip(seats, dealt, strict=True)
    }
    order = fate.shuffle("seats", seats)
    if options.start != "fate":
        first = order.index(options.start)
        order = [*order[first:], *order[:first]]
    return State(seats, options, players, order, order[0], equipment, aside)


def _integrity(seats: list[Seat], options: Options, fate: Fate) -> tuple[list[list[Face]], list[Face]]:
    """Return each player's three cards and the cards left out; no player gets two special cards. [GC-2.1]"""
    count = len(seats)
    special: list[Face] = ["agent", "kingpin"]
    if options.zombies:
        special.append("infector")
    each = NUMBERS[count][options.zombies]
    plain: list[Face] = [face for face in PLAIN for _ in range(each)]
    rest = fate.shuffle("integrity", plain)
    fill = count - len(special)
    firsts, rest = fate.shuffle("leaders", [*special, *rest[:fill]]), rest[fill:]
    dealt = []
    for first in firsts:
        dealt.append(fate.shuffle("positions", [first, *rest[:2]]))
        rest = rest[2:]
    return dealt, rest


def next_turn(scene: GoodCopScene) -> None:
    """Give the turn to a living player with coffee, else to the next living player."""
    state = scene.state
    for player in state.players.values():
        player.tasered = False
    state.turn = _coffee(scene) or following(state, state.turn)
    state.turns += 1
    scene.tell("begun", seat=state.turn)


def _coffee(scene: GoodCopScene) -> Seat | None:
    """Return the living player with coffee in front; the card goes to the bottom of the deck."""
    state = scene.state
    for seat, player in state.players.items():
        if "coffee" in player.active:
            player.active.remove("coffee")
            state.deck.append("coffee")
            scene.tell("lifted", seat=seat, card="coffee")
            return seat if player.alive else None
    return None


def go_on(scene: GoodCopScene) -> None:
    """Run tasks and steps until a seat has to decide. Call this only when no open question is left."""
    state = scene.state
    while not scene.over:
        if state.tasks:
            if _decide(scene):
                return
        elif STATIONS[state.then](scene):
            return
    state.phase, state.declared, state.target, state.dice = "over", None, None, None
    state.asked, state.tasks = [], []


def _ask(state: State, phase: Phase) -> bool:
    state.phase = phase
    state.question += 1
    return True


def _decide(scene: GoodCopScene) -> bool:
    """Process the first pending task; return whether it asks a seat."""
    task = scene.state.tasks[0]
    match task.kind:
        case "found":
            scene.state.tasks.pop(0)
            draw(scene, task.seat)
            scene.state.tasks.append(PendingTask("turn", task.seat))
        case "turn":
            scene.state.tasks.pop(0)
            zombify(scene, task.seat)
        case kind:
            return _ask(scene.state, kind)
    return False


def _action(scene: GoodCopScene) -> bool:
    return _ask(scene.state, "action")


def _window(scene: GoodCopScene, phase: Phase) -> bool:
    """Ask all living players, with ``auto_pass`` only those with equipment in hand. [GC-6.2]"""
    state = scene.state
    state.asked = [seat for seat in living(state) if state.players[seat].hand or not state.options.auto_pass]
    _ask(state, phase)
    if not state.asked:
        state.then = AFTER_WINDOW[phase]
    return bool(state.asked)


def _reaction(scene: GoodCopScene) -> bool:
    """Open the window before an action resolves; with ``react_only_to_shots`` only before a shot or bite."""
    state = scene.state
    if state.options.react_only_to_shots and not isinstance(state.declared, Shoot | Bite):
        state.then = "resolve"
        return False
    return _window(scene, "reaction")


def _resolve(scene: GoodCopScene) -> bool:
    state = scene.state
    action, target = state.declared, state.target
    assert action
    state.declared, state.target = None, None
    state.then = actions.resolve(scene, state.turn, action, target)
    return False


def _dice(scene: GoodCopScene) -> bool:
    return _window(scene, "dice")


def _faces(scene: GoodCopScene) -> bool:
    kind = effects.read_dice(scene)
    scene.state.then = "turn_end" if kind == "zombie" else "end_reaction"
    return False


def _turn_end(scene: GoodCopScene) -> bool:
    """Ask an armed turn player for a new aim. [GC-4.7]"""
    state = scene.state
    if state.players[state.turn].armed:  # eliminated players have no gun
        return _ask(state, "aim")
    state.then = "infection"
    return False


def _infection(scene: GoodCopScene) -> bool:
    """Roll the infection die if it is due, after aiming and before the end window. [GC-8.2]"""
    state = scene.state
    state.then = "end_reaction"
    if effects.rolls_infection(state):
        effects.roll_dice(scene, "infection", state.turn, 1)
        state.then = "dice"
    return False


def _end_reaction(scene: GoodCopScene) -> bool:
    return _window(scene, "end_reaction")


def _next(scene: GoodCopScene) -> bool:
    next_turn(scene)
    scene.state.then = "action"
    return False


#: The steps of a turn. Each returns whether a seat is asked now.
STATIONS: dict[Then, Callable[[GoodCopScene], bool]] = {
    "action": _action,
    "reaction": _reaction,
    "resolve": _resolve,
    "dice": _dice,
    "faces": _faces,
    "turn_end": _turn_end,
    "infection": _infection,
    "end_reaction": _end_reaction,
    "next": _next,
}


def outcome(state: State) -> Outcome | None:
    """Return the winners and the reason: ``honest``, ``crooked``, ``zombie`` or ``alone``. [GC-9.1]"""
    return state.result


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return its events.

    :raises IllegalMove: see the table of refusals in RULES.md.
    """
    scene = GoodCopScene(state, fate)
    if isinstance(move, Play):
        plays.check_fields(move)
    demand(seat in waiting_for(state), "not_asked", "GC-6.2" if in_window(state) else "GC-4.1")
    _answer(scene, seat, move)
    if not state.asked:  # no seat has to answer in an open window
        go_on(scene)
    return scene.events


def _answer(scene: GoodCopScene, seat: Seat, move: AnyMove) -> None:
    """Carry out the move of a seat that is asked."""
    state = scene.state
    match state.phase, move:
        case (("action" | "reaction" | "dice" | "end_reaction"), Play()):
            plays.play(scene, seat, move)
        case "action", Skip():
            demand(not actions.possible(state, seat), "action_possible", "GC-4.8")
            scene.tell("skipped", seat=seat)
            state.then = "turn_end"
        case "action", action if isinstance(action, Action):
            _declare(scene, seat, action)
        case (("reaction" | "dice" | "end_reaction"), Pass()):
            _pass(scene, seat)
        case "discard", Discard():
            _discard(scene, seat, move)
        case "aim", Aim(target):
            _aim(scene, seat, target)
        case "aim", Keep():
            demand(not state.tasks, "must_aim_anew", "GC-4.4")
            scene.tell("kept", seat=seat, target=state.players[seat].aim)
            state.then = "infection"
        case "shield", Shield(target):
            _shield(scene, seat, target)
        case _:
            raise IllegalMove("not_now", rule="GC-6.2" if in_window(state) else "GC-4.1")


def _declare(scene: GoodCopScene, seat: Seat, action: Action) -> None:
    """Declare an action; all players may react before it resolves. [GC-4.1, GC-6.2]"""
    state = scene.state
    actions.check(state, seat, action)
    state.declared, state.then = action, "reaction"
    if isinstance(action, Shoot | Bite):
        state.target = state.players[seat].aim
    scene.tell("declared", seat=seat, **_declared_data(action, state.target))


def _declared_data(action: Action, aimed: Seat | None) -> dict[str, Any]:
    """Return the data of a ``declared`` event."""
    target = getattr(action, "seat", None) or getattr(action, "aim", None) or aimed
    return {
        "action": kind_of(action),
        "target": target,
        "position": getattr(action, "position", None),
        "reveal": getattr(action, "reveal", None),
    }


def _pass(scene: GoodCopScene, seat: Seat) -> None:
    """Pass in a window; the last pass sets the next step."""
    state = scene.state
    scene.whisper(seat, "passed")
    state.asked.remove(seat)
    if not state.asked:
        state.then = AFTER_WINDOW[state.phase]


def _discard(scene: GoodCopScene, seat: Seat, move: Discard) -> None:
    """Put one of two cards under the deck, unseen by others. [GC-4.4]"""
    hand = scene.player(seat).hand
    demand(move.card in hand, "not_in_hand", "GC-4.4")
    hand.remove(move.card)
    scene.state.deck.append(move.card)
    scene.tell("discarded", seat=seat)
    scene.whisper(seat, "discarded_own", card=move.card)
    scene.state.tasks.pop(0)


def _aim(scene: GoodCopScene, seat: Seat, target: Seat) -> None:
    """Aim at a player, at the turn's end or because of a card. [GC-4.7, GC-6.4]"""
    state, first = scene.state, task(scene.state)
    demand_living_other(state, seat, target, "GC-4.7", "aim_at_yourself")
    demand(target in aims(state, seat), "aim_elsewhere", "GC-6.4" if first and first.redirects else "GC-8.9")
    aim(scene, seat, target)
    if not first:
        state.then = "infection"
        return
    if first.redirects:
        state.target = target
        scene.tell("redirected", seat=seat, target=target)
    state.tasks.pop(0)


def _shield(scene: GoodCopScene, seat: Seat, target: Seat) -> None:
    """Make a neighbour the target of the pending shot; the shooter's aim stays. [GC-6.4]"""
    state = scene.state
    demand(target in state.players, "no_such_seat", "GC-6.4")
    demand(target in neighbours(state, seat), "not_a_neighbour", "GC-6.4")
    state.target = target
    state.tasks.pop(0)
    scene.tell("shielded", seat=seat, target=target)
