"""Play the games of a lab and record them. Pure Python; it uses only the contract of games.

Games are played in several processes. Their order, and so every statistic, is the same for any number.

A record counts the options of a game that its moves take. An option is a type of move with those of its
fields that choose one word of a fixed set: ``challenge dice=red``. If a field holds any number of such
words, each of them is an option: ``pack items=tent``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context
from typing import Any

from msgspec import UNSET, Struct, UnsetType, inspect
from msgspec.structs import replace

from companion.fate import Fate
from sessions.engine import bots
from sessions.engine.bots import MAX_MOVES
from sessions.engine.registry import registry
from sessions.engine.step import start, step
from sessions.game import AnyModule, Event, Move, Seat, kind_of

Scores = dict[Seat, float]
CHUNK = 4  # games that a worker takes at a time


class RunConfig(Struct, frozen=True):
    """A run: a number of games with these bots and options. Seed and number determine a game's chance."""

    key: str
    players: int
    bots: tuple[str, ...]  # they go round the seats from game to game
    games: int
    seed: str
    options: dict[str, Any] = {}
    openings: bool = True  # True: the moves that a game calls openings are random

    def secret(self, number: int) -> str:
        return f"{self.seed}/{number}"

    def bot(self, number: int, place: int) -> str:
        """Return the kind of bot at a place of the table, counted from 0, in a game."""
        return self.bots[(place + number) % len(self.bots)]

    def with_options(self, options: dict[str, Any]) -> RunConfig:
        return replace(self, options=self.options | options)


def open_lab_game(module: AnyModule, setting: RunConfig, number: int) -> tuple[list[Seat], bytes]:
    """Return the seats and the first snapshot of a game.

    :raises BadTable: the number of players or the options do not fit the game.
    """
    seats = module.seat_list(setting.players)
    return seats, start(module, seats, setting.options, Fate(setting.secret(number), 0))


def options_of(move: Move) -> tuple[str, ...]:
    words, lists = _fields(type(move))
    chosen = [(name, getattr(move, name)) for name in words]
    said = "".join(f" {name}={value}" for name, value in chosen if value not in (None, UNSET))
    if not lists:
        return (kind_of(move) + said,)
    # A missing list counts as an empty one.
    given = [(name, value) for name in lists for value in getattr(move, name) or ()]
    return tuple(f"{kind_of(move)} {name}={value}" for name, value in given)


@cache
def _fields(kind: type[Move]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the fields of a move that hold one word, and those that hold any number of words."""
    struct = inspect.type_info(kind)
    assert isinstance(struct, inspect.StructType)
    words = tuple(field.name for field in struct.fields if _is_word(field.type))
    lists = tuple(
        field.name
        for field in struct.fields
        if isinstance(field.type, inspect.VarTupleType) and _is_word(field.type.item_type)
    )
    return words, lists


def _is_word(kind: inspect.Type) -> bool:
    match kind:
        case inspect.BoolType():
            return True
        case inspect.LiteralType(values=values):
            return all(isinstance(value, str) for value in values)
        case inspect.UnionType(types=types):
            # None and UNSET stand for a field that is left out.
            rest = [
                one
                for one in types
                if not isinstance(one, inspect.NoneType) and getattr(one, "cls", None) is not UnsetType
            ]
            return bool(rest) and all(map(_is_word, rest))
    return False


class GameRecord(Struct):
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
        # The outcome's own scores if it has any, else the standing of the game's study.
        if hasattr(outcome, "score"):
            game.scores = {} if outcome.score is None else {key: float(outcome.score) for key in game.bots}
        elif module.study.standing:
            game.scores = dict(module.study.standing(state))
    return game


def _choose(module: AnyModule, setting: RunConfig, game: GameRecord, state: Any, seat: Seat) -> Any:
    legal = module.legal_moves(state, seat)
    choices = Fate(f"choices of {setting.secret(game.number)}", game.moves)
    if setting.openings and kind_of(legal[0]) in module.study.openings:
        move = bots.choose_at_random(legal, choices)
    else:
        move = bots.choose_move(module, game.bots.get(seat, bots.RANDOM), state, seat, choices)
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


def run(
    module: AnyModule, setting: RunConfig, processes: int, told: Callable[[int], object] = lambda done: None
) -> list[GameRecord]:
    """Return the games of a run in their order; ``told`` is called with the number of games so far.

    :param processes: 1 plays all games in this process. More need a registered game, which workers look up.
    :raises BadTable: the number of players or the options do not fit the game.
    """
    games: list[GameRecord] = []
    with _playing(module, setting, processes) as played:
        for game in played:
            games.append(game)
            told(len(games))
    return games


@contextmanager
def _playing(module: AnyModule, setting: RunConfig, processes: int) -> Iterator[Iterator[GameRecord]]:
    numbers = range(1, setting.games + 1)
    if processes == 1:
        yield map(partial(play, module, setting), numbers)
        return
    # A spawned process inherits no open database connection and no held lock of this one.
    with get_context("spawn").Pool(processes) as pool:
        yield pool.imap(partial(_play_there, setting), numbers, CHUNK)


def _play_there(setting: RunConfig, number: int) -> GameRecord:
    return play(registry()[setting.key], setting, number)
