"""The checklist at the end of a session."""

from __future__ import annotations

import pytest
from django.urls import reverse

from characters.rules import SheetRefused
from characters.services import experience
from tests.rules import rule

pytestmark = pytest.mark.django_db


@pytest.fixture
def checklist(sheet):
    return experience.start_own_checklist(character=sheet, title="第一夜")


def tick(ayumi, checklist, key, verb="tick", **headers):
    address = reverse(f"characters:{verb}-experience", args=[checklist.character_id, checklist.pk, key])
    return ayumi.client.post(address, headers=headers)


@rule("UC-11.1", "UC-11.2")
def test_a_player_ticks_checklist_lines_and_sees_the_points(ayumi, checklist):
    for key in ("led", "noticed"):
        page = tick(ayumi, checklist, key, **{"HX-Request": "true"}).content.decode()
    assert page.count('aria-checked="true"') == 2
    assert "GMが確認すると4点が入ります" in page
    assert "25点" in page, "what one more HP costs"
    tick(ayumi, checklist, "led", verb="untick")
    assert [line.key for line in checklist.lines.all()] == ["noticed"]


def test_ticking_without_htmx_redirects_to_the_sheet(ayumi, checklist, sheet):
    assert tick(ayumi, checklist, "led").url == sheet.get_absolute_url() + "#experience"


@rule("UC-11.1")
def test_a_second_tick_of_a_line_is_refused_with_a_reason(ayumi, checklist):
    experience.tick_experience(checklist=checklist, key="led")
    page = tick(ayumi, checklist, "led", **{"HX-Request": "true"}).content.decode()
    assert "この項目にはもうチェックが付いています。" in page
    assert checklist.lines.count() == 1


@pytest.mark.parametrize(
    ("verb", "key", "code"), [("tick", "flew", "no_such_line"), ("untick", "led", "not_ticked")]
)
def test_an_unknown_checklist_line_cannot_be_ticked(checklist, verb, key, code):
    with pytest.raises(SheetRefused, match=code):
        experience.tick_experience(checklist=checklist, key=key, ticked=verb == "tick")


@rule("UC-11.1")
def test_a_confirmed_checklist_cannot_be_changed(ayumi, checklist):
    experience.confirm_experience(checklist=checklist)
    page = tick(ayumi, checklist, "led", **{"HX-Request": "true"}).content.decode()
    assert "GMが確認" in page
    assert not checklist.lines.exists()
    with pytest.raises(SheetRefused, match="checklist_confirmed"):
        experience.confirm_experience(checklist=checklist)


def test_a_player_starts_a_checklist_on_the_sheet(ayumi, sheet):
    address = reverse("characters:start-checklist", args=[sheet.pk])
    assert ayumi.client.post(address, {"title": "第二夜"}).status_code == 302
    ayumi.client.post(address, {"title": " "})
    assert [checklist.title for checklist in sheet.checklists.all()] == ["第二夜"]


def test_a_checklist_cannot_be_ticked_through_another_character(checklist, phone):
    phone.start()
    address = reverse("characters:tick-experience", args=[phone.pk, checklist.pk, "led"])
    assert phone.client.post(address).status_code == 404
    assert not checklist.lines.exists()
