"""Things that a GM prepares before the evening: handouts, scene notes, checks."""

from __future__ import annotations

from typing import Any

from sessions.evening.announcing import announce
from sessions.models import Campaign, Handout, PreparedCheck, SceneNote, Seat, Session

#: The models of prepared things, by the word in the address.
KINDS: dict[str, type[Handout] | type[SceneNote] | type[PreparedCheck]] = {
    "handouts": Handout,
    "notes": SceneNote,
    "checks": PreparedCheck,
}
#: The regions of the GM's desk that show notes and checks.
PARTS = {"notes": "scene_notes", "checks": "prepared"}


def ready(campaign: Campaign) -> dict[str, list[Any]]:
    """Return everything that lies ready in a campaign, by its kind."""
    return {kind: list(model.objects.filter(campaign=campaign)) for kind, model in KINDS.items()}


def notes(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the scene notes for their region, which only the GM has."""
    return {"notes": list(session.own_campaign.scene_notes.all())} if seat and seat.is_gm else {}


def checks(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the prepared checks for their region, which only the GM has."""
    return {"checks": list(session.own_campaign.prepared_checks.all())} if seat and seat.is_gm else {}


def write(*, session: Session, kind: str, thing: SceneNote | PreparedCheck) -> None:
    """Save a note or a check that was written at the table; the GM's desk shows it."""
    thing.campaign = session.own_campaign
    thing.save()
    announce(session.pk, PARTS[kind])
