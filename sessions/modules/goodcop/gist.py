"""A summary of the events since a player's own last move: a sentence for each turn, and important events."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Event, Json

#: The events that are part of a turn's sentence, with the action that each stands for.
DEEDS = {"investigated": "investigate", "armed": "arm", "drawn": "equip"}
#: The important events, which are passed on unchanged.
TOLD = frozenset(
    {"played", "fired", "eliminated", "wounded", "healed", "revived", "robbed", "redirected", "shielded"}
    | {"bitten", "infected", "zombified", "cured", "reversed", "exchanged", "seen", "ended"}
)


def gist(events: Sequence[Event]) -> list[Event]:
    """Return an event ``in_turn`` for each turn, and between these the important events unchanged.

    ``in_turn`` has the turn's ``seat``; ``did``, its action (null: only aimed); ``target`` and ``position``
    of a look; ``up``, the face of the own card that it turned up; ``aims``, the seat that it aims at.
    """
    told: list[Event] = []
    acting, shot = None, None
    turn: Json = {}
    for event in events:
        seat = event.data.get("seat")
        match event.kind:
            case "begun" | "declared":
                acting, shot = seat, None
                turn = turn if turn.get("seat") == acting else {}
            case "shot":
                shot = seat
            case "turned_up" if seat not in (acting, shot):
                told.append(event)
            case "turned_up" | "aimed" | "investigated" | "armed" | "drawn" if seat == acting != shot:
                if not turn:
                    turn = _nothing_yet(acting)
                    told.append(Event("in_turn", turn))
                _add(turn, event)
            case kind if kind in TOLD:
                told.append(event)
    return told


def _nothing_yet(seat: str | None) -> Json:
    return {"seat": seat, "did": None, "target": None, "position": None, "up": None, "aims": None}


def _add(turn: Json, event: Event) -> None:
    """Add one more event to a turn's sentence."""
    if event.kind == "turned_up":
        turn["up"] = event.data["face"]
    elif event.kind == "aimed":
        turn["aims"] = event.data["target"]
    else:
        turn["did"] = DEEDS[event.kind]
    if event.kind == "investigated":
        turn |= {"target": event.data["target"], "position": event.data["position"]}
