"""What a book of many games remembers of one: how close it was, and the best lie that was believed.

At the end all cards are turned up. Going back from there through what everybody saw tells which card lay
where at a claim, and how, as far as it was not exchanged since.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sessions.game import Event, Mark, Seat

from .cards import ABILITIES, BLOCKED_BY, Action, Character, Facing, Laid, Reaction, turned
from .view import CardsView, View

#: What a lie is worth by what it was said for; that of a block counts as that of its action.
WORTH: Mapping[Action, int] = {"embezzle": 1, "smuggle": 2, "murder": 3, "assassinate": 3, "allout": 4}


@dataclass
class Lying:
    """The cards of one side at a moment; how one lay is None where nobody can tell."""

    slots: list[tuple[Character, Facing | None] | None]
    hand: list[Character]
    removed: list[Character] = field(default_factory=list)

    def may_prove(self, ability: Action | Reaction) -> bool:
        """True if a card lies there that has this ability, or that may have had it."""
        wanted = ABILITIES[ability]
        return any(
            lying is not None
            and lying[0] == wanted.card
            and (lying[1] is None or wanted.shown_by(Laid(lying[0], lying[1])))
            for lying in self.slots
        )


def marks(view: View, events: Sequence[Event]) -> list[Mark]:
    """Return a close end, won with one card lost, and the best lie; nothing of a game that was given up."""
    if not view.winners or view.reveal is None or view.reason == "concede":
        return []
    return [*_closest(view, view.winners[0]), *_best_lie(view.reveal, events)]


def _closest(view: View, winner: Seat) -> Iterator[Mark]:
    """The winner had lost a card, too: the longer the game, the closer. [LM-5.1]"""
    if view.players[winner].removed_count:
        yield Mark(Event("closest", {"seat": winner, "turn": view.turns + 1}), rank=view.turns)


def _best_lie(reveal: Mapping[Seat, CardsView], events: Sequence[Event]) -> list[Mark]:
    """The lie that was worth most; of equals the last, which was the hardest to tell. [LM-3.2, 3.3]"""
    lies = list(_lies(reveal, events))
    return [max(lies, key=lambda mark: mark.rank)] if lies else []


def _lies(reveal: Mapping[Seat, CardsView], events: Sequence[Event]) -> Iterator[Mark]:
    """Yield what was claimed and believed and cannot have been true, the last first."""
    sides = {seat: _at_the_end(cards) for seat, cards in reveal.items()}
    for number, event in reversed(list(enumerate(events))):
        if event.kind == "passed":
            [claimant] = [seat for seat in sides if seat != event.data["seat"]]
            action, blocked = event.data["action"], event.data["blocked"]
            ability = BLOCKED_BY.get(action) if blocked else action
            # Whoever cannot show a BOSS gains nothing by an all-out attack that is believed. [LM-3.5]
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
    """Let the cards of a side lie as they did before an event. [LM-3.4, 3.7, 4]"""
    if event.kind not in ("shown", "rotated", "exchanged", "replaced", "left"):
        return
    slot = event.data["slot"]
    lying = side.slots[slot]
    if event.kind == "left":
        side.slots[slot] = (side.removed.pop(), None)
        return
    assert lying is not None  # or it could not have been shown, turned or laid
    if event.kind == "shown":
        side.slots[slot] = (event.data["card"], event.data["facing"])
    elif event.kind == "rotated":
        side.slots[slot] = (lying[0], turned(Laid(lying[0], lying[1])).facing if lying[1] else None)
    elif event.kind == "exchanged":
        side.slots[slot] = (side.hand.pop(), None)
        side.hand.append(lying[0])
    else:
        side.slots[slot] = None
        side.hand.append(lying[0])
