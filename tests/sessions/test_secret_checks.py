"""Secret checks and looks at hands in the log, the files, the report and the pages of a live evening."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import transaction

from sessions.evening import nights, stand_ins
from sessions.live import screen_view
from sessions.live.regions import Screen
from sessions.models import Role, Seat, Table
from sessions.report import audience, logs
from sessions.report.session_report import digest_of
from sessions.table import opening, table_cache
from tests.conftest import Somebody
from tests.evening import call, hand, log_of, play, sit

pytestmark = pytest.mark.django_db

THEN = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)


def secret_call(secrecy: str, difficulty: int = 2) -> bytes:
    return json.dumps(json.loads(call("p1", difficulty)) | {"secret": secrecy, "label": "聞き耳"}).encode()


def lay(table: Table, card: str) -> None:
    """Let p1 play a card."""
    suit = {"suit": "s"} if card.startswith("x") else {}
    play(table, "p1", json.dumps({"type": "play", "card": card} | suit).encode())


def reveal(table: Table) -> None:
    play(table, "gm", b'{"type": "reveal", "number": 1}')


def told(table: Table, who: Seat | None, key: str | None) -> list[str]:
    """All that a seat is shown of a table: every region of the screens, the log's lines and the files."""
    table.moves.update(played_at=THEN)
    table_cache.invalidate_table()
    screen_view.clear_rendered_tables()
    now = table_cache.read_table(table.pk)
    screens = [Screen("phone", key)] + [Screen("face", None)] * (key is None)
    shown = [
        sight.render_region(name)
        for screen in screens
        for sight in [screen_view.view_for(now, screen)]
        for name in sight.every
    ]
    reader = audience.Perspective(audience.OWN, who) if who else audience.Perspective(audience.SPECTATOR)
    entries = logs.entries(table.session, reader)
    files = [form.write(table.session, reader.view, entries) for form in logs.FORMATS.values()]
    return [*shown, *files, str([entry.facts for entry in entries]), str(digest_of(table))]


@pytest.mark.parametrize("secrecy", ["gm", "own"])
def test_seats_that_may_not_know_a_secret_check_get_the_same_bytes(
    table: Table, seats: list[Seat], secrecy: str
) -> None:
    """p1 lays another card at another difficulty; then nothing of it is told to p2 and spectators."""
    cards = [card for card in hand(table, "p1") if not card.startswith("x")]
    worlds: dict[str | None, set[tuple[str, ...]]] = {"p2": set(), None: set(), "gm": set()}
    gm_seat = Seat.objects.get(session=table.session, role=Role.GM)
    for difficulty, card in ((0, cards[0]), (5, cards[0]), (5, cards[1])):
        with transaction.atomic():
            play(table, "gm", secret_call(secrecy, difficulty))
            lay(table, card)
            for key, who in (("p2", seats[1]), (None, None), ("gm", gm_seat)):
                worlds[key].add(tuple(told(table, who, key)))
            transaction.set_rollback(True)
    assert {key: len(seen) for key, seen in worlds.items()} == {"p2": 1, None: 1, "gm": 3}


def test_the_player_of_a_blind_check_is_told_the_same_at_every_difficulty(
    table: Table, seats: list[Seat]
) -> None:
    card = next(card for card in hand(table, "p1") if not card.startswith("x"))
    for secrecy, expected in (("gm", 1), ("own", 2)):
        seen = set()
        for difficulty in (0, 5):
            with transaction.atomic():
                play(table, "gm", secret_call(secrecy, difficulty))
                lay(table, card)
                seen.add(tuple(told(table, seats[0], "p1")))
                transaction.set_rollback(True)
        assert len(seen) == expected, secrecy


def kinds(table: Table, key: str | None, number: int) -> list[str]:
    return [line.event.kind for line in log_of(table, key) if line.number == number]


def test_a_revealed_check_is_at_its_old_place_in_the_log_and_in_the_report(table: Table) -> None:
    play(table, "gm", secret_call("gm", 0))
    lay(table, next(card for card in hand(table, "p1") if not card.startswith("x")))
    assert "decided" not in kinds(table, "p2", 2)
    assert digest_of(table).counts["p1"]["checks"] == 0
    was = table_cache.get_table(table.pk).recent_log
    reveal(table)
    table.refresh_from_db()
    for key in ("p2", None):
        assert kinds(table, key, 2)[:3] == ["laid", "played", "decided"]
        assert kinds(table, key, 3) == ["revealed"]
    now = table_cache.get_table(table.pk).recent_log
    assert [line.event.to for line in was[1]][1:3] == [("gm",), ("gm",)]
    assert [line.event.to for line in now[1]][1:3] == [None, None], "pages that are open read it, too"
    assert digest_of(table).counts["p1"] == {"checks": 1, "successes": 1, "hand": 1, "deck": 0, "supports": 0}


