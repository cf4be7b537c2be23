"""The fields to open or join an evening."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from sessions.evening import handouts
from sessions.evening.codes import clean_name
from sessions.models import Campaign, Handout, Limit, Role, Session

#: The end of a sentence, or of a line.
_A_SENTENCE = re.compile(r"[。！？\n]|[.!?](?=\s|$)")


class CampaignForm(forms.ModelForm):
    class Meta:
        model = Campaign
        fields = ["name", "jokers"]


class SessionForm(forms.ModelForm):
    class Meta:
        model = Session
        fields = ["title"]


class LimitForm(forms.ModelForm):
    prefix = "limit"

    class Meta:
        model = Limit
        fields = ["words", "kind"]
        widgets = {"words": forms.TextInput({"autocomplete": "off"})}


class JoinForm(forms.Form):
    """The one question to a newcomer: a name to go by. One tap more says whether they play or watch."""

    name = forms.CharField(
        label=_("Display name"),
        max_length=12,
        widget=forms.TextInput({"autocomplete": "nickname", "spellcheck": "false", "enterkeyhint": "go"}),
    )
    role = forms.ChoiceField(
        choices=[(Role.PLAYER, _("Play")), (Role.SPECTATOR, _("Watch"))], initial=Role.PLAYER
    )


class RewindForm(forms.Form):
    """The GM's reason to go back, and the version of the table that was shown."""

    reason = forms.CharField(
        label=_("Reason (you may leave it out)"),
        max_length=80,
        required=False,
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    version = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)


def prepared_form(model: type[models.Model]) -> type[forms.ModelForm]:
    """Return the form for one kind of prepared thing."""
    return forms.modelform_factory(model, exclude=["campaign", "revealed_at"])


class WrittenForm(forms.ModelForm):
    """A thing that is written down while the table waits: its first words may serve as its title."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "title" in self.fields:
            self.fields["title"].required = False

    def clean(self) -> dict[str, Any]:
        """Give it a title that holds no secret.

        :raises ValidationError: nothing was written.
        """
        written: dict[str, Any] = super().clean() or self.cleaned_data
        if "title" not in self.fields or written.get("title") or self.errors:
            return written
        if not written.get("text") and not written.get("secret"):
            raise ValidationError(_("Write something first."))
        begins = clean_name(_A_SENTENCE.split(written.get("text", "").strip(), maxsplit=1)[0])
        written["title"] = begins[:40] or _("Handout")
        return written


class WrittenHandoutForm(WrittenForm):
    """A handout with the seats that it is for: handed over at once (``now``), or laid aside for them."""

    now = forms.BooleanField(required=False)

    class Meta:
        model = Handout
        fields = ["title", "text", "secret"]

    def __init__(self, *args: Any, session: Session, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["to"] = forms.ModelMultipleChoiceField(handouts.receivers(session), required=False)

    def clean(self) -> dict[str, Any]:
        """Know who gets what goes out now.

        :raises ValidationError: nobody was chosen, or nothing was written.
        """
        written = super().clean()
        if written.get("now") and not written.get("to") and "to" not in self.errors:
            self.add_error("to", _("Choose who gets it."))
        return written


def written_form(model: type[models.Model], session: Session, data: QueryDict) -> forms.ModelForm:
    """Return the filled-in form for one kind of thing that is written down at the table."""
    if model is Handout:
        return WrittenHandoutForm(data, session=session)
    form = forms.modelform_factory(model, form=WrittenForm, exclude=["campaign"])
    return form(data)
