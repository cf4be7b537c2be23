"""Things that a GM prepares before the session: handouts, scene notes, checks."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import accumulate
from typing import Any

from django.db import transaction

from companion.files.pictures import EncodedPicture
from sessions.evening import scenery
from sessions.evening.announcing import broadcast
from sessions.models import Campaign, Handout, PreparedCheck, SceneNote, Seat, Session

#: The models of prepared things, by their name in the URL.
KINDS: dict[str, type[Handout] | type[SceneNote] | type[PreparedCheck]] = {
    "handouts": Handout,
    "notes": SceneNote,
    "checks": PreparedCheck,
}

#: The most characters and buttons of prepared things on a live page; older things have pages of their own.
CHARACTERS_AT_MOST, BUTTONS_AT_MOST = 60_000, 600


def newest_within(weights: Iterable[tuple[int, int]], at_most: int) -> set[int]:
    """Return the keys of the newest things whose weights together are ``at_most`` or less.

    :param weights: key and weight of each thing, oldest first.
    """
    newest = reversed(list(weights))
    summed = accumulate(newest, lambda so_far, one: (one[0], so_far[1] + one[1]))
    return {key for key, weight in summed if weight <= at_most}


def prepared_things(campaign: Campaign) -> dict[str, list[Any]]:
    """Return all prepared things of a campaign, by kind."""
    return {kind: list(model.objects.filter(campaign=campaign)) for kind, model in KINDS.items()}


def notes_context(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the context of the scene notes' region, which only the GM has."""
    if not (seat and seat.is_gm):
        return {}
    found = list(SceneNote.objects.filter(campaign=session.own_campaign).with_pictures())
    whole = newest_within(((note.pk, len(note.text)) for note in found), CHARACTERS_AT_MOST)
    return {"notes": found, "whole": whole}


def prepared_checks(session: Session) -> list[PreparedCheck]:
    """Return the prepared checks of a session's campaign."""
    return list(session.own_campaign.prepared_checks.all())


def write_check(*, session: Session, check: PreparedCheck) -> None:
    """Save a check written during play; the GM's page shows it."""
    check.campaign = session.own_campaign
    check.save()
    broadcast(session.pk, "prepared")


@transaction.atomic
def write_note(*, session: Session, note: SceneNote, picture: EncodedPicture | None, show: bool) -> None:
    """Save a scene note written during play; the GM's page shows it.

    :param show: True to show its picture to everybody at once.
    :raises companion.limits.quotas.Full: the campaign has no room for it.
    """
    note.campaign = session.own_campaign
    scenery.save_with_picture(note, picture)
    if show:
        scenery.show_picture(session=session, note=note)
    broadcast(session.pk, "scene_notes")
