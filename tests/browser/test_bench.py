"""The bench of a game's author: ``play --game KEY`` on a game that ``startgame`` wrote."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, FrameLocator, Locator, Page, expect

from tests.browser.conftest import NEVER_COVERS
from tests.home import Terminal, surroundings
from tests.servers import PATIENCE, ROOT, free_port


@dataclass(frozen=True)
class Bench:
    port: int
    game: Path

    @property
    def url(self) -> str:
        return f"http://bench.localhost:{self.port}/bench/"

    def save(self, name: str, old: str, new: str) -> None:
        """Replace a piece of a file of the game."""
        file = self.game / name
        text = file.read_text("utf-8")
        assert text.count(old) == 1, (name, old)
        file.write_text(text.replace(old, new), "utf-8")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """A bench with three seats; what it has kept besides the game is gone afterwards."""
    tmp_path = tmp_path_factory.mktemp("bench")
    evenings, scratch = tmp_path / "evenings", tmp_path / "scratch"
    scratch.mkdir()
    terminal = Terminal(surroundings(TAKUJO_VAR=str(evenings), TMPDIR=str(scratch)))
    written = [
        sys.executable,
        ROOT / "manage.py",
        "startgame",
        "quoits",
        "--seats",
        "2-4",
        "--name",
        "Quoits",
    ]
    subprocess.run(written, cwd=tmp_path, env=terminal.environment, check=True, capture_output=True)
    where = ["--games-dir", str(tmp_path / "quoits"), "--port", str(port := free_port())]
    with terminal.evening("--game", "quoits", "--seats", "3", "--secret", "abc", *where) as (
        process,
        printed,
    ):
        at = Bench(port, tmp_path / "quoits" / "quoits")
        assert at.url in printed
        yield at
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    assert list(scratch.iterdir()) == [], "nothing of it is kept"
    assert (evenings / "takujo.sqlite3").stat().st_size == 0, "the author's evenings are elsewhere"


@pytest.fixture
def bench(running: Bench) -> Iterator[Bench]:
    """The same; the game is again as it was afterwards."""
    files = {
        path: path.read_bytes() for path in running.game.rglob("*") if path.is_file() and path.suffix != ".mo"
    }
    yield running
    for path, content in files.items():
        if path.read_bytes() != content:
            path.write_bytes(content)


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser, bench: Bench) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 1600, "height": 900}, locale="ja-JP")
    await context.add_init_script(NEVER_COVERS)
    page = await context.new_page()
    await page.goto(bench.url)
    secret = page.locator("#secret")
    await expect(secret).not_to_have_value("")
    await secret.fill("abc")
    async with page.expect_response("**/bench/begin/"):
        await secret.press("Enter")
    # Frames of the table before would take a press until they show the new one.
    await page.reload()
    await at(page, 0, 0)
    yield page
    await context.close()


def frame(page: Page, key: str) -> FrameLocator:
    return page.frame_locator(f"[data-frame={key}] iframe")


def stay(page: Page, key: str) -> Locator:
    """The button that a seat has while it is asked."""
    return frame(page, key).locator("form[data-move*=stay] button")


async def press(page: Page, key: str, button: Locator) -> None:
    """Press a button in a frame whose scripts are there."""
    await expect(button).to_be_visible()
    await next(each for each in page.frames if f"//{key}." in each.url).wait_for_load_state()
    await button.click()


async def at(page: Page, version: int, of: int) -> None:
    await expect(page.locator("[data-count]")).to_have_text(f"{version} / {of}")


async def hand(page: Page, key: str) -> list[int]:
    cards = frame(page, key).locator("#hand [data-card]")
    await expect(cards.first).to_be_visible()
    return [int(await card.get_attribute("data-card") or 0) for card in await cards.all()]


async def data(page: Page, key: str) -> Any:
    shown = page.locator(f"[data-frame={key}] pre")
    if await shown.is_hidden():
        await page.locator(f"[data-frame={key}] [data-toggle]").click()
    await expect(shown).to_be_visible()
    return json.loads(await shown.inner_text())


def test_the_bench_answers_to_its_own_host_names_only(bench: Bench) -> None:
    hosts = {"bench.localhost": 200, "p1.bench.localhost": 200, "localhost": 400, "evil.test": 400}
    for host, status in hosts.items():
        line = HTTPConnection("127.0.0.1", bench.port)
        line.request("GET", "/bench/now/", headers={"Host": f"{host}:{bench.port}"})
        assert line.getresponse().status == status, host
        line.close()


async def test_the_bench_plays_all_seats_side_by_side_and_steps_back(page: Page, bench: Bench) -> None:
    await press(page, "p1", stay(page, "p1"))
    await at(page, 1, 1)
    await expect(stay(page, "p2")).to_be_visible()
    await expect(page.locator("[data-frame=p2]")).to_have_attribute("data-waits", "")
    await expect(page.locator("[data-frame=p1]")).not_to_have_attribute("data-waits", "")
    await expect(page.locator("[data-move]")).to_have_text("p1 stay")
    await expect(frame(page, "face").get_by_text("p2").first).to_be_visible()

    bot = page.locator("[data-frame=p2] select")
    await bot.select_option("random")
    await at(page, 2, 2)
    await expect(frame(page, "p2").get_by_text("ボットが代わりに遊んでいます。", exact=True)).to_be_visible()

    await page.locator("[data-step='-1']").click()
    await at(page, 1, 2)
    await expect(stay(page, "p2")).to_be_visible()
    await expect(bot).to_have_value("")
    await page.locator("[data-step='1']").click()
    await at(page, 2, 2)
    await expect(stay(page, "p3")).to_be_visible()
    # A move in the past takes the place of what came after it.
    for version in (1, 0):
        await page.locator("[data-step='-1']").click()
        await at(page, version, 2)
    await press(page, "p1", stay(page, "p1"))
    await at(page, 1, 1)


async def test_the_bench_gives_each_seats_view_as_data_without_hidden_cards(page: Page, bench: Bench) -> None:
    hands = {key: await hand(page, key) for key in ("p1", "p2", "p3")}
    known = {key: await data(page, key) for key in hands}
    for key, cards in hands.items():
        assert known[key]["view"]["hand"] == cards
        others = {str(card) for other in hands.keys() - {key} for card in hands[other]}
        assert others.isdisjoint(re.findall(r'"(?:card|laid)": (\d+)', json.dumps(known[key])))
    assert {"type": "lay", "card": hands["p1"][0]} in known["p1"]["legal_moves"]
    assert known["p1"]["asked"] == ["p1", 0]
    assert (known["p2"]["asked"], known["p2"]["legal_moves"]) == (None, [])
    assert (await data(page, "face"))["view"]["hand"] is None

    await page.locator("#secret").fill("another")
    await page.keyboard.press("Enter")
    await expect(frame(page, "p1").locator(f"#hand [data-card='{hands['p1'][0]}']")).to_have_count(0)
    assert await hand(page, "p1") != hands["p1"]
    await page.locator("#secret").fill("abc")
    await page.keyboard.press("Enter")
    for card in hands["p1"]:
        await expect(frame(page, "p1").locator(f"#hand [data-card='{card}']")).to_be_visible()


async def test_the_bench_reloads_saved_files_and_reports_errors_in_them(page: Page, bench: Bench) -> None:
    problems = page.locator(".bench-problems")
    await press(page, "p1", stay(page, "p1"))
    await at(page, 1, 1)

    templates = "templates/tables/quoits"
    bench.save(f"{templates}/_prompt.jinja", '<p class="say', '<p>A new line</p>\n  <p class="say')
    await expect(frame(page, "p3").get_by_text("A new line")).to_be_visible()
    bench.save("locale/ja/LC_MESSAGES/django.po", 'msgstr "やめる"', 'msgstr "ここまで"')
    await expect(stay(page, "p2")).to_have_text("ここまで")
    bench.save("static/tables/quoits/table.css", "@layer game {", "@layer game {\n  #prompt { opacity: .5; }")
    await expect(frame(page, "p2").locator("#prompt")).to_have_css("opacity", "0.5")

    bench.save(
        "rules.py", "        case Stay():\n", '        case Stay():\n            demand(0, "no", "QU-9.9")\n'
    )
    await expect(problems).to_contain_text("1手目（p1 stay）")
    await expect(problems).to_contain_text("no rule=QU-9.9")
    await at(page, 0, 1)
    await expect(stay(page, "p1")).to_be_visible()
    bench.save("rules.py", '            demand(0, "no", "QU-9.9")\n', "")
    await at(page, 1, 1)
    await expect(problems).to_be_hidden()
    await expect(stay(page, "p2")).to_be_visible()

    bench.save("rules.py", "def setup(", "def setup((")
    await expect(problems).to_contain_text("SyntaxError")
    await expect(problems).to_contain_text("rules.py")
    bench.save("rules.py", "def setup((", "def setup(")
    await expect(problems).to_be_hidden()
    await at(page, 1, 1)
    await expect(stay(page, "p2")).to_be_visible()

    # What a game does wrongly is told as well.
    hand, right = (
        "templates/tables/quoits/_hand.jinja",
        '{{ act("stay", sends("stay"), pgettext("quoits", "Stay")) }}',
    )
    await page.locator("[data-step='-1']").click()
    await at(page, 0, 1)
    await expect(stay(page, "p1")).to_be_visible()
    bench.save(hand, 'sends("stay")', 'sends("stand")')
    await expect(problems).to_contain_text("quoits has no move 'stand'")
    bench.save(hand, 'sends("stand")', 'sends("stay")')
    await expect(problems).to_be_hidden()

    wrong = '<form {{ sends("stay") }}><button name="cards" value="1">Stay</button></form>'
    bench.save(hand, right, wrong)
    await press(page, "p1", frame(page, "p1").get_by_role("button", name="Stay"))
    await expect(problems).to_contain_text("unknown field `cards`")
    await at(page, 0, 1)
    bench.save(hand, wrong, """<form data-move='stay'><button>Stay</button></form>""")
    await press(page, "p1", frame(page, "p1").locator("form[data-move=stay] button"))
    await expect(problems).to_contain_text("p1: Uncaught SyntaxError")
    bench.save(hand, "<form data-move='stay'><button>Stay</button></form>", right)
    await expect(problems).to_be_hidden()

    bench.save("view.py", "def view(", "def view(*_):\n    raise KeyError('out of sight')\n\n\ndef seen(")
    await expect(problems).to_contain_text("KeyError: 'out of sight'")


#: What of the ring and of the way in does not lie whole on a television, and a face without room.
OFF_THE_TV = """() => {
  const wrong = [], face = document.getElementById("face").getBoundingClientRect();
  const isWide = face.width > .7 * innerWidth && face.left < .1 * innerWidth;
  if (!isWide) wrong.push(`face: ${face.left}, ${face.width}`);
  for (const part of document.querySelectorAll(".seat-ring > li, .join-corner .qr")) {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const isWhole = left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
    if (!isWhole) wrong.push(`${part.className} ${part.innerText}`);
  }
  return wrong;
}"""


async def test_a_ring_of_seats_fills_a_television_beside_the_join_code(page: Page) -> None:
    """The face has a column of its own, also with other parts before it."""
    await expect(frame(page, "face").locator(".seat-ring > li")).to_have_count(4)
    opened = next(each for each in page.frames if "/face/" in each.url)
    tv = await page.context.new_page()
    for width, height in ((1920, 1080), (1280, 720)):
        await tv.set_viewport_size({"width": width, "height": height})
        await tv.goto(opened.url)
        await expect(tv.locator(".seat-ring > li")).to_have_count(4)
        assert await tv.evaluate(OFF_THE_TV) == []
        await tv.evaluate("document.getElementById('table').prepend(document.createElement('div'))")
        assert await tv.evaluate(OFF_THE_TV) == []
