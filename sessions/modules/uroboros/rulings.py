"""Rulings of the GM. [UC-3.5, 10.6]"""

from __future__ import annotations

from sessions.game import IllegalMove, Seat, demand

from . import telling
from .asking import free
from .figures import character_of, figure_of, standing
from .hands import adjust, hand_limit
from .hp import change_hp, touch
from .moves import AddPlayer, Deal, SetHp, Stack
from .piles import draw_to_hand, turn_up
from .scene import Scene
from .setup import character
from .state import GM, CharacterState, Hand

MOST_PLAYERS = 8


def set_hp(scene: Scene, move: SetHp) -> None:
    """Damage or heal outside a check. Hands adjust at once, or after the running task. [UC-10.6]

    :raises IllegalMove: ``unknown_seat``, ``unknown_npc``, ``above_hp_max``.
    """
    state, figure = scene.state, figure_of(scene.state, move.who)
    if move.by:
        character_of(state, move.by)
    demand(move.hp <= figure.hp_max, "above_hp_max", "UC-10.6", hp_max=figure.hp_max)
    change_hp(scene, move.who, move.hp, move.by)
    if not isinstance(figure, CharacterState):
        return
    if state.task:
        touch(state, move.who)
    else:
        adjust(scene, [move.who])


def flip(scene: Scene) -> None:
    """Turn a new field card from the deck.

    :raises IllegalMove: ``task_running``.
    """
    free(scene.state)
    turn_up(scene)


def stack(scene: Scene, move: Stack) -> None:
    """Put a card on top of the deck, in a rehearsal. [UC-12.1]

    A card in the deck or in a hand changes places with the top card, because a refusal would reveal whose
    hand has it.

    :raises IllegalMove: ``rehearsal_only``, ``no_card_left``, ``lies_open``.
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
    """Give extra cards, kept until that seat's next adjusting.

    :raises IllegalMove: ``unknown_seat``, ``down``.
    """
    if move.seat != GM:
        standing(figure_of(scene.state, move.seat))
    scene.tell("dealt", seat=move.seat, count=move.count)
    draw_to_hand(scene, move.seat, move.count)


def add_player(scene: Scene, move: AddPlayer) -> None:
    """Let a latecomer in, seated after everyone with the same or a lower CA. [UC-3.5]

    :raises IllegalMove: ``task_running``, ``table_full``.
    """
    state = scene.state
    free(state)
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
    """Tell everybody that the GM looks at a player's hand, and tell that player privately, too. [UC-4.12]

    :raises IllegalMove: ``unknown_seat``.
    """
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
