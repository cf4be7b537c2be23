"""The end of the night: players tick on their phones, the GM sees it at once, adjusts and confirms."""

from __future__ import annotations

import asyncio
import re

import pytest
from channels.db import database_sync_to_async
from channels.layers import get_channel_layer
from django.test import Client

from characters.models import Character, ExperienceChecklist
from characters.services import experience, sheets
from sessions.card_table import checklists
from sessions.evening import announcements, nights
from sessions.models import Campaign, Role, Seat, Session, Table
from tests.conftest import Somebody
from tests.evening import sit
from tests.phones import phone, squeezed
from tests.rules import rule
from tests.servers import PATIENCE, ThreadServer
from tests.sessions.test_races import at_once

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("reference_rows")]


@pytest.fixture
def heroes(seats: list[Seat]) -> list[Seat]:
    """Ayumi and Bo, each with a character."""
    for seat, name in zip(seats, ("朔", "サキ"), strict=True):
        seat.character = Character.objects.create(
            owner=seat.person, name=name, hp_max=3, hp=3, suits="h", status="done"
        )
        seat.save()
    return seats


@pytest.fixture
def ended(session: Session, heroes: list[Seat], gm: Somebody) -> Session:
    """The night is over."""
    gm.client.post(f"/s/{session.pk}/end/")
    return Session.objects.get(pk=session.pk)


def evening(who: Somebody, session: Session) -> str:
    return squeezed(who.client.get(session.get_absolute_url()).content.decode())


def tick(who: Somebody, session: Session, key: str, on: int = 1, seat: Seat | None = None) -> int:
    whose = f"seats/{seat.pk}/" if seat else ""
    return who.client.post(f"/s/{session.pk}/{whose}experience/{key}/{on}/").status_code


def confirm(gm: Somebody, seat: Seat) -> int:
    return gm.client.post(f"/s/{seat.session_id}/seats/{seat.pk}/experience/confirm/").status_code


def checklist(seat: Seat) -> ExperienceChecklist:
    assert seat.character
    return seat.character.checklists.get()


def ticked(seat: Seat) -> set[str]:
    return {line.key for line in checklist(seat).lines.all()}


def test_the_report_shows_each_characters_confirmed_experience(
    ended: Session, gm: Somebody, ayumi: Somebody, heroes: list[Seat]
) -> None:
    for key in ("led", "solved"):
        tick(ayumi, ended, key)
    confirm(gm, heroes[0])
    report = ayumi.client.get(f"/s/{ended.pk}/report/").content.decode()
    told = report.split('aria-labelledby="earned-title"')[1].split("</section>")[0]
    assert re.findall(r'row-title">(\w+)|\+(\d+)点|(未確認)', told) == [
        ("朔", "", ""),
        ("", str(checklist(heroes[0]).points), ""),
        ("サキ", "", ""),
        ("", "", "未確認"),
    ]


@rule("UC-11.1")
def test_the_checklist_of_nine_lines_is_shown_to_players_after_the_session(
    ended: Session, ayumi: Somebody, heroes: list[Seat]
) -> None:
    page = evening(ayumi, ended)
    assert page.count('class="line" role="checkbox"') == 9
    assert "今夜の朔は？" in page
    assert checklist(heroes[0]).title == "第一夜"
    assert checklist(heroes[0]).campaign == "無限の蛇"


