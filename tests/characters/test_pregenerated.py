"""Characters for those who come late could have been drawn by anybody."""

from __future__ import annotations

import pytest
from django.urls import reverse

from characters import rules
from characters.models import Character
from characters.models.sheets import Emblem
from characters.reference import PEOPLE
from tests.rules import rule


@rule("UC-1.1", "UC-1.3", "UC-1.4")
@pytest.mark.parametrize("key", PEOPLE)
def test_a_pregenerated_character_is_one_that_six_cards_allow(key):
    sheet = PEOPLE[key].sheet
    assert sheet.hp_max + len(sheet.skills) == rules.CARDS_DRAWN["standard"]
    assert sheet.hp == sheet.hp_max > 0
    assert len(sheet.suits) == 1
    [treasure] = sheet.items
    rules.check_special(treasure.kind, treasure.table_value)
    assert treasure.special
    assert sheet.emblem in Emblem.values


@pytest.mark.django_db
def test_a_pregenerated_character_is_taken_by_post_only(bo):
    page = reverse("characters:take-ready")
    assert bo.client.get(page).status_code == 405
    assert bo.client.post(page, {"who": "nobody"}).url == reverse("characters:start")
    assert bo.client.post(page, {"who": "nagi", "next": "https://elsewhere.example/"}).url.startswith(
        "/characters/"
    )
    made = Character.objects.get()
    assert (made.owner, made.is_done, made.emblem, made.ca) == (bo.person, True, "anchor", 8)
