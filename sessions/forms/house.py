"""Forms of a campaign's house rules."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from characters.rules import SUITS_AT_MOST
from companion.names.fields import LineFormField


def number(least: int, most: int, **options: Any) -> forms.IntegerField:
    widget = forms.NumberInput({"inputmode": "numeric"})
    return forms.IntegerField(min_value=least, max_value=most, widget=widget, **options)


class RungForm(forms.Form):
    """One row of the ladder. [UC-4.2]"""

    link = forms.ChoiceField(
        label=_("What succeeds"),
        choices=[
            ("any", _("Any card")),
            ("colour", _("Same colour, or numbers close enough")),
            ("suit", _("Same suit, or numbers close enough")),
            ("near", _("Same suit and numbers close enough")),
        ],
    )
    near = number(0, 12, label=_("How far apart the numbers may be"))
    flip = forms.BooleanField(label=_("The top card of the deck is turned first"), required=False)


class ExperienceForm(forms.Form):
    """The points of a ticked line and the prices of purchases. [UC-11.2]"""

    points_a_line = number(0, 99, label=_("Points for a ticked line"))
    hp_max_cost = number(1, 99, label=_("Maximum HP +1: the new maximum times"))
    skill_cost = number(1, 99, label=_("One skill more: the new number times"))
    suit_cost = number(1, 99, label=_("One favoured suit more: the new number times"))
    suits_at_most = number(0, SUITS_AT_MOST, label=_("Favoured suits at most"))


class RankForm(forms.Form):
    """The stats of the NPCs of a rank. [UC-10.4]"""

    hp = number(1, 99, label="HP")
    skills = number(0, 20, label=_("Skills"))
    suits = number(0, SUITS_AT_MOST, label=_("Favoured suits"))
    weapon = number(0, 8, label=_("Weapon"))
    armour = number(0, 8, label=_("Armour"))


class WordsForm(forms.Form):
    """The words of a row; an empty field restores the standard ones. [UC-7.1, UC-11.1]"""

    words = LineFormField(max_length=200, required=False, widget=forms.TextInput({"autocomplete": "off"}))


class UndoWindowForm(forms.Form):
    """The choice to keep drawn cards face down during the undo window."""

    grace = forms.BooleanField(
        label=_("Five seconds to take a play back: the cards it draws lie face down that long"),
        required=False,
    )


def rows(kind: type[forms.Form], name: str, initials: list[dict[str, Any]], data: Any) -> list[forms.Form]:
    """Return a form for each row; the fields of the first row have names like "npcs-0-hp"."""
    return [kind(data, prefix=f"{name}-{place}", initial=initial) for place, initial in enumerate(initials)]
