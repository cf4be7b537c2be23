"""The rules of every page and address."""

from __future__ import annotations

import io
import logging
import re
import stat
import uuid
from pathlib import Path

import pytest
import websockets
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client
from django.urls import URLPattern, get_resolver, resolve

from companion.observability.logs import Redacted
from companion.pages.defaults import GuardMiddleware
from companion.server.environment import DATABASE_FILE, home_secret_key, keep_private
from sessions.models import Table
from tests.conftest import Somebody
from tests.servers import ThreadServer

FAR = 10**24


def routes() -> list[str]:
    """Return the pattern of every page but the admin's."""

    def walk(patterns: list[object], before: str) -> list[str]:
        found = []
        for pattern in patterns:
            route = before + str(pattern.pattern)
            if isinstance(pattern, URLPattern):
                found.append(route)
            elif not route.startswith("admin/"):
                found += walk(pattern.url_patterns, route)
        return found

    return walk(get_resolver().url_patterns, "")


def numbered() -> list[str]:
    """Return every address with a number in it, the number far out; the admin's are texts."""
    found = [route for route in routes() if "<int:" in route]
    fills = {"<slug:key>": "hp", "<slug:kind>": "handout", r"<uuid:\w+>": str(uuid.UUID(int=0))}
    for written, value in fills.items():
        found = [re.sub(written, value, route) for route in found]
    return ["/" + re.sub(r"<\w+:\w+>", str(FAR), route).replace("\\Z", "") for route in found]


def is_stopped_before_its_view(address: str) -> bool:
    """True if no view is called for this address, for any person and method."""
    try:
        found = resolve(address)
        GuardMiddleware(lambda _: HttpResponse()).process_view(
            HttpRequest(), found.func, [*found.args], found.kwargs
        )
    except Http404:
        return True
    return False


@pytest.mark.django_db
def test_a_row_number_out_of_range_is_not_found(gm: Somebody, bo: Somebody) -> None:
    addresses = numbered()
    assert len(addresses) > 50
    for address in addresses:
        asks = [gm.client.get]
        if not is_stopped_before_its_view(address):
            asks += [gm.client.post, bo.client.get, bo.client.post, Client().get, Client().post]
        for ask in asks:
            assert ask(address).status_code in (404, 405), address


@pytest.mark.django_db
def test_pages_are_not_stored_in_caches(table: Table, ayumi: Somebody) -> None:
    table_page = table.get_absolute_url()
    paths = [
        "/",
        "/characters/",
        table_page,
        f"{table_page}log/",
        table.session.get_absolute_url(),
        "/account/",
    ]
    for path in paths:
        answer = ayumi.client.get(path)
        assert answer.status_code == 200
        assert "no-store" in answer["Cache-Control"], path


@pytest.mark.django_db
def test_a_page_may_connect_to_its_own_host_only(client: Client) -> None:
    policy = client.get("/", HTTP_HOST="192.168.1.5:8000")["Content-Security-Policy"]
    [connect] = [rule for rule in policy.split("; ") if rule.startswith("connect-src")]
    assert connect == "connect-src 'self' ws://192.168.1.5:8000 wss://192.168.1.5:8000"


@pytest.mark.parametrize("path", ["/ws/", "/ws/none/", f"/ws/tables/{FAR}/", "/ws/faces/x/", "/"])
async def test_a_websocket_to_an_unknown_path_is_refused_without_traceback(
    server: ThreadServer, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(websockets.InvalidStatus) as refused:
        await websockets.connect(server.ws(path), origin=server.url)
    assert refused.value.response.status_code == 403
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize(
    "path",
    [
        "/gm/enter/Abc-_123/",
        "/seat/Abc-_123/",
        "/j/Abc-_123/mine/",
        "/face/Abc-_123/join/",
        "/characters/shared/Abc-_123/",
        "/account/password/new/1-Abc-_123/",
    ],
)
def test_keys_in_addresses_are_redacted_in_the_log(path: str) -> None:
    record = logging.LogRecord("django.request", logging.WARNING, "", 0, "%s: %s", ("Too Many", path), None)
    assert Redacted().filter(record)
    assert "Abc-_123" not in record.getMessage()
    assert record.getMessage().startswith("Too Many: /")


def test_the_terminal_log_is_redacted() -> None:
    written = io.StringIO()
    [console] = [
        handler for handler in logging.getLogger().handlers if Redacted in map(type, handler.filters)
    ]
    before = console.setStream(written)  # type: ignore[attr-defined]
    try:
        logging.getLogger("django.request").warning("Too Many Requests: %s", "/gm/enter/Abc-_123/")
    finally:
        console.setStream(before)  # type: ignore[attr-defined]
    assert written.getvalue().endswith(" Too Many Requests: /gm/enter/…/\n")


def test_the_data_folder_of_a_home_server_is_private(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir(mode=0o755)
    wal = var / f"{DATABASE_FILE}-wal"
    wal.touch(mode=0o644)
    keep_private(var, database=True)
    home_secret_key(var)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [var, *var.iterdir()]}
    assert modes == {"var": 0o700, DATABASE_FILE: 0o600, wal.name: 0o600, "secret-key": 0o600}
    keep_private(tmp_path / "hosted", database=False)
    assert list((tmp_path / "hosted").iterdir()) == []


def test_a_shared_folder_keeps_its_permissions(tmp_path: Path) -> None:
    tmp_path.chmod(0o1777)
    keep_private(tmp_path, database=True)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o1777
