"""Messages about an import: the reason for a refusal, and the differences between draft and original."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from sessions.scenarios.drafts import ImportDifference

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

LEFT: dict[str, Callable[[ImportDifference], str]] = {
    "difficulty": lambda left: _(
        "The difficulty %(number)s of “%(what)s” became 5. What you wrote stands under the check."
    ),
    "rank": lambda left: _("The rank %(number)s of “%(what)s” became 1 to 6."),
    "count": lambda left: _("“%(what)s” came %(number)s times; one line has room for 8."),
    "players": lambda left: _(
        "“%(what)s”: a scenario has 1 to 8 players. What you wrote stands in the notes."
    ),
    "minutes": lambda left: _(
        "“%(what)s”: a scenario takes 10 minutes to 24 hours. What you wrote stands in the notes."
    ),
    "not_understood": lambda left: _("“%(what)s” was not understood; it stands in the notes."),
    "continued": lambda left: _("“%(what)s” is long and became %(number)s scenes, one after the other."),
    "checks": lambda left: _("“%(what)s” has more than 30 checks. The rest stands in its notes."),
    "npcs": lambda left: _("“%(what)s” has more than 30 kinds of NPCs. The rest stands in its notes."),
    "letters": lambda left: _("“%(what)s” has more than 30 handouts. The rest stands in its notes."),
    "cut_ins": lambda left: _("“%(what)s” has more than 30 cut-ins. The rest is left out."),
    "scenes": lambda left: ngettext(
        "A scenario has 60 scenes. The last %(number)s is left out, “%(what)s”.",
        "A scenario has 60 scenes. The last %(number)s are left out, from “%(what)s” on.",
        left.number,
    ),
    "cut": lambda left: ngettext(
        "%(number)s character is lost with that.", "%(number)s characters are lost with that.", left.number
    ),
    "in_the_first_scene": lambda left: _(
        "CCFOLIA does not say where NPCs and cut-ins belong. All of them wait in the first scene, “%(what)s”."
    ),
    "of_players": lambda left: _("These have a player and are no NPCs: %(what)s"),
    "decks": lambda left: ngettext(
        "%(number)s deck of cards is left out.", "%(number)s decks of cards are left out.", left.number
    ),
    "saves": lambda left: ngettext(
        "%(number)s saved state is left out.", "%(number)s saved states are left out.", left.number
    ),
    "sounds": lambda left: ngettext(
        "%(number)s sound is left out.", "%(number)s sounds are left out.", left.number
    ),
    "elsewhere": lambda left: ngettext(
        "%(number)s picture lies elsewhere on the web and is left out.",
        "%(number)s pictures lie elsewhere on the web and are left out.",
        left.number,
    ),
    "pictures": lambda left: ngettext(
        "%(number)s picture is left out: a room brings up to 40.",
        "%(number)s pictures are left out: a room brings up to 40.",
        left.number,
    ),
}


def refusal(code: str) -> str:
    return str(REFUSALS.get(code, BROKEN_ROOM))


def describe_difference(left: ImportDifference) -> str:
    """Return a difference between draft and original in the reader's language."""
    return LEFT[left.code](left) % {"what": left.what, "number": left.number}
