"""The document of a scenario: its scenes in order, and in each the things that the GM needs there.

It is plain data: the models ``Scenario`` and ``Stage`` hold its owner, and the scene that is on stage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, get_type_hints

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from characters.exchange.wording import one_line, without_controls

Title = Annotated[str, Meta(max_length=60)]
Name = Annotated[str, Meta(max_length=40)]
Line = Annotated[str, Meta(max_length=120)]
Text = Annotated[str, Meta(max_length=4000)]
#: An id is unique within its document, and not reused there.
Id = Annotated[str, Meta(pattern=r"\A[0-9a-z]{1,12}\Z")]
#: The key of a picture or sound that is kept with the scenario, empty for none.
Media = Annotated[str, Meta(pattern=r"\A[0-9A-Za-z_-]{0,36}\Z")]
Mood = Literal["", "dusk", "rain", "cellar", "snow", "harbour", "train"]
Ambience = Literal["", "rain", "fire", "wind", "train", "crowd", "heartbeat"]
#: The result of a ``secret`` check is for the GM alone, that of a ``secret_own`` check for its player, too.
CheckKind = Literal["check", "chain", "secret", "secret_own", "contest"]
#: The kinds of secret checks, by the readers of their results as the form of a call has them.
SECRET_KINDS: dict[str, CheckKind] = {"gm": "secret", "own": "secret_own"}
THINGS_AT_MOST, SCENES_AT_MOST, SPECIAL_AT_MOST, BYTES_AT_MOST = 30, 60, 200, 600_000


class ScenarioPart(Struct, kw_only=True):
    """A part of a scenario that can be edited, moved and used on its own."""

    #: The types of its own parts, by the field that lists them.
    parts: ClassVar[dict[str, type[ScenarioPart]]] = {}

    id: Id


class ScenarioCheck(ScenarioPart, kw_only=True):
    """A check that the GM expects, and what follows from it."""

    label: Annotated[str, Meta(max_length=80)] = ""
    kind: CheckKind = "check"
    difficulty: Annotated[int, Meta(ge=0, le=5)] = 2
    #: The suggested skill, in words.
    skill: Line = ""
    tool_missing: bool = False
    #: The names of the two sides of a contest; the GM chooses a side without a name at the table.
    active: Name = ""
    passive: Name = ""
    follows: Text = ""
    #: Documents of earlier versions have these two fields instead of a kind.
    earlier_chain: bool | UnsetType = msgspec.field(default=UNSET, name="chain")
    earlier_secret: Literal["", "gm", "own"] | UnsetType = msgspec.field(default=UNSET, name="secret")

    def __post_init__(self) -> None:
        if self.earlier_secret:
            self.kind = SECRET_KINDS[self.earlier_secret]
        elif self.earlier_chain:
            self.kind = "chain"
        self.earlier_chain = self.earlier_secret = UNSET

    @property
    def secrecy(self) -> str:
        """The readers of the result as the form of a call has them: the GM, its player too, or all."""
        return next((readers for readers, kind in SECRET_KINDS.items() if kind == self.kind), "")


class ScenarioNpc(ScenarioPart, kw_only=True):
    """NPCs of one rank that come with a scene: ``count`` of them, with or without a name. [UC-10.4]"""

    name: Name = ""
    rank: Annotated[int, Meta(ge=1, le=6)] = 1
    count: Annotated[int, Meta(ge=1, le=8)] = 1
    hidden: bool = False
    special: Annotated[str, Meta(max_length=SPECIAL_AT_MOST)] = ""
    picture: Media = ""


class ScenarioHandout(ScenarioPart, kw_only=True):
    """A handout (HO): a text for everybody, and a secret for its receiver."""

    title: Title = ""
    whom: Line = ""
    text: Text = ""
    secret: Text = ""
    picture: Media = ""


class CutIn(ScenarioPart, kw_only=True):
    """A picture, words or both, shown on every screen for a moment (カットイン)."""

    words: Annotated[str, Meta(max_length=40)] = ""
    picture: Media = ""


class ScenarioScene(ScenarioPart, kw_only=True):
    """A scene: its public texts and media, the notes for the GM alone, and the things prepared in it."""

    parts: ClassVar = {
        "checks": ScenarioCheck,
        "npcs": ScenarioNpc,
        "letters": ScenarioHandout,
        "cut_ins": CutIn,
    }

    title: Title = ""
    read: Text = ""
    notes: Text = ""
    mood: Mood = ""
    ambience: Ambience = ""
    sound: Media = ""
    picture: Media = ""
    caption: Title = ""
    #: The ids of the scenes that may follow; empty: the next scene in the list.
    leads: Annotated[list[Id], Meta(max_length=8)] = []
    checks: Annotated[list[ScenarioCheck], Meta(max_length=THINGS_AT_MOST)] = []
    npcs: Annotated[list[ScenarioNpc], Meta(max_length=THINGS_AT_MOST)] = []
    letters: Annotated[list[ScenarioHandout], Meta(max_length=THINGS_AT_MOST)] = []
    cut_ins: Annotated[list[CutIn], Meta(max_length=THINGS_AT_MOST)] = []


class Document(ScenarioPart, kw_only=True):
    """A whole scenario; its own id is ``0``."""

    parts: ClassVar = {"scenes": ScenarioScene}

    id: Id = "0"
    title: Title = ""
    picture: Media = ""
    pitch: Text = ""
    players_from: Annotated[int, Meta(ge=1, le=8)] = 3
    players_to: Annotated[int, Meta(ge=1, le=8)] = 4
    minutes: Annotated[int, Meta(ge=10, le=1440)] = 180
    #: Content warnings: things that some people may not want to play, one a line.
    warns: Annotated[str, Meta(max_length=1000)] = ""
    notes: Text = ""
    scenes: Annotated[list[ScenarioScene], Meta(max_length=SCENES_AT_MOST)] = []


#: Fields that may have more than one line.
PARAGRAPHS = frozenset({"read", "notes", "follows", "text", "secret", "pitch", "warns", "special"})
#: Fields that name a picture or a sound.
MEDIA = ("picture", "sound")
#: Fields that are only read, from documents of earlier versions.
EARLIER = ("earlier_chain", "earlier_secret")


class Unfit(ValueError):
    """A change of a document is refused; ``code`` is the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def read(raw: bytes | str) -> Document:
    """Return a document from its JSON.

    :raises ValueError: it is no document, or two of its things have the same id.
    """
    document = msgspec.json.decode(raw, type=Document)
    ids = [thing.id for thing in things(document)]
    if len(set(ids)) < len(ids):
        raise ValueError("an id stands twice")
    return document


