"""The sentences for refusals, for imported values that were changed, and for warnings.

A sentence explains what is missing instead of only refusing. The warnings are for a GM who approves a
character: they name the values that exceed what any creation gives.
"""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext_lazy as _

from characters import rules
from characters.exchange.parsing import Trim, UnreadableSheet
from characters.models import Character, LedgerEntry
from characters.rules import SheetRefused
from characters.services.experience import count_purchases
from companion.files import gallery

#: The sentences for codes of ``SheetRefused``.
SENTENCES = gallery.SENTENCES | {
    "too_many_tries": _("Many pictures came in this hour. Please try again later."),
    "already_done": _("This character is already finished."),
    "already_ticked": _("This line is already ticked."),
    "bad_label": _("A label needs 1 to 20 characters, and no @."),
    "bad_name": _("A name needs 1 to 40 characters."),
    "bought_more_since": _("Take the later purchases of this kind back first; they built on this one."),
    "cards_not_kept": _("Look at your cards first and decide to keep them."),
    "changed_since": _("The sheet was changed since: what was bought is not there as it was."),
    "checklist_confirmed": _("The GM has confirmed this checklist; it stays as it is."),
    "hp_max_out_of_range": _("Maximum HP is a number from 1 to 20."),
    "hp_out_of_range": _("HP is a number from −99 up to the maximum."),
    "given_already": _("This has given points to this character already."),
    "no_such_emblem": _("Choose one of the emblems."),
    "label_taken": _("Another face has this label already."),
    "no_such_face": _("This face is not there any more."),
    "no_such_item": _("This item is not on the sheet any more."),
    "no_such_jokers": _("Choose a colour for each joker you drew."),
    "no_such_kind": _("Choose a tool, a weapon, armour or a shield."),
    "no_such_line": _("This line is not on the checklist."),
    "no_such_method": _("Choose one of the two ways."),
    "no_such_purchase": _("There is nothing like that to buy or give back."),
    "no_such_revision": _("The history has no such entry."),
    "no_such_suit": _("Choose from the four suits, each once."),
    "no_such_value": _("A value is a number from 0 to 4."),
    "no_such_visibility": _("Choose one of the three: only me, my campaigns, everybody."),
    "not_asked": _("This question is not open for this character."),
    "not_of_six": _("Six cards give 1 to 5 HP, and as many skills as are missing to 6."),
    "not_done": _("Finish making this character first."),
    "not_ticked": _("This line is not ticked."),
    "nothing_drawn": _("Draw your cards first."),
    "offer_over": _("The sheet or the costs have changed meanwhile. Look at the new costs first."),
    "one_colour": _("All cards would be of one colour: count a joker as the other one, or draw again."),
    "only_numbers": _("Only number cards: draw again."),
    "redraw_not_allowed": _("These twelve cards stay: there is a court card or a joker, and not too many."),
    "password_short": _("A password for editing has at least 6 characters."),
    "same_as_now": _("The sheet is just like this already."),
    "special_tool_is_one": _("A special tool has value 1."),
    "stale": _("This sheet was changed while you wrote. Your words are still here: compare, then save."),
    "taken_back_already": _("This purchase is already taken back."),
    "too_few_courts": _("There are not enough court cards and jokers left."),
    "too_few_numbers": _("There are not enough number cards left: each step takes two."),
    "too_few_points": _("There are not enough points for that yet."),
    "too_many_courts": _("Seven or more court cards and jokers: draw again."),
    "too_many_faces": _("Twelve faces are the most a character can have. Take one away first."),
    "too_many_rows": _("A sheet has room for 20 of these."),
    "too_many_suits": _("Two favoured suits are the most a new character can have."),
    "tool_has_no_quality": _("Only weapons, armour and shields have a quality of their own."),
    "unfinished": _("Something is still open. Let's go there first."),
    "value_too_high": _("Together the values end at 8."),
    "wrong_password": _("This is not the password of this sheet."),
    "wrong_number_of_skills": _("Name exactly as many skills as your cards give."),
    "wrong_number_of_specials": _("Choose exactly as many special items as your cards give."),
    "wrong_number_of_suits": _("Choose exactly as many suits as your cards give, three at most."),
}


def sentence(refusal: SheetRefused) -> str:
    """Return a refusal in the reader's language, with the rule behind it."""
    said = str(SENTENCES[refusal.code])
    return f"{said} ({refusal.rule})" if refusal.rule else said


#: The hint for users who did not send the data of a piece.
WAY_TO_DATA = _(
    "Copy the data with a button like 「ココフォリア出力」 on the page of the sheet, and paste that here."
)

