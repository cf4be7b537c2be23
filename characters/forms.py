"""Forms for characters. They parse the input; the services check the rules."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from characters import rules
from characters.exchange import parsing
from characters.models import Character, Creation, Item, ItemPower
from characters.services.experience import Offer
from characters.services.sheets import ItemWish, read_current_sheet
from companion.names.fields import LineFormField

SUIT_CHOICES = [("s", _("Spades")), ("h", _("Hearts")), ("d", _("Diamonds")), ("c", _("Clubs"))]
#: The field that holds the table value of each kind of item.
VALUE_FIELDS = {
    "tool": "tool_value",
    "weapon": "weapon_value",
    "armour": "armour_value",
    "shield": "armour_value",
}
#: The fields that a form of the whole sheet has besides suits and skills.
REVISED = ("name", "concept", "background", "hp_max")
REQUIRED = {"required": _("Please choose one.")}


def name_field(label: Any, *, required: bool = True, **attrs: str) -> forms.CharField:
    """Return a field for the name of a character, a skill or an item."""
    return LineFormField(
        label=label,
        required=required,
        max_length=rules.NAME_LENGTH,
        error_messages={"required": _("Please write a name."), "max_length": _("40 characters at most.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", **attrs}),
    )


class StartForm(forms.Form):
    method = forms.ChoiceField(
        choices=[(way.value, way.label) for way in Creation.DRAWN],
        error_messages=REQUIRED,
        widget=forms.RadioSelect,
    )
    name = name_field(_("Name, if you know it already"), required=False)


class KeepForm(forms.Form):
    """How many of the drawn jokers count as red."""

    def __init__(self, *args: Any, choices: dict[int, rules.Allowance], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["red_jokers"] = forms.TypedChoiceField(
            choices=[(red, "") for red in choices],
            coerce=int,
            required=len(choices) > 1,
            error_messages={"required": gettext("Choose what the joker counts as.")},
        )
        self._without_choice = next(iter(choices), 0)

    def clean_red_jokers(self) -> int:
        """Take the only choice if there is just one."""
        chosen = self.cleaned_data["red_jokers"]
        return self._without_choice if chosen == "" else chosen


class SuitsForm(forms.Form):
    suits = forms.MultipleChoiceField(
        choices=SUIT_CHOICES, error_messages={"required": _("Please choose a suit.")}
    )


class SkillsForm(forms.Form):
    """The skills of a sheet: ``count`` lines, and ``spare`` more that may stay empty."""

    ideas = [
        _("Swordplay"),
        _("Marksmanship"),
        _("First aid"),
        _("Lock picking"),
        _("Driving"),
        _("Bluffing"),
        _("Old books"),
        _("Cooking"),
    ]

    def __init__(
        self, *args: Any, count: int, skills: Iterable[str] = (), spare: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        written = list(skills)
        for number in range(count + spare):
            field = name_field(
                gettext("Skill %(number)s") % {"number": number + 1}, required=not spare, list="skill-ideas"
            )
            field.initial = written[number] if number < len(written) else ""
            self.fields[f"skill_{number}"] = field

    @property
    def skill_fields(self) -> list[forms.BoundField]:
        return [self[key] for key in self.fields if key.startswith("skill_")]

    @property
    def names(self) -> list[str]:
        return [name for key, name in self.cleaned_data.items() if key.startswith("skill_") and name]


def _value_field(label: Any, powers: list[ItemPower], initial: int | None = None) -> forms.TypedChoiceField:
    choices = [(power.value, power.text) for power in powers]
    return forms.TypedChoiceField(
        label=label, choices=choices, coerce=int, required=False, initial=initial, widget=forms.RadioSelect
    )


class ItemForm(forms.Form):
    """One item; each kind has its own table of values."""

    kind = forms.ChoiceField(
        label=_("What is it?"),
        choices=Item.ItemKind.choices,
        error_messages=REQUIRED,
        widget=forms.RadioSelect,
    )
    name = name_field(_("What is it called?"))

    def __init__(
        self,
        *args: Any,
        powers: dict[str, list[ItemPower]],
        special: bool = False,
        item: Item | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        if not special:
            self.fields["tool_value"] = _value_field(_("How good is it?"), powers["tool"], initial=0)
            self.fields["quality"] = _value_field(_("Is it of better make?"), powers["tool"], initial=0)
        for table in ("weapon", "armour"):
            self.fields[f"{table}_value"] = _value_field(_("What is it like?"), powers[table])
        if item:
            self.initial = {"kind": item.kind, "name": item.name, VALUE_FIELDS[item.kind]: item.table_value}

    def clean(self) -> None:
        field = VALUE_FIELDS.get(self.cleaned_data.get("kind", ""), "")
        if field in self.fields and self.cleaned_data.get(field) == "":
            self.add_error(field, gettext("Please choose a line of the table."))

    @property
    def wish(self) -> ItemWish:
        """The item as the services take it. The value of a special tool is fixed. [UC-1.4]"""
        kind = self.cleaned_data["kind"]
        return ItemWish(
            kind=kind,
            name=self.cleaned_data["name"],
            table_value=self.cleaned_data.get(VALUE_FIELDS[kind], rules.SPECIAL_TOOL_VALUE),
            quality=0 if kind == "tool" else self.cleaned_data.get("quality") or 0,
        )


class AboutForm(forms.Form):
    name = name_field(_("Name"))
    concept = LineFormField(
        label=_("In one line"),
        required=False,
        max_length=rules.CONCEPT_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    background = forms.CharField(
        label=_("Background"),
        required=False,
        max_length=rules.BACKGROUND_LENGTH,
        widget=forms.Textarea(attrs={"rows": 5}),
    )


class ReviseForm(AboutForm, SkillsForm):
    field_order = ["name", "concept", "hp_max", "suits"]

    hp_max = forms.IntegerField(label=_("Maximum HP"), min_value=rules.HP_MAX[0], max_value=rules.HP_MAX[-1])
    suits = forms.MultipleChoiceField(
        label=_("Favoured suits"),
        choices=SUIT_CHOICES,
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, *args: Any, character: Character, **kwargs: Any) -> None:
        #: The newest revision, and the sheet as it is now.
        self.newest, self.kept = read_current_sheet(character)
        sent, skills = args[0] if args else None, self.kept["skills"]
        # The form may have been opened with more skills than the sheet has now; none may be lost.
        count = max(len(skills), sum(key.startswith("skill_") for key in sent or ()) - 2)
        count = min(count, rules.ROWS_AT_MOST)
        spare = min(2, rules.ROWS_AT_MOST - count)
        super().__init__(*args, count=count, skills=skills, spare=spare, **kwargs)
        for name in REVISED:
            self.fields[name].initial = self.kept[name]
        self.fields["suits"].initial = list(self.kept["suits"])
        #: The number of the revision that the form was opened with; None if it was not sent.
        self.revision = parsing.number((sent or {}).get("revision"))

    def catch_up(self, opened: dict[str, Any]) -> None:
        """Merge concurrent edits: fields that the sender left unchanged take the current values.

        :param opened: the sheet as the form showed it.
        """
        assert isinstance(self.data, QueryDict)
        sent = self.data = self.data.copy()
        for name in REVISED:
            if _plain(sent.get(name, "")) == _plain(opened[name]):
                sent[name] = str(self.kept[name])
        if set(sent.getlist("suits")) == set(opened["suits"]):
            sent.setlist("suits", list(self.kept["suits"]))
        lines = [field.html_name for field in self.skill_fields]
        if [name for line in lines if (name := _plain(sent.get(line, "")))] == opened["skills"]:
            for line, name in zip_longest(lines, self.kept["skills"], fillvalue=""):
                sent[line] = name

    @property
    def sheet(self) -> dict[str, Any]:
        """The sheet as ``sheets.revise`` takes it."""
        return {
            **{name: self.cleaned_data[name] for name in REVISED},
            "suits": "".join(self.cleaned_data["suits"]),
            "skills": self.names,
            "revision": self.revision,
        }


def _plain(text: object) -> str:
    """Normalise a text for comparison, since browsers change line ends."""
    return str(text).replace("\r\n", "\n").strip()


def _picture_field(label: Any) -> forms.FileField:
    return forms.FileField(
        label=label,
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": "image/*"}),
    )


class FaceForm(forms.Form):
    """A character's face: a picture, or the name of an emblem."""

    picture = _picture_field(_("A picture of your own"))
    emblem = forms.CharField(required=False, max_length=20)


class LabelledFaceForm(forms.Form):
    """One more face and its label. The services validate both."""

    label = LineFormField(
        label=_("Label"),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": rules.LABEL_LENGTH, "autocomplete": "off"}),
    )
    picture = _picture_field(_("Picture"))


class BuyForm(forms.Form):
    """The purchase of one offer of the ledger."""

    kind = forms.CharField(max_length=6)
    reached = forms.IntegerField(min_value=1, max_value=99)
    cost = forms.IntegerField(min_value=0, max_value=99_999)
    bought = LineFormField(
        required=False,
        max_length=rules.NAME_LENGTH,
        error_messages={"max_length": _("40 characters at most.")},
    )

    @property
    def offer(self) -> Offer:
        """The offer as the page showed it."""
        return Offer(**{field: self.cleaned_data[field] for field in ("kind", "reached", "cost")})


class BringForm(forms.Form):
    """A character from another tool, as text or as a file. ``exchange`` validates it."""

    text = forms.CharField(
        label=_("Paste the data of a piece, or the address of a sheet"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(
        label=_("Or choose a file"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,.zip,.xml,.txt"}),
    )
