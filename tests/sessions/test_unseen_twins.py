"""Twins seen by the mover: cards that a move drew and took back change nothing that any page gets.

A script of moves, undos, rewinds, taps, waits and restarts is played at one table twice. The second time the
table was dealt alike but for its hidden cards. All that a page shows must be the same bytes, page by page
and step by step, until the rules let a seat see a difference.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from companion.fate import Fate
from sessions.engine.registry import registry
from sessions.engine.step import encode, start
from sessions.engine.step import step as play_by_rules
from sessions.evening import nights
from sessions.game import AnyModule, IllegalMove
from sessions.live import screen_view
from sessions.live.pages import TablePage
from sessions.models import Campaign, Milestone, Move, Role, Seat, Table
from sessions.report.logs import FORMATS
from sessions.table import moves, opening, replay, table_cache
from tests.conftest import Somebody
from tests.evening import sit

VEILED = [module for module in registry().values() if module.secrets.veil]
GRACE, MARGIN = 5.0, 0.5
#: What differs from page to page: a token against forged forms, and the nonce of scripts.
OF_THE_PAGE = re.compile(r'(name="csrfmiddlewaretoken" value|nonce)="[^"]*"')


@dataclass
class Clock:
    """The time of the evening, which a script sets."""

    now: datetime = datetime(2026, 1, 1, 20, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def passes(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass(repr=False)
class World:
    """A table that was dealt somehow, and the people who look at it."""

    table: Table
    module: AnyModule
    people: list[Somebody]
    clock: Clock
    #: Until when nobody may see what the newest move drew, by the rules of the grace alone.
    hidden_until: datetime | None = None
    told_of: object = None

    def begin(self, snapshot: bytes) -> None:
        """Deal the table again."""
        self.table.moves.all().delete()
        Milestone.objects.filter(table=self.table).delete()
        fresh = {"version": 0, "snapshot": snapshot, "before": b"", "veiled_until": None, "ended_at": None}
        Table.objects.filter(pk=self.table.pk).update(**fresh)
        self.clock.now, self.hidden_until, self.told_of = Clock.now, None, None
        self.restart()

    def restart(self) -> None:
        """Restart the process."""
        table_cache.invalidate_table()
        screen_view.clear_rendered_tables()

    def row(self) -> Table:
        return Table.objects.select_related("session").get(pk=self.table.pk)

    @property
    def lies(self) -> bool:
        return self.hidden_until is not None and self.clock.now < self.hidden_until

    def submit(self, seat: str, raw: bytes) -> str:
        """Play a move; return how it was answered."""
        before = self.row()
        try:
            moves.submit(
                before.pk,
                moves.MoveRequest(
                    seat=seat, client_id=uuid.uuid4(), raw=raw, version=before.version, asked=""
                ),
            )
        except IllegalMove as refused:
            return f"{refused.code} {refused.details}"
        after = self.row()
        newest = after.moves.get(number=after.version)
        assert self.module.secrets.veil
        states = [self.module.load(bytes(row.snapshot)) for row in (before, after)]
        ended = newest.restores is None and self.module.outcome(states[1]) is not None
        veiled = newest.restores is None and not ended and self.module.secrets.veil(*states) is not None
        self.hidden_until = self.clock.now + timedelta(seconds=GRACE + MARGIN) if veiled else None
        return "accepted"

    def draw_now(self, seat: str) -> str:
        """Let a seat tap for its card."""
        row = self.row()
        mover = row.moves.filter(number=row.version).values_list("seat", flat=True).first()
        moves.end_undo_window(table_pk=row.pk, seat=seat, version=row.version)
        if mover == seat:
            self.hidden_until = None
        return "tapped"

    def end(self) -> str:
        """End the table, as closing does; the evening runs on."""
        Table.objects.filter(pk=self.table.pk).update(ended_at=self.clock.now)
        self.hidden_until = None
        self.restart()
        return "ended"

    def truth(self) -> bytes:
        """Return what the seats know by the rules: while a move lies face down, what they knew before it."""
        row = self.row()
        state = self.module.load(bytes(row.before if self.lies else row.snapshot))
        return b"".join(encode(self.module.view(state, seat)) for seat in [*state.seats, None])

    def shown(self) -> Iterator[tuple[str, str]]:
        """Yield everything that anybody gets, by its name; nothing where nothing is new."""
        row = self.row()
        before, self.told_of = self.told_of, (row.version, row.ended_at, self.lies)
        if self.told_of == before:
            return
        for who in self.people:
            drawn = TablePage(who.person, row.pk, "http://takujo.test").render_all()
            for name, html in drawn.regions.items():
                yield f"{who.person.name}: {name}", html
            for address in self._addresses(row, "spectator" if who is self.people[-1] else "own"):
                answer = who.client.get(address)
                assert answer.status_code == 200, address
                yield f"{who.person.name}: {address}", OF_THE_PAGE.sub("", answer.content.decode())

    def _addresses(self, row: Table, view: str) -> Iterator[str]:
        night, here = f"/s/{row.session_id}", row.get_absolute_url()
        yield f"{here}log/"
        yield f"{night}/log/?view={view}"
        yield from (f"{night}/log/file/?format={kind}&view={view}" for kind in FORMATS)
        if row.ended_at:
            yield f"{night}/report/"
            yield from (f"{here}replay/?view={view}&version={number}" for number in range(row.version + 1))


@dataclass(frozen=True)
class Act:
    """A step of a script; ``pick`` chooses among what is possible there."""

    kind: str
    pick: int

    def concretely(self, world: World) -> Callable[[World], str]:
        """Return this step as a function that does the same in both worlds."""
        row, module = world.row(), world.module
        state = module.load(bytes(row.snapshot))
        seats = [*state.seats]
        match self.kind:
            case "draw":
                seat, raw = self._chosen(_drawing(module, row, seats) or _leading(module, row, seats))
                return lambda there: there.submit(seat, raw)
            case "move":
                seat, raw = self._chosen(_legal(module, state, seats))
                return lambda there: there.submit(seat, raw)
            case "undo":
                newest = row.moves.filter(restores=None).order_by("-number").first()
                mover = newest.seat if newest else seats[0]
                return lambda there: there.submit(mover, b'{"type": "undo"}')
            case "rewind":
                to = max(0, row.version - 1 - self.pick % 3)
                return lambda there: there.submit("gm", encode({"type": "rewind", "to": to, "reason": ""}))
            case "tap":
                return lambda there: there.draw_now(seats[self.pick % len(seats)])
            case "wait":
                return lambda there: str(there.clock.passes(self.pick % 7 + 0.25))
            case _:
                return lambda there: str(there.restart())

    def _chosen(self, among: list[tuple[str, bytes]]) -> tuple[str, bytes]:
        return among[self.pick % len(among)] if among else ("p1", b'{"type": "none"}')


Choices = list[tuple[str, bytes]]


def _legal(module: AnyModule, state: Any, seats: list[str]) -> Choices:
    return [(seat, encode(move)) for seat in seats for move in module.legal_moves(state, seat)]


def _played(module: AnyModule, row: Table, seat: str, raw: bytes) -> tuple[Any, Any]:
    move = module.moves.decode(raw)
    after, _ = play_by_rules(module, bytes(row.snapshot), seat, move, Fate(row.secret, row.version + 1))
    return module.load(bytes(row.snapshot)), module.load(after)


def _drawing(module: AnyModule, row: Table, seats: list[str]) -> Choices:
    """Return the moves over which a veil would lie."""
    assert module.secrets.veil
    legal = _legal(module, module.load(bytes(row.snapshot)), seats)
    return [
        (seat, raw)
        for seat, raw in legal
        if module.secrets.veil(*_played(module, row, seat, raw)) is not None
    ]


def _leading(module: AnyModule, row: Table, seats: list[str]) -> Choices:
    """Return moves after which the table waits for another seat."""
    state = module.load(bytes(row.snapshot))
    waited = module.waiting_for(state)
    legal = _legal(module, state, seats)
    return [one for one in legal if module.waiting_for(_played(module, row, *one)[1]) != waited] or legal


ACTS = st.builds(
    Act,
    st.sampled_from(["draw"] * 4 + ["undo"] * 3 + ["rewind", "rewind", "tap", "wait", "move", "restart"]),
    st.integers(0, 99),
)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Clock:
    found = Clock()
    settings.GRACE_SECONDS = GRACE
    monkeypatch.setattr(timezone, "now", found)
    monkeypatch.setattr(Move._meta.get_field("played_at"), "_get_default", found)
    return found


@pytest.fixture(params=VEILED, ids=lambda module: module.key)
def world(
    request: pytest.FixtureRequest, transactional_db: None, reference_rows: None, clock: Clock, gm: Somebody
) -> World:
    from tests.conftest import _guest

    session = nights.open_session(campaign=Campaign.objects.create(gm=gm.person, name="蛇"), title="夜")
    players = [_guest(f"人{number}") for number in (1, 2)]
    seats: list[Seat] = [sit(session, who.person) for who in players]
    watcher = _guest("観客")
    sit(session, watcher.person, Role.SPECTATOR)
    table = opening.open_table(session=session, module_key=request.param.key, players=seats)
    return World(table, request.param, [*players, gm, watcher], clock)


def dealt(world: World, secret: str) -> bytes:
    return start(world.module, list(world.table.opening_seats), world.table.options, Fate(secret, 0))


def twin_of(module: AnyModule, snapshot: bytes, secret: str) -> bytes:
    """Return a table that no seat at it can tell from this one."""
    state = module.load(snapshot)
    module.resample(state, state.seats, Fate(f"twin of {secret}", 0))
    return encode(state)


def scripts(count: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Let a test play this number of scripts."""
    examples = settings(
        max_examples=count,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],  # An example takes seconds: a short one is not looked for.
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
    made = given(secret=st.text("abc", min_size=4, max_size=8), script=st.lists(ACTS, min_size=3, max_size=8))
    return lambda test: examples(made(test))


