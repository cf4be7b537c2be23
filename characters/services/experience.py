"""The services of the checklist at the end of a session."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction
from django.utils import timezone

from characters.models import Character, ExperienceChecklist, ExperienceLine, LedgerEntry
from characters.rules import ExperienceRates, SheetRefused
from characters.services.ledger import rates_of
from characters.services.rows import cleaned_name, lock
from characters.signals import checklist_changed
from companion.models import Person


@transaction.atomic
def start_checklist(*, character: Character, title: str) -> ExperienceChecklist:
    """Open a checklist for a session that was played without Takujō. [UC-11.1]

    It uses the character's present rates.

    :raises SheetRefused: ``not_done``, ``bad_name``.
    """
    locked = lock(character)
    if not locked.is_done:
        raise SheetRefused("not_done")
    rates, campaign = rates_of(locked)
    return ExperienceChecklist.objects.create(
        character=locked, title=cleaned_name(title), campaign=campaign, rates=asdict(rates)
    )


@transaction.atomic
def open_checklist(
    *, character: Character, session_key: str, title: str, campaign: str, rates: ExperienceRates
) -> ExperienceChecklist:
    """Return the checklist of a character for a session, creating it if needed. [UC-11.1]

    :param session_key: the key of the session. A character has one checklist per session.
    :param rates: the rates of that session. Later changes of the campaign do not apply to it.
    :raises SheetRefused: ``not_done``.
    """
    locked = lock(character)
    if not locked.is_done:
        raise SheetRefused("not_done")
    given = {"title": title, "campaign": campaign, "rates": asdict(rates)}
    checklist, _ = ExperienceChecklist.objects.get_or_create(
        character=locked, session_key=session_key, defaults=given
    )
    return checklist


def tick_experience(*, checklist: ExperienceChecklist, key: str) -> None:
    """Tick one line. [UC-11.1]

    :raises SheetRefused: ``no_such_line``, ``already_ticked``, ``checklist_confirmed``.
    """
    _tick(checklist, key, ticked=True)


def untick_experience(*, checklist: ExperienceChecklist, key: str) -> None:
    """Remove a tick. [UC-11.1]

    :raises SheetRefused: ``no_such_line``, ``not_ticked``, ``checklist_confirmed``.
    """
    _tick(checklist, key, ticked=False)


@transaction.atomic
def confirm_experience(*, checklist: ExperienceChecklist, by: Person | None = None) -> LedgerEntry:
    """Confirm a checklist for the GM and add its points to the ledger, once. [UC-11.1, UC-11.2]

    :raises SheetRefused: ``checklist_confirmed``.
    """
    open_list = _open_checklist(checklist)
    open_list.confirmed_at = timezone.now()
    open_list.save(update_fields=["confirmed_at"])
    entry = LedgerEntry.objects.create(
        character=open_list.character,
        made_by=by,
        kind=LedgerEntry.EntryKind.EARNED,
        points=open_list.points,
        title=open_list.title,
        campaign=open_list.campaign,
        rates=open_list.rates,
        checklist=open_list,
    )
    checklist_changed.send(ExperienceChecklist, checklist=open_list)
    return entry


@transaction.atomic
def _tick(checklist: ExperienceChecklist, key: str, *, ticked: bool) -> None:
    open_list = _open_checklist(checklist)
    line = ExperienceLine.objects.filter(key=key).first()
    if line is None:
        raise SheetRefused("no_such_line", "UC-11.1")
    if open_list.lines.contains(line) == ticked:
        raise SheetRefused("already_ticked" if ticked else "not_ticked", "UC-11.1")
    (open_list.lines.add if ticked else open_list.lines.remove)(line)
    checklist_changed.send(ExperienceChecklist, checklist=open_list)


def _open_checklist(checklist: ExperienceChecklist) -> ExperienceChecklist:
    locked = ExperienceChecklist.objects.select_for_update().get(pk=checklist.pk)
    if locked.confirmed_at:
        raise SheetRefused("checklist_confirmed", "UC-11.1")
    return locked
