"""The services of experience: the checklist at the end of a session, and the ledger of its points."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

from django.db import transaction
from django.db.models import Sum

from characters import rules
from characters.models import Character, ExperienceChecklist, ExperienceLine, LedgerEntry, Revision, Skill
from characters.rules import ExperienceRates, SheetRefused
from characters.services.sheets import changing, check_done, checklist_changed, cleaned_name, lock
from companion import shared_time
from companion.models import Person

Kind = LedgerEntry.EntryKind
PURCHASE_KINDS = [Kind.HP_MAX, Kind.SKILL, Kind.SUIT]


@dataclass(frozen=True)
class Offer:
    """A possible purchase: the number that it reaches, and its price in points."""

    kind: str
    reached: int
    cost: int


def balance(character: Character) -> int:
    """Return the points that are left to spend."""
    return character.ledger.aggregate(points=Sum("points"))["points"] or 0


def rates_of(character: Character) -> tuple[ExperienceRates, str]:
    """Return the rates for spending points, and the name of their campaign.

    They come from the newest checklist: the campaign played last. Without one they are the rules' own.
    """
    newest = character.checklists.first()
    return (newest.experience_rates, newest.campaign) if newest else (rules.DEFAULT_RATES, "")


def offers(character: Character) -> list[Offer]:
    """Return the purchases that the rules allow for this sheet now. [UC-11.2]"""
    reached = _present_figures(character)
    costs = rules.costs(reached["hp"], reached["skill"], reached["suit"], rates_of(character)[0])
    return [Offer(kind, reached[kind] + 1, cost) for kind, cost in costs.items() if cost is not None]


def count_purchases(character: Character) -> Counter[str]:
    """Count the purchases that were not taken back, by kind."""
    purchases = character.ledger.filter(kind__in=PURCHASE_KINDS, taken_back=None)
    return Counter(purchases.values_list("kind", flat=True))


def _present_figures(character: Character) -> dict[str, int]:
    return {"hp": character.hp_max, "skill": character.skills.count(), "suit": len(character.suits)}


def buy(*, character: Character, offer: Offer, bought: str = "", by: Person | None = None) -> None:
    """Buy an offer: add one revision of the sheet and one row of the ledger. [UC-11.2]

    Refusals: ``not_done``, ``offer_over``, ``too_few_points``, ``bad_name``, ``no_such_suit``.

    :param offer: one that ``offers`` returned. An outdated one is refused, so the price is the one shown.
    :param bought: the name of a new skill, or the letter of a new suit.
    """
    with changing(character, by, why=Revision.Why.SPENT) as locked:
        check_done(locked)
        if offer not in offers(locked):
            raise SheetRefused("offer_over", "UC-11.2")
        if offer.cost > balance(locked):
            raise SheetRefused("too_few_points", "UC-11.2")
        rates, campaign = rates_of(locked)
        LedgerEntry.objects.create(
            character=locked,
            made_by=by or locked.owner,
            kind=offer.kind,
            points=-offer.cost,
            campaign=campaign,
            rates=asdict(rates),
            reached=offer.reached,
            bought=_put_on_sheet(locked, offer, bought),
        )


def _put_on_sheet(character: Character, offer: Offer, bought: str) -> str:
    """Apply a purchase to the sheet. Return the cleaned name of a skill, the suit, or "" for HP."""
    match offer.kind:
        case Kind.HP_MAX:
            character.hp_max, bought = offer.reached, ""
        case Kind.SKILL:
            bought = cleaned_name(bought)
            last = character.skills.last()
            Skill.objects.create(character=character, order=last.order + 1 if last else 0, name=bought)
        case Kind.SUIT:
            character.suits = rules.check_suits(character.suits + bought, offer.reached)
    character.save(update_fields=["hp_max", "suits", "changed_at"])
    return bought


def take_back(*, character: Character, entry_id: int, by: Person | None = None) -> None:
    """Undo a purchase: return its points, and remove the purchase from the sheet.

    Refusals: ``no_such_purchase``; ``taken_back_already``; ``bought_more_since`` if the price of a later
    purchase depended on it; ``changed_since`` if the sheet no longer has the purchase unchanged.
    """
    with changing(character, by, why=Revision.Why.TAKEN_BACK) as locked:
        entry = locked.ledger.select_related("taken_back").filter(pk=entry_id).first()
        if entry is None or not entry.is_purchase:
            raise SheetRefused("no_such_purchase")
        if entry.was_taken_back:
            raise SheetRefused("taken_back_already")
        if locked.ledger.filter(kind=entry.kind, pk__gt=entry.pk, taken_back=None).exists():
            raise SheetRefused("bought_more_since", "UC-11.2")
        _remove_from_sheet(locked, entry)
        LedgerEntry.objects.create(
            character=locked,
            made_by=by or locked.owner,
            kind=Kind.BACK,
            points=-entry.points,
            campaign=entry.campaign,
            rates=entry.rates,
            reached=entry.reached,
            bought=entry.bought,
            takes_back=entry,
        )


def _remove_from_sheet(character: Character, entry: LedgerEntry) -> None:
    if _present_figures(character)[entry.kind] != entry.reached:
        raise SheetRefused("changed_since")
    match entry.kind:
        case Kind.HP_MAX:
            character.hp_max = entry.reached - 1
            character.hp = min(character.hp, character.hp_max)
        case Kind.SKILL:
            skill = character.skills.filter(name=entry.bought).last()
            if skill is None:
                raise SheetRefused("changed_since")
            skill.delete()
        case Kind.SUIT:
            if entry.bought not in character.suits:
                raise SheetRefused("changed_since")
            character.suits = character.suits.replace(entry.bought, "")
    character.save(update_fields=["hp_max", "hp", "suits", "changed_at"])


@transaction.atomic
def give_points(
    *, character: Character, points: int, title: str, campaign: str, source: str, by: Person | None = None
) -> LedgerEntry:
    """Give points that the GM awards in addition to checklists, such as the prize of a board game.

    Refusals: ``not_done``, ``given_already``.

    :param title: the reason, as the ledger shows it.
    :param source: a key of the award. A character gets points from each source only once.
    """
    locked = check_done(lock(character))
    if locked.ledger.filter(source=source).exists():
        raise SheetRefused("given_already")
    return LedgerEntry.objects.create(
        character=locked,
        made_by=by,
        kind=Kind.GIVEN,
        points=points,
        title=title,
        campaign=campaign,
        rates=asdict(rates_of(locked)[0]),
        source=source,
    )


@transaction.atomic
def start_own_checklist(*, character: Character, title: str) -> ExperienceChecklist:
    """Open a checklist for a session that was played without Takujō, at the present rates. [UC-11.1]

    Refusals: ``not_done``, ``bad_name``.
    """
    locked = check_done(lock(character))
    rates, campaign = rates_of(locked)
    return ExperienceChecklist.objects.create(
        character=locked, title=cleaned_name(title), campaign=campaign, rates=asdict(rates)
    )


@transaction.atomic
def open_session_checklist(
    *, character: Character, session_key: str, title: str, campaign: str, rates: ExperienceRates
) -> ExperienceChecklist:
    """Return the checklist of a character for a session, creating it if needed. [UC-11.1]

    A character has one checklist per session. Refusals: ``not_done``.

    :param rates: the rates of that session. Later changes of the campaign do not apply to it.
    """
    return ExperienceChecklist.objects.get_or_create(
        character=check_done(lock(character)),
        session_key=session_key,
        defaults={"title": title, "campaign": campaign, "rates": asdict(rates)},
    )[0]


@transaction.atomic
def tick_experience(*, checklist: ExperienceChecklist, key: str, ticked: bool = True) -> None:
    """Tick one line, or take its tick back. [UC-11.1]

    Refusals: ``no_such_line``, ``already_ticked``, ``not_ticked``, ``checklist_confirmed``.
    """
    open_list = _lock_open_checklist(checklist)
    line = ExperienceLine.objects.filter(key=key).first()
    if line is None:
        raise SheetRefused("no_such_line", "UC-11.1")
    if open_list.lines.contains(line) == ticked:
        raise SheetRefused("already_ticked" if ticked else "not_ticked", "UC-11.1")
    (open_list.lines.add if ticked else open_list.lines.remove)(line)
    checklist_changed.send(ExperienceChecklist, checklist=open_list)


def _lock_open_checklist(checklist: ExperienceChecklist) -> ExperienceChecklist:
    locked = ExperienceChecklist.objects.select_for_update().get(pk=checklist.pk)
    if locked.confirmed_at:
        raise SheetRefused("checklist_confirmed", "UC-11.1")
    return locked


@transaction.atomic
def confirm_experience(*, checklist: ExperienceChecklist, by: Person | None = None) -> LedgerEntry:
    """Confirm a checklist for the GM and add its points to the ledger, once. [UC-11.1, UC-11.2]

    Refusals: ``checklist_confirmed``.
    """
    open_list = _lock_open_checklist(checklist)
    open_list.confirmed_at = shared_time.now()
    open_list.save(update_fields=["confirmed_at"])
    entry = LedgerEntry.objects.create(
        character=open_list.character,
        made_by=by,
        kind=Kind.EARNED,
        points=open_list.points,
        title=open_list.title,
        campaign=open_list.campaign,
        rates=open_list.rates,
        checklist=open_list,
    )
    checklist_changed.send(ExperienceChecklist, checklist=open_list)
    return entry
