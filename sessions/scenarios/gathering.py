"""What lies ready in a campaign becomes a scenario, to be played again and handed on."""

from __future__ import annotations

from companion.files import pictures
from companion.models import Picture
from sessions.models import Campaign, Scenario
from sessions.scenarios.document import SCENES_AT_MOST, THINGS_AT_MOST, Check, Document, Letter, Scene
from sessions.scenarios.writing import begin_with, new_id


def scenario_of(campaign: Campaign) -> Scenario:
    """Make a scenario of what lies ready in a campaign, its pictures copied; what lies there stays.

    Each note becomes a scene. Handouts and checks wait in the first one.

    :raises companion.limits.quotas.Full: there is no room for it.
    """
    notes = campaign.scene_notes.select_related("picture")[:SCENES_AT_MOST]
    handouts = campaign.handouts.select_related("picture")[:THINGS_AT_MOST]
    scenes = [
        Scene(
            id=new_id(), title=note.title, notes=note.text, caption=note.caption, picture=_key(note.picture)
        )
        for note in notes
    ] or [Scene(id=new_id())]
    scenes[0].letters = [
        Letter(
            id=new_id(),
            title=handout.title,
            text=handout.text,
            secret=handout.secret,
            picture=_key(handout.picture),
        )
        for handout in handouts
    ]
    scenes[0].checks = [
        Check(
            id=new_id(),
            label=check.label,
            difficulty=check.difficulty,
            chain=check.chain,
            tool_missing=check.tool_missing,
        )
        for check in campaign.prepared_checks.all()[:THINGS_AT_MOST]
    ]
    shown = [one for one in (*(note.picture for note in notes), *(said.picture for said in handouts)) if one]
    kept = {one.key: pictures.Picture(bytes(one.content), one.width, one.height) for one in shown}
    return begin_with(campaign.gm, Document(title=campaign.name, scenes=scenes), kept)


def _key(picture: Picture | None) -> str:
    return picture.key if picture else ""
