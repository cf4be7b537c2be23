"""Every page under axe, on a narrow phone and under a thumb, in Japanese by night and in English by day."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from channels.db import database_sync_to_async
from playwright.async_api import Page, expect

from characters import access
from characters.models import Character
from characters.services import drafts, experience
from characters.services.experience import Offer
from companion.models import Person
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Role, Seat, Session, Table
from tests.conftest import Somebody
from tests.evening import call, play, sit
from tests.games import played
from tests.servers import LAN_NAME, ThreadServer
from tests.sessions.test_replay_page import play_on

LOOKS = {
    "ja dark": {"locale": "ja-JP", "color_scheme": "dark"},
    "en light": {"locale": "en-GB", "color_scheme": "light"},
}
PIECE = (
    '{"kind":"character","data":{"name":"朔","memo":"庭の主。","status":[{"label":"HP","value":3,"max":5}]}}'
)
PHONE, NARROW = (390, 844), [(360, 740), (320, 568)]
#: axe cannot follow imports of style sheets. An experimental rule alone reads them, which nobody asks for.
#: Without lists of all that is well it is several times as fast.
OPTIONS = {"preload": {"assets": ["media"]}, "resultTypes": ["violations"]}

#: What lies below an open sheet was examined before it was opened.
EXAMINE = """(options) => axe.run(document.querySelector("dialog:modal") ?? document, options)"""

SIDEWAYS = """() => {
  const width = document.documentElement.clientWidth, wide = document.documentElement.scrollWidth - width;
  if (wide <= 0) return [];
  const all = [...document.body.querySelectorAll("*")];
  const first = all.find(e => e.getBoundingClientRect().right > width + 0.5);
  return [`scrolls sideways by ${wide} px: ${first ? first.outerHTML.slice(0, 90) : ""}`];
}"""

#: A label belongs to its field, and a link in running text is as high as its line.
SMALL_TARGETS = """() => {
  const found = [], touched = "button, a[href], input, select, textarea, summary, [role=button]";
  for (const e of document.querySelectorAll(touched)) {
    const style = getComputedStyle(e), line = style.display === "inline" && e.closest("p, li, dd, td");
    if (e.type === "hidden" || e.matches(".skip, [tabindex='-1']") || (e.tagName === "A" && line)) continue;
    if (!e.checkVisibility({visibilityProperty: true, opacityProperty: false})) continue;
    const boxes = [e, ...(e.labels || [])].map(part => part.getBoundingClientRect());
    const width = Math.max(...boxes.map(box => box.width));
    const height = Math.max(...boxes.map(box => box.height));
    if (!width || !height) continue;
    if (width < 43.5 || height < 43.5)
      found.push(`${Math.round(width)} by ${Math.round(height)} px: ${e.outerHTML.slice(0, 90)}`);
  }
  return found;
}"""


class Examiner:
    """Walks pages of one device and remembers their faults."""

    def __init__(self, page: Page, look: str) -> None:
        self.page, self.look = page, look
        self.hurts: list[str] = []

    async def at(self, name: str, path: str | None = None, *, thumbs: bool = True) -> None:
        """Examine what the page shows now, or shows at this path."""
        if path:
            answer = await self.page.goto(path)
            assert answer
            assert answer.status == 200, path
        # What a tap has led to may stand there before its style sheets, which import others.
        await self.page.wait_for_load_state()
        found = await self._axe()
        if await self.page.evaluate("document.documentElement.lang") != self.look[:2]:
            found.append("speaks another language than its lang says")
        found += await self.page.evaluate(SIDEWAYS)
        if thumbs:
            found += await self.page.evaluate(SMALL_TARGETS)
            for width, height in NARROW:
                await self.page.set_viewport_size({"width": width, "height": height})
                found += [f"at {width} px {hurt}" for hurt in await self.page.evaluate(SIDEWAYS)]
            await self.page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        self.hurts += [f"{name}: {hurt}" for hurt in dict.fromkeys(found)]

    async def _axe(self) -> list[str]:
        if not await self.page.evaluate("'axe' in window"):
            await self.page.evaluate(AXE_SCRIPT)
        result = await self.page.evaluate(EXAMINE, OPTIONS)
        return [
            f"{v['id']} ({v['impact']}): {node['html'][:120]} {node.get('failureSummary', '')[:200]}"
            for v in result["violations"]
            for node in v["nodes"][:2]
        ]

    async def sheet(self, name: str, selector: str) -> None:
        """Examine a dialog that slides up, and close it."""
        await self.page.locator(selector).first.click()
        await expect(self.page.locator("dialog[open]")).to_be_visible()
        await self.at(name)
        await self.page.keyboard.press("Escape")
        await expect(self.page.locator("dialog[open]")).to_have_count(0)


Examine = Callable[..., Awaitable[Examiner]]


@pytest.fixture(params=["ja dark", pytest.param("en light", marks=pytest.mark.long)])
def examine(request: pytest.FixtureRequest, server: ThreadServer) -> Examine:
    """Make a person's device that examines its own pages."""

    async def examine(devices: Any, who: Somebody | None = None) -> Examiner:
        page = await devices(server, who, reduced_motion="reduce", **LOOKS[request.param])
        return Examiner(page, request.param)

    return examine


