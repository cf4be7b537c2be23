"""The evening of the pictures: a lobby where people arrive, and a table before its first check."""

from __future__ import annotations

from dataclasses import dataclass

from characters.models import Character
from sessions.evening import nights
from sessions.management.commands.demo import SAMPLES, create_character
from sessions.models import Campaign, Role, Session, Table
from sessions.modules.uroboros.tests.table import Table as Arranged
from sessions.table import opening
from tests.conftest import Somebody, _account, _guest

#: Names by language: campaign, evening, players, their characters.
NAMES = {
    "ja": ("沈んだ港町", "第一夜 灯台の火", ("あゆみ", "ボー"), ("灯台守のナギ", "鍵師のロク")),
    "en": (
        "The drowned harbour",
        "First night: the lamp",
        ("Ayumi", "Bo"),
        ("Nagi the keeper", "Rock the lock"),
    ),
}
DEED = {"ja": "崩れた階段を駆け上がる", "en": "Run up the broken stairs"}


@dataclass
class Evening:
    """The people and places of the pictures in one language."""

    beginner: Somebody
    gm: Somebody
    players: list[Somebody]
    lobby: Session
    table: Table


def lay_out(language: str) -> Evening:
    campaign_name, title, player_names, hero_names = NAMES[language]
    beginner, gm = (_account(f"{name}-{language}", "GM") for name in ("beginner", "gm"))
    players = [_guest(name) for name in player_names]
    campaign = Campaign.objects.create(gm=gm.person, name=campaign_name)
    heroes = [
        _hero(player, number, name)
        for number, (player, name) in enumerate(zip(players, hero_names, strict=True))
    ]
    lobby = _session(campaign, title, "482913" if language == "ja" else "482915", players, heroes)
    running = _session(campaign, title, "571204" if language == "ja" else "571206", players, heroes)
    seats = list(running.seats.filter(role=Role.PLAYER).order_by("pk"))
    table = opening.open_table(session=running, module_key="uroboros", players=seats)
    table.snapshot = Arranged(
        {"p1": "h04 s11 h12 d08", "p2": "c03 s06"},
        gm="s09 d05 c13",
        field="h09",
        deck="d11 c02 s08 h03 d06 c09 h11 s07",
        characters={
            "p1": {"name": player_names[0], "suits": ["h"], "skills": list(SAMPLES[0].skills)},
            "p2": {"name": player_names[1], "suits": ["s"], "skills": list(SAMPLES[1].skills)},
        },
    ).snapshot
    table.save()
    return Evening(beginner, gm, players, lobby, table)


def _hero(player: Somebody, number: int, name: str) -> Character:
    hero = create_character(player.person, SAMPLES[number])
    hero.name = name
    hero.save()
    return hero


def _session(
    campaign: Campaign, title: str, code: str, players: list[Somebody], heroes: list[Character]
) -> Session:
    session = nights.open_session(campaign=campaign, title=title)
    session.code = code
    session.save()
    for player, hero in zip(players, heroes, strict=True):
        seat = nights.take_seat(
            session=session, person=player.person, name=player.person.name, role=Role.PLAYER
        )
        nights.bring_character(seat=seat, character=hero)
        nights.set_approved(seat=seat, approved=hero is heroes[0])
    return session