@scripts(6)
def test_whatever_was_taken_back_unseen_is_known_to_nobody(
    world: World, secret: str, script: list[Act]
) -> None:
    compare(world, secret, script)


@pytest.mark.long
@scripts(30)
def test_whatever_was_taken_back_is_known_to_nobody_in_many_scripts(
    world: World, secret: str, script: list[Act]
) -> None:
    compare(world, secret, script)


def compare(world: World, secret: str, script: list[Act]) -> None:
    """Play a script in both worlds, as long as no seat may see a difference."""
    truth = dealt(world, secret)
    acts: list[Callable[[World], str]] = []
    there: list[Step] = []
    with as_dealt(world, truth):
        for one in script:
            acts.append(one.concretely(world))
            there.append(Step.of(world, acts[-1]))
        acts.append(World.end)
        there.append(Step.of(world, World.end))
    with as_dealt(world, twin_of(world.module, truth, secret)):
        for act, before in zip(acts, there, strict=True):
            step = Step.of(world, act)
            if step.truth != before.truth:
                return  # From now on somebody may see the difference.
            for one, other in zip(step.shown, before.shown, strict=True):
                assert one == other


@contextmanager
def as_dealt(world: World, snapshot: bytes) -> Iterator[None]:
    """Let the table be dealt like this: also for a replay and a rewind, which go back to the deal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay, "_deal", lambda *_: snapshot)
        world.begin(snapshot)
        yield


@dataclass(frozen=True)
class Step:
    """What a step of a script led to: all that anybody gets, and what the rules let them know."""

    shown: list[tuple[str, str]]
    truth: bytes

    @classmethod
    def of(cls, world: World, act: Callable[[World], str]) -> Step:
        return cls([("answer", act(world)), *world.shown()], world.truth())