@pytest.fixture
def sheet(ayumi: Somebody) -> Character:
    """A finished character of Ayumi's."""
    return create_character(ayumi.person, SAMPLES[0])


#: For pages that stand for all others; the rest of the English walks by day is for make test-long.
both_looks = pytest.mark.parametrize("examine", LOOKS, indirect=True)


async def move(table: Table, raw: bytes, seat: str = "gm") -> None:
    await database_sync_to_async(play)(table, seat, raw)


async def shown(page: Page, version: int) -> None:
    await expect(page.locator("#table")).to_have_attribute("data-version", str(version))


@both_looks
async def test_home_sign_in_and_join_pages_are_accessible(
    examine: Examine, phone: Any, session: Session
) -> None:
    one = await examine(phone)
    await one.at("home", "/")
    await one.at("sign-in", "/account/sign-in/")
    await one.at("sign-up", "/account/sign-up/")
    await one.at("forgotten", "/account/password/forgotten/")
    await one.at("enter code", "/j/")
    await one.at("join", f"/j/{session.code}/")
    await one.at("a game alone", "/games/twentyfour/")
    await one.page.locator('button[name="friends"]').click()
    await expect(one.page.locator("#lounge .qr")).to_be_visible()
    await one.at("among friends")
    assert one.hurts == []


async def test_character_list_import_and_sheet_pages_are_accessible(
    examine: Examine, phone: Any, sheet: Character, ayumi: Somebody
) -> None:
    one = await examine(phone, ayumi)
    await one.at("shelf", "/characters/")
    await one.at("bring", "/characters/bring/")
    await one.page.locator("textarea").fill(PIECE)
    await one.page.locator("form button.primary").click()
    await expect(one.page.locator(".facts")).to_be_visible()
    await one.at("brought")
    await one.at("creation", "/characters/new/")
    await one.at("sheet", f"/characters/{sheet.pk}/")
    assert one.hurts == []


async def test_account_and_personal_data_pages_are_accessible(
    examine: Examine, phone: Any, sheet: Character, ayumi: Somebody, bo: Somebody
) -> None:
    def left() -> None:
        drafts.start_draft(owner=bo.person, method="standard", name="ロク")
        access.set_visibility(character=sheet, visibility="public")
        access.make_link(character=sheet)

    await database_sync_to_async(left)()
    one = await examine(phone, ayumi)
    await one.page.context.add_cookies(
        [
            {"name": name, "value": value, "domain": LAN_NAME, "path": "/"}
            for name, value in bo.cookies.items()
        ]
    )
    await one.at("account", "/account/")
    await one.at("password", "/account/password/")
    await one.at("what is kept", "/account/data/")
    await one.at("confirm", "/account/delete/")
    await one.at("sheet with a link", f"/characters/{sheet.pk}/")
    stranger = await examine(phone, bo)
    await stranger.at("guest's shelf", "/characters/")
    await stranger.at("erasure", "/account/delete/")
    await stranger.at("somebody's sheet", f"/characters/{sheet.pk}/")
    assert one.hurts + stranger.hurts == []


