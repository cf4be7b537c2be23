"""A task from its announcement to its result: the common part of checks, chains, contests and attacks.

The seat that is asked answers with a hand card or 山引, gives up or stops. [UC-4.4 to 4.7, 5.2] The
result may be damage or healing. [UC-8.3, 10]
"""

from __future__ import annotations

from msgspec.structs import asdict

from companion.cards import Card, Kind, Suit, is_joker, kind
from sessions.game import IllegalMove, Seat, demand

from . import cards, telling, turns
from .cards import adjust, end_debts, lay, take, top_card, turn_up
from .checks import actor, demand_up, figure_of, is_up, seat_of
from .moves import Call, NameSuit, Play
from .state import GM, CharacterState, Scene, Side, Stage, State, Task, TaskKind, TaskResult
from .turns import allows_draw, asked_side, current_check, demand_no_task, required_chain_length, won

DAMAGE: dict[Kind, int] = {"number": 0, "face": 1, "joker": 2}  # by the attacker's first card [UC-8.3]
CHAIN_DAMAGE = 1  # [UC-8.7]
SECOND_STAGE: dict[str, Stage] = {"contest": "passive", "attack": "defend"}


def call(scene: Scene, move: Call) -> None:
    """Ask for a check, maybe a secret one, or a chain. [UC-4.1, 4.2, 4.10, 4.11, 5.1]"""
    demand_no_task(scene.state)
    cards.may_be_secret(scene.state, move)
    demand_up(actor(scene.state, move.seat, move.npc))
    side = Side(move.seat, move.npc, move.skill, move.q)
    level = min(move.difficulty + move.tool_missing, 5)
    kind: TaskKind = "chain" if move.chain else "check"
    task = Task(kind, "play", [side], move.difficulty, level, move.label, chain=move.chain)
    task.secrecy = move.secret
    begin(scene, task)


def begin(scene: Scene, task: Task) -> None:
    """Begin a task, and turn a card if its level requires it. [UC-4.2]"""
    acting = task.sides[0]
    said = scene.state.declared.get(acting.seat, "") if acting.npc is None else ""
    scene.state.declared.clear()
    if task.text:
        declare(scene, acting.seat, task.text)
    announce(scene, task, said)
    turn_once(scene, task)
    _ask(scene, task)


def announce(scene: Scene, task: Task, said: str = "") -> None:
    """Make this the running task and tell everybody; ``said`` is its player's last declaration."""
    state, acting = scene.state, task.sides[0]
    state.task_number += 1
    state.task, task.number = task, state.task_number
    telling.record_attempt(state, task, said)
    scene.tell(
        "called",
        number=task.number,
        kind=task.kind,
        seat=acting.seat,
        npc=acting.npc,
        target=task.target,
        difficulty=None if task.secrecy else task.difficulty,
        level=None if task.secrecy else task.level,
        label=task.label,
        chain=task.chain,
        **({"secret": task.secrecy} if task.secrecy else {}),
    )


def declare(scene: Scene, seat: Seat, text: str) -> None:
    """Show everybody the action that a seat declares, until the next task begins. [UC-4.1]"""
    scene.state.declared[seat] = text
    scene.tell("declared", seat=seat, text=text)


def turn_once(scene: Scene, task: Task) -> None:
    """Turn a card if the level requires it and none was turned for this task yet. [UC-4.2, 6.2]

    A secret check turns no card, because that would reveal the level. [UC-4.11]
    """
    if scene.state.ladder[task.level].flip and not task.turned and not task.secrecy:
        task.turned = turn_up(scene)


def _ask(scene: Scene, task: Task) -> None:
    """Ask the current side for a card, unless it fails at once. [UC-4.10, 5.2]"""
    side = asked_side(task)
    fallen = task.now > 0 and not is_up(actor(scene.state, side.seat, side.npc))
    side.asked = not fallen
    if fallen or (task.chain and not scene.state.hands[side.seat].cards):
        finish_side(scene, task)


