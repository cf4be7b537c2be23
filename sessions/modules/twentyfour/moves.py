"""Every move, with its JSON. [the table of moves in RULES.md]"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from sessions.game import Move

from .state import Action, Detective, Dice, EventCard, Rank


class ChooseDetective(Move, frozen=True, tag="choose_detective"):
    """Take a free detective. ``{"type": "choose_detective", "detective": "lloyd"}`` [TF-2.1]"""

    detective: Detective


class Place(Move, frozen=True, tag="place"):
    """Lay a card at each incident. [TF-4.1, 4.3]

    ``{"type": "place", "cards": ["0", "3", "hero", "1", "5"]}``
    """

    cards: tuple[Action, Action, Action, Action, Action]


class Challenge(Move, frozen=True, tag="challenge"):
    """Roll dice for more power. ``{"type": "challenge", "dice": "both"}`` [TF-5.6]"""

    dice: Dice


class Decline(Move, frozen=True, tag="decline"):
    """Challenge nothing. ``{"type": "decline"}`` [TF-5.3]"""


class Take(Move, frozen=True, tag="take"):
    """Hibachi's choice. ``{"type": "take", "rank": "sub"}`` [TF-9.3]"""

    rank: Rank


class Discard(Move, frozen=True, tag="discard"):
    """Give up a card gained this season. ``{"type": "discard", "card": "red-3a"}`` [TF-7.2]"""

    card: EventCard


class SetStyle(Move, frozen=True, tag="set_style"):
    """Set cards to Stand, all others to Coop. ``{"type": "set_style", "stand": ["red-2"]}`` [TF-8.2]"""

    stand: Annotated[tuple[EventCard, ...], Meta(max_length=30)]


AnyMove = ChooseDetective | Place | Challenge | Decline | Take | Discard | SetStyle
