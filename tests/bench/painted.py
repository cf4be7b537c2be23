"""A move at real pages: from the tap until the last of six has painted it, beside pages that do nothing."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

from playwright.async_api import Browser, BrowserContext, CDPSession, Page, async_playwright

from tests.bench import running
from tests.bench.client import Room
from tests.bench.measuring import REPEATS, Row
from tests.bench.running import SECRET_KEY, product
from tests.bench.wanted import Wanted
from tests.servers import ProcessServer, program

#: The bare page comes from nowhere: it may ask this machine all the same.
MAY_ASK = "--disable-features=LocalNetworkAccessChecks"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", MAY_ASK]
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
#: Seconds after a move that still belong to it: a moment is shown, and gone.
AFTER = 1.5
#: Seconds after a round in which nobody moves.
QUIET = 6.0

#: How slowly a common phone computes, beside this machine.
QUARTER = 4
#: Plays of a phone that is alone, at each speed.
PLAYS = 6

#: Notes when a page was last tapped and had painted its answer to the finger, when it had painted the version
#: it shows, how long a push waited on purpose (LEAD in static/js/moments.js), its tasks of more than 50 ms.
WATCH = """
window.painted = {};
window.held = {};
window.tasks = [];
localStorage.cover = "off";
new PerformanceObserver((list) => tasks.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: "longtask", buffered: true });
document.addEventListener("htmx:ws:before:message:incoming", ({ detail }) => {
  const version = /data-version="(\\d+)"/.exec(detail.message.data)?.[1];
  const wait = detail.waitUntil, came = performance.now();
  detail.waitUntil = (promise) => {
    promise.then(() => { held[version] = performance.now() - came; });
    wait.call(detail, promise);
  };
});
const nextPaint = (note) => requestAnimationFrame(() => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => note(performance.timeOrigin + performance.now());
  port2.postMessage(0);
});
addEventListener("click", (event) => {
  window.tapped = performance.timeOrigin + event.timeStamp;
  nextPaint((when) => { window.reacted = when; });
}, true);
new MutationObserver(([{ target }]) => nextPaint((when) => { painted[target.dataset.version] ??= when; }))
  .observe(document, { subtree: true, attributeFilter: ["data-version"] });
"""

#: A page at the floor: a button with the number of the newest move.
BARE = """<meta name="viewport" content="width=device-width"><button>0</button><script>
const button = document.querySelector("button"), socket = new WebSocket(location.href.replace("http", "ws"));
socket.onmessage = ({ data }) => {
  button.textContent = button.dataset.version = /data-version="(\\d+)"/.exec(data)[1];
};
button.onclick = () => socket.send(JSON.stringify({ version: Number(button.textContent) }));
</script>"""

VERSION = "document.querySelector('[data-version]').dataset.version"
#: Each plays a round; that of the last warms up.
PLAYERS = (1, 2, 3, 4)

#: A move: whose page is tapped, what is tapped before, and what plays it.
Move = tuple[int, list[str], str]


def a_round(player: int) -> list[Move]:
    """Return a check as it is called and played, and hit points down and up."""
    card = "[data-hand] > li:not([data-card^=x]) .pick"
    hit_points = f"#party-p{player} .strip-hp form:%s-of-type button"
    return [
        (0, ["#call-form .step-choice", f"#call-p{player}"], "#call-form button.primary"),
        (player, [card], card),
        (0, [], hit_points % "first"),
        (0, [], hit_points % "last"),
    ]


def a_bare_round(player: int) -> list[Move]:
    return [(number, [], "button") for number in (0, player, 0, 0)]


@dataclass
class Device:
    """One of six pages, and what its browser tells about it."""

    page: Page
    cdp: CDPSession
    received: int = 0

    async def used(self) -> dict[str, float]:
        """Return what its main thread has done: TaskDuration is its processor time in seconds."""
        answer = await self.cdp.send("Performance.getMetrics")
        return {one["name"]: one["value"] for one in answer["metrics"]}

    async def point_at(self, selector: str) -> Callable[[], Awaitable[None]]:
        """Return a tap on something. Playwright's own taps look at the page first, which would count."""
        place = self.page.locator(selector).first
        await place.scroll_into_view_if_needed()
        box = await place.bounding_box()
        assert box, selector
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        has_touch = await self.page.evaluate("'ontouchstart' in window")
        tap = self.page.touchscreen.tap if has_touch else self.page.mouse.click
        return lambda: tap(x, y)

    async def painted(self, version: int) -> float:
        """Wait until the page has painted a version of the table; return when, in milliseconds."""
        while not (when := await self.page.evaluate(f"painted[{version}]")):
            await asyncio.sleep(0.1)
        return float(when)

    async def held(self, version: int) -> float:
        """Return the milliseconds for which the push of a version waited on purpose."""
        return float(await self.page.evaluate(f"held[{version}] ?? 0"))


