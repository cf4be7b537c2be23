"""The file of a scenario: a zip of JSON, pictures and sounds. ``docs/formats.md`` describes it.

It contains no keys or ids of the database: pictures and sounds have names of the file's own.
"""

from __future__ import annotations

import io
import zipfile
from typing import Annotated, NamedTuple

import msgspec
from django.utils.translation import gettext as _
from msgspec import Meta, Struct

from characters.exchange import safe_parsers
from characters.exchange.parsing import UnreadableSheet
from characters.exchange.wording import one_line
from companion.files import Unusable, pictures, sounds
from companion.models import Person
from companion.requests.queue import check_client_waits
from sessions.archive.campaign_file import PICTURES_AT_MOST, FileCapacity, damage_error
from sessions.models import Scenario, ScenarioSound
from sessions.scenarios import document as documents
from sessions.scenarios import editing
from sessions.scenarios.document import Document

FORMAT = "takujo.scenario"
VERSION = 1
WHOLE = "scenario.json"
#: Limits of an upload, and of its pictures and sounds; they leave room for the largest document.
BYTES_AT_MOST, BYTES_OF_PICTURES, BYTES_OF_SOUNDS = 11_400_000, 6_500_000, 4_000_000
SOUNDS_AT_MOST = 30
BOUNDS = safe_parsers.Bounds(members=500, bytes=12_000_000)
PICTURE = ".webp"
#: The file extensions of sounds, by media type.
ENDINGS = {"audio/mpeg": ".mp3", "audio/ogg": ".ogg", "audio/mp4": ".m4a", "audio/wav": ".wav"}


class ScenarioHead(Struct):
    """The fields that identify the format and the version of every file."""

    format: str
    version: int


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
READ = (ScenarioHead, ScenarioContent, Document)


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
    whole = {"format": FORMAT, "version": VERSION, "document": document, "sounds": called}
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        text = msgspec.json.format(msgspec.json.encode(whole), indent=1)
        archive.writestr(zipfile.ZipInfo(WHOLE), text, zipfile.ZIP_DEFLATED)
        room = FileCapacity(BYTES_OF_PICTURES)
        for picture in seen:
            if room.takes(picture.content):
                archive.writestr(zipfile.ZipInfo(_member(names[picture.key])), bytes(picture.content))
        room = FileCapacity(BYTES_OF_SOUNDS, SOUNDS_AT_MOST)
        for sound in heard:
            if sound.size <= room.bytes and room.takes(sound.content):
                member = _member(names[sound.key], ENDINGS[sound.media_type])
                archive.writestr(zipfile.ZipInfo(member), bytes(sound.content))
    return raw.getvalue()


def read(content: bytes) -> ScenarioFile:
    """Read a file: give its things new ids, re-encode its pictures, and check its sounds.

    :raises Unusable: it is too large, no scenario, of a newer version, or damaged.
    """
    if len(content) > BYTES_AT_MOST:
        raise _too_large()
    try:
        texts = safe_parsers.unzip_members(content, ".json", BOUNDS)
        media = safe_parsers.unzip_members(content, (PICTURE, *ENDINGS.values()), BOUNDS)
    except UnreadableSheet as problem:
        raise (_too_large() if problem.code == "zip_too_large" else _not_ours()) from problem
    whole, document = _decode_content(texts.get(WHOLE, b""))
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
    shown = {name: _picture(raw) for name, raw in seen.items()}
    return ScenarioFile(document, shown, [*sent.values()], left_out)


def import_scenario(file: ScenarioFile, *, owner: Person) -> Scenario:
    """Create a scenario from a file.

    :raises companion.requests.quotas.QuotaExceeded: ``owner`` has no room for it; nothing was created.
    """
    return editing.create_with_media(owner, file.document, file.pictures, file.sounds)


def _member(name: str, ending: str = PICTURE) -> str:
    return f"media/{name}{ending}"


def _decode_content(raw: bytes) -> tuple[ScenarioContent, Document]:
    try:
        head = msgspec.json.decode(raw, type=ScenarioHead)
    except (ValueError, RecursionError) as problem:
        raise _not_ours() from problem
    if head.format != FORMAT or head.version < 1:
        raise _not_ours()
    if head.version > VERSION:
        raise Unusable(_("This scenario was written by a newer version of Takujō. Update this one first."))
    # Our own files contain no NUL, and PostgreSQL refuses it.
    if b"\\u0000" in raw:
        raise damage_error("NUL")
    try:
        whole = msgspec.json.decode(raw, type=ScenarioContent)
        document = documents.read(bytes(whole.document))
    except (ValueError, RecursionError) as problem:
        raise damage_error(str(problem)[:80]) from problem
    for thing in documents.things(document):
        for field in thing.__struct_fields__:
            if isinstance(value := getattr(thing, field), str):
                setattr(thing, field, documents.tidy(field, value))
    documents.renumber(document)
    if len(msgspec.json.encode(document)) > documents.BYTES_AT_MOST:
        raise _too_large()
    return whole, document


def _picture(raw: bytes) -> pictures.EncodedPicture:
    check_client_waits()
    try:
        return pictures.rewritten(raw, pictures.SCENE)
    except pictures.PictureRefused as problem:
        raise damage_error("picture") from problem


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


def _not_ours() -> Unusable:
    return Unusable(_("This is no scenario of Takujō."))


def _too_large() -> Unusable:
    return Unusable(_("The file is too large."))
