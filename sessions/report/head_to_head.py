"""Head-to-head results of a group of people, from the games that all of them played to the end.

A game that a bot finished for a person does not count for them, as in ``board_games/own_games.py``. Trials,
games of the day and stopped games do not count at all.

The first part only counts wins and losses; there, people are numbers and games are keys.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from companion.models import Person
from sessions.board_games.games import board_games
from sessions.game import GameFailed, Mark
from sessions.live.regions import plain_values, seat_names
from sessions.models import Campaign, Ending, Seat, Table, TableSeat
from sessions.report.session_report import render_highlight
from sessions.table.opening import decode_marks, endings
from sessions.table.slow_tables import game_title

#: The id of a person, which only the caller can resolve.
Who = int
logger = logging.getLogger(__name__)
#: The number of newest games that are counted; older ones are left out.
NEWEST = 300
#: The number of groups that are listed, and of games of one group.
GROUPS, LATEST = 30, 10


@dataclass(frozen=True)
class GameResult:
    """A finished game: the people who played it to the end themselves, and the winners among them."""

    key: str
    people: frozenset[Who]
    winners: frozenset[Who]


@dataclass(frozen=True)
class WinCount:
    played: int
    won: int

    @property
    def share(self) -> int:
        """The wins in a hundred games, rounded."""
        return round(100 * self.won / self.played) if self.played else 0


@dataclass(frozen=True)
class Standing:
    """A person's scores in total and by game, and their current and longest streaks of wins."""

    who: Who
    total: WinCount
    by_game: dict[str, WinCount]
    streak: int
    longest: int


def standings(games: Sequence[GameResult], people: Iterable[Who]) -> list[Standing]:
    """Return the standings of those people who have played, by most wins, then by the best share.

    :param games: the oldest first.
    """
    found = [standing for who in people if (standing := _standing(games, who)).total.played]
    return sorted(found, key=lambda standing: (-standing.total.won, -standing.total.share))


def _standing(games: Sequence[GameResult], who: Who) -> Standing:
    own = [game for game in games if who in game.people]
    keys = dict.fromkeys(game.key for game in own)
    by_game = {key: _score([game for game in own if game.key == key], who) for key in keys}
    streak = longest = 0
    for game in own:
        streak = streak + 1 if who in game.winners else 0
        longest = max(longest, streak)
    return Standing(who, _score(own, who), by_game, streak, longest)


def _score(games: Collection[GameResult], who: Who) -> WinCount:
    return WinCount(len(games), sum(who in game.winners for game in games))


def count_wins_by_pair(games: Iterable[GameResult]) -> Counter[tuple[Who, Who]]:
    """Count by pair the games that the first person won and the second played without winning."""
    return Counter(
        (one, other) for game in games for one in game.winners for other in game.people - game.winners
    )


def opponents_never_beaten(games: Sequence[GameResult], people: Sequence[Who]) -> list[tuple[Who, list[Who]]]:
    """Return the people with opponents whom they met but never beat, and these opponents, in order."""
    met = {pair for game in games for one in game.people for pair in ((one, other) for other in game.people)}
    rest = {(one, other) for one, other in met if one != other} - count_wins_by_pair(games).keys()
    found = [(one, [other for other in people if (one, other) in rest]) for one in people]
    return [(one, others) for one, others in found if others]


@dataclass(frozen=True)
class FinishedGame:
    """One game of a book, with the people who played it to the end: their names then, and their seats."""

    table: int
    session: int
    ended_at: datetime
    thinned: bool
    game: GameResult
    names: dict[Who, str]
    keys: dict[Who, str]
    marks: tuple[Mark, ...]

    @property
    def title(self) -> str:
        return game_title(self.game.key)

    @property
    def address(self) -> str:
        """The URL of its replay, or of the session's report if the table was thinned."""
        if self.thinned:
            return reverse("play:report", args=[self.session])
        return reverse("play:report-replay", args=[self.table])

    @property
    def winners(self) -> list[str]:
        """The names of the people who won; empty if only bots won, or if there was no winner."""
        return [name for who, name in self.names.items() if who in self.game.winners]


