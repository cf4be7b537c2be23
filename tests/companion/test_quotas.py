"""No person can fill the disk, and a person over a limit gets the reason."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.apps import apps
from django.test import Client

from characters.models import Character
from characters.rules import DEFAULT_RATES
from characters.services.experience import open_session_checklist
from characters.services.sheets import changing
from companion.models import Person
from companion.requests import quotas
from sessions.game import IllegalMove
from sessions.live.regions import table_refusal
from sessions.models import Campaign, Message, Seat, Session, Table
from tests.conftest import Somebody
from tests.evening import play

pytestmark = pytest.mark.django_db

#: All other models whose rows users can create, and what limits them.
BOUNDED_OTHERWISE: dict[str, str] = {
    "companion.User": "SIGN_UPS, by address (companion.accounts.views)",
    "companion.Person": "GUESTS, by address",
    "companion.PersonLink": "they end by themselves and are cleared",
    "companion.GmLink": "made at the server's own console",
    "characters.Skill": "20 a sheet (characters.rules.ROWS_AT_MOST)",
    "characters.Item": "20 a sheet (characters.rules.ROWS_AT_MOST)",
    "characters.Creation": "one a character",
    "characters.Draw": "the cards of one creation",
    "characters.FacePicture": "12 a character (characters.rules.FACES_AT_MOST); each is a companion.Picture",
    "play.Seat": "one a person and session; as many as the evening has seats",
    "play.SeatLink": "one that is open a seat; a new one ends it",
    "play.SharedClock": "6 a session (sessions.evening.shared_clocks.AT_MOST)",
    "play.Limit": "60 a campaign (sessions.evening.safety.LIMITS_AT_MOST)",
    "play.TableSeat": "a table's seats",
    "play.Milestone": "some of a table's moves",
    "play.Ending": "one a table",
    "play.TableNpc": "one an NPC of a table, of a game's own most",
    "play.HandoutCopy": "one a handout and seat",
    "play.ScenarioRevision": "50 MB a person, 10 MB a scenario: the oldest go (sessions.scenarios.editing)",
    "play.ScenarioPicture": "one a companion.Picture",
    "play.Stage": "one a session",
    "account.EmailAddress": "one an account (companion.accounts.forms)",
    "account.EmailConfirmation": "none: allauth signs what it sends and stores nothing",
    "sessions.Session": "GUESTS, by address; they end and are cleared",
}
#: Models whose rows users cannot create: rules of the game, and records of staff actions.
OF_THE_HOUSE = frozenset(
    {
        "characters.ExperienceLine",
        "characters.ItemPower",
        "characters.NpcRank",
        "admin.LogEntry",
        "auth.Permission",
        "auth.Group",
        "contenttypes.ContentType",
    }
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Make the quotas of a kind as small as two; return what the first of them says."""

    def shrink(label: str) -> str:
        monkeypatch.setitem(quotas.QUOTAS, label, [replace(one, at_most=2) for one in quotas.QUOTAS[label]])
        return str(quotas.QUOTAS[label][0].sentence)

    return shrink


def test_every_quota_names_existing_models_and_fields() -> None:
    for label, of_kind in quotas.QUOTAS.items():
        for quota in of_kind:
            assert (
                not apps.get_model(label)._default_manager.filter(**{quota.of: None}, **quota.only).exists()
            )


def test_every_model_has_a_quota_or_another_bound() -> None:
    known = [*quotas.QUOTAS, *BOUNDED_OTHERWISE, *OF_THE_HOUSE]
    ours = [model._meta.label for model in apps.get_models() if not model.__module__.startswith("tests.")]
    assert sorted(known) == sorted(ours)


