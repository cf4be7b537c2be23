"""An attack, plain or as a chain. [UC-8.2, 8.7]"""

from __future__ import annotations

from sessions.game import Seat, demand

from .figures import figure_of, seat_of
from .items import armour_value, weapon_value
from .moves import Attack
from .scene import Scene
from .state import Side, Task
from .tasks import begin
from .turns import acting_figure


def attack(scene: Scene, seat: Seat, move: Attack) -> None:
    """Attack another figure, even one that is down. No skill helps in a defence. [UC-8.2]

    :raises IllegalMove: ``own_target``, ``unknown_weapon``, ``unknown_skill``, and those of acting_figure and
        figure_of.
    """
    state = scene.state
    attacker = acting_figure(state, seat, move.npc)
    demand(move.target != (move.npc or seat), "own_target", "UC-8.2")
    target = figure_of(state, move.target)
    demand(move.skill is None or move.skill < len(attacker.skills), "unknown_skill", "UC-8.2")
    struck, weapon = seat_of(move.target), weapon_value(attacker, move.weapon)
    sides = [
        Side(seat, move.npc, skill=move.skill is not None, q=weapon),
        Side(struck, None if struck == move.target else move.target, q=armour_value(target)),
    ]
    begin(
        scene,
        Task(
            kind="attack",
            stage="attack",
            sides=sides,
            difficulty=move.difficulty,
            level=move.difficulty,
            target=move.target,
            chain=move.chain,
            text=move.text,
        ),
    )
