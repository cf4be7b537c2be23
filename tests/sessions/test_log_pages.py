"""Logs page by page: every line on one page, and no page tells how much others may read."""

from __future__ import annotations

import re
import uuid
from itertools import islice, product
from typing import Any

import pytest
from django.utils.dateparse import parse_datetime

from sessions.chat import messages
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import nights
from sessions.game import Event
from sessions.models import Move, Role, Seat, Session, Tab, Table
from sessions.report import audience, logs
from sessions.table import log, table_cache
from sessions.table.log import decode_events
from tests.bench import scripts
from tests.bench.lay_out import advance
from tests.conftest import Somebody
from tests.evening import play, sit

pytestmark = pytest.mark.django_db

MOVES = 2 * log.PAGE + 7
SECRET = "himitsu-no-shirushi"
PART = {"HX-Request": "true"}


def whisper(table: Table, numbers: list[int], *, beside: bool) -> None:
    """Let these moves have told p2 something, in private alone or beside their lines for everybody."""
    for move in table.moves.filter(number__in=numbers):
        said = Event("declared", {"seat": "p2", "text": f"{SECRET} {move.number}"}, ("p2",))
        public = decode_events(move.events) if beside else []
        Move.objects.filter(pk=move.pk).update(events=encode([*public, said]))


@pytest.fixture
def long(table: Table) -> Table:
    """A table with a log of several pages; every seventh move says something to p2 as well."""
    advance(table, registry()[table.module], islice(scripts.usual(2), MOVES))
    table_cache.invalidate_table()
    whisper(table, list(range(1, MOVES, 7)), beside=True)
    return Table.objects.get(pk=table.pk)


def way(page: str, word: str) -> str | None:
    found = re.search(rf'href="\?([^"]*\b{word}=\d+)"\s+hx-get', page)
    return found and "?" + found[1].replace("&amp;", "&")


def entries(page: str) -> list[str]:
    return re.findall(r'<li class="log-move" id="(move-\d+)"', page)


def leaf(who: Somebody, address: str, first: str, word: str, **headers: Any) -> list[str]:
    """Go through the pages of a log by the links that a page has."""
    pages, there = [], first
    while there is not None:
        pages.append(who.client.get(address + there, **headers).content.decode())
        there = way(pages[-1], word)  # type: ignore[assignment]
    return pages


def test_paging_the_log_in_either_direction_shows_every_move_once(
    long: Table, gm: Somebody, ayumi: Somebody
) -> None:
    address, everything = f"/t/{long.pk}/log/", [f"move-{n}" for n in range(1, MOVES + 1)]
    for who in (gm, ayumi):
        back = leaf(who, address, "", "before")
        assert entries("".join(reversed(back))) == everything
        assert [len(entries(page)) for page in back] == [log.PAGE] * 2 + [7]
        on = leaf(who, address, "?from=start", "from")
        assert entries("".join(on)) == everything


def test_an_htmx_request_gets_log_entries_and_a_link_in_one_direction(long: Table, ayumi: Somebody) -> None:
    address = f"/t/{long.pk}/log/"
    first = ayumi.client.get(address).content.decode()
    there = way(first, "before")
    assert there
    answer = ayumi.client.get(address + there, headers=PART)
    part = answer.content.decode()
    assert "<html" not in part
    assert "HX-Request" in answer["Vary"]
    assert (len(entries(part)), way(part, "from")) == (log.PAGE, None)
    assert way(ayumi.client.get(address + there).content.decode(), "from"), "a whole page leads both ways"


def test_a_log_address_can_begin_at_a_move(long: Table, ayumi: Somebody) -> None:
    page = ayumi.client.get(f"/t/{long.pk}/log/?from=12").content.decode()
    assert entries(page)[0] == "move-12"


@pytest.mark.parametrize("beside", [True, False])
def test_log_pages_do_not_tell_how_many_lines_other_seats_may_read(
    table: Table, ayumi: Somebody, bo: Somebody, kei: Somebody, beside: bool
) -> None:
    """Pages of two logs that differ in what p2 alone was told are the same to the byte."""
    sit(table.session, kei.person, Role.SPECTATOR)
    count = log.PAGE + 30
    advance(table, registry()[table.module], islice(scripts.usual(2), count))
    table_cache.invalidate_table()
    told = [*range(5, count, 6), count - log.PAGE, count]
    if not beside:
        Move.objects.filter(table=table, number__in=told).update(events=encode([]))

    def seen(who: Somebody) -> list[str]:
        pages = []
        for address in (f"/t/{table.pk}/log/", f"/s/{table.session_id}/log/"):
            pages += leaf(who, address, "", "before", headers=PART)
            pages += leaf(who, address, "?from=start", "from")
        return [re.sub(r"csrfmiddlewaretoken.*?>|nonce=\S*", "", page) for page in pages]

    others = (ayumi, kei)
    if not beside:
        first, last = leaf(kei, f"/t/{table.pk}/log/", "", "before")
        assert (len(entries(first)), len(entries(last))) == (log.PAGE, count - len(set(told)) - log.PAGE)
    before, bos = [seen(who) for who in others], seen(bo)
    whisper(table, told, beside=beside)
    assert [seen(who) for who in others] == before
    assert not any(SECRET in page for pages in before for page in pages)
    mine = seen(bo)
    assert mine != bos
    assert {int(n) for page in mine for n in re.findall(rf"{SECRET} (\d+)", page)} == set(told)


