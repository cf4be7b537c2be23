"""What may happen to characters. Each verb is one transaction, or it is refused and changes nothing."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from django.db import transaction
from django.utils import timezone

from characters import conversation, rules
from characters.models import Character, Creation, Draw, ExperienceChecklist, ExperienceLine, Item, Skill
from characters.rules import Refused
from companion.models import Person

__all__ = ["Refused"]


class ItemWish(TypedDict):
    """An item as somebody asks for it."""

    kind: str
    name: str
    table_value: int
    quality: int


# Creation


@transaction.atomic
def start_draft(*, owner: Person, method: str, name: str = "", return_to: str = "") -> Character:
    """Begin a character that is still to be made.

    :param return_to: a local address, checked by the caller.
    :raises Refused: ``no_such_method``.
    """
    if method not in Creation.Method.values:
        raise Refused("no_such_method")
    character = Character.objects.create(owner=owner, name=name.strip())
    Creation.objects.create(
        character=character, method=method, secret=secrets.token_hex(16), return_to=return_to
    )
    return character


@transaction.atomic
def draw(*, character: Character) -> None:
    """Draw the first cards; once drawn, they stay. [UC-1.2, UC-2.1]"""
    creation = _draft(character)
    if not creation.cards:
        _draw(creation, 0)


@transaction.atomic
def redraw(*, character: Character, seen: int) -> None:
    """Draw all cards again, where the rules let one. [UC-1.2, UC-1.3, UC-2.1]

    :param seen: number of the draw that its player saw. A second tap on the same one draws nothing.
    :raises Refused: ``nothing_drawn``, ``redraw_not_allowed``.
    """
    creation = _draft(character)
    if not creation.cards:
        raise Refused("nothing_drawn")
    if seen != creation.redraws:
        return
    rules.check_redraw(conversation.method(creation), creation.cards)
    _draw(creation, seen + 1)
    creation.step, creation.red_jokers, creation.spending = "cards", 0, rules.Spending()
    creation.save()


@transaction.atomic
def keep(*, character: Character, red_jokers: int = 0) -> None:
    """Go on with the cards drawn. [UC-1.2, UC-1.3, UC-2.1]

    :raises Refused: ``nothing_drawn``, ``one_colour``, ``only_numbers``, ``too_many_courts``,
        ``no_such_jokers``.
    """
    creation = _draft(character)
    if not creation.cards:
        raise Refused("nothing_drawn")
    rules.check_keep(conversation.method(creation), creation.cards)
    if creation.method == Creation.Method.STANDARD:
        rules.count_colours(creation.cards, red_jokers)
        creation.red_jokers = red_jokers
    _grant(creation)
    _answered(creation, "cards")


@transaction.atomic
def spend(*, character: Character, what: str, by: int) -> None:
    """Buy one thing more with the twelve cards, or give one back. [UC-2.2]

    :raises Refused: ``no_such_purchase``, ``too_few_numbers``, ``too_few_courts``, ``too_many_suits``.
    """
    creation = _kept(character)
    if creation.method != Creation.Method.TWELVE:
        raise Refused("no_such_purchase", "UC-2.2")
    spending = creation.spending.changed(what, by)
    rules.lay_out(creation.cards, spending)
    creation.spending = spending
    creation.save()
    _grant(creation)


@transaction.atomic
def settle_spending(*, character: Character) -> None:
    """Be content with what the twelve cards are spent on. [UC-2.2]"""
    _answered(_kept(character), "spend")


@transaction.atomic
def choose_suits(*, character: Character, suits: str) -> None:
    """Favour as many suits as the cards give. [UC-1.1, UC-2.2]

    :raises Refused: ``no_such_suit``, ``wrong_number_of_suits``.
    """
    creation = _kept(character)
    creation.character.suits = rules.check_suits(suits, _allowance(creation).suits)
    creation.character.save(update_fields=["suits", "changed_at"])
    _answered(creation, "suit")


@transaction.atomic
def choose_skills(*, character: Character, names: Sequence[str]) -> None:
    """Name as many skills as the cards give. [UC-1.3, UC-2.2]

    :raises Refused: ``wrong_number_of_skills``, ``bad_name``.
    """
    creation = _kept(character)
    if len(names) != _allowance(creation).skills:
        raise Refused("wrong_number_of_skills", "UC-1.3")
    _set_skills(creation.character, names)
    _answered(creation, "skills")


@transaction.atomic
def choose_specials(*, character: Character, wishes: Sequence[ItemWish]) -> None:
    """Take as many special items as the cards give. [UC-1.4, UC-2.2]

    :raises Refused: ``wrong_number_of_specials``, ``special_tool_is_one`` and those of ``add_item``.
    """
    creation = _kept(character)
    if len(wishes) != _allowance(creation).specials:
        raise Refused("wrong_number_of_specials", "UC-1.4")
    creation.character.items.filter(special=True).delete()
    for wish in wishes:
        rules.check_special(wish["kind"], wish["table_value"])
        _add_item(creation.character, wish, special=True)
    _answered(creation, "special")


@transaction.atomic
def settle_items(*, character: Character) -> None:
    """Be content with the further items. [UC-1.5, UC-2.3]"""
    _answered(_kept(character), "items")


@transaction.atomic
def describe(*, character: Character, name: str, concept: str = "", background: str = "") -> None:
    """Say who it is.

    :raises Refused: ``bad_name``.
    """
    creation = _kept(character)
    _write_texts(creation.character, name=name, concept=concept, background=background)
    _answered(creation, "about")


@transaction.atomic
def finish(*, character: Character) -> None:
    """End the creation: the character is ready to play, with full HP.

    :raises Refused: ``unfinished``.
    """
    creation = _kept(character)
    if not conversation.is_finished(creation):
        raise Refused("unfinished")
    done = creation.character
    done.hp_max = done.hp = _allowance(creation).hp_max
    done.status = Character.Status.DONE
    done.save(update_fields=["hp_max", "hp", "status", "changed_at"])


def _draft(character: Character) -> Creation:
    """Lock a draft's record."""
    _lock(character)
    creation = Creation.objects.select_related("character").prefetch_related("draws").get(character=character)
    if creation.character.is_done:
        raise Refused("already_done")
    return creation


