"""Make a scenario from a campaign: from its prepared things, or from those improvised during a session.

Prepared things become a scenario that can be played again and passed on. Improvised things are added to
the scenario that was played.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from django.db import transaction

from companion.files import gallery
from companion.models import Picture
from sessions.card_table.house_rules import card_game
from sessions.models import Campaign, Handout, LibraryNpc, PreparedCheck, Scenario, SceneNote, Session
from sessions.scenarios import document as documents
from sessions.scenarios import editing
from sessions.scenarios.document import (
    SCENES_AT_MOST,
    SECRET_KINDS,
    SPECIAL_AT_MOST,
    THINGS_AT_MOST,
    CheckKind,
    Document,
    ScenarioCheck,
    ScenarioHandout,
    ScenarioNpc,
    ScenarioPart,
    ScenarioScene,
    Unfit,
)
from sessions.scenarios.editing import create_with_media, new_id
from sessions.table import log

#: The fields that identify a thing. A check is the same if the GM calls it with another difficulty.
KNOWN_BY: dict[type[ScenarioPart], tuple[str, ...]] = {
    ScenarioCheck: ("label",),
    ScenarioHandout: ("title", "text", "secret"),
    ScenarioNpc: ("name", "rank"),
    ScenarioScene: ("title", "notes"),
}


def scenario_of(campaign: Campaign) -> Scenario:
    """Make a scenario of the things prepared in a campaign, with copies of their pictures.

    Each note becomes a scene. Handouts and checks go to the first one. The campaign stays unchanged.

    :raises companion.requests.quotas.QuotaExceeded: the GM has no room for it.
    """
    notes = campaign.scene_notes.select_related("picture")[:SCENES_AT_MOST]
    handouts = campaign.handouts.select_related("picture")[:THINGS_AT_MOST]
    scenes = [scene_of(note) for note in notes] or [ScenarioScene(id=new_id())]
    scenes[0].letters = [handout_of(handout) for handout in handouts]
    scenes[0].checks = [check_of(check) for check in campaign.prepared_checks.all()[:THINGS_AT_MOST]]
    for scene, note in zip(scenes, notes, strict=False):
        scene.picture = note.picture.key if note.picture else ""
    for letter, handout in zip(scenes[0].letters, handouts, strict=True):
        letter.picture = handout.picture.key if handout.picture else ""
    pictures = [*(note.picture for note in notes), *(handout.picture for handout in handouts)]
    shown = {picture.key: gallery.picture_content(picture) for picture in pictures if picture}
    return create_with_media(campaign.gm, Document(title=campaign.name, scenes=scenes), shown)


def scene_of(note: SceneNote) -> ScenarioScene:
    """Return a scene with the texts of a note, without its picture."""
    return ScenarioScene(id=new_id(), title=note.title, notes=note.text, caption=note.caption)


def handout_of(handout: Handout) -> ScenarioHandout:
    """Return a handout of the campaign as one of a scene, without its picture."""
    return ScenarioHandout(id=new_id(), title=handout.title, text=handout.text, secret=handout.secret)


def check_of(check: PreparedCheck) -> ScenarioCheck:
    return ScenarioCheck(
        id=new_id(),
        label=check.label,
        difficulty=check.difficulty,
        kind="chain" if check.chain else "check",
        tool_missing=check.tool_missing,
    )


def called_check(
    *, label: str, chain: bool, secret: str = "", contest: bool = False, difficulty: int = 2
) -> ScenarioCheck:
    """Return a check that was called at a table, as ``Sheets.checks_called`` describes it."""
    kind: CheckKind = "chain" if chain else "check"
    if contest:
        kind = "contest"
    elif secret:
        kind = SECRET_KINDS.get(secret, "secret")
    return ScenarioCheck(id="0", label=label, kind=kind, difficulty=difficulty)


def npc_of(library: LibraryNpc) -> ScenarioNpc:
    """Return an NPC of the library as one of a scene, without its picture; its values come from its rank."""
    special = library.notes[:SPECIAL_AT_MOST]
    return ScenarioNpc(
        id=new_id(), name=library.name, rank=library.rank, hidden=library.hidden, special=special
    )


class Improvised(NamedTuple):
    """A thing that is not in the scenario, in the form that it would have there."""

    key: str
    #: The list of a scene that it belongs to; ``scenes`` for a scene of its own.
    kind: str
    thing: ScenarioPart
    picture: Picture | None = None


def improvised_things(session: Session, document: Document) -> list[Improvised]:
    """Return the checks, handouts, NPCs and notes of a session that are not in this document, once each."""
    known = {_identity_of(thing) for thing in documents.things(document)}
    new: dict[tuple[object, ...], Improvised] = {}
    for candidate in _candidates(session):
        new.setdefault(_identity_of(candidate.thing), candidate)
    return [candidate for identity, candidate in new.items() if identity not in known]


@transaction.atomic
def add_improvised(*, session: Session, scenario: Scenario, scene_id: str, key: str) -> None:
    """Add a thing to a scene of the scenario; a note becomes a new last scene.

    :param key: that of an ``Improvised``.
    :raises Unfit: ``gone``: it is in the scenario already, or there is no such scene; ``full``.
    :raises companion.requests.quotas.QuotaExceeded: there is no room for its picture.
    """
    candidates = improvised_things(session, editing.document_of(scenario))
    found = next((candidate for candidate in candidates if candidate.key == key), None)
    if found is None:
        raise Unfit("gone")
    fields = msgspec.structs.asdict(found.thing)
    del fields["id"]
    if found.picture:
        fields["picture"] = editing.keep_picture(scenario, gallery.picture_content(found.picture))
    editing.add(scenario.pk, "0" if found.kind == "scenes" else scene_id, found.kind, **fields)


def _candidates(session: Session) -> Iterator[Improvised]:
    """Yield all things that may be new; the campaign's prepared checks come before those called at tables."""
    campaign = session.own_campaign
    for check in campaign.prepared_checks.all():
        yield Improvised(f"ready-{check.pk}", "checks", check_of(check))
    game = card_game()
    sheets, tables = game.sheets, session.tables.filter(module=game.key)
    assert sheets
    for table in tables:
        told = [line.event for line, _ in log.all_lines(table) if line.event.to is None]
        for number, called in enumerate(sheets.checks_called(told)):
            yield Improvised(f"called-{table.pk}-{number}", "checks", called_check(**called))
    for handout in campaign.handouts.with_pictures():
        yield Improvised(f"handout-{handout.pk}", "letters", handout_of(handout), handout.picture)
    for table in tables:
        for row in table.npcs.select_related("library__picture").defer("library__picture__content"):
            if row.library:
                yield Improvised(f"npc-{row.library_id}", "npcs", npc_of(row.library), row.library.picture)
    for note in campaign.scene_notes.with_pictures():
        yield Improvised(f"note-{note.pk}", "scenes", scene_of(note), note.picture)


def _identity_of(thing: ScenarioPart) -> tuple[object, ...]:
    return type(thing), *(getattr(thing, name) for name in KNOWN_BY.get(type(thing), ("id",)))
