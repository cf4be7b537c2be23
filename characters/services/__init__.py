"""The verbs of characters. Each one is a single transaction, or is refused and changes nothing."""

from characters.rules import SheetRefused
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
    open_checklist,
    start_checklist,
    tick_experience,
    untick_experience,
)
from characters.services.faces import choose_emblem, set_portrait
from characters.services.ledger import Offer, balance, buy, give_points, offers, rates_of, take_back
from characters.services.revisions import as_it_is, begin_history, keep_revision, restore
from characters.services.rows import ItemWish
from characters.services.sharing import (
    copy,
    demand_password,
    end_link,
    end_password,
    let_edit,
    make_link,
    set_password,
    show_to,
)
from characters.services.sheets import (
    add_item,
    remove_item,
    revise,
    set_hp,
    table_options,
)

__all__ = [
    "ItemWish",
    "Offer",
    "SheetRefused",
    "add_item",
    "as_it_is",
    "balance",
    "begin_history",
    "bring_in",
    "buy",
    "choose_emblem",
    "choose_skills",
    "choose_specials",
    "choose_suits",
    "confirm_experience",
    "copy",
    "demand_password",
    "describe",
    "draw",
    "end_link",
    "end_password",
    "finish",
    "give_points",
    "keep",
    "keep_revision",
    "let_edit",
    "make_link",
    "offers",
    "open_checklist",
    "plain_sheet",
    "rates_of",
    "redraw",
    "remove_item",
    "restore",
    "revise",
    "set_hp",
    "set_password",
    "set_portrait",
    "settle_items",
    "settle_spending",
    "show_to",
    "spend",
    "start_checklist",
    "start_draft",
    "table_options",
    "take_back",
    "tick_experience",
    "untick_experience",
]
