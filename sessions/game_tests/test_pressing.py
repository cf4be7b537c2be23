"""Any game can be played by what its screens show: phones and a desk, in each language, in Chromium."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client

from companion.models import Person, User
from sessions.engine.bots import concedes
from sessions.evening import nights
from sessions.game import AnyModule, kind_of
from sessions.game_tests.fixtures import seeds
from sessions.game_tests.plugin import GAMES
from sessions.game_tests.pressing import SCRIPT, Presser, Seen
from sessions.game_tests.serving import LAN_NAME, ThreadServer, program
from sessions.live import screen_view
from sessions.models import Campaign, Role, Table
from sessions.table import opening, table_cache
from sessions.table.replay import snapshot_at

CHROMIUM = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-quic", "--disable-background-networking"]
#: The devices round the table, in turns; a GM's is the last.
DEVICES: list[dict[str, Any]] = [
    {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True},
    {"viewport": {"width": 1280, "height": 800}},
]
#: Tests tap cards: their devices never cover the hand.
OPEN_HANDS = "try { localStorage.cover = 'off' } catch { /* no page yet */ };\n"
LOCALES = ("ja-JP", "en-GB")
#: So many presses if all games are played, and if a game is long or the only one: most come to their end.
SOME, MANY = 60, 600


@pytest.fixture
def server(transactional_db: None) -> Iterator[ThreadServer]:
    table_cache.invalidate_table()
    screen_view.clear_rendered_tables()
    server = ThreadServer()
    server.start()
    yield server
    server.stop()


def somebody(name: str) -> tuple[Person, dict[str, str]]:
    client = Client()
    client.force_login(user := User.objects.create_user(name))
    person = Person.objects.create(user=user, name=name)
    return person, {key: morsel.value for key, morsel in client.cookies.items()}


def opened(module: AnyModule) -> tuple[Table, list[dict[str, str]]]:
    """Open a table of the fewest players; return it with the cookies of each, a GM last."""
    gm, gms = somebody("GM")
    session = nights.open_session(campaign=Campaign.objects.create(gm=gm, name="試し"), title="試し")
    players = [somebody(f"P{number}") for number in range(1, module.seats.start + 1)]
    seats = [
        nights.take_seat(session=session, person=person, name=person.name, role=Role.PLAYER)
        for person, _ in players
    ]
    table = opening.open_table(session=session, module_key=module.key, players=seats)
    return table, [*(cookies for _, cookies in players), *([gms] if module.gm else [])]


def played(
    module: AnyModule, url: str, path: str, devices: list[dict[str, str]], seed: int, most: int
) -> Seen:
    """Play in a browser of this thread's own."""
    from playwright.sync_api import sync_playwright

    chromium = program(*CHROMIUM)
    with sync_playwright() as playwright:
        arguments = [*ARGUMENTS, f"--host-resolver-rules=MAP {LAN_NAME} 127.0.0.1"]
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        pages, complaints = [], []
        for number, cookies in enumerate(devices):
            is_gm = number == len(devices) - 1 and module.gm
            kind = DEVICES[-1 if is_gm else number % len(DEVICES)]
            context = browser.new_context(
                base_url=url, locale=LOCALES[(number + seed) % len(LOCALES)], **kind
            )
            context.set_default_timeout(20_000)
            context.add_init_script(OPEN_HANDS + SCRIPT)
            context.add_cookies(
                [{"name": name, "value": value, "url": url} for name, value in cookies.items()]
            )
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
            page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
            page.goto(path)
            page.wait_for_selector("#table[data-version]")
            pages.append(page)
        presser = Presser(pages, seed)
        presser.seen.complaints = complaints
        seen = presser.play(most)
        if folder := os.environ.get("TAKUJO_PICTURES"):
            for number, page in enumerate(pages):
                page.screenshot(path=f"{folder}/{number}.png")
        browser.close()
    return seen


def possible(table: Table, module: AnyModule) -> set[str]:
    """The kinds of moves that an awaited player could have made, at any time of the game."""
    states = [module.load(snapshot_at(table, version)) for version in range(table.version)]
    return {
        kind_of(move)
        for state in states
        for seat in module.waiting_for(state)
        for move in module.legal_moves(state, seat)
        if not concedes(move)
    }


@pytest.mark.browser
@pytest.mark.parametrize("seed", seeds(1, of=2))
def test_a_game_is_played_by_pressing_its_buttons(
    module: AnyModule, server: ThreadServer, seed: int, request: pytest.FixtureRequest
) -> None:
    pytest.importorskip("playwright")
    most = MANY if seed or request.config.getini(GAMES) else SOME
    table, devices = opened(module)
    with ThreadPoolExecutor(1) as thread:  # a loop of its own, beside Django's database
        place = server.lan_url, table.get_absolute_url()
        seen = thread.submit(played, module, *place, devices, seed, most).result()
    assert seen.complaints == []
    table.refresh_from_db()
    assert table.version, "no press was a move"
    if seen.over and not module.gm:  # much of what a GM may do stands in sheets that nobody opened
        # A page may make a move by itself where there is no other.
        made = {json.loads(bytes(move.move))["type"] for move in table.moves.all()}
        assert possible(table, module) <= seen.offered | made
