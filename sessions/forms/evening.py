"""What people type to open or join an evening."""

from __future__ import annotations

from django import forms
from django.db import models
from django.utils.translation import gettext_lazy as _

from sessions.models import Campaign, Role, Session


class CampaignForm(forms.ModelForm):
    """A campaign and its house rules."""

    class Meta:
        model = Campaign
        fields = ["name", "jokers"]


class SessionForm(forms.ModelForm):
    """A night of a campaign."""

    class Meta:
        model = Session
        fields = ["title"]


class JoinForm(forms.Form):
    """The one thing we ask of a newcomer: what to call them. Whether they play or watch is one tap."""

    name = forms.CharField(
        label=_("Display name"),
        max_length=12,
        widget=forms.TextInput({"autocomplete": "nickname", "spellcheck": "false", "enterkeyhint": "go"}),
    )
    role = forms.ChoiceField(
        choices=[(Role.PLAYER, _("Play")), (Role.SPECTATOR, _("Watch"))], initial=Role.PLAYER
    )


class RewindForm(forms.Form):
    """Why the GM goes back, and the version of the table that was shown."""

    reason = forms.CharField(
        label=_("Reason (you may leave it out)"),
        max_length=80,
        required=False,
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    version = forms.IntegerField(min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)


def prepared_form(model: type[models.Model]) -> type[forms.ModelForm]:
    """Return the form for one kind of thing that lies ready in a campaign."""
    return forms.modelform_factory(model, exclude=["campaign", "revealed_at"])
