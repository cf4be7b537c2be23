"""The record of the table for screens and for the session's report. No rule reads it.

The screens show the public results of tasks, the chain on the field, and the moment (the animation of the
last moves); the record holds only what everybody saw at that time. The more is at stake, the longer a
moment lasts. The report is made from public events alone: highlights, counts, and the turning points in
their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from companion.cards import Card, Suit, is_joker, suit
from sessions.game import Digest, Event, Seat, highlight_most

from .checks import Bond, Target, figure_of, is_up, lacks
from .state import GM, Beat, Combat, Cue, HpChange, Link, Options, SecretCheck, State, Task, TaskResult

#: The number of fitting cards in a row that counts as a long chain.
LONG = 3
#: The number of last cards of the chain that are kept, including the field card.
CHAIN_KEPT = 7
#: The number of last cards of a long run that are kept.
RUN_KEPT = 24
CueKind = Literal["check", "round", "hit", "rescue", "fall", "last_foe", "end"]
#: The time that a moment of each kind stays in the foreground, in milliseconds.
LASTS: dict[CueKind, int] = {
    "check": 1200,
    "round": 1200,
    "hit": 1600,
    "rescue": 2000,
    "fall": 3000,
    "last_foe": 4000,
    "end": 8000,
}
RESULTS_KEPT = 10


def current_cue(state: State) -> Cue:
    """Return the moment of the current move, and create it if there is none yet."""
    told = state.told
    if told.moment is None or told.moment.number != told.moves:
        told.moment = Cue(told.moves)
    return told.moment


def begin_move(state: State, seat: Seat) -> None:
    """Count a move, so that all its effects share one moment, and clear its seat's notice of a peek."""
    state.told.moves += 1
    state.told.peeked = [other for other in state.told.peeked if other != seat]


def record_link(state: State, card: Card, suit: Suit | None, bond: Bond | None) -> None:
    """Add a card to the chain; ``bond`` is how it fits the one before, None if it was not played."""
    how = Link(card, suit, bond is not None, bond.by if bond else "", bond.gap if bond else None)
    told = state.told
    told.chain = [*told.chain, how][-CHAIN_KEPT:]
    told.run = [*told.run, how][-RUN_KEPT:] if how.by else []
    if len(told.run) > len(told.best):
        told.best = told.run


def record_card(state: State, task: Task) -> None:
    """Add the card that was just played for a task to the moment."""
    side, last = task.sides[task.now], state.told.chain[-2:]
    now = current_cue(state)
    now.seat, now.npc, now.links = side.seat, side.npc, last
    now.count = side.successes if task.chain else None
    now.deed = deed_of(state, task)
    if is_joker(last[-1].card):
        now.beats.append(Beat("joker", side.npc or side.seat))


def record_suit(state: State, task: Task, suit: Suit) -> None:
    """Add the named suit to the joker on the field."""
    side, told, run = task.sides[task.now], state.told, state.told.run
    joker = Link(state.pile[-1], suit, played=True, by="joker")
    told.chain, told.run = [*told.chain[:-1], joker], [*run[:-1], joker]
    if told.best == run:
        told.best = told.run
    now = current_cue(state)
    now.seat, now.npc, now.links = side.seat, side.npc, told.chain[-2:]


def record_result(state: State, task: Task, result: TaskResult) -> None:
    """Add the result of a task and the task's description to the moment."""
    now = current_cue(state)
    if not now.links:
        now.seat, now.npc = result.seat, result.npc
    now.result, now.deed, now.count = result, deed_of(state, task), result.count
    state.told.deed = now.deed


def record_secret(state: State, task: Task, result: TaskResult) -> None:
    """Add only the fact that a task was decided in secret."""
    now = current_cue(state)
    now.seat, now.npc, now.deed = result.seat, result.npc, deed_of(state, task)
    now.beats.append(Beat("secret", result.npc or result.seat))


def record_reveal(state: State, check: SecretCheck) -> None:
    """Add the card and the result of a secret check, as if it had been public."""
    now, result = current_cue(state), check.result
    now.seat, now.npc, now.links, now.result = result.seat, result.npc, check.links, result
    now.deed = state.told.deed = check.deed
    now.beats.append(Beat("revealed", result.npc or result.seat))


def record_peek(state: State, seat: Seat) -> None:
    state.told.peeked = [*(other for other in state.told.peeked if other != seat), seat]


def record_hp(state: State, who: str, was: int) -> None:
    """Add a figure's fall or rise, the last foe's fall, and a change of HP by a result to the moment."""
    figure, told = figure_of(state, who), state.told
    turns = (was > 0) != is_up(figure)
    follows = told.moment and told.moment.number == told.moves and told.moment.result
    if not turns and not follows:
        return
    now = current_cue(state)
    now.changes.append(HpChange(who, was, figure.hp, figure.hp_max))
    if turns and is_up(figure):
        now.beats.append(Beat("rose", who))
    elif turns:
        now.beats.append(Beat("fell", who))
        _tell_of_fall(state, now, who)


def _tell_of_fall(state: State, now: Cue, who: str) -> None:
    """Add the players who can help a fallen player; of an NPC, whether it was the last foe."""
    if not who.startswith("n"):
        now.treated = who in state.treated
        now.helpers = [seat for seat in state.seating if is_up(state.characters[seat]) and not now.treated]
    elif state.combat and all(npc.hp <= 0 and not npc.hidden for npc in state.npcs):
        # An NPC with hidden HP may still be up.
        now.beats.append(Beat("last_foe", who))
        now.ring = state.told.chain