def things(thing: ScenarioPart) -> Iterator[ScenarioPart]:
    """Yield a thing and all its parts, in their order."""
    yield thing
    for name in thing.parts:
        for part in getattr(thing, name):
            yield from things(part)


def find(document: Document, thing_id: str) -> ScenarioPart:
    """Return the thing with this id.

    :raises Unfit: ``gone``: there is none, or it was removed.
    """
    for thing in things(document):
        if thing.id == thing_id:
            return thing
    raise Unfit("gone")


def scene_of(document: Document, thing_id: str) -> ScenarioScene:
    """Return the scene that contains a thing.

    :raises Unfit: ``gone``.
    """
    for scene in document.scenes:
        if any(thing.id == thing_id for thing in things(scene)):
            return scene
    raise Unfit("gone")


def write(document: Document, thing_id: str, field: str, value: object, was: object) -> None:
    """Write one field of one thing, if its value is still ``was``, or ``value`` already.

    Pictures and sounds are set by ``editing.set_media``.

    :raises Unfit: ``gone``; ``unknown_field``; ``malformed``: the field can have no such value; ``changed``:
        another edit changed it since; ``full``.
    """
    thing = find(document, thing_id)
    kinds = get_type_hints(type(thing), include_extras=True)
    if field in ("id", "parts", *MEDIA, *EARLIER, *thing.parts) or field not in kinds:
        raise Unfit("unknown_field")
    if isinstance(value, str):
        value = tidy(field, value)
    try:
        value = msgspec.convert(value, kinds[field])
    except msgspec.ValidationError as problem:
        raise Unfit("malformed") from problem
    if getattr(thing, field) not in (was, value):
        raise Unfit("changed")
    setattr(thing, field, value)
    _check_size(document)


