"""What refusals of the evening say to people."""

from __future__ import annotations

from django.utils.translation import gettext as _

from sessions.nights import Refused


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
    return _("That is not possible right now.")