def record_round(state: State, combat: Combat) -> None:
    """Add the beginning of a round to the moment."""
    now = current_cue(state)
    now.round = combat.round
    now.beats.append(Beat("round", combat.turn))


def record_end(state: State) -> None:
    """Begin the moment of the table's end, with the longest run if it is long."""
    told = state.told
    best = told.best if len(told.best) >= LONG else []
    told.moment = Cue(told.moves, beats=[Beat("ended", GM)], ring=best)


def record_attempt(state: State, task: Task, said: str) -> None:
    """Store a task's description, or what its player ``said`` last. An interrupt begins no new moment."""
    told = state.told
    if task.kind != "interrupt":
        told.moment, told.deeds = Cue(told.moves), {}
    told.deeds[str(task.number)] = task.label or task.text or said


def deed_of(state: State, task: Task) -> str:
    """Return the description of a task: the words of the call, else of the player, else ""."""
    return state.told.deeds.get(str(task.number), "")


def kind_of(moment: Cue) -> CueKind:
    """Return the kind of the most important event of a moment; the fall of an NPC counts as a hit."""
    beats = {beat.kind for beat in moment.beats}
    if "ended" in beats:
        return "end"
    if "last_foe" in beats:
        return "last_foe"
    if any(beat.kind == "fell" and not beat.who.startswith("n") for beat in moment.beats):
        return "fall"
    if "rose" in beats:
        return "rescue"
    if "round" in beats:
        return "round"
    hit = moment.result is not None and moment.result.kind == "attack" and moment.result.success
    return "hit" if hit or "fell" in beats else "check"


def add_result(state: State, result: TaskResult, text: str) -> None:
    """Make this the newest result; ``text`` describes an attack."""
    state.results = [*state.results, result][-RESULTS_KEPT:]
    state.result_text = text


#: The number of the most frequent helpers that are named.
HELPERS_NAMED = 3
#: The events that put a card on the field without playing it. They end a run of played cards.
BREAKS = {"turned", "discarded", "observed"}
#: The number of cards that are shown of a long run.
SERPENT_SHOWN = 24


def digest(events: Sequence[Event], options: Options) -> Digest:
    """Return the highlights of a table, its counts by seat, its turning points, and the NPCs that came."""
    counts = _counts(events)
    highlights = [
        *_best_check(events),
        *highlight_most("deck_draws", "deck", counts),
        *_helpers(events),
        *_near_misses(events, options),
        *_serpent(events),
    ]
    met = tuple(event.data["name"] for event in events if event.kind == "npc_added")
    return Digest(tuple(highlights), counts, tuple(story(events)), met)


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
    hard = [e for e in won if e.data["difficulty"] and not (e.data["card"] and is_joker(e.data["card"]))]
    if not hard:
        return []
    best = max(hard, key=lambda event: int(event.data["difficulty"]))
    told = {name: best.data[name] for name in ("seat", "difficulty", "card")}
    return [Event("best_check", {**told, "label": labels.get(best.data["number"], "")})]


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
            lower = data.get("level", level) - 1
            failed = _of_player(event) and lower >= 0 and not data["success"]
            if failed and field and field.suit and not lacks(options.ladder[lower], data["card"], field, 0):
                missed[data["seat"]] += 1
            if data.get("secret"):
                continue  # the field card stays [UC-4.11]
            field = Target(data["card"], data["suit"] or suit(data["card"]))
    return [Event("near_miss", {"seat": seat, "count": count}) for seat, count in missed.items()]


def _serpent(events: Sequence[Event]) -> list[Event]:
    """Return the longest run of cards of all seats in which each fits the one before."""
    run, longest = list[str](), list[str]()
    for event in events:
        if event.kind == "played" and not event.data.get("secret"):
            run = [*run, event.data["card"]] if event.data["success"] else []
            longest = max(longest, run, key=len)
        elif event.kind in BREAKS:
            run = []
    if len(longest) < LONG:
        return []
    return [Event("serpent", {"cards": longest[:SERPENT_SHOWN], "count": len(longest)})]


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
                yield Event("chained", _doer(data, names) | {"cards": cards.get(number, [])[: data["count"]]})
        elif event.kind == "hp_changed" and (data["was"] > 0) != (data["hp"] > 0):
            change, cause = ("rescued", "treat") if data["hp"] > 0 else ("fell", "attack")
            caused = last and last["success"] and (last["kind"], last["target"]) == (cause, data["who"])
            by = _doer(last, names) if caused else {}
            yield Event(change, {"who": data["who"], "name": names.get(data["who"], ""), "by": by})


def ends_interrupt(event: Event, running: str) -> bool:
    """True if this event ends an interrupt, so that the interrupted task continues. [UC-9.2, 9.4]

    :param running: the kind of the task that was called last, "" if it has ended.
    """
    if event.kind == "supported":
        return running == "interrupt"
    return event.kind in ("decided", "cancelled") and event.data["kind"] == "interrupt"


def _doer(data: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Return the figure that did something: its id, and for an NPC its name."""
    doer = data["npc"] or data["seat"]
    return {"who": doer, "name": names.get(doer, "")}
