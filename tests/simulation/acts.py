"""What people do in an evening besides moves, as the views do it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from sessions.board_games import games
from sessions.engine.shelf import shelf
from sessions.engine.step import encode
from sessions.evening import announcing, nights, stand_ins
from sessions.evening.refusals import Refused
from sessions.game import IllegalMove
from sessions.models import Campaign, Role, Seat, Session, Table
from sessions.table import log, moves

#: The answers of a verb that did nothing.
REFUSALS = (IllegalMove, Refused, Seat.DoesNotExist)


def rewind(table: Table, chance: Random) -> object:
    to = max(0, table.version - chance.randint(1, 4))
    return moves.rewind(table_pk=table.pk, to=to, reason="", version=table.version)


def hit_points(table: Table, chance: Random) -> object:
    if shelf()[table.module].sheets is None:
        return None
    by = chance.choice([-1, 0, 1])
    who = chance.choice([sits.key for sits in table.sitters if sits.key != "gm"])
    return moves.write_hp(table_pk=table.pk, who=who, change=lambda hp: max(0, hp + by), by=None)


def admit(table: Table, chance: Random) -> object:
    late = _seat(table, "P" + str(len(table.opening_seats)))
    return moves.admit(table_pk=table.pk, newcomer=late) if shelf()[table.module].sheets else None


def peek(table: Table, chance: Random) -> object:
    return moves.peek(table_pk=table.pk, key=chance.choice(table.sitters).key)


def stand_in(table: Table, chance: Random) -> object:
    seats = [sits.seat for sits in table.sitters if sits.seat]
    seat, other = chance.choice(seats), chance.choice(seats)
    return stand_ins.let_stand_in(seat=seat, stand_in=other)


def take_back_seat(table: Table, chance: Random) -> object:
    seats = [sits.seat for sits in table.sitters if sits.seat]
    return stand_ins.take_back(seat=chance.choice(seats))


def house_rule(table: Table, chance: Random) -> object:
    Campaign.objects.filter(sessions=table.session_id).update(grace=chance.random() < 0.8)
    return announcing.announce(table.session_id)


def bot(table: Table, chance: Random) -> object:
    module = shelf()[table.module]
    # Mostly somebody who is about to move.
    awaited = sorted(module.waiting_for(module.load(bytes(table.snapshot))))
    keys = awaited if awaited and chance.random() < 0.7 else [sits.key for sits in table.sitters]
    return games.hand_to_bot(table=table, key=chance.choice(keys))


def no_bot(table: Table, chance: Random) -> object:
    lent = [sits.key for sits in table.sitters if sits.bot]
    return games.take_from_bot(table=table, key=chance.choice(lent)) if lent else None


def remove(table: Table, chance: Random) -> object:
    return nights.remove_seat(seat=_seat(table, "P2"))


def restore(table: Table, chance: Random) -> object:
    gone = Seat.objects.filter(session=table.session_id).exclude(removed_at=None).first()
    return nights.restore_seat(seat=gone) if gone else None


def stop(table: Table, chance: Random) -> object:
    if shelf()[table.module].gm:
        return None
    return games.stop(table=table, by=table.session.seats.get(role=Role.GM))


def end_night(table: Table, chance: Random) -> object:
    return nights.close_session(session=Session.objects.get(pk=table.session_id))


def read_log(table: Table, seat: str | None) -> bytes:
    """Return the newest page of the log as one seat reads it."""
    page = log.page_of(table, seat)
    return encode([(line.number, line.index, line.event, line.taken_back) for line in page.lines])


def _seat(table: Table, name: str) -> Seat:
    return Seat.objects.get(session=table.session_id, name=name)


Act = Callable[[Table, Random], Any]
ACTS: dict[str, Act] = {
    "rewind": rewind,
    "hit points": hit_points,
    "admit": admit,
    "peek": peek,
    "stand in": stand_in,
    "take back seat": take_back_seat,
    "house rule": house_rule,
    "bot": bot,
    "no bot": no_bot,
    "remove": remove,
    "restore": restore,
    "stop": stop,
    "end night": end_night,
}
