"""The zips of campaigns and scenarios: JSON, pictures and sounds, with limits of their size."""

from __future__ import annotations

import io
import zipfile
from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import msgspec
from django.utils.translation import gettext as _
from msgspec import Struct

from characters.exchange import safe_parsers
from characters.exchange.parsing import UnreadableSheet
from companion.files import Unusable, pictures
from companion.models import Picture
from companion.requests.queue import check_client_waits
from companion.server import storage

#: Bytes of pictures in a campaign's file that can still be imported: zip hardly makes pictures smaller.
PICTURE_BYTES_AT_MOST = 4_000_000
PICTURES_AT_MOST = 60
T = TypeVar("T")


class FileHead(Struct):
    """The fields that identify the format and the version of every file.

    ``migrations`` are the newest of the version that wrote it; scenarios have none.
    """

    format: str
    version: int
    migrations: list[str] = []


@dataclass(frozen=True)
class FileFormat:
    """A format of zips, whose member ``whole`` has the head.

    :param bytes_at_most: the limit of an upload; ``bounds`` are those of its unpacked members.
    :param foreign: the sentence (msgid) for a file of another format; ``newer`` for one of a newer version.
    """

    name: str
    version: int
    whole: str
    bytes_at_most: int
    bounds: safe_parsers.Bounds
    foreign: str
    newer: str

    def unzip(self, content: bytes, endings: str | tuple[str, ...]) -> dict[str, bytes]:
        """Return the members with these endings by name.

        :raises Unusable: the file is too large, or no zip.
        """
        if len(content) > self.bytes_at_most:
            raise too_large()
        try:
            return safe_parsers.unzip_members(content, endings, self.bounds)
        except UnreadableSheet as problem:
            raise (too_large() if problem.code == "zip_too_large" else self._foreign()) from problem

    def decode_whole(self, members: dict[str, bytes], kind: type[T]) -> T:
        """Return the content of the member ``whole``.

        :raises Unusable: it is of another format, of a newer version, or damaged.
        """
        raw = members.get(self.whole, b"")
        try:
            head = msgspec.json.decode(raw, type=FileHead)
        except (ValueError, RecursionError) as problem:
            raise self._foreign() from problem
        if head.format != self.name or head.version < 1:
            raise self._foreign()
        if head.version > self.version or storage.is_newer(head.migrations):
            raise Unusable(_(self.newer))
        return decode_member(raw, kind)

    def _foreign(self) -> Unusable:
        return Unusable(_(self.foreign))


def decode_member(raw: bytes, kind: type[T]) -> T:
    """Return the content of a JSON member.

    :raises Unusable: it is damaged.
    """
    # Our own files contain no NUL, and PostgreSQL refuses it.
    if b"\\u0000" in raw:
        raise damage_error("NUL")
    try:
        return msgspec.json.decode(raw, type=kind)
    except (ValueError, RecursionError) as problem:
        raise damage_error(str(problem)[:80]) from problem


def zip_members(members: Iterable[tuple[str, object]]) -> bytes:
    """Return a zip, always the same bytes for the same members: bytes as they are, others as packed JSON."""
    raw = io.BytesIO()
    with zipfile.ZipFile(raw, "w") as archive:
        for name, member in members:
            if isinstance(member, bytes):
                archive.writestr(zipfile.ZipInfo(name), member)
            else:
                text = msgspec.json.format(msgspec.json.encode(member), indent=1)
                archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return raw.getvalue()


def too_large() -> Unusable:
    return Unusable(_("The file is too large."))


def damage_error(what: str) -> Unusable:
    """Return the error for a file that is inconsistent."""
    return Unusable(_("The file is damaged or was changed (%(what)s). Nothing was made.") % {"what": what})


def encode_picture(picture: Picture | None) -> str:
    return b64encode(bytes(picture.content)).decode() if picture else ""


def rewrite_picture(raw: bytes) -> pictures.EncodedPicture:
    """Return a picture of a file re-encoded, since a file from outside may hold anything.

    :raises Unusable: it cannot be read.
    """
    check_client_waits()
    try:
        return pictures.rewritten(raw, pictures.SCENE)
    except pictures.PictureRefused as problem:
        raise damage_error("picture") from problem


class FileCapacity:
    """The remaining room in one file for pictures, for faces, or for sounds."""

    def __init__(self, bytes_at_most: int = PICTURE_BYTES_AT_MOST, things_at_most: int | None = None) -> None:
        """:param things_at_most: None for ``PICTURES_AT_MOST``."""
        self.bytes = bytes_at_most
        self.places = PICTURES_AT_MOST if things_at_most is None else things_at_most

    def takes(self, content: bytes | memoryview) -> bool:
        """True if this still fits; its size is then subtracted from the room."""
        size = len(content)
        if size > self.bytes or not self.places:
            return False
        self.bytes -= size
        self.places -= 1
        return True