def test_every_move_but_the_newest_has_a_rewind_link_on_any_log_page(long: Table, gm: Somebody) -> None:
    address = f"/t/{long.pk}/log/"
    back = leaf(gm, address, "", "before")
    ways = [len(re.findall(rf'href="/t/{long.pk}/rewind/', page)) for page in back]
    assert ways == [log.PAGE - 1, log.PAGE, 7 + 1], "on the last page the deal has one, too"
    assert 'id="rewind"' in back[0]


def test_the_confirmation_of_a_long_rewind_lists_only_the_newest_moves(long: Table, gm: Somebody) -> None:
    page = gm.client.get(f"/t/{long.pk}/rewind/3/", headers=PART).content.decode()
    assert f"次の{MOVES - 3}手を取り消します" in page
    assert page.count('<li class="log-move"') == log.PAGE
    assert "それより前の操作" in page
    assert "それより前の操作" not in gm.client.get(f"/t/{long.pk}/rewind/{MOVES - 2}/").content.decode()


def test_an_invalid_position_in_a_log_address_still_shows_a_page(long: Table, ayumi: Somebody) -> None:
    addresses = [f"/t/{long.pk}/log/", f"/s/{long.session_id}/log/"]
    odd = ["-1", "x", "", "９", "1e3", "9" * 400, "9" * 18, "0x10", "%00", "0"]
    for address, word, written in product(addresses, ["from", "before"], odd):
        assert ayumi.client.get(f"{address}?{word}={written}").status_code == 200, (address, word, written)


class TestTheNight:
    @pytest.fixture
    def night(self, long: Table, seats: list[Seat]) -> Session:
        """The long table, another one beside it, and people who talk and whisper."""
        from sessions.table import opening

        other = opening.open_table(session=long.session, module_key="uroboros", players=seats)
        for number in range(12):
            play(other, "p1", b'{"type": "declare", "text": "x"}')
            tab = (Tab.MAIN, Tab.OTHER, Tab.WHISPER)[number % 3]
            to = [str(seats[1].pk)] if tab == Tab.WHISPER else []
            draft = messages.MessageDraft(client_id=uuid.uuid4(), tab=tab, text=f"言葉{number}", to=to)
            messages.send(seat=seats[0], draft=draft)
        return long.session

    def every_page(
        self, session: Session, reader: audience.Perspective, window: logs.Window
    ) -> list[logs.SessionLogEntry]:
        found: list[logs.SessionLogEntry] = []
        while True:
            page = logs.page(session, reader, window)
            if window.before:
                found, there = page.entries + found, page.earlier
                window = logs.Window(before=there, tab=window.tab)
            else:
                found, there = found + page.entries, page.later
                window = logs.Window(since=there, tab=window.tab)
            assert len(page.entries) >= logs.PAGE or there is None
            if there is None:
                return found

    @pytest.mark.parametrize("view", [audience.SPECTATOR, audience.OWN, audience.OPEN])
    @pytest.mark.parametrize("window", [logs.Window(), logs.Window(before=logs.END)], ids=["on", "back"])
    def test_the_pages_of_a_log_together_are_the_whole_log(
        self, night: Session, seats: list[Seat], view: str, window: logs.Window
    ) -> None:
        reader = audience.Perspective(view, seats[1] if view == audience.OWN else None)
        whole = logs.entries(night, reader)
        assert len(whole) > 2 * logs.PAGE
        assert self.every_page(night, reader, window) == whole

    def test_log_lines_of_the_same_time_are_neither_lost_nor_repeated(self, night: Session) -> None:
        moment = parse_datetime("2026-11-20T20:00:00+09:00")
        Move.objects.filter(table__session=night, number__gt=5, number__lt=90).update(played_at=moment)
        reader = audience.Perspective(audience.SPECTATOR)
        whole = logs.entries(night, reader)
        for window in (logs.Window(), logs.Window(before=logs.END)):
            assert self.every_page(night, reader, window) == whole

    def test_a_tab_of_the_log_has_its_own_pages(self, night: Session, ayumi: Somebody, kei: Somebody) -> None:
        page = ayumi.client.get(f"/s/{night.pk}/log/?tab=whisper").content.decode()
        assert page.count("言葉") == 4
        assert "tab=whisper" in page
        sit(night, kei.person, Role.SPECTATOR)
        page = kei.client.get(f"/s/{night.pk}/log/").content.decode()
        assert "tab=other" in page
        assert "tab=whisper" not in page

    def test_the_log_of_an_ended_session_begins_with_the_first_lines(
        self, night: Session, ayumi: Somebody
    ) -> None:
        address = f"/s/{night.pk}/log/"
        assert way(ayumi.client.get(address).content.decode(), "from") is None
        nights.close_session(session=night)
        page = ayumi.client.get(address).content.decode()
        assert way(page, "from")
        assert way(page, "before") is None
        assert "言葉10" not in page
        assert "言葉10" in ayumi.client.get(f"{address}?before=end").content.decode()
