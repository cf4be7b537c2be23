"""Phones without a browser: the websocket that a page holds, and the HTTP that led to it."""

from __future__ import annotations

import asyncio
import contextlib
import http.cookiejar
import json
import re
import urllib.parse
import urllib.request
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

import websockets

from tests.servers import PATIENCE, Addresses


def squeezed(html: str) -> str:
    """HTML without the line breaks of its templates: one space between words, none beside a bracket."""
    return re.sub(r" ?([<>]) ?", r"\1", re.sub(r"\s+", " ", html))


def timeless(sent: str) -> str:
    """Return what a page was sent without the times of it, which are others in every run."""
    return re.sub(r'(?<="pong": )\d+|(?<=data-at=")\d+|(?<="silence": \{"left": )[\d.]+', "", sent)


class Device(Protocol):
    """A holder of a person's cookies."""

    @property
    def headers(self) -> dict[str, str]: ...


class Visitor:
    """A device that walks through pages by HTTP, keeps its cookies, and takes them to any server."""

    def __init__(self, address: str = "") -> None:
        """With an ``address``, a proxy says that the device comes from there."""
        self.jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self.forwarded = {"X-Forwarded-For": address} if address else {}
        self._opener.addheaders = [*self.forwarded.items()]

    @property
    def cookies(self) -> dict[str, str]:
        return {cookie.name: cookie.value or "" for cookie in self.jar}

    @property
    def headers(self) -> dict[str, str]:
        return {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            **self.forwarded,
        }

    def get(self, server: Addresses, path: str) -> str:
        with self._opener.open(server.url + path, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def post(self, server: Addresses, path: str, **fields: Any) -> str:
        """Send a form and return the path it led to."""
        fields["csrfmiddlewaretoken"] = self.cookies.get("csrftoken", "")
        data = urllib.parse.urlencode(fields, doseq=True).encode()
        with self._opener.open(server.url + path, data, timeout=PATIENCE) as answer:
            return urllib.parse.urlsplit(answer.url).path


def opened(server: Addresses, gm: Visitor) -> tuple[str, str]:
    """Open an evening on the GM's device; return its path and its join code."""
    gm.get(server, "/gm/")
    session = gm.post(server, "/gm/campaigns/", name="無限の蛇", jokers=2)
    # With many open sessions it has more than six digits.
    return session, re.findall(r'class="code">([\d ]+)<', gm.get(server, session))[0].replace(" ", "")


def joined(server: Addresses, code: str, name: str) -> Visitor:
    """Come in by the code, as a stranger's phone does."""
    visitor = Visitor()
    visitor.get(server, f"/j/{code}/")
    visitor.post(server, f"/j/{code}/", name=name, role="player")
    return visitor


class Phone:
    """One websocket as a page holds it."""

    def __init__(self, socket: websockets.ClientConnection) -> None:
        self.socket = socket
        self.version = -1
        self.asked = ""
        self.html: list[str] = []
        self.bytes = ""

    async def receive(self) -> str:
        text = await asyncio.wait_for(self.socket.recv(), PATIENCE)
        assert isinstance(text, str)
        self.bytes += text
        if not text.startswith("{"):
            self.html.append(text)
            mark = re.search(r'data-version="(\d+)" data-asked="(\w*)"', text)
            if mark:
                self.version, self.asked = int(mark[1]), mark[2]
        return text

    async def until_version(self, version: int) -> None:
        while self.version < version:
            await self.receive()

    async def answer(self, *kinds: str) -> dict[str, Any]:
        """Wait for an answer of these kinds ("pong", "go", "nudge"), else to a frame of this phone."""
        while True:
            if (text := await self.receive()).startswith("{"):
                answer = dict(json.loads(text))
                if answer.keys() & set(kinds or ("accepted", "refused")):
                    return answer

    async def pong(self) -> None:
        """Wait until everything that was sent before has been heard."""
        await self.socket.send('{"ping": 1}')
        assert set(await self.answer("pong")) == {"pong"}

    async def closing_code(self) -> int:
        """Wait until the server ends it; return its reason."""
        with contextlib.suppress(websockets.ConnectionClosed):
            while True:
                await self.receive()
        return int(self.socket.close_code or 0)

    async def send(self, move: dict[str, Any], **frame: Any) -> str:
        """Send a move and do not wait; return its id."""
        frame = {"id": str(uuid.uuid4()), "version": self.version, "asked": self.asked, "move": move} | frame
        await self.socket.send(json.dumps(frame))
        return str(frame["id"])

    async def play(self, move: dict[str, Any], **frame: Any) -> dict[str, Any]:
        await self.send(move, **frame)
        return await self.answer()

    async def open_log(self) -> None:
        """Wait until the table is shown, with the sheet of its log opened."""
        await self.until_version(0)
        await self.socket.send('{"opened": "log-sheet"}')
        await self.until_shown('hx-target="#log"')

    async def until_shown(self, words: str) -> None:
        """Wait until something that was sent holds these words."""
        while words not in squeezed(self.bytes):
            await self.receive()


@asynccontextmanager
async def phone(server: Addresses, who: Device | None, path: str, **options: Any) -> AsyncIterator[Phone]:
    """Open the websocket of a page as a person's device does."""
    headers = who.headers if who else {}
    url = server.ws(path)
    async with websockets.connect(
        url, additional_headers=headers, origin=server.url, proxy=None, open_timeout=PATIENCE, **options
    ) as socket:
        yield Phone(socket)
