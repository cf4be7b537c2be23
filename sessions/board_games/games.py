"""Actions on a board game: open it, give seats to bots and back, replace a bot, stop it, play a rematch.

A first game is a newcomer's first five minutes with a game, against scripted bots, with a fixed deal. Each
is in a session of its own, which is deleted like other unused guest sessions (free_sessions.py). A finished
game may be rewarded in its campaign, by experience points and a handout.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db import transaction

from characters.models import LedgerEntry
from characters.services import experience
from companion import shared_time
from companion.models import Person
from sessions import access
from sessions.engine import bots
from sessions.engine.registry import registry
from sessions.evening import announcements, free_sessions, handouts, presence
from sessions.evening.refusals import Refused
from sessions.evening.shares import SecretParts
from sessions.game import AnyModule, GameFailed
from sessions.models import Handout, Role, Seat, SeatNote, Session, Table, TableSeat, Trial
from sessions.table import replay
from sessions.table.commit import lock_table
from sessions.table.opening import Sitter, open_table
from sessions.table.slow_tables import table_title

Kind = SeatNote.SeatNoteKind
REWARD_POINTS_AT_MOST = 99


def board_games() -> dict[str, AnyModule]:
    """Return the modules that are board games (those without a GM), by key."""
    return {key: module for key, module in registry().items() if not module.gm}


def let_players_open(*, session: Session, allowed: bool) -> None:
    Session.objects.filter(pk=session.pk).update(players_open=allowed)
    announcements.broadcast(session.pk)


def manages(seat: Seat, table: Table) -> bool:
    """True if ``seat`` may manage the seats of a board game: it runs the session, or opened the game."""
    return not _has_gm(table) and (access.runs_session(seat) or table.opened_by_id == seat.pk)


def misses_owner_of(seat: Seat, sits: TableSeat) -> bool:
    """True if ``seat`` plays at the table of ``sits``, whose owner's phone is silent and has no stand-in.

    Always False at a slow table, where players come when they like.
    """
    table, owner = sits.table, sits.seat
    if owner is None or owner.stand_in_id or table.is_slow or table.sitter(seat) is None:
        return False
    return presence.seat_presences([owner.pk])[owner.pk].missed != ""


def candidates(session: Session, module: AnyModule, opener: Seat) -> list[tuple[Seat, bool]]:
    """Return the seats that could join a new game, each with True if the form preselects it.

    Preselected are the players who are present, or all players if none is, as many as fit. The GM comes last,
    and is preselected only if there are too few players.
    """
    seats = list(session.seats.filter(removed_at=None).order_by("joined_at", "pk"))
    presences = presence.seat_presences(seat.pk for seat in seats)
    here = {opener.pk, *(pk for pk, known in presences.items() if known.state == "here")}
    ranks = {Role.PLAYER: 0, Role.SPECTATOR: 1, Role.GM: 2}
    seats.sort(key=lambda seat: (ranks[Role(seat.role)], seat.pk != opener.pk))
    likely = [seat for seat in seats if seat.role == Role.PLAYER and seat.pk in here]
    likely = likely or [seat for seat in seats if seat.role == Role.PLAYER]
    if len(likely) < module.seats.start:
        likely += [seat for seat in seats if seat.is_gm]
    chosen = {seat.pk for seat in likely[: module.seats.stop - 1]}
    return [(seat, seat.pk in chosen) for seat in seats]


@dataclass(frozen=True, kw_only=True)
class GameChoices:
    options: Mapping[str, Any] = field(default_factory=dict)
    #: The kind of the bots, and their number.
    bot: str = ""
    bot_count: int = 0
    #: Seconds for an answer, 0 for no clock.
    clock: int = 0
    #: True for today's shared deal, with the game's default options. Only the first player plays it, with as
    #: many of its usual bots as it needs.
    of_the_day: bool = False


def open_game(
    *, key: str, opener: Seat, players: list[Seat], choices: GameChoices, chance: SecretParts | None = None
) -> Table:
    """Open a board game in the session of its opener, for these players in this order, followed by bots.

    :raises Refused: as ``open_table``; ``nobody_plays`` if there are only bots.
    """
    module, daily = board_games().get(key), choices.of_the_day
    if module is None or (daily and not module.tables.daily):
        raise Refused("no_such_module")
    if not players:
        raise Refused("nobody_plays")
    sitters = [Sitter(seat) for seat in players] + [Sitter(None, choices.bot)] * choices.bot_count
    if daily:
        sitters = [Sitter(players[0]), *[Sitter(None, bots.default_kind(module))] * (module.seats.start - 1)]
    return open_table(
        session=opener.session,
        module_key=key,
        players=sitters,
        options={} if daily else choices.options,
        opened_by=opener,
        day=replay.local_date() if daily else None,
        chance=chance,
        clock=choices.clock,
    )


def rematch(*, table: Table, by: Seat, chance: SecretParts | None = None) -> Table:
    """Open a rematch with the same seats, bots, options and clock; the next player in turn order begins.

    The rematch of a game of the day is today's game, with the same seating order. A second call returns the
    rematch that the first one opened.

    :raises Refused: ``still_running``; as ``open_table``.
    """
    with transaction.atomic():
        table = _lock_board_game(table)
        if again := Table.objects.filter(rematch_of=table).first():
            return again
        if table.ended_at is None:
            raise Refused("still_running")
        sitters = []
        for sits in table.table_seats.select_related("seat"):
            seat = sits.seat if sits.seat and not sits.seat.removed_at else None
            sitters.append(Sitter(seat, sits.bot or ("" if seat else _best_bot(table))))
        first, *rest = sitters
        return open_table(
            session=table.session,
            module_key=table.module,
            players=[first, *rest] if table.daily else [*rest, first],
            options=table.options,
            opened_by=by,
            rematch_of=table,
            day=replay.local_date() if table.daily else None,
            chance=chance,
            clock=table.clock,
        )


def may_begin_again(table: Table) -> bool:
    """True if the game is over and has no rematch yet; False for a game of the day, whose deal is fixed."""
    return bool(table.ended_at and not table.daily and not Table.objects.filter(rematch_of=table).exists())


def hand_to_bot(*, table: Table, key: str, by: str = "") -> None:
    """Let a bot play a person's seat until it is taken back. The seat still belongs to the person.

    :param by: the name of the person who decided it, if it was not the seat's owner.
    :raises Refused: ``no_such_seat``, ``table_over``.
    """
    with transaction.atomic():
        sits = _running_seat(table, key)
        if sits.seat is None or sits.bot:
            raise Refused("no_such_seat")
        _reseat(sits, Kind.BOT_PLAYS, bot=_best_bot(sits.table), by=by)


def let_bots_play_on(*, seat: Seat) -> None:
    """Let bots play a seat in all its running games, so that the other players need not wait."""
    for sits in seat.table_seats.filter(table__ended_at=None, bot="").select_related("table"):
        if bots.kinds(registry()[sits.table.module]):
            hand_to_bot(table=sits.table, key=sits.key)


def take_from_bot(*, table: Table, key: str) -> None:
    """Give a seat back to its person, for whom a bot has played it.

    :raises Refused: ``no_such_seat``, ``table_over``.
    """
    with transaction.atomic():
        sits = _running_seat(table, key)
        if sits.seat is None or not sits.bot:
            raise Refused("no_such_seat")
        _reseat(sits, Kind.BOT_LEFT, bot="")


def replace_bot(*, table: Table, key: str, newcomer: Seat) -> None:
    """Seat a latecomer in place of a bot that has a seat of its own; they take over its hand and position.

    :raises Refused: ``no_such_seat``, ``seated_here``, ``table_over``.
    """
    with transaction.atomic():
        sits = _running_seat(table, key)
        if sits.seat or newcomer.removed_at or newcomer.session_id != sits.table.session_id:
            raise Refused("no_such_seat")
        if sits.table.table_seats.filter(seat=newcomer).exists():
            raise Refused("seated_here")
        sits.delete()
        # The new row's new id shows the newcomer's page that it belongs to a seat of the table now.
        new = TableSeat.objects.create(table=sits.table, key=key, seat=newcomer)
        _reseat(new, Kind.BOT_REPLACED, bot="", by=key[1:])


def stop_game(*, table: Table, by: Seat) -> None:
    """End a board game without a result.

    :raises Refused: ``table_over``.
    """
    with transaction.atomic():
        table = _running(table)
        table.ended_at = shared_time.now()
        table.save(update_fields=["ended_at"])
        announcements.add_seat_note(Kind.TABLE_STOPPED, by)


def _reseat(sits: TableSeat, kind: str, *, bot: str, by: str = "") -> None:
    assert sits.seat
    sits.bot = bot
    sits.save(update_fields=["bot"])
    announcements.add_seat_note(kind, sits.seat, by)


def _running_seat(table: Table, key: str) -> TableSeat:
    sits = _running(table).table_seats.select_related("seat", "table").filter(key=key).first()
    if sits is None:
        raise Refused("no_such_seat")
    return sits


def _running(table: Table) -> Table:
    table = _lock_board_game(table)
    if table.ended_at or table.session.ended_at:
        raise Refused("table_over")
    return table


def _lock_board_game(table: Table) -> Table:
    table = lock_table(table.pk)
    if _has_gm(table):
        raise Refused("no_such_module")
    return table


def _has_gm(table: Table) -> bool:
    """True if a GM sits at a table; a game that is not installed counts as a board game: it can be ended."""
    return table.module in registry() and registry()[table.module].gm


def _best_bot(table: Table) -> str:
    return bots.kinds(registry()[table.module])[0]


@dataclass(frozen=True)
class RunningTable:
    """A running table of the session, with the reader's own seat there, if any."""

    table: Table
    sits: TableSeat | None
    number: int  # among the running tables of the same game; 0 if there is no other

    @cached_property
    def waits_for_reader(self) -> bool:
        """True if the table waits for the reader; the game is asked only where a template shows it."""
        return _waits_for(self.table, self.sits)


