"""Read a scenario from the exported zip of a CCFOLIA room.

CCFOLIA does not document its format. Its rooms use these names: ``entities`` with ``room``, ``scenes``,
``notes`` (シナリオテキスト), ``items`` (スクリーンパネル), ``characters`` and ``effects`` (カットイン), each
mapped by id; a picture is the name of a file in the zip, or a URL. No field marks NPCs: a character without a
player's name is taken for one. Text that its label keeps from the players (``secrecy``) becomes notes of the
GM, wherever it was found.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from characters.exchange import reader, safe_parsers
from characters.exchange.parsing import UnreadableSheet
from characters.exchange.wording import one_line, without_controls
from sessions.scenarios.document import CutIn, Document, ScenarioNpc, ScenarioPart, ScenarioScene
from sessions.scenarios.drafts import ImportDifference, NewId, ScenarioDraft, fit
from sessions.scenarios.secrecy import label_of, split_secret

TITLE, NAME = 60, 40
#: Pictures of one room: each is re-encoded, which takes a moment.
PICTURES_AT_MOST = 40
#: The parts of a room that a scenario cannot hold: our code, and CCFOLIA's name.
NO_PLACE = {"decks": "decks", "saves": "savedatas"}
Entity = dict[str, Any]


def read(content: bytes, new_id: NewId) -> ScenarioDraft:
    """Return the draft that was read from the zip of a room.

    :raises UnreadableSheet: ``no_room``, and those of ``reader.room_of_ccfolia``.
    :raises Unfit: ``too_large``.
    """
    room = reader.room_of_ccfolia(content)
    entities = room.get("entities") if room else None
    if not isinstance(entities, dict):
        raise UnreadableSheet("no_room")
    draft = _RoomReader(entities, new_id).draft()
    fit(draft, new_id)
    return draft


def picture(content: bytes, name: str, bytes_at_most: int) -> bytes:
    """Return a file from the zip of a room; empty if it has none of this name.

    :raises UnreadableSheet: those of ``safe_parsers.unzip_members``.
    """
    bounds = safe_parsers.Bounds(safe_parsers.ROOM_BOUNDS.members, bytes_at_most)
    return safe_parsers.unzip_members(content, name.lower(), bounds).get(name, b"")


class _RoomReader:
    def __init__(self, entities: Entity, new_id: NewId) -> None:
        self._entities = entities
        self._new_id = new_id
        self._draft = ScenarioDraft(Document())
        self._names: set[str] = set()
        self._elsewhere = self._beyond = 0

    def draft(self) -> ScenarioDraft:
        document = self._draft.document
        room = self._entities.get("room")
        room = room if isinstance(room, dict) else {}
        name, kept = split_secret(_line(room, "name"))
        document.title = name[:TITLE]
        self._show(document, room, "foregroundUrl", "backgroundUrl", "thumbnailUrl")
        document.scenes = [self._scene(each) for each in self._sorted_entities("scenes")]
        document.notes = "\n\n".join(filter(None, [kept, *self._notes()]))
        self._put_into_the_first_scene()
        self._note_omissions()
        return self._draft

    def _sorted_entities(self, kind: str) -> list[Entity]:
        return sorted(_entities(self._entities.get(kind)), key=_order)

    def _scene(self, each: Entity) -> ScenarioScene:
        name, kept_name = split_secret(_line(each, "name"))
        text = _text(each, "text")
        label = label_of(kept_name)
        said, kept = ("", text) if label and label.is_alone else split_secret(text)
        panels = [_text(panel, "text") for panel in _entities(each.get("markers"))]
        notes = "\n".join(_once([kept_name, name if len(name) > TITLE else "", kept, *panels]))
        scene = ScenarioScene(id=self._new_id(), title=name[:TITLE], read=said, notes=notes)
        self._show(scene, each, "foregroundUrl", "backgroundUrl")
        return scene

    def _notes(self) -> list[str]:
        """Return the texts of the scenario, and the memos of its panels."""
        texts = []
        for each in self._sorted_entities("notes"):
            name, text = _line(each, "name"), _text(each, "text")
            texts.append("\n".join(filter(None, [f"■{name}" if name else "", text])))
        return _once([*texts, *(_text(each, "memo") for each in self._sorted_entities("items"))])

    def _put_into_the_first_scene(self) -> None:
        """Put all NPCs and cut-ins into the first scene: in CCFOLIA they belong to none."""
        people = [each for each in self._sorted_entities("characters") if not _line(each, "playerName")]
        npcs = [npc for each in people if (npc := self._npc(each))]
        effects = [
            (split_secret(_line(each, "name").removeprefix("@")), each)
            for each in self._sorted_entities("effects")
            if _line(each, "imageUrl")
        ]
        document, left = self._draft.document, self._draft.left
        if not document.scenes:
            document.scenes.append(ScenarioScene(id=self._new_id(), title=document.title))
        first = document.scenes[0]
        first.npcs = npcs
        for (words, _), each in effects:
            first.cut_ins.append(CutIn(id=self._new_id(), words=words[:NAME]))
            self._show(first.cut_ins[-1], each, "imageUrl")
        first.notes = "\n".join(_once([first.notes, *(kept for (_, kept), _ in effects)]))
        if npcs or effects:
            left.append(ImportDifference("in_the_first_scene", first.title, len(npcs) + len(effects)))

    def _npc(self, each: Entity) -> ScenarioNpc | None:
        name, kept = split_secret(_line(each, "name"))
        if not (name or kept):
            return None
        special = "\n".join(filter(None, [kept, name if len(name) > NAME else "", _text(each, "memo")]))
        npc = ScenarioNpc(
            id=self._new_id(), name=name[:NAME], hidden=each.get("secret") is True, special=special
        )
        self._show(npc, each, "iconUrl")
        return npc

    def _show(self, thing: ScenarioPart, each: Entity, *keys: str) -> None:
        """Note the first picture of the zip; count pictures elsewhere on the web and those over the limit."""
        urls = [url for key in keys if (url := _line(each, key))]
        names = [url for url in urls if "/" not in url]
        if not names:
            self._elsewhere += bool(urls)
        elif names[0] not in self._names and len(self._names) >= PICTURES_AT_MOST:
            self._beyond += 1
        else:
            self._names.add(names[0])
            self._draft.pictures[thing.id] = names[0]

    def _note_omissions(self) -> None:
        players = [
            _line(each, "name") for each in self._sorted_entities("characters") if _line(each, "playerName")
        ]
        sounds = sum(not _line(each, "imageUrl") for each in self._sorted_entities("effects"))
        scenes = self._sorted_entities("scenes")
        sounds += sum(bool(_line(each, "mediaRef") or _line(each, "soundRef")) for each in scenes)
        counts = {code: len(self._sorted_entities(kind)) for code, kind in NO_PLACE.items()}
        counts |= {"sounds": sounds, "elsewhere": self._elsewhere, "pictures": self._beyond}
        self._draft.left += [ImportDifference(code, number=count) for code, count in counts.items() if count]
        if players:
            self._draft.left.append(ImportDifference("of_players", "、".join(players[:8]), len(players)))


def _entities(value: object) -> list[Entity]:
    return [each for each in value.values() if isinstance(each, dict)] if isinstance(value, dict) else []


def _order(each: Entity) -> float:
    value = each.get("order")
    return value if isinstance(value, (int, float)) else 0


def _text(each: Entity, key: str) -> str:
    value = each.get(key)
    return without_controls(value).strip() if isinstance(value, str) else ""


def _line(each: Entity, key: str) -> str:
    return one_line(_text(each, key))


def _once(texts: Iterable[str]) -> list[str]:
    """Return texts without empty ones and duplicates."""
    return [text for text in dict.fromkeys(texts) if text]
