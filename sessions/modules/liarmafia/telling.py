"""The texts and numbers about a finished game: session report, statistics, daily game, designer's lab.

The report is made from public events. The statistics keep a close end and the best lie: at the end all
cards are face up, and undoing the public events from there shows which card was in which slot at a claim,
and its facing, unless the card was exchanged or lost since. The line of signs of the daily game reveals
no card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sessions.game import Digest, Event, Mark, Seat, Study, highlight_most

from .state import (
    ABILITIES,
    BLOCKED_BY,
    Action,
    Character,
    Facing,
    Laid,
    Options,
    Reaction,
    State,
    opponent,
    turn_around,
)
from .view import CardsView, View

#: The counts of a seat, and the event that each counts.
COUNTED = {"declared": "claims", "doubted": "doubts"}
NAMES = (*COUNTED.values(), "found")
#: The worth of a lie by its action; a false block counts like the action that it blocks.
WORTH: Mapping[Action, int] = {"embezzle": 1, "smuggle": 2, "murder": 3, "assassinate": 3, "allout": 4}
FOR_WINNING = 5
study = Study(
    rules={
        "LM-3.2": lambda event: event.kind == "blocked",
        "LM-3.4": lambda event: event.kind == "doubted",
        "LM-3.5": lambda event: event.kind in ("gained", "paid"),
        "LM-3.6": lambda event: event.kind in ("nothing_gained", "no_boss"),
        "LM-3.7": lambda event: event.kind in ("rotated", "exchanged"),
        "LM-4.2": lambda event: event.kind == "left",
    },
)


def digest(events: Sequence[Event], options: Options) -> Digest:
    """Return the counts by seat, and as highlights the deciding event and the seat that found most lies."""
    counts: dict[Seat, Counter[str]] = {}
    doubter = ""
    for event in events:
        seat = event.data.get("seat", "")
        if event.kind == "placed":
            counts.setdefault(seat, Counter())
        elif name := COUNTED.get(event.kind):
            counts.setdefault(seat, Counter())[name] += 1
        if event.kind == "doubted":
            doubter = seat
        elif event.kind == "caught":
            counts.setdefault(doubter, Counter())["found"] += 1
    told = {seat: {name: mine[name] for name in NAMES} for seat, mine in sorted(counts.items())}
    return Digest((*_last_blow(events), *highlight_most("nose", "found", told)), told)


def _last_blow(events: Sequence[Event]) -> list[Event]:
    """Return the deciding event: a lie caught, a truth doubted, a hit or an All-out attack."""
    if not events or events[-1].kind != "won":
        return []
    winner, reason = events[-1].data["seat"], events[-1].data["reason"]
    told = {"seat": winner, "reason": reason}
    if reason not in ("boss", "two"):
        return [Event("last_blow", {**told, "how": reason})]
    backwards = list(reversed(events))
    how = next(event.kind for event in backwards if event.kind in ("caught", "shown", "paid"))
    loser = next(event.data["seat"] for event in backwards if event.kind == "left")
    claims = ("declared",) if how == "paid" else ("declared", "blocked")
    claim = next(event for event in backwards if event.kind in claims)
    action: Action = claim.data["action"]
    # The first edition allows blocks that no reaction stops. Such a block is named after the action.
    ability = BLOCKED_BY.get(action, action) if claim.kind == "blocked" else action
    return [Event("last_blow", {**told, "how": how, "other": loser, "claim": ability})]


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
    """Return marks for a close end and for the best lie; none after concession. [LM-3.2, 3.3, 5.1]

    An end is close if the winner had lost a card, too; later ends rank higher. Of two lies with the same
    worth the later one ranks higher, because it is harder to tell.
    """
    if not view.winners or view.reveal is None or view.reason == "concede":
        return []
    found, winner = list[Mark](), view.winners[0]
    if view.players[winner].removed_count:
        found.append(Mark(Event("closest", {"seat": winner, "turn": view.turns + 1}), rank=view.turns))
    if lies := list(_believed_lies(view.reveal, events)):
        found.append(max(lies, key=lambda mark: mark.rank))
    return found


def _believed_lies(reveal: Mapping[Seat, CardsView], events: Sequence[Event]) -> Iterator[Mark]:
    """Yield the claims that were believed but cannot have been true, the last first."""
    sides = {
        seat: Lying(
            slots=[(laid.card, laid.facing) if laid else None for laid in cards.slots],
            hand=list(cards.hand),
            removed=list(cards.removed),
        )
        for seat, cards in reveal.items()
    }
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
    else:
        side.slots[slot] = (side.hand.pop(), None) if event.kind == "exchanged" else None
        side.hand.append(lying[0])


def daily_score(state: State, seat: Seat) -> int | None:
    """Return 5 for a win plus 1 for each own card left, else 1 for each card the opponent lost."""
    if state.result is None:
        return None
    if seat in state.result.winners:
        own = state.players[seat]
        return FOR_WINNING + len(own.hand) + sum(laid is not None for laid in own.slots)
    return 0 if state.result.reason == "concede" else len(state.players[opponent(state, seat)].removed)


def signs(events: Sequence[Event], seat: Seat) -> str:
    """Return a sign for each decisive event: an own gain, a block accepted, a card lost on either side."""
    line = ""
    for event in events:
        own = event.data.get("seat") == seat
        match event.kind:
            case "gained" | "all_out" if own:
                line += "🟩"
            case "passed" if own and event.data["blocked"]:
                line += "⬜"
            case "left":
                line += "🟥" if own else "🟦"
    return line
