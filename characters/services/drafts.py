"""The services of character creation: the order of a draft's questions, and the answers to each."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from characters import rules
from characters.models import Character, Creation, Draw
from characters.rules import Allowance, SheetRefused
from characters.services.sheets import ItemWish, begin_history, lock, put_item, write_skills, write_texts
from companion import names
from companion.models import Person

#: The questions in order, and their chapters. The progress bar shows chapters, as their number never varies.
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


def allowance(creation: Creation) -> Allowance | None:
    """Return the numbers that the cards give; None if there are no cards or they must be drawn again."""
    cards = creation.cards
    try:
        if creation.method == Creation.Method.HAND:
            return rules.allowance_by_hand(creation.spending.hp)
        if creation.method == Creation.Method.STANDARD:
            return rules.standard_allowance(cards, creation.red_jokers)
        return rules.twelve_allowance(cards, creation.spending)
    except SheetRefused:
        return None


def require_allowance(creation: Creation) -> Allowance:
    """Return the numbers that the cards give. Refusals: ``cards_not_kept``."""
    allowed = allowance(creation)
    if allowed is None:
        raise SheetRefused("cards_not_kept")
    return allowed


def method(creation: Creation) -> rules.Method:
    return "twelve" if creation.method == Creation.Method.TWELVE else "standard"


def steps(creation: Creation) -> list[str]:
    """Return the questions of this creation in order, without those that leave nothing to choose."""
    allowed = allowance(creation)
    conditions = {
        "spend": creation.method == Creation.Method.TWELVE,
        "suit": allowed is None or allowed.suits > 0,
        "special": allowed is None or allowed.specials > 0,
    }
    return [step for step in CHAPTERS if conditions.get(step, True)]


def chapters(step: str) -> list[tuple[str, bool, bool]]:
    """Return the chapters in order: name, whether it is done, and whether ``step`` belongs to it."""
    labels = list(dict.fromkeys(str(label) for label in CHAPTERS.values()))
    here = labels.index(str(CHAPTERS[step]))
    return [(label, place < here, place == here) for place, label in enumerate(labels)]


def open_step(creation: Creation) -> str:
    """Return the question to continue with: the first unanswered one, up to the one reached."""
    order = steps(creation)
    reached = order.index(creation.step) if creation.step in order else 0
    return next((step for step in order[:reached] if not _has_answer(creation, step)), order[reached])


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


@transaction.atomic
def start_draft(*, owner: Person, method: str, name: str = "", return_to: str = "") -> Character:
    """Create a draft character and its creation. Refusals: ``no_such_method``.

    :param return_to: a local address, checked by the caller.
    """
    if method not in Creation.DRAWN:
        raise SheetRefused("no_such_method")
    character = Character.objects.create(owner=owner, name=names.clean(name))
    Creation.objects.create(
        character=character, method=method, secret=secrets.token_hex(16), return_to=return_to
    )
    return character


@transaction.atomic
def draw(*, character: Character) -> None:
    """Draw the first cards; do nothing if they were drawn. [UC-1.2, UC-2.1]"""
    creation = _lock_draft(character)
    if not creation.cards:
        _store_draw(creation, 0)


@transaction.atomic
def redraw(*, character: Character, seen: int | None) -> None:
    """Draw all cards again. Refusals: ``nothing_drawn``, ``redraw_not_allowed``. [UC-1.2, UC-1.3, UC-2.1]

    :param seen: number of the draw that the player saw. A second tap on the same page draws nothing.
    """
    creation = _lock_draft(character)
    if not creation.cards:
        raise SheetRefused("nothing_drawn")
    if seen != creation.redraws:
        return
    rules.check_redraw(method(creation), creation.cards)
    _store_draw(creation, creation.redraws + 1)
    creation.step, creation.red_jokers, creation.spending = "cards", 0, rules.Spending()
    creation.save()


@transaction.atomic
def keep(*, character: Character, red_jokers: int = 0) -> None:
    """Keep the drawn cards and go to the next question. [UC-1.2, UC-1.3, UC-2.1]

    Refusals: ``nothing_drawn``, ``one_colour``, ``only_numbers``, ``too_many_courts``, ``no_such_jokers``.
    """
    creation = _lock_draft(character)
    if not creation.cards:
        raise SheetRefused("nothing_drawn")
    rules.check_keep(method(creation), creation.cards)
    if creation.method != Creation.Method.TWELVE:
        creation.method, creation.spending = Creation.Method.STANDARD, rules.Spending()
        rules.standard_allowance(creation.cards, red_jokers)
        creation.red_jokers = red_jokers
    _apply_allowance(creation)
    _advance_from(creation, "cards")


@transaction.atomic
def choose_by_hand(*, character: Character, hp_max: int) -> None:
    """Choose figures that six cards could give, for a character imported from another game. [UC-1.3]

    Refusals: ``not_asked`` if the character was not imported, ``not_of_six``.
    """
    creation = _lock_draft(character)
    if not creation.offers:
        raise SheetRefused("not_asked")
    creation.method, creation.spending = Creation.Method.HAND, rules.Spending(hp=hp_max)
    rules.allowance_by_hand(hp_max)
    _apply_allowance(creation)
    _advance_from(creation, "cards")


@transaction.atomic
def spend(*, character: Character, what: str, by: int) -> None:
    """Change the number of one kind of purchase by one. [UC-2.2]

    Refusals: ``no_such_purchase``, ``too_few_numbers``, ``too_few_courts``, ``too_many_suits``.
    """
    creation = _lock_kept_draft(character)
    if creation.method != Creation.Method.TWELVE:
        raise SheetRefused("no_such_purchase", "UC-2.2")
    spending = creation.spending.with_purchase(what, by)
    rules.lay_out(creation.cards, spending)
    creation.spending = spending
    creation.save()
    _apply_allowance(creation)


@transaction.atomic
def settle_spending(*, character: Character) -> None:
    """Confirm the purchases. [UC-2.2]"""
    _advance_from(_lock_kept_draft(character), "spend")


@transaction.atomic
def choose_suits(*, character: Character, suits: str) -> None:
    """Refusals: ``no_such_suit``, ``wrong_number_of_suits``. [UC-1.1, UC-2.2]"""
    creation = _lock_kept_draft(character)
    creation.character.suits = rules.check_suits(suits, require_allowance(creation).suits)
    creation.character.save(update_fields=["suits", "changed_at"])
    _advance_from(creation, "suit")


@transaction.atomic
def choose_skills(*, character: Character, names: Sequence[str]) -> None:
    """Refusals: ``wrong_number_of_skills``, ``bad_name``. [UC-1.3, UC-2.2]"""
    creation = _lock_kept_draft(character)
    if len(names) != require_allowance(creation).skills:
        raise SheetRefused("wrong_number_of_skills", "UC-1.3")
    write_skills(creation.character, names)
    _advance_from(creation, "skills")


@transaction.atomic
def choose_specials(*, character: Character, wishes: Sequence[ItemWish]) -> None:
    """Replace the special items. [UC-1.4, UC-2.2]

    Refusals: ``wrong_number_of_specials``, ``special_tool_is_one`` and those of ``sheets.add_item``.
    """
    creation = _lock_kept_draft(character)
    if len(wishes) != require_allowance(creation).specials:
        raise SheetRefused("wrong_number_of_specials", "UC-1.4")
    creation.character.items.filter(special=True).delete()
    for wish in wishes:
        rules.check_special(wish["kind"], wish["table_value"])
        put_item(creation.character, wish, special=True)
    _advance_from(creation, "special")


@transaction.atomic
def settle_items(*, character: Character) -> None:
    """Confirm the further items. [UC-1.5, UC-2.3]"""
    _advance_from(_lock_kept_draft(character), "items")


@transaction.atomic
def describe(*, character: Character, name: str, concept: str = "", background: str = "") -> None:
    """Set name, concept and background. Refusals: ``bad_name``."""
    creation = _lock_kept_draft(character)
    write_texts(creation.character, name=name, concept=concept, background=background)
    _advance_from(creation, "about")


@transaction.atomic
def finish(*, character: Character) -> None:
    """Make the character ready to play, with full HP. Refusals: ``unfinished``."""
    creation = _lock_kept_draft(character)
    if not all(_has_answer(creation, step) for step in steps(creation)):
        raise SheetRefused("unfinished")
    done = creation.character
    done.hp_max = done.hp = require_allowance(creation).hp_max
    done.status = Character.Status.DONE
    done.save(update_fields=["hp_max", "hp", "status", "changed_at"])
    begin_history(done, done.owner)


def _lock_draft(character: Character) -> Creation:
    lock(character)
    creation = Creation.objects.select_related("character").prefetch_related("draws").get(character=character)
    if creation.character.is_done:
        raise SheetRefused("already_done")
    return creation


def _lock_kept_draft(character: Character) -> Creation:
    creation = _lock_draft(character)
    if creation.step == "cards":
        raise SheetRefused("cards_not_kept")
    return creation


def _store_draw(creation: Creation, number: int) -> None:
    cards = rules.draw(creation.secret, number, method(creation))
    Draw.objects.create(creation=creation, number=number, cards=cards)


def _apply_allowance(creation: Creation) -> None:
    """Set HP, and remove suits, skills and special items that the cards do not give any more."""
    allowed, character = require_allowance(creation), creation.character
    character.hp_max = character.hp = allowed.hp_max
    character.suits = character.suits[: allowed.suits]
    character.save(update_fields=["hp_max", "hp", "suits", "changed_at"])
    character.skills.filter(order__gte=allowed.skills).delete()
    for item in character.special_items[allowed.specials :]:
        item.delete()


def _advance_from(creation: Creation, step: str) -> None:
    """Go to the question after ``step``, unless a later one has been reached."""
    order = steps(creation)
    if step not in order:
        raise SheetRefused("not_asked")
    if creation.step not in order or order.index(creation.step) <= order.index(step):
        creation.step = order[order.index(step) + 1]
    creation.save()
