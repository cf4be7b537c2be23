"""Play one game of the lab and record it. Pure Python; it uses only the contract of games."""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec import Struct

from companion.fate import Fate
from sessions.engine import bots
from sessions.engine.random_play import MAX_MOVES
from sessions.engine.step import step
from sessions.game import AnyModule, Event, Seat, kind_of

from .naming import options_of
from .setting import RunConfig, open_lab_game

Scores = dict[Seat, float]


class GameRecord(Struct):
    """The record of one game."""

    number: int
    bots: dict[Seat, str]
    moves: int = 0
    reason: str | None = None  # None: it did not end
    winners: tuple[Seat, ...] = ()
    scores: Scores = {}
    offered: dict[str, Counter[Seat]] = {}  # by option, how often each seat could take it
    taken: dict[str, Counter[Seat]] = {}  # by option, how often each seat took it
    events: dict[str, int] = {}
    first: dict[str, Event] = {}  # by kind of event, the first
    rules: dict[str, int] = {}  # by rule, how often it decided
    traits: dict[str, dict[str, list[Seat]]] = {}  # by kind and value, the seats that ever had it
    chapters: dict[int, Scores] = {}  # by chapter, what the seats had at its end


def play(module: AnyModule, setting: RunConfig, number: int) -> GameRecord:
    """Play a game and return its record.

    :raises BadTable: the number of players or the options do not fit the game.
    """
    seats, snapshot = open_lab_game(module, setting, number)
    playing = [seat for seat in seats if seat != "gm"]
    game = GameRecord(number, {seat: setting.bot(number, place) for place, seat in enumerate(playing)})
    while (outcome := module.outcome(state := module.load(snapshot))) is None and game.moves < MAX_MOVES:
        _note_state(module, game, state)
        game.moves += 1
        seat = min(module.waiting_for(state))
        move = _choose(module, setting, game, state, seat)
        snapshot, events = step(module, snapshot, seat, move, Fate(setting.secret(number), game.moves))
        _note_events(module, game, events)
    _note_state(module, game, state)
    if outcome:
        game.reason, game.winners = outcome.reason, outcome.winners
        game.scores = _scores(module, game, state, outcome)
    return game


def _choose(module: AnyModule, setting: RunConfig, game: GameRecord, state: Any, seat: Seat) -> Any:
    legal = module.legal_moves(state, seat)
    choices = Fate(f"choices of {setting.secret(game.number)}", game.moves)
    if setting.openings and kind_of(legal[0]) in module.study.openings:
        move = bots.at_random(legal, choices)
    else:
        move = bots.choose(module, game.bots.get(seat, bots.RANDOM), state, seat, choices)
    could = {option for one in legal if not bots.concedes(one) for option in options_of(one)}
    did = options_of(move)
    for option in sorted(could.union(did)):
        game.offered.setdefault(option, Counter())[seat] += 1
    for option in did:
        game.taken.setdefault(option, Counter())[seat] += 1
    return move


def _note_state(module: AnyModule, game: GameRecord, state: Any) -> None:
    study = module.study
    if study.chapter and study.standing:
        # A chapter ends with the move that begins the next one; points from that move belong to the former.
        last, now = max(game.chapters, default=0), study.chapter(state)
        game.chapters |= {chapter: dict(study.standing(state)) for chapter in {last, now} - {0}}
    for kind, by_seat in (study.traits(state) if study.traits else {}).items():
        for seat, values in by_seat.items():
            for value in values:
                having = game.traits.setdefault(kind, {}).setdefault(value, [])
                if seat not in having:
                    having.append(seat)


def _note_events(module: AnyModule, game: GameRecord, events: list[Event]) -> None:
    for event in events:
        game.events[event.kind] = game.events.get(event.kind, 0) + 1
        game.first.setdefault(event.kind, event)
        for rule, decides in module.study.rules.items():
            if decides(event):
                game.rules[rule] = game.rules.get(rule, 0) + 1


def _scores(module: AnyModule, game: GameRecord, state: Any, outcome: Any) -> Scores:
    """Return the final scores: the outcome's own if it has one, else the standing of the game's study."""
    if hasattr(outcome, "score"):
        return {} if outcome.score is None else {seat: float(outcome.score) for seat in game.bots}
    return dict(module.study.standing(state)) if module.study.standing else {}
