"""A journey on a real phone, by touch alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from sessions.board_games import games
from sessions.engine.step import encode
from sessions.game import kind_of
from sessions.models import Role, Session, Table
from sessions.modules import journey
from sessions.modules.journey import module
from sessions.modules.journey.tests.table import Journey
from sessions.modules.journey.tests.trials import cases
from sessions.table import opening, seat_view
from tests.conftest import Somebody
from tests.evening import play, sit
from tests.servers import ThreadServer

TRIAL = Path(journey.__path__[0]) / "static/tables/journey/trial.js"


@pytest.fixture
def trip(session: Session, ayumi: Somebody) -> Table:
    """A journey that is dealt alike in every run."""
    trip = opening.open_table(session=session, module_key="journey", players=[sit(session, ayumi.person)])
    trip.secret = "a journey for tests"
    trip.save(update_fields=["secret"])
    return trip


def state_of(trip: Table) -> Any:
    trip.refresh_from_db()
    return seat_view.seat_view(trip, "p1").view


async def tap_one(page: Page) -> None:
    """Take the first choice: raise a card if one can be raised, then press a button."""
    picks = page.locator("#hand input[name=raised]")
    if await picks.count() and not await page.locator("#hand input[name=raised]:checked").count():
        await page.locator("#hand .pick").first.tap()
    await page.locator("#hand form[data-move] button:visible").last.tap()


async def test_a_move_that_was_taken_back_leaves_the_board_as_it_was_on_every_phone(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody, kei: Somebody
) -> None:
    await database_sync_to_async(sit)(trip.session, kei.person, Role.SPECTATOR)
    one, watching = await phone(server, ayumi, at=trip), await phone(server, kei, at=trip)
    await one.locator("label.item").nth(1).tap()
    await one.locator("#hand form.pack button").tap()
    await expect(one.locator("#board")).to_have_attribute("data-phase", "move")
    assert (await database_sync_to_async(state_of)(trip)).items == ("map",)
    for _ in range(40):
        before = await board_of(one)
        await answered(one, tap_one)
        if await database_sync_to_async(may_take_back)(trip) == "p1":
            break
    await expect(one.locator("#undo button")).to_be_enabled()
    await answered(one, tap_undo)
    assert await board_of(one) == before
    number = await one.locator("#pulse").get_attribute("data-version")
    await expect(watching.locator("#pulse")).to_have_attribute("data-version", str(number))
    assert await board_of(watching) == before


async def board_of(page: Page) -> str:
    """Return the board as it lies once nothing travels."""
    await expect(page.locator(".is-travelling")).to_have_count(0)
    return (await page.locator("#board").inner_html()).replace(' class=""', "")


async def answered(page: Page, act: Any) -> None:
    """Do something and wait for the table's answer."""
    pulse = await page.locator("#pulse").get_attribute("data-version")
    await act(page)
    await expect(page.locator("#pulse")).not_to_have_attribute("data-version", str(pulse))


def may_take_back(trip: Table) -> str | None:
    trip.refresh_from_db()
    return seat_view.undoable_seat(trip)


async def tap_undo(page: Page) -> None:
    await page.locator("#undo button").tap()


#: Notes what travels from now on.
TRAVELS = """() => {
  window.travelled = [];
  new MutationObserver((changes) => {
    for (const { target } of changes)
      if (target.classList.contains("is-travelling")) travelled.push(target.dataset.travels);
  }).observe(document.body, { subtree: true, attributeFilter: ["class"] });
}"""


