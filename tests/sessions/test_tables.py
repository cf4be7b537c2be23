"""A move is committed once, or refused and nothing has changed."""

from __future__ import annotations

import json
import uuid

import msgspec
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion.fate import commitment
from sessions.card_table import gm_moves
from sessions.evening import nights, refusals
from sessions.game import IllegalMove
from sessions.live.pages import TablePage
from sessions.models import Role, Seat, Session, Table
from sessions.table import moves, opening, replay, seat_view, table_cache
from tests.conftest import Somebody
from tests.evening import call, cards_in, hand, log_of, play, sit

pytestmark = pytest.mark.django_db


def contents(table: Table) -> tuple[object, ...]:
    table.refresh_from_db()
    return table.version, bytes(table.snapshot), list(table.moves.values_list("number", "seat"))


def test_an_accepted_move_has_a_number_and_a_row(table: Table) -> None:
    assert play(table, "gm", call()).version == 1
    table.refresh_from_db()
    assert table.version == 1
    assert table.moves.get().seat == "gm"


def test_a_repeated_move_gets_the_same_answer_and_is_not_applied_again(table: Table) -> None:
    play(table, "gm", call())
    card = hand(table, "p1")[0]
    raw = json.dumps({"type": "play", "card": card} | ({"suit": "h"} if card[0] == "x" else {})).encode()
    client_id = uuid.uuid4()
    first = play(table, "p1", raw, client_id=client_id)
    after = contents(table)
    again = play(table, "p1", raw, client_id=client_id)
    assert (again.version, again.is_repeated) == (first.version, True)
    assert contents(table) == after


def test_another_move_with_a_used_client_id_is_refused(table: Table) -> None:
    client_id = uuid.uuid4()
    play(table, "gm", call(), client_id=client_id)
    after = contents(table)
    for raw in (call("p2"), b'{"type": "declare", "text": "x"}', b'{"type": "undo"}', b"{"):
        with pytest.raises(IllegalMove, match="id_taken"):
            play(table, "gm", raw, client_id=client_id)
    assert contents(table) == after
    assert play(table, "gm", call(), client_id=client_id).is_repeated


def test_a_seat_cannot_get_the_answer_to_another_seats_move(table: Table) -> None:
    client_id = uuid.uuid4()
    play(table, "gm", call(), client_id=client_id)
    with pytest.raises(IllegalMove):
        play(table, "p2", call(), client_id=client_id)


@pytest.mark.parametrize(
    ("seat", "raw"),
    [
        ("p1", b'{"type": "bogus"}'),
        ("p1", b"{"),
        ("p1", b"[]"),
        ("p1", b'{"type": "play", "card": "s01"}'),
        ("p2", b'{"type": "draw"}'),
        ("gm", b'{"type": "set_hp", "who": "p9", "hp": 1}'),
        ("p9", b'{"type": "declare", "text": "hello"}'),
        ("p1", b'{"type": "declare", "text": "' + b"x" * 100_000 + b'"}'),
        ("p1", b"[" * 50_000),
    ],
)
def test_a_refused_move_changes_nothing(table: Table, seat: str, raw: bytes) -> None:
    before = contents(table)
    with pytest.raises(IllegalMove):
        play(table, seat, raw)
    assert contents(table) == before


def stale(table: Table, seat: str, raw: bytes, seen: seat_view.SeatView) -> moves.Receipt:
    return moves.submit(
        table.pk,
        moves.MoveRequest(seat=seat, client_id=uuid.uuid4(), raw=raw, version=seen.version, asked=seen.asked),
    )


def test_a_stale_move_is_refused_if_the_question_has_changed(table: Table) -> None:
    play(table, "gm", call("p1"))
    table.refresh_from_db()
    seen = seat_view.seat_view(table, "p1")
    play(table, "gm", b'{"type": "cancel"}')
    play(table, "gm", call("p1"))
    before = contents(table)
    with pytest.raises(IllegalMove, match="stale"):
        stale(table, "p1", b'{"type": "give_up"}', seen)
    assert contents(table) == before


def test_a_stale_move_counts_while_the_question_is_the_same(table: Table) -> None:
    play(table, "gm", call("p1"))
    table.refresh_from_db()
    seen = seat_view.seat_view(table, "p1")
    play(table, "p2", '{"type": "declare", "text": "がんばれ"}'.encode())
    assert stale(table, "p1", b'{"type": "give_up"}', seen).version == 3


def test_the_log_and_the_secret_replay_to_the_same_bytes(table: Table) -> None:
    play(table, "gm", call("p1", difficulty=3))
    play(table, "p1", b'{"type": "give_up"}')
    play(table, "gm", b'{"type": "set_hp", "who": "p1", "hp": 1}')
    table.refresh_from_db()
    assert replay.snapshot_at(table, 3) == bytes(table.snapshot)


def test_an_earlier_version_of_a_table_can_be_replayed(table: Table) -> None:
    play(table, "gm", call("p1", difficulty=3))
    table.refresh_from_db()
    called = bytes(table.snapshot)
    play(table, "p1", b'{"type": "give_up"}')
    assert replay.snapshot_at(table, 1) == called


def test_a_tables_secret_is_published_only_when_the_session_has_ended(table: Table, session: Session) -> None:
    """The end of the table is too early, as the GM may rewind it and go on."""
    play(table, "gm", call("p1", difficulty=3))
    table.refresh_from_db()
    assert replay.table_proof(table) == replay.Proof(table.commitment, None)
    play(table, "gm", b'{"type": "end"}')
    table.refresh_from_db()
    assert replay.table_proof(table) == replay.Proof(table.commitment, None)
    nights.close_session(session=session)
    table = Table.objects.get(pk=table.pk)
    assert replay.table_proof(table) == replay.Proof(table.commitment, table.secret)
    assert replay.check_log(table).holds


