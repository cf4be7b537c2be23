"""The rulings of the GM: HP, NPCs, latecomers, treatment 手当て and recovery 自然回復. [UC-3.5, 10]"""

from __future__ import annotations

from typing import NamedTuple

from msgspec import UNSET

from companion.cards import SUITS
from sessions.game import IllegalMove, Seat, demand

from . import telling
from .cards import adjust, character, draw_to_hand, end_debts, hand_limit, turn_up
from .checks import actor, character_of, demand_up, everybody, figure_of, npc_of
from .moves import AddNpc, AddPlayer, Deal, RemoveNpc, Rest, SetHp, Stack, Treat
from .state import GM, CharacterState, Hand, NpcState, Scene, Side, State, Task
from .tasks import begin, change_hp
from .turns import demand_no_task

MOST_NPCS = 20
MOST_PLAYERS = 8


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
    """Bring an NPC to the table under an id that was never used. [UC-10.4]"""
    state, rank = scene.state, RANKS[move.rank]
    demand(len(state.npcs) < MOST_NPCS, "too_many_npcs", "UC-10.4")
    state.npc_ids += 1
    hp_max = move.rank if move.hp_max is UNSET else move.hp_max
    suits, skills = move.suits, move.skills
    if suits is UNSET:
        suits = tuple(scene.fate.shuffle("npc_suits", SUITS)[: rank.suits]) if rank.suits else ()
    if skills is UNSET:
        skills = tuple(f"特技{number}" for number in range(1, rank.skills + 1))
    npc = NpcState(
        id=f"n{state.npc_ids}",
        name=move.name,
        rank=move.rank,
        hp=hp_max,
        hp_max=hp_max,
        suits=suits,
        skills=skills,
        weapon=rank.gear if move.weapon is UNSET else move.weapon,
        armour=rank.gear if move.armour is UNSET else move.armour,
        hidden=move.hidden,
        special=move.special,
    )
    state.npcs.append(npc)
    scene.tell("npc_added", npc=npc.id, name=npc.name, rank=npc.rank)


def remove_npc(scene: Scene, move: RemoveNpc) -> None:
    """Take an NPC and its request off the table, unless it takes part in a task. [UC-10.4]"""
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


def set_hp(scene: Scene, move: SetHp) -> None:
    """Damage or heal outside a check. Hands adjust at once, or after the running task. [UC-10.6]"""
    state, figure = scene.state, figure_of(scene.state, move.who)
    if move.by:
        character_of(state, move.by)
    demand(move.hp <= figure.hp_max, "above_hp_max", "UC-10.6", hp_max=figure.hp_max)
    change_hp(scene, move.who, move.hp, move.by)
    if not isinstance(figure, CharacterState):
        return
    task = state.under or state.task
    if task:
        if move.who not in task.touched:
            task.touched.append(move.who)
    else:
        adjust(scene, [move.who])


def flip(scene: Scene) -> None:
    demand_no_task(scene.state)
    turn_up(scene)


def stack(scene: Scene, move: Stack) -> None:
    """Put a card on top of the deck, in a rehearsal. [UC-12.1]

    A card in the deck or in a hand changes places with the top card, because a refusal would reveal whose
    hand has it.
    """
    state = scene.state
    demand(state.rehearsal, "rehearsal_only", "UC-12.1")
    demand(bool(state.deck), "no_card_left", "UC-12.1")
    for cards in (state.deck, *(hand.cards for hand in state.hands.values())):
        if move.card in cards:
            place = cards.index(move.card)
            cards[place], state.deck[0] = state.deck[0], move.card
            scene.tell("stacked")
            return
    raise IllegalMove("lies_open", rule="UC-12.1")


def deal(scene: Scene, move: Deal) -> None:
    """Give extra cards, kept until that seat's next adjusting."""
    if move.seat != GM:
        demand_up(figure_of(scene.state, move.seat))
    scene.tell("dealt", seat=move.seat, count=move.count)
    draw_to_hand(scene, move.seat, move.count)


def add_player(scene: Scene, move: AddPlayer) -> None:
    """Let a latecomer in, seated after everyone with the same or a lower CA. [UC-3.5]"""
    state = scene.state
    demand_no_task(state)
    demand(len(state.seating) < MOST_PLAYERS, "table_full", "UC-3.5")
    seat = f"p{len(state.seating) + 1}"
    newcomer = character(seat, move.character)
    place = sum(state.characters[other].ca <= newcomer.ca for other in state.seating)
    state.seats.append(seat)
    state.seating.insert(place, seat)
    state.characters[seat], state.hands[seat] = newcomer, Hand()
    scene.tell("player_added", seat=seat, name=newcomer.name, place=place)
    draw_to_hand(scene, seat, hand_limit(state, seat))


def peek(scene: Scene, seat: Seat) -> None:
    """Tell everybody that the GM looks at a player's hand, and tell that player privately, too. [UC-4.12]"""
    character_of(scene.state, seat)
    scene.tell("peeked", seat=seat)
    scene.whisper(seat, "hand_seen", seat=seat)
    telling.record_peek(scene.state, seat)


def end_table(scene: Scene) -> None:
    state = scene.state
    state.ended = True
    state.task = state.under = state.combat = None
    state.adjusting, state.requests = [], []
    scene.tell("ended")
    telling.record_end(state)


def treat(scene: Scene, move: Treat) -> None:
    """Ask a healer to treat a patient or themselves. A patient is treated once a day. [UC-10.2]"""
    state = scene.state
    demand_no_task(state)
    demand_up(actor(state, move.seat, move.npc))
    figure_of(state, move.patient)
    demand(move.patient not in state.treated, "treated_today", "UC-10.2")
    side = Side(move.seat, move.npc, move.skill, move.q)
    begin(scene, Task("treat", "play", [side], move.difficulty, move.difficulty, target=move.patient))


def let_days_pass(scene: Scene, move: Rest) -> None:
    """Let days go by: all recover 1 HP a day, debts end, all adjust, treatments are possible. [UC-10.1]"""
    state = scene.state
    demand_no_task(state)
    demand(not state.combat, "combat_running", "UC-8.1")
    scene.tell("rested", days=move.days)
    state.treated = []
    for who in everybody(state):
        figure = figure_of(state, who)
        change_hp(scene, who, min(figure.hp + move.days, figure.hp_max))
    for seat in (seats := [*state.seating, GM]):
        end_debts(state, seat)
    adjust(scene, seats)