def test_only_the_gm_can_open_the_checklists_before_the_session_ends(
    session: Session, heroes: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    assert 'role="checkbox"' not in evening(ayumi, session)
    tick(ayumi, session, "led")
    assert not ExperienceChecklist.objects.exists()
    assert ayumi.client.post(f"/s/{session.pk}/experience/").status_code == 404
    gm.client.post(f"/s/{session.pk}/experience/")
    assert evening(ayumi, session).count('role="checkbox"') == 9


def test_a_players_table_page_links_to_the_opened_checklist(
    table: Table, heroes: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    assert "#experience" not in ayumi.client.get(table.get_absolute_url()).content.decode()
    gm.client.post(f"/s/{table.session_id}/experience/")
    page = ayumi.client.get(table.get_absolute_url()).content.decode()
    assert f"{table.session.get_absolute_url()}#experience" in page


@rule("UC-11.1", "UC-11.2")
def test_checklist_ticks_are_stored_and_give_points_when_the_gm_confirms(
    ended: Session, heroes: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    for key in ("led", "noticed", "acted"):
        tick(ayumi, ended, key)
    tick(ayumi, ended, "acted", 0)
    assert ticked(heroes[0]) == {"led", "noticed"}
    assert "いまのところ4点" in evening(ayumi, ended)
    confirm(gm, heroes[0])
    page = evening(ayumi, ended)
    assert "+4点" in page
    assert "合計4点" in page
    tick(ayumi, ended, "acted")
    assert ticked(heroes[0]) == {"led", "noticed"}, "confirmed is confirmed"
    assert heroes[0].character
    assert heroes[0].character.ledger.get().made_by == gm.person


def test_a_repeated_checklist_tick_gives_no_error_message(ended: Session, ayumi: Somebody) -> None:
    tick(ayumi, ended, "led")
    answer = ayumi.client.post(f"/s/{ended.pk}/experience/led/1/", follow=True)
    assert not list(answer.context["messages"])


def test_htmx_gets_only_the_checklist_region(ended: Session, ayumi: Somebody, gm: Somebody) -> None:
    live = {"HX-Request": "true"}
    own = ayumi.client.post(f"/s/{ended.pk}/experience/led/1/", headers=live).content.decode()
    assert own.startswith('<section id="experience"')
    assert own.count('aria-checked="true"') == 1
    desk = gm.client.post(f"/s/{ended.pk}/experience/confirm/", headers=live).content.decode()
    assert desk.startswith('<section id="experience_gm"')
    assert "csrfmiddlewaretoken" not in own + desk


def test_the_gm_can_change_ticks_and_the_player_sees_the_change(
    ended: Session, heroes: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    tick(ayumi, ended, "led")
    tick(gm, ended, "led", 0, seat=heroes[0])
    tick(gm, ended, "solved", 1, seat=heroes[0])
    assert ticked(heroes[0]) == {"solved"}
    page = evening(ayumi, ended)
    assert page.count('aria-checked="true"') == 1
    assert 'id="tick-solved" class="line" role="checkbox" aria-checked="true"' in page


def test_the_gm_can_tick_and_confirm_without_the_player(
    ended: Session, heroes: list[Seat], gm: Somebody
) -> None:
    tick(gm, ended, "took-part", seat=heroes[1])
    confirm(gm, heroes[1])
    assert heroes[1].character
    assert experience.balance(heroes[1].character) == 2


def test_confirming_all_checklists_leaves_untouched_ones_open(
    ended: Session, heroes: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    tick(ayumi, ended, "led")
    for _ in range(2):
        gm.client.post(f"/s/{ended.pk}/experience/confirm/")
    assert [bool(checklist(seat).confirmed_at) for seat in heroes] == [True, False]
    assert heroes[0].character
    assert experience.balance(heroes[0].character) == 2
    assert tick(bo, ended, "led") == 302
    assert ticked(heroes[1]) == {"led"}


def test_a_checklist_confirmed_twice_gives_points_once(
    ended: Session, heroes: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    tick(ayumi, ended, "led")
    confirm(gm, heroes[0])
    again = gm.client.post(f"/s/{ended.pk}/seats/{heroes[0].pk}/experience/confirm/", follow=True)
    assert "確認済み" in str(next(iter(again.context["messages"])))
    assert heroes[0].character
    assert experience.balance(heroes[0].character) == 2


def test_the_campaign_page_counts_unconfirmed_checklists(
    ended: Session, heroes: list[Seat], gm: Somebody
) -> None:
    campaign = f"/gm/campaigns/{ended.campaign_id}/"
    assert "2人分が確認待ち" in gm.client.get(campaign).content.decode()
    for seat in heroes:
        confirm(gm, seat)
    assert "確認待ち" not in gm.client.get(campaign).content.decode()


def not_confirmed(who: Somebody, session: Session) -> str:
    """The words beside the button that ends the night."""
    page = who.client.get(session.get_absolute_url()).content.decode()
    told = re.search(r'<div id="experience_open">(.*?)</div>', page, re.DOTALL)
    return squeezed(told[1]) if told else ""


def test_the_gm_sees_unconfirmed_checklists_before_ending_the_session(
    table: Table, heroes: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    session, (one, two) = table.session, heroes
    gm.client.post(f"/s/{session.pk}/experience/")
    told = not_confirmed(gm, session)
    assert one.name in told
    assert two.name in told
    tick(ayumi, session, "led")
    assert one.name in not_confirmed(gm, session), "ticked is not confirmed"
    confirm(gm, one)
    told = not_confirmed(gm, session)
    assert one.name not in told
    assert two.name in told
    confirm(gm, two)
    assert "notice" not in not_confirmed(gm, session)
    assert not_confirmed(ayumi, session) == "", "the GM's own"


def test_a_player_without_a_character_has_nothing_to_tick(
    session: Session, seats: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    gm.client.post(f"/s/{session.pk}/end/")
    assert 'role="checkbox"' not in evening(ayumi, session)
    answer = ayumi.client.post(f"/s/{session.pk}/experience/led/1/", follow=True)
    assert "キャラクターがいません" in str(next(iter(answer.context["messages"])))
    assert 'role="checkbox"' not in evening(gm, session)


def test_a_spectator_ticks_nothing(ended: Session, kei: Somebody) -> None:
    seat = sit(ended, kei.person, Role.SPECTATOR)
    seat.character = Character.objects.create(owner=kei.person, name="影", status="done")
    seat.save()
    tick(kei, ended, "led")
    assert not seat.character.checklists.exists()


def test_players_cannot_tick_or_confirm_the_checklists_of_others(
    ended: Session, heroes: list[Seat], ayumi: Somebody, kei: Somebody
) -> None:
    for who in (ayumi, kei, Somebody(ayumi.person, Client())):
        assert tick(who, ended, "led", seat=heroes[1]) == 404
        assert confirm(who, heroes[1]) == 404
        assert who.client.post(f"/s/{ended.pk}/experience/confirm/").status_code == 404
    assert tick(kei, ended, "led") == 404
    assert ticked(heroes[1]) == set()


def test_a_players_page_does_not_contain_the_ticks_of_others(
    ended: Session, ayumi: Somebody, bo: Somebody
) -> None:
    tick(ayumi, ended, "led")
    tick(bo, ended, "solved")
    for who, key in ((ayumi, "led"), (bo, "solved")):
        page = evening(who, ended)
        assert page.count('aria-checked="true"') == 1
        assert f'id="tick-{key}" class="line" role="checkbox" aria-checked="true"' in page
    assert "サキ" not in evening(ayumi, ended)


@pytest.mark.parametrize("path", ["flew/1", "led/" + "9" * 40, "led/2", f"{'x' * 3000}/1"])
def test_a_tick_of_an_unknown_checklist_line_causes_no_server_error(
    ended: Session, ayumi: Somebody, path: str
) -> None:
    assert ayumi.client.post(f"/s/{ended.pk}/experience/{path}/").status_code in (302, 404)


def test_a_removed_player_cannot_tick_the_checklist(
    ended: Session, heroes: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    nights.remove_seat(seat=heroes[0])
    assert tick(ayumi, ended, "led") == 404
    assert "朔" not in gm.client.get(ended.get_absolute_url()).content.decode().split("experience_gm")[1]


def test_only_the_gm_can_open_and_restore_the_sheet_history_of_a_seat(
    ended: Session, heroes: list[Seat], gm: Somebody, ayumi: Somebody, kei: Somebody
) -> None:
    character = heroes[0].character
    assert character
    sheets.revise(character=character, name="朔", hp_max=5, suits="h", skills=[])
    tick(ayumi, ended, "led")
    confirm(gm, heroes[0])
    seat = f"/s/{ended.pk}/seats/{heroes[0].pk}"
    sheet = gm.client.get(f"{seat}/character/").content.decode()
    assert "第一夜" in sheet
    assert "+2" in sheet
    assert "HP上限 3 → 5" in gm.client.get(f"{seat}/history/").content.decode()
    assert gm.client.get(f"{seat}/history/1/").status_code == 200
    assert gm.client.post(f"{seat}/history/1/restore/").url == f"{seat}/history/"
    newest = character.revisions.first()
    assert newest
    assert (newest.why, newest.made_by) == ("restored", gm.person)
    for who in (ayumi, kei):
        for path in ("history/", "history/1/"):
            assert who.client.get(f"{seat}/{path}").status_code == 404
        assert who.client.post(f"{seat}/history/2/restore/").status_code == 404


def test_the_gms_edit_of_an_outdated_sheet_is_refused(
    session: Session, heroes: list[Seat], gm: Somebody
) -> None:
    address = f"/s/{session.pk}/seats/{heroes[0].pk}/character/"
    form = {"name": "朔", "concept": "", "background": "", "hp_max": "3", "suits": ["h"], "revision": "1"}
    assert gm.client.post(address, {**form, "hp_max": "4"}).status_code == 302
    answer = gm.client.post(address, {**form, "concept": "灯台守"})
    assert answer.status_code == 422
    assert "灯台守" in answer.content.decode()
    assert "HP上限 3 → 4" in answer.content.decode()


@pytest.mark.django_db(transaction=True)
async def test_ticks_and_confirmations_are_pushed_to_gm_and_player_at_once(
    server: ThreadServer, ended: Session, heroes: list[Seat], gm: Somebody, ayumi: Somebody, bo: Somebody
) -> None:
    path = f"/ws/sessions/{ended.pk}/?lang=ja"
    async with (
        phone(server, gm, path) as desk,
        phone(server, ayumi, path) as one,
        phone(server, bo, path) as two,
    ):
        for device in (one, two):
            await device.until_shown('id="experience"')
        await desk.until_shown('id="experience_gm"')
        await database_sync_to_async(tick)(ayumi, ended, "led")
        await desk.until_shown(
            f'id="tick-{heroes[0].pk}-led" class="line" role="checkbox" aria-checked="true"'
        )
        await database_sync_to_async(tick)(gm, ended, "solved", 1, heroes[0])
        await one.until_shown('id="tick-solved" class="line" role="checkbox" aria-checked="true"')
        await database_sync_to_async(confirm)(gm, heroes[0])
        await one.until_shown("+4点")
        assert 'aria-checked="true"' not in two.bytes, "what one ticks is not sent to the others"


@pytest.mark.django_db(transaction=True)
async def test_a_tick_on_the_sheet_page_is_announced_to_the_session_too(
    ended: Session, heroes: list[Seat], ayumi: Somebody
) -> None:
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(announcements.session_group(ended.pk), channel)
    of_tonight = await database_sync_to_async(checklist)(heroes[0])
    address = f"/characters/{heroes[0].character_id}/experience/{of_tonight.pk}/led/tick/"
    await database_sync_to_async(ayumi.client.post)(address)
    told = await asyncio.wait_for(layer.receive(channel), PATIENCE)
    assert set(told["parts"]) == set(checklists.REGIONS)


@pytest.mark.django_db(transaction=True)
def test_concurrent_ticks_and_confirmations_give_points_once(
    session: Session, heroes: list[Seat], gm: Somebody
) -> None:
    gm.client.post(f"/s/{session.pk}/experience/")
    ExperienceChecklist.objects.filter(character=heroes[0].character).delete()

    def tick_and_confirm() -> None:
        checklists.tick_line(seat=heroes[0], key="led", ticked=True)
        checklists.confirm(seat=heroes[0], by=gm.person)

    problems = at_once(*[tick_and_confirm] * 4)
    assert {getattr(problem, "code", problem) for problem in problems} <= {"checklist_confirmed"}
    assert heroes[0].character
    assert experience.balance(heroes[0].character) == 2
    assert heroes[0].character.ledger.count() == 1


@rule("UC-11.2")
def test_a_checklist_keeps_the_house_rules_it_was_opened_with(
    session: Session, heroes: list[Seat], gm: Somebody, ayumi: Somebody
) -> None:
    own = {"points_a_line": 3, "hp_max_cost": 1, "skill_cost": 2, "suit_cost": 7, "suits_at_most": 2}
    Campaign.objects.update(house_values={"experience": own})
    gm.client.post(f"/s/{session.pk}/experience/")
    Campaign.objects.update(house_values={})
    tick(ayumi, session, "led")
    assert "いまのところ3点" in evening(ayumi, session)
    confirm(gm, heroes[0])
    assert heroes[0].character
    assert experience.balance(heroes[0].character) == 3
    assert [offer.cost for offer in experience.offers(heroes[0].character)] == [4, 2, 14]
