"""The stage of a session: everybody sees the present scene, and the GM alone sees the others."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from companion.files import pictures
from sessions.evening import handouts, nights
from sessions.models import Handout, HandoutCopy, Notice, Role, Scenario, Seat, Session, Stage, Table
from sessions.scenarios import document as documents
from sessions.scenarios import editing, staging
from sessions.scenarios.document import (
    CutIn,
    Document,
    ScenarioCheck,
    ScenarioHandout,
    ScenarioNpc,
    ScenarioScene,
    Unfit,
)
from tests.conftest import Somebody
from tests.evening import sit
from tests.sessions.test_scenery import sent
from tests.sessions.test_unseen_twins import OF_THE_PAGE

pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(gm: Somebody) -> Scenario:
    pier = ScenarioScene(
        id="pier",
        title="桟橋",
        read="霧が深い。",
        notes="灯台守は嘘をついている。",
        mood="harbour",
        checks=[
            ScenarioCheck(
                id="trace",
                label="足跡をさがす",
                follows="成功：倉庫へ続く。\n扉は開いている。\n失敗：波が消した。",
            )
        ],
        npcs=[
            ScenarioNpc(id="rats", count=3),
            ScenarioNpc(id="boss", name="灯台守", rank=3, special="灯りを消す"),
        ],
        letters=[ScenarioHandout(id="map", title="古い海図", text="港の地図", secret="隠し扉")],
        cut_ins=[CutIn(id="bang", words="轟音")],
    )
    store = ScenarioScene(id="store", title="倉庫", read="鼠の気配がする。")
    return editing.create_scenario(gm.person, Document(title="灯の消えた港", scenes=[pier, store]))


@pytest.fixture
def staged(session: Session, table: Table, harbour: Scenario) -> Session:
    staging.choose_scenario(session=session, scenario=harbour)
    return session


def html(who: Client, address: str) -> str:
    return who.get(address).content.decode()


SECRETS = (
    "桟橋",
    "霧が深い",
    "灯台守",
    "足跡をさがす",
    "倉庫",
    "鼠の気配",
    "古い海図",
    "隠し扉",
    "轟音",
    "灯の消えた港",
)


def test_no_text_of_a_scenario_reaches_players_before_its_scene_is_shown(
    staged: Session, table: Table, gm: Somebody, ayumi: Somebody, kei: Somebody
) -> None:
    for address in (staged.get_absolute_url(), table.get_absolute_url()):
        told = html(ayumi.client, address)
        assert [word for word in SECRETS if word in told] == []
    face = html(Client(), f"/face/{staged.face_key}/")
    assert [word for word in SECRETS if word in face] == []
    desk = html(gm.client, table.get_absolute_url())
    assert "灯の消えた港" in desk
    assert "桟橋" in desk


def test_a_scene_that_the_gm_shows_is_on_every_screen(
    staged: Session, table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    gm.client.post(f"/s/{staged.pk}/stage/on/", {"scene": "pier"})
    for who, address in ((ayumi.client, table.get_absolute_url()), (Client(), f"/face/{staged.face_key}/")):
        told = html(who, address)
        assert "桟橋" in told
        assert "霧が深い。" in told
        assert 'data-mood="harbour"' in told
        hidden = [word for word in SECRETS if word in told]
        assert hidden == ["桟橋", "霧が深い"]
    desk = html(gm.client, table.get_absolute_url())
    for word in ("灯台守は嘘をついている。", "足跡をさがす", "倉庫へ続く", "古い海図", "倉庫"):
        assert word in desk

    gm.client.post(f"/s/{staged.pk}/stage/on/", {"scene": "store"})
    told = html(ayumi.client, table.get_absolute_url())
    assert "鼠の気配がする。" in told
    assert "霧が深い。" not in told
    gm.client.post(f"/s/{staged.pk}/stage/off/")
    assert "鼠の気配がする。" not in html(ayumi.client, table.get_absolute_url())


def test_player_pages_do_not_depend_on_unshown_parts_of_a_scenario(
    session: Session,
    table: Table,
    seats: list[Seat],
    gm: Somebody,
    ayumi: Somebody,
    kei: Somebody,
    harbour: Scenario,
) -> None:
    """Ids are part of it: from a file they are numbers, which count what lies between two scenes."""
    other = editing.document_of(harbour)
    other.scenes[0].letters.append(ScenarioHandout(id="map2", title="もう一枚", text="", secret=""))
    other.scenes[0].notes, other.title = "灯台守は本当のことを言う。", "別の港"
    documents.renumber(other)
    twin = editing.create_scenario(gm.person, other)
    sit(session, kei.person, Role.SPECTATOR)

    def seen(scenario: Scenario) -> list[str]:
        staging.choose_scenario(session=session, scenario=scenario)
        staging.show_scene(session=session, scene_id=editing.document_of(scenario).scenes[1].id)
        evening, at_the_table = session.get_absolute_url(), table.get_absolute_url()
        addresses = (evening, at_the_table, f"{at_the_table}log/", f"{evening}log/", f"{evening}report/")
        pages = [html(who.client, address) for who in (ayumi, kei) for address in addresses]
        pages += [html(Client(), f"/face/{session.face_key}/")]
        # The face says until when it shows the words, by the clock.
        pages = [re.sub(r'data-until="\d+"', "", page) for page in pages]
        return [OF_THE_PAGE.sub(r"\1", page) for page in pages]

    shown = seen(harbour)
    assert "鼠の気配がする。" in shown[1]
    assert shown == seen(twin)


def test_a_deputy_gm_can_choose_only_the_scenario_of_the_session(
    staged: Session, seats: list[Seat], table: Table, gm: Somebody, ayumi: Somebody, harbour: Scenario
) -> None:
    other = editing.create_scenario(gm.person, Document(title="つぎの夜"))
    Seat.objects.filter(pk=seats[0].pk).update(deputy=True)
    Seat.objects.filter(session=staged, role=Role.GM).update(stand_in=seats[0])

    def brought(scenario: object) -> int:
        return ayumi.client.post(f"/s/{staged.pk}/stage/", {"scenario": scenario}).status_code

    assert brought(harbour.pk) == 302
    assert [brought(said) for said in (other.pk, other.pk + 99, "", "x")] == [404] * 4
    assert Stage.objects.get(session=staged).scenario == harbour
    Stage.objects.update(scenario=None)
    assert brought(harbour.pk) == 404
    assert "つぎの夜" not in str(staging.desk_context(staged, Seat.objects.get(session=staged, role=Role.GM)))
    assert gm.client.post(f"/s/{staged.pk}/stage/", {"scenario": other.pk}).status_code == 302


def test_a_shown_scene_stays_after_its_scenario_is_changed_or_deleted(
    staged: Session, table: Table, gm: Somebody, ayumi: Somebody, harbour: Scenario
) -> None:
    editing.set_picture(harbour, "pier", pictures.rewritten(sent().read(), pictures.SCENE))
    key = harbour.pictures.get().picture.key
    staging.show_scene(session=staged, scene_id="pier")
    editing.remove(harbour.pk, "pier")
    told = html(ayumi.client, table.get_absolute_url())
    assert "霧が深い。" in told
    assert key in told
    assert "倉庫" in html(gm.client, table.get_absolute_url())
    harbour.delete()
    for who in (ayumi, gm):
        assert "霧が深い。" in html(ayumi.client, table.get_absolute_url())
        assert who.client.get(staged.get_absolute_url()).status_code == 200
    staged.refresh_from_db()
    staging.clear_stage(session=staged)
    assert "霧が深い。" not in html(ayumi.client, table.get_absolute_url())


def test_a_picture_that_the_gm_shows_covers_the_scene(
    staged: Session, table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    staging.show_scene(session=staged, scene_id="pier")
    said = {"text": "地図", "picture": sent(), "caption": "港の全景", "show": "on"}
    assert gm.client.post(f"/s/{staged.pk}/write/notes/", said).status_code == 200
    told = html(ayumi.client, table.get_absolute_url())
    assert "港の全景" in told
    assert "霧が深い。" not in told
    gm.client.post(f"/s/{staged.pk}/scene/picture/", {"note": ""})
    assert "霧が深い。" in html(ayumi.client, table.get_absolute_url())


def test_a_handout_of_a_scene_goes_to_the_player_that_the_gm_taps(
    staged: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    gm.client.post(f"/s/{staged.pk}/stage/letters/map/", {"seat": seats[0].pk})
    handout = Handout.objects.get()
    assert [handout in handouts.readable_handouts(seat) for seat in seats[:2]] == [True, False]
    assert "隠し扉" in html(ayumi.client, staged.get_absolute_url())
    assert "隠し扉" not in html(bo.client, staged.get_absolute_url())
    assert Stage.objects.get().used == ["map"]
    gm.client.post(f"/s/{staged.pk}/stage/letters/map/", {"seat": "all"})
    assert "隠し扉" in html(bo.client, staged.get_absolute_url())


def test_the_gm_brings_npcs_of_a_scene_to_the_table(staged: Session, table: Table, gm: Somebody) -> None:
    for npc in ("rats", "boss"):
        gm.client.post(f"/s/{staged.pk}/stage/npcs/{npc}/", {"table": table.pk})
    table.refresh_from_db()
    assert table.version == 4
    desk = html(gm.client, table.get_absolute_url())
    assert "灯台守" in desk
    assert Stage.objects.get().used == ["rats", "boss"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("on/", {"scene": "nobody"}),
        ("on/", {"scene": "trace"}),
        ("letters/trace/", {"seat": "all"}),
        ("letters/map/", {"seat": "0"}),
        ("letters/map/", {"seat": "x" * 50}),
        ("used/", {"thing": "nobody"}),
        ("read/trace/0/", {}),
        ("read/nobody/0/", {}),
        ("letters/", {}),
    ],
)
def test_a_request_for_a_missing_part_of_a_scenario_changes_nothing(
    staged: Session, gm: Somebody, address: str, said: dict[str, Any]
) -> None:
    before = Stage.objects.values().get()
    answer = gm.client.post(f"/s/{staged.pk}/stage/{address}", said, follow=True)
    assert answer.status_code == 200
    assert 'class="messages' in answer.content.decode()
    assert Stage.objects.values().get() == before
    assert not Handout.objects.exists()


def test_only_the_gm_changes_the_stage_and_only_with_an_own_scenario(
    staged: Session, gm: Somebody, ayumi: Somebody, kei: Somebody, harbour: Scenario
) -> None:
    said = {"scene": "pier", "scenario": harbour.pk, "seat": "all", "thing": "map"}
    for who in (ayumi, kei):
        for address in ("", "on/", "off/", "used/", "letters/map/", "letters/", "read/trace/0/"):
            assert who.client.post(f"/s/{staged.pk}/stage/{address}", said).status_code == 404
    others = editing.create_scenario(ayumi.person, Document(title="ほかの人のもの"))
    assert gm.client.post(f"/s/{staged.pk}/stage/", {"scenario": others.pk}).status_code == 404
    assert Stage.objects.get().scenario == harbour


def test_an_ended_session_shows_no_scene(staged: Session, ayumi: Somebody) -> None:
    staging.show_scene(session=staged, scene_id="pier")
    nights.close_session(session=staged)
    assert "霧が深い。" not in html(ayumi.client, staged.get_absolute_url())


def test_a_session_without_a_scenario_cannot_show_a_scene(session: Session, seats: list[Seat]) -> None:
    with pytest.raises(Unfit, match="gone"):
        staging.show_scene(session=session, scene_id="pier")


def test_parts_used_from_two_gm_devices_at_once_are_both_marked(staged: Session) -> None:
    """Neither page knew of the other's tap."""
    one, other = (Session.objects.get(pk=staged.pk) for _ in range(2))
    staging.show_cut_in(session=one, cut_in_id="bang")
    staging.give_handout(session=other, handout_id="map", seats=list(staged.players))
    assert set(Stage.objects.get().used) == {"bang", "map"}