def test_a_person_has_no_more_drafts_than_the_quota(
    ayumi: Somebody, bo: Somebody, small: Callable[[str], str]
) -> None:
    said = small("characters.Character")
    answers = [ayumi.client.post("/characters/new/", {"method": "standard"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 422]
    assert said in answers[-1].content.decode()
    assert Character.objects.filter(owner=ayumi.person).count() == 2
    assert bo.client.post("/characters/new/", {"method": "standard"}).status_code == 302


def test_a_person_at_the_quota_can_edit_and_delete_characters(
    ayumi: Somebody, small: Callable[[str], str]
) -> None:
    small("characters.Character")
    mine = [Character.objects.create(owner=ayumi.person, name="朔", status="done") for _ in range(2)]
    mine[0].name = "朔太郎"
    mine[0].save()
    mine[1].delete()
    Character.objects.create(owner=ayumi.person, name="望", status="done")


def test_a_sheet_at_its_quota_of_checklists_gets_one_in_a_session(
    ayumi: Somebody, small: Callable[[str], str]
) -> None:
    said = small("characters.ExperienceChecklist")
    sheet = Character.objects.create(owner=ayumi.person, name="朔", status="done", hp_max=9)
    address = f"/characters/{sheet.pk}/experience/start/"
    answers = [ayumi.client.post(address, {"title": "夜"}) for _ in range(3)]
    assert answers[-1].status_code == 422
    assert said in answers[-1].content.decode()
    assert sheet.checklists.count() == 2
    open_session_checklist(character=sheet, session_key="s1", title="夜", campaign="", rates=DEFAULT_RATES)


def test_a_sheet_at_its_quota_of_revisions_is_not_changed(
    ayumi: Somebody, small: Callable[[str], str]
) -> None:
    small("characters.Revision")
    sheet = Character.objects.create(owner=ayumi.person, name="朔", status="done", hp_max=9)

    def rename(name: str) -> None:
        with changing(sheet) as locked:
            locked.name = name
            locked.save()

    rename("一")
    with pytest.raises(quotas.QuotaExceeded):
        rename("二")
    sheet.refresh_from_db()
    assert sheet.name == "一", "what is not kept is not changed"


def test_a_gm_opens_no_more_sessions_than_the_quota(
    session: Session, gm: Somebody, small: Callable[[str], str]
) -> None:
    said = small("play.Session")
    address = f"/gm/campaigns/{session.campaign_id}/open/"
    answers = [gm.client.post(address, {"title": "夜"}) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 422]
    assert said in answers[-1].content.decode()
    assert Session.objects.count() == 2


def test_campaigns_of_other_gms_do_not_count_for_a_quota(
    session: Session, gm: Somebody, ayumi: Somebody, small: Callable[[str], str]
) -> None:
    small("play.Campaign")
    Campaign.objects.create(gm=gm.person, name="二")
    Campaign.objects.create(gm=ayumi.person, name="三")
    with pytest.raises(quotas.QuotaExceeded):
        Campaign.objects.create(gm=gm.person, name="四")


def test_a_chat_message_over_the_quota_is_refused_with_its_reason_as_json(
    session: Session, seats: list[Seat], ayumi: Somebody, small: Callable[[str], str]
) -> None:
    said = small("play.Message")
    write = {"tab": "main", "text": "はい"}
    json = {"accept": "application/json"}
    for _ in range(2):
        assert ayumi.client.post(f"/s/{session.pk}/chat/", write, headers=json).status_code == 204
    answer = ayumi.client.post(f"/s/{session.pk}/chat/", write, headers=json)
    assert (answer.status_code, answer.json()) == (422, {"reason": said})
    assert Message.objects.count() == 2


def test_a_table_at_its_quota_accepts_no_move_undo_or_rewind(
    table: Table, small: Callable[[str], str]
) -> None:
    said = small("play.Move")
    for seat in ("p1", "p2"):
        play(table, seat, b'{"type": "declare", "text": "x"}')
    table.refresh_from_db()
    before = bytes(table.snapshot), table.version
    more = [("p1", b'{"type": "declare", "text": "x"}'), ("p2", b'{"type": "undo"}')]
    for seat, raw in [*more, ("gm", b'{"type": "rewind", "to": 0}')]:
        with pytest.raises(IllegalMove, match="log_full"):
            play(table, seat, raw)
    table.refresh_from_db()
    assert (bytes(table.snapshot), table.version) == before
    assert table.moves.count() == 2
    assert table_refusal(table.module, "log_full", {}).strip() == said


def test_new_guests_of_an_address_are_limited_by_the_hour(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "GUESTS", replace(quotas.GUESTS, limits=((3, 3600),)))
    entries = [Client().post("/characters/new/", {"method": "standard"}).status_code for _ in range(5)]
    assert entries == [302, 302, 302, 422, 422]
    assert Person.objects.filter(user=None).count() == 3
    elsewhere = Client(REMOTE_ADDR="10.0.0.9")
    assert elsewhere.post("/characters/new/", {"method": "standard"}).status_code == 302


def test_the_rate_limit_of_the_chat_counts_by_seat_and_not_by_address(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    def write(who: Somebody, number: int) -> int:
        there = f"10.0.0.{number}"
        sent = {"tab": "main", "text": "はい"}
        return who.client.post(f"/s/{session.pk}/chat/", sent, REMOTE_ADDR=there).status_code

    assert {write(ayumi, number) for number in range(40)} == {302}
    assert write(ayumi, 41) == 429
    assert write(bo, 41) == 302


def test_new_accounts_of_an_address_are_limited() -> None:
    def sign_up(number: int) -> int:
        password = "sumire-no-hana"
        sent = {"username": f"haru{number}", "password1": password, "password2": password}
        return Client().post("/account/sign-up/", sent).status_code

    assert [sign_up(number) for number in range(21)][-2:] == [302, 429]
