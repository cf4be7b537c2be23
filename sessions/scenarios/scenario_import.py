"""Import a pasted text or an uploaded file: first as a draft, then as a scenario once its author confirms.

The messages about an import give the reason for a refusal, and the differences between draft and
original.
"""

from __future__ import annotations

import msgspec
from django.db import transaction
from django.utils.translation import gettext_lazy, ngettext_lazy

from characters.exchange import safe_parsers
from characters.exchange.parsing import UnreadableSheet
from characters.exchange.reader import ZIP_BYTES_AT_MOST
from companion.files import pictures
from companion.models import Person
from companion.requests.queue import check_client_waits
from sessions.models import Scenario
from sessions.scenarios import ccfolia_rooms, editing, text_import
from sessions.scenarios.document import things
from sessions.scenarios.drafts import ImportDifference, ScenarioDraft

#: Enough for the longest text in any encoding.
TEXT_BYTES_AT_MOST = 4 * text_import.CHARACTERS_AT_MOST
#: Tried in this order: almost nothing but real UTF-8 decodes as the first, and Windows writes the last.
ENCODINGS = ("utf-8-sig", "cp932")
UTF_16 = (b"\xff\xfe", b"\xfe\xff")
REFUSALS = {
    "bad_characters": gettext_lazy("The text holds broken characters, such as NUL."),
    "empty": gettext_lazy("Nothing was pasted and no file chosen."),
    "no_room": gettext_lazy("There is no room of CCFOLIA in this zip."),
    "not_text": gettext_lazy("This file is no text in UTF-8 or Shift_JIS, and no zip."),
    "text_too_long": gettext_lazy("Pasted text may have up to 256 kB here. Choose it as a file instead."),
    "too_large": gettext_lazy("A text may have up to 200,000 characters, and a zip up to 7.5 MB."),
    "web_page": gettext_lazy("This is a web page. Open it, copy the text of the scenario and paste that."),
    "zip_broken": gettext_lazy("This zip cannot be opened."),
    "zip_packed_otherwise": gettext_lazy(
        "This zip is packed in a way that we do not open. Pack it as an ordinary zip."
    ),
    "zip_too_large": gettext_lazy("This zip holds more text than a room of CCFOLIA has."),
}
#: The message for any other error in the data of a room.
BROKEN_ROOM = gettext_lazy("The data of this room cannot be read.")
#: The differences of an import; those with a plural count their ``number``.
LEFT = {
    "difficulty": gettext_lazy(
        "The difficulty %(number)s of “%(what)s” became 5. What you wrote stands under the check."
    ),
    "rank": gettext_lazy("The rank %(number)s of “%(what)s” became 1 to 6."),
    "count": gettext_lazy("“%(what)s” came %(number)s times; one line has room for 8."),
    "players": gettext_lazy("“%(what)s”: a scenario has 1 to 8 players. What you wrote stands in the notes."),
    "minutes": gettext_lazy(
        "“%(what)s”: a scenario takes 10 minutes to 24 hours. What you wrote stands in the notes."
    ),
    "not_understood": gettext_lazy("“%(what)s” was not understood; it stands in the notes."),
    "continued": gettext_lazy("“%(what)s” is long and became %(number)s scenes, one after the other."),
    "checks": gettext_lazy("“%(what)s” has more than 30 checks. The rest stands in its notes."),
    "npcs": gettext_lazy("“%(what)s” has more than 30 kinds of NPCs. The rest stands in its notes."),
    "letters": gettext_lazy("“%(what)s” has more than 30 handouts. The rest stands in its notes."),
    "cut_ins": gettext_lazy("“%(what)s” has more than 30 cut-ins. The rest is left out."),
    "scenes": ngettext_lazy(
        "A scenario has 60 scenes. The last %(number)s is left out, “%(what)s”.",
        "A scenario has 60 scenes. The last %(number)s are left out, from “%(what)s” on.",
        "number",
    ),
    "cut": ngettext_lazy(
        "%(number)s character is lost with that.", "%(number)s characters are lost with that.", "number"
    ),
    "in_the_first_scene": gettext_lazy(
        "CCFOLIA does not say where NPCs and cut-ins belong. All of them wait in the first scene, “%(what)s”."
    ),
    "of_players": gettext_lazy("These have a player and are no NPCs: %(what)s"),
    "decks": ngettext_lazy(
        "%(number)s deck of cards is left out.", "%(number)s decks of cards are left out.", "number"
    ),
    "saves": ngettext_lazy(
        "%(number)s saved state is left out.", "%(number)s saved states are left out.", "number"
    ),
    "sounds": ngettext_lazy("%(number)s sound is left out.", "%(number)s sounds are left out.", "number"),
    "aside_sound": gettext_lazy(
        "“%(what)s” stays a note (lines like it: %(number)s): choose the sound of a scene yourself."
    ),
    "aside_clock": gettext_lazy(
        "“%(what)s” stays a note (lines like it: %(number)s): set up the clock at the table."
    ),
    "aside_experience": gettext_lazy(
        "“%(what)s” stays a note (lines like it: %(number)s): experience is given at the end of the session."
    ),
    "elsewhere": ngettext_lazy(
        "%(number)s picture lies elsewhere on the web and is left out.",
        "%(number)s pictures lie elsewhere on the web and are left out.",
        "number",
    ),
    "pictures": ngettext_lazy(
        "%(number)s picture is left out: a room brings up to 40.",
        "%(number)s pictures are left out: a room brings up to 40.",
        "number",
    ),
}