@pytest.mark.parametrize(
    ("follows", "outcomes"),
    [
        ("成功：戸が開く。\n失敗：開かない。", [(True, "戸が開く。"), (False, "開かない。")]),
        (
            "【成功した場合】戸が\n開く。\n大失敗 → 手を打つ。",
            [(True, "戸が\n開く。"), (False, "手を打つ。")],
        ),
        (
            "Success: it opens.\nOn a failure: it stays shut.",
            [(True, "it opens."), (False, "it stays shut.")],
        ),
        ("3枚以上：鳴る。\n0〜1枚：「だめだ！」と叫ぶ。", [(None, "鳴る。"), (None, "「だめだ！」と叫ぶ。")]),
        ("倉庫へ続く", [(None, "倉庫へ続く")]),
        ("成功：足跡。\nGM：犯人は村長\n隠すこと\n失敗：ない。", [(True, "足跡。"), (False, "ない。")]),
        ("成功：足跡がある。\n※PLには非公開：犯人は村長", [(True, "足跡がある。")]),
        ("結果：\n\n", []),
        ("", []),
    ],
)
def test_the_words_after_a_check_are_split_by_its_outcomes(
    follows: str, outcomes: list[tuple[bool | None, str]]
) -> None:
    found = [(outcome.success, outcome.words) for outcome in staging.split_outcomes(follows)]
    assert found == outcomes