#: The reasons for refusing a character from another tool, with the offending part of its data.
UNREADABLE = {
    "a_palette": _(
        "This is a chat palette: lines to say at a table, without a name. Copy the piece itself, or its file."
    ),
    "a_pdf": _("This is a PDF, and not the data of a piece. %(way)s"),
    "a_picture": _("This is a picture, and not the data of a piece. %(way)s"),
    "a_web_page": _("This is a web page without the data of a piece. %(way)s"),
    "address_unknown": _(
        "This address leads to no sheet that we know. Those of キャラクター保管所, ゆとシートⅡ and Takujō do."
    ),
    "bad_characters": _("The text holds broken characters, such as NUL."),
    "bad_face": _("The face “%(label)s” in this file is no picture that can be read."),
    "bad_item": _("The values of “%(name)s” are not those of an item: 0 to 4 in each table, and 8 together."),
    "bad_label": _("A face in this file has no label of 1 to 20 characters without @."),
    "bad_portrait": _("The portrait in this file is no picture that can be read."),
    "duplicate_key": _("“%(key)s” is there twice, so it is not clear what holds."),
    "empty": _("Nothing was pasted and no file chosen."),
    "empty_list": _("There is nobody in this list."),
    "empty_room": _("There is nobody in this room."),
    "hp_max_out_of_range": _("Maximum HP is a number from 1 to 20, not %(value)s."),
    "hp_no_number": _("HP is a whole number, not “%(value)s”."),
    "hp_out_of_range": _("HP is a number from −99 up to the maximum of %(most)s, not %(value)s."),
    "label_twice": _("Two faces in this file are called “%(label)s”."),
    "no_character_in_zip": _("There is no character of Udonarium or CCFOLIA in this zip."),
    "no_data": _("This is text, but not the data of a piece. %(way)s"),
    "no_name": _("A name is missing or empty (%(what)s)."),
    "no_such_sheet": _("ゆとシートⅡ has no such sheet: %(said)s"),
    "no_such_suit": _("Favoured suits are s, h, d and c, each once."),
    "not_a_character": _(
        "This is JSON or XML, but no character that Takujō, CCFOLIA, Udonarium, ゆとシートⅡ or "
        "キャラクター保管所 writes."
    ),
    "not_a_number": _("%(number)s is no number that a sheet could hold."),
    "not_json": _("This is not the data of a piece: it stops being JSON in line %(line)s, place %(column)s."),
    "not_text": _("This file is no text in UTF-8 or Shift_JIS, and no zip."),
    "number_too_long": _("The number %(number)s is too long."),
    "other_version": _("This file has version %(version)s; we read version %(known)s."),
    "packed_otherwise": _("This file is packed. Unpack it, or pack it as an ordinary zip."),
    "too_deep": _("The data is nested too deeply."),
    "too_large": _("This is more than 256 kB of text. As a file it may have 1.5 MB, and a zip 7.5 MB."),
    "too_large_file": _("This is more than 1.5 MB; a character is smaller."),
    "too_long": _("“%(text)s” is too long (%(what)s): %(most)s characters at most."),
    "too_many_parts": _("This has more parts than a room full of characters."),
    "too_many_rows": _("A sheet has room for %(most)s of these (%(what)s)."),
    "too_many_suits": _("Three favoured suits are the most a character can have."),
    "wrong_type": _("“%(what)s” does not hold what belongs there."),
    "xml_broken": _("This XML is broken in line %(line)s, place %(column)s."),
    "xml_empty": _("This XML is empty: there is no character in it."),
    "xml_forbidden": _("XML with a document type or entities of its own is not read."),
    "zip_broken": _("This zip cannot be opened."),
    "zip_packed_otherwise": _("This zip is packed in a way that we do not open. Pack it as an ordinary zip."),
    "zip_too_large": _("This zip holds more than a character."),
}


def why_unreadable(error: UnreadableSheet) -> str:
    """Return the reason for refusing imported data, in the reader's language."""
    return str(UNREADABLE[error.code]) % {"way": WAY_TO_DATA, **error.details}


#: The sentences about values that are reduced, as they do not fit on a sheet.
TRIMMED = {
    "hp": _("HP %(was)s becomes %(now)s: a sheet goes up to 20."),
    "items": _("Only the first %(most)s items come onto the sheet."),
    "name": _("The name is cut after %(most)s characters."),
    "no_name": _("Nobody gave a name: for now it is “%(now)s”."),
    "skills": _("Only the first %(most)s skills come onto the sheet."),
    "suits": _("Only the first %(most)s suits are favoured ones."),
}


def trim_sentence(trim: Trim) -> str:
    """Return the sentence about a value that the import reduced, in the reader's language."""
    return str(TRIMMED[trim.code]) % trim.details


Kind = LedgerEntry.EntryKind
EXCESSES = {
    "hp": _("Maximum HP is %(given)s: no creation gives more than %(most)s."),
    "skills": _("There are %(given)s skills: no creation gives more than %(most)s."),
    "suits": _("There are %(given)s favoured suits: no creation gives more than %(most)s."),
    "specials": _("There are %(given)s special items: no creation gives more than %(most)s."),
    "together": _(
        "HP, skills, suits and special items together are more than the cards of any creation give."
    ),
}


def excess_sentences(character: Character) -> list[str]:
    """Return one sentence for each value that exceeds every creation and was not bought with experience."""
    now = character.figures
    if not rules.find_excesses(now):
        return []
    amounts = count_purchases(character)
    new = replace(
        now,
        hp_max=now.hp_max - amounts[Kind.HP_MAX],
        skills=now.skills - amounts[Kind.SKILL],
        suits=now.suits - amounts[Kind.SUIT],
    )
    return [
        str(EXCESSES[excess.what]) % {"given": excess.given, "most": excess.most}
        for excess in rules.find_excesses(new)
    ]
