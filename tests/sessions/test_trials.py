"""Practice evenings and rehearsals: begun with a tap, played by script and bots, and kept nowhere."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from characters.models import Character
from characters.reference import PEOPLE
from companion.fate import Fate
from companion.models import User
from sessions.archive import campaign_export
from sessions.card_table import trials
from sessions.engine.bots import SCRIPT, choose_move
from sessions.engine.registry import registry
from sessions.engine.step import encode
from sessions.evening import free_sessions, refusals
from sessions.game import IllegalMove
from sessions.models import Session, Table, Trial
from sessions.table import bots, opening, seat_view
from sessions.table.opening import Sitter
from tests.conftest import Somebody
from tests.evening import call, play
from tests.sessions.test_campaign_files import brought, taken

pytestmark = pytest.mark.django_db

UROBOROS = registry()["uroboros"]
STACK = b'{"type":"stack","card":"h07"}'


def stack(table: Table) -> None:
    """Choose the next card, one that chance has not laid open already."""
    card = next(card for card in ("h07", "h08", "h09") if card not in state_of(table).pile)  # type: ignore[attr-defined]
    play(table, "gm", json.dumps({"type": "stack", "card": card}).encode())


def practise(client: Client, who: str = "akari") -> Table:
    """Begin a practice evening as its page does."""
    answer = client.post("/practice/", {"who": who})
    found = re.fullmatch(r"/t/(\d+)/", answer["Location"])
    assert found
    return Table.objects.get(pk=found[1])


def rehearse(gm: Somebody, session: Session) -> Table:
    answer = gm.client.post(f"/gm/campaigns/{session.campaign_id}/rehearse/")
    return Table.objects.get(pk=answer["Location"].split("/")[2])


def let_bots_play(table: Table) -> int:
    """Let all bots play that are waited for, one after the other; return the number of their moves."""
    before = table.version
    table.refresh_from_db()
    while bots.play_next(table_pk=table.pk, version=table.version):
        table.refresh_from_db()
    return table.version - before


def state_of(table: Table) -> object:
    table.refresh_from_db()
    return UROBOROS.load(bytes(table.snapshot))


# --- the practice evening --------------------------------------------------------------------------------


def test_a_new_visitor_can_play_a_practice_session_to_its_end() -> None:
    phone = Client()
    assert "/practice/" in phone.get("/").content.decode()
    table = practise(phone)
    assert table.session.trial == Trial.PRACTICE
    for _ in range(30):
        let_bots_play(table)
        if table.ended_at:
            break
        assert phone.get(f"/t/{table.pk}/").status_code == 200
        state = UROBOROS.load(bytes(table.snapshot))
        play(
            table, "p1", encode(choose_move(UROBOROS, "steady", state, "p1", Fate("newcomer", table.version)))
        )
    kinds = [result.kind for result in UROBOROS.load(bytes(table.snapshot)).results]
    assert {"check", "attack", "treat"} <= set(kinds)
    over = phone.get(f"/t/{table.pk}/").content.decode()
    assert 'href="/practice/"' in over
    assert 'href="/j/"' in over
    assert not Character.objects.exists(), "the character belongs to nobody"


def test_a_practice_session_lasts_until_the_next_one_begins() -> None:
    phone = Client()
    first = practise(phone)
    let_bots_play(first)
    for page in ("/", "/practice/"):
        assert f'href="/t/{first.pk}/"' in phone.get(page).content.decode()
    assert phone.get(f"/s/{first.session_id}/").headers["Location"] == f"/t/{first.pk}/"
    second = practise(phone, "nagi")
    assert not Session.objects.filter(pk=first.session_id).exists()
    assert state_of(second).characters["p2"].name != state_of(second).characters["p1"].name  # type: ignore[attr-defined]
    phone.post(f"/s/{second.session_id}/forget/")
    assert not Session.objects.filter(trial=Trial.PRACTICE).exists()


@pytest.mark.parametrize("who", PEOPLE)
def test_a_practice_deals_fitting_and_unfitting_cards_and_a_joker(who: str) -> None:
    table = practise(Client(), who)
    assert let_bots_play(table) == 1
    me = seat_view.seat_view(table, "p1").view.me
    assert {fit.success for fit in me.fits} == {True, False}
    companion = seat_view.seat_view(table, "p2").view.me.hand
    assert [card[0] for card in companion] == ["x"]


def test_lessons_are_shown_in_practice_sessions_only(table: Table) -> None:
    phone = Client()
    practice = practise(phone)
    assert f'data-lesson="practice-{practice.pk}.goal"' in phone.get(f"/t/{practice.pk}/").content.decode()
    assert b"data-lesson=" not in phone.get(f"/t/{table.pk}/").content


def test_a_practice_session_has_no_board_games_and_no_join_code() -> None:
    phone = Client()
    table = practise(phone)
    for address in ("games/", "games/journey/"):
        assert phone.get(f"/s/{table.session_id}/{address}").status_code == 404
    for address in ("code/", "door/", "end/"):
        assert phone.post(f"/s/{table.session_id}/{address}").status_code == 404
    assert Session.objects.get(pk=table.session_id).code == ""


def test_a_solo_board_game_is_not_opened_in_a_practice_session() -> None:
    phone = Client()
    practice = practise(phone)
    assert practice.opened_by
    alone = free_sessions.seat_in_solo_session(practice.opened_by.person)
    assert alone.session_id != practice.session_id


def test_a_practice_session_is_closed_to_other_people(bo: Somebody) -> None:
    table = practise(Client())
    assert bo.client.get(f"/t/{table.pk}/").status_code == 404
    assert bo.client.post(f"/s/{table.session_id}/forget/").status_code == 404
    assert Table.objects.filter(pk=table.pk).exists()


def test_old_practice_sessions_of_guests_and_accounts_are_deleted(gm: Somebody) -> None:
    old = [practise(Client()), practise(gm.client)]
    when = timezone.now() - free_sessions.UNUSED - timedelta(days=1)
    Session.objects.update(opened_at=when)
    Table.objects.update(opened_at=when)
    kept = practise(Client())
    assert [table.pk for table in Table.objects.all()] == [kept.pk], old


# --- only there ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{"rehearsal": True}, {"practice": trials._words()}])
def test_an_ordinary_session_refuses_the_table_options_of_a_trial(
    session: Session, seats: list[object], options: dict[str, object]
) -> None:
    with pytest.raises(refusals.Refused, match="bad_options"):
        opening.open_table(session=session, module_key="uroboros", players=seats, options=options)  # type: ignore[arg-type]


def test_no_script_or_bot_sits_at_an_ordinary_sessions_card_table(
    session: Session, seats: list[object]
) -> None:
    for gm, players in ((Sitter(None, SCRIPT), seats), (None, [*seats, Sitter(None, "steady")])):
        with pytest.raises(refusals.Refused, match="no_such_bot"):
            opening.open_table(session=session, module_key="uroboros", players=players, gm=gm)  # type: ignore[arg-type]


def test_the_gm_of_an_ordinary_session_cannot_choose_the_next_card(table: Table) -> None:
    before = state_of(table)
    with pytest.raises(IllegalMove, match="rehearsal_only"):
        play(table, "gm", STACK)
    assert state_of(table) == before


# --- the rehearsal ---------------------------------------------------------------------------------------


def test_bots_play_the_checks_and_combat_of_a_rehearsal(gm: Somebody, session: Session) -> None:
    table = rehearse(gm, session)
    assert table.session.trial == Trial.REHEARSAL
    assert let_bots_play(table) == 0
    for seat in ("p1", "p2", "p3"):
        play(table, "gm", call(seat, 1))
        assert let_bots_play(table) >= 1
    assert len(state_of(table).results) == 3  # type: ignore[attr-defined]
    play(table, "gm", b'{"type":"add_npc","name":"wolf","rank":2}')
    play(table, "gm", b'{"type":"start_combat"}')
    first = state_of(table).combat.turn  # type: ignore[attr-defined]
    let_bots_play(table)
    state = state_of(table)
    assert (state.task and state.task.kind == "attack") or state.combat.turn != first  # type: ignore[attr-defined]
    page = gm.client.get(f"/t/{table.pk}/").content.decode()
    assert 'id="fate"' in page
    assert f"/s/{table.session_id}/forget/" in page


def test_the_card_that_a_rehearsals_gm_chooses_is_turned_next(gm: Somebody, session: Session) -> None:
    table = rehearse(gm, session)
    for card in ("d09", "c12", "h01"):
        if card in state_of(table).pile:  # type: ignore[attr-defined]
            continue
        play(table, "gm", json.dumps({"type": "stack", "card": card}).encode())
        play(table, "gm", b'{"type":"flip"}')
        assert state_of(table).pile[-1] == card  # type: ignore[attr-defined]


def test_a_rehearsal_is_in_no_list_and_no_file_of_its_campaign(gm: Somebody, session: Session) -> None:
    table = rehearse(gm, session)
    campaign = session.own_campaign
    rehearsal = f"/s/{table.session_id}/"
    for page in ("/gm/", f"/gm/campaigns/{campaign.pk}/"):
        assert f'href="{rehearsal}"' not in gm.client.get(page).content.decode()
    assert gm.client.get(rehearsal).headers["Location"] == f"/gm/campaigns/{campaign.pk}/"
    Session.objects.filter(campaign=campaign).update(ended_at=timezone.now())
    assert [night.title for night in campaign_export.export_campaign(campaign).whole.nights] == [
        session.title
    ]
    assert gm.client.post(f"{rehearsal}code/").status_code == 404


def test_a_rehearsal_is_deleted_when_it_ends_or_the_next_begins(gm: Somebody, session: Session) -> None:
    first = rehearse(gm, session)
    second = rehearse(gm, session)
    assert not Table.objects.filter(pk=first.pk).exists()
    gm.client.post(f"/s/{second.session_id}/forget/")
    assert list(Session.objects.all()) == [session]
    assert gm.client.post(f"/s/{session.pk}/forget/").status_code == 404


def test_only_its_gm_can_rehearse_a_campaign(bo: Somebody, session: Session) -> None:
    assert bo.client.post(f"/gm/campaigns/{session.campaign_id}/rehearse/").status_code in (302, 404)
    assert not Session.objects.filter(trial=Trial.REHEARSAL).exists()


def test_a_rehearsal_has_no_proof(gm: Somebody, session: Session) -> None:
    """What its GM chose proves nothing: it is deleted before any secret is told."""
    table = rehearse(gm, session)
    stack(table)
    play(table, "gm", b'{"type":"end"}')
    assert "リハーサル" in gm.client.get(f"/t/{table.pk}/log/").content.decode()
    for address in (f"/s/{table.session_id}/verify/", f"/t/{table.pk}/verify/"):
        assert gm.client.get(address).status_code == 404


def test_a_campaign_file_with_a_rehearsals_table_is_not_imported(
    gm: Somebody, bo: Somebody, session: Session
) -> None:
    """Not even one that says it was an evening, and that plays again as it was."""
    bo.client.force_login(User.objects.create_user("bo", password="bo"))
    table = rehearse(gm, session)
    stack(table)
    Session.objects.update(trial="", ended_at=timezone.now())
    Table.objects.update(ended_at=timezone.now())
    answer = brought(bo, taken(gm, session.own_campaign))
    assert answer.status_code == 422
    assert Table.objects.count() == 1