def running_tables(session: Session, seat: Seat | None) -> list[RunningTable]:
    if session.ended_at:
        return []
    running = session.running
    sitting = {
        sits.table_id: sits for sits in TableSeat.of_session(session) if seat and sits.seat_id == seat.pk
    }
    alike = {key: [t.pk for t in running if t.module == key] for key in {t.module for t in running}}
    return [
        RunningTable(
            table,
            sitting.get(table.pk),
            number=alike[table.module].index(table.pk) + 1 if len(alike[table.module]) > 1 else 0,
        )
        for table in running
    ]


def _waits_for(table: Table, sits: TableSeat | None) -> bool:
    if sits is None or sits.bot or not table.has_its_game:
        return False
    module = registry()[table.module]
    try:
        return sits.key in module.waiting_for(module.load(bytes(table.snapshot)))
    except GameFailed:
        return False  # The table's own page reports the failure.


def first_game_going_on(person: Person | None, key: str) -> Table | None:
    return free_sessions.unfinished_game(person, key, Trial.FIRST_GAME)


def is_new_to(person: Person | None, key: str) -> bool:
    return not TableSeat.objects.filter(seat__person=person or 0, table__module=key).exists()


@transaction.atomic
def begin_first_game(person: Person, module: AnyModule) -> Table:
    """Open the first game of a board game for a person, and deal; any earlier first game is deleted."""
    first, seat = module.first_game, free_sessions.open_first_game(person)
    assert first
    return open_table(
        session=seat.session,
        module_key=module.key,
        players=[Sitter(seat), *[Sitter(None, bots.SCRIPT)] * (first.players - 1)],
        options=first.options,
        opened_by=seat,
        chance=SecretParts("", bots.first_game_secret(module)),
    )


