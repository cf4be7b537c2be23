"""The texts and numbers about a finished game: session report, statistics, daily game, designer's lab.

The report is made from public events. The line of emoji of the daily game sums the game up and reveals no
card.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sessions.game import Digest, Event, Mark, Seat, Study

from .seasons import score
from .state import NPC, SIDES, Options, State
from .view import View

SIGNS = {"main": "🟩", "sub": "🟨"}


def digest(events: Sequence[Event], options: Options) -> Digest:
    """Return the counts and the highlights of a game.

    These are the best throw, the seats with the number of masterminds that they arrested, most first, and the
    detectives killed on duty, with the VP for it. [TF-7.3, 8.1]
    """
    ours = [event for event in events if event.data.get("seat") not in (None, NPC)]
    arrests = Counter(event.data["seat"] for event in ours if event.kind == "arrested")
    highlights = [
        *_best_throw(ours),
        *(Event("masterminds", {"seat": seat, "count": count}) for seat, count in arrests.most_common()),
        *(
            Event("fell", {name: event.data[name] for name in ("seat", "incident", "vp")})
            for event in ours
            if event.kind == "honoured"
        ),
    ]
    return Digest(tuple(highlights), _counts(ours, events))


def _best_throw(events: Sequence[Event]) -> list[Event]:
    """Return the challenge that gave most power; of equals the highest incident number, then the first."""
    thrown = [event for event in events if event.kind == "challenged" and event.data["bonus"]]
    if not thrown:
        return []
    best = max(thrown, key=lambda event: (event.data["bonus"], event.data["incident"])).data
    return [Event("best_throw", {name: best[name] for name in ("seat", "incident", "green", "red", "bonus")})]


def _counts(events: Sequence[Event], everything: Sequence[Event]) -> dict[Seat, dict[str, int]]:
    """Return cards taken, challenges, great successes and damage by seat; VP if the game has ended."""
    counts: dict[Seat, Counter[str]] = {}
    for event in events:
        mine, data = counts.setdefault(event.data["seat"], Counter()), event.data
        if event.kind == "took":
            mine["taken"] += 1
        elif event.kind == "challenged":
            mine["challenges"] += 1
            mine["great"] += [data["green"], data["red"]].count(SIDES)
            mine["damage"] += data["damage"]
    results = [event.data["vp"] for event in everything if event.kind == "ended"]
    names = ["taken", "challenges", "great", "damage", *(["vp"] if results else [])]
    for result in results:
        for seat, vp in result.items():
            counts.setdefault(seat, Counter())["vp"] = vp
    return {seat: {name: mine[name] for name in names} for seat, mine in sorted(counts.items())}


def marks(view: View, events: Sequence[Event]) -> list[Mark]:
    """Return how close the end was: the VP between the first and the second. [TF-10.3]"""
    if not view.winners:
        return []
    scores = [(player.vp or 0, who) for who, player in view.players.items() if who != NPC]
    (vp, who), (second, _) = sorted(scores, key=lambda score: -score[0])[:2]
    told = {"seat": who, "vp": vp, "second": second}
    return [Mark(Event("closest", told), rank=second - vp)]


def daily_score(state: State, seat: Seat) -> int | None:
    return state.result.vp[seat] if state.result else None


def signs(events: Sequence[Event], seat: Seat) -> str:
    """Return signs by season, one an incident: a seat took no part, took part, took a card, or was hurt."""
    seasons, season = list[str](), list[str]()
    for event in events:
        own = event.data.get("seat") == seat
        match event.kind:
            case "judged":
                season.append("⬜" if seat in event.data["powers"] else "⬛")
            case "took" if own:
                season[-1] = SIGNS[event.data["row"]]
            case "hurt" | "killed" if own:
                season[-1] = "🟥"
            case "season_ended":
                seasons.append("".join(season))
                season = []
    return " ".join(seasons)


def traits(state: State) -> dict[str, dict[Seat, list[str]]]:
    """Return the detective of each seat."""
    chosen = {seat: state.players[seat].detective for seat in state.seats}
    return {"detective": {seat: [detective] for seat, detective in chosen.items() if detective}}


def standing(state: State) -> dict[Seat, float]:
    """Return the VP so far. [TF-10]"""
    return {seat: float(score(state.players[seat]).vp) for seat in state.seats}


study = Study(
    openings=("choose_detective",),
    traits=traits,
    chapter=lambda state: state.season,
    standing=standing,
    rules={
        "TF-5.2": lambda event: event.kind == "judged" and bool(event.data["hero"] or event.data["clash"]),
        "TF-5.6": lambda event: (
            event.kind == "challenged" and SIDES in (event.data["green"], event.data["red"])
        ),
        "TF-5.8": lambda event: event.kind == "challenged" and event.data["damage"] > 0,
        "TF-5.9": lambda event: event.kind == "challenged" and event.data["prevented"] > 0,
        "TF-6.4": lambda event: event.kind == "untaken" and bool(event.data["tied"]),
        "TF-7.2": lambda event: event.kind == "hurt",
        "TF-7.3": lambda event: event.kind == "killed",
        "TF-8.1": lambda event: event.kind in ("escaped", "arrested"),
        "TF-9.3": lambda event: (
            event.kind == "took" and (event.data["row"], event.data["place"]) == ("sub", 1)
        ),
    },
)
