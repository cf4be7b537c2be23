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
from sessions.scenarios.document import Check, Document, Letter, Npc, Scene, Thing, Unfit
from sessions.table import log

#: The fields that identify a thing. A check is the same if the GM calls it with another difficulty.
KNOWN_BY: dict[type[Thing], tuple[str, ...]] = {
    Check: ("label",),
    Letter: ("title", "text", "secret"),
    Npc: ("name", "rank"),
    Scene: ("title", "notes"),
}


class Made(NamedTuple):
    """A thing that is not in the scenario, in the form that it would have there."""

    key: str
    #: The list of a scene that it belongs to; ``scenes`` for a scene of its own.
    kind: str
    thing: Thing
    picture: Picture | None = None


def made(session: Session, document: Document) -> list[Made]:
    """Return the checks, handouts, NPCs and notes of a session that are not in this document, once each."""
    known = {_what(thing) for thing in documents.things(document)}
    found = []
    for one in _all(session):
        if (what := _what(one.thing)) not in known:
            known.add(what)
            found.append(one)
    return found


@transaction.atomic
def keep(*, session: Session, scenario: Scenario, scene_id: str, key: str) -> None:
    """Add a thing to a scene of the scenario; a note becomes a new last scene.

    :param key: that of a ``Made``.
    :raises Unfit: ``gone``: it is in the scenario already, or there is no such scene; ``full``.
    :raises companion.limits.quotas.Full: there is no room for its picture.
    """
    found = next((one for one in made(session, writing.document_of(scenario)) if one.key == key), None)
    if found is None:
        raise Unfit("gone")
    fields = msgspec.structs.asdict(found.thing)
    del fields["id"]
    if seen := found.picture:
        fields["picture"] = writing.keep_picture(scenario, gallery.written(seen))
    writing.add(scenario.pk, "0" if found.kind == "scenes" else scene_id, found.kind, **fields)


def _all(session: Session) -> Iterator[Made]:
    """Yield all things that may be new; the campaign's prepared checks come before those called at tables."""
    campaign = session.own_campaign
    for check in campaign.prepared_checks.all():
        yield Made(f"ready-{check.pk}", "checks", gathering.check_of(check))
    game = card_game()
    sheets, tables = game.sheets, session.tables.filter(module=game.key)
    assert sheets
    for table in tables:
        told = [line.event for line, _ in log.whole_log(table) if line.event.to is None]
        for number, called in enumerate(sheets.checks_called(told)):
            yield Made(f"called-{table.pk}-{number}", "checks", Check(id="0", **called))
    for handout in campaign.handouts.with_pictures():
        yield Made(f"handout-{handout.pk}", "letters", gathering.letter_of(handout), handout.picture)
    for table in tables:
        for row in table.npcs.select_related("library__picture").defer("library__picture__content"):
            yield Made(f"npc-{row.library_id}", "npcs", gathering.npc_of(row.library), row.library.picture)
    for note in campaign.scene_notes.with_pictures():
        yield Made(f"note-{note.pk}", "scenes", gathering.scene_of(note), note.picture)


def _what(thing: Thing) -> tuple[object, ...]:
    return type(thing), *(getattr(thing, name) for name in KNOWN_BY.get(type(thing), ("id",)))
