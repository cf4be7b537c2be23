"""HP: damage, healing, and their consequences. [UC-8.3, 10]"""

from __future__ import annotations

from companion.cards import Kind, kind
from sessions.game import Seat

from . import telling
from .figures import figure_of
from .scene import Scene
from .state import GM, CharacterState, NpcState, Side, State, Task

DAMAGE: dict[Kind, int] = {"number": 0, "face": 1, "joker": 2}  # by the attacker's first card [UC-8.3]
CHAIN_DAMAGE = 1  # [UC-8.7]


def change_hp(scene: Scene, who: str, hp: int, by: Seat | None = None) -> None:
    """Set HP and tell the seats that may know. [UC-10.4: only the GM knows a hidden NPC's HP]

    :param by: the player who entered it, for the log.
    """
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


def touch(state: State, seat: Seat) -> None:
    """Remember that a seat's HP was set during the task, so that it adjusts afterwards. [UC-10.6]"""
    task = state.under or state.task
    if task and seat not in task.touched:
        task.touched.append(seat)


def damage_of(task: Task) -> int:
    """Return the damage of a hit. [UC-8.3, 8.7]"""
    return damage(task.difficulty, kind(task.sides[0].cards[0]), chain=task.chain)


def damage(difficulty: int, first: Kind, *, chain: bool) -> int:
    """Return the damage of a hit: by the difficulty, not by the level it was lowered to. [UC-8.3, 8.7]

    :param first: the kind of the attacker's first card.
    """
    return difficulty + DAMAGE[first] + (CHAIN_DAMAGE if chain else 0)


def hurt(scene: Scene, who: str, damage: int) -> None:
    """Take damage; HP can become negative. [UC-8.3]"""
    change_hp(scene, who, figure_of(scene.state, who).hp - damage)


def treat(scene: Scene, patient: str, healer: Side, *, success: bool) -> None:
    """Heal by 手当て. A failure, too, uses up the patient's treatment of the day. [UC-10.2]"""
    figure = figure_of(scene.state, patient)
    gain = _gain(healer) if success else 0
    scene.state.treated.append(patient)
    if success or figure.hp < 0:
        change_hp(scene, patient, min(max(figure.hp, 0) + gain, figure.hp_max))


def recover(scene: Scene, who: str, days: int) -> None:
    """Recover naturally 自然回復: 1 a day. [UC-10.1]"""
    figure: CharacterState | NpcState = figure_of(scene.state, who)
    change_hp(scene, who, min(figure.hp + days, figure.hp_max))


def _gain(healer: Side) -> int:
    return 2 if not healer.drew and kind(healer.cards[0]) != "number" else 1
