"""Other states: a twin that some seats cannot tell from this one, and the masked state after a move.

In the masked state new hand cards are face down while the move can be taken back.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from companion.cards import Card, is_joker, standard_deck
from sessions.game import Fate, Seat

from .cards import knows, sees_card
from .state import FACE_DOWN, GM, GearItem, Link, SecretCheck, State


def resample(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Deal again the cards that none of ``seats`` sees; change gear, HP and abilities that none sees."""
    hidden = [hand.cards for owner, hand in state.hands.items() if owner not in seats]
    laid = [check for check in state.secrets if check.links and not any(sees_card(s, check) for s in seats)]
    lying = [check.links[-1].card for check in laid if check.lies]
    unknown = fate.shuffle("cards", [*state.deck, *lying, *(card for hand in hidden for card in hand)])
    for pile in (twins := list(lying), state.deck, *hidden):
        count = len(pile)
        pile[:], unknown = unknown[:count], unknown[count:]
    _lay_others(state, laid, dict(zip(lying, twins, strict=True)), fate)
    _decide_otherwise(state, seats, fate)
    for owner, character in state.characters.items():
        if GM not in seats and owner not in seats:
            character.weapons = (GearItem("another", _value(fate)),)
            character.armour = _value(fate)
    for npc in state.npcs if GM not in seats else []:
        npc.weapon, npc.armour = _value(fate), _value(fate)
        npc.special = f"another {_value(fate)}"
        if npc.hidden:
            npc.hp_max = fate.roll("HP", 99)
            npc.hp = npc.hp_max - fate.roll("damage", 99)
    for task in (state.task, state.under):
        for side in task.sides if task and task.kind == "attack" else []:
            if side.seat not in seats:
                side.q = _value(fate)


def _lay_others(state: State, laid: list[SecretCheck], others: dict[Card, Card], fate: Fate) -> None:
    """Replace the face-down cards of these checks; one that has left the pile becomes any card."""
    places = {card: state.pile.index(card) for card in others}
    for card, place in places.items():
        state.pile[place] = others[card]
    for check in laid:
        target, link = check.links
        card = others[link.card] if check.lies else fate.shuffle("cards", standard_deck())[0]
        check.links = [target, Link(card, "s" if is_joker(card) else None, played=True, by=link.by)]
        check.result = replace(check.result, card=card)


def _decide_otherwise(state: State, seats: Collection[Seat], fate: Fate) -> None:
    """Change the difficulty and the result of secret checks that none of ``seats`` knows."""
    for task in (state.task, state.under):
        acting = task.sides[0] if task else None
        if task and acting and task.secrecy and not any(knows(s, acting.seat, task.secrecy) for s in seats):
            task.difficulty = fate.roll("difficulty", 6) - 1
            task.level = min(task.difficulty + fate.roll("tool", 2) - 1, 5)
            acting.skill, acting.q = fate.roll("skill", 2) == 1, _value(fate)
    for check in state.secrets:
        if not any(knows(seat, check.result.seat, check.secrecy) for seat in seats):
            difficulty, success = fate.roll("difficulty", 6) - 1, fate.roll("success", 2) == 1
            check.result = replace(check.result, difficulty=difficulty, success=success)


def _value(fate: Fate) -> int:
    return fate.roll("value", 9) - 1


def masked_state(before: State, after: State) -> State | None:
    """Return ``after`` with every card face down that the move brought to a hand; None if it brought none.

    Also return None if the move cannot be taken back because the pile was shuffled, a card of the deck was
    laid, or a secret check was decided. A latecomer's first hand is never face down.
    """
    shuffled = before.pile[0] not in after.pile
    decided = len(after.secrets) > len(before.secrets)
    if shuffled or decided or not set(before.deck).isdisjoint(after.pile):
        return None
    hands = {}
    for seat, hand in after.hands.items():
        known = before.hands.get(seat, hand).cards
        hands[seat] = replace(hand, cards=[card if card in known else FACE_DOWN for card in hand.cards])
    return None if hands == after.hands else replace(after, hands=hands)
