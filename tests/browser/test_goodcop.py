"""Good Cop Bad Cop on real phones: a card step by step, and windows that tell nothing."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from channels.db import database_sync_to_async
from playwright.async_api import expect

from companion.fate import Fate
from companion.models import Person
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import nights
from sessions.live import heartbeats, hub
from sessions.live.regions import region_names
from sessions.models import Session, Table
from sessions.modules.goodcop.tests.table import Game
from sessions.table import bots, opening, table_cache
from tests.browser.presses import press_dimmed
from tests.conftest import Somebody
from tests.evening import play, sit
from tests.phones import Phone, timeless
from tests.phones import phone as socket_of
from tests.servers import ThreadServer


def state_of(table: Table) -> Any:
    table.refresh_from_db()
    return registry()["goodcop"].load(bytes(table.snapshot))


def waiting(table: Table) -> list[str]:
    return sorted(registry()["goodcop"].waiting_for(state_of(table)))


def play_others(table: Table) -> None:
    """The game's bot plays for all but p1, as long as one of them is asked."""
    module = registry()["goodcop"]
    assert module.bots.plain
    while others := [seat for seat in waiting(table) if seat != "p1"]:
        state, seat = state_of(table), others[0]
        legal = module.legal_moves(state, seat)
        move = module.bots.plain(module.view(state, seat), legal, Fate("others", table.version))
        play(table, seat, encode(move))


def open_for(session: Session, people: list[Person], **options: Any) -> Table:
    """A table for these people and as many more as make up the number."""
    number = options.pop("number")
    people = [*people, *(Person.objects.create(name=f"客{n}") for n in range(number - len(people)))]
    seats = [sit(session, person) for person in people]
    return opening.open_table(session=session, module_key="goodcop", players=seats, options=options)


def put(session: Session, people: list[Person], game: Game) -> Table:
    """A table of four at the position of a game."""
    table = open_for(session, people, number=4)
    table.snapshot = game.snapshot
    table.save(update_fields=["snapshot"])
    return table


async def test_a_card_is_played_step_by_step_on_the_ring(
    server: ThreadServer, phone: Any, session: Session, ayumi: Somebody
) -> None:
    game = Game(hands={"p1": "blackmail"})
    table = await database_sync_to_async(put)(session, [ayumi.person], game)
    page = await phone(server, ayumi, at=table)

    await page.locator("[data-open=equipment-sheet]").tap()
    await page.locator("[data-act=act-play-0]").tap()
    panel, card = page.locator("#act-play-0"), "#ring [data-target='{}']".format
    first, second = panel.locator("select").first, panel.locator("select").nth(1)
    await page.locator(card("p2-0")).tap()
    await page.locator(card("p2-1")).tap()
    await expect(first).to_have_value('{"seat": "p2", "position": 1}')
    await expect(second).to_have_value("")  # two cards of one player do not trade: the first choice changes
    await page.locator(card("p2-1")).tap()
    await expect(first).to_have_value("")  # a second tap takes it back
    await page.locator(card("p2-0")).tap()
    await page.locator(card("p3-1")).tap()
    await expect(panel.locator("[data-preview]")).to_have_text("客0の左と客1の中を入れ替えます。")
    await panel.locator(".btn.primary").tap()
    await expect(page.locator("#pulse")).to_have_attribute("data-version", "1")
    state = await database_sync_to_async(state_of)(table)
    assert (state.players["p2"].cards[0].face, state.players["p3"].cards[1].face) == ("honest", "kingpin")


async def test_a_refused_action_says_why_and_names_its_rule(
    server: ThreadServer, phone: Any, session: Session, ayumi: Somebody
) -> None:
    table = await database_sync_to_async(put)(session, [ayumi.person], Game())
    page = await phone(server, ayumi, at=table)
    await press_dimmed(page.locator("form[data-move*=shoot] button"))
    await expect(page.locator("#refusal")).to_contain_text("武装していません")
    await expect(page.locator("#refusal")).to_contain_text("GC-4.5")


