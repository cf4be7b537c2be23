"""Refusals in words: what would be needed, never just "no"."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from characters.rules import Refused

SENTENCES = {
    "already_done": _("This character is already finished."),
    "already_ticked": _("This line is already ticked."),
    "bad_name": _("A name needs 1 to 40 characters."),
    "bought_more_since": _("Take the later purchases of this kind back first; they built on this one."),
    "cards_not_kept": _("Look at your cards first and decide to keep them."),
    "changed_since": _("The sheet was changed since: what was bought is not there as it was."),
    "checklist_confirmed": _("The GM has confirmed this checklist; it stays as it is."),
    "hp_max_out_of_range": _("Maximum HP is a number from 1 to 20."),
    "hp_out_of_range": _("HP is a number from −99 up to the maximum."),
    "no_such_item": _("This item is not on the sheet any more."),
    "no_such_jokers": _("Choose a colour for each joker you drew."),
    "no_such_kind": _("Choose a tool, a weapon, armour or a shield."),
    "no_such_line": _("This line is not on the checklist."),
    "no_such_method": _("Choose one of the two ways."),
    "no_such_purchase": _("There is nothing like that to buy or give back."),
    "no_such_revision": _("The history has no such entry."),
    "no_such_suit": _("Choose from the four suits, each once."),
    "no_such_value": _("A value is a number from 0 to 4."),
    "not_asked": _("This question is not open for this character."),
    "not_done": _("Finish making this character first."),
    "not_ticked": _("This line is not ticked."),
    "nothing_drawn": _("Draw your cards first."),
    "offer_over": _("The sheet or the costs have changed meanwhile. Look at the new costs first."),
    "one_colour": _("All cards would be of one colour: count a joker as the other one, or draw again."),
    "only_numbers": _("Only number cards: draw again."),
    "redraw_not_allowed": _("These twelve cards stay: there is a court card or a joker, and not too many."),
    "same_as_now": _("The sheet is just like this already."),
    "special_tool_is_one": _("A special tool has value 1."),
    "stale": _("This sheet was changed while you wrote. Your words are still here: compare, then save."),
    "taken_back_already": _("This purchase is already taken back."),
    "too_few_courts": _("There are not enough court cards and jokers left."),
    "too_few_numbers": _("There are not enough number cards left: each step takes two."),
    "too_few_points": _("There are not enough points for that yet."),
    "too_many_courts": _("Seven or more court cards and jokers: draw again."),
    "too_many_rows": _("A sheet has room for 20 of these."),
    "too_many_suits": _("Two favoured suits are the most a new character can have."),
    "tool_has_no_quality": _("Only weapons, armour and shields have a quality of their own."),
    "unfinished": _("Something is still open. Let's go there first."),
    "value_too_high": _("Together the values end at 8."),
    "wrong_number_of_skills": _("Name exactly as many skills as your cards give."),
    "wrong_number_of_specials": _("Choose exactly as many special items as your cards give."),
    "wrong_number_of_suits": _("Choose exactly as many suits as your cards give, three at most."),
}


def sentence(refusal: Refused) -> str:
    """Return a refusal in the reader's language, with the rule behind it."""
    said = str(SENTENCES[refusal.code])
    return f"{said} ({refusal.rule})" if refusal.rule else said
