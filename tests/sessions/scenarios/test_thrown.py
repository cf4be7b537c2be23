"""Cut-ins and short sounds: on all screens at one instant, bounded, and nothing of them is known before."""

from __future__ import annotations

import re
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile

from companion.files import pictures
from sessions.evening.refusals import Refused
from sessions.models import Role, Scenario, Seat, Session, Stage, Table
from sessions.scenarios import editing, staging
from sessions.scenarios.document import CutIn, Document, ScenarioScene, Unfit
from tests.conftest import Somebody
from tests.evening import everybody_is_here, everybody_leaves, sit
from tests.phones import Phone, phone, timeless
from tests.servers import ThreadServer

pytestmark = pytest.mark.django_db(transaction=True)

FILES = Path(__file__).parent / "files"
CUT_IN = "/s/{}/stage/cut-in/"


def tone() -> SimpleUploadedFile:
    return SimpleUploadedFile("tone.mp3", (FILES / "tone.mp3").read_bytes())


@pytest.fixture
def harbour(gm: Somebody, session: Session) -> Scenario:
    """Tonight's scenario, with a scene that has cut-ins."""
    cut_ins = [CutIn(id="c1", words="待て！"), CutIn(id="c2", words="灯が消える"), CutIn(id="c3")]
    scene = ScenarioScene(id="a", title="桟橋", cut_ins=cut_ins)
    scenario = editing.create_scenario(gm.person, Document(title="港", scenes=[scene]))
    editing.set_picture(scenario, "c2", pictures.EncodedPicture(b"RIFF", 16, 9))
    staging.choose_scenario(session=session, scenario=scenario)
    return Scenario.objects.get()


def keys(scenario: Scenario) -> list[str]:
    """The keys of all pictures and sounds of a scenario."""
    kept = list(scenario.pictures.values_list("picture__key", flat=True))
    return kept + list(scenario.sounds.values_list("key", flat=True))


