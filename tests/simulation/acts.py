"""What people do in an evening besides moves, as the views do it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404

from sessions import access
from sessions.board_games import games
from sessions.card_table import gm_moves
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import announcements, nights, shared_clocks, stand_ins
from sessions.evening.refusals import Refused
from sessions.game import IllegalMove
from sessions.models import Campaign, Role, Seat, Session, SharedClock, Table
from sessions.scenarios import staging
from sessions.scenarios.document import CutIn, ScenarioScene, Unfit, things
from sessions.scenarios.editing import document_of
from sessions.table import log, moves
from tests.simulation.threads import Hop

T = TypeVar("T")
#: The answers of a verb that did nothing.
REFUSALS = (IllegalMove, Refused, Unfit, ObjectDoesNotExist, Http404)


def rewind(table: Table, chance: Random) -> object:
    to = max(0, table.version - chance.randint(1, 4))
    return moves.rewind(table_pk=table.pk, to=to, reason="", version=table.version)


def hit_points(table: Table, chance: Random) -> object:
    if registry()[table.module].sheets is None:
        return None
    by = chance.choice([-1, 0, 1])
    who = chance.choice([sits.key for sits in table.sitters if sits.key != "gm"])
    return gm_moves.set_figure_hp(table_pk=table.pk, who=who, change=lambda hp: max(0, hp + by), by=None)


def admit(table: Table, chance: Random) -> object:
    late = _seat(table, "P" + str(len(table.opening_seats)))
    return gm_moves.admit(table_pk=table.pk, newcomer=late) if registry()[table.module].sheets else None


def peek(table: Table, chance: Random) -> object:
    return gm_moves.peek(table_pk=table.pk, key=chance.choice(table.sitters).key)


def stand_in(table: Table, chance: Random) -> object:
    seats = [sits.seat for sits in table.sitters if sits.seat]
    seat, other = chance.choice(seats), chance.choice(seats)
    return stand_ins.let_stand_in(seat=seat, stand_in=other)


def take_back_seat(table: Table, chance: Random) -> object:
    seats = [sits.seat for sits in table.sitters if sits.seat]
    return stand_ins.end_stand_in(seat=chance.choice(seats))


def house_rule(table: Table, chance: Random) -> object:
    Campaign.objects.filter(sessions=table.session_id).update(grace=chance.random() < 0.8)
    return announcements.broadcast(table.session_id)


def bot(table: Table, chance: Random) -> object:
    module = registry()[table.module]
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
    if registry()[table.module].gm:
        return None
    return games.stop_game(table=table, by=table.session.seats.get(role=Role.GM))


def end_night(table: Table, chance: Random) -> object:
    _intend("end night")
    return nights.close_session(session=Session.objects.get(pk=table.session_id))


def deputy(table: Table, chance: Random) -> object:
    """Let a deputy run the session beside the GM, or end that."""
    seat, takes_over = _seat(table, "P1"), chance.random() < 0.7
    stand_ins.set_deputy(seat=seat, deputy=takes_over)
    seat.refresh_from_db()
    gm = table.session.seats.get(role=Role.GM)
    return stand_ins.let_stand_in(seat=gm, stand_in=seat) if takes_over else None


def lay_clock(table: Table, chance: Random) -> object:
    _intend("lay clock")
    clock = SharedClock(name="Alarm", segments=4)
    return shared_clocks.add_clock(session=_run_by(table, chance), clock=clock)


def turn_clock(table: Table, chance: Random) -> object:
    clock, by = _clock(table, chance), chance.choice([1, 1, -1])
    _intend("turn clock", clock.pk, by)
    return shared_clocks.fill_segments(clock=clock, by=by)


def take_clock(table: Table, chance: Random) -> object:
    clock = _clock(table, chance)
    _intend("take clock", clock.pk)
    return shared_clocks.remove_clock(clock=clock)


def scenario(table: Table, chance: Random) -> object:
    session = _run_by(table, chance)
    _intend("scenario")
    return staging.choose_scenario(session=session, scenario=session.own_campaign.gm.scenarios.get())


def scene(table: Table, chance: Random) -> object:
    session, chosen = _run_by(table, chance), chance.choice(_things(table, ScenarioScene))
    _intend("scene", chosen.id, chosen.title)
    return staging.show_scene(session=session, scene_id=chosen.id)


def no_scene(table: Table, chance: Random) -> object:
    session = _run_by(table, chance)
    _intend("no scene")
    return staging.clear_stage(session=session)


def cut_in(table: Table, chance: Random) -> object:
    session, chosen = _run_by(table, chance), chance.choice(_things(table, CutIn))
    _intend("cut in", chosen.words)
    return staging.show_cut_in(session=session, cut_in_id=chosen.id)


def read_log(table: Table, seat: str | None) -> bytes:
    """Return the newest page of the log as one seat reads it."""
    page = log.read_page(table, seat)
    return encode([(line.number, line.index, line.event, line.taken_back) for line in page.lines])


def _seat(table: Table, name: str) -> Seat:
    return Seat.objects.get(session=table.session_id, name=name)


def _run_by(table: Table, chance: Random) -> Session:
    """Return the session as its GM's devices have it, or the device of the deputy who took over."""
    gm = table.session.seats.get(role=Role.GM)
    return access.gm_seat(chance.choice([gm, gm.stand_in or gm]).person, table.session_id).session


def _clock(table: Table, chance: Random) -> SharedClock:
    clocks = list(_run_by(table, chance).clocks.all())
    if not clocks:
        raise Http404
    return chance.choice(clocks)


def _things(table: Table, kind: type[T]) -> list[T]:
    """Return the things of a kind in the GM's scenario."""
    document = document_of(table.session.own_campaign.gm.scenarios.get())
    return [thing for thing in things(document) if isinstance(thing, kind)]


def _intend(*intent: Any) -> None:
    """Tell the witness what the next commit here is to bring."""
    assert Hop.current
    Hop.current.intent = intent


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
    "deputy": deputy,
    "lay clock": lay_clock,
    "turn clock": turn_clock,
    "take clock": take_clock,
    "scenario": scenario,
    "scene": scene,
    "no scene": no_scene,
    "cut in": cut_in,
}
