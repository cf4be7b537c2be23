"""The components: locations, events with their key icons, items. All reconstructed numbers are here."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

Suit = Literal["red", "green", "blue", "yellow", "white"]
Key = Literal["moon", "star", "feather"]
Location = Literal["coast", "beach", "town", "city", "station", "mine", "tree"]
Item = Literal["lantern", "map", "radio", "camera", "rucksack", "tent"]
Black = Literal["a", "b"]
Card = str  # an event's id, "red-1" … "white-6"

SUITS: tuple[Suit, ...] = get_args(Suit)
KEYS: tuple[Key, ...] = get_args(Key)
ITEMS: tuple[Item, ...] = get_args(Item)
BLACKS: tuple[Black, ...] = get_args(Black)
CARDS: tuple[Card, ...] = tuple(f"{suit}-{number}" for suit in SUITS for number in range(1, 7))
CARD_PATTERN = r"\A(?:red|green|blue|yellow|white)-[1-6]\Z"

DAYS = 7
LAST: Location = "tree"


class LocationCapacity(NamedTuple):
    """The capacity of a location: its black icons, and the red ones that count only with the lantern."""

    black: int
    red: int


ROOM: dict[Location, LocationCapacity] = {  # reconstruction [JO-1.2]
    "coast": LocationCapacity(2, 1),
    "beach": LocationCapacity(2, 1),
    "town": LocationCapacity(2, 1),
    "city": LocationCapacity(3, 1),
    "station": LocationCapacity(2, 1),
    "mine": LocationCapacity(1, 1),
    "tree": LocationCapacity(0, 0),
}
COST: dict[Item, int] = {"lantern": 2, "map": 3, "radio": 2, "camera": 3, "rucksack": 2, "tent": 10}


_SUIT_OF: dict[Card, Suit] = {card: suit for suit in SUITS for card in CARDS if card.startswith(suit)}
_KEY_OF: dict[Card, Key] = {  # reconstruction [JO-1.4]
    f"{suit}-{number}": KEYS[(index + number) % len(KEYS)]
    for index, suit in enumerate(SUITS)
    for number in range(1, 7)
}


def suit_of(card: Card) -> Suit:
    """Return the suit of an event; the events of a suit are one story."""
    return _SUIT_OF[card]


def number_of(card: Card) -> int:
    return int(card[-1])


def key_of(card: Card) -> Key:
    return _KEY_OF[card]