@pytest.mark.usefixtures("reference_rows")
async def test_experience_and_sheet_history_pages_are_accessible(
    examine: Examine,
    phone: Any,
    session: Session,
    seats: list[Seat],
    sheet: Character,
    gm: Somebody,
    ayumi: Somebody,
) -> None:
    def the_night_ends() -> None:
        seats[0].character = sheet
        seats[0].save()
        gm.client.post(f"/s/{session.pk}/end/")
        for line in ("led", "solved", "noticed", "acted", "supported"):
            ayumi.client.post(f"/s/{session.pk}/experience/{line}/1/")

    def the_gm_confirms() -> None:
        gm.client.post(f"/s/{session.pk}/experience/confirm/")
        experience.buy(character=sheet, offer=Offer("skill", 3, 9), bought="追跡")

    await database_sync_to_async(the_night_ends)()
    one, desk = await examine(phone, ayumi), await examine(phone, gm)
    await one.at("checklist", session.get_absolute_url())
    await one.at("sheet with a checklist", f"/characters/{sheet.pk}/")
    await desk.at("the GM's checklist", session.get_absolute_url())
    await desk.sheet("confirm", f"[data-open=confirm-{seats[0].pk}]")
    await database_sync_to_async(the_gm_confirms)()
    await one.at("confirmed", session.get_absolute_url())
    await one.page.goto(f"/characters/{sheet.pk}/")
    await one.page.locator(".ledger summary").click()
    await one.at("ledger")
    await one.at("history", f"/characters/{sheet.pk}/history/")
    await one.at("revision", f"/characters/{sheet.pk}/history/1/")
    await one.at("edit", f"/characters/{sheet.pk}/edit/")
    await desk.at("a seat's sheet", f"/s/{session.pk}/seats/{seats[0].pk}/character/")
    assert one.hurts + desk.hurts == []


@both_looks
async def test_a_players_lobby_and_table_are_accessible(
    examine: Examine, phone: Any, session: Session, table: Table, sheet: Character, ayumi: Somebody
) -> None:
    one = await examine(phone, ayumi)
    await one.at("lobby", session.get_absolute_url())
    await one.at("table, idle", table.get_absolute_url())
    for name in ("log", "chat", "me", "rules", "menu"):
        await one.sheet(f"table, {name}", f"[data-open={name}-sheet]")
    for name in ("settings", "state"):
        await one.page.locator("[data-open=menu-sheet]").click()
        await one.sheet(f"table, {name}", f"[data-open={name}-sheet]")
    await move(table, call("p1", 3))
    await shown(one.page, 1)
    await one.at("table, asked")
    await move(table, b'{"type": "cancel"}')
    await move(table, json.dumps({"type": "set_hp", "who": "p1", "hp": 1}).encode())
    await expect(one.page.locator("#act-discard")).to_be_visible()
    await one.at("table, discarding")
    await one.at("log page", f"{table.get_absolute_url()}log/")
    assert one.hurts == []


@pytest.mark.usefixtures("reference_rows")
async def test_the_gms_preparation_pages_are_accessible(
    examine: Examine, phone: Any, session: Session, gm: Somebody
) -> None:
    campaign = f"/gm/campaigns/{session.campaign_id}/"

    def written() -> None:
        post = gm.client.post
        post(f"{campaign}ready/handouts/", {"title": "HO1", "text": "嵐の夜", "secret": "父の罪"})
        post(f"{campaign}ready/notes/", {"title": "霧の港", "text": "船長は嘘をついている"})
        post(f"{campaign}ready/checks/", {"label": "崖を登る", "difficulty": "3"})
        post("/gm/npcs/new/", {"name": "港の用心棒", "rank": "2"})

    one = await examine(phone, gm)
    await one.at("empty library", "/gm/npcs/")
    await one.at("nothing ready", f"{campaign}ready/")
    await database_sync_to_async(written)()
    await one.at("library", "/gm/npcs/")
    await one.at("new NPC", "/gm/npcs/new/")
    await one.page.goto("/gm/npcs/")
    await one.page.get_by_role("link", name="港の用心棒").click()
    await one.page.locator("details summary").first.click()
    await one.at("NPC")
    await one.at("what lies ready", f"{campaign}ready/")
    for kind in ("handouts", "notes", "checks"):
        await one.at(kind, f"{campaign}ready/{kind}/")
    await one.at("house rules", f"{campaign}house-rules/")
    await one.at("rules", f"/rules/uroboros/?campaign={session.campaign_id}")
    await one.at("chat, set up", f"/s/{session.pk}/chat/")
    assert one.hurts == []


@pytest.mark.usefixtures("seats")
async def test_pages_that_move_a_seat_to_another_phone_are_accessible(
    examine: Examine, phone: Any, session: Session, ayumi: Somebody
) -> None:
    one, other = await examine(phone, ayumi), await examine(phone)
    await other.at("claim", f"/j/{session.code}/mine/")
    await other.page.locator("form button.big").first.click()
    await expect(other.page.locator("[data-waiting]")).to_be_visible()
    await other.at("claimed")
    await one.page.goto(session.get_absolute_url())
    await one.page.locator("#my_place button").nth(1).click()
    await expect(one.page.locator(".qr")).to_be_visible()
    await one.at("seat link")
    address = await one.page.locator(".address").inner_text()
    await other.at("take a seat", f"/seat/{address.split('/seat/')[1]}")
    assert one.hurts + other.hurts == []


