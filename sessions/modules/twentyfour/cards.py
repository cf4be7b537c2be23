"""The contents of the box: event cards 事件カード, detectives 刑事, action cards アクションカード. [TF-1]"""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from msgspec import Meta

Suit = Literal["red", "blue", "green", "yellow", "purple", "white"]
SUITS: tuple[Suit, ...] = get_args(Suit)

EventCard = Annotated[str, Meta(pattern=r"\A(?:red|blue|green|yellow|purple|white)-(?:2|3a|3b|4|6)\Z")]
_SUITS: dict[str, Suit] = {f"{one}-{number}": one for one in SUITS for number in ("2", "3a", "3b", "4", "6")}
EVENTS: tuple[str, ...] = tuple(_SUITS)
_VALUES = {card: int(card.partition("-")[2][0]) for card in EVENTS}
MASTERMIND = 6

Detective = Literal["scotch", "wolf", "hibachi", "lloyd", "dokaben"]
DETECTIVES: tuple[Detective, ...] = get_args(Detective)  # by registration number

Action = Literal["0", "1", "2", "3", "4", "5", "6", "hero"]
HERO: Action = "hero"
ACTIONS: tuple[Action, ...] = ("0", "0", "1", "2", "3", "3", "4", "5", "6", "hero")

Dice = Literal["green", "red", "both"]
Rank = Literal["main", "sub"]
SIDES = 8


def suit(event: str) -> Suit:
    return _SUITS[event]


def value(event: str) -> int:
    return _VALUES[event]


def is_mastermind(event: str) -> bool:
    """True if this is a 黒幕, the 6 of its suit."""
    return value(event) == MASTERMIND


def registration(detective: Detective) -> int:
    """Return a detective's registration number. [TF-1.2]"""
    return DETECTIVES.index(detective) + 1