@pytest.mark.parametrize("hand", ["k9_unit", "taser"])
async def test_a_phone_passes_at_once_where_its_player_does_not_want_to_be_asked(
    server: ThreadServer, phone: Any, session: Session, ayumi: Somebody, hand: str
) -> None:
    """It can play the K-9 Unit now and the Taser only in its own turn: it passes alike."""
    game = Game(hands={"p1": hand})
    game.change(turn="p2")
    table = await database_sync_to_async(put)(session, [ayumi.person], game)
    page = await phone(server, ayumi, at=table)
    look = json.dumps({"type": "investigate", "seat": "p3", "position": 0}).encode()
    await database_sync_to_async(play)(table, "p2", look)
    pulse = page.locator("#pulse")
    await expect(pulse).to_have_attribute("data-version", "3")  # the end of that turn was passed, too
    assert "●" not in await page.title()
    await page.locator("[data-break-in]").tap()
    await database_sync_to_async(play_others)(table)
    await expect(page.locator("#act-pass button")).to_be_visible()
    await expect(page.locator(".gc-can")).to_be_visible()
    assert await database_sync_to_async(waiting)(table) == ["p1"]


async def test_a_player_who_reads_equipment_is_waited_for(
    server: ThreadServer,
    phone: Any,
    session: Session,
    ayumi: Somebody,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Reading the log is no reason to wait: it stops no time."""
    monkeypatch.setattr(bots, "REACTION_SECONDS", 1.5)
    monkeypatch.setattr(bots, "AFTER_READING", 0.2)
    game = Game(hands={"p1": "k9_unit"})
    game.change(turn="p2")
    game.set("p2", armed="gun", aim="p3")
    table = await database_sync_to_async(put)(session, [ayumi.person], game)
    page = await phone(server, ayumi, at=table)
    await database_sync_to_async(play)(table, "p2", b'{"type": "shoot"}')
    await page.locator("[data-open=equipment-sheet]").tap()
    await expect(page.locator("html[data-reading]")).to_be_attached()
    questions = await database_sync_to_async(lambda: bots.open_questions(table_cache.get_table(table.pk)))()
    assert await database_sync_to_async(bots.reading_seats)(table.pk, questions) == {"p1"}
    await page.locator("#equipment-sheet [data-close]").first.tap()
    await expect(page.locator("#pulse")).to_have_attribute("data-version", "3")  # and the end of that turn


#: What falls on the ring in a shot is written down, however soon it is gone.
WATCHED = """
  window.fell = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const one of addedNodes) if (one.className === "gc-fell") fell.push(one.textContent);
  }).observe(document, { childList: true, subtree: true });
"""


async def test_the_animation_of_a_shot_plays_once_and_blocks_no_tap(
    server: ThreadServer, phone: Any, session: Session, ayumi: Somebody, bo: Somebody
) -> None:
    game = Game("A H H | K C C | H H C | C C H", {"p1": "coffee"})
    game.set("p1", armed="gun", aim="p2")
    table = await database_sync_to_async(put)(session, [ayumi.person, bo.person], game)
    one, still = await phone(server, ayumi), await phone(server, bo, reduced_motion="reduce")
    for page in (one, still):
        await page.add_init_script(WATCHED)
        await page.goto(table.get_absolute_url())
    await database_sync_to_async(play)(table, "p1", b'{"type": "shoot"}')
    await expect(one.locator("#act-pass")).to_be_visible()
    await database_sync_to_async(play)(table, "p1", b'{"type": "pass"}')
    for page in (one, still):
        await expect(page.locator("#ring [data-token=wound]")).to_have_count(1)
        await expect(page.locator(".gc-news")).to_contain_text("負傷")
    assert [await page.evaluate("fell") for page in (one, still)] == [["負傷"], []]
    await one.locator("#ring [data-target=p2]").tap()
    await expect(one.locator("#me-sheet")).to_be_visible()
    await expect(one.locator(".gc-fell")).to_have_count(0)
    await one.reload()
    await expect(one.locator("#ring [data-token=wound]")).to_have_count(1)
    assert await one.evaluate("fell") == []


def put_elsewhere(session: Session, people: list[Person], game: Game) -> Table:
    """The same in a session of its own, so that no page shows another table."""
    return put(nights.open_session(campaign=session.campaign, title="夜"), people, game)


async def heard(server: ThreadServer, session: Session, people: list[Somebody], held: str) -> list[list[str]]:
    """The pushes to p1, p3 and a spectator, from p1's declaration until p2 has passed."""
    game = Game(hands={"p1": "coffee", "p2": held})
    table = await database_sync_to_async(put_elsewhere)(session, [one.person for one in people], game)
    path = f"/ws/tables/{table.pk}/"
    one, two, three = people
    async with (
        socket_of(server, one, path) as first,
        socket_of(server, two, path) as second,
        socket_of(server, three, path) as third,
    ):
        listening: list[Phone] = [first, second, third]
        for device in listening:
            await device.until_version(0)
        begun = [len(device.html) for device in (first, third)]
        await first.play({"type": "investigate", "seat": "p3", "position": 0})
        for device in listening:
            await device.until_version(1)
        # p2 takes as long as it likes: until then nothing is sent to anybody.
        assert (await second.play({"type": "pass"}))["accepted"] == 2
        for device in listening:
            await device.until_version(2)
        pushed = [device.html[start:] for device, start in zip((first, third), begun, strict=True)]
        return [
            [push.replace(f"/t/{table.pk}/", "/t/") for push in pushes if is_of_the_table(push)]
            for pushes in pushed
        ]


