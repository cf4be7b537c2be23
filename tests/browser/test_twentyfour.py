"""Whole games of 24 in real browsers. Phones of three sizes are tapped, and bots play the other seats."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from companion.fate import Fate
from companion.models import Person
from sessions.engine.registry import registry
from sessions.models import Session, Table
from sessions.modules.twentyfour.bot import bot
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import play, sit
from tests.servers import ThreadServer

SIZES = [{"width": 390, "height": 844}, {"width": 320, "height": 640}, {"width": 360, "height": 740}]

#: The buttons that ``answer`` taps, all at once: a game has some fifty answers a phone.
QUICKLY = """() => {
  const press = (selector) => document.querySelector(selector).click();
  if (document.querySelector("form[data-placing]")) {
    for (let n = 0; n < 5; n++) press(".tf-card:not(.is-placed)");
    press("form[data-placing] .btn.primary");
  } else if (document.querySelector(".tf-challenge")) press("#act-decline button");
  else if (document.querySelector(".tf-choices")) press(".tf-choices button:last-child");
  else { press(".tf-style .tf-toggle input"); press(".tf-style .btn.primary"); }
}"""


def open_game(session: Session, people: list[Somebody], seats: int) -> Table:
    """Seat these people, and others who have no device here."""
    others = [Person.objects.create(name=name) for name in ("Alexandra", "みなと")]
    players = [sit(session, person) for person in [*(one.person for one in people), *others][:seats]]
    return opening.open_table(session=session, module_key="twentyfour", players=players)


@pytest.fixture
def game(session: Session, ayumi: Somebody, bo: Somebody, kei: Somebody) -> Table:
    return open_game(session, [ayumi, bo, kei], 3)


def state_of(table: Table) -> Any:
    table.refresh_from_db()
    return registry()["twentyfour"].load(bytes(table.snapshot))


def play_without(table: Table, phones: set[str]) -> str | None:
    """Let the bots play until a phone is asked. Return its seat, None at the end."""
    module = registry()["twentyfour"]
    while waiting := sorted(module.waiting_for(state := state_of(table))):
        if asked := [seat for seat in waiting if seat in phones]:
            return asked[0]
        move = bot(
            module.view(state, waiting[0]),
            module.legal_moves(state, waiting[0]),
            Fate("bots", table.version),
        )
        play(table, waiting[0], msgspec.json.encode(move))
    return None


async def answer(page: Page) -> None:
    """Answer a phone's question with taps."""
    if await page.locator(".tf-detectives").count():
        await page.locator(".tf-detectives button").first.tap()
    elif await page.locator("form[data-placing]").count():
        for _ in range(5):
            await page.locator(".tf-card:not(.is-placed)").first.tap()
        await page.locator("form[data-placing] .btn.primary").tap()
    elif await page.locator(".tf-challenge").count():
        await page.locator(".tf-challenge button").first.tap()
    elif await page.locator(".tf-choices").count():
        await page.locator(".tf-choices button").last.tap()
    else:
        await page.locator(".tf-style .tf-toggle").first.tap()
        await page.locator(".tf-style .btn.primary").tap()


async def shows(page: Page, table: Table) -> None:
    """Wait until a page shows the newest version."""
    await database_sync_to_async(table.refresh_from_db)()
    await reaches(page, table.version)


async def reaches(page: Page, version: int) -> None:
    """Wait, without the pauses of ``expect``, until a page shows at least this version."""
    await page.wait_for_function(
        "version => document.getElementById('pulse').dataset.version >= version", arg=version, timeout=20_000
    )


