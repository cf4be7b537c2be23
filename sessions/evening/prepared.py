"""Things that a GM prepares before the evening: handouts, scene notes, checks."""

from __future__ import annotations

from typing import Any

from sessions.models import Campaign, Handout, PreparedCheck, SceneNote, Seat, Session

#: The models of prepared things, by the word in the address.
KINDS: dict[str, type[Handout] | type[SceneNote] | type[PreparedCheck]] = {
    "handouts": Handout,
    "notes": SceneNote,
    "checks": PreparedCheck,
}


def ready(campaign: Campaign) -> dict[str, list[Any]]:
    """Return everything that lies ready in a campaign, by its kind."""
    return {kind: list(model.objects.filter(campaign=campaign)) for kind, model in KINDS.items()}


def notes(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the scene notes for their region, which only the GM has."""
    return {"notes": list(session.own_campaign.scene_notes.all())} if seat and seat.is_gm else {}


def checks(session: Session, seat: Seat | None) -> dict[str, Any]:
    """Return the prepared checks for their region, which only the GM has."""
    return {"checks": list(session.own_campaign.prepared_checks.all())} if seat and seat.is_gm else {}
