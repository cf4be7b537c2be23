"""A move goes in by one door: what it was tried on, whose leave it has, and what fails after its commit."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable

import pytest
from django.db.models import F

from sessions.card_table import house_rules, npcs
from sessions.evening import announcements, nights
from sessions.game import IllegalMove
from sessions.models import Campaign, Move, Seat, Session, Table
from sessions.table import commit, moves, opening, seat_view, table_cache
from tests.evening import call, play

pytestmark = pytest.mark.django_db(transaction=True)


def submit(table: Table, text: str, **fields: object) -> moves.Receipt:
    """Let Ayumi say something on the table as it was dealt."""
    asked = seat_view.seat_view(Table.objects.get(pk=table.pk), "p1").asked
    usual = {"seat": "p1", "client_id": uuid.uuid4(), "version": 0, "asked": asked}
    raw = json.dumps({"type": "declare", "text": text}).encode()
    return moves.submit(table.pk, moves.MoveRequest(raw=raw, **usual | fields))


def outdated(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this process keep a table in its present state through all later changes."""
    old = table_cache.read_table(table.pk)
    monkeypatch.setattr(table_cache, "get_table", lambda _pk: old)


def test_a_move_tried_on_a_stale_cached_table_is_played_on_the_current_one(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    outdated(table, monkeypatch)
    play(table, "gm", b'{"type": "deal", "seat": "p1", "count": 2}')
    dealt = len(seat_view.seat_view(Table.objects.get(pk=table.pk), "p1").view.me.hand)
    assert submit(table, "後から").version == 2
    assert len(seat_view.seat_view(Table.objects.get(pk=table.pk), "p1").view.me.hand) == dealt


def test_a_stale_cached_table_refuses_no_move(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process has not heard yet that Ayumi is asked."""
    outdated(table, monkeypatch)
    play(table, "gm", call("p1"))
    present = seat_view.seat_view(Table.objects.get(pk=table.pk), "p1").asked
    receipt = moves.submit(
        table.pk,
        moves.MoveRequest(
            seat="p1", client_id=uuid.uuid4(), raw=b'{"type": "give_up"}', version=1, asked=present
        ),
    )
    assert receipt.version == 2


def test_a_repeated_move_gets_the_same_answer_with_an_empty_cache(table: Table) -> None:
    """As in a process that was started after the one that played it had died."""
    client_id = uuid.uuid4()
    first = submit(table, "一度", client_id=client_id)
    table_cache.invalidate_table()
    assert submit(table, "一度", client_id=client_id) == moves.Receipt(first.version, is_repeated=True)
    assert table.moves.count() == 1


def test_a_move_with_an_older_seating_is_refused(table: Table) -> None:
    seating = Session.objects.get().seating
    announcements.broadcast(table.session_id)
    with pytest.raises(moves.SeatingChanged):
        submit(table, "まだ", seating=seating)
    assert not table.moves.exists()
    assert submit(table, "もう", seating=seating + 1).version == 1


def change_before_the_commit(monkeypatch: pytest.MonkeyPatch, change: Callable[[], object]) -> None:
    """Let something change once, after a move was tried and before it is written."""
    step = moves.step

    def meanwhile(*arguments: object) -> object:
        change()
        monkeypatch.setattr(moves, "step", step)
        return step(*arguments)

    monkeypatch.setattr(moves, "step", meanwhile)


def test_a_move_is_refused_if_the_seating_changes_before_the_commit(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    seating = Session.objects.get().seating
    change_before_the_commit(monkeypatch, lambda: Session.objects.update(seating=F("seating") + 1))
    with pytest.raises(moves.SeatingChanged):
        submit(table, "まだ", seating=seating)
    assert not table.moves.exists()


def test_a_move_is_refused_if_the_session_ends_before_the_commit(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_before_the_commit(monkeypatch, lambda: nights.close_session(session=Session.objects.get()))
    with pytest.raises(IllegalMove, match="session_over"):
        submit(table, "まだ")
    assert not table.moves.exists()


def test_a_listener_that_fails_after_the_commit_does_not_fail_the_move(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commit, "listeners", [lambda *_: 1 / 0])
    assert submit(table, "立っている").version == 1
    assert Move.objects.get().number == 1


def test_a_move_that_is_rolled_back_does_not_enter_the_table_cache(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(row: Move) -> None:
        raise RuntimeError

    table_cache.get_table(table.pk)
    with monkeypatch.context() as broken:
        broken.setattr(commit, "insert_move", fails)
        with pytest.raises(RuntimeError):
            submit(table, "消えた")
    assert table_cache.get_table(table.pk).version == 0
    table.refresh_from_db()
    assert table.version == 0


def test_new_house_rules_count_at_the_next_table_and_for_the_next_npc(
    reference_rows: None, table: Table, seats: list[Seat]
) -> None:
    """The ladder of a table stands; what the ranks of NPCs stand for counts as it is now."""
    table_cache.get_table(table.pk)
    rows = house_rules.ladder(None)
    rows[0]["near"] = 1
    stats = {"hp": 7, "skills": 1, "suits": 1, "weapon": 2, "armour": 0}
    campaign = Campaign.objects.get()
    house_rules.set_ladder(campaign=campaign, rows=rows)
    house_rules.set_npcs(campaign=campaign, stats={1: stats})
    npcs.spawn(table_pk=table.pk, rank=1, count=1, hidden=False)
    [npc] = table_cache.get_current_table(table.pk).view_for("gm").view.npcs
    assert (npc.hp_max, npc.gear.weapon) == (7, 2)
    again = opening.open_table(session=Session.objects.get(), module_key="uroboros", players=seats)
    assert again.options["ladder"][0]["near"] == 1
    assert "ladder" not in Table.objects.get(pk=table.pk).options


def test_an_older_table_does_not_replace_a_newer_one_in_the_cache(table: Table) -> None:
    old = table_cache.read_table(table.pk)
    submit(table, "先に")
    table_cache.put_table(old)
    assert table_cache.get_table(table.pk).version == 1
