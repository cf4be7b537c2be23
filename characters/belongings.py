"""Characters among the belongings of people: they move into an account, or are deleted with it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters.models import Character
from companion.belongings import Keeper, Thing
from companion.models import Person


def of(person: Person, receiver: Person | None) -> list[Thing]:
    """Return the characters of a person, drafts too."""
    characters = Character.objects.filter(owner=person)
    return [Thing("sheet", str(c), c.concept if c.is_done else _("Still in the making")) for c in characters]


def hand_over(person: Person, receiver: Person) -> None:
    """Give all characters to somebody else, with everything on their sheets."""
    Character.objects.filter(owner=person).update(owner=receiver)


def clear(person: Person) -> None:
    """Delete all characters of a person."""
    Character.objects.filter(owner=person).delete()


keeper = Keeper(of, hand_over, clear)
