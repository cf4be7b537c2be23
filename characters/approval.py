"""Warnings for a GM who approves a character: values that exceed what any creation gives."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from characters import rules, services
from characters.models import Character, LedgerEntry

Kind = LedgerEntry.EntryKind
EXCESSES = {
    "hp": _("Maximum HP is %(given)s: no creation gives more than %(most)s."),
    "skills": _("There are %(given)s skills: no creation gives more than %(most)s."),
    "suits": _("There are %(given)s favoured suits: no creation gives more than %(most)s."),
    "specials": _("There are %(given)s special items: no creation gives more than %(most)s."),
    "together": _(
        "HP, skills, suits and special items together are more than the cards of any creation give."
    ),
}


def beyond_creation(character: Character) -> list[str]:
    """Return one sentence for each value that exceeds every creation and was not bought with experience."""
    if not rules.beyond_creation(_figures(character)):
        return []
    bought = services.bought(character)
    new = _figures(character, bought[Kind.HP_MAX], bought[Kind.SKILL], bought[Kind.SUIT])
    return [
        str(EXCESSES[excess.what]) % {"given": excess.given, "most": excess.most}
        for excess in rules.beyond_creation(new)
    ]


def _figures(character: Character, hp_max: int = 0, skills: int = 0, suits: int = 0) -> rules.Allowance:
    """Return the figures of the sheet minus the purchased amounts."""
    return rules.Allowance(
        character.hp_max - hp_max,
        len(character.skills.all()) - skills,
        len(character.suits) - suits,
        len(character.special_items),
    )
