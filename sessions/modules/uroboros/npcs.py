"""NPCs: the default values of each rank, and how they are added and removed. [UC-10.4]"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from companion.cards import SUITS, Suit
from sessions.game import demand

from .figures import npc_of
from .moves import AddNpc, RemoveNpc
from .scene import Scene
from .state import NpcState, State

MOST_NPCS = 20


class NpcDefaults(NamedTuple):
    """The default values of an NPC of a rank. Its HP defaults to the rank itself."""

    skills: int
    suits: int
    gear: int  # value of weapon and of armour


RANKS = {
    1: NpcDefaults(skills=0, suits=0, gear=0),  # 雑魚
    2: NpcDefaults(skills=0, suits=0, gear=0),  # 一般人
    3: NpcDefaults(skills=1, suits=0, gear=1),  # 熟練者
    4: NpcDefaults(skills=2, suits=1, gear=1),  # 玄人
    5: NpcDefaults(skills=3, suits=1, gear=2),  # 達人
    6: NpcDefaults(skills=4, suits=2, gear=2),  # 超人
}


def add_npc(scene: Scene, move: AddNpc) -> None:
    """Bring an NPC to the table under an id that was never used. [UC-10.4]

    :raises IllegalMove: ``too_many_npcs``.
    """
    state, rank = scene.state, RANKS[move.rank]
    demand(len(state.npcs) < MOST_NPCS, "too_many_npcs", "UC-10.4")
    state.npc_ids += 1
    hp_max = move.rank if move.hp_max is UNSET else move.hp_max
    npc = NpcState(
        id=f"n{state.npc_ids}",
        name=move.name,
        rank=move.rank,
        hp=hp_max,
        hp_max=hp_max,
        suits=_suits(scene, rank) if move.suits is UNSET else move.suits,
        skills=_skills(rank) if move.skills is UNSET else move.skills,
        weapon=rank.gear if move.weapon is UNSET else move.weapon,
        armour=rank.gear if move.armour is UNSET else move.armour,
        hidden=move.hidden,
        special=move.special,
    )
    state.npcs.append(npc)
    scene.tell("npc_added", npc=npc.id, name=npc.name, rank=npc.rank)


def remove_npc(scene: Scene, move: RemoveNpc) -> None:
    """Take an NPC and its request off the table, unless it takes part in a task. [UC-10.4]

    :raises IllegalMove: ``unknown_npc``, ``npc_has_part``.
    """
    state = scene.state
    npc = npc_of(state, move.npc)
    demand(not has_part(state, npc), "npc_has_part", "UC-10.4")
    state.npcs.remove(npc)
    state.requests = [request for request in state.requests if request.npc != npc.id]
    scene.tell("npc_removed", npc=npc.id, name=npc.name)


def has_part(state: State, npc: NpcState) -> bool:
    """True if an NPC takes part in the running or the interrupted task."""
    tasks = [task for task in (state.task, state.under) if task]
    return any(npc.id == task.target or npc.id in [side.npc for side in task.sides] for task in tasks)


def _suits(scene: Scene, rank: NpcDefaults) -> tuple[Suit, ...]:
    return tuple(scene.fate.shuffle("npc_suits", SUITS)[: rank.suits]) if rank.suits else ()


def _skills(rank: NpcDefaults) -> tuple[str, ...]:
    return tuple(f"特技{number}" for number in range(1, rank.skills + 1))