async def fits(page: Page) -> bool:
    """True if no part of a page lies beside the screen."""
    return bool(await page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.long
@pytest.mark.parametrize(("seats", "played"), [(3, 2), (4, 3), (5, 3)])
async def test_a_game_to_its_end(
    server: ThreadServer,
    phone: Any,
    laptop: Any,
    session: Session,
    ayumi: Somebody,
    bo: Somebody,
    kei: Somebody,
    seats: int,
    played: int,
) -> None:
    people = [ayumi, bo, kei]
    table = await database_sync_to_async(open_game)(session, people, seats)
    face = await laptop(server, at=f"/face/{session.face_key}/")
    phones = {
        f"p{n + 1}": await phone(server, people[n], viewport=SIZES[n], locale="ja-JP" if n < 2 else "en-GB")
        for n in range(played)
    }
    for page in phones.values():
        await page.goto(table.get_absolute_url())
    tapped: dict[str, set[str]] = {seat: set() for seat in phones}
    while seat := await database_sync_to_async(play_without)(table, set(phones)):
        page, version = phones[seat], table.version
        await shows(page, table)
        assert await fits(page)
        # With a finger the first time, and at once from then on.
        kind = await page.locator("#board").get_attribute("data-phase") or ""
        if kind in tapped[seat]:
            await page.evaluate(QUICKLY)
        else:
            await answer(page)
        tapped[seat].add(kind)
        await reaches(page, version + 1)
    assert all({"detectives", "place1", "place2"} <= kinds for kinds in tapped.values())
    for page in [*phones.values(), face]:
        await expect(page.locator(".tf-score tbody tr")).to_have_count(seats, timeout=20_000)
        assert await fits(page)
    for page in phones.values():
        await expect(page.locator(".tf-lines details[open] .tf-total").first).to_be_visible()
    await expect(face.locator("form[data-move]")).to_have_count(0)
    assert await face.evaluate("document.documentElement.scrollHeight <= innerHeight"), "a face cannot scroll"


def choose(game: Table) -> None:
    for seat, detective in (("p1", "wolf"), ("p2", "lloyd"), ("p3", "scotch")):
        play(game, seat, json.dumps({"type": "choose_detective", "detective": detective}).encode())


async def test_the_npc_plays_by_itself_and_in_sight(
    server: ThreadServer, phone: Any, game: Table, ayumi: Somebody
) -> None:
    await database_sync_to_async(choose)(game)
    page = await phone(server, ayumi, at=game)
    npc = page.locator("#row-npc")
    await expect(npc.locator(".tf-act.down")).to_have_count(5)
    await answer(page)
    await expect(page.locator("#row-p1 .tf-act.down")).to_have_count(5)
    await database_sync_to_async(play_without)(game, {"p1"})
    await expect(page.locator("#moment-1")).to_be_attached()
    await expect(npc.locator("td .tf-act:not(.down)")).to_have_count(5)
    await expect(npc.locator(".tf-act.down")).to_have_count(5)


async def test_a_tap_lays_a_card_and_others_move_it_and_take_it_back_and_it_survives_a_reload(
    server: ThreadServer, phone: Any, game: Table, ayumi: Somebody
) -> None:
    await database_sync_to_async(choose)(game)
    page = await phone(server, ayumi, at=game)
    hours = page.locator("[data-hours-placed]")

    async def tap(*what: str) -> None:
        for one in what:
            slot = one.startswith("s")
            await page.locator(f"[data-slot='{one[1:]}']" if slot else f"[data-action='{one}']").first.tap()

    async def lies(*cards: str) -> None:
        for at, card in enumerate(cards):
            await expect(page.locator(f"[data-slot='{at}'] .tf-act")).to_have_count(int(bool(card)))
            await expect(page.locator(f"[data-slot='{at}']")).to_contain_text(card or str(at + 1))

    await tap("6", "4", "5")
    await lies("6", "4", "5", "", "")
    await expect(page.locator("[data-action='4']")).to_have_attribute("aria-pressed", "true")
    await tap("s3")
    await lies("6", "4", "", "5", "")
    await expect(hours).to_have_text("15")
    # What was just laid pushes no other away: a tap there raises that one instead.
    await tap("3", "s0", "s1")
    await lies("4", "6", "3", "5", "")
    await page.reload()
    await lies("4", "6", "3", "5", "")
    await expect(page.locator("form[data-placing] .btn.primary")).to_have_attribute("aria-disabled", "true")
    await tap("5")
    await lies("4", "6", "3", "", "")
    # By keys: a card and the incident it is moved to.
    await page.locator("[data-action='5']").press("Enter")
    await page.locator("[data-slot='4']").press("Enter")
    await lies("4", "6", "3", "", "5")
    await page.locator("[data-clear]").tap()
    await expect(hours).to_have_text("0")
    await tap("hero", "5", "1", "2", "3")
    await page.locator("form[data-placing] .btn.primary").tap()
    await expect(page.locator("#row-p1 .tf-act.down")).to_have_count(5)
    await expect(page.locator("#pulse")).to_have_attribute("data-version", "4")
    state = await database_sync_to_async(state_of)(game)
    assert state.players["p1"].first == ["hero", "5", "1", "2", "3"]


async def test_a_small_phone_hides_nothing_under_the_hand(
    server: ThreadServer, phone: Any, game: Table, ayumi: Somebody
) -> None:
    page = await phone(server, ayumi, viewport={"width": 320, "height": 640}, locale="ja-JP", at=game)
    hidden = """selector => document.querySelector(selector).getBoundingClientRect().bottom
        > document.querySelector(".phone-hand").getBoundingClientRect().top + 1"""
    await expect(page.locator(".tf-detectives button")).to_have_count(5)
    assert await page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "all five in sight"
    await page.locator(".tf-detectives button").nth(1).tap()
    await reaches(page, 1)

    def choose() -> None:
        for seat, detective in (("p2", "lloyd"), ("p3", "hibachi")):
            play(game, seat, json.dumps({"type": "choose_detective", "detective": detective}).encode())

    await database_sync_to_async(choose)()
    await expect(page.locator("form[data-placing]")).to_be_visible()
    assert not await page.evaluate(hidden, "#prompt")
    # A lesson covers nothing until it is asked for; a button brings the one of this question back.
    for lesson in ("goal", "wolf", "place1"):
        words = page.locator(f"[data-lesson='twentyfour.{lesson}']")
        await expect(words).to_be_visible()
        assert not await page.evaluate(hidden, f"[data-lesson='twentyfour.{lesson}']")
        assert await words.evaluate("one => one.offsetHeight") < 50
        await expect(page.locator(".lesson.is-over:visible")).to_have_count(0)
        await words.locator("[data-unfold]").tap()
        assert not await page.evaluate(hidden, f"[data-lesson='twentyfour.{lesson}'] [data-understood]")
        await words.locator("[data-understood]").tap()
        await expect(words).to_be_hidden()
    await page.locator("[data-lesson-again]").tap()
    await expect(page.locator("[data-lesson='twentyfour.place1']")).to_be_visible()
