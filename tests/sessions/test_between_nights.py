"""Between two sessions of a group: the open night on the home page, the campaign's book, the recap."""

from __future__ import annotations

import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from characters.models import Character
from characters.services import sheets
from companion import shared_time
from sessions.card_table import npcs
from sessions.evening import handouts, nights
from sessions.game import Event
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import CODE_LIFETIME, Campaign, Handout, Role, Seat, Session, Stage
from sessions.report import campaign_book
from sessions.report.session_report import turning_points
from sessions.scenarios import shipped, staging
from sessions.scenarios.editing import document_of
from sessions.table import opening
from tests.conftest import Somebody
from tests.evening import play, sit

pytestmark = pytest.mark.django_db
TONIGHT, APPROVED_BEFORE = "Tonight's table is open", "Approved as before"


def text(who: Client, path: str, status: int = 200) -> str:
    who.cookies["django_language"] = "en"
    answer = who.get(path)
    assert answer.status_code == status, path
    return answer.content.decode().replace("&#x27;", "'")


@pytest.fixture
def sheet(bo: Somebody) -> Character:
    return create_character(bo.person, SAMPLES[1])


@pytest.fixture
def before(session: Session, gm: Somebody, ayumi: Somebody, bo: Somebody, sheet: Character) -> Session:
    """A first session of Ayumi and of Bo, whose character the GM approved; it has ended."""
    sit(session, ayumi.person)
    seat = sit(session, bo.person)
    nights.bring_character(seat=seat, character=sheet)
    nights.set_approved(seat=seat, approved=True)
    table = opening.open_table(session=session, module_key="uroboros", players=[seat])
    npcs.spawn(table_pk=table.pk, rank=2, name="岩瀬")
    npcs.spawn(table_pk=table.pk, rank=2, count=2, name="海の狼")
    npcs.spawn(table_pk=table.pk, rank=1)
    for hp in (0, 1):
        play(table, "gm", json.dumps({"type": "set_hp", "who": "p1", "hp": hp}).encode())
    nights.close_session(session=session)
    return session


@pytest.fixture
def tonight(before: Session) -> Session:
    return nights.open_session(campaign=before.own_campaign, title="第二夜")


# The home page


def test_the_home_page_seats_a_returning_player_at_the_open_session_with_one_tap(
    tonight: Session, bo: Somebody, sheet: Character
) -> None:
    page = text(bo.client, "/")
    assert TONIGHT in page
    form = page[page.index('class="tonight"') :].partition("</form>")[0]
    action = re.findall(r'action="([^"]+)"', form)[0]
    sent = dict(re.findall(r'name="(name|character|role)" value="([^"]+)"', form))
    assert bo.client.post(action, sent).url == tonight.get_absolute_url()
    seat = tonight.seats.get(person=bo.person)
    assert (seat.name, seat.role, seat.character) == ("ボー", Role.PLAYER, sheet)
    assert TONIGHT not in text(bo.client, "/"), "there is the way back to the seat now"


