"""The cards on the table: the deck 山札, the pile, the hands, and secret checks. [UC-3, 4.8, 4.9, 4.11]

The top of the pile is the field card 場札. The setup deals the cards; adjusting hands 手札整理 brings each
hand back to its right size.

In a secret check 秘密判定 the card lies face down, and the GM reveals the result. Difficulty and result are
not public, no card is turned and the field card stays. So neither the field, nor the chain, nor any later
check depends on the card that was laid.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, ValidationError
from msgspec.structs import asdict, replace

from companion.cards import Card, Suit, standard_deck
from sessions.game import Fate, IllegalMove, Seat, demand

from . import telling
from .checks import Bond
from .moves import Call, Discard, Reveal
from .state import (
    GM,
    CharacterState,
    Hand,
    Link,
    Options,
    Scene,
    Secrecy,
    SecretCheck,
    Sheet,
    State,
    Task,
    TaskResult,
)

#: The number of secret checks that may wait to be revealed.
MOST_SECRETS = 30


def setup(seats: list[Seat], options: Options, fate: Fate) -> State:
    """Open the table: seat the players, deal, turn the field card up. [UC-3.1 to 3.4]

    :raises msgspec.ValidationError: a character for a seat that is not there.
    """
    for seat in options.characters:
        if seat not in seats:
            raise ValidationError(f"a character for {seat}, who is not at the table")
    players = [seat for seat in seats if seat != GM]
    characters = {seat: character(seat, options.characters.get(seat, Sheet())) for seat in players}
    state = State(
        seats=list(seats),
        seating=sorted(fate.shuffle("seating", players), key=lambda seat: characters[seat].ca),
        ladder=options.ladder,
        characters=characters,
        hands={seat: Hand() for seat in seats},
        deck=fate.shuffle("deck", standard_deck(options.jokers)),
        practice=options.practice,
        rehearsal=options.rehearsal,
    )
    for seat in [*state.seating, GM]:
        # A hand is one block off the top; the deck's last card is kept for the field. [UC-3.2, 3.3]
        count = min(hand_limit(state, seat), len(state.deck) - 1)
        state.hands[seat].cards, state.deck = state.deck[:count], state.deck[count:]
    lay(state, state.deck.pop(0))
    return state


def character(seat: Seat, sheet: Sheet) -> CharacterState:
    """Return a sheet as a character at the table, with defaults for the fields left out."""
    name = seat if sheet.name is UNSET else sheet.name
    hp = sheet.hp_max if sheet.hp is None else sheet.hp
    return CharacterState(**asdict(replace(sheet, name=name, hp=hp)))


def can_draw(state: State) -> bool:
    """True if there is a card to draw, after a reshuffle if need be. [UC-4.9]"""
    return bool(state.deck) or len(state.pile) > 1


def top_card(scene: Scene) -> Card | None:
    """Take the top card. An empty deck is first reshuffled from the pile below the field card. [UC-4.9]"""
    state = scene.state
    if not state.deck and can_draw(state):
        *rest, field_card = state.pile
        state.deck, state.pile = scene.fate.shuffle("deck", rest), [field_card]
        for check in state.secrets:
            check.lies = False
        scene.tell("reshuffled", deck_count=len(state.deck))
    return state.deck.pop(0) if state.deck else None


def lay(state: State, card: Card, suit: Suit | None = None, bond: Bond | None = None) -> None:
    """Make ``card`` the field card; ``suit`` is a joker's, ``bond`` how a played card fits the one before."""
    telling.record_link(state, card, suit, bond)
    state.pile.append(card)
    state.field_suit = suit


def turn_up(scene: Scene) -> bool:
    """Turn the top card of the deck onto the field; return whether there was one. [UC-4.2, 4.9]"""
    card = top_card(scene)
    if card is None:
        return False
    lay(scene.state, card)
    scene.tell("turned", card=card)
    return True


def draw_to_hand(scene: Scene, seat: Seat, count: int) -> None:
    """Draw up to ``count`` cards; everybody learns how many, only the seat learns which. [UC-4.9]"""
    cards = [card for _ in range(count) if (card := top_card(scene)) is not None]
    if cards:
        scene.state.hands[seat].cards += cards
        scene.tell("drawn", seat=seat, count=len(cards))
        scene.whisper(seat, "received", seat=seat, cards=cards)


def hand_limit(state: State, seat: Seat) -> int:
    """Return the right size of a hand: the current HP; for the GM, the players + 1. [UC-3.3, 4.8]"""
    return len(state.seating) + 1 if seat == GM else max(state.characters[seat].hp, 0)


