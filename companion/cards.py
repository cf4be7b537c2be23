"""Playing cards as short ids. Pure.

``s01`` … ``s13`` ♠ from A to K, ``h`` ♥, ``d`` ♦ and ``c`` ♣ likewise, jokers ``x01`` ``x02``.
"""

from __future__ import annotations

from typing import Literal, cast

Card = str
Suit = Literal["s", "h", "d", "c"]
Colour = Literal["red", "black"]
Kind = Literal["number", "face", "joker"]

SUITS: tuple[Suit, ...] = ("s", "h", "d", "c")
CARD_PATTERN = r"\A(?:[shdc](?:0[1-9]|1[0-3])|x0[12])\Z"


def standard_deck(jokers: int = 2) -> list[Card]:
    """Return the 52 cards, suit by suit in the order s h d c, each A to K, then the jokers."""
    return [f"{suit}{rank:02}" for suit in SUITS for rank in range(1, 14)] + [
        f"x{number:02}" for number in range(1, jokers + 1)
    ]


def is_joker(card: Card) -> bool:
    return card[0] == "x"


def suit(card: Card) -> Suit | None:
    """Return the printed suit, None for a joker."""
    return None if is_joker(card) else cast(Suit, card[0])


def rank(card: Card) -> int | None:
    """Return the number, A 1 … J 11, Q 12, K 13; None for a joker."""
    return None if is_joker(card) else int(card[1:])


def colour(suit: Suit) -> Colour:
    """Return ``red`` 赤札 for hearts and diamonds, ``black`` 黒札 for spades and clubs."""
    return "red" if suit in ("h", "d") else "black"


def kind(card: Card) -> Kind:
    """Return ``number`` 数札 for A–10, ``face`` 絵札 for J Q K, ``joker`` for JK."""
    number = rank(card)
    if number is None:
        return "joker"
    return "number" if number <= 10 else "face"
