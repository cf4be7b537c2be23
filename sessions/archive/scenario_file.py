"""The file of a scenario: a zip of JSON, pictures and sounds. ``docs/formats.md`` describes it.

It contains no keys or ids of the database: pictures and sounds have names of the file's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, NamedTuple

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from msgspec import Meta, Struct

from characters.exchange import safe_parsers
from characters.exchange.wording import one_line
from companion.files import pictures, sounds
from companion.models import Person
from companion.requests.queue import check_client_waits
from sessions.archive.file_format import (
    PICTURES_AT_MOST,
    FileCapacity,
    FileFormat,
    FileHead,
    damage_error,
    rewrite_picture,
    too_large,
    zip_members,
)
from sessions.models import Scenario, ScenarioSound
from sessions.scenarios import document as documents
from sessions.scenarios import editing
from sessions.scenarios.document import Document

FORMAT = "takujo.scenario"
#: The readers of version 1 know no kinds of checks: they would call a secret check open to all.
VERSION = 2
WHOLE = "scenario.json"
#: Limits of an upload, and of its pictures and sounds; they leave room for the largest document.
BYTES_AT_MOST, BYTES_OF_PICTURES, BYTES_OF_SOUNDS = 11_400_000, 6_500_000, 4_000_000
SOUNDS_AT_MOST = 30
SCENARIO_FILE = FileFormat(
    FORMAT,
    VERSION,
    WHOLE,
    BYTES_AT_MOST,
    safe_parsers.Bounds(members=500, bytes=12_000_000),
    foreign=gettext_noop("This is no scenario of Takujō."),
    newer=gettext_noop("This scenario was written by a newer version of Takujō. Update this one first."),
)
PICTURE = ".webp"
#: The file extensions of sounds, by media type.
ENDINGS = {"audio/mpeg": ".mp3", "audio/ogg": ".ogg", "audio/mp4": ".m4a", "audio/wav": ".wav"}


class ScenarioContent(Struct):
    """The rest of the member ``scenario.json``."""

    document: msgspec.Raw
    #: The names of sounds for people, by their names in the file: sounds of scenes, and short ones.
    sounds: Annotated[dict[str, str], Meta(max_length=SOUNDS_AT_MOST)] = {}


class ScenarioFile(NamedTuple):
    """A file that was read: document, pictures by their names in it, sounds, and parts that lack media."""

    document: Document
    pictures: dict[str, pictures.EncodedPicture]
    #: Unsaved rows; the key of each is its name in the file.
    sounds: list[ScenarioSound]
    left_out: list[str]


#: The types that are decoded from files, for engine/registry.py.
READ = (FileHead, ScenarioContent, Document)


def encode_scenario(scenario: Scenario) -> bytes:
    """Return the file of a scenario, always the same bytes for the same scenario.

    Pictures and sounds beyond the limits are left out.
    """
    document = editing.document_of(scenario)
    # All sounds of a scenario may not fit into memory: only those that go into the file are read, one by one.
    seen, heard = editing.pictures_of(scenario, document), scenario.sounds.defer("content")
    keys = dict.fromkeys(
        [*(key for _, _, key in documents.media_fields(document)), *(sound.key for sound in heard)]
    )
    names = {key: f"m{number}" for number, key in enumerate(keys, 1)}
    documents.rename_media(document, names)
    called = {names[sound.key]: sound.name for sound in heard[:SOUNDS_AT_MOST]}

    def members() -> Iterator[tuple[str, object]]:
        yield WHOLE, {"format": FORMAT, "version": VERSION, "document": document, "sounds": called}
        room = FileCapacity(BYTES_OF_PICTURES)
        for picture in seen:
            if room.takes(picture.content):
                yield _member(names[picture.key]), bytes(picture.content)
        room = FileCapacity(BYTES_OF_SOUNDS, SOUNDS_AT_MOST)
        for sound in heard:
            if sound.size <= room.bytes and room.takes(sound.content):
                yield _member(names[sound.key], ENDINGS[sound.media_type]), bytes(sound.content)

    return zip_members(members())


def read(content: bytes) -> ScenarioFile:
    """Read a file: give its things new ids, re-encode its pictures, and check its sounds.

    :raises Unusable: it is too large, no scenario, of a newer version, or damaged.
    """
    media = SCENARIO_FILE.unzip(content, (PICTURE, *ENDINGS.values()))
    whole = SCENARIO_FILE.decode_whole(SCENARIO_FILE.unzip(content, ".json"), ScenarioContent)
    document = _read_document(whole)
    wanted = dict.fromkeys(key for _, field, key in documents.media_fields(document) if field == "picture")
    seen = {name: media[_member(name)] for name in wanted if _member(name) in media}
    heard = {
        name: media[member]
        for name in whole.sounds
        for ending in ENDINGS.values()
        if (member := _member(name, ending)) in media
    }
    if len(seen) > PICTURES_AT_MOST or seen.keys() & heard.keys():
        raise damage_error("media")
    sent = {name: row for name, raw in heard.items() if (row := _sound(name, whole.sounds[name], raw))}
    left_out = _left_out(document, whole, {"picture": {*seen}, "sound": {*sent}})
    shown = {name: rewrite_picture(raw) for name, raw in seen.items()}
    return ScenarioFile(document, shown, [*sent.values()], left_out)


def import_scenario(file: ScenarioFile, *, owner: Person) -> Scenario:
    """Create a scenario from a file.

    :raises companion.requests.quotas.QuotaExceeded: ``owner`` has no room for it; nothing was created.
    """
    return editing.create_with_media(owner, file.document, file.pictures, file.sounds)


def _member(name: str, ending: str = PICTURE) -> str:
    return f"media/{name}{ending}"


def _read_document(whole: ScenarioContent) -> Document:
    """Return the document of a file with its texts tidied and its things numbered.

    :raises Unusable: it is damaged or too large.
    """
    try:
        document = documents.read(bytes(whole.document))
    except (ValueError, RecursionError) as problem:
        raise damage_error(str(problem)[:80]) from problem
    for thing in documents.things(document):
        for field in thing.__struct_fields__:
            if isinstance(value := getattr(thing, field), str):
                setattr(thing, field, documents.tidy(field, value))
    documents.renumber(document)
    if len(msgspec.json.encode(document)) > documents.BYTES_AT_MOST:
        raise too_large()
    return document


def _sound(name: str, called: str, raw: bytes) -> ScenarioSound | None:
    """Return a sound; None for one of a format that only an earlier version accepted."""
    check_client_waits()
    try:
        sound = sounds.check_sound(raw)
    except sounds.SoundRefused as problem:
        if problem.code in sounds.OTHER_KINDS:
            return None
        raise damage_error("sound") from problem
    return editing.sound_row(sound, key=name, name=called)


def _left_out(document: Document, whole: ScenarioContent, came: dict[str, set[str]]) -> list[str]:
    """Clear the fields whose picture or sound is missing; return their places, and other missing sounds.

    :param came: the names of the pictures and sounds in the file, by field.
    """
    lacks = [
        (thing, field) for thing, field, key in documents.media_fields(document) if key not in came[field]
    ]
    places = {id(thing) for thing, _ in lacks}
    titles = [_("cover picture")] if id(document) in places else []
    for place, scene in enumerate(document.scenes, 1):
        if any(id(thing) in places for thing in documents.things(scene)):
            titles.append(f"{place} {scene.title}".strip())
    others = whole.sounds.keys() - documents.media(document) - came["sound"]
    titles += [one_line(called)[:60] for name, called in whole.sounds.items() if name in others]
    for thing, field in lacks:
        setattr(thing, field, "")
    return titles
