"""A person goes: nothing of them is found in the database, and what others played plays again and shows."""

from __future__ import annotations

import io
import json
import uuid
import zipfile
import zlib
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.sessions.models import Session as SignIn
from django.db import connection
from django.test import Client

from characters.models import Character
from companion.models import Person, User
from sessions.card_table import gm_moves
from sessions.evening import nights
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Campaign, Message, Role, Seat, Session, Table
from sessions.table import moves, opening, replay, table_cache
from tests.conftest import Somebody, _account, _guest
from tests.evening import play, sit
from tests.nights import declare, ended, played, say

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reference_rows")]

#: In every place that Ayumi could write in.
CANARIES = (
    "カナリアの名",
    "canary-account",
    "canary@mail.example",
    "カナリアの発言",
    "カナリアの宣言",
    "カナリアの剣",
)
DELETE, DATA = "/account/delete/", "/account/data/file/"


def found(*words: str) -> list[str]:
    """Return where in the whole database any of these words is."""
    places = []
    forms = {form for word in words for form in (word, json.dumps(word)[1:-1])}
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            for row in cursor.execute(f'SELECT * FROM "{table}"').fetchall():
                texts = [unpacked(cell) if isinstance(cell, bytes) else str(cell) for cell in row]
                places += [f"{table}: {text[:200]}" for text in texts if any(form in text for form in forms)]
    return places


def unpacked(cell: bytes) -> str:
    """Return the text of a cell; milestones are packed."""
    try:
        return zlib.decompress(cell).decode()
    except zlib.error:
        return cell.decode()


@pytest.fixture
def canary(ayumi: Somebody) -> Somebody:
    """Ayumi, under a name that nothing else has."""
    user = ayumi.person.user
    assert user
    user.username, user.email = CANARIES[1:3]
    user.save()
    ayumi.person.name = CANARIES[0]
    ayumi.person.save()
    LogEntry.objects.create(
        user=User.objects.create_user("host"),
        object_repr=CANARIES[1],
        action_flag=CHANGE,
        change_message="[]",
    )
    return ayumi


def confirmed(who: Somebody, password: str = "ayumi") -> None:
    """Say once more who one is, as the page asks."""
    asked = who.client.get(DELETE)
    if asked.status_code == 302:
        assert who.client.post(asked.url, {"password": password}).status_code == 302


def written(table: Table, person: Person) -> Seat:
    """Have a person write something in every place there is."""
    seat = Seat.objects.get(session=table.session_id, person=person)
    say(seat, CANARIES[3])
    table.refresh_from_db()
    key = table.table_seats.get(seat=seat).key
    declare(table, key, CANARIES[4])
    return seat


@pytest.fixture
def night(session: Session, canary: Somebody, bo: Somebody) -> Table:
    """An ended evening of Ayumi and Bo, with her words in it everywhere."""
    table = played(session, canary.person, bo.person)
    hero = Character.objects.get(owner=canary.person)
    assert hero.name in str(table.options), "the sheet is at the table"
    written(table, canary.person)
    nights.close_session(session=session)
    return table


def test_an_erased_persons_data_are_gone_and_the_tables_still_replay(
    night: Table, canary: Somebody, bo: Somebody, gm: Somebody
) -> None:
    hero = Character.objects.get(owner=canary.person)
    sheet = [
        hero.name,
        *hero.skills.values_list("name", flat=True),
        *hero.items.values_list("name", flat=True),
    ]
    theirs = [*CANARIES[:5], *sheet]
    kept = [word for word in theirs if word not in open_words()]
    assert all(found(word) for word in kept), "everything is there before"
    count = night.moves.count()
    past = f"/t/{night.pk}/replay/?view=open&version=2"
    replay.store_checkpoints(night, {2: replay.snapshot_at(night, 2)})
    assert hero.name in gm.client.get(past).content.decode(), "and remembered"
    confirmed(canary)
    assert canary.client.post(DELETE).url == "/"
    assert found(*kept) == []
    night.refresh_from_db()
    assert (replay.check_log(night).holds, night.moves.count()) == (True, count)
    assert Message.objects.filter(text="はじめます").exists(), "what others wrote stays"
    for path in (f"/t/{night.pk}/log/", f"/s/{night.session_id}/log/", f"/s/{night.session_id}/report/"):
        page = bo.client.get(path).content.decode()
        assert "退出したプレイヤー" in page, path
        assert not any(word in page for word in kept), path
        assert "歌う" in page or "report" in path, path
    assert not any(word in gm.client.get(past).content.decode() for word in kept)
    assert gm.client.get(f"/s/{night.session_id}/").status_code == 200