async def test_moved_pawns_and_cards_are_animated_only_without_reduced_motion(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    """With motion the pawn and the cards; without it nothing. Nothing is left behind."""
    one = await phone(server, ayumi, at=trip)
    still = await phone(server, ayumi, reduced_motion="reduce", at=trip)
    await one.locator("#hand form.pack button").tap()
    for page in (one, still):
        await expect(page.locator("#board")).to_have_attribute("data-phase", "move")
        await expect(page.locator("#table")).not_to_have_class(re.compile("is-sending"))
        await page.evaluate(TRAVELS)
    card = await one.locator("#hand .pick [data-card]").first.get_attribute("data-card")
    await answered(one, tap_one)
    version = await one.locator("#pulse").get_attribute("data-version")
    await expect(still.locator("#pulse")).to_have_attribute("data-version", str(version))
    await one.wait_for_function("all => all.every(one => travelled.includes(one))", arg=["pawn-white", card])
    assert await still.evaluate("travelled") == []
    await expect(one.locator(".is-travelling")).to_have_count(0)
    assert await one.locator(f"[data-travels='{card}']").count() == 1


async def open_todays(page: Page, session: Session) -> list[str]:
    """Open today's journey from the lobby in three taps, pack nothing, and return what was dealt."""
    await page.goto(session.get_absolute_url())
    await page.locator('a[href$="/games/"]').first.tap()
    await page.locator('.game-box[href*="journey"]').tap()
    await page.locator("button[name=daily]").tap()
    await page.locator("#hand form.pack button").tap()
    await expect(page.locator("#board")).to_have_attribute("data-phase", "move")
    cards = page.locator("#hand .pick [data-card], #board .day-name")
    return [
        await card.get_attribute("data-card") or (await card.inner_text()).strip()
        for card in await cards.all()
    ]


async def test_todays_journey_is_the_same_for_two(
    server: ThreadServer, phone: Any, session: Session, ayumi: Somebody, bo: Somebody
) -> None:
    def invite() -> None:
        for somebody in (ayumi, bo):
            sit(session, somebody.person)
        games.let_players_open(session=session, allowed=True)

    await database_sync_to_async(invite)()
    one, two = await phone(server, ayumi), await phone(server, bo)
    dealt = await open_todays(one, session)
    assert len(dealt) == 9  # seven places, two cards
    assert await open_todays(two, session) == dealt
    await one.locator("[data-open=menu-sheet]").tap()
    await one.locator("[data-open=leave-sheet]").tap()
    await one.locator("#leaving button").press("Enter")
    await one.locator("#leaving button").press("Enter")
    await expect(one.locator(".bests-today")).to_be_visible()


async def test_a_hidden_lesson_stays_hidden_until_lessons_are_switched_on_again(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=trip)
    line = one.locator("[data-lesson='journey.pack']")
    await line.locator("button:visible").first.tap()  # it may lie folded
    if await line.is_visible():
        await line.locator("[data-understood]").tap()
    await expect(line).to_be_hidden()
    await one.reload()
    await expect(one.locator("#prompt")).to_be_visible()
    await expect(line).to_be_hidden()
    await one.locator("[data-open=menu-sheet]").tap()
    await one.locator("[data-lessons]").uncheck()
    await one.locator("[data-lessons]").check()
    await one.locator("#menu-sheet [data-close]").first.tap()
    await expect(line).to_be_visible()


async def test_a_raised_card_shows_on_the_board_where_all_pawns_go(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=trip)
    await one.locator("#hand form.pack button").tap()
    await one.locator("#hand .pick").first.tap()
    view = await database_sync_to_async(state_of)(trip)
    first = view.me.previews[0]
    landing = one.locator("#board .day.landing")
    await expect(landing).to_have_attribute("data-day", str(first.day))
    await expect(landing.locator('.ghost[data-pawn="white"]')).to_have_count(1)
    for way in first.ways:
        pawn, day = ("a", way.to_a) if way.a else ("b", way.to_b)
        await expect(one.locator(f'#board [data-day="{day}"] .ghost[data-pawn="{pawn}"]')).to_have_count(1)
    await expect(one.locator("#hand .preview:visible")).to_have_count(1)


async def test_without_the_switch_pauses_go_on_by_themselves(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    def pause() -> None:
        state = module.load(bytes(trip.snapshot))
        state.phase, state.letters, state.turn = "draw", 1, 3
        trip.snapshot = encode(state)
        trip.save(update_fields=["snapshot"])

    await database_sync_to_async(pause)()
    one = await phone(server, ayumi, at=trip)
    await expect(one.locator("#hand form[data-pass] button")).to_be_visible()
    await one.locator("[data-open=menu-sheet]").tap()
    await one.locator("[data-journey-pauses]").uncheck()
    await expect(one.locator("#board")).to_have_attribute("data-phase", "move")


async def test_a_full_hand_fits_every_phone(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    def fill() -> None:
        packed = Journey(items="map lantern rucksack")
        trip.snapshot = packed.put(pawns="3 5 7", letters=2, hand="red-2 blue-6 green-1").snapshot
        trip.save(update_fields=["snapshot"])

    await database_sync_to_async(fill)()
    one = await phone(server, ayumi, at=trip)
    await one.locator("#hand .pick").last.tap()
    await expect(one.locator("#hand .preview:visible")).to_have_count(1)
    for width in (320, 360, 390):
        await one.set_viewport_size({"width": width, "height": 844})
        for button in await one.locator("#hand :is(.pick, .hand-more button, .ways:visible button)").all():
            box = await button.bounding_box()
            assert box is None or (box["x"] >= 0 and box["x"] + box["width"] <= width)
        assert await one.evaluate("document.documentElement.scrollWidth") == width


async def test_lost_cards_and_told_stories_stand_above_the_question(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    def ready() -> None:
        days = {1: "blue-2", 5: "red-5 blue-3"}
        journey = Journey().put(days, "5 1 5", hand="red-3 green-6", deck="white-2 white-3 white-4")
        trip.snapshot = journey.snapshot
        trip.save(update_fields=["snapshot"])

    await database_sync_to_async(ready)()
    one = await phone(server, ayumi, at=trip)
    await one.locator("#hand .pick").first.tap()
    await one.locator("#hand .ways:visible button").first.tap()
    lost = one.locator("#told li", has_text="ループ")
    await expect(lost).to_be_visible()
    said = await one.locator("#prompt .say").bounding_box()
    above = await lost.bounding_box()
    assert said
    assert above
    assert above["y"] + above["height"] <= said["y"]


@pytest.mark.parametrize("locale", ["ja-JP", "en-US"])
async def test_cards_are_put_back_by_thumb_and_rows_are_even_on_the_narrowest_phone(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody, locale: str
) -> None:
    def ready() -> None:
        journey = Journey(items="rucksack")
        journey.put({1: "red-2", 4: "blue-2 red-6"}, "1 2 5", hand="yellow-1 green-6 blue-3")
        journey.do("play", card="yellow-1", black="a")
        trip.snapshot = journey.snapshot
        trip.save(update_fields=["snapshot"])

    await database_sync_to_async(ready)()
    one = await phone(server, ayumi, locale=locale, viewport={"width": 320, "height": 640}, at=trip)
    buttons = await one.locator("#hand .backs-choice button").all()
    assert len(buttons) == 6
    for button in buttons:
        box = await button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        assert box["x"] + box["width"] <= 320
    rows = (await one.locator("#board .day[data-day] .events").all())[:4]
    # Green copies along a row: the nearest events of four days stand at one height.
    tops = [await row.evaluate("row => row.getBoundingClientRect().top") for row in rows]
    assert len(set(tops)) == 1
    assert await one.evaluate("document.documentElement.scrollWidth") == 320


# Thought experiments

COMPARE = """([source, cases]) => {
    const trial = new Function(`${source}; return journeyTrial;`)(), unknown = (card) => card === "?";
    const text = (value) => JSON.stringify(value), keyed = (move) => text(Object.entries(move).sort());
    const fits = (told) => (card, i) => unknown(card) || card === told[i];
    const cards = (got, told) => got.length === told.length && got.every(fits(told));
    const plain = ["phase", "turn", "letters", "deck", "acting"];
    const wrong = [];
    for (const { before, move, after, moves } of JSON.parse(cases)) {
        const got = trial.after(before, move);
        const alike = plain.every((name) => got[name] === after[name])
            && cards(got.hand, after.hand) && cards(got.discards, after.discards)
            && text(got.solved.sort()) === text(after.solved.sort()) && text(got.days) === text(after.days)
            && text(Object.entries(trial.score(got)).sort()) === text(Object.entries(after.score).sort())
            && text(got.days.map((cards) => trial.keyPoints(got, cards))) === text(after.points)
            && ["white", "a", "b"].every((pawn) => got.pawns[pawn] === after.pawns[pawn]);
        const may = [...trial.choices(got), ...trial.letterChoices(got)].map(keyed).sort();
        const known = ![...got.hand, ...got.discards].some(unknown);
        const legal = !known || text(may) === text(moves.map(keyed).sort());
        if (!alike || !legal) wrong.push({ before, move, got, after });
    }
    return wrong.slice(0, 3);
}"""


async def test_a_tried_out_move_follows_the_rules_of_the_table(server: ThreadServer, phone: Any) -> None:
    """The few rules in the phone's own code agree with those in Python at every move tried."""
    tried = cases(seeds=12, every=3)
    assert len(tried) > 1000
    source = TRIAL.read_text("utf-8")
    page = await phone(server)
    assert await page.evaluate(COMPARE, [source, msgspec.json.encode(tried).decode()]) == []


async def test_a_tried_out_move_leaves_the_table_alone_until_it_is_committed(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=trip)
    await one.locator("#hand form.pack button").tap()
    await expect(one.locator("#board")).to_have_attribute("data-phase", "move")
    before = await database_sync_to_async(state_of)(trip)
    board = await one.locator("#board").inner_html()
    await one.locator("[data-trial-start]").tap()
    await one.locator("[data-trial-choices] button").first.tap()
    assert await one.locator("#board").inner_html() != board
    await one.locator("[data-trial-back]").tap()
    await expect(one.locator("[data-trial-commit]")).to_be_disabled()
    await one.locator("[data-trial-drop]").tap()
    assert await one.locator("#board").inner_html() == board
    assert await database_sync_to_async(state_of)(trip) == before
    await one.locator("[data-trial-start]").tap()
    await one.locator("[data-trial-choices] button").first.tap()
    score = await one.locator(".board-score").inner_text()
    deck = await one.locator("[data-pile=deck]").inner_text()
    await one.locator("[data-trial-commit]").tap()
    await expect(one.locator("#pulse")).to_have_attribute("data-version", "2")
    after = await database_sync_to_async(state_of)(trip)
    assert (f"{after.so_far.total}点" in score, f"{after.deck_count}枚" in deck) == (True, True)
    way = before.me.previews[0].ways[0]
    assert (after.pawns.white, after.pawns.a, after.pawns.b) == (
        before.me.previews[0].day,
        way.to_a,
        way.to_b,
    )


async def test_a_new_board_replaces_a_tried_out_move(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, at=trip)
    await one.locator("#hand form.pack button").tap()
    await expect(one.locator("#board")).to_have_attribute("data-phase", "move")
    await one.locator("[data-trial-start]").tap()
    await one.locator("[data-trial-choices] button").first.tap()

    def play_another() -> None:
        trip.refresh_from_db()
        legal = module.legal_moves(module.load(bytes(trip.snapshot)), "p1")
        play(trip, "p1", encode([move for move in legal if kind_of(move) == "play"][-1]))

    await database_sync_to_async(play_another)()
    await expect(one.locator("#pulse")).to_have_attribute("data-version", "2")
    board = await one.locator("#board").inner_text()
    await one.reload()
    await expect(one.locator("#connection")).to_have_attribute("data-state", "on")
    assert await one.locator("#board").inner_text() == board


async def test_a_hint_names_a_move_and_how_often_imagined_journeys_came_home(
    server: ThreadServer, phone: Any, trip: Table, ayumi: Somebody
) -> None:
    one = await phone(server, ayumi, locale="en-US", at=trip)
    await one.locator("#hand form.pack button").tap()
    await one.locator("[data-open=hint-sheet]").tap()
    await expect(one.locator("[data-hint-move] .event-mark")).to_have_count(1, timeout=60_000)
    await expect(one.locator("[data-hint-odds]")).to_contain_text("came home", timeout=60_000)
    assert (await database_sync_to_async(state_of)(trip)).turn == 1
