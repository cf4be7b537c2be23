"""Import a pasted text or an uploaded file: first as a draft, then as a scenario once its author confirms."""

from __future__ import annotations

import msgspec
from django.db import transaction

from characters.exchange import strict_json
from characters.exchange.reading import ZIP_BYTES_AT_MOST
from characters.exchange.unreadable import UnreadableSheet
from companion.files import pictures
from companion.models import Person
from companion.pacing.heavy import go_on
from sessions.models import Scenario
from sessions.scenarios import pasted, rooms, writing
from sessions.scenarios.document import things
from sessions.scenarios.drafts import ScenarioDraft

#: Enough for the longest text in any encoding.
TEXT_BYTES_AT_MOST = 4 * pasted.CHARACTERS_AT_MOST
#: Tried in this order: almost nothing but real UTF-8 decodes as the first, and Windows writes the last.
ENCODINGS = ("utf-8-sig", "cp932")
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def read(content: bytes) -> ScenarioDraft:
    """Return the draft that was read from a file: a text, or the zip of a room.

    :raises UnreadableSheet: ``too_large``, ``not_text``, ``bad_characters``, and those of ``rooms.read``.
    :raises sessions.scenarios.document.Unfit: those of ``pasted.read``.
    """
    is_zip = content.startswith(b"PK\x03\x04")
    if len(content) > (ZIP_BYTES_AT_MOST if is_zip else TEXT_BYTES_AT_MOST):
        raise UnreadableSheet("too_large")
    if is_zip:
        return rooms.read(content, writing.new_id)
    text = _decode_text(content)
    strict_json.check_text(text)
    return pasted.read(text, writing.new_id, go_on)


def keep(owner: Person, draft: ScenarioDraft, content: bytes) -> tuple[Scenario, int]:
    """Save a draft and its pictures as a scenario; return it, and the number of unreadable pictures.

    :param content: the file that the draft was read from.
    :raises companion.limits.quotas.Full: the owner has no room for it; nothing is saved.
    """
    found = {name: _picture(content, name) for name in dict.fromkeys(draft.pictures.values())}
    with transaction.atomic():
        scenario = writing.begin(owner, draft.document)
        for thing in things(draft.document):
            if picture := found.get(draft.pictures.get(thing.id, "")):
                # One row per thing: changing the picture of one scene must not change another's.
                thing.picture = writing.keep_picture(scenario, picture)  # type: ignore[attr-defined]
        scenario.document = msgspec.to_builtins(draft.document)
        scenario.save(update_fields=["document"])
    return scenario, sum(picture is None for picture in found.values())


def _picture(content: bytes, name: str) -> pictures.EncodedPicture | None:
    go_on()
    try:
        return pictures.rewritten(rooms.picture(content, name, pictures.BYTES_AT_MOST), pictures.SCENE)
    except (pictures.PictureRefused, UnreadableSheet):
        return None


def _decode_text(content: bytes) -> str:
    for encoding in ("utf-16",) if content.startswith(UTF_16) else ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UnreadableSheet("not_text")
