"""A masked card that was taken back was never shown, and never is: it lies on the deck again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from companion.templatetags.cards import card_name, card_short
from sessions.evening import nights
from sessions.models import Move, Session, Table
from sessions.report import audience, logs, replay_pages
from sessions.table import moves, replay, seat_view
from tests.conftest import Somebody
from tests.evening import in_database, log_of, mentions, play, ws_path
from tests.phones import phone
from tests.servers import ThreadServer
from tests.sessions.test_campaign_files import brought, taken
from tests.sessions.test_grace import UNDO, drawn, grace, pass_grace, play_a_card

__all__ = ["grace"]
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("grace")]

UNSEEN = "taken back before anybody saw it"


def undo(table: Table) -> None:
    play(table, "p1", UNDO)


def rewind(table: Table) -> None:
    table.refresh_from_db()
    moves.rewind(table_pk=table.pk, to=table.version - 1, reason="", version=table.version)


@pytest.fixture(params=[undo, rewind])
def next_card(request: pytest.FixtureRequest, grace: None, table: Table) -> str:
    """The top of the deck, which a move drew that was taken back within its grace."""
    played = play_a_card(table)
    card = drawn(table)
    request.param(table)
    assert card != played
    return card


def pages(table: Table, *, view: str = "own") -> Iterator[str]:
    """Yield the addresses that tell of a table's moves."""
    night = f"/s/{table.session_id}"
    yield table.get_absolute_url()
    yield f"{table.get_absolute_url()}log/"
    yield f"{night}/log/?view={view}"
    for kind in logs.FORMATS:
        yield f"{night}/log/file/?format={kind}&view={view}"
    yield f"{night}/report/"


def read(who: Somebody, address: str) -> str:
    answer = who.client.get(address, headers={"Accept-Language": "en"})
    assert answer.status_code == 200, address
    return str(answer.content.decode())


def names(text: str, card: str) -> bool:
    """True if a text in English names a card, by its id or in words."""
    return any(mentions(text, word) for word in (card, card_name(card), card_short(card)))


def test_pages_and_files_do_not_name_an_undone_masked_card(
    table: Table, next_card: str, ayumi: Somebody, bo: Somebody, gm: Somebody
) -> None:
    told = {who.person.name: "".join(read(who, page) for page in pages(table)) for who in (ayumi, bo, gm)}
    assert all("data-taken-back" in text for text in told.values())
    assert not any(names(text, next_card) for text in told.values())


def test_an_undone_masked_card_stays_hidden_after_the_session(
    table: Table, next_card: str, ayumi: Somebody
) -> None:
    play(table, "p2", b'{"type": "declare", "text": "a wall"}')
    assert not any(names(read(ayumi, page), next_card) for page in pages(table))
    nights.close_session(session=table.session)
    assert not any(names(read(ayumi, page), next_card) for page in pages(table))


def test_a_card_shown_before_a_rewind_stays_in_the_log(table: Table, ayumi: Somebody) -> None:
    """By the time of the rewind the grace is over, and the player knows the card."""
    play_a_card(table)
    card = drawn(table)
    pass_grace(table)
    rewind(table)
    assert names(read(ayumi, f"/s/{table.session_id}/log/?view=own"), card)
    assert not Move.objects.filter(table=table, unseen=True).exists()


def test_opened_secrets_show_an_undone_masked_card_and_say_so(
    table: Table, next_card: str, ayumi: Somebody
) -> None:
    nights.close_session(session=table.session)
    audience.open_secrets(session=table.session, is_open=True)
    for address in pages(table, view=audience.OPEN):
        page = read(ayumi, address)
        if "view=" in address:
            assert names(page, next_card) or '"shown": false' in page
            assert UNSEEN in page or '"shown": false' in page
    assert not names(read(ayumi, f"/s/{table.session_id}/log/?view=own"), next_card)


