"""TRPG sessions without lasting effects: a newcomer's practice, and a GM's rehearsal.

Their characters are table options without an owner, so no sheet, experience or record changes. Such a session
is deleted when its owner begins the next one or ends it; ``free_sessions`` deletes unused ones.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from characters.reference import PEOPLE
from companion.models import Person
from sessions.card_table.house_rules import card_game
from sessions.engine.bots import SCRIPT, STEADY
from sessions.evening import free_sessions, nights
from sessions.evening.shares import SecretParts
from sessions.models import Campaign, Session, Table, Trial
from sessions.table.opening import Sitter, open_table

#: The deck of every practice session, found by trial: any chosen character has a card that fits the first
#: check and one that does not, and the companion's only card is a joker (tests/sessions/test_trials.py).
DECK = 272
COMPANIONS = ("nagi", "tetsu")
COMPANION_HP = 1
REHEARSING = ("akari", "tetsu", "saya")


def practice_going_on(person: Person | None) -> Table | None:
    tables = Table.objects.filter(session__host=person, session__trial=Trial.PRACTICE, ended_at=None)
    return tables.first() if person else None


@transaction.atomic
def begin_practice(person: Person, who: str) -> Table:
    """Open a practice session for a person, replacing any earlier one, and deal.

    :param who: the key of the pregenerated character that the person plays.
    :raises KeyError: there is no such character.
    """
    newcomer = PEOPLE[who].sheet.table_options
    beside = next(key for key in COMPANIONS if key != who)
    companion = PEOPLE[beside].sheet.table_options | {"hp": COMPANION_HP}
    seat = free_sessions.open_practice(person)
    return open_table(
        session=seat.session,
        module_key=card_game().key,
        gm=Sitter(None, SCRIPT),
        players=[Sitter(seat), Sitter(None, SCRIPT)],
        options={"characters": {"p1": newcomer, "p2": companion}, "practice": _words()},
        opened_by=seat,
        chance=SecretParts("", sha256(f"practice {DECK}".encode()).hexdigest()),
    )


def _words() -> dict[str, Any]:
    return {
        "check": _("Along the wet ledge"),
        "foe": _("A hungry wolf"),
        "bite": _("Bites"),
        "help": _("Take this card!"),
    }


def rehearsal_going_on(campaign: Campaign) -> Table | None:
    """Return the table of a campaign's rehearsal, if one was not ended."""
    return Table.objects.filter(session__campaign=campaign, session__trial=Trial.REHEARSAL).first()


@transaction.atomic
def begin_rehearsal(campaign: Campaign) -> Table:
    """Open a rehearsal with a campaign's house rules and bots as players, replacing any earlier one."""
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    campaign.sessions.filter(trial=Trial.REHEARSAL).delete()
    free_sessions.delete_unused_sessions()
    session = Session.objects.create(
        campaign=campaign, title=_("Rehearsal"), trial=Trial.REHEARSAL, joining_open=False
    )
    seat = nights.create_gm_seat(session)
    characters = {f"p{place}": PEOPLE[key].sheet.table_options for place, key in enumerate(REHEARSING, 1)}
    return open_table(
        session=session,
        module_key=card_game().key,
        players=[Sitter(None, STEADY) for _ in characters],
        options={"characters": characters, "rehearsal": True},
        opened_by=seat,
    )