def test_a_secret_check_that_was_taken_back_stays_sealed_after_a_reveal(table: Table) -> None:
    cards = [card for card in hand(table, "p1") if not card.startswith("x")]
    play(table, "gm", secret_call("gm"))
    lay(table, cards[0])
    play(table, "gm", b'{"type": "rewind", "to": 0}')
    play(table, "gm", secret_call("gm"))
    lay(table, cards[1])
    reveal(table)
    table.refresh_from_db()
    assert "played" not in kinds(table, "p2", 2)
    assert "played" in kinds(table, "p2", 5)
    play(table, "gm", json.dumps({"type": "rewind", "to": 5}).encode())
    table.refresh_from_db()
    assert "played" not in kinds(table, "p2", 5), "who rewinds the revealing closes it again"


def test_an_unrevealed_secret_check_is_readable_once_secrets_are_opened(
    table: Table, seats: list[Seat]
) -> None:
    play(table, "gm", secret_call("gm"))
    lay(table, next(card for card in hand(table, "p1") if not card.startswith("x")))
    nights.close_session(session=table.session)
    table.session.refresh_from_db()

    def read(view: str) -> bool:
        reader = audience.open_perspective(table.session, seats[1], view)
        return "decided" in [
            entry.facts["kind"] for entry in logs.entries(table.session, reader) if entry.facts
        ]

    assert not read(audience.OWN)
    audience.open_secrets(session=table.session, is_open=True)
    table.session.refresh_from_db()
    assert not read(audience.OWN)
    assert read(audience.OPEN)


def peek(who: Somebody, table: Table, key: str = "p1") -> Any:
    return who.client.post(f"/t/{table.pk}/peek/", {"hand": key})


def test_the_gm_looks_at_a_hand_and_all_players_are_told(table: Table, gm: Somebody, ayumi: Somebody) -> None:
    cards = hand(table, "p1")
    answer = peek(gm, table)
    assert answer.status_code == 200
    assert answer["Cache-Control"] == "no-store"
    assert [
        f'data-card="{card}"' in answer.content.decode() or card in answer.content.decode() for card in cards
    ]
    assert answer.content.decode().count("<li>") == len(cards)
    table.refresh_from_db()
    assert kinds(table, None, 1) == ["peeked"]
    assert kinds(table, "p1", 1) == ["peeked", "hand_seen"]
    page = ayumi.client.get(f"/t/{table.pk}/").content.decode()
    assert "GMがあなたの手札を見ました。" in page
    assert "prompt-peeked" in page


def test_only_the_gm_can_look_at_a_hand(
    table: Table, seats: list[Seat], ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    sit(table.session, kei.person, Role.SPECTATOR)
    stand_ins.set_deputy(seat=seats[1], deputy=True)
    gm_seat = Seat.objects.get(session=table.session, role=Role.GM)
    stand_ins.let_stand_in(seat=gm_seat, stand_in=Seat.objects.get(pk=seats[1].pk))
    for who in (ayumi, bo, kei):
        assert peek(who, table).status_code == 404
    table.refresh_from_db()
    assert table.version == 0


@pytest.mark.parametrize("key", ["", "gm", "p7", "p9", "n1", "\x00"])
def test_a_look_at_the_hand_of_an_unknown_seat_is_refused(table: Table, gm: Somebody, key: str) -> None:
    answer = peek(gm, table, key)
    assert answer.status_code == 409
    assert answer.json()["reason"]
    table.refresh_from_db()
    assert table.version == 0


def test_the_gm_cannot_look_at_board_game_hands_or_after_the_end(
    table: Table, gm: Somebody, seats: list[Seat]
) -> None:
    game = opening.open_table(session=table.session, module_key="journey", players=seats[:1])
    assert peek(gm, game).json()["refused"] == "malformed_move"
    play(table, "gm", b'{"type": "end"}')
    assert peek(gm, table).json()["refused"] == "game_over"
    nights.close_session(session=table.session)
    assert peek(gm, table).json()["refused"] == "session_over"