async def test_report_and_verification_pages_are_accessible(
    examine: Examine, phone: Any, session: Session, table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    def the_night_ends() -> None:
        play_on(table, 12)
        gm.client.post(f"/s/{session.pk}/chat/", {"tab": "main", "text": "おつかれさまでした"})
        gm.client.post(f"/s/{session.pk}/end/")
        gm.client.post(f"/s/{session.pk}/report/share/", {"open": "1"})

    def the_secrets_open() -> None:
        gm.client.post(f"/s/{session.pk}/report/secrets/", {"open": "1"})

    one, desk = await examine(phone, ayumi), await examine(phone, gm)
    await one.at("report so far", f"/s/{session.pk}/report/")
    await database_sync_to_async(the_night_ends)()
    for examiner in (one, desk):
        await examiner.at("ended", session.get_absolute_url())
        await examiner.at("report", f"/s/{session.pk}/report/")
        await examiner.at("night's log", f"/s/{session.pk}/log/")
        await examiner.at("replay", f"/t/{table.pk}/replay/")
    await one.at("verify, closed", f"/s/{session.pk}/verify/")
    await database_sync_to_async(the_secrets_open)()
    await one.at("verify", f"/s/{session.pk}/verify/")
    await one.page.locator("main button.primary").click()
    await expect(one.page.locator("#verify-result")).to_have_attribute("data-state", "all")
    await one.at("verified")
    await one.at("chat, closed", f"/s/{session.pk}/chat/")
    key = (await database_sync_to_async(Session.objects.get)(pk=session.pk)).replay_key
    stranger = await examine(phone)
    await stranger.at("shared report", f"/r/{key}/")
    await stranger.at("shared replay", f"/r/{key}/{table.pk}/")
    assert one.hurts + desk.hurts + stranger.hurts == []


@both_looks
async def test_the_book_of_evenings_is_accessible(
    examine: Examine, phone: Any, session: Session, ayumi: Somebody
) -> None:
    """Eight people whose names are as long as names can be."""

    def played_together() -> Table:
        names = ["ヴィクトリア・アンジェリ", "Maximiliana1", "東海道中膝栗毛弥次喜多珍", *"二三四五"]
        people = [ayumi.person, *(Person.objects.create(name=name) for name in names)]
        seats = [sit(session, person) for person in people]
        duel = played(session, "liarmafia", seats[:2])
        played(session, "goodcop", seats)
        return duel

    duel = await database_sync_to_async(played_together)()
    one = await examine(phone, ayumi)
    await one.at("book", "/book/")
    await one.at("all of one's own", "/book/mine/")
    await one.at("between two", f"/book/{duel.pk}/")
    await one.at("between eight", f"/book/{duel.pk + 1}/")
    await one.at("standings", f"/campaigns/{session.campaign_id}/standings/")
    await one.at("end of a game", f"/t/{duel.pk}/")
    assert one.hurts == []


async def test_a_spectators_table_is_accessible(
    examine: Examine, phone: Any, session: Session, kei: Somebody, table: Table
) -> None:
    await database_sync_to_async(sit)(session, kei.person, Role.SPECTATOR)
    one = await examine(phone, kei)
    await one.at("table, watching", table.get_absolute_url())
    assert one.hurts == []


async def test_the_gms_pages_are_accessible_on_a_phone(
    examine: Examine, phone: Any, session: Session, seats: list[Seat], gm: Somebody
) -> None:
    one = await examine(phone, gm)
    await one.at("desk", "/gm/")
    await one.at("campaign", f"/gm/campaigns/{session.campaign_id}/")
    await one.at("a campaign's file", "/gm/campaigns/bring/")
    await one.at("lobby", session.get_absolute_url())
    await one.at("join card", f"/face/{session.face_key}/join/")
    assert one.hurts == []


async def test_the_gms_screen_and_the_table_face_are_accessible(
    examine: Examine, laptop: Any, session: Session, table: Table, gm: Somebody
) -> None:
    one = await examine(laptop, gm)
    await one.at("desk", "/gm/", thumbs=False)
    await one.at("lobby", session.get_absolute_url(), thumbs=False)
    await one.at("join card", f"/face/{session.face_key}/join/", thumbs=False)
    await one.at("GM's table", table.get_absolute_url(), thumbs=False)
    await move(table, call("p1", 3))
    await shown(one.page, 1)
    await one.at("GM's table, called", thumbs=False)
    await one.at("table face", f"/face/{session.face_key}/", thumbs=False)
    assert one.hurts == []
