"""The turning points of a table in their order, from its public events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sessions.game import Event

#: The number of fitting cards in a row that counts as a long chain.
LONG = 3


def story(events: Sequence[Event]) -> Iterator[Event]:
    """Yield falls and rescues with the figure that caused them, and long chains.

    The events contain the names of NPCs, because a view no longer has NPCs that have left the table.
    """
    names: dict[str, str] = {}
    cards: dict[int, list[str]] = {}
    number, under, kind, last = 0, 0, "", dict[str, Any]()
    for event in events:
        data = event.data
        if event.kind == "npc_added":
            names[data["npc"]] = data["name"]
        elif event.kind == "called":
            number, under, kind = data["number"], number, data["kind"]
        elif event.kind == "played" and data["success"]:
            cards.setdefault(number, []).append(data["card"])
        elif ends_interrupt(event, kind):
            number, kind = under, ""
        elif event.kind == "decided":
            last = data
            if data["success"] and (data["count"] or 0) >= LONG:
                yield Event("chained", _who(data, names) | {"cards": cards.get(number, [])[: data["count"]]})
        elif event.kind == "hp_changed" and (kind := _turn(data)):
            done = _who(last, names) if _did(kind, last, data["who"]) else {}
            yield Event(kind, {"who": data["who"], "name": names.get(data["who"], ""), "by": done})


def ends_interrupt(event: Event, running: str) -> bool:
    """True if this event ends an interrupt, so that the interrupted task continues. [UC-9.2, 9.4]

    :param running: the kind of the task that was called last, "" if it has ended.
    """
    if event.kind == "supported":
        return running == "interrupt"
    return event.kind in ("decided", "cancelled") and event.data["kind"] == "interrupt"


def _turn(changed: dict[str, Any]) -> str:
    """Return what a change of HP means: "fell", "rescued", or "" for neither."""
    up_before, up_now = changed["was"] > 0, changed["hp"] > 0
    return "" if up_before == up_now else "rescued" if up_now else "fell"


def _did(kind: str, decided: dict[str, Any], whom: str) -> bool:
    """True if the last decided task was an attack that caused this fall, or a treatment that rescued."""
    does = {"fell": "attack", "rescued": "treat"}[kind]
    return bool(decided) and decided["kind"] == does and decided["target"] == whom and decided["success"]


def _who(data: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Return the figure that did something: its id, and for an NPC its name."""
    doer = data["npc"] or data["seat"]
    return {"who": doer, "name": names.get(doer, "")}