def read(content: bytes) -> ScenarioDraft:
    """Return the draft that was read from a file: a text, or the zip of a room.

    :raises UnreadableSheet: ``too_large``, ``not_text``, ``bad_characters``, and those of
        ``ccfolia_rooms.read``.
    :raises sessions.scenarios.document.Unfit: those of ``text_import.read``.
    """
    is_zip = content.startswith(b"PK\x03\x04")
    if len(content) > (ZIP_BYTES_AT_MOST if is_zip else TEXT_BYTES_AT_MOST):
        raise UnreadableSheet("too_large")
    if is_zip:
        return ccfolia_rooms.read(content, editing.new_id)
    text = _decode_text(content)
    safe_parsers.check_text(text)
    return text_import.read(text, editing.new_id, check_client_waits)


def save_draft(owner: Person, draft: ScenarioDraft, content: bytes) -> tuple[Scenario, int]:
    """Save a draft and its pictures as a scenario; return it, and the number of unreadable pictures.

    :param content: the file that the draft was read from.
    :raises companion.requests.quotas.QuotaExceeded: the owner has no room for it; nothing is saved.
    """
    found = {name: _picture(content, name) for name in dict.fromkeys(draft.pictures.values())}
    with transaction.atomic():
        scenario = editing.create_scenario(owner, draft.document)
        for thing in things(draft.document):
            if picture := found.get(draft.pictures.get(thing.id, "")):
                # One row per thing: changing the picture of one scene must not change another's.
                thing.picture = editing.keep_picture(scenario, picture)  # type: ignore[attr-defined]
        scenario.document = msgspec.to_builtins(draft.document)
        scenario.save(update_fields=["document"])
    return scenario, sum(picture is None for picture in found.values())


def _picture(content: bytes, name: str) -> pictures.EncodedPicture | None:
    check_client_waits()
    try:
        return pictures.rewritten(
            ccfolia_rooms.picture(content, name, pictures.BYTES_AT_MOST), pictures.SCENE
        )
    except (pictures.PictureRefused, UnreadableSheet):
        return None


def _decode_text(content: bytes) -> str:
    for encoding in ("utf-16",) if content.startswith(UTF_16) else ENCODINGS:
        try:
            return content.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise UnreadableSheet("not_text")


def refusal_sentence(code: str) -> str:
    return str(REFUSALS.get(code, BROKEN_ROOM))


def describe_difference(left: ImportDifference) -> str:
    """Return a difference between draft and original in the reader's language."""
    return LEFT[left.code] % {"what": left.what, "number": left.number}
