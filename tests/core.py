"""The core of the interface: what a language must have in its own words before it is offered."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from tests.messages import Message, messages_of

#: Home, signing in, joining, the lobby, the hand, a check, the sheet and its creation, and what goes wrong.
CORE = [
    "templates/4*.html",
    "templates/503.html",
    "templates/base.html",
    "templates/full.html",
    "templates/home.html",
    "templates/parts/*",
    "templates/account/sign_*.html",
    "templates/device/*.html",
    "templates/sessions/_character_card.html",
    "templates/sessions/_door.html",
    "templates/sessions/_dot.html",
    "templates/sessions/_ended.html",
    "templates/sessions/_entrance.html",
    "templates/sessions/_in_charge.html",
    "templates/sessions/_lounge.html",
    "templates/sessions/_my_place.html",
    "templates/sessions/_presence.html",
    "templates/sessions/_running.html",
    "templates/sessions/_seat_marks.html",
    "templates/sessions/claim.html",
    "templates/sessions/enter_code.html",
    "templates/sessions/join.html",
    "templates/sessions/lobby.html",
    "templates/sessions/open_browser.html",
    "templates/sessions/removed.html",
    "templates/sessions/seat_*.html",
    "templates/sessions/use_seat.html",
    "templates/tables/_absent.jinja",
    "templates/tables/_board.jinja",
    "templates/tables/_connection.html",
    "templates/tables/_header.html",
    "templates/tables/_leaving.jinja",
    "templates/tables/_me.jinja",
    "templates/tables/_outcome.jinja",
    "templates/tables/_prompt.jinja",
    "templates/tables/_refusal.jinja",
    "templates/tables/_rules_sheet.html",
    "templates/tables/_settings.html",
    "templates/tables/_since.jinja",
    "templates/tables/_state.jinja",
    "templates/tables/_undo.jinja",
    "templates/tables/kit/hand.jinja",
    "templates/tables/phone.html",
    "sessions/modules/uroboros/templates/tables/uroboros/_board.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_chain.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_count.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_difficulty.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_figures.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_hand.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_me.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_order*.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_outcome.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_prompt.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_reasons.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_re[fs]*.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_rung.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_state.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_strip.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_support.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_t*.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_verdict.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/_words.jinja",
    "sessions/modules/uroboros/templates/tables/uroboros/phone.html",
    "characters/templates/characters/_[!elm]*.html",
    "characters/templates/characters/add_item.html",
    "characters/templates/characters/edit.html",
    "characters/templates/characters/sheet.html",
    "characters/templates/characters/shelf.html",
    "characters/templates/characters/creation/*.html",
    "characters/creation*.py",
    "characters/forms.py",
    "characters/models/creation.py",
    "characters/models/sheets.py",
    "companion/npc_names.py",
    "companion/templatetags/cards.py",
    "sessions/evening/refusals.py",
]


def core() -> dict[Message, Path]:
    """Return every message of the core, with a file that says it."""
    files = [path for pattern in CORE for path in sorted(settings.BASE_DIR.glob(pattern))]
    return {message: path for path in files for message in messages_of(path)}
