"""Live twins: facts hidden from a seat change nothing that its phone is sent, over whole games.

A random game is played twice at the same table of a real server. The second time, what the seat cannot know
is another at every version: hidden cards are dealt again, and others' private events never happened. Its
phone must be sent the same bytes, in the same number of messages and the same order.
"""

from __future__ import annotations

import json
import uuid
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from random import Random

import pytest
from asgiref.sync import sync_to_async

from companion.fate import Fate
from companion.identity import people
from companion.models import Person
from sessions.engine.bots import random_game
from sessions.engine.registry import registry
from sessions.engine.step import decode_move, encode, step
from sessions.evening import nights
from sessions.game import AnyModule
from sessions.game_tests.fixtures import twin
from sessions.live import regions, screen_view
from sessions.models import Campaign, Role, Seat, Table
from sessions.table import commit, opening, table_cache
from tests.evening import everybody_is_here, everybody_leaves, sit
from tests.phones import Phone, phone, timeless
from tests.servers import ThreadServer

pytestmark = pytest.mark.long

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
#: Some random games end at once: the longest of so many is played.
GAMES = 8


@dataclass(frozen=True)
class Device:
    """A guest's phone."""

    person: Person

    @property
    def headers(self) -> dict[str, str]:
        return {"Cookie": f"{people.COOKIE}={people.token(self.person)}"}


@dataclass(frozen=True)
class Moment:
    """A version of the table: its snapshot, and the move that led to it."""

    version: int
    before: bytes
    snapshot: bytes
    seat: str
    move: bytes
    events: list[tuple[bytes, bytes]]  # each event, with the seats that heard it


@dataclass(frozen=True)
class Room:
    """A table with everybody's devices, by seat; None is a spectator's."""

    module: AnyModule
    table: Table
    devices: dict[str | None, Device]
    #: The seats of the evening whose pages are opened.
    seats: list[Seat]

    def game(self) -> list[Moment]:
        """Play a random game by the rules alone."""
        players = len(self.devices) - 1 - self.module.gm
        secrets = [f"twins {number}" for number in range(GAMES)]
        games = {secret: list(random_game(self.module, players, secret)) for secret in secrets}
        secret, (first, *rest) = max(games.items(), key=lambda game: len(game[1]))
        snapshot, moments = first.snapshot, [Moment(0, b"", first.snapshot, "", b"", [])]
        for number, played in enumerate(rest, 1):
            assert played.seat
            move = decode_move(self.module, played.move)
            after, events = step(self.module, snapshot, played.seat, move, Fate(secret, number))
            told = [(encode(event), encode(event.to)) for event in events]
            moments.append(Moment(number, snapshot, after, played.seat, played.move, told))
            snapshot = after
        return moments

    def round_the_table(self, seat: str | None) -> tuple[str, ...]:
        """Return the regions of the evening on the page of a seat."""
        layout = regions.screen_of(self.table, seat).layout
        return regions.region_names(regions.layout_template(self.module.key, layout), "room")

    def begin(self) -> None:
        """Take all moves off the table; everybody is here, so that no page hears of arrivals."""
        self.table.moves.all().delete()
        everybody_is_here(self.table.session)

    def put(self, moment: Moment, snapshot: bytes, deaf: str | None = "nobody") -> None:
        """Bring the table to a version, as a move would; events that ``deaf`` did not hear never were."""
        events = [event for event, to in moment.events if deaf == "nobody" or heard(to, deaf)]
        if moment.version:
            self.table.moves.create(
                number=moment.version,
                seat=moment.seat,
                client_id=uuid.UUID(int=moment.version),
                move=moment.move,
                events=b"[" + b",".join(events) + b"]",
            )
            self.table.moves.update(played_at=NOON)
        self.table.version, self.table.before = moment.version, moment.before
        self.table.snapshot = snapshot
        self.table.save(update_fields=["version", "before", "snapshot"])
        table_cache.invalidate_table()
        commit.publish_version(self.table)

    def twin(self, snapshot: bytes, seat: str | None, rng: Random) -> bytes:
        return twin(self.module, snapshot, {seat} if seat else set(), Fate("twin", rng.getrandbits(64)))


def heard(to: bytes, seat: str | None) -> bool:
    seats = json.loads(to)
    return seats is None or seat in seats


def _players(module: AnyModule) -> int:
    return next((players for players in module.seats if players > 1), module.seats.start)


@pytest.fixture(params=registry())
def room(request: pytest.FixtureRequest, transactional_db: None, reference_rows: None) -> Room:
    """A table of each module with two players, or as many more or fewer as it needs, and a spectator."""
    module = registry()[request.param]
    gm, watcher = Person.objects.create(name="GM"), Person.objects.create(name="観客")
    session = nights.open_session(campaign=Campaign.objects.create(gm=gm, name="蛇"), title="夜")
    players = [Person.objects.create(name=f"人{number}") for number in range(_players(module))]
    sit(session, watcher, Role.SPECTATOR)
    seats = [sit(session, person) for person in players]
    table = opening.open_table(session=session, module_key=module.key, players=seats)
    devices: dict[str | None, Device] = {"gm": Device(gm)} if module.gm else {}
    devices |= {f"p{number}": Device(person) for number, person in enumerate(players, 1)}
    devices[None] = Device(watcher)
    people_here = [device.person for device in devices.values()]
    return Room(module, table, devices, list(session.seats.filter(person__in=people_here)))


Versions = list[tuple[Moment, bytes]]


async def pushes(
    server: ThreadServer, room: Room, seat: str | None, versions: Versions, deaf: str | None = "nobody"
) -> list[str]:
    """Play these versions with everybody's page open, and return what the page of ``seat`` was sent."""
    screen_view.clear_rendered_tables()
    await sync_to_async(room.begin)()
    await sync_to_async(room.put)(*versions[0], deaf)
    path = f"/ws/tables/{room.table.pk}/"
    async with AsyncExitStack() as open_pages:
        pages = {}
        for key, device in room.devices.items():
            page = pages[key] = await open_pages.enter_async_context(phone(server, device, path))
            for region in room.round_the_table(key):
                await page.until_shown(f'hx-target="#{region}"')
            await shown(page, versions[0][0].version)
        for moment, snapshot in versions[1:]:
            await sync_to_async(room.put)(moment, snapshot, deaf)
            for page in pages.values():
                await shown(page, moment.version)
    await everybody_leaves(room.seats)
    return [*map(timeless, pages[seat].html)]


async def shown(page: Phone, version: int) -> None:
    """Wait until a page shows a version, and until all has come that was sent with it."""
    while page.version != version:
        await page.receive()
    await page.pong()


@pytest.mark.parametrize("which", ["first", "last", "spectator"])
async def test_pushes_to_a_seat_do_not_depend_on_hidden_facts(
    server: ThreadServer, room: Room, which: str, calm: None
) -> None:
    seats = [seat for seat in room.devices if seat]
    seat = {"first": seats[0], "last": seats[-1], "spectator": None}[which]
    rng, game = Random(which), await sync_to_async(room.game)()
    truth = [(moment, moment.snapshot) for moment in game]
    other = [(moment, room.twin(moment.snapshot, seat, rng)) for moment in game]
    assert truth != other, "resample changed nothing: this test could not have failed"
    as_it_is = await pushes(server, room, seat, truth)
    as_it_might_be = await pushes(server, room, seat, other, deaf=seat)
    assert len(as_it_is) >= len(game)
    assert as_it_is == as_it_might_be
