"""What may happen to characters. Each verb is one transaction, or it is refused and changes nothing."""

from characters.rules import Refused
from characters.services.creation import (
    choose_skills,
    choose_specials,
    choose_suits,
    describe,
    draw,
    finish,
    keep,
    redraw,
    settle_items,
    settle_spending,
    spend,
    start_draft,
)
from characters.services.exchange import bring_in, plain_sheet
from characters.services.experience import (
    confirm_experience,
    start_checklist,
    tick_experience,
    untick_experience,
)
from characters.services.rows import ItemWish
from characters.services.sharing import copy, end_link, make_link, show_to
from characters.services.sheets import (
    add_item,
    remove_item,
    revise,
    set_hp,
    table_options,
)

__all__ = [
    "ItemWish",
    "Refused",
    "add_item",
    "bring_in",
    "choose_skills",
    "choose_specials",
    "choose_suits",
    "confirm_experience",
    "copy",
    "describe",
    "draw",
    "end_link",
    "finish",
    "keep",
    "make_link",
    "plain_sheet",
    "redraw",
    "remove_item",
    "revise",
    "set_hp",
    "settle_items",
    "settle_spending",
    "show_to",
    "spend",
    "start_checklist",
    "start_draft",
    "table_options",
    "tick_experience",
    "untick_experience",
]
