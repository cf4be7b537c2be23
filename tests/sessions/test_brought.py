"""Characters brought to an evening: chosen by their player, approved and edited by the GM."""

from __future__ import annotations

import pytest

from characters import refusals
from characters.exchange.plain import PlainSheet
from characters.models import Character
from characters.services import exchange
from sessions.evening import nights
from sessions.models import Seat, Session, Table
from tests.conftest import Somebody

pytestmark = pytest.mark.django_db


@pytest.fixture
def saki(bo: Somebody) -> Character:
    return Character.objects.create(owner=bo.person, name="サキ", hp_max=4, hp=4, suits="h", status="done")


def bring(who: Somebody, session: Session, character: Character | None) -> int:
    data = {"character": character.pk if character else ""}
    return who.client.post(f"/s/{session.pk}/bring/", data).status_code


SHEET = {"name": "サキ改", "concept": "", "background": "", "hp_max": "5", "suits": ["h"]}


def test_a_player_brings_a_character_and_the_gm_approves(
    session: Session, seats: list[Seat], bo: Somebody, gm: Somebody, saki: Character
) -> None:
    bring(bo, session, saki)
    assert "サキ" in gm.client.get(session.get_absolute_url()).content.decode()
    gm.client.post(f"/s/{session.pk}/seats/{seats[1].pk}/approve/", {"approved": "1"})
    seats[1].refresh_from_db()
    assert (seats[1].character, seats[1].approved) == (saki, True)


def test_a_player_who_changes_the_character_needs_approval_again(
    session: Session, seats: list[Seat], bo: Somebody, saki: Character
) -> None:
    Seat.objects.filter(pk=seats[1].pk).update(character=saki, approved=True)
    bring(bo, session, None)
    seats[1].refresh_from_db()
    assert (seats[1].character, seats[1].approved) == (None, False)


@pytest.mark.parametrize("way", ["tap", "return"])
def test_a_player_cannot_change_the_character_of_an_ended_session(
    session: Session, seats: list[Seat], bo: Somebody, saki: Character, way: str
) -> None:
    Seat.objects.filter(pk=seats[1].pk).update(character=saki, approved=True)
    other = Character.objects.create(owner=bo.person, name="別人", hp_max=4, hp=4, suits="h", status="done")
    nights.close_session(session=session)
    if way == "tap":
        bring(bo, session, other)
    else:
        bo.client.post(f"{session.get_absolute_url()}?character={other.pk}")
    seats[1].refresh_from_db()
    assert (seats[1].character, seats[1].approved) == (saki, True)
    assert "このセッションは終わりました" in bo.client.get(session.get_absolute_url()).content.decode()


def test_a_player_cannot_bring_another_persons_character(
    session: Session, seats: list[Seat], ayumi: Somebody, saki: Character
) -> None:
    assert bring(ayumi, session, saki) == 404
    seats[0].refresh_from_db()
    assert seats[0].character is None


def test_a_character_created_for_a_session_is_brought_on_return(
    session: Session, seats: list[Seat], bo: Somebody, saki: Character
) -> None:
    bo.client.post(f"{session.get_absolute_url()}?character={saki.pk}")
    seats[1].refresh_from_db()
    assert seats[1].character == saki


def test_a_link_changes_neither_a_seats_character_nor_its_approval(
    session: Session, seats: list[Seat], bo: Somebody, saki: Character
) -> None:
    Seat.objects.filter(pk=seats[1].pk).update(character=saki, approved=True)
    other = Character.objects.create(owner=bo.person, name="別人", hp_max=4, hp=4, suits="h", status="done")
    for made in (other, saki):
        assert bo.client.get(f"{session.get_absolute_url()}?character={made.pk}").status_code == 200
    for nothing in ("", "?character=", "?character=x"):
        assert bo.client.post(f"{session.get_absolute_url()}{nothing}").status_code == 404
    seats[1].refresh_from_db()
    assert (seats[1].character, seats[1].approved) == (saki, True)


def test_the_gm_can_edit_a_brought_character_and_other_players_cannot(
    session: Session, seats: list[Seat], bo: Somebody, ayumi: Somebody, gm: Somebody, saki: Character
) -> None:
    bring(bo, session, saki)
    page = f"/s/{session.pk}/seats/{seats[1].pk}/character/"
    assert gm.client.get(page).status_code == 200
    assert ayumi.client.post(page, SHEET).status_code == 404
    assert gm.client.post(page, SHEET).status_code == 302
    saki.refresh_from_db()
    assert (saki.name, saki.hp_max) == ("サキ改", 5)