def open_words() -> str:
    """Return the words that the program itself puts into the database, and other people's sheets."""
    others = Character.objects.exclude(owner__name=CANARIES[0])
    words = [hero.name for hero in others]
    for hero in others:
        words += [*hero.skills.values_list("name", flat=True), *hero.items.values_list("name", flat=True)]
    return " ".join(words)


def test_erasure_of_an_account_signs_out_every_device(canary: Somebody) -> None:
    other = Client()
    other.force_login(canary.person.user)
    confirmed(canary)
    canary.client.post(DELETE)
    assert not User.objects.filter(username=CANARIES[1]).exists()
    assert other.get("/account/").status_code == 302
    assert not [row for row in SignIn.objects.all() if "_auth_user_id" in row.get_decoded()]


def test_a_guest_can_erase_themselves_with_the_devices_cookie(session: Session, ayumi: Somebody) -> None:
    guest = _guest("ゲストの名前")
    table = played(session, ayumi.person, guest.person)
    nights.close_session(session=session)
    page = guest.client.get("/account/data/").content.decode()
    assert "ゲストの名前" in page
    assert guest.client.get(DELETE).status_code == 200
    assert guest.client.post(DELETE).url == "/"
    assert found("ゲストの名前") == []
    table.refresh_from_db()
    assert replay.check_log(table).holds
    assert guest.client.get(f"/s/{session.pk}/").status_code == 404
    assert guest.client.get("/account/data/").url.startswith("/account/sign-in/"), "nobody any more"


def test_players_can_play_on_after_an_erasure_in_a_running_session(
    session: Session, canary: Somebody, bo: Somebody
) -> None:
    table = played(session, canary.person, bo.person)
    written(table, canary.person)
    table_cache.get_table(table.pk)
    confirmed(canary)
    canary.client.post(DELETE)
    declare(table, "p2", "まだいます")
    table.refresh_from_db()
    assert replay.check_log(table).holds
    assert found(*CANARIES[:5]) == []
    assert "退出したプレイヤー" in bo.client.get(f"/t/{table.pk}/").content.decode()


def test_erasure_removes_words_from_a_log_that_can_no_longer_replay(night: Table, canary: Somebody) -> None:
    night.moves.filter(number=3).update(move=b'{"type":"of an older version"}')
    confirmed(canary)
    canary.client.post(DELETE)
    assert found(CANARIES[0], CANARIES[3], CANARIES[4]) == []


# A GM's campaigns


@pytest.fixture
def keeper() -> Somebody:
    """A GM without any right over the server."""
    return _account("ayumi-gm", "語り部")


@pytest.fixture
def told(keeper: Somebody, ayumi: Somebody, bo: Somebody) -> Session:
    """An ended evening of theirs, and one that runs."""
    campaign = Campaign.objects.create(gm=keeper.person, name="霧の物語")
    session = nights.open_session(campaign=campaign, title="第一夜")
    ended(session, ayumi.person, bo.person)
    nights.open_session(campaign=campaign, title="今夜")
    return session


def gone(keeper: Somebody, **chosen: str) -> Any:
    confirmed(keeper, "ayumi-gm")
    return keeper.client.post(DELETE, chosen)


def test_erasure_needs_the_gms_choice_for_each_campaign(keeper: Somebody, told: Session) -> None:
    for chosen in ({}, {f"campaign-{told.campaign_id}": "999"}, {f"campaign-{told.campaign_id}": "x"}):
        assert gone(keeper, **chosen).status_code == 422
        assert Person.objects.filter(pk=keeper.person.pk, name="語り部").exists()
        assert told.campaign in Campaign.objects.filter(gm=keeper.person)