@dataclass(frozen=True)
class Cost:
    """What the moves of a round cost on average, in milliseconds and bytes."""

    wait: float
    #: The part of the wait that is on purpose.
    held: float
    desk: float
    phone: float
    #: A phone whose own move it is.
    mover: float
    #: How often a phone laid itself out or reckoned styles.
    passes: float
    received: float
    #: The share of the quiet seconds afterwards in which the desk's main thread worked.
    unrest: float

    def __str__(self) -> str:
        return (
            f"  {self.wait:.0f} ms to painted ({self.held:.0f} on purpose), {self.mover:.1f} ms of the "
            f"mover, {self.desk:.1f} of the desk, {self.phone:.1f} of a "
            f"phone in {self.passes:.1f} passes, {self.received / 1000:.1f} kB, {self.unrest:.1%} of quiet"
        )


async def painted(folder: Path) -> list[Row]:
    """A desk and five phones in one browser, at the product and at the floor."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=program("chromium-headless-shell", "chromium"), args=ARGUMENTS
        )
        # As it is served at home: static files compressed, under names that may be kept.
        env = {
            "DJANGO_SETTINGS_MODULE": "companion.settings",
            "DATABASE_URL": f"sqlite:///{folder / 'product.sqlite3'}",
        }
        own = {"TAKUJO_VAR": str(folder), "SECRET_KEY": SECRET_KEY}
        ProcessServer(own | env).manage("collectstatic", "--noinput", "--verbosity", "0")
        with product(folder, [Wanted()], env) as ours:
            [[room]] = ours.rooms
            table = f"http://127.0.0.1:{ours.ports[0]}" + room.laid_out["pages"][0]["path"].split("?")[0]
            url = table.replace("/ws/tables/", "/t/")
            requests, size = await first_load(browser, url, room)
            devices = await opened(browser, url, room)
            warm = await played(devices, a_round(PLAYERS[-1]))
            with running.floor(folder, int(warm.received / len(devices)), [room]) as bare:
                bare_url = f"http://127.0.0.1:{bare.ports[0]}/0"
                bare_devices = await opened(browser, bare_url, bare.rooms[0][0], BARE)
                await played(bare_devices, a_bare_round(PLAYERS[-1]))
                pairs = [
                    (await played(devices, a_round(n)), await played(bare_devices, a_bare_round(n)))
                    for n in PLAYERS[:REPEATS]
                ]
            for device in (*devices, *bare_devices):
                await device.page.context.close()
            alone = {speed: await played_alone(browser, url, room, speed) for speed in (1, QUARTER)}
        await browser.close()
    part, bare_s = "painted, 6 pages", "÷ that of a bare page"
    to_painted, works = "tap → painted on the last page", [(a.wait - a.held) / b.wait for a, b in pairs]
    return [
        Row(part, f"{to_painted} {bare_s}", [a.wait / b.wait for a, b in pairs], "4 at most"),
        Row(part, f"the same without what waits on purpose {bare_s}", works),
        Row(part, "ms a move that wait on purpose", [a.held for a, _ in pairs]),
        Row(part, f"main thread of a phone a move {bare_s}", [a.phone / b.phone for a, b in pairs]),
        Row(part, "ms of the main thread of a phone a move", [a.phone for a, _ in pairs], "15 at most"),
        Row(part, "ms of the main thread of the mover's own phone", [a.mover for a, _ in pairs]),
        Row(part, f"main thread of the desk a move {bare_s}", [a.desk / b.desk for a, b in pairs]),
        Row(part, "ms of the main thread of the desk a move", [a.desk for a, _ in pairs], "50 at most"),
        Row(part, "layouts and styles of a phone a move", [a.passes for a, _ in pairs]),
        Row(part, "share of quiet time the desk works", [a.unrest for a, _ in pairs], "0.01 at most"),
        Row(part, "kB a move to all", [a.received / 1000 for a, _ in pairs], "25 at most"),
        Row("painted, first load of a phone", "requests", [requests], "25 at most"),
        Row("painted, first load of a phone", "kB, compressed", [size / 1000], "70 at most"),
        *(row for speed, plays in alone.items() for row in rows_alone(speed, plays)),
    ]


@dataclass(frozen=True)
class OwnPlay:
    """A card that a phone plays while no other one is open, in milliseconds from the tap."""

    wait: float
    #: Until the card moves under the finger.
    reaction: float
    held: float
    longest_task: float


async def played_alone(browser: Browser, url: str, room: Room, speed: int) -> list[OwnPlay]:
    """Let a phone at a fraction of this machine's speed play its cards; the GM's desk calls for them."""
    devices = await opened(browser, url, room, count=2)
    phone, plays = devices[1], []
    await phone.cdp.send("Emulation.setCPUThrottlingRate", {"rate": speed})
    for number in range(PLAYS + 1):
        for move in a_round(1)[:2]:
            version = await tapped(devices, move)
            for device in devices:
                await device.painted(version)
            await asyncio.sleep(AFTER)
            if move[0] == 0:
                await phone.page.evaluate("tasks.length = 0")
            elif number:  # the first play warms up
                wait = await phone.painted(version) - await phone.page.evaluate("tapped")
                reaction = await phone.page.evaluate("reacted - tapped")
                longest = await phone.page.evaluate("Math.max(0, ...tasks)")
                plays.append(OwnPlay(wait, reaction, await phone.held(version), longest))
    print(f"  alone, 1/{speed} of the speed: {plays}", file=sys.stderr)
    for device in devices:
        await device.page.context.close()
    return plays


def rows_alone(speed: int, plays: list[OwnPlay]) -> list[Row]:
    part = "painted, a phone alone" + (f" at 1/{speed} of the speed" if speed > 1 else "")
    wait, task = ("250 at most", "100 at most") if speed == QUARTER else ("", "50 at most")
    return [
        Row(part, "ms of an own play, tap → painted", [one.wait for one in plays], wait),
        Row(part, "ms of it until the card moves under the finger", [one.reaction for one in plays]),
        Row(part, "ms of it that wait on purpose", [one.held for one in plays]),
        Row(part, "ms of its longest task", [one.longest_task for one in plays], task),
    ]


async def tapped(devices: list[Device], move: Move) -> int:
    """Tap what plays a move; return the version of the table that it makes."""
    number, before, last = move
    for selector in before:
        await (await devices[number].point_at(selector))()
    tap = await devices[number].point_at(last)
    version = int(await devices[0].page.evaluate(VERSION)) + 1
    await tap()
    return version


async def played(devices: list[Device], moves: list[Move]) -> Cost:
    waits, held, received = [], [], sum(one.received for one in devices)
    desk, phones, mover, passes = 0.0, 0.0, 0.0, 0.0
    for number, before, tapped in moves:
        for selector in before:
            await (await devices[number].point_at(selector))()
        tap = await devices[number].point_at(tapped)
        version = int(await devices[0].page.evaluate(VERSION)) + 1
        used = [await one.used() for one in devices]
        await tap()
        when = await asyncio.gather(*(one.painted(version) for one in devices))
        waits.append(max(when) - await devices[number].page.evaluate("tapped"))
        held.append(await devices[when.index(max(when))].held(version))
        await asyncio.sleep(AFTER)
        first, *others = [spent(was, await one.used()) for was, one in zip(used, devices, strict=True)]
        desk += first[0]
        phones += median(time for time, _ in others)
        mover += others[number - 1][0] if number else 0
        passes += median(count for _, count in others)
    worked = await devices[0].used()
    await asyncio.sleep(QUIET)
    cost = Cost(
        wait=fmean(waits),
        held=fmean(held),
        desk=desk / len(moves),
        phone=phones / len(moves),
        mover=mover / sum(1 for number, _, _ in moves if number),
        passes=passes / len(moves),
        received=(sum(one.received for one in devices) - received) / len(moves),
        unrest=spent(worked, await devices[0].used())[0] / 1000 / QUIET,
    )
    print(cost, file=sys.stderr)
    return cost


def spent(was: dict[str, float], now: dict[str, float]) -> tuple[float, float]:
    """Return milliseconds of processor time, and the number of layouts and of styles."""
    gone = {name: now[name] - was[name] for name in now}
    return 1000 * gone["TaskDuration"], gone["LayoutCount"] + gone["RecalcStyleCount"]


async def opened(
    browser: Browser, url: str, room: Room, html: str = "", count: int | None = None
) -> list[Device]:
    """Open a page for everybody, or for so many: the first person's a desk, the others' phones.

    :param html: what is shown instead of what the server would answer.
    """
    devices: list[Device] = []
    for person in room.laid_out["pages"][:count]:
        context = await context_of(browser, PHONE if devices else DESK, person["cookie"])
        if html:
            await context.route("**/*", lambda route: route.fulfill(content_type="text/html", body=html))
        await context.add_init_script(WATCH)
        page = await context.new_page()
        device = Device(page, await context.new_cdp_session(page))
        devices.append(device)
        # Processor time, not that of the clock: all pages share the processors.
        await device.cdp.send("Performance.enable", {"timeDomain": "threadTicks"})
        await device.cdp.send("Network.enable")
        device.cdp.on("Network.webSocketFrameReceived", heard_by(device))
        await page.goto(url)
        await page.wait_for_selector("#connection[data-state=on], button[data-version]", state="attached")
    return devices


def heard_by(device: Device) -> Callable[[dict[str, Any]], None]:
    def hear(frame: dict[str, Any]) -> None:
        device.received += len(frame["response"]["payloadData"].encode())

    return hear


async def context_of(browser: Browser, kind: dict[str, Any], cookie: str) -> BrowserContext:
    context = await browser.new_context(**kind, locale="ja-JP", service_workers="block")
    if cookie:
        await context.add_cookies([{"name": "takujo", "value": cookie, "domain": "127.0.0.1", "path": "/"}])
    return context


async def first_load(browser: Browser, url: str, room: Room) -> tuple[int, int]:
    """Return the requests of a phone that has never been here, and the bytes that come over the network."""
    context = await context_of(browser, PHONE, room.laid_out["pages"][1]["cookie"])
    page = await context.new_page()
    cdp = await context.new_cdp_session(page)
    await cdp.send("Network.enable")
    sizes: list[float] = []
    cdp.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    await page.goto(url, wait_until="networkidle")
    await context.close()
    return len(sizes), int(sum(sizes))