@pytest.mark.parametrize("wrong", [{"hp_max": "21"}, {"hp_max": "x"}, {"name": ""}, {"suits": ["z"]}])
def test_an_invalid_sheet_is_refused_with_a_reason(
    session: Session,
    seats: list[Seat],
    bo: Somebody,
    gm: Somebody,
    saki: Character,
    wrong: dict[str, object],
) -> None:
    bring(bo, session, saki)
    answer = gm.client.post(f"/s/{session.pk}/seats/{seats[1].pk}/character/", SHEET | wrong)
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    saki.refresh_from_db()
    assert (saki.name, saki.hp_max) == ("サキ", 4)


def test_a_table_takes_name_and_hp_from_the_brought_sheet(
    session: Session, seats: list[Seat], bo: Somebody, gm: Somebody, saki: Character
) -> None:
    bring(bo, session, saki)
    gm.client.post(f"/s/{session.pk}/tables/", {"module": "uroboros", "seat": [seat.pk for seat in seats]})
    table = Table.objects.get()
    assert table.options["characters"]["p2"]["name"] == "サキ"
    assert table.options["characters"]["p2"]["hp_max"] == 4


def from_elsewhere(bo: Somebody) -> Character:
    """A sheet of ours that was written by hand, or grew elsewhere: more than any creation gives."""
    sheet = PlainSheet("リュート", hp=20, hp_max=20, background="港町の生まれ。", skills=("ファイター",))
    return exchange.import_character(owner=bo.person, sheet=sheet)


def test_the_gm_is_warned_of_values_that_creation_cannot_give(
    session: Session, seats: list[Seat], bo: Somebody, gm: Somebody, saki: Character
) -> None:
    bring(bo, session, saki)
    assert "キャラクター作成では" not in gm.client.get(session.get_absolute_url()).content.decode()
    bring(bo, session, from_elsewhere(bo))
    for page in (session.get_absolute_url(), f"/s/{session.pk}/seats/{seats[1].pk}/character/"):
        said = gm.client.get(page).content.decode()
        assert "HP上限が20です。キャラクター作成では多くても6です。" in said
        assert "HPを3に直す" in said
        assert "カードを引いてもらう" in said
    assert "キャラクター作成では" not in bo.client.get(session.get_absolute_url()).content.decode()


def test_values_bought_with_experience_give_no_warning(saki: Character) -> None:
    Character.objects.filter(pk=saki.pk).update(hp_max=7, hp=7)
    saki.refresh_from_db()
    assert len(refusals.excess_sentences(saki)) == 1
    saki.ledger.create(kind="hp", points=-35, reached=7, rates={})
    assert refusals.excess_sentences(saki) == []


def test_the_gm_can_reset_a_brought_characters_hp_to_the_usual_value(
    session: Session, seats: list[Seat], bo: Somebody, gm: Somebody, ayumi: Somebody
) -> None:
    brought = from_elsewhere(bo)
    bring(bo, session, brought)
    act = f"/s/{session.pk}/seats/{seats[1].pk}/usual-hp/"
    assert ayumi.client.post(act).status_code == 404
    gm.client.post(act)
    brought.refresh_from_db()
    assert (brought.hp, brought.hp_max) == (3, 3)
    assert list(brought.revisions.values_list("number", "made_by")) == [(2, gm.person.pk), (1, bo.person.pk)]


def test_the_gm_can_ask_a_player_to_draw_cards_for_a_brought_character(
    session: Session, seats: list[Seat], bo: Somebody, gm: Somebody, ayumi: Somebody
) -> None:
    brought = from_elsewhere(bo)
    bring(bo, session, brought)
    act = f"/s/{session.pk}/seats/{seats[1].pk}/ask-to-draw/"
    assert ayumi.client.post(act).status_code == 404
    for _ in range(2):
        gm.client.post(act)
    seats[1].refresh_from_db()
    assert seats[1].character is None
    draft = Character.objects.get(status="draft")
    assert (draft.owner, draft.name, draft.background) == (bo.person, "リュート", "港町の生まれ。")
    assert (draft.hp_max, draft.creation.offered_skills) == (1, ["ファイター"])
    page = bo.client.get(session.get_absolute_url()).content.decode()
    assert "リュートのカードを引く" in page
    assert f"/characters/{draft.pk}/creation/" in page
    brought.refresh_from_db()
    assert (brought.hp_max, brought.status) == (20, "done"), "the sheet itself stays on the shelf"
