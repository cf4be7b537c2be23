"""The scenarios that come with Takujō keep what they promise, and are taken and rehearsed by a tap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import msgspec
import pytest
from django.core.management import call_command
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone
from django.utils.formats import date_format

from characters.models import Character
from companion.files import pictures
from companion.models import Person, Picture, User
from companion.requests import quotas
from sessions.card_table import npcs, trials
from sessions.card_table.house_rules import npc_ranks
from sessions.evening import nights
from sessions.models import Campaign, Scenario, Session, Stage
from sessions.scenarios import document as documents
from sessions.scenarios import editing, shipped, staging
from sessions.scenarios.document import Document, ScenarioCheck, ScenarioNpc, ScenarioPart, ScenarioScene
from tests.conftest import Somebody, _guest
from tests.evening import play, sit
from tests.sessions.test_trials import rehearse, state_of

LANGUAGES = ("ja", "en")
KEYS = sorted({path.parent.name for path in shipped.FOLDER.glob("*/*.json")})
BOTH = pytest.mark.parametrize("language", LANGUAGES)
EACH = pytest.mark.parametrize("key", KEYS)
#: How a scene's notes say how long it takes.
PACE = re.compile(r"^(?:目安：約(\d+)分。|Pace: about (\d+) minutes\.)$", re.MULTILINE)
RULE = re.compile(r"UC-\d+\.\d+")
#: What both languages say alike.
FIGURE = re.compile(r"UC-\d+\.\d+|HP −\d|HO\d")
OF_ANOTHER_LANGUAGE = {"en": re.compile("[\u3000-\u9fff]"), "ja": re.compile("[a-z]{3}")}


def document(key: str, language: str) -> Document:
    return next(one.document for one in shipped.shipped_scenarios(language) if one.key == key)


def told(thing: ScenarioPart) -> list[str]:
    """Return the fields of a thing that people read."""
    chosen = {"id", "kind", "mood", "ambience", *documents.MEDIA}
    return [
        field
        for field in thing.__struct_fields__
        if field not in chosen and isinstance(getattr(thing, field), str)
    ]


def words(thing: ScenarioPart) -> str:
    """Return all texts for people in a thing, without its parts."""
    return "\n".join(getattr(thing, field) for field in told(thing))


def shape(thing: ScenarioPart) -> dict[str, Any]:
    """Return all of a thing but its words; of those, whether there are any."""
    return (
        msgspec.structs.asdict(thing)
        | {field: bool(getattr(thing, field)) for field in told(thing)}
        | {name: [shape(part) for part in getattr(thing, name)] for name in thing.parts}
    )


def ways(scenario: Document, scene: ScenarioScene) -> Iterator[list[ScenarioScene]]:
    """Yield every way from a scene to an end."""
    after = documents.next_scenes(scenario, scene.id)
    if not after:
        yield [scene]
    for following in after:
        for way in ways(scenario, following):
            yield [scene, *way]


@EACH
def test_a_shipped_scenario_has_the_same_parts_in_both_languages(key: str) -> None:
    ja, en = (document(key, language) for language in LANGUAGES)
    assert shape(ja) == shape(en)
    for one, other in zip(documents.things(ja), documents.things(en), strict=True):
        said, also = (sorted(FIGURE.findall(words(thing))) for thing in (one, other))
        assert said == also, one.id


@EACH
@BOTH
def test_texts_of_a_shipped_scenario_are_tidy_and_in_one_language(key: str, language: str) -> None:
    scenario = document(key, language)
    assert scenario.id == "0"
    for thing in documents.things(scenario):
        for field in told(thing):
            assert documents.tidy(field, getattr(thing, field)) == getattr(thing, field)
        assert not OF_ANOTHER_LANGUAGE[language].search(words(thing)), thing.id


@EACH
@BOTH
def test_every_path_through_a_shipped_scenario_takes_its_stated_time(key: str, language: str) -> None:
    scenario = document(key, language)
    ids = {scene.id for scene in scenario.scenes}
    assert all({*scene.leads} <= ids for scene in scenario.scenes)
    every = list(ways(scenario, scenario.scenes[0]))
    assert len(every) > 1, "there is a branch"
    assert {scene.id for way in every for scene in way} == ids
    for way in every:
        paces = [PACE.findall(scene.notes) for scene in way]
        assert all(len(pace) == 1 for pace in paces)
        assert sum(int(ja or en) for [(ja, en)] in paces) == scenario.minutes


@EACH
@BOTH
@pytest.mark.usefixtures("reference_rows")
def test_checks_npcs_and_rules_of_a_shipped_scenario_exist_in_the_game(key: str, language: str) -> None:
    scenario = document(key, language)
    things = list(documents.things(scenario))
    checks = [one for one in things if isinstance(one, ScenarioCheck)]
    assert {check.difficulty for check in checks} <= set(range(1, 4)), "newcomers play it"
    assert checks[0].difficulty == 1, "the first one is easy"
    assert {check.kind for check in checks} >= {"check", "chain", "secret", "contest"}, "it teaches these"
    for scene in scenario.scenes:
        sides = {check.passive for check in scene.checks if check.kind == "contest"}
        assert sides <= {npc.name for npc in scene.npcs}, "the desk finds a side by its name"
    assert all(check.follows and check.label for check in checks)
    ranks = {rank.rank: rank for rank in npc_ranks(None)}
    cast = [one for one in things if isinstance(one, ScenarioNpc)]
    assert {npc.rank for npc in cast} <= {*ranks}
    assert any(npc.rank == 1 and npc.count > 1 for npc in cast)
    assert any(npc.name and npc.rank >= 3 and npc.count == 1 for npc in cast)
    assert sum(npc.count for npc in cast) <= npcs.AT_ONCE
    book = (shipped.FOLDER.parents[1] / "modules/uroboros/rules" / f"{language}.md").read_text()
    named = {rule for thing in things for rule in RULE.findall(words(thing))}
    assert {"UC-4.1", "UC-5.1", "UC-6.1", "UC-8.1", "UC-9.4", "UC-10.2"} <= named, "it teaches these"
    assert [rule for rule in named if f"### {rule} " not in book] == []


@EACH
@BOTH
def test_every_scene_of_a_shipped_scenario_has_texts_mood_and_cut_ins(key: str, language: str) -> None:
    scenario = document(key, language)
    assert scenario.warns
    assert scenario.pitch
    for scene in scenario.scenes:
        assert all([scene.title, scene.read, scene.notes, scene.mood, scene.ambience, scene.caption]), (
            scene.id
        )
        assert scene.cut_ins, scene.id
    letters = [letter for scene in scenario.scenes for letter in scene.letters]
    assert len(letters) == scenario.players_to
    assert all(letter.text and letter.secret for letter in letters)


@EACH
def test_pictures_of_a_shipped_scenario_exist_in_the_stored_format(key: str) -> None:
    whole = document(key, "ja")
    shown = documents.media(whole)
    faces = {npc.picture for npc in documents.things(whole) if isinstance(npc, documents.ScenarioNpc)}
    assert {path.stem for path in (shipped.FOLDER / key).glob("*.webp")} == shown
    for name in shown:
        content = (shipped.FOLDER / key / f"{name}.webp").read_bytes()
        assert len(content) <= pictures.SCENE.bytes
        picture = pictures.written_before(content)
        assert (picture.width, picture.height) == ((300, 400) if name in faces else (1600, 900))


# --- taken ---------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "title"), [("ja", "雪待駅の鐘"), ("en", "The Bell at Yukimachi")])
def test_a_new_gm_is_offered_a_shipped_scenario_and_copies_it_by_a_tap(
    gm: Somebody, language: str, title: str
) -> None:
    gm.client.cookies["django_language"] = language
    home = gm.client.get("/gm/").content.decode()
    assert title in home
    assert 'action="/gm/scenarios/take/yukimachi/"' in home
    gm.client.post("/gm/scenarios/take/yukimachi/")
    own = Scenario.objects.get(owner=gm.person)
    assert own.title == title
    assert documents.media(editing.document_of(own)) == set(Picture.objects.values_list("key", flat=True))
    assert "/gm/scenarios/take/" not in gm.client.get("/gm/").content.decode()


@pytest.mark.django_db
def test_an_unknown_shipped_scenario_cannot_be_copied(gm: Somebody, bo: Somebody) -> None:
    for key in ("nothing", "__pycache__"):
        assert gm.client.post(f"/gm/scenarios/take/{key}/").status_code == 404
    assert bo.client.post("/gm/scenarios/take/yukimachi/").url.startswith("/account/sign-in/")
    assert not Scenario.objects.exists()


@pytest.mark.django_db
def test_a_reader_of_another_language_gets_shipped_scenarios_in_english() -> None:
    assert shipped.shipped_scenarios("ko") == shipped.shipped_scenarios("en")


# --- rehearsed -----------------------------------------------------------------------------------------


def copy_of(session: Session) -> Scenario:
    scenario = Stage.objects.select_related("scenario").get(session=session).scenario
    assert scenario
    return scenario


@pytest.mark.django_db
def test_a_rehearsal_has_the_shipped_scenario_on_its_stage(gm: Somebody, session: Session) -> None:
    table = rehearse(gm, session)
    assert copy_of(table.session).title == "雪待駅の鐘"
    staging.show_scene(session=table.session, scene_id="station")
    staged = Session.objects.get(pk=table.session_id).staged
    assert (staged["title"], staged["picture"]["width"]) == ("雪待駅", 1600)
    assert gm.client.get(staged["picture"]["url"]).status_code == 200


@pytest.mark.django_db
@pytest.mark.usefixtures("reference_rows")
@pytest.mark.parametrize(
    ("language", "cast"),
    [
        ("ja", ["若い衆A", "若い衆B", "若い衆C", "岩瀬"]),
        ("en", ["Young man A", "Young man B", "Young man C", "Iwase"]),
    ],
)
def test_the_fight_of_a_shipped_scenario_can_be_rehearsed(
    gm: Somebody, session: Session, language: str, cast: list[str]
) -> None:
    gm.client.cookies["django_language"] = language
    table = rehearse(gm, session)
    for npc in ("young", "iwase"):
        staging.bring_npcs(session=table.session, npc_id=npc, table_pk=table.pk)
    play(table, "gm", b'{"type":"start_combat"}')
    assert [npc.name for npc in state_of(table).npcs] == cast  # type: ignore[attr-defined]


@pytest.mark.django_db
def test_the_scenario_of_a_rehearsal_is_unlisted_and_deleted_with_it(gm: Somebody, session: Session) -> None:
    table = rehearse(gm, session)
    copy = copy_of(table.session)
    assert not gm.person.scenarios.exists()
    assert gm.client.get(f"/gm/scenarios/{copy.pk}/file/").status_code == 404
    assert "/gm/scenarios/take/" in gm.client.get("/gm/").content.decode()
    again = rehearse(gm, session)
    assert copy_of(again.session).pk != copy.pk
    assert Picture.objects.count() == 6, "those of the one before are gone"
    gm.client.post(f"/s/{again.session_id}/forget/")
    assert not Scenario._base_manager.exists()
    assert not Picture.objects.exists()


@pytest.mark.django_db
def test_a_gm_over_the_picture_quota_rehearses_without_a_scenario(
    gm: Somebody, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(quotas.QUOTAS, "companion.Picture", [quotas.Quota("owner", 2, "full")])  # type: ignore[arg-type]
    table = rehearse(gm, session)
    assert not Stage.objects.exists()
    assert not Scenario._base_manager.exists()
    assert not Picture.objects.exists()
    assert trials.rehearsal_going_on(Campaign.objects.get()) == table


# --- beside the sample ---------------------------------------------------------------------------------


@pytest.fixture
def fresh(db: None) -> Client:
    """The browser of the GM of a new server, which begins with the sample."""
    call_command("demo")
    browser = Client()
    browser.force_login(User.objects.get(username="gm"))
    return browser


def primary_buttons(page: str) -> list[str]:
    button = r'<(?:button|a) class="btn[^"]* primary[^"]*"[^>]*>(.*?)</(?:button|a)>'
    found = re.findall(button, page, re.DOTALL)
    return [re.sub(r"<[^>]*>|\s", "", one) for one in found]


def test_a_new_gm_is_led_to_the_shipped_scenario_not_to_the_sample(fresh: Client) -> None:
    home = fresh.get("/gm/").content.decode()
    assert primary_buttons(home) == ["受け取る"]
    assert home.index("受け取る") < home.index("見本の卓")
    sample = Session.objects.get()
    assert f'<a class="btn quiet" href="{sample.get_absolute_url()}">' in home
    assert fresh.get(sample.get_absolute_url()).status_code == 200


def test_the_shipped_scenario_opens_in_a_new_campaign_that_expects_nobody(fresh: Client) -> None:
    page = fresh.post("/gm/scenarios/take/yukimachi/", follow=True)
    assert nights.SAMPLE_CAMPAIGN not in page.content.decode()
    fresh.post(f"/gm/scenarios/{Scenario.objects.get().pk}/play/")
    session = Session.objects.latest("pk")
    assert (session.own_campaign.name, session.own_campaign.sessions.count()) == ("雪待駅の鐘", 1)
    assert [seat.role for seat in session.seats.all()] == ["gm"]
    again = fresh.get(f"/gm/scenarios/{Scenario.objects.get().pk}/").content.decode()
    assert re.findall(r"<option value=.*?>(.*?)</option>", again.split("</select>")[0]) == [
        "新しいキャンペーン",
        "雪待駅の鐘",
    ]


def test_the_sample_is_deleted_with_its_people_and_nothing_else(fresh: Client) -> None:
    _guest("さち")
    fresh.post("/gm/sample/delete/")
    assert not Campaign.objects.exists()
    assert not Character.objects.exists()
    assert set(Person.objects.values_list("name", flat=True)) == {"GM", "さち"}
    assert "見本の卓" not in fresh.get("/gm/").content.decode()


@pytest.mark.parametrize("minutes", [1, -1, None])
def test_a_sample_with_another_player_or_session_is_a_campaign_like_any_other(
    fresh: Client, minutes: int | None
) -> None:
    campaign = Campaign.objects.get()
    if minutes is None:
        nights.open_session(campaign=campaign, title="第二夜")
    else:
        guest = _guest("さち").person
        Person.objects.filter(pk=guest.pk).update(created_at=timezone.now() + timedelta(minutes=minutes))
        sit(Session.objects.get(), guest)
    fresh.post("/gm/sample/delete/")
    assert Campaign.objects.get() == campaign
    assert campaign.name in fresh.get("/gm/").content.decode()


def test_scenarios_of_one_title_have_dates_in_the_choice_at_the_table(gm: Somebody, session: Session) -> None:
    for _ in range(2):
        editing.create_scenario(gm.person, Document(title="灯台守の手紙"))
    desk = staging.desk_context(session, session.seats.get(role="gm"))
    shown = render_to_string("sessions/_script.html", {"session": session, **desk})
    for scenario in Scenario.objects.all():
        assert date_format(timezone.localtime(scenario.changed_at), "SHORT_DATETIME_FORMAT") in shown