def test_the_home_page_shows_an_open_session_only_to_players_of_its_campaign(
    tonight: Session, gm: Somebody, ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    other = nights.open_session(
        campaign=Campaign.objects.create(gm=gm.person, name="別の話"), title="よその夜"
    )
    sit(other, kei.person)
    nights.close_session(session=other)
    for who in (Client(), kei.client, gm.client):
        page = text(who, "/")
        assert TONIGHT not in page
        assert tonight.code not in page.replace(" ", "") or who is gm.client
    watcher = sit(
        nights.open_session(campaign=tonight.own_campaign, title="見物"), kei.person, Role.SPECTATOR
    )
    nights.close_session(session=watcher.session)
    assert tonight.title not in text(kei.client, "/")
    assert TONIGHT in text(ayumi.client, "/")
    nights.remove_seat(seat=Seat.objects.get(person=ayumi.person))
    for line in (TONIGHT, tonight.title, tonight.code, tonight.own_campaign.name):
        assert line not in text(ayumi.client, "/")
    assert TONIGHT in text(bo.client, "/")


def test_the_home_page_shows_no_session_that_admits_nobody(tonight: Session, bo: Somebody) -> None:
    nights.set_joining(session=tonight, is_open=False)
    assert TONIGHT not in text(bo.client, "/")
    nights.set_joining(session=tonight, is_open=True)
    old = shared_time.now() - CODE_LIFETIME - timedelta(minutes=1)
    Session.objects.filter(pk=tonight.pk).update(code_issued_at=old)
    assert TONIGHT not in text(bo.client, "/")


def test_a_person_removed_from_the_open_session_is_not_asked_back(tonight: Session, bo: Somebody) -> None:
    nights.remove_seat(seat=sit(tonight, bo.person))
    assert tonight.code not in text(bo.client, "/")


def test_the_home_page_leads_to_ones_last_report_and_open_checklist(
    before: Session, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    report, ticks = f"/s/{before.pk}/report/", f"/s/{before.pk}/#experience"
    gm.client.post(f"/s/{before.pk}/experience/")
    assert report in text(ayumi.client, "/")
    assert ticks not in text(ayumi.client, "/"), "she has no character there"
    assert ticks in text(bo.client, "/")
    text(bo.client, report)
    gm.client.post(f"/s/{before.pk}/seats/{before.seats.get(person=bo.person).pk}/experience/confirm/")
    assert ticks not in text(bo.client, "/")
    assert report in text(bo.client, "/")


def test_the_home_page_needs_few_statements_for_campaigns(
    tonight: Session, bo: Somebody, kei: Somebody
) -> None:
    counts = []
    for who in (kei, bo):
        with CaptureQueriesContext(connection) as asked:
            who.client.get("/")
        counts.append(len(asked))
    assert counts[1] - counts[0] <= 2, "the open sessions, and the checklists"


# The book


def book_of(campaign: Campaign) -> str:
    return f"/campaigns/{campaign.pk}/"


def test_the_book_has_the_people_the_npcs_they_met_and_the_sessions(
    tonight: Session, before: Session, gm: Somebody, ayumi: Somebody, sheet: Character
) -> None:
    sit(tonight, ayumi.person)
    for who, path in ((ayumi, book_of(tonight.own_campaign)), (gm, f"/gm/campaigns/{tonight.campaign_id}/")):
        page = text(who.client, path)
        for known in ("あゆみ", "ボー", sheet.name, "岩瀬", "海の狼", "第一夜", "第二夜"):
            assert known in page, (path, known)
        assert "海の狼 A" not in page, "a kind stands there once"
        assert "Small fry" not in page
        assert "雑魚" not in page
    assert f"/characters/{sheet.pk}/" not in text(ayumi.client, book_of(tonight.own_campaign))


def test_board_games_take_no_room_from_the_npcs_of_the_book(
    tonight: Session, ayumi: Somebody, bo: Somebody, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign_book, "TABLES_READ", 1)
    players = [sit(tonight, ayumi.person), sit(tonight, bo.person)]
    opening.open_table(session=tonight, module_key="liarmafia", players=players)
    assert "岩瀬" in text(ayumi.client, book_of(tonight.own_campaign))


def test_the_book_opens_to_the_people_of_the_campaign_alone(
    tonight: Session, gm: Somebody, ayumi: Somebody, bo: Somebody, kei: Somebody
) -> None:
    path = book_of(tonight.own_campaign)
    elsewhere = nights.open_session(campaign=Campaign.objects.create(gm=gm.person, name="別の話"), title="夜")
    sit(elsewhere, kei.person)
    text(Client(), path, 404)
    text(kei.client, path, 404)
    text(kei.client, book_of(elsewhere.own_campaign))
    for who in (gm, ayumi, bo):
        text(who.client, path)
    nights.remove_seat(seat=Seat.objects.get(person=ayumi.person))
    text(ayumi.client, path, 404)


def test_the_book_links_the_reports_of_the_readers_own_sessions_alone(
    before: Session, tonight: Session, ayumi: Somebody, bo: Somebody
) -> None:
    sit(tonight, bo.person)
    nights.close_session(session=tonight)
    page = text(ayumi.client, book_of(tonight.own_campaign))
    assert f"/s/{before.pk}/report/" in page
    assert f"/s/{tonight.pk}/" not in page
    assert "without you" in page
    assert f"/s/{tonight.pk}/report/" in text(bo.client, book_of(tonight.own_campaign))


def test_the_book_has_handouts_as_its_reader_may_read_them(
    tonight: Session, gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    campaign = tonight.own_campaign
    own, other = sit(tonight, ayumi.person), sit(tonight, bo.person)
    letter = Handout.objects.create(campaign=campaign, title="灯台守", text="みんなへ", secret="ボーの秘密")
    silent = Handout.objects.create(campaign=campaign, title="無言の手紙", secret="だれにも")
    Handout.objects.create(campaign=campaign, title="まだ机の中", text="まだ")
    handouts.give_handout(handout=letter, session=tonight, seats=[other])
    handouts.give_handout(handout=silent, session=tonight, seats=[other])
    theirs, mine = text(bo.client, book_of(campaign)), text(ayumi.client, book_of(campaign))
    for secret in ("ボーの秘密", "無言の手紙", "だれにも"):
        assert secret in theirs
        assert secret not in mine
        assert secret in text(gm.client, f"/gm/campaigns/{campaign.pk}/")
    assert "みんなへ" in mine
    assert "まだ机の中" not in mine + theirs
    handouts.set_revealed(session=tonight, handout=letter, revealed=True)
    assert "ボーの秘密" in text(ayumi.client, book_of(campaign))
    assert own.pk != other.pk


def test_the_notes_of_the_gm_are_on_the_gms_page_alone(tonight: Session, gm: Somebody, bo: Somebody) -> None:
    tonight.own_campaign.scene_notes.create(title="犯人", text="駅長がやった")
    assert "駅長がやった" in text(gm.client, f"/gm/campaigns/{tonight.campaign_id}/")
    assert "犯人" not in text(bo.client, book_of(tonight.own_campaign))


# Approved before


def test_an_unchanged_character_is_approved_at_once_and_the_gm_is_told(
    tonight: Session, gm: Somebody, bo: Somebody, sheet: Character
) -> None:
    sheets.set_hp(character=sheet, hp=0)
    nights.bring_character(seat=sit(tonight, bo.person), character=sheet)
    assert tonight.seats.get(person=bo.person).approved
    assert APPROVED_BEFORE in text(gm.client, tonight.get_absolute_url())
    assert APPROVED_BEFORE not in text(bo.client, tonight.get_absolute_url())


def test_a_changed_character_is_looked_at_again(
    tonight: Session, gm: Somebody, bo: Somebody, sheet: Character
) -> None:
    sheets.set_hp_max(character=sheet, hp_max=sheet.hp_max + 1)
    seat = sit(tonight, bo.person)
    nights.bring_character(seat=seat, character=sheet)
    assert not seat.approved
    nights.set_approved(seat=seat, approved=True)
    assert APPROVED_BEFORE not in text(gm.client, tonight.get_absolute_url())


def test_an_approval_counts_for_the_character_that_the_gm_saw(
    tonight: Session, bo: Somebody, sheet: Character
) -> None:
    sheets.set_hp_max(character=sheet, hp_max=sheet.hp_max + 1)
    nights.bring_character(seat=sit(tonight, bo.person), character=sheet)
    seen = tonight.seats.get(person=bo.person)
    other = create_character(bo.person, SAMPLES[2])
    nights.bring_character(seat=tonight.seats.get(person=bo.person), character=other)
    nights.set_approved(seat=seen, approved=True)
    seat = tonight.seats.get(person=bo.person)
    assert (seat.character, seat.approved, seat.approved_revision) == (other, False, None)


def test_an_approval_counts_in_its_campaign_and_until_it_is_withdrawn(
    before: Session, tonight: Session, gm: Somebody, bo: Somebody, sheet: Character
) -> None:
    elsewhere = nights.open_session(campaign=Campaign.objects.create(gm=gm.person, name="別の話"), title="夜")
    seat = sit(elsewhere, bo.person)
    nights.bring_character(seat=seat, character=sheet)
    assert not seat.approved
    nights.set_approved(seat=before.seats.get(person=bo.person), approved=False)
    seat = sit(tonight, bo.person)
    nights.bring_character(seat=seat, character=sheet)
    assert not seat.approved


def test_a_wounded_character_is_told_what_a_days_rest_would_heal(
    tonight: Session, gm: Somebody, bo: Somebody, sheet: Character
) -> None:
    assert sheet.hp_max >= 2
    nights.bring_character(seat=sit(tonight, bo.person), character=sheet)
    for hp, told in ((0, 1), (-1, 0), (sheet.hp_max, None)):
        sheets.set_hp(character=sheet, hp=hp)
        for who, words in ((bo, "A day's rest would heal to HP"), (gm, "Wounded: a day's rest heals to HP")):
            page = text(who.client, tonight.get_absolute_url())
            assert f"{words} {told}" in page if told is not None else words not in page


def test_the_lobby_of_a_person_without_characters_offers_the_ready_people(
    session: Session, kei: Somebody, bo: Somebody, sheet: Character
) -> None:
    sit(session, kei.person)
    page = text(kei.client, session.get_absolute_url())
    assert page.count('name="who"') == 6
    action = re.findall(r'formaction="([^"]*new/ready/[^"]*)"', page)[0]
    key = re.findall(r'name="who"\s+value="(\w+)"', page)[0]
    kei.client.post(action, {"who": key}, follow=True)
    brought = session.seats.get(person=kei.person).character
    assert brought is not None
    assert brought.name in text(kei.client, session.get_absolute_url())
    sit(session, bo.person)
    assert 'name="who"' not in text(bo.client, session.get_absolute_url()), "he has a character of his own"


# The recap


def recap_of(session: Session) -> str:
    return f"/s/{session.pk}/stage/recap/"


@pytest.fixture
def scenes(before: Session, gm: Somebody) -> list[str]:
    """The pictures of a scenario of three scenes, of which the first was shown at the first session."""
    scenario = shipped.copy_scenario(gm.person, shipped.shipped_scenarios("ja")[0].key, "ja")
    shown, *_ = found = document_of(scenario).scenes
    Stage.objects.create(session=before, scenario=scenario, used=[shown.id])
    return [scene.picture for scene in found if scene.picture]


def test_the_recap_tells_turning_points_in_words_that_the_gm_edits_for_all_screens(
    tonight: Session, scenes: list[str], gm: Somebody, bo: Somebody, sheet: Character
) -> None:
    sit(tonight, bo.person)
    assert recap_of(tonight) in text(gm.client, tonight.get_absolute_url())
    page = text(gm.client, recap_of(tonight))
    assert f"{sheet.name} went down" in page
    assert f"{sheet.name} stood up again" in page
    assert "A fall" not in page, "the label of a highlight is no sentence"
    assert scenes[0] in page
    assert not any(hidden in page for hidden in set(scenes[1:]) - {scenes[0]}), "these were never shown"
    sent = {"text": "そして、鐘が鳴った。", "picture": [scenes[0], scenes[-1], "nonsense"]}
    assert gm.client.post(recap_of(tonight), sent).url == tonight.get_absolute_url()
    for shown in (text(bo.client, tonight.get_absolute_url()), text(Client(), f"/face/{tonight.face_key}/")):
        assert "そして、鐘が鳴った。" in shown
        assert scenes[0] in shown
        assert scenes[-1] not in shown
    assert "そして、鐘が鳴った。" in text(gm.client, recap_of(tonight)), "the words can be changed again"
    gm.client.post(f"/s/{tonight.pk}/stage/off/", {"scene": ""})
    assert "そして、鐘が鳴った。" not in text(bo.client, tonight.get_absolute_url())


def test_a_long_night_is_told_by_five_turning_points_the_players_own_first() -> None:
    foes = [Event("fell", {"who": f"n{n}", "name": "", "by": {}}) for n in range(9)]
    ours = [
        Event("fell", {"who": "n9", "name": "", "by": {"who": "p1", "name": ""}}),
        Event("rescued", {"who": "p2"}),
    ]
    story = [*foes[:4], ours[0], *foes[4:], ours[1]]
    chosen = turning_points(story, {"p1", "p2"})
    assert len(chosen) == 5
    assert chosen == sorted(chosen)
    assert {4, 10} <= set(chosen)
    assert turning_points(foes[:3], {"p1"}) == [0, 1, 2]
    assert turning_points(ours * 40, {"p1", "p2"})[-1] == 79, "how it ended is told"


def test_there_is_no_recap_at_the_first_session(session: Session, gm: Somebody) -> None:
    assert recap_of(session) not in text(gm.client, session.get_absolute_url())
    text(gm.client, recap_of(session), 404)


def test_only_the_gm_reads_and_shows_the_recap(tonight: Session, bo: Somebody, kei: Somebody) -> None:
    sit(tonight, bo.person)
    for who in (bo.client, kei.client, Client()):
        text(who, recap_of(tonight), 404)
        assert who.post(recap_of(tonight), {"text": "うそ"}).status_code == 404
    tonight.refresh_from_db()
    assert tonight.staged == {}


@pytest.mark.parametrize("words", ["", "あ" * 2001])
def test_a_recap_without_words_or_with_too_many_is_refused(
    tonight: Session, gm: Somebody, words: str
) -> None:
    assert gm.client.post(recap_of(tonight), {"text": words}).status_code == 422
    tonight.refresh_from_db()
    assert tonight.staged == {}


def test_the_scenario_goes_on_after_the_recap(tonight: Session, scenes: list[str], gm: Somebody) -> None:
    scenario = Stage.objects.get().scenario
    staging.choose_scenario(session=tonight, scenario=scenario)
    assert scenario
    Stage.objects.exclude(session=tonight).update(used=[scene.id for scene in document_of(scenario).scenes])
    gm.client.post(recap_of(tonight), {"text": "前夜のこと", "picture": scenes})
    face = f"/face/{tonight.face_key}/"
    assert all(picture in text(Client(), face) for picture in scenes)
    staging.show_scene(session=tonight, scene_id=document_of(scenario).scenes[0].id)
    shown = text(Client(), face)
    assert scenes[0] in shown
    assert not any(picture in shown for picture in set(scenes[1:]) - {scenes[0]})