@dataclass(frozen=True)
class Group:
    """People who played together, and their newest game without any other people."""

    people: frozenset[Who]
    names: list[str]
    games: int
    newest: FinishedGame


@dataclass(frozen=True)
class Memory:
    title: str
    words: SafeString
    played: FinishedGame


@dataclass(frozen=True)
class GameStandings:
    """The results in one kind of game: the number of games, and people's scores, the most wins first."""

    title: str
    games: int
    scores: list[tuple[str, WinCount]]


@dataclass(frozen=True)
class HeadToHead:
    """The games of a group, the newest first, and their results; ``names`` has each person's newest name.

    ``full`` is True if there may be older games, which are not counted.
    """

    games: list[FinishedGame]
    names: dict[Who, str]
    standings: list[Standing]
    shelves: list[GameStandings]
    full: bool

    @property
    def latest(self) -> list[FinishedGame]:
        return self.games[:LATEST]


def this_year() -> datetime:
    """Return the start of this year in the server's time zone."""
    return timezone.localtime().replace(month=1, day=1, hour=0, minute=0, second=0, microsecond=0)


def people_at(table: Table) -> dict[str, Seat]:
    """Return the seats of the people who played a table to the end themselves, by their keys there."""
    return {sits.key: sits.seat for sits in _sitters([table.pk]).select_related("seat") if sits.seat}


def tables_with_book(seat: Seat) -> set[int]:
    """Return the ids of the tables in a seat's session that count in the books of its person."""
    tables = _finished_by(_counting_tables(), seat.person_id, kept=True).filter(session=seat.session_id)
    return set(tables.values_list("pk", flat=True))


def groups_of(reader: Person) -> list[Group]:
    """Return the groups that a reader played in, those with the most games first."""
    played, _ = _read(_finished_by(_counting_tables(), reader.pk, kept=True))
    newest: dict[frozenset[Who], FinishedGame] = {}
    for one in played:
        if len(one.game.people) > 1:
            newest.setdefault(one.game.people, one)
    found = []
    for people, one in newest.items():
        others = [name for who, name in one.names.items() if who != reader.pk]
        found.append(Group(people, others, sum(people <= other.game.people for other in played), one))
    return sorted(found, key=lambda group: -group.games)[:GROUPS]


def book_of(reader: Person, people: Iterable[Who], since: datetime | None = None) -> HeadToHead:
    """Return the book of a group for one of its people: the games that all of them played to the end."""
    people = sorted(people)
    tables = _finished_by(_counting_tables(since), reader.pk, kept=True)
    for who in people:
        tables = _finished_by(tables, who)
    return _book(*_read(tables), people)


def campaigns_with_games(reader: Person) -> QuerySet[Campaign]:
    """Return the campaigns with board games that a reader runs or has a seat in."""
    seats = Seat.objects.filter(person=reader, removed_at=None)
    known = Campaign.objects.filter(Q(gm=reader) | Q(pk__in=seats.values("session__campaign")))
    return known.filter(pk__in=_counting_tables().values("session__campaign")).order_by("name", "pk")


def book_of_campaign(campaign: Campaign, since: datetime | None = None) -> HeadToHead:
    """Return the book of all people who played against each other in the sessions of a campaign."""
    played, full = _read(_counting_tables(since).filter(session__campaign=campaign))
    played = [one for one in played if len(one.game.people) > 1]
    return _book(played, full, sorted({who for one in played for who in one.game.people}))


def memories(book: HeadToHead) -> list[Memory]:
    """Return the best mark of each kind in the games of a book, and in solitaires of the same sessions."""
    best: dict[tuple[str, str], tuple[Mark, FinishedGame]] = {}
    for one in (*reversed(book.games), *_solitaires(book)):
        for mark in one.marks:
            key = (one.game.key, mark.event.kind)
            if key not in best or mark.rank > best[key][0].rank:
                best[key] = (mark, one)
    tables = Table.objects.in_bulk([one.table for _, one in best.values()])
    told = ((one, _words(tables[one.table], mark)) for mark, one in best.values() if one.table in tables)
    return [Memory(one.title, words, one) for one, words in told if words]


