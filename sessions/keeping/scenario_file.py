"""A scenario as one file: a zip of JSON and pictures. ``docs/formats.md`` describes it.

Nothing in it has a key or number of our database: pictures and sounds have names of the file's own.
"""

from __future__ import annotations

import io
import zipfile
from typing import NamedTuple

import msgspec
from django.utils.translation import gettext as _
from msgspec import Struct

from characters.exchange import packed
from characters.exchange.unreadable import Unreadable
from companion.files import pictures
from companion.files.unusable_files import Unusable
from companion.models import Person
from companion.pacing.heavy import go_on
from sessions.keeping.campaign_file import damaged
from sessions.keeping.packed_pictures import PICTURES_AT_MOST, Room
from sessions.models import Scenario
from sessions.scenarios import document as documents
from sessions.scenarios import writing
from sessions.scenarios.document import Document

FORMAT = "takujo.scenario"
VERSION = 1
WHOLE = "scenario.json"
#: What an upload may be, and how much of it pictures; one of the largest documents fits in beside them.
BYTES_AT_MOST, BYTES_OF_PICTURES = 7_500_000, 6_500_000
BOUNDS = packed.Bounds(members=500, bytes=8_000_000)


class Head(Struct):
    """The fields by which every version is known."""

    format: str
    version: int


class Whole(Struct):
    """The rest of the member ``scenario.json``."""

    document: msgspec.Raw


class File(NamedTuple):
    """A scenario as it came, its pictures by their names in it, and the places that lack something."""

    document: Document
    pictures: dict[str, pictures.Picture]
    left_out: list[str]


#: The types that are read out of files, for engine/warm.py.
READ = (Head, Whole, Document)


def written(scenario: Scenario) -> bytes:
    """Return the bytes of a file; the same for the same scenario. What has no room in it is left out."""
    document = writing.document_of(scenario)
    keys = dict.fromkeys(key for _, _, key in documents.shown(document))
    names = {key: f"m{number}" for number, key in enumerate(keys, 1)}
    kept = {picture.key: picture for picture in writing.pictures_of(scenario, document)}
    room = Room(BYTES_OF_PICTURES)
    documents.rename_media(document, names)
    whole = {"format": FORMAT, "version": VERSION, "document": document}
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        text = msgspec.json.format(msgspec.json.encode(whole), indent=1)
        archive.writestr(zipfile.ZipInfo(WHOLE), text, zipfile.ZIP_DEFLATED)
        for key, name in names.items():
            if key in kept and room.takes(kept[key].content):
                archive.writestr(zipfile.ZipInfo(_member(name)), bytes(kept[key].content))
    return raw.getvalue()


def read(content: bytes) -> File:
    """Read a file. Everything in it gets another id, and its pictures are written anew.

    :raises Unusable: it is too large, no scenario, of a newer version, or damaged.
    """
    if len(content) > BYTES_AT_MOST:
        raise _too_large()
    try:
        texts = packed.members(content, ".json", BOUNDS)
        images = packed.members(content, ".webp", BOUNDS)
    except Unreadable as problem:
        raise (_too_large() if problem.code == "zip_too_large" else _not_ours()) from problem
    document = _document(texts.get(WHOLE, b""))
    wanted = dict.fromkeys(key for _, field, key in documents.shown(document) if field == "picture")
    came = {name: images[_member(name)] for name in wanted if _member(name) in images}
    if len(came) > PICTURES_AT_MOST:
        raise damaged("pictures")
    return File(document, {name: _picture(raw) for name, raw in came.items()}, _left_out(document, came))


def bring(file: File, *, owner: Person) -> Scenario:
    """Make a scenario of a file.

    :raises companion.limits.quotas.Full: ``owner`` has no room for it; nothing was made.
    """
    return writing.begin_with(owner, file.document, file.pictures)


def _member(name: str) -> str:
    return f"media/{name}.webp"


def _document(raw: bytes) -> Document:
    try:
        head = msgspec.json.decode(raw, type=Head)
    except (ValueError, RecursionError) as problem:
        raise _not_ours() from problem
    if head.format != FORMAT or head.version < 1:
        raise _not_ours()
    if head.version > VERSION:
        raise Unusable(_("This scenario was written by a newer version of Takujō. Update this one first."))
    # No text of ours has it, and PostgreSQL refuses it.
    if b"\\u0000" in raw:
        raise damaged("NUL")
    try:
        document = documents.read(bytes(msgspec.json.decode(raw, type=Whole).document))
    except (ValueError, RecursionError) as problem:
        raise damaged(str(problem)[:80]) from problem
    _tidy(document)
    documents.renumber(document)
    if len(msgspec.json.encode(document)) > documents.BYTES_AT_MOST:
        raise _too_large()
    return document


def _tidy(document: Document) -> None:
    for thing in documents.things(document):
        for field in thing.__struct_fields__:
            if isinstance(value := getattr(thing, field), str):
                setattr(thing, field, documents.tidy(field, value))


def _picture(raw: bytes) -> pictures.Picture:
    go_on()
    try:
        return pictures.rewritten(raw, pictures.SCENE)
    except pictures.PictureRefused as problem:
        raise damaged("picture") from problem


def _left_out(document: Document, came: dict[str, bytes]) -> list[str]:
    """Return the titles of the scenes that lack a picture or a sound, and of the document if it does."""
    titles = [] if document.picture in {"", *came} else [_("cover picture")]
    for place, scene in enumerate(document.scenes, 1):
        if any(key not in came for _, _, key in documents.shown(scene)):
            titles.append(f"{place} {scene.title}".strip())
    return titles


def _not_ours() -> Unusable:
    return Unusable(_("This is no scenario of Takujō."))


def _too_large() -> Unusable:
    return Unusable(_("The file is too large."))
