"""Lines and veils: agreed on for all, proposed without a name."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from sessions.archive import campaign_export
from sessions.evening import nights, safety
from sessions.models import Campaign, Limit, Role, Seat, Session
from tests.conftest import Somebody
from tests.evening import sit

pytestmark = pytest.mark.django_db
SCRIPT = {"Accept": "application/json"}


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proposals that wait for no time."""
    monkeypatch.setattr(safety, "PROPOSAL_SOONEST", 0.0)
    monkeypatch.setattr(safety, "PROPOSAL_LATEST", 0.0)


def past(limit: Limit) -> None:
    """Let a proposal have waited long enough."""
    Limit.objects.filter(pk=limit.pk).update(shown_from=timezone.now())


def page(who: Somebody, session: Session) -> str:
    """The page of lines and veils, without what differs from one request to the next."""
    html = who.client.get(f"/s/{session.pk}/limits/").content.decode()
    return re.sub(r'csrfmiddlewaretoken" value="\w+', "", html)


def propose(who: Somebody, session: Session, words: str, kind: str = "line") -> int:
    return who.client.post(f"/s/{session.pk}/limits/", {"limit-words": words, "limit-kind": kind}).status_code


def decide(who: Somebody, session: Session, kind: str) -> int:
    return who.client.post(
        f"/s/{session.pk}/limits/{Limit.objects.get().pk}/", {"limit-kind": kind}
    ).status_code


def in_place(who: Somebody, session: Session, words: str) -> tuple[int, dict[str, Any]]:
    """Propose from the sheet of a live page."""
    told = who.client.post(
        f"/s/{session.pk}/limits/", {"limit-words": words, "limit-kind": "line"}, headers=SCRIPT
    )
    return told.status_code, told.json()


def test_a_proposed_limit_is_shown_to_the_gm_alone_until_the_gm_agrees(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody, at_once: None
) -> None:
    before = page(bo, session)
    assert propose(ayumi, session, "蜘蛛") == 302
    assert "蜘蛛" in page(gm, session)
    assert "蜘蛛" not in page(ayumi, session), "not even its writer's page may tell who wrote it"
    assert page(bo, session) == before
    assert decide(ayumi, session, "line") == 404
    assert decide(gm, session, "veil") == 302
    for who in (gm, ayumi, bo):
        assert "蜘蛛" in page(who, session)
    assert Limit.objects.get().kind == "veil"
    decide(gm, session, "off")
    assert not Limit.objects.exists()


def test_a_stored_limit_does_not_name_its_proposer() -> None:
    kept = {field.name for field in Limit._meta.get_fields()}
    assert kept == {"id", "campaign", "kind", "words", "agreed", "shown_from"}


