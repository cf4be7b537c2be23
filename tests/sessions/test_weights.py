"""The page of a document that is filled to its limits is one that a phone can take, or is heavy work."""

from __future__ import annotations

import gc
import time
import uuid
from collections.abc import Iterable

import msgspec
import pytest
from django.test import Client
from django.urls import resolve

from characters import rules
from characters.models import Character, Item, LedgerEntry, Revision, Skill
from characters.services.sheets import snapshot
from companion.models import Person
from companion.requests.quotas import QUOTAS
from sessions.evening.nights import SEATS_AT_MOST
from sessions.models import (
    Campaign,
    Handout,
    HandoutCopy,
    LibraryNpc,
    Limit,
    Message,
    Notice,
    PreparedCheck,
    Scenario,
    SceneNote,
    Seat,
    Session,
    Table,
)
from sessions.scenarios.document import Document
from tests.conftest import Somebody
from tests.evening import sit

pytestmark = pytest.mark.django_db

#: Bytes of HTML, and how many times the processor time of a page that holds nothing.
BYTES_AT_MOST, TIMES_AT_MOST = 2_000_000, 150
PAGE = "覚" * 4_000


def limit(label: str) -> int:
    """Return how many rows of a kind belong to the same thing at most."""
    return max(quota.at_most for quota in QUOTAS[label] if quota.at_most < 10_000)


def processor_time(client: Client, address: str) -> float:
    """Return seconds of processor time, without the garbage collector: its share grows with a long run."""
    gc.disable()
    begun = time.process_time()
    try:
        client.get(address)
        return time.process_time() - begun
    finally:
        gc.enable()


def assert_light(who: Somebody, *addresses: str) -> None:
    who.client.get("/j/")
    nothing = min(processor_time(who.client, "/j/") for _ in range(5))
    for address in addresses:
        is_heavy = getattr(resolve(address.partition("?")[0]).func, "is_heavy", None)
        if is_heavy and is_heavy("GET", 0):
            continue
        answer = who.client.get(address)
        assert answer.status_code == 200, address
        assert len(answer.content) < BYTES_AT_MOST, address
        # A busy machine makes one of them slow.
        most = TIMES_AT_MOST * nothing
        assert any(processor_time(who.client, address) < most for _ in range(3)), address


def fill_with_ready_things(campaign: Campaign) -> None:
    title = "題" * 60
    Handout.objects.bulk_create(
        Handout(campaign=campaign, title=title, text=PAGE, secret=PAGE) for _ in range(limit("play.Handout"))
    )
    SceneNote.objects.bulk_create(
        SceneNote(campaign=campaign, title=title, text=PAGE) for _ in range(limit("play.SceneNote"))
    )
    PreparedCheck.objects.bulk_create(
        PreparedCheck(campaign=campaign, label="判" * 80, difficulty=3)
        for _ in range(limit("play.PreparedCheck"))
    )
    Limit.objects.bulk_create(Limit(campaign=campaign, words=title, agreed=True) for _ in range(60))


def fill_with_seats(session: Session) -> list[Seat]:
    people = Person.objects.bulk_create(Person(name=f"{n:02}" + "客" * 10) for n in range(SEATS_AT_MOST))
    left = SEATS_AT_MOST - session.seats.count()
    return [sit(session, person) for person in people[:left]]


def hand_over(session: Session, handouts: Iterable[Handout], seats: Iterable[Seat]) -> None:
    notice = Notice.objects.create(session=session)
    every = list(handouts)
    HandoutCopy.objects.bulk_create(
        HandoutCopy(handout=handout, seat=seat, notice=notice) for seat in seats for handout in every
    )


def test_pages_of_a_full_campaign_and_session_are_light(gm: Somebody, ayumi: Somebody, table: Table) -> None:
    session, campaign = table.session, table.session.own_campaign
    fill_with_ready_things(campaign)
    seats = fill_with_seats(session)
    ready, lobby = f"/gm/campaigns/{campaign.pk}/ready/", session.get_absolute_url()
    at_the_table = f"/t/{table.pk}/"
    assert_light(gm, ready, lobby, at_the_table, f"/s/{session.pk}/limits/")
    mine = session.seats.get(person=ayumi.person)
    hand_over(session, campaign.handouts.all(), [mine, *seats[:3]])
    Message.objects.bulk_create(
        Message(session=session, tab="main", author=seat, client_id=uuid.uuid4(), text="話" * 1_000)
        for seat in seats
        for _ in range(20)
    )
    assert_light(gm, lobby, at_the_table)
    assert_light(ayumi, lobby, at_the_table, f"/t/{table.pk}/log/", f"/s/{session.pk}/report/")
    oldest = campaign.handouts.order_by("pk")[0].pk
    for who in (gm, ayumi):
        assert_light(who, f"/s/{session.pk}/handouts/{oldest}/")


def test_full_lists_of_a_person_are_light(gm: Somebody, session: Session) -> None:
    owner, name = gm.person, "名" * 40
    Character.objects.bulk_create(
        Character(owner=owner, name=name, concept="者" * 120, status="done", hp_max=9)
        for _ in range(limit("characters.Character"))
    )
    LibraryNpc.objects.bulk_create(
        LibraryNpc(owner=owner, campaign=session.campaign, name=name, rank=3, notes="注" * 2_000)
        for _ in range(limit("play.LibraryNpc"))
    )
    document = msgspec.to_builtins(Document(title="題" * 60))
    Scenario.objects.bulk_create(
        Scenario(owner=owner, title="題" * 60, document=document) for _ in range(limit("play.Scenario"))
    )
    Campaign.objects.bulk_create(
        Campaign(gm=owner, name="題" * 60) for _ in range(limit("play.Campaign") - 1)
    )
    open_at_most, _ever, *_ = QUOTAS["play.Session"]
    Session.objects.bulk_create(
        Session(campaign=session.campaign, title="夜" * 60) for _ in range(open_at_most.at_most - 1)
    )
    campaign = f"/gm/campaigns/{session.campaign_id}/"
    assert_light(gm, "/characters/", "/gm/npcs/", "/gm/scenarios/", "/gm/", "/", campaign, "/account/")


def test_pages_of_a_full_sheet_and_its_history_are_light(ayumi: Somebody) -> None:
    hero = Character.objects.create(
        owner=ayumi.person, name="名" * 40, concept="者" * 120, background=PAGE, status="done", hp_max=9
    )
    places = range(rules.ROWS_AT_MOST)
    Skill.objects.bulk_create(Skill(character=hero, order=n, name=f"{n:02}" + "技" * 38) for n in places)
    Item.objects.bulk_create(Item(character=hero, kind="tool", name=f"{n:02}" + "物" * 38) for n in places)
    one = snapshot(hero)
    other = one | {"skills": [name[::-1] for name in one["skills"]], "background": PAGE[1:]}
    Revision.objects.bulk_create(
        Revision(character=hero, number=n, why="edited", made_by=ayumi.person, sheet=(one, other)[n % 2])
        for n in range(1, limit("characters.Revision") + 1)
    )
    LedgerEntry.objects.bulk_create(
        LedgerEntry(
            character=hero,
            kind="given",
            points=1,
            rates={},
            title="題" * 60,
            source=str(n),
            made_by=ayumi.person,
        )
        for n in range(limit("characters.LedgerEntry"))
    )
    sheet = f"/characters/{hero.pk}/"
    history = f"{sheet}history/"
    assert_light(ayumi, sheet, f"{sheet}edit/", history, f"{history}?page=40", f"{history}?page=nonsense")
    assert 'id="revision-1"' in ayumi.client.get(f"{history}?page=40").content.decode()