def add(document: Document, parent_id: str, name: str, new_id: str, /, **fields: Any) -> ScenarioPart:
    """Add a new part at the end of a list of its parent, and return it.

    :raises Unfit: ``gone``; ``unknown_field``: its parent has no such list; ``full``: it has no room.
    """
    parent = find(document, parent_id)
    kind = parent.parts.get(name)
    if kind is None:
        raise Unfit("unknown_field")
    made = kind(id=new_id, **fields)
    siblings = getattr(parent, name)
    if len(siblings) >= (SCENES_AT_MOST if kind is ScenarioScene else THINGS_AT_MOST):
        raise Unfit("full")
    siblings.append(made)
    _check_size(document)
    return made


def remove(document: Document, thing_id: str) -> None:
    """Remove a part and everything in it; scenes that led to it no longer do.

    :raises Unfit: ``gone``.
    """
    siblings, place = _find_place(document, thing_id)
    del siblings[place]
    for scene in document.scenes:
        scene.leads = [lead for lead in scene.leads if lead != thing_id]


def move(document: Document, thing_id: str, by: int) -> None:
    """Move a part down its list by ``by`` places, or up if negative; it stops at the ends of the list.

    :raises Unfit: ``gone``.
    """
    siblings, place = _find_place(document, thing_id)
    siblings.insert(max(0, place + by), siblings.pop(place))


def next_scenes(document: Document, scene_id: str) -> list[ScenarioScene]:
    """Return the scenes that may follow: its leads, else the next scene; for no scene the first one."""
    known = {scene.id: place for place, scene in enumerate(document.scenes)}
    place = known.get(scene_id)
    if place is None:
        return document.scenes[:1]
    leads = [document.scenes[known[lead]] for lead in document.scenes[place].leads if lead in known]
    return leads or document.scenes[place + 1 : place + 2]


def media(document: Document) -> set[str]:
    """Return the keys of all pictures and sounds that a document shows."""
    return {key for _, _, key in media_fields(document)}


def media_fields(thing: ScenarioPart) -> Iterator[tuple[ScenarioPart, str, str]]:
    """Yield the parts of a thing that have a picture or sound, with the field and its key, in order."""
    for one in things(thing):
        for field in MEDIA:
            if key := getattr(one, field, ""):
                yield one, field, key


def rename_media(document: Document, names: Mapping[str, str]) -> None:
    """Replace the keys of pictures and sounds; a key that ``names`` lacks is removed."""
    for thing, field, key in list(media_fields(document)):
        setattr(thing, field, names.get(key, ""))


def renumber(document: Document) -> None:
    """Number all things by their place, and use the numbers as ids; the document's own is ``0``."""
    numbers = {thing.id: str(place) for place, thing in enumerate(things(document))}
    scenes = {scene.id for scene in document.scenes}
    for scene in document.scenes:
        scene.leads = [numbers[lead] for lead in scene.leads if lead in scenes]
    for thing in things(document):
        thing.id = numbers[thing.id]


def tidy(field: str, text: str) -> str:
    """Return a text as a field stores it: without control characters, on one line unless it may have more."""
    return without_controls(text) if field in PARAGRAPHS else one_line(text)


def _find_place(document: Document, thing_id: str) -> tuple[list[Any], int]:
    for parent in things(document):
        for name in parent.parts:
            siblings = getattr(parent, name)
            for place, thing in enumerate(siblings):
                if thing.id == thing_id:
                    return siblings, place
    raise Unfit("gone")


def _check_size(document: Document) -> None:
    if len(msgspec.json.encode(document)) > BYTES_AT_MOST:
        raise Unfit("full")
