"""Refusals of the evening: a stable code, and the sentence that people read."""

from __future__ import annotations

from django.utils.translation import gettext as _


class Refused(Exception):
    """The evening does not allow this. ``code`` is stable; ``refusal_sentence`` has the words."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code, self.details = code, details


def refusal_sentence(refusal: Refused) -> str:
    """Return the sentence for a refusal, in the reader's language."""
    match refusal.code:
        case "name_missing":
            return _("Please tell us what to call you.")
        case "name_too_long":
            return _("Up to 12 characters, please.")
        case "name_taken":
            return _("Somebody here has this name already. How about this one?")
        case "removed":
            return _("The GM has taken this seat back. Please talk to them.")
        case "session_full":
            return _("There is no seat left in this session.")
        case "too_few_players":
            return _("At least %(needed)s players are needed.") % refusal.details
        case "too_many_players":
            return _("At most %(most)s players fit at this table.") % refusal.details
        case "bad_options":
            return _("The house rules of this campaign do not work: %(problem)s") % refusal.details
        case "door_closed":
            return _("The door is closed. Please ask the GM.")
        case "experience_closed":
            return _("The GM opens the checklist at the end of the night.")
        case "no_character":
            return _("This seat brings no character that could grow.")
        case "cannot_stand_in":
            return _("This person cannot play for that seat.")
        case "no_deputy":
            return _("Only a sub-GM can run the session for the GM.")
        case "gm_is_here":
            return _("The GM is still here. A sub-GM takes over after three minutes of silence.")
        case "link_closed":
            return _("This code has been used or is older than two minutes. Please ask for a new one.")
        case "seated_already":
            return _("This device has a seat of its own tonight, with a character or at a table.")
        case "seat_in_use":
            return _("Somebody is using this seat right now.")
        case "handed_over":
            return _("This copy has gone out already.")
        case "session_over":
            return _("This session has ended.")
        case "nobody_plays":
            return _("Somebody has to play along.")
        case "no_such_bot":
            return _("This game has no bot of that kind.")
        case "no_such_seat":
            return _("This seat is in other hands by now.")
        case "seated_here":
            return _("This person sits at the table already.")
        case "table_over":
            return _("This table has ended.")
        case "still_running":
            return _("This game is still running.")
        case "session_running":
            return _("This is possible once the session has ended.")
        case "malformed":
            return _("This message could not be read. Nothing was sent.")
        case "nothing_written":
            return _("Write something first.")
        case "too_long":
            return _("A message has room for %(most)s characters.") % refusal.details
        case "not_here":
            return _("You can read this tab, but not write in it.")
        case "message_gone":
            return _("This message is deleted already.")
        case "whisper_to_nobody":
            return _("Choose whom you whisper to.")
        case "whisper_to_stranger":
            return _("Somebody you whisper to is not here any more. Nothing was sent; please choose again.")
        case "whispers_changed":
            return _("The GM has just changed who can read whispers. Nothing was sent; please look again.")
        case _:
            return _edit_sentence(refusal)


def _edit_sentence(refusal: Refused) -> str:
    """Return the sentence for a refused change by ``:HP-1``."""
    match refusal.code:
        case "hp_whispered":
            return _("HP is public. Write it in a tab that everybody sees.")
        case "too_many_edits":
            return _("At most %(most)s changes fit into one message.") % refusal.details
        case "unknown_label":
            return _("“%(label)s” cannot be changed here. HP can: :HP-1, :HP+2 or :HP=4.") % refusal.details
        case "no_number":
            return (
                _("“%(written)s” needs a number and then a space: :HP-1, :HP+2 or :HP=4.") % refusal.details
            )
        case "hp_not_yours":
            return _("Only the GM changes this HP here.")
        case "hp_of_whom":
            return _("Whose HP? Write the name first: @name :HP-1")
        case "hp_of_nobody":
            return _("There is no “%(name)s” here.") % refusal.details
        case "hp_of_several":
            return _("More than one is called “%(name)s”. Change the HP at the table.") % refusal.details
        case "hp_hidden":
            return _("Players do not see the HP of “%(name)s”. Change it at the table.") % refusal.details
        case "hp_above_max":
            return _("HP cannot go above its maximum, %(most)s.") % refusal.details
        case "hp_out_of_range":
            return _("HP is a number from −99 up to the maximum.")
        case "no_character":
            return _("There is no character here whose HP could change.")
    return _("That is not possible right now.")