class TestReplay:
    """An ended table is leafed through while its evening runs, and can be rewound and go on."""

    @pytest.fixture(autouse=True)
    def _ended(self, table: Table, next_card: str) -> None:
        Table.objects.filter(pk=table.pk).update(ended_at=timezone.now())
        table.refresh_from_db()

    def test_no_replay_step_shows_an_undone_masked_card(
        self, table: Table, next_card: str, ayumi: Somebody, bo: Somebody, gm: Somebody
    ) -> None:
        for who in (ayumi, bo, gm):
            steps = [read(who, f"/t/{table.pk}/replay/?view=own&version={n}") for n in range(4)]
            assert not any(names(step, next_card) for step in steps)

    def test_the_replay_shows_an_undone_masked_card_face_down(self, table: Table) -> None:
        then = replay.table_at(table, 2)
        assert seat_view.seat_view(then, "p1").view.me.coming == 1
        assert seat_view.seat_view(replay.table_at(table, 1), "p1").view.me.coming == 0
        assert seat_view.seat_view(replay.table_at(table, 3), "p1").view.me.coming == 0

    def test_the_gms_open_replay_shows_an_undone_masked_card_and_says_so(
        self, table: Table, next_card: str, gm: Somebody
    ) -> None:
        nights.close_session(session=table.session)
        step = read(gm, f"/t/{table.pk}/replay/?view=open&version=2")
        assert names(step, next_card)
        assert UNSEEN in step
        assert UNSEEN not in read(gm, f"/t/{table.pk}/replay/?view=open&version=1")
        assert replay_pages.step_at(table, audience.Perspective(audience.SPECTATOR), "2").shown


def test_a_table_read_before_an_undo_does_not_show_the_masked_card_later(table: Table) -> None:
    """The row was read while the veil lay; until it is drawn, the move is taken back and the time is over."""
    play_a_card(table)
    card, then = drawn(table), Table.objects.get(pk=table.pk)
    undo(table)
    then.veiled_until = timezone.now()
    told = [line.event.data for line in log_of(then, "p1")]
    assert not names(str(told), card)
    assert card not in seat_view.seat_view(then, "p1").view.me.hand


def test_a_masked_card_undone_while_its_log_is_read_is_not_shown(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_a_card(table)
    card, then, history = drawn(table), Table.objects.get(pk=table.pk), replay.move_history

    def read_slowly(*asked: Any) -> Any:
        found = history(*asked)
        monkeypatch.setattr(replay, "move_history", history)
        undo(table)
        then.veiled_until = timezone.now()
        return found

    monkeypatch.setattr(replay, "move_history", read_slowly)
    assert not names(str([line.event.data for line in log_of(then, "p1")]), card)


@pytest.mark.usefixtures("next_card", "reference_rows")
def test_the_campaign_file_keeps_the_unseen_marks_of_moves(
    table: Table, gm: Somebody, session: Session
) -> None:
    nights.close_session(session=session)
    brought(gm, taken(gm, session.campaign))
    copy = Table.objects.exclude(pk=table.pk).get()
    assert list(copy.moves.values_list("number", "unseen")) == list(
        table.moves.values_list("number", "unseen")
    )


@pytest.mark.parametrize("wait", [timedelta(seconds=1), timedelta(seconds=9)])
def test_a_migration_marks_moves_undone_within_seconds_as_unseen(table: Table, wait: timedelta) -> None:
    play_a_card(table)
    undo(table)
    table.moves.filter(number=3).update(unseen=False, played_at=timezone.now() + wait)
    table.moves.filter(number=2).update(played_at=timezone.now())
    import_module("sessions.migrations.0031_unseen").keep_in_doubt(apps, None)
    assert table.moves.get(number=3).unseen == (wait < timedelta(seconds=5))


# --- on open pages


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("back", [undo, rewind])
async def test_an_open_log_is_not_sent_an_undone_masked_card(
    server: ThreadServer, table: Table, ayumi: Somebody, back: Callable[[Table], None]
) -> None:
    async with phone(server, ayumi, ws_path(table)) as one:
        await one.open_log()
        await in_database(play_a_card, table)
        card = await in_database(drawn, table)
        await one.until_version(2)
        await in_database(back, table)
        await one.until_version(3)
        await one.until_shown("data-taken-back")
        await one.pong()
        assert not names(one.bytes, card)
