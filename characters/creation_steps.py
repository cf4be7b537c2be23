"""The questions of a creation: their order, and the open one."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from characters import rules
from characters.models import Creation
from characters.rules import Allowance


def allowance(creation: Creation) -> Allowance | None:
    """Return the numbers that the cards give; None if there are no cards or they must be drawn again."""
    cards = creation.cards
    try:
        if creation.method == Creation.Method.HAND:
            return rules.allowance_by_hand(creation.spending.hp)
        rules.check_keep(method(creation), cards)
        if creation.method == Creation.Method.STANDARD:
            return rules.standard_allowance(cards, creation.red_jokers)
        return rules.twelve_allowance(cards, creation.spending)
    except rules.SheetRefused:
        return None


def method(creation: Creation) -> rules.Method:
    """Return the creation method as the rules name it."""
    return "twelve" if creation.method == Creation.Method.TWELVE else "standard"


def steps(creation: Creation) -> list[str]:
    """Return the questions of this creation in order, without those that leave nothing to choose."""
    allowed = allowance(creation)
    asked = {
        "spend": creation.method == Creation.Method.TWELVE,
        "suit": allowed is None or allowed.suits > 0,
        "special": allowed is None or allowed.specials > 0,
    }
    order = ["cards", "spend", "suit", "skills", "special", "items", "about", "review"]
    return [step for step in order if asked.get(step, True)]


#: The chapter of each question. The progress bar shows chapters, since their number never varies.
CHAPTERS = {
    "cards": _("Fate"),
    "spend": _("Fate"),
    "suit": _("Talents"),
    "skills": _("Talents"),
    "special": _("Things"),
    "items": _("Things"),
    "about": _("Person"),
    "review": _("Review"),
}


def chapters(step: str) -> list[tuple[str, bool, bool]]:
    """Return the chapters in order: name, whether it is done, and whether ``step`` belongs to it."""
    names = list(dict.fromkeys(str(name) for name in CHAPTERS.values()))
    here = names.index(str(CHAPTERS[step]))
    return [(name, place < here, place == here) for place, name in enumerate(names)]


def open_step(creation: Creation) -> str:
    """Return the question to continue with: the first unanswered one, up to the one reached."""
    order = steps(creation)
    reached = order.index(creation.step) if creation.step in order else 0
    return next((step for step in order[:reached] if not _has_answer(creation, step)), order[reached])


def is_complete(creation: Creation) -> bool:
    """True if every question has been answered."""
    return all(_has_answer(creation, step) for step in steps(creation))


def _has_answer(creation: Creation, step: str) -> bool:
    allowed = allowance(creation)
    if allowed is None:
        return False
    character = creation.character
    answers = {
        "suit": len(character.suits) == allowed.suits,
        "skills": len(character.skills.all()) == allowed.skills,
        "special": len(character.special_items) == allowed.specials,
        "about": bool(character.name),
    }
    return answers.get(step, True)
