"""Refusals of actions on a session: a stable code, and the sentence that people read."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _


class Refused(Exception):
    """The session does not allow an action. ``code`` is stable; ``refusal_sentence`` has the text."""

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code, self.details = code, details


SENTENCES = {
    "bad_options": _("The house rules of this campaign do not work: %(problem)s"),
    "cannot_stand_in": _("This person cannot play for that seat."),
    "clocks_full": _("There are %(most)s clocks already. Take one away first."),
    "device_closed": _("This is not possible (any more): one of them has an account, or a day has passed."),
    "door_closed": _("The door is closed. Please ask the GM."),
    "experience_closed": _("The GM opens the checklist at the end of the night."),
    "game_failed": _("The game itself has failed. Nothing was changed; the log has the reason."),
    "gm_is_here": _("The GM is still here. A sub-GM takes over after three minutes of silence."),
    "handed_over": _("This copy has gone out already."),
    "hp_above_max": _("HP cannot go above its maximum, %(most)s."),
    "hp_hidden": _("Players do not see the HP of “%(name)s”. Change it at the table."),
    "hp_not_yours": _("Only the GM changes this HP here."),
    "hp_of_nobody": _("There is no “%(name)s” here."),
    "hp_of_several": _("More than one is called “%(name)s”. Change the HP at the table."),
    "hp_of_whom": _("Whose HP? Write the name first: @name :HP-1"),
    "hp_out_of_range": _("HP is a number from −99 up to the maximum."),
    "hp_whispered": _("HP is public. Write it in a tab that everybody sees."),
    "hp_without_character": _("There is no character here whose HP could change."),
    "id_taken": _("Another message has this one's number. Nothing was sent; please send it again."),
    "link_closed": _("This code has been used or is older than two minutes. Please ask for a new one."),
    "limit_holds": _("This holds already."),
    "limits_full": _("There are too many lines and veils already. Please ask the GM."),
    "limits_of_one": _("You have proposed %(most)s tonight. Please talk to the GM about more."),
    "malformed": _("This message could not be read. Nothing was sent."),
    "message_gone": _("This message is deleted already."),
    "name_missing": _("Please tell us what to call you."),
    "name_taken": _("Somebody here has this name already. How about this one?"),
    "name_too_long": _("Up to 12 characters, please."),
    "no_campaign": _("Characters belong to campaigns. This evening has board games only."),
    "no_character": _("This seat brings no character that could grow."),
    "no_deputy": _("Only a sub-GM can run the session for the GM."),
    "no_number": _("“%(written)s” needs a number and then a space: :HP-1, :HP+2 or :HP=4."),
    "no_such_bot": _("This game has no bot of that kind."),
    "no_such_seat": _("This seat is in other hands by now."),
    "nobody_plays": _("Somebody has to play along."),
    "not_here": _("You can read this tab, but not write in it."),
    "nothing_written": _("Write something first."),
    "removed": _("The GM has taken this seat back. Please talk to them."),
    "roll_out_of_bounds": _("Up to %(dice)s dice with 2 to %(sides)s sides, as in 2d6 or d20+3."),
    "roll_stands": _("A roll stands as it fell."),
    "roll_unknown": _(
        "Dice are rolled with a number after + or −, and a target after < or >, as in 2d6+3 or 1d100<=50. "
        "Write a blank before words."
    ),
    "seat_in_use": _("Somebody is using this seat right now."),
    "seated_already": _("This device has a seat of its own tonight, with a character or at a table."),
    "seated_here": _("This person sits at the table already."),
    "session_full": _("There is no seat left in this session."),
    "session_over": _("This session has ended."),
    "session_running": _("This is possible once the session has ended."),
    "still_running": _("This game is still running."),
    "table_over": _("This table has ended."),
    "too_few_players": _("At least %(needed)s players are needed."),
    "too_long": _("A message has room for %(most)s characters."),
    "too_many_edits": _("At most %(most)s changes fit into one message."),
    "too_many_players": _("At most %(most)s players fit at this table."),
    "too_long_for_once": _("This sound is too long to be played once: %(most)s seconds at most."),
    "too_soon": _("Something is on all screens just now. Wait until it has gone."),
    "unknown_label": _("“%(label)s” cannot be changed here. HP can: :HP-1, :HP+2 or :HP=4."),
    "whisper_to_nobody": _("Choose whom you whisper to."),
    "whisper_to_stranger": _(
        "Somebody you whisper to is not here any more. Nothing was sent; please choose again."
    ),
    "whispers_changed": _(
        "The GM has just changed who can read whispers. Nothing was sent; please look again."
    ),
}

#: The sentence for codes without one of their own, which our own pages never cause.
NOT_NOW = _("That is not possible right now.")


def refusal_sentence(refusal: Refused) -> str:
    return str(SENTENCES.get(refusal.code, NOT_NOW)) % refusal.details