def play(scene: Scene, task: Task, seat: Seat, move: Play) -> None:
    """Play a hand card, even one that cannot succeed. [UC-4.4, 4.5]"""
    take(scene.state, seat, move.card)
    named = move.suit or None
    demand(named or not is_joker(move.card), "suit_needed", "UC-4.4")
    demand(is_joker(move.card) or not named, "suit_not_wanted", "UC-4.4")
    success = _play_card(scene, task, move.card, named, source="hand")
    continue_after_card(scene, task, success=success)


def draw(scene: Scene, task: Task) -> None:
    """山引: play the top card of the deck. A joker's suit is named next, unless it is face down. [UC-4.6]"""
    demand(allows_draw(task), "no_draw", "UC-9.2" if task.kind == "interrupt" else "UC-5.2")
    card = top_card(scene)
    if card is None:
        raise IllegalMove("no_card_left", rule="UC-4.6")
    asked_side(task).drew = True
    success = _play_card(scene, task, card, None, source="deck")
    if is_joker(card) and not task.secrecy:
        task.stage = "name"
    else:
        continue_after_card(scene, task, success=success)


def name_suit(scene: Scene, task: Task, move: NameSuit) -> None:
    """Name the suit of the joker that came by 山引. [UC-4.6]"""
    side, state = asked_side(task), scene.state
    state.field_suit = move.suit
    telling.record_suit(state, task, move.suit)
    scene.tell("named", seat=side.seat, npc=side.npc, card=state.pile[-1], suit=move.suit)
    continue_after_card(scene, task, success=True)


def give_up(scene: Scene, task: Task) -> None:
    """Fail without a card; the field does not change. [UC-4.7]"""
    side = asked_side(task)
    demand(not side.cards, "card_played", "UC-4.7")
    scene.tell("gave_up", seat=side.seat, npc=side.npc)
    finish_side(scene, task)


def stop(scene: Scene, task: Task) -> None:
    """End a chain that has begun. [UC-5.2]"""
    side = asked_side(task)
    demand(task.chain, "not_now", "UC-5.2")
    demand(side.cards, "no_card_played", "UC-5.2")
    scene.tell("stopped", seat=side.seat, npc=side.npc, count=side.successes)
    finish_side(scene, task)


def _play_card(scene: Scene, task: Task, card: Card, suit: Suit | None, *, source: str) -> bool:
    """Judge a card, lay it in any case, and return whether it succeeds. [UC-4.5]"""
    side, check = asked_side(task), current_check(scene.state, task)
    verdict, bond = check.judge(card), check.bond(card)
    side.cards.append(card)
    side.successes += verdict.success
    who = {"seat": side.seat, "npc": side.npc, "source": source}
    what = {"card": card, "suit": suit, "success": verdict.success, "why": verdict.why}
    if task.secrecy:
        cards.lay_face_down(scene.state, task, card, suit, bond)
        to = cards.readers(side.seat, task.secrecy)
        scene.tell("laid", number=task.number, **who)
        scene.seal(task.number, to, "played", secret=task.secrecy, level=task.level, **who, **what)
    else:
        lay(scene.state, card, suit, bond)
        telling.record_card(scene.state, task)
        scene.tell("played", **who, **what)
    return verdict.success


def continue_after_card(scene: Scene, task: Task, *, success: bool) -> None:
    """Continue after a card: a chain goes on while it succeeds, has cards and needs more. [UC-5.2, 8.7]"""
    side = asked_side(task)
    more = task.chain and success and side.successes != required_chain_length(task)
    if not more or not scene.state.hands[side.seat].cards:
        finish_side(scene, task)


def finish_side(scene: Scene, task: Task) -> None:
    """Continue with the other side, or with the result, once a side is done. [UC-6.1, 8.2]"""
    if task.now + 1 < len(task.sides) and won(task, task.now):
        task.now += 1
        task.stage = SECOND_STAGE[task.kind]
        _ask(scene, task)
    else:
        _decide(scene, task)


def cancel(scene: Scene) -> None:
    """Break off the interrupt, else the task, else the rest of the adjusting."""
    state = scene.state
    if state.adjusting:
        scene.tell("cancelled", number=state.task_number, kind="adjust")
        state.adjusting = []
    elif state.task is None:
        raise IllegalMove("no_task", rule="UC-4.1")
    else:
        scene.tell("cancelled", number=state.task.number, kind=state.task.kind)
        if state.under:
            resume(state)
        else:
            _close(scene, state.task, _asked_seats(state.task))