def test_the_gm_reads_an_outcome_to_everybody_and_takes_it_back(
    staged: Session, table: Table, gm: Somebody, ayumi: Somebody
) -> None:
    staging.show_scene(session=staged, scene_id="pier")
    page = html(gm.client, table.get_absolute_url())
    assert 'data-deed="足跡をさがす"' in page
    assert "波が消した。" in page
    assert "倉庫へ続く" not in html(ayumi.client, table.get_absolute_url())
    gm.client.post(f"/s/{staged.pk}/stage/read/trace/0/", {"table": table.pk})
    seen = html(ayumi.client, table.get_absolute_url())
    assert "扉は開いている。" in seen
    assert "霧が深い。" not in seen
    assert "波が消した。" not in seen
    gm.client.post(f"/s/{staged.pk}/stage/read/trace/0/", {"table": table.pk})
    assert "霧が深い。" in html(ayumi.client, table.get_absolute_url())


def test_an_outcome_of_a_scene_that_is_not_on_stage_is_not_read(staged: Session) -> None:
    staging.show_scene(session=staged, scene_id="store")
    with pytest.raises(Unfit, match="gone"):
        staging.read_out(session=staged, check_id="trace", place=0)
    staging.show_scene(session=staged, scene_id="pier")
    with pytest.raises(Unfit, match="gone"):
        staging.read_out(session=staged, check_id="trace", place=2)