def _kept(character: Character) -> Creation:
    """Lock a draft whose cards were looked at and kept."""
    creation = _draft(character)
    if creation.step == "cards":
        raise Refused("cards_not_kept")
    return creation


def _lock(character: Character) -> Character:
    return Character.objects.select_for_update().get(pk=character.pk)


def _draw(creation: Creation, number: int) -> None:
    cards = rules.draw(creation.secret, number, conversation.method(creation))
    Draw.objects.create(creation=creation, number=number, cards=cards)


def _allowance(creation: Creation) -> rules.Allowance:
    allowed = conversation.allowance(creation)
    if allowed is None:
        raise Refused("cards_not_kept")
    return allowed


def _grant(creation: Creation) -> None:
    """Give what the cards give now, and take back what they no longer give."""
    allowed, character = _allowance(creation), creation.character
    character.hp_max = character.hp = allowed.hp_max
    character.suits = character.suits[: allowed.suits]
    character.save(update_fields=["hp_max", "hp", "suits", "changed_at"])
    character.skills.filter(order__gte=allowed.skills).delete()
    for item in character.special_items[allowed.specials :]:
        item.delete()


def _answered(creation: Creation, step: str) -> None:
    """Move on to the next question, never back."""
    order = conversation.steps(creation)
    if step not in order:
        raise Refused("not_asked")
    if creation.step not in order or order.index(creation.step) <= order.index(step):
        creation.step = order[order.index(step) + 1]
    creation.save()


# The sheet


@transaction.atomic
def revise(
    *,
    character: Character,
    name: str,
    concept: str = "",
    background: str = "",
    hp_max: int,
    suits: str,
    skills: Sequence[str],
) -> None:
    """Rewrite a sheet: what experience and the GM have changed. HP above a lower maximum sinks to it.

    :raises Refused: ``not_done``, ``bad_name``, ``hp_max_out_of_range``, ``no_such_suit``,
        ``wrong_number_of_suits``, ``too_many_rows``.
    """
    revised = _lock(character)
    if not revised.is_done:
        raise Refused("not_done")
    if hp_max not in rules.HP_MAX:
        raise Refused("hp_max_out_of_range")
    revised.suits, revised.hp_max, revised.hp = rules.check_suits(suits), hp_max, min(revised.hp, hp_max)
    revised.save(update_fields=["suits", "hp_max", "hp"])
    _set_skills(revised, skills)
    _write_texts(revised, name=name, concept=concept, background=background)


@transaction.atomic
def set_hp(*, character: Character, hp: int) -> None:
    """Write present HP down, as it comes back from a table or from its player.

    :raises Refused: ``hp_out_of_range``.
    """
    locked = _lock(character)
    if not rules.HP_LOWEST <= hp <= locked.hp_max:
        raise Refused("hp_out_of_range", "UC-10.6")
    locked.hp = hp
    locked.save(update_fields=["hp", "changed_at"])


@transaction.atomic
def add_item(*, character: Character, wish: ItemWish) -> None:
    """Put one more item on the sheet. [UC-1.5, UC-2.3]

    :raises Refused: ``no_such_kind``, ``bad_name``, ``too_many_rows`` and those of ``rules.item_value``.
    """
    _add_item(_lock(character), wish, special=False)


