"""Forms of a campaign: its house rules, and the GM's NPCs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from characters.models import NpcRank
from characters.rules import NAME_LENGTH, ROWS_AT_MOST, SUITS_AT_MOST
from companion import names
from companion.cards import SUITS
from companion.files import pictures
from companion.models import Person
from companion.names.fields import LineFormField
from companion.templatetags.cards import suit_name
from sessions.forms.session import PicturedForm, PictureField
from sessions.models import Campaign, LibraryNpc


def number_field(least: int, most: int, **options: Any) -> forms.IntegerField:
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
    near = number_field(0, 12, label=_("How far apart the numbers may be"))
    flip = forms.BooleanField(label=_("The top card of the deck is turned first"), required=False)


class ExperienceForm(forms.Form):
    """The points of a ticked line and the prices of purchases. [UC-11.2]"""

    points_a_line = number_field(0, 99, label=_("Points for a ticked line"))
    hp_max_cost = number_field(1, 99, label=_("Maximum HP +1: the new maximum times"))
    skill_cost = number_field(1, 99, label=_("One skill more: the new number times"))
    suit_cost = number_field(1, 99, label=_("One favoured suit more: the new number times"))
    suits_at_most = number_field(0, SUITS_AT_MOST, label=_("Favoured suits at most"))


class RankForm(forms.Form):
    """The stats of the NPCs of a rank. [UC-10.4]"""

    hp = number_field(1, 99, label="HP")
    skills = number_field(0, 20, label=_("Skills"))
    suits = number_field(0, SUITS_AT_MOST, label=_("Favoured suits"))
    weapon = number_field(0, 8, label=_("Weapon"))
    armour = number_field(0, 8, label=_("Armour"))


class WordsForm(forms.Form):
    """The words of a row; an empty field restores the standard ones. [UC-7.1, UC-11.1]"""

    words = LineFormField(max_length=200, required=False, widget=forms.TextInput({"autocomplete": "off"}))


class UndoWindowForm(forms.Form):
    grace = forms.BooleanField(
        label=_("Five seconds to take a play back: the cards it draws lie face down that long"),
        required=False,
    )


def row_forms(
    kind: type[forms.Form], name: str, initials: list[dict[str, Any]], data: Any
) -> list[forms.Form]:
    """Return a form for each row; the fields of the first row have names like "npcs-0-hp"."""
    return [kind(data, prefix=f"{name}-{place}", initial=initial) for place, initial in enumerate(initials)]


class NpcForm(PicturedForm):
    """An NPC of the library. An empty field has the value of the NPC's rank."""

    rank = forms.TypedChoiceField(label=_("Rank"), coerce=int)
    hp_max = forms.IntegerField(label="HP", min_value=1, max_value=99, required=False)
    weapon = forms.IntegerField(label=_("Weapon"), min_value=0, max_value=8, required=False)
    armour = forms.IntegerField(label=_("Armour"), min_value=0, max_value=8, required=False)
    picture = PictureField(pictures.PORTRAIT)
    suits = forms.MultipleChoiceField(
        label=_("Favoured suits"), required=False, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = LibraryNpc
        fields = [
            "name",
            "rank",
            "campaign",
            "hp_max",
            "weapon",
            "armour",
            "suits",
            "skills",
            "hidden",
            "notes",
        ]
        widgets = {"skills": forms.Textarea({"rows": 3}), "notes": forms.Textarea({"rows": 4})}

    def __init__(self, *args: Any, owner: Person, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: Any = self.fields
        fields["campaign"].queryset = Campaign.objects.filter(gm=owner)
        fields["campaign"].empty_label = _("every campaign")
        fields["rank"].choices = [(row.rank, f"{row.rank} {row.name}") for row in NpcRank.objects.all()]
        fields["suits"].choices = [(letter, suit_name(letter)) for letter in SUITS]
        self.initial["suits"] = list(self.instance.suits)

    def clean_suits(self) -> str:
        suits = self.cleaned_data["suits"]
        if len(suits) > 3:
            raise forms.ValidationError(_("Three favoured suits at most."))
        return "".join(suits)

    def clean_skills(self) -> str:
        skills = [skill for line in self.cleaned_data["skills"].splitlines() if (skill := names.clean(line))]
        if len(skills) > ROWS_AT_MOST or any(len(skill) > NAME_LENGTH for skill in skills):
            raise forms.ValidationError(_("Up to 20 skills, each up to 40 characters."))
        return "\n".join(skills)


class SpawnForm(forms.Form):
    """The NPCs to bring, and their number; or one NPC with a name of its own and the stats of its rank."""

    count = forms.IntegerField(min_value=1, max_value=20, initial=1)
    rank = forms.IntegerField(min_value=1, max_value=6, required=False)
    library = forms.IntegerField(min_value=1, max_value=2**53, required=False)
    hidden = forms.BooleanField(required=False)
    name = LineFormField(max_length=NAME_LENGTH, required=False)
    special = forms.CharField(max_length=400, required=False)

    def clean_special(self) -> str:
        """Count a line break as one character, as the page does; the table limits the length."""
        return str(self.cleaned_data["special"]).replace("\r\n", "\n")
