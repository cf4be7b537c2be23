"""The fields to open or join an evening."""

from __future__ import annotations

from django import forms
from django.db import models
from django.utils.translation import gettext_lazy as _

from sessions.models import Campaign, Role, Session


class CampaignForm(forms.ModelForm):
    class Meta:
        model = Campaign
        fields = ["name", "jokers"]


class SessionForm(forms.ModelForm):
    class Meta:
        model = Session
        fields = ["title"]


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
