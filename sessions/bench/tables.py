"""Open the table of a bench, replay it up to any move, and give its seats to bots.

Every change of its past opens another table in another session, with the first moves of the old one replayed.
So open pages need no way to take back moves that they have shown.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from threading import RLock
from uuid import uuid4

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from companion.games import games
from companion.models import Person
from sessions.bench import watch
from sessions.bench.watch import Complaint, new_secret, setting
from sessions.engine import bots
from sessions.engine.registry import left_out, registry
from sessions.evening import nights
from sessions.evening.announcements import broadcast
from sessions.evening.refusals import Refused, refusal_sentence
from sessions.evening.shares import SecretParts
from sessions.game import AnyModule, GameFailed, IllegalMove
from sessions.models import Campaign, Move, Role, Session, Table, TableSeat
from sessions.table.opening import open_table
from sessions.table.replay import RebuiltTable, rebuild_table


class SeatMove(msgspec.Struct, frozen=True):
    seat: str
    move: msgspec.Raw


class Refusal(msgspec.Struct, frozen=True):
    """The number of a move that the rules do not accept any more, and the reason."""

    number: int
    why: Complaint


class BenchData(msgspec.Struct):
    """The data that a bench keeps in a file, beside its database, across restarts of its process."""

    secret: str
    #: The table's id, 0 before one could be opened.
    table: int = 0
    #: The version that the table was opened with, and the old moves after it: valid until a new move is made.
    begun: int = 0
    ahead: list[SeatMove] = []
    refused: Refusal | None = None
    #: The version that was requested; a refused move may have kept the table from reaching it.
    wanted: int = 0


@dataclass(frozen=True)
class BenchState:
    """The current table, None if it could not be opened, and all moves that the bench can go to."""

    kept: BenchData
    table: Table | None
    line: list[SeatMove]


#: Views run in several threads, and only one may replace the table at a time.
_lock = RLock()
_PLACE = settings.VAR_DIR / "bench.json"


def read_state() -> BenchState:
    with _lock:
        kept = BenchData(setting().secret)
        if _PLACE.exists():
            kept = msgspec.json.decode(_PLACE.read_bytes(), type=BenchData)
        table = Table.objects.select_related("session__campaign").filter(pk=kept.table).first()
        if table is None:
            return BenchState(kept, None, [])
        rows = table.moves.values_list("seat", "move")
        line = [SeatMove(seat, msgspec.Raw(bytes(move))) for seat, move in rows]
        return BenchState(kept, table, line + kept.ahead if table.version == kept.begun else line)


def reopen_table() -> None:
    """Open a table, or replay that of the previous process with the current code of the game."""
    watch.compile_words()
    if setting().game not in registry():
        watch.note(_explain_missing_game())
        return
    now = read_state()
    version = now.table.version if now.table else 0
    stopped = now.kept.refused is not None and version == now.kept.begun
    old = list(Session.objects.values_list("pk", flat=True))
    if _begin(now.kept.secret, now.line, now.kept.wanted if stopped else version, _bots(now.table)):
        # No page shows these sessions any more: the process that served them has ended.
        Session.objects.filter(pk__in=old).delete()


def begin(secret: str) -> None:
    """Open a new table with this secret, or with a random one if it is empty; bots keep their seats."""
    watch.newest.clear()
    with _lock:
        _begin(secret or new_secret(), [], 0, _bots(read_state().table))


def go(version: int) -> None:
    """Go to an earlier or later version. Bots leave their seats, or they would play on at once."""
    watch.newest.clear()
    with _lock:
        now = read_state()
        _begin(now.kept.secret, now.line, version, {})


def give_to_bot(key: str, kind: str) -> None:
    """Let a bot of this kind play a seat, or its person again if the kind is empty."""
    with _lock, transaction.atomic():
        table = read_state().table
        if table and kind in ("", *kinds(registry()[table.module])):
            TableSeat.objects.filter(table=table, key=key).update(bot=kind)
            broadcast(table.session_id)


def kinds(module: AnyModule) -> list[str]:
    return [kind for kind in bots.trial_kinds(module) if kind != bots.SCRIPT]


def _bots(table: Table | None) -> dict[str, str]:
    return dict(table.table_seats.exclude(bot="").values_list("key", "bot")) if table else {}


def _begin(secret: str, line: list[SeatMove], version: int, at_bots: dict[str, str]) -> bool:
    """Open a table and replay the first moves of a line, as far as the rules accept them.

    Return False if no table can be opened.
    """
    try:
        with transaction.atomic():
            table = _open_bench_table(secret)
            rebuilt, refused = _replay_moves(table, line[:version])
            _save_moves(table, line, rebuilt)
            for key, kind in at_bots.items():
                table.table_seats.filter(key=key).update(bot=kind)
    except Refused as problem:
        # An exception of the game has been logged, so there is a complaint about it already.
        watch.note(Complaint(" ".join([refusal_sentence(problem), *map(str, problem.details.values())])))
        return False
    reached = len(rebuilt.events)
    kept = BenchData(secret, table.pk, reached, line[reached:], refused, version)
    half = _PLACE.with_suffix(".half")
    half.write_bytes(msgspec.json.encode(kept))
    half.replace(_PLACE)
    return True


def _open_bench_table(secret: str) -> Table:
    module = registry()[setting().game]
    session = _open_session(module)
    keys = [f"p{number}" for number in range(1, setting().players + 1)]
    players = [
        nights.take_seat(session=session, person=_person(key), name=key, role=Role.PLAYER) for key in keys
    ]
    return open_table(
        session=session,
        module_key=module.key,
        players=players,
        opened_by=players[0],
        chance=SecretParts("", secret),
    )


def _open_session(module: AnyModule) -> Session:
    if module.gm:
        campaign = Campaign.objects.create(gm=_person("gm"), name=module.key)
        return nights.open_session(campaign=campaign, title=module.key)
    return nights.save_with_free_code(Session(host=_person("p1"), title=module.key))


def _person(key: str) -> Person:
    return Person.objects.get_or_create(name=key)[0]


def _replay_moves(table: Table, moves: list[SeatMove]) -> tuple[RebuiltTable, Refusal | None]:
    """Replay moves up to the first one that the rules refuse."""
    tried = 0

    def each() -> Iterator[tuple[str, bytes]]:
        nonlocal tried
        for tried, played in enumerate(moves, 1):  # noqa: B007 (the number of a move that is refused)
            yield played.seat, bytes(played.move)

    opening = table.module, table.opening_seats, table.options, table.secret
    try:
        return rebuild_table(*opening, each()), None
    except GameFailed as problem:
        why = watch.complaint_about(problem)
    except IllegalMove as problem:
        details = [f"{name}={value}" for name, value in problem.details.items()]
        why = Complaint(" ".join([problem.code, *details, str(problem.__cause__ or "")]).rstrip())
    good = [(played.seat, bytes(played.move)) for played in moves[: tried - 1]]
    return rebuild_table(*opening, good), Refusal(tried, why)


def _save_moves(table: Table, line: list[SeatMove], rebuilt: RebuiltTable) -> None:
    module = registry()[table.module]
    rows = zip(line, rebuilt.events, rebuilt.restores, strict=False)  # the line may be longer
    Move.objects.bulk_create(
        Move(
            table=table,
            number=number,
            seat=played.seat,
            client_id=uuid4(),
            move=bytes(played.move),
            events=events,
            restores=restores,
        )
        for number, (played, events, restores) in enumerate(rows, 1)
    )
    table.version, table.snapshot, table.before = len(rebuilt.events), rebuilt.snapshot, rebuilt.before
    table.ended_at = timezone.now() if module.outcome(module.load(rebuilt.snapshot)) else None
    table.save(update_fields=["version", "snapshot", "before", "ended_at"])


def _explain_missing_game() -> Complaint:
    """Return why the game is not registered, with the end of its traceback if it cannot be imported."""
    package = next((game.package for game in games() if game.key == setting().game), setting().game)
    try:
        importlib.import_module(package)
    except Exception as problem:  # noqa: BLE001 (this runs code of any author)
        return watch.complaint_about(problem)
    return Complaint(left_out().get(package, package))
