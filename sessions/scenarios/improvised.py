"""Keep the things that a GM improvised during a session in the scenario that was played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from django.db import transaction

from companion.files import gallery
from companion.models import Picture
from sessions.card_table.game import card_game
from sessions.models import Scenario, Session
from sessions.scenarios import document as documents
from sessions.scenarios import gathering, writing
from sessions.scenarios.document import (
    Document,
    ScenarioCheck,
    ScenarioHandout,
    ScenarioNpc,
    ScenarioPart,
    ScenarioScene,
    Unfit,
)
from sessions.table import log

#: The fields that identify a thing. A check is the same if the GM calls it with another difficulty.
KNOWN_BY: dict[type[ScenarioPart], tuple[str, ...]] = {
    ScenarioCheck: ("label",),
    ScenarioHandout: ("title", "text", "secret"),
    ScenarioNpc: ("name", "rank"),
    ScenarioScene: ("title", "notes"),
}


class Improvised(NamedTuple):
    """A thing that is not in the scenario, in the form that it would have there."""

    key: str
    #: The list of a scene that it belongs to; ``scenes`` for a scene of its own.
    kind: str
    thing: ScenarioPart
    picture: Picture | None = None


def find_improvised(session: Session, document: Document) -> list[Improvised]:
    """Return the checks, handouts, NPCs and notes of a session that are not in this document, once each."""
    known = {_identity_of(thing) for thing in documents.things(document)}
    found = []
    for one in _candidates(session):
        if (what := _identity_of(one.thing)) not in known:
            known.add(what)
            found.append(one)
    return found


@transaction.atomic
def keep_improvised(*, session: Session, scenario: Scenario, scene_id: str, key: str) -> None:
    """Add a thing to a scene of the scenario; a note becomes a new last scene.

    :param key: that of a ``Improvised``.
    :raises Unfit: ``gone``: it is in the scenario already, or there is no such scene; ``full``.
    :raises companion.limits.quotas.Full: there is no room for its picture.
    """
    found = next(
        (one for one in find_improvised(session, writing.document_of(scenario)) if one.key == key), None
    )
    if found is None:
        raise Unfit("gone")
    fields = msgspec.structs.asdict(found.thing)
    del fields["id"]
    if seen := found.picture:
        fields["picture"] = writing.keep_picture(scenario, gallery.picture_content(seen))
    writing.add(scenario.pk, "0" if found.kind == "scenes" else scene_id, found.kind, **fields)


def _candidates(session: Session) -> Iterator[Improvised]:
    """Yield all things that may be new; the campaign's prepared checks come before those called at tables."""
    campaign = session.own_campaign
    for check in campaign.prepared_checks.all():
        yield Improvised(f"ready-{check.pk}", "checks", gathering.check_of(check))
    game = card_game()
    sheets, tables = game.sheets, session.tables.filter(module=game.key)
    assert sheets
    for table in tables:
        told = [line.event for line, _ in log.whole_log(table) if line.event.to is None]
        for number, called in enumerate(sheets.checks_called(told)):
            yield Improvised(f"called-{table.pk}-{number}", "checks", ScenarioCheck(id="0", **called))
    for handout in campaign.handouts.with_pictures():
        yield Improvised(f"handout-{handout.pk}", "letters", gathering.handout_of(handout), handout.picture)
    for table in tables:
        for row in table.npcs.select_related("library__picture").defer("library__picture__content"):
            yield Improvised(
                f"npc-{row.library_id}", "npcs", gathering.npc_of(row.library), row.library.picture
            )
    for note in campaign.scene_notes.with_pictures():
        yield Improvised(f"note-{note.pk}", "scenes", gathering.scene_of(note), note.picture)


def _identity_of(thing: ScenarioPart) -> tuple[object, ...]:
    return type(thing), *(getattr(thing, name) for name in KNOWN_BY.get(type(thing), ("id",)))
