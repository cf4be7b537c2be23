"""The course of a game: the deal, the steps of a turn, and the entry point for moves. [chapters 1, 2, 4, 6]

A move is checked against the phase and passed to the function that applies it. After that the game advances
without input until a seat is asked, or until the game is over. ``state.tasks`` come first; when there are
none, ``state.then`` names the next step.
"""

from __future__ import annotations

from sessions.game import BadTable, Event, Fate, IllegalMove, Seat, demand, kind_of

from . import actions, effects, moves
from .effects import aim, draw, zombify
from .equipment import BASE, EQUIPMENT, check_fields, deck, play
from .moves import NUMBERS, Action, AnyMove, Card, Face
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
    in_window,
    living,
    living_after,
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
    equipment = fate.shuffle("equipment", deck(EQUIPMENT if options.zombies else BASE))
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
    special: list[Face] = ["agent", "kingpin", "infector"] if options.zombies else ["agent", "kingpin"]
    each = NUMBERS[len(seats)][options.zombies]
    plain: list[Face] = ["honest", "crooked"]
    rest = fate.shuffle("integrity", [face for face in plain for _ in range(each)])
    fill = len(seats) - len(special)
    firsts, rest = fate.shuffle("leaders", [*special, *rest[:fill]]), rest[fill:]
    dealt = []
    for first in firsts:
        dealt.append(fate.shuffle("positions", [first, *rest[:2]]))
        rest = rest[2:]
    return dealt, rest


def apply(state: State, seat: Seat, move: AnyMove, fate: Fate) -> list[Event]:
    """Carry out a move on ``state``; return its events. RULES.md has the codes of refusals."""
    scene = GoodCopScene(state, fate)
    if isinstance(move, moves.Play):
        check_fields(move)
    demand(seat in waiting_for(state), "not_asked", "GC-6.2" if in_window(state) else "GC-4.1")
    _answer(scene, seat, move)
    if not state.asked:  # no seat has to answer in an open window
        go_on(scene)
    return scene.events


def _answer(scene: GoodCopScene, seat: Seat, move: AnyMove) -> None:
    """Carry out the move of a seat that is asked."""
    state = scene.state
    match state.phase, move:
        case (("action" | "reaction" | "dice" | "end_reaction"), moves.Play()):
            play(scene, seat, move)
        case "action", moves.Skip():
            demand(not actions.possible(state, seat), "action_possible", "GC-4.8")
            scene.tell("skipped", seat=seat)
            state.then = "turn_end"
        case "action", action if isinstance(action, Action):
            _declare(scene, seat, action)
        case (("reaction" | "dice" | "end_reaction"), moves.Pass()):
            scene.whisper(seat, "passed")
            state.asked.remove(seat)
            if not state.asked:
                state.then = AFTER_WINDOW[state.phase]
        case "discard", moves.Discard():
            _discard(scene, seat, move)
        case "aim", moves.Aim(target):
            _aim(scene, seat, target)
        case "aim", moves.Keep():
            demand(not state.tasks, "must_aim_anew", "GC-4.4")
            scene.tell("kept", seat=seat, target=state.players[seat].aim)
            state.then = "infection"
        case "shield", moves.Shield(target):
            _shield(scene, seat, target)
        case _:
            raise IllegalMove("not_now", rule="GC-6.2" if in_window(state) else "GC-4.1")


def _declare(scene: GoodCopScene, seat: Seat, action: Action) -> None:
    """Declare an action; all players may react before it resolves. [GC-4.1, GC-6.2]"""
    state = scene.state
    actions.check(state, seat, action)
    state.declared, state.then = action, "reaction"
    if isinstance(action, moves.Shoot | moves.Bite):
        state.target = state.players[seat].aim
    scene.tell(
        "declared",
        seat=seat,
        action=kind_of(action),
        target=getattr(action, "seat", None) or getattr(action, "aim", None) or state.target,
        position=getattr(action, "position", None),
        reveal=getattr(action, "reveal", None),
    )


def _discard(scene: GoodCopScene, seat: Seat, move: moves.Discard) -> None:
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


def go_on(scene: GoodCopScene) -> None:
    """Run tasks and steps until a seat has to decide. Call this only when no open question is left."""
    state = scene.state
    while not scene.over:
        if _do_task(scene) if state.tasks else _do_step(scene):
            return
    state.phase, state.declared, state.target, state.dice = "over", None, None, None
    state.asked, state.tasks = [], []


def _do_task(scene: GoodCopScene) -> bool:
    """Process the first pending task; return whether it asks a seat."""
    state, task = scene.state, scene.state.tasks[0]
    match task.kind:
        case "found":
            state.tasks.pop(0)
            draw(scene, task.seat)
            state.tasks.append(PendingTask("turn", task.seat))
        case "turn":
            state.tasks.pop(0)
            zombify(scene, task.seat)
        case kind:
            return _ask(state, kind)
    return False


def _do_step(scene: GoodCopScene) -> bool:
    """Carry out the step of the turn that is due; return whether it asks a seat."""
    state = scene.state
    match state.then:
        case "action":
            return _ask(state, "action")
        case "reaction" if state.options.react_only_to_shots and not isinstance(
            state.declared, moves.Shoot | moves.Bite
        ):
            state.then = "resolve"
        case "reaction" | "dice" | "end_reaction" as phase:
            return _open_window(scene, phase)
        case "resolve":
            action, target = state.declared, state.target
            assert action
            state.declared, state.target = None, None
            state.then = actions.resolve(scene, state.turn, action, target)
        case "faces":
            state.then = "turn_end" if effects.read_dice(scene) == "zombie" else "end_reaction"
        case "turn_end" if state.players[state.turn].armed:  # eliminated players have no gun
            return _ask(state, "aim")  # [GC-4.7]
        case "turn_end":
            state.then = "infection"
        case "infection" if effects.rolls_infection(state):
            effects.roll_dice(scene, "infection", state.turn, 1)
            state.then = "dice"
        case "infection":
            state.then = "end_reaction"
        case "next":
            _begin_turn(scene)
    return False


def _ask(state: State, phase: Phase) -> bool:
    state.phase = phase
    state.question += 1
    return True


def _open_window(scene: GoodCopScene, phase: Phase) -> bool:
    """Ask all living players, with ``auto_pass`` only those with equipment in hand. [GC-6.2]"""
    state = scene.state
    state.asked = [seat for seat in living(state) if state.players[seat].hand or not state.options.auto_pass]
    _ask(state, phase)
    if not state.asked:
        state.then = AFTER_WINDOW[phase]
    return bool(state.asked)


def _begin_turn(scene: GoodCopScene) -> None:
    """Give the turn to a living player with coffee, else to the next living player. [GC-4.8]"""
    state = scene.state
    for player in state.players.values():
        player.tasered = False
    state.turn = _take_coffee(scene) or living_after(state, state.turn, state.direction)
    state.turns += 1
    scene.tell("begun", seat=state.turn)
    state.then = "action"


def _take_coffee(scene: GoodCopScene) -> Seat | None:
    """Return the living player with coffee in front; the card goes to the bottom of the deck."""
    for seat, player in scene.state.players.items():
        if "coffee" in player.active:
            player.active.remove("coffee")
            scene.state.deck.append("coffee")
            scene.tell("lifted", seat=seat, card="coffee")
            return seat if player.alive else None
    return None
