"""Milestones save time and change nothing: every version is as the log gives it, also after undos."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from itertools import islice
from random import Random
from typing import Any

import msgspec
import pytest

from companion.models import Person
from companion.requests.queue import JOB, ClientGone, Job
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.engine.undo import SPAN, History, checkpoints_due
from sessions.evening import nights
from sessions.game import IllegalMove, kind_of
from sessions.models import Campaign, Milestone, Move, Session, Table
from sessions.table import log, moves, opening, replay, seat_view, table_cache
from tests.bench import scripts
from tests.bench.lay_out import advance
from tests.conftest import Somebody
from tests.evening import play, sit

#: How long the games are that are looked at here, and those that "make test-long" looks at.
MOVES, MANY = SPAN + 8, 8 * SPAN
DECLARE = '{"type": "declare", "text": "聞き耳を立てる"}'.encode()


def back_to(number: int) -> bytes:
    return encode({"type": "rewind", "to": number})


def random_log(rng: Random, rows: int) -> dict[int, int]:
    """A log with undos and now and then a long rewind, as an attacker would make it."""
    restored: dict[int, int] = {}
    for number in range(1, rows + 1):
        standing = list(History(number - 1, restored).standing())
        if standing and rng.random() < 0.4:
            restored[number] = rng.choice([*standing[1 : rng.choice([2, SPAN, rows])], 0])
    return restored


@pytest.mark.parametrize("seed", range(20))
def test_every_version_of_a_log_is_a_few_moves_after_a_checkpoint(seed: int) -> None:
    restored = random_log(Random(seed), 300)
    kept = {0}.union(*(checkpoints_due(number, restored.get(number, number)) for number in range(1, 301)))
    for version in range(301):
        history = History(version, restored)
        legs = list(history.legs())
        moves = [number for leg in legs for number in reversed(leg.moves)]
        assert moves == list(history.standing())
        assert max(len(leg.moves) for leg in legs) <= SPAN
        assert {leg.checkpoint for leg in legs} <= kept
        standing = set(moves)
        assert [n for n in range(303) if history.stands(n)] == sorted(standing)


def played(table: Table, rng: Random, count: int) -> list[bytes]:
    """Play legal moves, undos and rewinds at random; return the table's snapshot at each version."""
    module, snapshots = registry()[table.module], [bytes(table.snapshot)]
    while len(snapshots) <= count:
        table.refresh_from_db()
        state = module.load(bytes(table.snapshot))
        standing = list(replay.move_history(table, table.version).standing())
        if module.outcome(state) or (standing and rng.random() < 0.05):
            to = rng.choice(standing[1 : rng.choice([3, 12])] or [0])
            moves.rewind(table_pk=table.pk, to=to, reason="", version=table.version)
        elif (seat := seat_view.undoable_seat(table)) and rng.random() < 0.3:
            play(table, seat, b'{"type": "undo"}')
        else:
            able = [seat for seat in state.seats if module.legal_moves(state, seat)]
            waited = [seat for seat in able if seat in module.waiting_for(state)]
            seat = rng.choice(waited if waited and rng.random() < 0.9 else able)
            legal = module.legal_moves(state, seat)
            playing = [move for move in legal if kind_of(move) not in ("end", "concede")]
            play(table, seat, encode(rng.choice(playing or legal)))
        table.refresh_from_db()
        snapshots.append(bytes(table.snapshot))
    return snapshots


def table_of(key: str, gm: Person) -> Table:
    session = nights.open_session(campaign=Campaign.objects.create(gm=gm, name="x"), title="x")
    seats = registry()[key].seats
    people = [Person.objects.create(name=f"人{n}") for n in range(min(seats.start + 1, seats.stop - 1))]
    return opening.open_table(
        session=session, module_key=key, players=[sit(session, person) for person in people]
    )