def resume(state: State) -> None:
    """Continue the interrupted task; hands are adjusted after it. [UC-9.2, 9.3]"""
    state.task, state.under = state.under, None


def _decide(scene: Scene, task: Task) -> None:
    acting, success = task.sides[0], won(task, 0) and not won(task, 1)
    result = TaskResult(
        kind=task.kind,
        seat=acting.seat,
        npc=acting.npc,
        difficulty=task.difficulty,
        card=acting.cards[0] if acting.cards else None,
        success=success,
        count=acting.successes if task.chain else None,
        damage=(
            damage(task.difficulty, kind(acting.cards[0]), chain=task.chain)
            if task.kind == "attack" and success
            else None
        ),
        target=task.target,
    )
    if task.secrecy:
        cards.keep_secret(scene, task, result)
    else:
        telling.add_result(scene.state, result, task.text)
        scene.tell("decided", number=task.number, **asdict(result))
        telling.record_result(scene.state, task, result)
    if task.kind == "interrupt":
        scene.state.hands[acting.seat].owes |= bool(acting.cards)
        resume(scene.state)
        return
    adjusting = _asked_seats(task) + _change_target_hp(scene, task, result)
    _spend(scene, task)
    _close(scene, task, adjusting)


def _change_target_hp(scene: Scene, task: Task, result: TaskResult) -> list[Seat]:
    """Damage or heal the target; HP can become negative. Return the seat that adjusts. [UC-8.3, 10.2]"""
    if task.target is None:
        return []
    if result.damage is not None:
        change_hp(scene, task.target, figure_of(scene.state, task.target).hp - result.damage)
    elif task.kind == "treat":
        heal(scene, task.target, task.sides[0], success=result.success)
    else:
        return []
    return [seat_of(task.target)]


def _spend(scene: Scene, task: Task) -> None:
    """End the acting side's debts if it was its own action; a chain attack makes a new one. [UC-8.5, 8.7]"""
    state, acting = scene.state, task.sides[0]
    if task.kind == "attack":
        turns.act(state, acting.seat, acting.npc)
        state.hands[acting.seat].owes = task.chain
    elif state.combat is None:
        end_debts(state, acting.seat)


def _asked_seats(task: Task) -> list[Seat]:
    return [side.seat for side in task.sides if side.asked]


def _close(scene: Scene, task: Task, seats: list[Seat]) -> None:
    """End the task; let these seats adjust, then those whose HP was set during it. [UC-4.8, 9.1]"""
    scene.state.task, scene.state.requests = None, []
    adjust(scene, seats + task.touched)


def heal(scene: Scene, patient: str, healer: Side, *, success: bool) -> None:
    """Heal by 手当て. A failure, too, uses up the patient's treatment of the day. [UC-10.2]"""
    figure, gain = figure_of(scene.state, patient), 0
    if success:
        gain = 2 if not healer.drew and kind(healer.cards[0]) != "number" else 1
    scene.state.treated.append(patient)
    if success or figure.hp < 0:
        change_hp(scene, patient, min(max(figure.hp, 0) + gain, figure.hp_max))


def damage(difficulty: int, first: Kind, *, chain: bool) -> int:
    """Return a hit's damage, by its difficulty (not the lowered level) and first card. [UC-8.3, 8.7]"""
    return difficulty + DAMAGE[first] + (CHAIN_DAMAGE if chain else 0)


def change_hp(scene: Scene, who: str, hp: int, by: Seat | None = None) -> None:
    """Set HP; ``by`` is the player who entered it. Only the GM learns of a hidden NPC's HP. [UC-10.4]"""
    figure = figure_of(scene.state, who)
    was, figure.hp = figure.hp, hp
    if was == hp:
        return
    news = {"who": who, "hp": hp, "was": was, **({"by": by} if by else {})}
    if isinstance(figure, CharacterState) or not figure.hidden:
        scene.tell("hp_changed", **news)
        telling.record_hp(scene.state, who, was)
    else:
        scene.whisper(GM, "hp_changed", **news)
