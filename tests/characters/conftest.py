"""Characters, and a way through their making."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from characters import rules
from characters.models import Character, Creation
from characters.services import drafts

SIX = ["h01", "d05", "h12", "d03", "c13", "s02"]
ALL_RED = ["h01", "h02", "h03", "d01", "d02", "d03"]
ONE_JOKER = ["h01", "d05", "h12", "s03", "c13", "x01"]
TWELVE = ["s01", "s02", "s03", "s04", "h05", "h06", "h07", "d11", "d12", "c13", "x01", "c11"]


@pytest.fixture
def draws(monkeypatch):
    """The next cards as scripted by a test, and chance after them."""
    coming: list[list[str]] = []
    by_chance = rules.draw

    def draw(secret, number, method):
        return coming.pop(0) if coming else by_chance(secret, number, method)

    monkeypatch.setattr(rules, "draw", draw)
    return coming


class Phone:
    """A person's browser, in the creation of one character."""

    def __init__(self, client: Client, draws: list[list[str]]) -> None:
        self.client, self.draws = client, draws
        self.pk = 0

    def start(self, method="standard", cards=None, **more):
        if cards:
            self.draws.append(cards)
        answer = self.client.post(reverse("characters:start"), {"method": method, **more})
        self.pk = int(answer.url.split("/")[2])
        return answer

    def post(self, name, data=None, **headers):
        return self.client.post(reverse(f"characters:{name}", args=[self.pk]), data or {}, headers=headers)

    def get(self, name):
        return self.client.get(reverse(f"characters:{name}", args=[self.pk]))

    @property
    def character(self) -> Character:
        return Character.objects.get(pk=self.pk)

    @property
    def creation(self) -> Creation:
        return Creation.objects.get(pk=self.pk)


@pytest.fixture
def phone(bo, draws):
    """The phone of a guest without any account."""
    return Phone(bo.client, draws)


@pytest.fixture
def sheet(ayumi):
    """A finished character of Ayumi's: HP 4, two skills, hearts, a special sword."""
    character = drafts.start_draft(owner=ayumi.person, method="standard", name="朔")
    creation = character.creation
    creation.draws.create(number=0, cards=SIX)
    drafts.keep(character=character)
    drafts.choose_suits(character=character, suits="h")
    drafts.choose_skills(character=character, names=["剣術", "料理"])
    sword = {"kind": "weapon", "name": "脇差", "table_value": 2, "quality": 0}
    drafts.choose_specials(character=character, wishes=[sword])
    drafts.settle_items(character=character)
    drafts.describe(character=character, name="朔", concept="流れの料理人", background="海の町の生まれ。")
    drafts.finish(character=character)
    return Character.objects.get(pk=character.pk)
