"""The running board games of a person in all sessions, and whose turn it is there."""

from __future__ import annotations

from dataclasses import dataclass

from companion.models import Person
from sessions.board_games.games import board_games
from sessions.engine.shelf import registry
from sessions.game import GameFailed
from sessions.models import Table, TableSeat
from sessions.table import clock, looks, silence

#: The number of games that are listed, the newest ones.
OWN_GAMES_AT_MOST = 12


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
        waited = looks.waiting(table, state)
    except GameFailed:
        return None
    in_window = silence.can_answer_by_silence(module, state, waited)
    others = {sits.key: sits.name for sits in table.sitters if sits.key != own.key}
    return OwnGame(
        table,
        is_mine=own.key in waited and not own.bot,
        others=list(others.values()),
        waited=[others[key] for key in waited if key in others and not in_window],
        left=clock.seconds_left(table, clock.since(table)) if clock.runs(table) else None,
    )
