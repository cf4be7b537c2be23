"""Forms to import campaigns and scenarios from files."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class CampaignFileForm(forms.Form):
    file = forms.FileField(
        label=_("The file of a campaign"),
        help_text=_("A zip of up to 7.5 MB"),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )


class ScenarioFileForm(forms.Form):
    file = forms.FileField(
        label=_("The file of a scenario"),
        help_text=_("A zip of up to 11 MB"),
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
    )