def first_game_end(table: Table) -> str:
    """Return the name of a first game's own end, if it has reached one; otherwise ""."""
    module = registry()[table.module]
    if module.first_game is None or table.session.trial != Trial.FIRST_GAME:
        return ""
    return module.first_game.ends(module.load(bytes(table.snapshot)))


def rewardable_seats(table: Table) -> list[Seat]:
    """Return the seats that can get a reward: all of the session but the GM's, the table's own first."""
    here = set(table.table_seats.values_list("seat_id", flat=True))
    seats = table.session.seats.filter(removed_at=None).exclude(role=Role.GM).select_related("character")
    return sorted(seats, key=lambda seat: (seat.pk not in here, seat.pk))


def rewarded_characters(table: Table) -> set[int]:
    return set(LedgerEntry.objects.filter(source=_source(table)).values_list("character_id", flat=True))


@transaction.atomic
def reward_seats(
    *, table: Table, seats: Iterable[Seat], points: int, handout: Handout | None, by: Person | None
) -> None:
    """Give points to the characters of these seats, and hand these seats a handout.

    A seat without a finished character gets no points. No character gets points from one table twice.
    """
    seats, had = list(seats), rewarded_characters(table)
    for seat in seats:
        character = seat.character
        if points and character and character.is_done and character.pk not in had:
            experience.give_points(
                character=character,
                points=points,
                title=table_title(table),
                campaign=table.session.own_campaign.name,
                source=_source(table),
                by=by,
            )
    if handout:
        handouts.give_handout(handout=handout, session=table.session, seats=seats)


def _source(table: Table) -> str:
    return f"table:{table.pk}"