def is_of_the_table(push: str) -> bool:
    """True unless a push shows the session round the table: the people here are no matter of the game."""
    around = set(region_names("tables/goodcop/phone.html", "room"))
    return around.isdisjoint(re.findall(r'hx-target="#(\w+)"', push))


async def test_a_reaction_window_tells_other_seats_nothing_of_held_equipment(
    server: ThreadServer,
    session: Session,
    ayumi: Somebody,
    bo: Somebody,
    kei: Somebody,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The pushes are the same, byte for byte and in number, if p2 could have played and if not."""
    # Arrivals and an undo that became safe are told by the clock, between whichever two moves.
    monkeypatch.setattr(heartbeats, "COLLECT_PRESENCE_FOR", 3600)
    monkeypatch.setattr(hub, "UNDO_PAUSE", 3600)
    people = [ayumi, bo, kei]
    told = [await heard(server, session, people, held) for held in ("k9_unit", "restraining_order", "taser")]
    worlds = [[[*map(timeless, pushes)] for pushes in world] for world in told]
    assert worlds[0] == worlds[1] == worlds[2]
    assert all(len(pushes) >= 2 for pushes in told[0])


async def test_eight_players_fit_every_phone(
    server: ThreadServer, phone: Any, session: Session, ayumi: Somebody
) -> None:
    table = await database_sync_to_async(open_for)(session, [ayumi.person], number=8, start="p1")
    page = await phone(server, ayumi, viewport={"width": 320, "height": 844}, at=table)
    await expect(page.locator("#ring > li")).to_have_count(8)
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await page.locator("[data-act=act-investigate]").tap()
    sizes = "all => all.map(one => one.getBoundingClientRect()).map(box => [box.width, box.height])"
    bottoms = "all => all.map(one => one.getBoundingClientRect().bottom)"
    for width in (320, 390):
        await page.set_viewport_size({"width": width, "height": 844})
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        touched = page.locator(".phone :is(button, select, .gc-card):visible")
        assert min(min(size) for size in await touched.evaluate_all(sizes)) >= 44
        ends = await page.locator("#ring > li").evaluate_all(bottoms)
        hand = await page.locator(".phone-hand").bounding_box()
        assert hand
        assert max(ends) <= hand["y"], "the whole ring is above the hand"


async def test_on_the_table_face_the_join_code_covers_no_tab_and_cards_are_large(
    server: ThreadServer, laptop: Any, session: Session
) -> None:
    def opened() -> None:
        seats = [sit(session, Person.objects.create(name=f"人{number}")) for number in range(4)]
        for _ in range(2):
            opening.open_table(session=session, module_key="goodcop", players=seats)

    await database_sync_to_async(opened)()
    face = await laptop(server, at=f"/face/{session.face_key}/")
    tabs, way_in = face.locator(".tabs"), face.locator(".join-corner")
    places = [await place.bounding_box() for place in (tabs, way_in)]
    assert places[0]["y"] + places[0]["height"] <= places[1]["y"]
    seats = [await seat.bounding_box() for seat in await face.locator(".gc-face .gc-seat").all()]
    assert len(seats) == 4
    bottom = await face.evaluate("innerHeight")
    for seat in seats:
        assert seat["height"] > bottom / 5
        assert places[0]["height"] <= seat["y"] <= bottom - seat["height"]
