"""The memorable points of one game, for the statistics over many games: a close end, and the best lie.

At the end all cards are face up. Undoing the public events from there shows which card was in which slot at a
claim, and its facing, unless the card was exchanged or lost since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sessions.game import Event, Mark, Seat

from .cards import ABILITIES, BLOCKED_BY, Action, Character, Facing, Laid, Reaction, turn_around
from .view import CardsView, View

#: The worth of a lie by its action; a false block counts like the action that it blocks.
WORTH: Mapping[Action, int] = {"embezzle": 1, "smuggle": 2, "murder": 3, "assassinate": 3, "allout": 4}


@dataclass
class Lying:
    """The layout of one player's cards at a point of the game; a facing is None where it cannot be known."""

    slots: list[tuple[Character, Facing | None] | None]
    hand: list[Character]
    removed: list[Character] = field(default_factory=list)

    def may_prove(self, ability: Action | Reaction) -> bool:
        """True if a card on the field has this ability, or may have had it."""
        wanted = ABILITIES[ability]
        return any(
            lying is not None
            and lying[0] == wanted.card
            and (lying[1] is None or wanted.shown_by(Laid(lying[0], lying[1])))
            for lying in self.slots
        )


def marks(view: View, events: Sequence[Event]) -> list[Mark]:
    """Return marks for a close end (won with one card lost) and the best lie; none after concession."""
    if not view.winners or view.reveal is None or view.reason == "concede":
        return []
    return [*_closest(view, view.winners[0]), *_best_lie(view.reveal, events)]


def _closest(view: View, winner: Seat) -> Iterator[Mark]:
    """Yield a mark if the winner had also lost a card; it ranks by the number of turns. [LM-5.1]"""
    if view.players[winner].removed_count:
        yield Mark(Event("closest", {"seat": winner, "turn": view.turns + 1}), rank=view.turns)


def _best_lie(reveal: Mapping[Seat, CardsView], events: Sequence[Event]) -> list[Mark]:
    """Return the lie of the highest worth; of equals the last, the hardest to tell. [LM-3.2, 3.3]"""
    lies = list(_believed_lies(reveal, events))
    return [max(lies, key=lambda mark: mark.rank)] if lies else []


def _believed_lies(reveal: Mapping[Seat, CardsView], events: Sequence[Event]) -> Iterator[Mark]:
    """Yield the claims that were believed but cannot have been true, the last first."""
    sides = {seat: _at_the_end(cards) for seat, cards in reveal.items()}
    for number, event in reversed(list(enumerate(events))):
        if event.kind == "passed":
            [claimant] = [seat for seat in sides if seat != event.data["seat"]]
            action, blocked = event.data["action"], event.data["blocked"]
            ability = BLOCKED_BY.get(action) if blocked else action
            # A believed all-out attack gains nothing without a BOSS to show. [LM-3.5]
            gains = blocked or action != "allout"
            if gains and (ability is None or not sides[claimant].may_prove(ability)):
                told = {"seat": claimant, "action": action, "blocked": blocked}
                yield Mark(Event("lie", told), rank=WORTH[action] * 10_000 + number)
        elif event.data.get("seat") in sides:
            _undo(sides[event.data["seat"]], event)


def _at_the_end(cards: CardsView) -> Lying:
    slots = [(laid.card, laid.facing) if laid else None for laid in cards.slots]
    return Lying([*slots], list(cards.hand), list(cards.removed))


def _undo(side: Lying, event: Event) -> None:
    """Restore the cards of a side to their positions before an event. [LM-3.4, 3.7, 4]"""
    if event.kind not in ("shown", "rotated", "exchanged", "replaced", "left"):
        return
    slot = event.data["slot"]
    lying = side.slots[slot]
    if event.kind == "left":
        side.slots[slot] = (side.removed.pop(), None)
        return
    assert lying is not None  # all these events leave a card in the slot
    if event.kind == "shown":
        side.slots[slot] = (event.data["card"], event.data["facing"])
    elif event.kind == "rotated":
        side.slots[slot] = (lying[0], turn_around(Laid(lying[0], lying[1])).facing if lying[1] else None)
    elif event.kind == "exchanged":
        side.slots[slot] = (side.hand.pop(), None)
        side.hand.append(lying[0])
    else:
        side.slots[slot] = None
        side.hand.append(lying[0])
