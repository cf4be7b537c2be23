"""The chat palette チャットパレット: a character's lines, which one tap puts into the message box."""

from __future__ import annotations

from django.utils.translation import get_language

from characters.exchange import palette
from characters.exchange.wording import wording
from characters.models import Character
from characters.services import plain_sheet
from sessions.chat.commands import fill_references
from sessions.evening.codes import label_key

#: The mark at the start of a heading.
HEADING = "◆"


def palette_groups(character: Character) -> list[tuple[str, list[str]]]:
    """Return headings with their lines, in the reader's language.

    Fixed values of the sheet are filled in; ``{HP}`` and the like stay until the line is sent.
    """
    sheet, words = plain_sheet(character), wording(get_language())
    fixed = palette.usual_variables(words) + palette.abilities(sheet, words)
    values = {label_key(label): value for label, value in fixed}
    found: list[tuple[str, list[str]]] = []
    for line in palette.palette_lines(sheet, words):
        if line.startswith(HEADING):
            found.append((line.removeprefix(HEADING), []))
        else:
            found[-1][1].append(fill_references(line, values))
    return found
