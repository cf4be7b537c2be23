"""What a GM made on the spot in an evening is kept in the scenario that it played, a tap each."""

from __future__ import annotations

import re

import pytest

from companion.files import gallery
from companion.requests import quotas
from sessions.card_table import npcs
from sessions.evening import preparation
from sessions.models import Handout, LibraryNpc, PreparedCheck, Scenario, SceneNote, Session, Table
from sessions.scenarios import editing, staging
from sessions.scenarios.document import Document, ScenarioCheck, ScenarioScene
from tests.conftest import Somebody
from tests.evening import call, play
from tests.sessions.scenarios.test_files import picture

pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(gm: Somebody) -> Scenario:
    pier = ScenarioScene(
        id="pier", title="桟橋", checks=[ScenarioCheck(id="trace", label="足跡をさがす", difficulty=2)]
    )
    store = ScenarioScene(id="store", title="倉庫")
    return editing.create_scenario(gm.person, Document(title="灯の消えた港", scenes=[pier, store]))


CONTEST = """{"type": "contest", "difficulty": 2, "label": "腕ずもう",
    "active": {"seat": "p1", "npc": null, "skill": false, "q": 0},
    "passive": {"seat": "p2", "npc": null, "skill": false, "q": 0}}""".encode()


@pytest.fixture
def night(session: Session, table: Table, harbour: Scenario, gm: Somebody) -> Session:
    """An evening in which a check, a handout, an NPC and a note were made on the spot."""
    staging.choose_scenario(session=session, scenario=harbour)
    staging.show_scene(session=session, scene_id="store")
    for label in ("足跡をさがす", "屋根を渡る", "屋根を渡る"):
        play(table, "gm", call(difficulty=4, label=label))
        play(table, "gm", b'{"type": "cancel"}')
    play(table, "gm", CONTEST)
    play(table, "gm", b'{"type": "cancel"}')
    lock = PreparedCheck(label="鍵をこじ開ける", difficulty=3, chain=True)
    preparation.write_check(session=session, check=lock)
    letter = Handout(campaign=session.own_campaign, title="濡れた手紙", text="助けて", secret="嘘だ")
    letter.picture = gallery.store_picture(gm.person, picture("navy"), guarded=True)
    letter.save()
    boss = LibraryNpc(owner=gm.person, name="灯台守", rank=3, notes="灯りを消す" * 100)
    npcs.save_npc(library=boss, picture=picture("olive"))
    npcs.spawn_library(table_pk=table.pk, library=boss, count=2)
    note = SceneNote(title="地下道", text="鼠がいる", caption="暗い")
    preparation.write_note(session=session, note=note, picture=picture("teal"), show=False)
    return session


def offered(who: Somebody, session: Session) -> dict[str, str]:
    """Return the keys of what the page offers, by what it calls them."""
    told = who.client.get(f"/s/{session.pk}/improvised/").content.decode()
    rows = re.findall(r'row-title">\s*(.*?)\s*</span>.*?name="thing" value="([^"]+)"', told, re.DOTALL)
    return dict(rows)


def test_improvised_things_are_offered_once_and_saved_to_the_scenario(
    night: Session, gm: Somebody, harbour: Scenario
) -> None:
    made = offered(gm, night)
    assert set(made) == {"鍵をこじ開ける", "屋根を渡る", "腕ずもう", "濡れた手紙", "灯台守", "地下道"}
    for key in made.values():
        gm.client.post(f"/s/{night.pk}/improvised/", {"thing": key, "scene": "store"})
    assert offered(gm, night) == {}
    harbour.refresh_from_db()
    document = editing.document_of(harbour)
    _, store, cellar = document.scenes
    assert {(check.label, check.difficulty, check.kind) for check in store.checks} == {
        ("鍵をこじ開ける", 3, "chain"),
        ("屋根を渡る", 4, "check"),
        ("腕ずもう", 2, "contest"),
    }
    (letter,), (boss,) = store.letters, store.npcs
    assert (letter.title, letter.text, letter.secret) == ("濡れた手紙", "助けて", "嘘だ")
    assert (boss.name, boss.rank, boss.special) == ("灯台守", 3, ("灯りを消す" * 100)[:200])
    assert (cellar.title, cellar.notes, cellar.caption) == ("地下道", "鼠がいる", "暗い")
    own = set(harbour.pictures.values_list("picture__key", flat=True))
    assert {letter.picture, boss.picture, cellar.picture} == own
    assert len(own) == 3


def test_an_improvised_thing_is_not_saved_twice(night: Session, gm: Somebody, harbour: Scenario) -> None:
    key = offered(gm, night)["屋根を渡る"]
    for _ in range(2):
        answer = gm.client.post(f"/s/{night.pk}/improvised/", {"thing": key, "scene": "store"}, follow=True)
    assert "シナリオにはもうありません" in answer.content.decode()
    harbour.refresh_from_db()
    assert [check.label for check in editing.document_of(harbour).scenes[1].checks] == ["屋根を渡る"]


@pytest.mark.parametrize(
    ("thing", "scene"), [("", "store"), ("called-1-99", "store"), ("屋根を渡る", "gone")]
)
def test_saving_an_unknown_improvised_thing_changes_nothing(
    night: Session, gm: Somebody, harbour: Scenario, thing: str, scene: str
) -> None:
    key = offered(gm, night).get(thing, thing)
    answer = gm.client.post(f"/s/{night.pk}/improvised/", {"thing": key, "scene": scene}, follow=True)
    assert "シナリオにはもうありません" in answer.content.decode()
    before = harbour.document
    harbour.refresh_from_db()
    assert harbour.document == before


def test_only_a_gm_who_owns_the_scenario_saves_improvised_things(
    night: Session, gm: Somebody, ayumi: Somebody, kei: Somebody, harbour: Scenario
) -> None:
    address, made = f"/s/{night.pk}/improvised/", offered(gm, night)
    for who in (ayumi, kei):
        assert who.client.get(address).status_code in (302, 404)
        assert "灯台守" not in who.client.get(address, follow=True).content.decode()
        who.client.post(address, {"thing": made["灯台守"], "scene": "store"})
    Scenario.objects.update(owner=kei.person)
    assert "灯台守" not in gm.client.get(address, follow=True).content.decode().partition("<main")[0]
    gm.client.post(address, {"thing": made["灯台守"], "scene": "store"})
    harbour.refresh_from_db()
    assert not editing.document_of(harbour).scenes[1].npcs


def test_an_improvised_handout_over_the_picture_quota_is_not_saved(
    night: Session, gm: Somebody, harbour: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = offered(gm, night)["濡れた手紙"]
    monkeypatch.setitem(quotas.QUOTAS, "companion.Picture", [quotas.Quota("owner", 3, "full")])  # type: ignore[arg-type]
    answer = gm.client.post(f"/s/{night.pk}/improvised/", {"thing": key, "scene": "store"})
    assert answer.status_code == 422
    harbour.refresh_from_db()
    assert not editing.document_of(harbour).scenes[1].letters
