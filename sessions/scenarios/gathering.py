"""Make a scenario of the things prepared in a campaign, to be played again and passed on."""

from __future__ import annotations

from companion.files import gallery
from sessions.models import Campaign, Handout, LibraryNpc, PreparedCheck, Scenario, SceneNote
from sessions.scenarios.document import (
    SCENES_AT_MOST,
    SPECIAL_AT_MOST,
    THINGS_AT_MOST,
    Document,
    ScenarioCheck,
    ScenarioHandout,
    ScenarioNpc,
    ScenarioScene,
)
from sessions.scenarios.writing import begin_with, new_id


def scenario_of(campaign: Campaign) -> Scenario:
    """Make a scenario of the things prepared in a campaign, with copies of their pictures.

    Each note becomes a scene. Handouts and checks go to the first one. The campaign stays unchanged.

    :raises companion.limits.quotas.Full: the GM has no room for it.
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
    shown = [one for one in (*(note.picture for note in notes), *(said.picture for said in handouts)) if one]
    kept = {one.key: gallery.picture_content(one) for one in shown}
    return begin_with(campaign.gm, Document(title=campaign.name, scenes=scenes), kept)


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
        chain=check.chain,
        tool_missing=check.tool_missing,
    )


def npc_of(library: LibraryNpc) -> ScenarioNpc:
    """Return an NPC of the library as one of a scene, without its picture; its values come from its rank."""
    special = library.notes[:SPECIAL_AT_MOST]
    return ScenarioNpc(
        id=new_id(), name=library.name, rank=library.rank, hidden=library.hidden, special=special
    )
