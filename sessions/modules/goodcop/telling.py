"""The texts and numbers about a game: report, summary of turns, statistics, daily game, designer's lab.

The digest is a table's part of the session report, made from public events. The gist sums up the events since
a player's own last move: a sentence for each turn, and important events.
A mark is the memorable end of one game, for the statistics over many games. The daily game has a score, and a
line of signs that shows a player's actions and reveals no card. The study is the data for the lab.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sessions.game import Digest, Event, Json, Mark, Seat, Study, highlight_most

from .state import Options, State, leader_card
from .view import View

#: The counts of a seat, and the event that each counts.
COUNTED = {"investigated": "investigations", "fired": "shots", "played": "equipment"}
BITES = {"bitten": "bites"}
#: The events that are part of a turn's sentence, with the action that each stands for.
DEEDS = {"investigated": "investigate", "armed": "arm", "drawn": "equip"}
#: The important events, which are passed on unchanged.
TOLD = frozenset(
    {"played", "fired", "eliminated", "wounded", "healed", "revived", "robbed", "redirected", "shielded"}
    | {"bitten", "infected", "zombified", "cured", "reversed", "exchanged", "seen", "ended"}
)
#: A win scores MOST minus the number of turns, and at least LEAST.
MOST, LEAST = 30, 10
SIGNS = {"investigate": "🟦", "arm": "🟨", "equip": "🟩", "shoot": "🟥"}


def digest(events: Sequence[Event], options: Options) -> Digest:
    """Return the counts by seat, and as highlights the last shot, the top investigator and zombifications."""
    names = COUNTED | BITES if options.zombies else COUNTED
    counts: dict[Seat, Counter[str]] = {}
    for event in events:
        if event.kind == "begun":
            counts.setdefault(event.data["seat"], Counter())
        if event.kind in names:
            counts.setdefault(event.data["seat"], Counter())[names[event.kind]] += 1
    highlights = [*_last_shot(events), *highlight_most("sharpest", "investigations", counts)]
    if outbreaks := sum(event.kind == "zombified" for event in events):
        highlights.append(Event("outbreak", {"count": outbreaks}))
    return Digest(
        tuple(highlights),
        {seat: {name: mine[name] for name in names.values()} for seat, mine in sorted(counts.items())},
    )


def _last_shot(events: Sequence[Event]) -> list[Event]:
    """Return the shot or the card that eliminated a leader, if that ended the game."""
    if not events or events[-1].kind != "ended" or events[-1].data["reason"] not in ("honest", "crooked"):
        return []
    backwards = iter(reversed(events))
    shot = next(event for event in backwards if event.kind == "shot")
    cause = next(event for event in backwards if event.kind in ("fired", "played"))
    told = {"seat": cause.data["seat"], "target": shot.data["seat"], "card": shot.data["card"]}
    return [Event("last_shot", told)]


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
                    turn = {"seat": acting, **dict.fromkeys(("did", "target", "position", "up", "aims"))}
                    told.append(Event("in_turn", turn))
                _add(turn, event)
            case kind if kind in TOLD:
                told.append(event)
    return told


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


def marks(view: View, events: Sequence[Event]) -> list[Mark]:
    """Return a mark for a close end: the winners' leader was wounded, one shot short of their defeat.

    Its rank is the number of winners who were eliminated. [GC-5.2, GC-5.4]
    """
    winners = view.winners or ()
    leaders = [seat for seat in winners if any(card.wounded for card in view.players[seat].cards)]
    if view.reason not in ("honest", "crooked") or not leaders:
        return []
    fallen = sum(not view.players[seat].alive for seat in winners)
    return [Mark(Event("closest", {"seat": leaders[0], "fallen": fallen}), rank=fallen)]


def daily_score(state: State, seat: Seat) -> int | None:
    """Return the points for a win, more for an early one; 0 for a defeat."""
    if state.result is None:
        return None
    return max(LEAST, MOST - state.turns) if seat in state.result.winners else 0


def signs(events: Sequence[Event], seat: Seat) -> str:
    """Return a sign for the seat's action in each turn, without its target.

    Equipment can cancel a declared action, so the last declaration of a turn counts.
    """
    line, action = "", ""
    for event in events:
        if event.kind in ("begun", "ended"):
            line, action = line + SIGNS.get(action, ""), ""
        elif event.kind == "declared" and event.data["seat"] == seat:
            action = event.data["action"]
    return line


def traits(state: State) -> dict[str, dict[Seat, list[str]]]:
    """Return the equipment of each seat, in hand and in front, and its leader card."""
    players = state.players
    leaders = {seat: leader_card(players[seat]) for seat in state.seats}
    return {
        "equipment": {seat: [*players[seat].hand, *players[seat].active] for seat in state.seats},
        "leader": {seat: [card.face] for seat, card in leaders.items() if card},
    }


study = Study(
    traits=traits,
    rules={
        "GC-4.2": lambda event: event.kind == "investigated",
        "GC-4.4": lambda event: event.kind == "drawn",
        "GC-4.5": lambda event: event.kind == "fired",
        "GC-4.7": lambda event: event.kind == "aimed",
        "GC-5.3": lambda event: event.kind == "wounded",
        "GC-8.8": lambda event: event.kind == "bitten",
        "GC-8.9": lambda event: event.kind == "rolled",
    },
)