@pytest.mark.django_db
@pytest.mark.parametrize("key", registry())
@pytest.mark.parametrize("count", [MOVES, pytest.param(MANY, marks=pytest.mark.long)])
def test_replays_with_and_without_checkpoints_give_the_played_snapshots(
    key: str, count: int, gm: Somebody
) -> None:
    table = table_of(key, gm.person)
    true = played(table, Random(8), count)
    nights.close_session(session=table.session)
    table = Table.objects.get(pk=table.pk)
    versions = [*range(0, count, 9), SPAN - 1, SPAN, SPAN + 1, count]

    def check() -> None:
        assert [bytes(replay.table_at(table, version).snapshot) for version in versions] == [
            true[version] for version in versions
        ]
        assert replay.check_log(table).holds
        kept = replay.checkpoints_between(table, 1, count)
        assert set(range(SPAN, count + 1, SPAN)) <= set(kept)
        assert kept == {number: true[number] for number in kept}

    assert set(range(SPAN, count + 1, SPAN)) <= set(replay.checkpoints_between(table, 1, count)), (
        "kept as it is played"
    )
    check()
    drawn = {number for number, _ in replay.check_log(table).drawn}
    assert key != "twentyfour" or max(drawn) > SPAN, "chance has a part in what is played on a milestone"
    with_milestones = [replay.check_part(table, part) for part in range(1, replay.count_parts(table) + 1)]
    # As a table is that was played before there were any.
    table.milestones.all().delete()
    check()
    assert [
        replay.check_part(table, part) for part in range(1, replay.count_parts(table) + 1)
    ] == with_milestones


@pytest.mark.django_db
def test_the_log_check_accepts_snapshots_without_the_newer_told_field(gm: Somebody) -> None:
    table = table_of("uroboros", gm.person)
    played(table, Random(8), SPAN + 6)
    table = Table.objects.get(pk=table.pk)
    table.snapshot = _without("told", bytes(table.snapshot))
    table.save()
    known = {
        number: _without("told", each) for number, each in replay.checkpoints_between(table, 1, SPAN).items()
    }
    assert known
    replay.store_checkpoints(table, known)
    assert replay.check_log(table).holds
    table.snapshot = _without("results", bytes(table.snapshot))
    table.save()
    assert not replay.check_log(table).holds


def _without(field: str, snapshot: bytes) -> bytes:
    """A snapshot as it was written before the state had a field."""
    return msgspec.json.encode({k: v for k, v in msgspec.json.decode(snapshot).items() if k != field})


