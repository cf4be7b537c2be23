"""The part of a session's report about one table, from its public events."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from companion.cards import Suit, is_joker, suit
from sessions.game import Digest, Event, Seat

from .checks import Target, lacks
from .options import Options
from .state import GM
from .story import LONG, ends_interrupt, story

#: The number of the most frequent helpers that are named.
HELPERS_NAMED = 3
#: The events that put a card on the field without playing it. They end a run of played cards.
BREAKS = {"turned", "discarded", "observed"}
#: The number of cards that are shown of a long run.
SERPENT_SHOWN = 24


def digest(events: Sequence[Event], options: Options) -> Digest:
    """Return the highlights of a table, its counts by seat, and its turning points."""
    counts = _counts(events)
    highlights = [
        *_best_check(events),
        *_deck_draws(counts),
        *_helpers(events),
        *_near_misses(events, options),
        *_serpent(events),
    ]
    return Digest(tuple(highlights), counts, tuple(story(events)))


def _of_player(event: Event) -> bool:
    """True if an event is about a player's own character, not an NPC."""
    return event.data.get("npc") is None and event.data.get("seat") not in (None, GM)


def _counts(events: Sequence[Event]) -> dict[Seat, dict[str, int]]:
    counts: dict[Seat, Counter[str]] = {}
    for event in filter(_of_player, events):
        mine = counts.setdefault(event.data["seat"], Counter())
        if event.kind == "decided":
            mine["checks"] += 1
            mine["successes"] += event.data["success"]
        elif event.kind == "played":
            mine["deck" if event.data["source"] == "deck" else "hand"] += 1
        elif event.kind == "supported":
            mine["supports"] += 1
    names = ("checks", "successes", "hand", "deck", "supports")
    return {seat: {name: mine[name] for name in names} for seat, mine in counts.items()}


def _best_check(events: Sequence[Event]) -> list[Event]:
    """Return the hardest success of a player, the first of equal ones; jokers cannot fail. [UC-4.4]"""
    labels = {event.data["number"]: event.data["label"] for event in events if event.kind == "called"}
    won = [e for e in events if e.kind == "decided" and _of_player(e) and e.data["success"]]
    hard = [event for event in won if event.data["difficulty"] and not _by_joker(event)]
    if not hard:
        return []
    best = max(hard, key=lambda event: int(event.data["difficulty"]))
    told = {name: best.data[name] for name in ("seat", "difficulty", "card")}
    return [Event("best_check", {**told, "label": labels.get(best.data["number"], "")})]


def _by_joker(event: Event) -> bool:
    return bool(event.data["card"]) and is_joker(event.data["card"])


def _serpent(events: Sequence[Event]) -> list[Event]:
    """Return the longest run of cards of all seats in which each fits the one before."""
    run, longest = list[str](), list[str]()
    for event in events:
        if event.kind == "played" and not event.data.get("secret"):
            run = [*run, event.data["card"]] if event.data["success"] else []
            longest = max(longest, run, key=len)
        elif event.kind in BREAKS:
            run = []
    return (
        [Event("serpent", {"cards": longest[:SERPENT_SHOWN], "count": len(longest)})]
        if len(longest) >= LONG
        else []
    )


def _deck_draws(counts: dict[Seat, dict[str, int]]) -> list[Event]:
    """Return the seat that played the most cards from the deck, nothing if several are equal."""
    most = max((mine["deck"] for mine in counts.values()), default=0)
    seats = [seat for seat, mine in counts.items() if mine["deck"] == most]
    return [Event("deck_draws", {"seat": seats[0], "count": most})] if most and len(seats) == 1 else []


def _helpers(events: Sequence[Event]) -> list[Event]:
    """Return the givers and receivers of cards, the most frequent pairs first."""
    pairs = Counter(
        (event.data["seat"], event.data["to"])
        for event in events
        if event.kind == "supported" and _of_player(event)
    )
    named = pairs.most_common(HELPERS_NAMED)
    return [Event("helped", {"seat": seat, "to": to, "count": count}) for (seat, to), count in named]


def _near_misses(events: Sequence[Event], options: Options) -> list[Event]:
    """Count the failures of each player whose card would have succeeded one level lower. [UC-4.2]"""
    field: Target | None = None  # no event has the first field card; known once a card is laid
    level, under, kind, missed = 0, 0, "", Counter[Seat]()
    for event in events:
        data = event.data
        if event.kind == "called":
            under, level, kind = level, int(data["level"] or 0), data["kind"]
        elif event.kind == "raise_answered" and data["allow"]:
            level = int(data["difficulty"])
        elif ends_interrupt(event, kind):
            level, kind = under, ""
        elif event.kind == "turned":
            field = Target(data["card"], suit(data["card"]))
        elif event.kind == "named" and field:
            field = Target(field.card, data["suit"])
        elif event.kind == "played":
            if _of_player(event) and field and _by_one_step(data, field, data.get("level", level), options):
                missed[data["seat"]] += 1
            if data.get("secret"):
                continue  # the field card stays [UC-4.11]
            field = Target(data["card"], _shown_suit(data))
    return [Event("near_miss", {"seat": seat, "count": count}) for seat, count in missed.items()]


def _by_one_step(played: dict[str, Any], field: Target, level: int, options: Options) -> bool:
    if played["success"] or level == 0 or field.suit is None:
        return False
    return lacks(options.ladder[level - 1], played["card"], field, 0) is None


def _shown_suit(played: dict[str, Any]) -> Suit | None:
    named: Suit | None = played["suit"]
    return named or suit(played["card"])