def test_the_log_check_accepts_a_snapshot_without_a_newer_field(table: Table, session: Session) -> None:
    play(table, "gm", b'{"type": "add_npc", "name": "wolf", "rank": 1}')
    play(table, "gm", b'{"type": "end"}')
    nights.close_session(session=session)
    table = Table.objects.get(pk=table.pk)
    older = bytes(table.snapshot).replace(b',"special":""', b"")
    assert older != bytes(table.snapshot)
    table.snapshot = older
    assert replay.check_log(table).holds


def test_a_tampered_log_fails_the_log_check(table: Table, session: Session) -> None:
    play(table, "gm", b'{"type": "set_hp", "who": "p1", "hp": 2}')
    play(table, "gm", b'{"type": "end"}')
    nights.close_session(session=session)
    table = Table.objects.get(pk=table.pk)
    table.moves.filter(number=1).update(move=b'{"type": "set_hp", "who": "p1", "hp": 1}')
    table.refresh_from_db()
    assert replay.check_log(table).holds is False


def test_a_table_with_invalid_house_rules_is_not_opened(session: Session, seats: list[Seat]) -> None:
    session.campaign.ladder = [{"flip": "perhaps"}]
    session.campaign.save()
    with pytest.raises(refusals.Refused, match="bad_options"):
        opening.open_table(session=session, module_key="uroboros", players=seats)
    assert not Table.objects.exists()


def test_a_table_commits_to_its_secret_and_the_state_does_not_contain_it(table: Table) -> None:
    assert table.commitment == commitment(table.secret)
    assert table.secret.encode() not in bytes(table.snapshot)


def test_no_move_is_accepted_after_the_session_has_ended(table: Table, session: Session) -> None:
    nights.close_session(session=session)
    with pytest.raises(IllegalMove, match="session_over"):
        play(table, "gm", call())


def test_the_running_tables_of_an_ended_session_publish_their_secret(table: Table, session: Session) -> None:
    play(table, "gm", call())
    nights.close_session(session=session)
    table = Table.objects.get(pk=table.pk)
    assert replay.table_proof(table) == replay.Proof(table.commitment, table.secret)
    assert replay.check_log(table).holds


def test_a_table_ends_by_a_move(table: Table) -> None:
    play(table, "gm", b'{"type": "end"}')
    table.refresh_from_db()
    assert table.ended_at
    with pytest.raises(IllegalMove, match="game_over"):
        play(table, "gm", call())


def test_cards_dealt_to_a_seat_are_in_that_seats_log_only(table: Table) -> None:
    play(table, "gm", b'{"type": "deal", "seat": "p1", "count": 3}')
    table.refresh_from_db()
    new = set(hand(table, "p1")[-3:])

    def reads(seat: str | None) -> set[str]:
        return cards_in(msgspec.json.encode([line.event for line in log_of(table, seat)]).decode())

    assert new <= reads("p1")
    for seat in ("gm", "p2", None):
        assert not new & reads(seat)


def test_hp_set_at_the_table_is_written_to_the_sheet(
    session: Session, seats: list[Seat], django_capture_on_commit_callbacks: object
) -> None:
    from characters.models import Character

    character = Character.objects.create(owner=seats[0].person, name="サキ", hp_max=4, hp=4, status="done")
    nights.bring_character(seat=seats[0], character=character)
    table = opening.open_table(session=session, module_key="uroboros", players=seats)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        play(table, "gm", b'{"type": "set_hp", "who": "p1", "hp": -2}')
    character.refresh_from_db()
    assert character.hp == -2


def test_a_latecomer_is_seated_with_the_next_free_key(table: Table, session: Session, kei: Somebody) -> None:
    newcomer = sit(session, kei.person, Role.PLAYER)
    gm_moves.admit(table_pk=table.pk, newcomer=newcomer)
    assert table.table_seats.get(seat=newcomer).key == "p3"
    assert hand(table, "p3")
    with pytest.raises(IllegalMove, match="already_seated"):
        gm_moves.admit(table_pk=table.pk, newcomer=newcomer)


def test_a_latecomer_is_not_seated_after_the_session_has_ended(
    table: Table, session: Session, kei: Somebody
) -> None:
    newcomer = sit(session, kei.person, Role.PLAYER)
    nights.close_session(session=session)
    with pytest.raises(IllegalMove, match="session_over"):
        gm_moves.admit(table_pk=table.pk, newcomer=newcomer)
    assert not table.moves.exists()


def queries_of_a_page(table: Table, who: Somebody) -> int:
    with CaptureQueriesContext(connection) as asked:
        TablePage(who.person, table.pk, "http://takujo.test").render_all()
    return len(asked)


def test_a_page_needs_as_many_queries_after_many_moves_as_after_one(table: Table, ayumi: Somebody) -> None:
    play(table, "p2", b'{"type": "declare", "text": "1"}')
    after_one = queries_of_a_page(table, ayumi)
    for number in range(2, 12):
        play(table, "p2", json.dumps({"type": "declare", "text": str(number)}).encode())
    assert queries_of_a_page(table, ayumi) == after_one


@pytest.mark.django_db(transaction=True)
def test_a_table_that_this_process_changed_is_not_read_again(table: Table) -> None:
    table_cache.get_table(table.pk)
    play(table, "p2", b'{"type": "declare", "text": "1"}')
    with CaptureQueriesContext(connection) as asked:
        now = table_cache.get_current_table(table.pk)
    assert (now.version, len(asked)) == (1, 1), "whether it is still so"