def surplus(state: State, seat: Seat) -> int:
    """Return the number of cards above the limit and ``extra``, 0 or less if there are none. [UC-4.8, 8.5]"""
    hand = state.hands[seat]
    return len(hand.cards) - hand_limit(state, seat) - hand.extra


def adjust(scene: Scene, seats: Iterable[Seat]) -> None:
    """Let these seats adjust, one after the other, after the seats that already wait to do so."""
    state = scene.state
    waited = bool(state.adjusting)
    state.adjusting = list(dict.fromkeys([*state.adjusting, *seats]))
    settle(scene)
    if state.adjusting and not waited:
        state.task_number += 1


def settle(scene: Scene) -> None:
    """Refill hands that adjust until a seat has to discard or all are done."""
    state = scene.state
    while state.adjusting:
        seat = state.adjusting[0]
        hand, room = state.hands[seat], hand_limit(state, seat)
        if room == 0:
            end_debts(state, seat)
        if not hand.owes:
            draw_to_hand(scene, seat, room - len(hand.cards))
        if surplus(state, seat) > 0:
            return
        state.adjusting.pop(0)


def end_debts(state: State, seat: Seat) -> None:
    """End a seat's right to extra cards and its ban on refilling. [UC-8.5, 9.3]"""
    hand = state.hands[seat]
    hand.extra, hand.owes = 0, False


def discard(scene: Scene, seat: Seat, move: Discard) -> None:
    """Lay exactly the surplus onto the field, the last card on top. [UC-4.8]"""
    state = scene.state
    demand(len(move.cards) == surplus(state, seat), "wrong_count", "UC-4.8", need=surplus(state, seat))
    demand(len(set(move.cards)) == len(move.cards), "card_twice", "UC-4.8")
    for card in move.cards:
        take(state, seat, card)
        lay(state, card)
    scene.tell("discarded", seat=seat, cards=list(move.cards))
    settle(scene)


def take(state: State, seat: Seat, card: str) -> None:
    try:
        state.hands[seat].cards.remove(card)
    except ValueError:
        raise IllegalMove("not_in_hand", rule="UC-4.5") from None


def may_be_secret(state: State, move: Call) -> None:
    """Refuse a secret chain, because everybody sees its length, and more than ``MOST_SECRETS`` secrets."""
    demand(not (move.secret and move.chain), "secret_chain", "UC-4.11")
    demand(not move.secret or len(state.secrets) < MOST_SECRETS, "too_many_secrets", "UC-4.11")


def knows(looker: Seat | None, seat: Seat, secrecy: Secrecy | None) -> bool:
    """True if ``looker`` knows the difficulty and the result of a check of ``seat``."""
    return secrecy is None or looker == GM or (secrecy == "own" and looker == seat)


def sees_card(looker: Seat | None, check: SecretCheck) -> bool:
    """True if ``looker`` knows the card, because it knows the result or has laid the card from its hand."""
    seat = check.result.seat
    return knows(looker, seat, check.secrecy) or (looker == seat and not check.drew)


def readers(seat: Seat, secrecy: Secrecy) -> tuple[Seat, ...]:
    """Return the seats that know the result of a check of ``seat``."""
    return (GM, seat) if secrecy == "own" and seat != GM else (GM,)


def lay_face_down(state: State, task: Task, card: Card, named: Suit | None, bond: Bond) -> None:
    """Lay a card face down under the field card, which stays the target of the next check. [UC-4.11]"""
    target = Link(state.pile[-1], state.field_suit)
    task.face_down = [target, Link(card, named, played=True, by=bond.by, gap=bond.gap)]
    state.pile.insert(-1, card)


def keep_secret(scene: Scene, task: Task, result: TaskResult) -> None:
    """Store the result of a secret check, and tell it only to the seats that may know it."""
    if task.secrecy is None:
        raise ValueError("no secret check")
    state = scene.state
    deed, drew = telling.deed_of(state, task), task.sides[0].drew
    down = task.face_down
    state.secrets.append(SecretCheck(task.number, task.secrecy, deed, result, down, drew, bool(down)))
    known = {"number": task.number, "secret": task.secrecy, **asdict(result)}
    scene.seal(task.number, readers(result.seat, task.secrecy), "decided", **known)
    telling.record_secret(state, task, result)


def reveal(scene: Scene, move: Reveal) -> None:
    """Tell everybody the result of a secret check; everybody may read its events from now on."""
    state = scene.state
    check = next((one for one in state.secrets if one.number == move.number), None)
    if check is None:
        raise IllegalMove("unknown_secret", rule="UC-4.11")
    state.secrets.remove(check)
    state.opened.append(check.number)
    telling.add_result(state, check.result, "")
    scene.tell("revealed", number=check.number, deed=check.deed, **asdict(check.result))
    telling.record_reveal(state, check)
