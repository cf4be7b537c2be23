"""Pictures in JSON files: exported as base64 text, and re-encoded when they are imported."""

from __future__ import annotations

from base64 import b64decode, b64encode

from companion.files import pictures
from companion.models import Picture
from sessions.keeping.campaign_file import damage_error

#: Bytes of pictures in a file that can still be imported: zip hardly makes pictures smaller.
PICTURE_BYTES_AT_MOST = 4_000_000
#: The same for the faces with which characters speak.
FACE_BYTES_AT_MOST = 1_500_000
PICTURES_AT_MOST = 60


def encode_picture(picture: Picture | None) -> str:
    return b64encode(bytes(picture.content)).decode() if picture else ""


def decode_pictures(said: list[str]) -> dict[str, pictures.EncodedPicture]:
    """Return the pictures of a file by their texts, re-encoded, since a file from outside may hold anything.

    :raises Unusable: there are too many pictures, or one cannot be read.
    """
    wanted = {text for text in said if text}
    if len(wanted) > PICTURES_AT_MOST:
        raise damage_error("pictures")
    try:
        return {text: pictures.rewritten(b64decode(text, validate=True), pictures.SCENE) for text in wanted}
    except (ValueError, pictures.PictureRefused) as problem:
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
