"""Lines and veils: agreed on for all, proposed without a name."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from sessions.evening import limits, nights
from sessions.models import Campaign, Limit, Role, Seat, Session
from tests.conftest import Somebody
from tests.evening import sit

pytestmark = pytest.mark.django_db


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


def test_a_proposal_is_for_the_gm_alone_until_the_gm_agrees(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody
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


def test_nothing_that_is_kept_says_whose_a_proposal_is() -> None:
    kept = {field.name for field in Limit._meta.get_fields()}
    assert kept == {"id", "campaign", "kind", "words", "agreed"}


def test_the_list_is_in_the_order_of_its_words(session: Session, gm: Somebody) -> None:
    for words in ("んの話", "あの話"):
        propose(gm, session, words)
    shown = page(gm, session)
    assert shown.index("あの話") < shown.index("んの話")


def test_the_gms_own_hold_at_once_and_at_the_campaigns_other_nights(
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


def test_the_same_words_are_one_limit_and_the_answer_does_not_tell(
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
def test_what_cannot_be_read_changes_nothing(session: Session, gm: Somebody, words: str, kind: str) -> None:
    assert propose(gm, session, words, kind) == 422
    assert not Limit.objects.exists()


def test_there_is_an_end_of_proposals_and_none_after_the_night(
    session: Session, seats: list[Seat], ayumi: Somebody
) -> None:
    campaign = session.own_campaign
    Limit.objects.bulk_create(Limit(campaign=campaign, words=str(n)) for n in range(limits.AT_MOST))
    assert propose(ayumi, session, "蜘蛛") == 302
    assert "GM" in page(ayumi, session)
    assert Limit.objects.count() == limits.AT_MOST
    Limit.objects.all().delete()
    nights.close_session(session=session)
    propose(ayumi, session, "蜘蛛")
    assert not Limit.objects.exists()


def test_they_travel_with_the_campaign(session: Session, gm: Somebody) -> None:
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
