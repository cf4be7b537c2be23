"""The promises of every module's screens, drawn as open pages draw them, over positions of random games."""

from __future__ import annotations

import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from itertools import cycle
from random import Random

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation

from companion.fate import Fate
from companion.identity import people
from companion.models import Person
from sessions.engine.bots import random_game
from sessions.engine.registry import registry
from sessions.engine.step import decode_move, encode, step
from sessions.evening import nights
from sessions.game import AnyModule, nothing_hidden
from sessions.game_tests.fixtures import twin
from sessions.live import regions, screen_view
from sessions.live.pages import FacePage, TablePage
from sessions.models import Campaign, Role, Table
from sessions.table import opening
from tests.evening import sit

pytestmark = pytest.mark.django_db

ORIGIN = "http://takujo.test"
LANGUAGES = [code for code, _ in settings.LANGUAGES]
POSITIONS = 8


@dataclass(frozen=True)
class Looker:
    """A viewer of a table, with their seat, page and browser."""

    seat: str | None
    layout: str
    page: TablePage | FacePage
    address: str
    client: Client

    def regions(self, language: str) -> dict[str, str]:
        with translation.override(language):
            return self.page.render_all().regions

    def whole_page(self, drawn: dict[str, str]) -> str:
        """Return the page as it is once every bottom sheet was opened, for these regions."""
        answer = self.client.get(self.address)
        assert answer.status_code == 200
        page = answer.content.decode()
        for name, html in drawn.items():
            page = page.replace(f'<div id="{name}" class="to-come" aria-busy="true"></div>', html)
        assert 'class="to-come"' not in page
        return page


@dataclass(frozen=True)
class Room:
    """A table of one module whose position can be set, and everybody who looks at it."""

    module: AnyModule
    table: Table
    lookers: list[Looker]
    secret: str

    def positions(self) -> Iterator[bytes]:
        """Put the table at positions spread over a random game, and yield the snapshot of each."""
        first, *rest = random_game(self.module, len(self.lookers) - 2 - self.module.gm, self.secret)
        snapshot, every = first.snapshot, max(1, len(rest) // POSITIONS)
        self.put(snapshot)
        yield snapshot
        for number, played in enumerate(rest, 1):
            move = decode_move(self.module, played.move)
            self.table.before = snapshot
            snapshot, events = step(self.module, snapshot, played.seat, move, Fate(self.secret, number))
            self.table.moves.create(
                number=number,
                seat=played.seat,
                client_id=uuid.uuid4(),
                move=played.move,
                events=encode(events),
            )
            if number % every == 0 or number == len(rest):
                self.table.version = number
                self.put(snapshot)
                yield snapshot

    def put(self, snapshot: bytes) -> None:
        """Put a state in the place of the present one, under the same version and log."""
        self.table.snapshot = snapshot
        self.table.save(update_fields=["before", "snapshot", "version"])
        # Lines of the log are remembered for ever, and this may be another game's.
        screen_view.clear_rendered_tables()

    def twin(self, snapshot: bytes, seat: str | None, rng: Random) -> bytes:
        return twin(self.module, snapshot, {seat} if seat else set(), Fate("twin", rng.getrandbits(64)))


ROOMS = [
    pytest.param((key, seed), id=f"{key}-{seed}", marks=pytest.mark.long if seed else ())
    for key in registry()
    for seed in range(3)
]


@pytest.fixture(params=ROOMS)
def room(request: pytest.FixtureRequest, db: None) -> Room:
    """A table of each module with a GM, players, a spectator, and the table face."""
    key, seed = request.param
    module = registry()[key]
    gm = Person.objects.create(name="GM")
    session = nights.open_session(campaign=Campaign.objects.create(gm=gm, name="蛇"), title="夜")
    players = [
        Person.objects.create(name=f"人{number}") for number in range(module.seats[seed % len(module.seats)])
    ]
    watcher = Person.objects.create(name="観客")
    sit(session, watcher, Role.SPECTATOR)
    table = opening.open_table(
        session=session, module_key=key, players=[sit(session, person) for person in players]
    )

    def looker(seat: str | None, person: Person) -> Looker:
        client = Client()
        client.cookies[people.COOKIE] = people.token(person)
        layout = regions.screen_of(table, seat).layout
        page = TablePage(person, table.pk, ORIGIN)
        return Looker(seat, layout, page, table.get_absolute_url(), client)

    face = FacePage(str(session.face_key), ORIGIN)
    lookers = [looker("gm", gm)] if module.gm else []
    lookers += [looker(f"p{number}", person) for number, person in enumerate(players, 1)]
    lookers += [looker(None, watcher), Looker(None, "face", face, f"/face/{session.face_key}/", Client())]
    return Room(module, table, lookers, f"seed {seed}")


class Tags(HTMLParser):
    """Opening tags in their order, with attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    @property
    def ids(self) -> list[str]:
        return [str(attributes["id"]) for _, attributes in self.found if "id" in attributes]


def every_region_that_is_placed_is_drawn_under_its_id(
    room: Room, looker: Looker, drawn: dict[str, str]
) -> None:
    placed = {
        name
        for source in ("own", "shared", "room")
        for name in regions.region_names(regions.layout_template(room.module.key, looker.layout), source)
    }
    assert placed == set(drawn) - {"pulse"}, "that one frames every screen"
    assert all(html.startswith("<") for html in drawn.values())
    roots = {name: Tags(html[: html.index(">") + 1]).ids for name, html in drawn.items()}
    assert roots == {name: [name] for name in drawn}


def ids_are_unique(tags: Tags) -> None:
    """A push finds its place by id, and so do labels."""
    twice = {name for name, count in Counter(tags.ids).items() if count > 1}
    assert not twice


def test_screens_leak_nothing_have_unique_ids_and_offer_moves_to_seats_only(
    room: Room,
) -> None:
    rng, hidden_moved, offered = Random(room.secret), 0, 0
    # One language a position, now this, now that: they differ in words alone.
    for snapshot, language in zip(room.positions(), cycle(LANGUAGES)):
        for looker in room.lookers:
            drawn = looker.regions(language)
            # The screen of a seat stays the same, byte for byte, when hidden things differ.
            other = room.twin(snapshot, looker.seat, rng)
            hidden_moved += other != snapshot
            room.put(other)
            again = looker.regions(language)
            told = {name for name in drawn if drawn[name] != again[name]}
            assert not told, f"{looker.layout} of {looker.seat} at {room.table.version}"
            room.put(snapshot)
            every_region_that_is_placed_is_drawn_under_its_id(room, looker, drawn)
            tags = Tags(looker.whole_page(drawn))
            ids_are_unique(tags)
            moves = [tag for tag in tags.found if "data-move" in tag[1]]
            offered += len(moves)
            assert looker.seat or not moves, looker.layout
    changed = hidden_moved or room.module.resample is nothing_hidden
    assert changed, "resample changed nothing: this test could not have failed"
    assert offered, "nobody was offered anything: this test could not have failed"
