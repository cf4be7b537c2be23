"""Campaigns as files: out of one server, into another, and out again; and what is refused on the way."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection

from characters.models import Character, LedgerEntry
from companion.models import Person, User
from companion.requests.throttle import cache
from sessions.archive import campaign_file as form
from sessions.evening import nights
from sessions.models import Campaign, Message, Seat, Session, Table
from sessions.table import replay
from tests.conftest import Somebody, _account
from tests.evening import mentions
from tests.nights import ended

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reference_rows")]

BRING = "/gm/campaigns/bring/"


@pytest.fixture
def table(session: Session, ayumi: Somebody, bo: Somebody) -> Table:
    return ended(session, ayumi.person, bo.person)


@pytest.fixture
def other() -> Somebody:
    """The GM of another server, without any of these people."""
    return _account("other", "別のGM")


def taken(who: Somebody, campaign: Campaign) -> bytes:
    answer = who.client.get(f"/gm/campaigns/{campaign.pk}/file/")
    assert answer.status_code == 200
    return answer.content


def brought(who: Somebody, content: bytes) -> Any:
    return who.client.post(BRING, {"file": SimpleUploadedFile("any.zip", content)})


def rows() -> dict[str, int]:
    with connection.cursor() as cursor:
        tables = [
            name for name in connection.introspection.table_names() if name.startswith(("play", "char"))
        ]
        return {name: cursor.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in tables}


def test_a_campaign_is_unchanged_after_export_import_and_export(
    gm: Somebody, other: Somebody, session: Session, table: Table
) -> None:
    assert table.shares
    out = taken(gm, session.campaign)
    users, person_ids = User.objects.count(), set(Person.objects.values_list("pk", flat=True))
    answer = brought(other, out)
    copy = Campaign.objects.exclude(pk=session.campaign.pk).get()
    assert answer.url == f"/gm/campaigns/{copy.pk}/"
    assert form.read(taken(other, copy)) == form.read(out)
    assert copy.gm == other.person
    assert User.objects.count() == users
    newcomers = Person.objects.exclude(pk__in=person_ids)
    assert {person.name for person in newcomers} == {"あゆみ", "ボー", "見物人"}
    assert not newcomers.exclude(user=None).exists()
    assert set(Character.objects.filter(seats__session__campaign=copy).values_list("owner", flat=True)) <= {
        person.pk for person in newcomers
    }


def test_an_imported_table_replays_and_all_its_pages_open(
    gm: Somebody, other: Somebody, session: Session, table: Table
) -> None:
    brought(other, taken(gm, session.campaign))
    copy = Table.objects.exclude(pk=table.pk).get()
    assert replay.check_log(copy).holds
    assert (copy.commitment, copy.version) == (table.commitment, table.version)
    assert list(copy.moves.values_list("events", "played_at")) == list(
        table.moves.values_list("events", "played_at")
    )
    night = f"/s/{copy.session_id}"
    for path in ("/", "/report/", "/log/?view=open", "/verify/", "/log/file/?format=json"):
        assert other.client.get(f"{night}{path}").status_code == 200, path
    for path in ("/", "/log/", "/replay/?view=open&version=3", "/verify/", "/playthrough/"):
        assert other.client.get(f"/t/{copy.pk}{path}").status_code == 200, path
    assert "崖を登る" in other.client.get(f"{night}/log/").content.decode()


def test_experience_is_imported_with_a_campaign_and_counts(
    gm: Somebody, other: Somebody, session: Session, table: Table, ayumi: Somebody
) -> None:
    from characters.services.experience import balance

    hero = Character.objects.get(owner=ayumi.person)
    assert LedgerEntry.objects.filter(character=hero).count() >= 2
    brought(other, taken(gm, session.campaign))
    copy = Character.objects.exclude(pk=hero.pk).get(name=hero.name)
    assert balance(copy) == balance(hero) > 0
    copied = Table.objects.exclude(pk=table.pk).get()
    assert f"table:{copied.pk}" in copy.ledger.values_list("source", flat=True)


def test_a_running_session_is_not_exported_and_is_named(gm: Somebody, session: Session, table: Table) -> None:
    running = nights.open_session(campaign=session.campaign, title="今夜の卓")
    out = taken(gm, session.campaign)
    assert [left.title for left in form.read(out).whole.left_out] == ["今夜の卓"]
    with zipfile.ZipFile(io.BytesIO(out)) as archive:
        text = "".join(archive.read(name).decode() for name in archive.namelist())
    assert not mentions(text, running.code)
    assert "まだ続いている" in gm.client.get(f"/gm/campaigns/{session.campaign.pk}/").content.decode()


def test_whispers_that_the_gm_may_not_read_are_not_exported(
    gm: Somebody, session: Session, table: Table
) -> None:
    assert Message.objects.filter(text="ボーさんだけに").exists()
    said = [message.text for message in form.read(taken(gm, session.campaign)).whole.nights[0].messages]
    assert "GMにだけ" in said
    assert "ボーさんだけに" not in said


def test_only_the_gm_can_export_a_campaign(
    session: Session, table: Table, ayumi: Somebody, bo: Somebody, other: Somebody
) -> None:
    path = f"/gm/campaigns/{session.campaign.pk}/file/"
    assert ayumi.client.get(path).status_code == 404
    assert other.client.get(path).status_code == 404
    assert bo.client.get(path).url.startswith("/account/sign-in/")
    assert bo.client.post(BRING).url.startswith("/account/sign-in/")


def test_management_commands_export_and_import_a_campaign(
    session: Session,
    table: Table,
    other: Somebody,
    tmp_path: Any,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nights.open_session(campaign=session.campaign, title="今夜の卓")
    file = tmp_path / "campaign.zip"
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    with pytest.raises(CommandError, match="まだ続いている") as left:
        call_command("export_campaign", str(session.campaign.pk), str(file))
    assert left.value.returncode == 1
    assert "今夜の卓（まだ続いています）" in capsys.readouterr().err
    assert [file] == list(tmp_path.iterdir())
    assert file.stat().st_mode & 0o077 == 0
    User.objects.create_superuser("new", password="long-enough-password")
    for account in ("other", "new"):
        call_command("import_campaign", str(file), "--gm", account)
        assert Campaign.objects.filter(gm__user__username=account).exists()
    for words in (["export_campaign", "99", str(file)], ["import_campaign", str(file), "--gm", "nobody"]):
        with pytest.raises(CommandError):
            call_command(*words)


def zipped(members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w", how) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return raw.getvalue()


def changed(content: bytes, member: str, change: Callable[[Any], object]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    part = json.loads(members[member])
    change(part)
    return zipped(members | {member: json.dumps(part).encode()})


def put(*path: Any, value: Any) -> Callable[[Any], None]:
    """Return a change that puts a value at a place."""

    def change(part: Any) -> None:
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = value

    return change


WHOLE, TABLE = "campaign.json", "tables/0.json"
NIGHT = ("nights", 0)
LONG_AGO = "0001-01-01T00:00:00Z"
WRONG: dict[str, tuple[str, Callable[[Any], object]]] = {
    "another format": (WHOLE, put("format", value="takujo.character")),
    "a later version": (WHOLE, put("version", value=3)),
    "a later model": (WHOLE, put("migrations", value=["play.9999_later"])),
    "no campaign": (WHOLE, lambda part: part.pop("campaign")),
    "a name too long": (WHOLE, put("campaign", "name", value="x" * 61)),
    "three jokers": (WHOLE, put("campaign", "jokers", value=3)),
    "a ladder of one": (WHOLE, put("campaign", "ladder", value=[{}])),
    "figures of nothing": (WHOLE, put("campaign", "figures", value={"experience": {"skill_cost": 10**30}})),
    "a time before all": (WHOLE, put("campaign", "created_at", value=LONG_AGO)),
    "a time without a place": (WHOLE, put("campaign", "created_at", value="2026-01-01T00:00:00")),
    "NUL": (WHOLE, put("campaign", "name", value="a\0b")),
    "a seat of nobody": (WHOLE, put(*NIGHT, "seats", 1, "person", value=99)),
    "a player who is the GM": (WHOLE, put(*NIGHT, "seats", 1, "person", value=None)),
    "two GMs": (WHOLE, put(*NIGHT, "seats", 1, "role", value="gm")),
    "no GM": (WHOLE, lambda part: part["nights"][0]["seats"].pop(0)),
    "a role of none": (WHOLE, put(*NIGHT, "seats", 1, "role", value="king")),
    "a person twice": (WHOLE, put(*NIGHT, "seats", 2, "person", value=0)),
    "a name twice": (WHOLE, put(*NIGHT, "seats", 2, "name", value="あゆみ")),
    "a long name": (WHOLE, put(*NIGHT, "seats", 1, "name", value="あ" * 13)),
    "a message by nobody": (WHOLE, put(*NIGHT, "messages", 0, "author", value=77)),
    "a tab of none": (WHOLE, put(*NIGHT, "messages", 0, "tab", value="secret")),
    "a novel": (WHOLE, put(*NIGHT, "messages", 0, "text", value="x" * 1001)),
    "a table that is not there": (WHOLE, put(*NIGHT, "tables", value=[5])),
    "a table twice": (WHOLE, put(*NIGHT, "tables", value=[0, 0])),
    "a sheet of a giant": (WHOLE, put("characters", 0, "sheet", "hp_max", value=999)),
    "points from nowhere": (WHOLE, put("characters", 0, "ledger", 0, "kind", value="gift")),
    "a line of no list": (WHOLE, put("characters", 0, "checklists", 0, "lines", value=["no-such-line"])),
    "costs below one": (WHOLE, put("characters", 0, "ledger", 0, "figures", "skill_cost", value=0)),
    "a handout for nobody": (WHOLE, put("handouts", 0, "copies", 0, "seat", value=50)),
    "a game of elsewhere": (TABLE, put("module", value="chess")),
    "another secret": (TABLE, put("secret", value="0" * 64)),
    "another share": (TABLE, put("shares", "of", 0, "share", value="0" * 64)),
    "shares of nothing": (TABLE, put("shares", "of", value=[])),
    "another end": (TABLE, put("snapshot", "deck", value=[])),
    "an end of nothing": (TABLE, put("snapshot", value={})),
    "a fingerprint of an end": (TABLE, put("snapshot", value="0" * 64)),
    "other options": (TABLE, put("options", "jokers", value=1)),
    "options of nothing": (TABLE, put("options", value={"cheat": True})),
    "a move of nobody": (TABLE, put("moves", 1, "seat", value="p8")),
    "a move of no game": (TABLE, put("moves", 1, "move", value={"type": "win"})),
    "a seat too many": (TABLE, lambda part: part["seats"].append({"key": "p7", "seat": 1, "bot": ""})),
    "seats of nobody": (TABLE, put("opening_seats", value=["p1"])),
    "a bot of no kind": (TABLE, put("seats", 1, "bot", value="genius")),
}


def test_seat_names_that_look_alike_are_made_distinct_on_import(
    gm: Somebody, other: Somebody, session: Session, table: Table
) -> None:
    twin = put(*NIGHT, "seats", 2, "name", value="あゆみ\u3164")
    assert brought(other, changed(taken(gm, session.campaign), WHOLE, twin)).status_code == 302
    names = Seat.objects.filter(session__campaign__gm=other.person).values_list("name", flat=True)
    assert {"あゆみ", "あゆみ2"} <= set(names)


def test_an_inconsistent_campaign_file_is_refused_and_creates_no_rows(
    gm: Somebody, other: Somebody, session: Session, table: Table
) -> None:
    out = taken(gm, session.campaign)
    before = rows()
    for what, (member, change) in WRONG.items():
        cache.clear()  # of how many files were brought
        answer = brought(other, changed(out, member, change))
        assert answer.status_code == 422, what
        assert 'role="alert"' in answer.content.decode(), what
        assert rows() == before, what
    assert brought(other, changed(out, WHOLE, lambda part: None)).status_code == 302, "without a change"


@pytest.mark.parametrize("what", ["a later version", "a later model", "a game of elsewhere"])
def test_a_file_of_a_newer_version_is_reported_as_newer_not_as_damaged(
    what: str, gm: Somebody, other: Somebody, session: Session, table: Table
) -> None:
    member, change = WRONG[what]
    later = changed(taken(gm, session.campaign), member, change)
    if member == WHOLE:  # a part as only that version knows it
        later = changed(later, WHOLE, put("npcs", value="later"))
    said = brought(other, later).content.decode()
    assert "更新" in said
    assert "壊れて" not in said


LARGE = ("a bomb", "a bomb beside", "many", "too large")


def bombs() -> dict[str, bytes]:
    many = {f"tables/{number}.json": b"{}" for number in range(2_500)}
    return {
        "no zip": b"a text",
        "an empty zip": zipped({}),
        "a bomb": zipped({"campaign.json": b"[" + b" " * 3_000_000}),
        "a bomb beside": zipped({"campaign.json": b"{}", "tables/0.json": b" " * 3_000_000}),
        "many": zipped(many),
        "lzma": zipped({"campaign.json": b" " * 5_000_000}, zipfile.ZIP_LZMA),
        "deep": zipped({"campaign.json": b"[" * 100_000}),
        "deep inside": zipped({"campaign.json": b'{"a": ' + b"[" * 100_000}),
        "too large": b"PK" + bytes(form.BYTES_AT_MOST),
    }


def test_zip_bombs_and_malformed_archives_are_refused(other: Somebody) -> None:
    for what, content in bombs().items():
        cache.clear()
        answer = brought(other, content)
        assert answer.status_code == 422, what
        said = "大きすぎ" if what in LARGE else "キャンペーンのファイルでは"
        assert said in answer.content.decode(), what
    assert not Campaign.objects.exists()


def test_campaign_imports_are_rate_limited(other: Somebody) -> None:
    answers = [brought(other, b"a text").status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]