def test_a_proposed_limit_reaches_the_gm_after_a_random_delay(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    assert safety.PROPOSAL_SOONEST >= 20
    assert safety.PROPOSAL_LATEST >= safety.PROPOSAL_SOONEST + 60
    propose(ayumi, session, "蜘蛛")
    limit = Limit.objects.get()
    assert timedelta(seconds=15) < limit.shown_from - timezone.now() < timedelta(seconds=90)
    everywhere = [f"/s/{session.pk}/limits/", f"/s/{session.pk}/"]
    assert not any("蜘蛛" in gm.client.get(there).content.decode() for there in everywhere)
    assert decide(gm, session, "line") == 404
    assert "蜘蛛" not in str(campaign_export.export_campaign(session.own_campaign))
    past(limit)
    assert all("蜘蛛" in gm.client.get(there).content.decode() for there in everywhere)
    assert "蜘蛛" not in page(ayumi, session)


def test_the_time_of_a_proposed_limit_is_deleted_once_the_gm_sees_it(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    propose(ayumi, session, "蜘蛛")
    safety.announce_due_proposals([session.pk])
    assert Limit.objects.get().shown_from, "its time has not come"
    past(Limit.objects.get())
    safety.announce_due_proposals([session.pk])
    assert Limit.objects.get().shown_from is None


def test_ids_and_page_order_do_not_tell_the_order_of_proposed_limits(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, at_once: None
) -> None:
    came = [chr(ord("z") - n) for n in range(safety.PROPOSALS_AT_MOST)]
    for words in came:
        propose(ayumi, session, words)
    assert [limit.words for limit in safety.visible_limits(session.campaign_id)] == sorted(came)
    assert [limit.words for limit in Limit.objects.order_by("pk")] not in (came, came[::-1])
    told = re.findall(r"/limits/([^/\"]+)/", page(gm, session))
    assert told
    assert all(len(each) == 36 for each in told)


def test_a_person_is_told_when_they_proposed_too_many_limits(
    session: Session, seats: list[Seat], ayumi: Somebody, bo: Somebody
) -> None:
    for n in range(safety.PROPOSALS_AT_MOST):
        assert in_place(ayumi, session, f"{n}") == (200, {"said": "名前を付けずにGMへ届けます。"})
    status, told = in_place(ayumi, session, "もうひとつ")
    assert (status, "GM" in told["reason"]) == (422, True)
    assert Limit.objects.count() == safety.PROPOSALS_AT_MOST
    assert in_place(bo, session, "蜘蛛")[0] == 200, "from the same home"


def test_the_answer_to_a_proposed_limit_does_not_depend_on_other_proposals(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    propose(gm, session, "火事")
    assert in_place(bo, session, "火事") == (422, {"reason": "もうリミットに入っています。"})
    propose(ayumi, session, "蜘蛛")
    assert in_place(bo, session, "蜘蛛") == in_place(bo, session, "別の話")
    words = [str(n) for n in range(safety.LIMITS_AT_MOST - Limit.objects.count())]
    Limit.objects.bulk_create(Limit(campaign=session.own_campaign, words=each) for each in words)
    assert in_place(bo, session, "蜘蛛") == in_place(bo, session, "まだない話"), (
        "not even when there is no room"
    )


def test_an_empty_limit_is_refused_with_its_field(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    status, told = in_place(ayumi, session, " ")
    assert (status, list(told["errors"])) == (422, ["limit-words"])


def test_limits_are_listed_in_alphabetical_order(session: Session, gm: Somebody) -> None:
    for words in ("んの話", "あの話"):
        propose(gm, session, words)
    shown = page(gm, session)
    assert shown.index("あの話") < shown.index("んの話")


def test_the_gms_own_limits_hold_at_once_in_all_sessions_of_the_campaign(
    session: Session, gm: Somebody, ayumi: Somebody
) -> None:
    propose(gm, session, "火事")
    nights.close_session(session=session)
    next_night = nights.open_session(campaign=session.own_campaign, title="次の夜")
    sit(next_night, ayumi.person, Role.PLAYER)
    assert "火事" in page(ayumi, next_night)
    elsewhere = nights.open_session(
        campaign=Campaign.objects.create(gm=gm.person, name="別の話"), title="別の夜"
    )
    assert "火事" not in page(gm, elsewhere)
    assert decide(gm, elsewhere, "off") == 404, "of another campaign"


def test_the_same_words_are_one_limit(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    assert propose(ayumi, session, "Spiders") == propose(bo, session, "spiders", "veil") == 302
    assert Limit.objects.get().words == "Spiders"
    propose(gm, session, "spiders", "veil")
    agreed = Limit.objects.get()
    assert (agreed.agreed, agreed.kind) == (True, "veil")
    propose(ayumi, session, "spiders")
    assert Limit.objects.get().agreed, "a proposal changes nothing of what holds"


@pytest.mark.parametrize(("words", "kind"), [("", "line"), (" ", "line"), ("蜘" * 61, "line"), ("蜘蛛", "x")])
def test_an_invalid_limit_is_refused_and_not_stored(
    session: Session, gm: Somebody, words: str, kind: str
) -> None:
    assert propose(gm, session, words, kind) == 422
    assert not Limit.objects.exists()


def test_no_limit_is_added_over_the_quota_or_after_the_session(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    campaign = session.own_campaign
    Limit.objects.bulk_create(Limit(campaign=campaign, words=str(n)) for n in range(safety.LIMITS_AT_MOST))
    assert propose(ayumi, session, "蜘蛛") == 302
    assert "GM" in page(ayumi, session)
    assert Limit.objects.count() == safety.LIMITS_AT_MOST
    assert propose(gm, session, "火事") == 302
    assert "GM" in page(gm, session)
    assert Limit.objects.count() == safety.LIMITS_AT_MOST
    Limit.objects.all().delete()
    nights.close_session(session=session)
    propose(ayumi, session, "蜘蛛")
    assert not Limit.objects.exists()


def test_limits_are_exported_and_imported_with_their_campaign(session: Session, gm: Somebody) -> None:
    propose(gm, session, "火事", "veil")
    Limit.objects.create(campaign=session.own_campaign, words="蜘蛛")
    nights.close_session(session=session)
    file = gm.client.get(f"/gm/campaigns/{session.campaign_id}/file/").content
    gm.client.post("/gm/campaigns/bring/", {"file": SimpleUploadedFile("any.zip", file)})
    brought = Campaign.objects.exclude(pk=session.campaign_id).get()
    assert sorted(brought.limits.values_list("words", "kind", "agreed")) == [
        ("火事", "veil", True),
        ("蜘蛛", "line", False),
    ]