def test_one_press_hands_each_player_without_a_handout_their_own(
    session: Session, table: Table, gm: Somebody, bo: Somebody, kei: Somebody
) -> None:
    """All get the same card, the one who has a handout already, too; nobody else's secret is in it."""
    letters = [
        ScenarioHandout(id=f"ho{n}", title=f"HO{n}", text=f"表{n}", secret=f"裏{n}") for n in (1, 2, 3)
    ]
    scene = ScenarioScene(
        id="pier", title="桟橋", letters=[*letters, ScenarioHandout(id="map", title="海図")]
    )
    scenario = editing.create_scenario(gm.person, Document(title="港", scenes=[scene]))
    staging.choose_scenario(session=session, scenario=scenario)
    staging.show_scene(session=session, scene_id="pier")
    sit(session, kei.person)
    ayumi, *_others = Session.objects.get(pk=session.pk).players
    staging.give_handout(session=session, handout_id="ho2", seats=[ayumi])
    assert "ひとりずつ渡す" in html(gm.client, table.get_absolute_url())
    gm.client.post(f"/s/{session.pk}/stage/letters/", {"table": table.pk})
    given = HandoutCopy.objects.values_list("seat__name", "handout__title").order_by("pk")
    assert list(given) == [("あゆみ", "HO2"), ("ボー", "HO1"), ("ケイ", "HO3")]
    assert Notice.objects.count() == 2
    assert "ひとりずつ渡す" not in html(gm.client, table.get_absolute_url())
    seen = html(bo.client, table.get_absolute_url())
    assert "裏1" in seen
    assert "裏3" not in seen


def test_the_desk_names_the_players_who_still_look_at_a_card(
    staged: Session, table: Table, gm: Somebody, bo: Somebody
) -> None:
    def unread(who: Somebody) -> str:
        page = html(who.client, table.get_absolute_url())
        return page.partition('id="unread"')[2].partition("</p>")[0]

    assert "ボー" not in unread(gm)
    handouts.hand_over_copies(session=staged)
    assert "ボー" in unread(gm)
    assert unread(bo) == ""
    notice = Notice.objects.get()
    for seat in staged.players:
        handouts.dismiss_notice(seat=seat, notice_pk=notice.pk)
    assert "ボー" not in unread(gm)
