"""Drafts of imported scenarios, made to fit into a document.

Text that is too long for its field continues in another one. Text that fits nowhere is counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest

import msgspec

from sessions.scenarios.document import (
    BYTES_AT_MOST,
    SCENES_AT_MOST,
    THINGS_AT_MOST,
    Document,
    ScenarioCheck,
    ScenarioHandout,
    ScenarioNpc,
    ScenarioPart,
    ScenarioScene,
    Unfit,
)

TEXT, WARNS, SPECIAL = 4_000, 1_000, 200
NewId = Callable[[], str]


@dataclass(frozen=True)
class ImportDifference:
    """A line that was not understood, or a difference from the original: code, subject, and number."""

    code: str
    what: str = ""
    number: int = 0


@dataclass
class ScenarioDraft:
    """A document, the names of its pictures by thing, and its differences from the original.

    :param said: those of ``players`` and ``minutes`` that its author wrote; the others are our defaults.
    """

    document: Document
    left: list[ImportDifference] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)
    said: set[str] = field(default_factory=set)


def fit(draft: ScenarioDraft, new_id: NewId) -> None:
    """Split or cut texts and lists that are too long.

    :raises Unfit: ``too_large``: the whole document is too large for a scenario.
    """
    document, left = draft.document, draft.left
    for scene in document.scenes:
        _fit_things(scene, left, new_id)
    document.warns, more = _cut(document.warns, WARNS)
    document.pitch, further = _cut(document.pitch, TEXT)
    document.notes = _join_texts(more, further, document.notes)
    document.notes, more = _cut(document.notes, TEXT)
    scenes = [part for scene in document.scenes for part in _fit_scene(scene, left, new_id)]
    if more:
        scenes += _fit_scene(ScenarioScene(id=new_id(), title=document.title, notes=more), left, new_id)
    document.scenes, beyond = scenes[:SCENES_AT_MOST], scenes[SCENES_AT_MOST:]
    if beyond:
        cut = sum(len(text) for scene in beyond for text in iter_texts(scene))
        left.append(ImportDifference("scenes", beyond[0].title, len(beyond)))
        left.append(ImportDifference("cut", number=cut))
    if len(msgspec.json.encode(document)) > BYTES_AT_MOST:
        raise Unfit("too_large")


def iter_texts(thing: ScenarioPart) -> Iterator[str]:
    for name in thing.__struct_fields__:
        value = getattr(thing, name)
        if isinstance(value, str) and name not in ("id", "kind"):
            yield value
    for name in thing.parts:
        for part in getattr(thing, name):
            yield from iter_texts(part)


def _fit_things(scene: ScenarioScene, left: list[ImportDifference], new_id: NewId) -> None:
    beside = [scene.notes]
    for check in scene.checks:
        check.follows, more = _cut(check.follows, TEXT)
        beside.append(more)
    for npc in scene.npcs:
        npc.special, more = _cut(npc.special, SPECIAL)
        beside.append(more)
    scene.letters = [part for handout in scene.letters for part in _fit_handout(handout, new_id)]
    for name in scene.parts:
        things: list[ScenarioCheck | ScenarioNpc | ScenarioHandout] = getattr(scene, name)
        if beyond := things[THINGS_AT_MOST:]:
            del things[THINGS_AT_MOST:]
            left.append(ImportDifference(name, scene.title, len(beyond)))
            beside += [text for thing in beyond for text in iter_texts(thing)]
    scene.notes = _join_texts(*beside)


def _fit_scene(scene: ScenarioScene, left: list[ImportDifference], new_id: NewId) -> list[ScenarioScene]:
    """Return a scene, and the scenes in which its texts continue."""
    pieces = list(zip_longest(_pieces(scene.read, TEXT), _pieces(scene.notes, TEXT), fillvalue=""))
    if len(pieces) > 1:
        left.append(ImportDifference("continued", scene.title, len(pieces)))
    scene.read, scene.notes = pieces[0]
    more = [
        ScenarioScene(id=new_id(), title=_next(scene.title, n), read=read, notes=notes)
        for n, (read, notes) in enumerate(pieces[1:], 2)
    ]
    return [scene, *more]


def _fit_handout(handout: ScenarioHandout, new_id: NewId) -> list[ScenarioHandout]:
    pieces = list(zip_longest(_pieces(handout.text, TEXT), _pieces(handout.secret, TEXT), fillvalue=""))
    handout.text, handout.secret = pieces[0]
    more = [
        ScenarioHandout(
            id=new_id(), title=_next(handout.title, n), whom=handout.whom, text=text, secret=secret
        )
        for n, (text, secret) in enumerate(pieces[1:], 2)
    ]
    return [handout, *more]


def _next(title: str, number: int) -> str:
    return f"{title[:54]} ({number})".strip()


def _cut(text: str, at_most: int) -> tuple[str, str]:
    first, *more = _pieces(text, at_most)
    return first, "\n".join(more)


def _pieces(text: str, at_most: int) -> list[str]:
    """Split a text into pieces of at most this length, between lines where possible."""
    text = text.strip("\n")
    pieces, start = [], 0
    while len(text) - start > at_most:
        end = text.rfind("\n", start, start + at_most + 1)
        if end <= start:
            end = start + at_most
        pieces.append(text[start:end].strip("\n"))
        start = end
    return [*pieces, text[start:].strip("\n")]


def _join_texts(*texts: str) -> str:
    return "\n".join(text for text in texts if text)