def test_an_erased_gms_campaign_is_handed_over_to_the_chosen_account(
    keeper: Somebody, told: Session, ayumi: Somebody, bo: Somebody
) -> None:
    assert gone(keeper, **{f"campaign-{told.campaign_id}": str(bo.person.pk)}).status_code == 422, "a guest"
    assert gone(keeper, **{f"campaign-{told.campaign_id}": str(ayumi.person.pk)}).url == "/"
    told.campaign.refresh_from_db()
    assert told.campaign.gm == ayumi.person
    assert not told.campaign.sessions.filter(ended_at=None).exists(), "what ran has ended"
    assert ayumi.client.get(f"/gm/campaigns/{told.campaign_id}/").status_code == 200
    assert "灯台守が待つ" in ayumi.client.get(f"/gm/campaigns/{told.campaign_id}/ready/").content.decode()
    assert found("語り部", "ayumi-gm", "はじめます", "やり直し") == []
    assert not Seat.objects.filter(name="語り部").exists()
    assert all(replay.check_log(table).holds for table in Table.objects.all())
    assert ayumi.client.get(f"/gm/campaigns/{told.campaign_id}/file/").status_code == 200


def test_an_erased_gms_campaign_can_be_deleted_with_all_its_sessions(
    keeper: Somebody, told: Session, ayumi: Somebody, session: Session
) -> None:
    assert gone(keeper, **{f"campaign-{told.campaign_id}": "delete"}).url == "/"
    assert list(Session.objects.all()) == [session]
    assert found("語り部") == []
    assert Character.objects.filter(owner=ayumi.person).exists(), "the players' characters stay"


# What one takes along


def test_a_download_of_personal_data_has_own_data_and_none_of_others(
    night: Table, canary: Somebody, bo: Somebody
) -> None:
    answer = canary.client.get(DATA)
    assert answer["Cache-Control"].startswith("max-age=0")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        files = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    whole = json.dumps(files, ensure_ascii=False)
    assert files["person.json"]["account"]["email"] == CANARIES[2]
    [evening] = files["evenings.json"]
    assert [message["text"] for message in evening["messages"]] == [
        "こんばんは",
        "ボーさんだけに",
        CANARIES[3],
    ]
    assert CANARIES[4] in [move["move"].get("text") for move in evening["tables"][0]["moves"]]
    assert files["character-1.json"]["format"] == "takujo.character"
    assert files["character-1-history.json"]["experience"]
    for word in ("歌う", "GMにだけ", "はじめます", night.secret, "あなたは裏切り者"):
        assert word not in whole, word
    guests = zipfile.ZipFile(io.BytesIO(bo.client.get(DATA).content))
    assert "GMにだけ" in guests.read("evenings.json").decode()
    assert Client().get(DATA).url.startswith("/account/sign-in/")


def test_a_character_from_a_personal_data_file_can_be_imported(
    night: Table, canary: Somebody, kei: Somebody
) -> None:
    archive = zipfile.ZipFile(io.BytesIO(canary.client.get(DATA).content))
    text = archive.read("character-1.json").decode()
    assert kei.client.post("/characters/bring/", {"text": text}).status_code == 200


def test_a_download_of_personal_data_has_the_best_scores(ayumi: Somebody, session: Session) -> None:
    seat = sit(session, ayumi.person)
    table = opening.open_table(session=session, module_key="journey", players=[seat])
    play(table, "p1", b'{"type":"concede"}')
    nights.close_session(session=session)
    archive = zipfile.ZipFile(io.BytesIO(ayumi.client.get(DATA).content))
    assert "journey" in json.loads(archive.read("bests.json"))
    assert json.loads(archive.read("evenings.json"))[0]["role"] == Role.PLAYER


def test_erasure_removes_a_latecomers_sheet_and_a_stand_ins_words(
    session: Session, canary: Somebody, bo: Somebody, kei: Somebody
) -> None:
    table = played(session, bo.person, kei.person)
    late = sit(session, canary.person)
    nights.bring_character(seat=late, character=create_character(canary.person, SAMPLES[2]))
    hero = Character.objects.get(owner=canary.person)
    table.refresh_from_db()
    gm_moves.admit(table_pk=table.pk, newcomer=late)
    said = json.dumps({"type": "declare", "text": CANARIES[4]}).encode()
    moves.submit(
        table.pk,
        moves.MoveRequest(
            seat="p1",
            client_id=uuid.uuid4(),
            raw=said,
            version=Table.objects.get(pk=table.pk).version,
            asked="",
            stand_in=late.name,
        ),
    )
    assert all(found(word) for word in (CANARIES[4], hero.name, late.name))
    confirmed(canary)
    canary.client.post(DELETE)
    assert found(CANARIES[4], hero.name, late.name) == []
    table.refresh_from_db()
    assert replay.check_log(table).holds
    assert bo.client.get(f"/t/{table.pk}/log/").status_code == 200