@transaction.atomic
def remove_item(*, character: Character, item_id: int) -> None:
    """Take an item off the sheet. A draft's special items are chosen anew instead.

    :raises Refused: ``no_such_item``.
    """
    items = _lock(character).items.filter(pk=item_id)
    if not character.is_done:
        items = items.filter(special=False)
    if not items.delete()[0]:
        raise Refused("no_such_item")


def _add_item(character: Character, wish: ItemWish, *, special: bool) -> None:
    if wish["kind"] not in Item.Kind.values:
        raise Refused("no_such_kind")
    rules.item_value(wish["kind"], wish["table_value"], wish["quality"], special)
    if character.items.count() >= rules.ROWS_AT_MOST:
        raise Refused("too_many_rows")
    Item.objects.create(character=character, **{**wish, "name": _name(wish["name"]), "special": special})


def _set_skills(character: Character, names: Sequence[str]) -> None:
    if len(names) > rules.ROWS_AT_MOST:
        raise Refused("too_many_rows")
    skills = [Skill(character=character, order=order, name=_name(name)) for order, name in enumerate(names)]
    character.skills.all().delete()
    Skill.objects.bulk_create(skills)


def _write_texts(character: Character, *, name: str, concept: str, background: str) -> None:
    character.name, character.concept, character.background = _name(name), concept.strip(), background.strip()
    character.save(update_fields=["name", "concept", "background", "changed_at"])


def _name(name: str) -> str:
    name = name.strip()
    if not 1 <= len(name) <= rules.NAME_LENGTH:
        raise Refused("bad_name")
    return name


# Experience


@transaction.atomic
def start_checklist(*, character: Character, title: str) -> ExperienceChecklist:
    """Begin the checklist of one session. [UC-11.1]

    :raises Refused: ``not_done``, ``bad_name``.
    """
    if not character.is_done:
        raise Refused("not_done")
    return ExperienceChecklist.objects.create(character=character, title=_name(title))


def tick_experience(*, checklist: ExperienceChecklist, key: str) -> None:
    """Tick one line; a second tick is refused. [UC-11.1]

    :raises Refused: ``no_such_line``, ``already_ticked``, ``checklist_confirmed``.
    """
    _tick(checklist, key, ticked=True)


def untick_experience(*, checklist: ExperienceChecklist, key: str) -> None:
    """Take a tick back. [UC-11.1]

    :raises Refused: ``no_such_line``, ``not_ticked``, ``checklist_confirmed``.
    """
    _tick(checklist, key, ticked=False)


@transaction.atomic
def confirm_experience(*, checklist: ExperienceChecklist) -> None:
    """Let the GM close a checklist: its ticks count from now on. [UC-11.1]

    :raises Refused: ``checklist_confirmed``.
    """
    open_list = _open_checklist(checklist)
    open_list.confirmed_at = timezone.now()
    open_list.save(update_fields=["confirmed_at"])


@transaction.atomic
def _tick(checklist: ExperienceChecklist, key: str, *, ticked: bool) -> None:
    open_list = _open_checklist(checklist)
    line = ExperienceLine.objects.filter(key=key).first()
    if line is None:
        raise Refused("no_such_line", "UC-11.1")
    if open_list.lines.contains(line) == ticked:
        raise Refused("already_ticked" if ticked else "not_ticked", "UC-11.1")
    (open_list.lines.add if ticked else open_list.lines.remove)(line)


def _open_checklist(checklist: ExperienceChecklist) -> ExperienceChecklist:
    locked = ExperienceChecklist.objects.select_for_update().get(pk=checklist.pk)
    if locked.confirmed_at:
        raise Refused("checklist_confirmed", "UC-11.1")
    return locked


# To a table


def table_options(character: Character) -> dict[str, Any]:
    """Return the sheet as the plain option that a table of ``uroboros`` opens with.

    :raises Refused: ``not_done``.
    """
    if not character.is_done:
        raise Refused("not_done")
    items = list(character.items.all())
    return {
        "name": character.name,
        "ca": character.ca,
        "hp_max": character.hp_max,
        "hp": character.hp,
        "suits": list(character.suits),
        "skills": [skill.name for skill in character.skills.all()],
        "weapons": _options(items, Item.Kind.WEAPON),
        "armour": character.armour,
        "shield": character.shield,
        "tools": _options(items, Item.Kind.TOOL),
    }


def _options(items: Iterable[Item], kind: str) -> list[dict[str, str | int]]:
    return [{"name": item.name, "value": item.value} for item in items if item.kind == kind]
