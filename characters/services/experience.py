"""The verbs of the checklist at the end of a session."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from characters.models import Character, ExperienceChecklist, ExperienceLine
from characters.rules import Refused
from characters.services.rows import cleaned_name


@transaction.atomic
def start_checklist(*, character: Character, title: str) -> ExperienceChecklist:
    """Begin the checklist of one session. [UC-11.1]

    :raises Refused: ``not_done``, ``bad_name``.
    """
    if not character.is_done:
        raise Refused("not_done")
    return ExperienceChecklist.objects.create(character=character, title=cleaned_name(title))


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