@pytest.fixture
def long_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time enough between two, on any machine."""
    monkeypatch.setattr(staging, "APART", 3600)


def later() -> None:
    """Let the time pass until the next may be thrown."""
    cache.clear()


async def shown(device: Phone) -> dict[str, Any]:
    """Return the next thing that a page shows for a moment."""
    return dict((await device.answer("thrown"))["thrown"])


async def test_a_cut_in_reaches_every_screen_with_its_start_time(
    server: ThreadServer,
    session: Session,
    table: Table,
    harbour: Scenario,
    gm: Somebody,
    ayumi: Somebody,
    bo: Somebody,
    kei: Somebody,
) -> None:
    await sync_to_async(sit)(session, kei.person, Role.SPECTATOR)
    places: list[tuple[Somebody | None, str]] = [
        (ayumi, f"/ws/tables/{table.pk}/"),
        (bo, f"/ws/sessions/{session.pk}/"),
        (kei, f"/ws/tables/{table.pk}/"),
        (gm, f"/ws/tables/{table.pk}/"),
        (None, f"/ws/faces/{session.face_key}/"),
    ]
    address = f"/s/{session.pk}/stage/cut-in/"
    async with AsyncExitStack() as open_pages:
        pages = [await open_pages.enter_async_context(phone(server, who, path)) for who, path in places]
        for page in pages:
            await page.until_shown('hx-target="#scenery"')
        before = time.time()
        await sync_to_async(gm.client.post)(address, {"cut_in": "c1"})
        after = time.time()
        seen = [await shown(page) for page in pages]
        assert seen == [seen[0]] * len(pages)
        assert {**seen[0], "at": 0} == {"at": 0, "words": "待て！", "picture": None, "sound": ""}
        assert before * 1000 <= seen[0]["at"] - 300 <= after * 1000 + 1
        later()
        before = time.time()
        await sync_to_async(gm.client.post)(address, {"cut_in": "c2"})
        seen = [await shown(page) for page in pages]
        assert seen == [seen[0]] * len(pages)
        assert re.fullmatch(r"/pictures/[\w-]+\.webp", seen[0]["picture"]["url"])
        assert seen[0]["at"] - before * 1000 >= 1000, "there is time for the picture to come"

    # Whoever comes later is told nothing.
    async with phone(server, ayumi, places[0][1]) as late:
        await late.until_shown('hx-target="#scenery"')
        await late.pong()
        assert "thrown" not in late.bytes


@pytest.mark.usefixtures("long_apart")
def test_a_second_cut_in_right_after_the_first_is_refused(
    gm: Somebody, session: Session, harbour: Scenario, seats: list[Seat]
) -> None:
    address = CUT_IN.format(session.pk)
    said = "いま、みんなの画面に出しているものがあります。"
    assert said not in gm.client.post(address, {"cut_in": "c1"}, follow=True).content.decode()
    again = gm.client.post(address, {"cut_in": "c2"}, follow=True)
    assert said in again.content.decode()
    assert Stage.objects.get().used == ["c1"]
    later()
    assert said not in gm.client.post(address, {"cut_in": "c2"}, follow=True).content.decode()


@pytest.mark.parametrize("cut_in", ["c3", "a", "zz", ""])
def test_an_unknown_cut_in_is_refused(gm: Somebody, session: Session, harbour: Scenario, cut_in: str) -> None:
    answer = gm.client.post(CUT_IN.format(session.pk), {"cut_in": cut_in}, follow=True)
    assert "シナリオにはもうありません。" in answer.content.decode()
    staging.show_cut_in(session=session, cut_in_id="c1")  # and it counted as none


def test_only_the_gm_shows_cut_ins_and_plays_sounds(
    session: Session, harbour: Scenario, seats: list[Seat], ayumi: Somebody, kei: Somebody
) -> None:
    for who in (ayumi, kei):
        for address in (CUT_IN.format(session.pk), f"/s/{session.pk}/stage/once/"):
            assert who.client.post(address, {"cut_in": "c1"}).status_code == 404
    staging.show_cut_in(session=session, cut_in_id="c1")


@pytest.mark.usefixtures("long_apart")
def test_the_gm_can_play_only_short_sounds_of_the_sessions_scenario(
    gm: Somebody, session: Session, harbour: Scenario
) -> None:
    sound = editing.keep_sound(harbour, tone())
    staging.play_once(session=session, key=sound.key)
    with pytest.raises(Refused, match="too_soon"):
        staging.show_cut_in(session=session, cut_in_id="c1")
    later()
    elsewhere = editing.keep_sound(editing.create_scenario(gm.person, Document()), tone())
    for key in (elsewhere.key, "x", ""):
        with pytest.raises(Unfit, match="gone"):
            staging.play_once(session=session, key=key)
    harbour.sounds.update(seconds=staging.ONCE_AT_MOST + 1)
    answer = gm.client.post(f"/s/{session.pk}/stage/once/", {"sound": sound.key}, follow=True)
    assert "15秒まで" in answer.content.decode()


async def pushed(
    server: ThreadServer, session: Session, table: Table, who: Somebody | None, path: str, with_media: bool
) -> str:
    """Return all that a page is sent while a scene lies ready, with things to show and without."""
    scenario = await database_sync_to_async(lambda: session.stage.scenario)()
    if with_media:
        await database_sync_to_async(fill)(scenario)
    await database_sync_to_async(everybody_is_here)(session)
    async with phone(server, who, path) as page:
        for region in ("scenery", "sound"):
            await page.until_shown(f'hx-target="#{region}"')
        await database_sync_to_async(staging.mark_used)(session=session, thing_id="a")
        await page.pong()
        await page.pong()
        text = page.bytes
    if who:
        await everybody_leaves([seat async for seat in session.seats.filter(person=who.person)])
    for key in await database_sync_to_async(keys)(scenario):
        assert key not in text
    return timeless(text)


def fill(scenario: Scenario) -> None:
    """Give the scene and its cut-ins all that they can have."""
    editing.write(scenario.pk, "a", "mood", "rain", "")
    editing.write(scenario.pk, "a", "ambience", "rain", "")
    editing.set_media(scenario.pk, "a", "sound", editing.keep_sound(scenario, tone()).key)
    for thing in ("a", "c1"):
        editing.set_picture(scenario, thing, pictures.EncodedPicture(b"RIFF", 16, 9))


@pytest.mark.usefixtures("calm")
@pytest.mark.parametrize("screen", ["player", "lobby", "face"])
async def test_frames_before_a_scene_is_shown_do_not_depend_on_its_media(
    server: ThreadServer, session: Session, table: Table, harbour: Scenario, ayumi: Somebody, screen: str
) -> None:
    who, path = {
        "player": (ayumi, f"/ws/tables/{table.pk}/"),
        "lobby": (ayumi, f"/ws/sessions/{session.pk}/"),
        "face": (None, f"/ws/faces/{session.face_key}/"),
    }[screen]
    without = await pushed(server, session, table, who, path, with_media=False)
    assert await pushed(server, session, table, who, path, with_media=True) == without
    async with phone(server, who, path) as page:
        await page.until_shown('hx-target="#scenery"')
        assert "/sounds/" not in page.bytes
        await database_sync_to_async(staging.show_scene)(session=session, scene_id="a")
        await page.until_shown("/sounds/")
