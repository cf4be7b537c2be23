"""A person's own board games: the running ones, and their results. Only they see them.

The results are the record of games and wins, and the scores in a game that has a game of the day: by day,
and the best.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import msgspec
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from companion.models import Person
from sessions.board_games.games import board_games
from sessions.engine.registry import registry
from sessions.game import AnyModule, GameFailed
from sessions.models import Move, Table, TableSeat
from sessions.table import bots, clock, replay, seat_view

#: The number of games that are listed, the newest ones.
OWN_GAMES_AT_MOST = 12
#: The number of games that count, the newest ones. Each one's end state is read, so there is a limit.
COUNTED = 50
#: The number of best scores that are listed, and of days in the curve.
LISTED, DAYS = 5, 30


@dataclass(frozen=True)
class OwnGame:
    """A running board game of a person.

    ``others`` are the names of the other players, ``waited`` of those that the game waits for. During a
    reaction timeout ``waited`` is empty, as it would reveal who has passed. ``left`` are the seconds on the
    clock, None without one.
    """

    table: Table
    is_mine: bool
    others: list[str]
    waited: list[str]
    left: float | None


def own_games(person: Person) -> list[OwnGame]:
    """Return a person's running board games with other people: first those that wait for this person.

    Within both groups the one with the least time left comes first.
    """
    sits = TableSeat.objects.filter(
        seat__person=person,
        seat__removed_at=None,
        table__ended_at=None,
        table__session__ended_at=None,
        table__session__trial="",
        table__module__in=list(board_games()),
    )
    others = TableSeat.objects.exclude(seat__person=person).filter(seat__isnull=False)
    sits = sits.filter(table__in=others.values("table")).select_related("table__session")
    found = [game for own in sits.order_by("-table")[:OWN_GAMES_AT_MOST] if (game := _own_game(own))]
    return sorted(
        found, key=lambda game: (not game.is_mine, game.left is None, game.left or 0, -game.table.pk)
    )


def _own_game(own: TableSeat) -> OwnGame | None:
    """Return a seat's game for its person's list; None if the game fails, which its own page reports."""
    table = own.table
    try:
        module = registry()[table.module]
        state = module.load(bytes(table.snapshot))
        waited = seat_view.awaited_seats(table, state)
    except GameFailed:
        return None
    in_window = bots.can_answer_by_silence(module, state, waited)
    others = {sits.key: sits.name for sits in table.sitters if sits.key != own.key}
    return OwnGame(
        table,
        is_mine=own.key in waited and not own.bot,
        others=list(others.values()),
        waited=[others[key] for key in waited if key in others and not in_window],
        left=clock.seconds_left(table, clock.clock_start(table)) if clock.is_running(table) else None,
    )


@dataclass(frozen=True)
class Record:
    """The number of finished games, the wins among them, and whether this table was a win."""

    played: int
    won: int
    won_this: bool


def record(person: Person, table: Table) -> Record | None:
    """Return a person's record in the game of a finished table; None if the table does not count.

    Tables that were stopped, that a bot finished for the person, or of trial sessions do not count.
    """
    own = TableSeat.objects.filter(seat__person=person, bot="", table__module=table.module)
    own = own.filter(table__session__trial="")
    ended = own.exclude(table__ended_at=None).select_related("table").order_by("-table__ended_at", "-pk")
    module, wins = registry()[table.module], {}
    for sits in ended[:COUNTED]:
        if outcome := module.outcome(module.load(bytes(sits.table.snapshot))):
            wins[sits.table_id] = sits.key in outcome.winners
    if table.pk not in wins:
        return None
    return Record(len(wins), sum(wins.values()), wins[table.pk])


@dataclass(frozen=True)
class TableScore:
    """The result of one table."""

    table: int
    points: int | None  # None for a lost game, if lost games have no score
    day: date  # that of a game of the day (``daily``), else the day on which the table ended
    daily: bool


@dataclass(frozen=True)
class Bar:
    place: int
    points: int
    most: int
    is_now: bool

    @property
    def x(self) -> int:
        return 6 * self.place + 1

    @property
    def height(self) -> int:
        return max(2, round(38 * self.points / self.most))

    @property
    def y(self) -> int:
        return 40 - self.height

    @property
    def kind(self) -> str:
        if not self.points:
            return "lost"
        return "now" if self.is_now else "won"


@dataclass(frozen=True)
class Bests:
    """The best scores, and the score of each day that was played.

    Only the first finished game of a day counts: after it the player knows the deal.
    """

    ever: list[TableScore]
    #: The counted score of each day.
    days: dict[date, TableScore]

    @property
    def today(self) -> TableScore | None:
        return self.days.get(replay.local_date())

    @property
    def streak(self) -> int:
        """The number of days in a row that were played, up to today, or to yesterday if today was not yet."""
        day = replay.local_date()
        if day not in self.days:
            day -= timedelta(days=1)
        count = 0
        while day - timedelta(days=count) in self.days:
            count += 1
        return count

    @property
    def curve(self) -> list[tuple[date, TableScore | None]]:
        """The scores of the last days, oldest first; None for a day that was not played."""
        today = replay.local_date()
        days = [today - timedelta(days=ago) for ago in reversed(range(DAYS))]
        return [(day, self.days.get(day)) for day in days]

    @property
    def bars(self) -> list[Bar]:
        """The curve as bars in a chart of 180 by 44 units; a game without points has a bar of 2 units."""
        most = max((score.points or 0 for score in self.days.values()), default=0) or 1
        return [
            Bar(place, score.points or 0, most, is_now=day == replay.local_date())
            for place, (day, score) in enumerate(self.curve)
            if score
        ]


def scored_tables_query(modules: Mapping[str, AnyModule]) -> Q:
    """Match the tables whose scores count: games of the day, and all tables of a solitaire that has one."""
    return Q(daily__isnull=False) | Q(
        module__in=[key for key, module in modules.items() if _is_solitaire(module)]
    )


def bests(person: Person, module_key: str) -> Bests:
    """Return a person's scores in a game.

    Tables with other than the default options, or where a bot moved for the person, do not count.
    """
    module = registry()[module_key]
    ended = Table.objects.filter(
        scored_tables_query({module_key: module}), module=module_key, ended_at__isnull=False
    )
    own = TableSeat.objects.filter(seat__person=person, bot="", table__in=ended.filter(session__trial=""))
    by_bot = Move.objects.filter(table=OuterRef("table"), seat=OuterRef("key")).exclude(bot="")
    others = TableSeat.objects.filter(table=OuterRef("table"), seat__isnull=False).exclude(pk=OuterRef("pk"))
    own = own.exclude(Exists(by_bot)).exclude(Q(table__daily__isnull=False) & Exists(others))
    rows = own.select_related("table").order_by("table__ended_at", "table")
    results = [result for sits in rows if (result := _result(module, sits))]
    # After a rewind to before the first move the player gets other cards than everybody else on that day.
    tables = [result.table for result in results if result.daily]
    otherwise = set(Move.objects.filter(table__in=tables, restores=0).values_list("table", flat=True))
    of_a_day = [result for result in results if result.daily and result.table not in otherwise]
    firsts = {result.day: result for result in reversed(of_a_day)}
    own_deals = {result.table for result in results if not result.daily} | otherwise
    counted = {result.table for result in firsts.values()} | (own_deals if _is_solitaire(module) else set())
    won = [result for result in results if result.table in counted and result.points is not None]
    # The sorting is stable: of equal scores the earlier one comes first.
    return Bests(ever=sorted(won, key=lambda one: -(one.points or 0))[:LISTED], days=firsts)


def _is_solitaire(module: AnyModule) -> bool:
    return module.tables.daily and max(module.seats) == 1


def _result(module: AnyModule, sits: TableSeat) -> TableScore | None:
    """Return the score of a seat; None if its table was stopped, or had other than the default options."""
    table = sits.table
    if msgspec.convert(table.options, module.options) != module.options():
        return None
    state = module.load(bytes(table.snapshot))
    if module.outcome(state) is None or table.ended_at is None:
        return None
    day = table.daily or timezone.localdate(table.ended_at)
    return TableScore(table.pk, points_of(module, state, sits.key), day, daily=table.daily is not None)


def points_of(module: AnyModule, state: Any, seat: str) -> int | None:
    """Return the score of a seat at the end of a game; None if this end has no score."""
    outcome: Any = module.outcome(state)
    points: int | None = module.tables.score(state, seat) if module.tables.score else outcome.score
    return points