@pytest.fixture
def long(table: Table) -> Table:
    """A table with a log of some length, and milestones in it."""
    advance(table, registry()[table.module], islice(scripts.usual(2), 2 * SPAN + 6))
    table_cache.invalidate_table()
    replay.snapshot_at(table, table.version)
    return Table.objects.get(pk=table.pk)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What happens, in its order: the moves that are played again, and the lock of the row."""
    happened: list[str] = []

    def noted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def inner(*args: Any) -> Any:
            happened.append(name)
            return function(*args)

        return inner

    monkeypatch.setattr(replay, "step", noted("step", replay.step))
    monkeypatch.setattr(moves, "lock_table", noted("lock", moves.lock_table))
    return happened


@pytest.mark.django_db
def test_checkpoints_of_an_abandoned_replay_serve_the_next_request(
    long: Table, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    long.milestones.all().delete()
    job = Job()
    real = replay.step

    def gone_later(*args: Any) -> Any:
        job.gone = len(steps) == SPAN + 2
        return real(*args)

    monkeypatch.setattr(replay, "step", gone_later)
    with pytest.raises(ClientGone):
        copy_context().run(lambda: (JOB.set(job), replay.snapshot_at(long, long.version)))
    steps.clear()
    assert replay.snapshot_at(long, long.version) == bytes(long.snapshot)
    assert len(steps) == long.version - SPAN


@pytest.mark.django_db
class TestTakingBack:
    def test_an_undo_replays_few_moves_and_none_under_the_lock(self, long: Table, steps: list[str]) -> None:
        seat = seat_view.undoable_seat(long)
        assert seat
        play(long, seat, b'{"type": "undo"}')
        assert steps == ["step"] * (long.version - 2 - 2 * SPAN) + ["lock"]

    def test_a_rewind_past_checkpoints_replays_few_moves(self, long: Table, steps: list[str]) -> None:
        play(long, "gm", back_to(SPAN + 3))
        assert steps == ["step"] * (3 + 2) + ["lock"]
        table = Table.objects.get(pk=long.pk)
        assert bytes(table.before) == replay.snapshot_at(long, SPAN + 2)
        assert seat_view.undoable_seat(table), "what stands again is its player's own word"

    def test_a_snapshot_after_a_rewind_past_checkpoints_needs_few_moves(
        self, long: Table, steps: list[str]
    ) -> None:
        play(long, "gm", back_to(3))
        play(long, "p1", DECLARE)
        table = Table.objects.get(pk=long.pk)
        steps.clear()
        assert replay.snapshot_at(table, table.version) == bytes(table.snapshot)
        assert len(steps) == 1

    def test_a_rewind_deletes_no_checkpoint(self, long: Table) -> None:
        before = set(long.milestones.values_list("number", flat=True))
        play(long, "gm", back_to(3))
        assert set(long.milestones.values_list("number", flat=True)) == before | {3}

    def test_an_undo_is_stale_after_another_seats_faster_move(
        self, long: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """It was thought out on a table that is no longer there."""
        seat, old = seat_view.undoable_seat(long), table_cache.read_table(long.pk)
        assert seat
        play(long, "gm", b'{"type": "flip"}')
        monkeypatch.setattr(table_cache, "get_table", lambda _pk: old)
        long.refresh_from_db()
        rows = long.moves.count()
        with pytest.raises(IllegalMove, match="stale"):
            moves.submit(
                long.pk,
                moves.MoveRequest(
                    seat=seat,
                    client_id="00000000-0000-4000-8000-000000000001",
                    raw=b'{"type": "undo"}',
                    version=old.version,
                    asked="",
                ),
            )
        assert long.moves.count() == rows

    def test_an_undo_prepared_before_the_session_ended_is_refused(
        self, long: Table, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seat, old = seat_view.undoable_seat(long), table_cache.read_table(long.pk)
        assert seat
        nights.close_session(session=long.session)
        monkeypatch.setattr(table_cache, "get_table", lambda _pk: old)
        with pytest.raises(IllegalMove, match="session_over"):
            play(long, seat, b'{"type": "undo"}')
        assert long.moves.count() == Table.objects.get(pk=long.pk).version == old.version


@pytest.mark.django_db
class TestWhatIsNotTrusted:
    def ended(self, long: Table) -> Table:
        nights.close_session(session=Session.objects.get(pk=long.session_id))
        return Table.objects.get(pk=long.pk)

    def test_a_checkpoint_that_differs_from_the_log_fails_the_log_check(self, long: Table) -> None:
        table = self.ended(long)
        assert replay.check_log(table).holds
        replay.store_checkpoints(
            table, {SPAN: replay.snapshot_at(table, SPAN - 4).replace(b'"hp":3', b'"hp":2')}
        )
        assert [replay.check_part(table, part).holds for part in (1, 2, 3)] == [False, False, True]
        assert not replay.check_log(table).holds

    @pytest.mark.parametrize("snapshot", [b"no zip", b"x\x9c\x03\x00\x00\x00\x00\x01"])
    def test_an_unreadable_checkpoint_is_rebuilt_from_the_log(self, long: Table, snapshot: bytes) -> None:
        table = self.ended(long)
        true = replay.checkpoint_at(table, SPAN)
        Milestone.objects.filter(table=table, number=SPAN).update(snapshot=snapshot)
        assert replay.checkpoint_at(table, SPAN) is None
        assert replay.snapshot_at(table, SPAN) == true == replay.checkpoint_at(table, SPAN)

    def test_a_missing_move_fails_the_check_of_its_part_of_the_log(self, long: Table) -> None:
        table = self.ended(long)
        Move.objects.filter(table=table, number=SPAN + 4).delete()
        assert [replay.check_part(table, part).holds for part in (1, 2, 3)] == [True, False, True]


@pytest.mark.django_db
def test_log_lines_of_undone_moves_are_marked_as_taken_back(table: Table) -> None:
    played(table, Random(2), SPAN + 8)
    table = Table.objects.get(pk=table.pk)
    standing = set(replay.move_history(table, table.version).standing())
    restores = dict(table.moves.values_list("number", "restores"))
    for line, _ in log.all_lines(table):
        assert line.taken_back == (restores[line.number] is None and line.number not in standing)
