"""Create the sample session that every new server starts with.

``manage.py play`` runs this once, when the database is new; running it again adds nothing twice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from django.core.management.base import BaseCommand
from django.db import transaction
from django.utils.translation import gettext_noop

from characters.models import Character, Item, Skill
from companion.identity import gm_link
from companion.models import Person
from sessions.evening import nights
from sessions.models import Campaign, Role


class Sample(NamedTuple):
    """A sample character; its skills and HP add up to six, like those of a character made from six cards."""

    player: str
    name: str
    concept: str
    hp_max: int
    suit: str
    skills: tuple[str, ...]
    items: tuple[tuple[str, str, int, bool], ...]


SAMPLES = [
    Sample(
        "あゆみ",
        "灯台守のナギ",
        "沈んだ港町の灯をひとりで守ってきた",
        4,
        "h",
        ("海の知識", "見張り"),
        (("weapon", "銛", 1, True), ("armour", "防水の外套", 0, False)),
    ),
    Sample(
        "ボー",
        "鍵師のロク",
        "開かない扉はないが、開けたくない扉はある",
        2,
        "s",
        ("鍵開け", "忍び足", "値切り", "夜目"),
        (("tool", "父の七つ道具", 1, True), ("weapon", "ナイフ", 1, False)),
    ),
    Sample(
        "ケイ",
        "看護師ミツル",
        "蛇に噛まれた人をもう見捨てない",
        3,
        "d",
        ("応急手当", "聞き上手", "薬の知識"),
        (("tool", "救急箱", 1, True),),
    ),
]


def create_session() -> None:
    """Create the GM, and a campaign with an open session and three approved characters, ready to deal."""
    gm_person = gm_link.ensure_home_gm().person
    if Campaign.objects.filter(gm=gm_person).exists():
        return
    campaign = Campaign.objects.create(gm=gm_person, name=nights.SAMPLE_CAMPAIGN)
    session = nights.open_session(campaign=campaign, title="見本の夜")
    for sample in SAMPLES:
        player = Person.objects.create(name=sample.player)
        seat = nights.take_seat(session=session, person=player, name=sample.player, role=Role.PLAYER)
        nights.bring_character(seat=seat, character=create_character(player, sample))
        nights.set_approved(seat=seat, approved=True)


def create_character(owner: Person, sample: Sample) -> Character:
    made = Character.objects.create(
        owner=owner,
        name=sample.name,
        concept=sample.concept,
        suits=sample.suit,
        hp_max=sample.hp_max,
        hp=sample.hp_max,
        status=Character.Status.DONE,
    )
    Skill.objects.bulk_create(
        Skill(character=made, order=order, name=name) for order, name in enumerate(sample.skills)
    )
    Item.objects.bulk_create(
        Item(character=made, kind=kind, name=name, table_value=value, special=special)
        for kind, name, value, special in sample.items
    )
    return made


class Command(BaseCommand):
    help = gettext_noop("Lay out the evening everybody starts with; what is there already stays as it is.")

    def handle(self, *args: Any, **options: Any) -> None:
        # All or nothing: after an interrupted first start, the next one creates everything.
        with transaction.atomic():
            create_session()