def _words(table: Table, mark: Mark) -> SafeString:
    """Return a mark in the words of its game; empty if the game fails."""
    try:
        return render_highlight(table, mark.event, plain_values(table, None, seat_names(table)))
    except GameFailed as failure:
        logger.exception("a mark of table %s is not told: %s", table.pk, failure)
        return SafeString()


def _solitaires(book: HeadToHead) -> list[FinishedGame]:
    """Return the games that one of the people played alone in the sessions of the book, the oldest first."""
    alone = [key for key, module in board_games().items() if module.seats.stop == 2]
    evenings = {one.session for one in book.games}
    played, _ = _read(_counting_tables().filter(session__in=evenings, module__in=alone))
    return [one for one in reversed(played) if one.game.people <= book.names.keys()]


def _book(played: list[FinishedGame], full: bool, people: Sequence[Who]) -> HeadToHead:
    names: dict[Who, str] = {}
    for one in played:
        names = one.names | names  # the newest name of each
    games = [one.game for one in reversed(played)]
    found = standings(games, people)
    ours = {who: names[who] for who in people if who in names}
    return HeadToHead(played, ours, found, _game_standings(games, found, names), full)


def _game_standings(
    games: Sequence[GameResult], found: Sequence[Standing], names: dict[Who, str]
) -> list[GameStandings]:
    """Return the results in each kind of game, the most played one first."""
    found_games = []
    for key, count in Counter(game.key for game in games).most_common():
        scores = [(names[one.who], one.by_game[key]) for one in found if key in one.by_game]
        scores.sort(key=lambda score: -score[1].won)
        found_games.append(GameStandings(game_title(key), count, scores))
    return found_games


def _counting_tables(since: datetime | None = None) -> QuerySet[Table]:
    tables = Table.objects.filter(
        module__in=board_games(), daily=None, session__trial="", ended_at__isnull=False
    )
    return tables.filter(ended_at__gte=since) if since else tables


def _finished_by(tables: QuerySet[Table], who: Who, *, kept: bool = False) -> QuerySet[Table]:
    """Return the tables that a person played to the end; with ``kept``, only if they still have the seat."""
    own = TableSeat.objects.filter(seat__person=who, bot="")
    return tables.filter(pk__in=(own.filter(seat__removed_at=None) if kept else own).values("table"))


def _sitters(tables: Iterable[int]) -> QuerySet[TableSeat]:
    return TableSeat.objects.filter(table__in=list(tables), bot="", seat__isnull=False)


def _read(tables: QuerySet[Table]) -> tuple[list[FinishedGame], bool]:
    """Return the newest finished games, the newest first, and whether there may be more."""
    rows = tables.order_by("-ended_at", "-pk").annotate(thinned=Q(told__isnull=False))
    found = list(rows.only("module", "session", "ended_at", "version")[:NEWEST])
    known = {pk: ending for pk, ending in endings(found).items() if ending.winners is not None}
    sitting = defaultdict[int, list[TableSeat]](list)
    for sits in _sitters(known).select_related("seat").only("table", "key", "seat__person", "seat__name"):
        sitting[sits.table_id].append(sits)
    played = [
        _finished_game(table, known[table.pk], sitting[table.pk]) for table in found if table.pk in sitting
    ]
    return played, len(found) == NEWEST


def _finished_game(table: Any, ending: Ending, sitting: list[TableSeat]) -> FinishedGame:
    people = {sits.seat.person_id: sits for sits in sorted(sitting, key=attrgetter("seat_id")) if sits.seat}
    winners = frozenset(who for who, sits in people.items() if sits.key in (ending.winners or ()))
    return FinishedGame(
        table=table.pk,
        session=table.session_id,
        ended_at=table.ended_at,
        thinned=table.thinned,
        game=GameResult(table.module, frozenset(people), winners),
        names={who: sits.name for who, sits in people.items()},
        keys={who: sits.key for who, sits in people.items()},
        marks=decode_marks(ending),
    )
