"""The form to import a scenario."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _


class PasteForm(forms.Form):
    """A scenario as text or as a file. ``sessions.scenarios.bringing`` validates its content."""

    text = forms.CharField(
        label=_("Paste your scenario"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"class": "long-text", "spellcheck": "false", "autocomplete": "off"}),
    )
    file = forms.FileField(
        label=_("Or choose a file"),
        help_text=_("Text (txt, md) up to 200,000 characters, or a room of CCFOLIA (zip) up to 7.5 MB"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".txt,.md,.zip,text/plain,text/markdown,application/zip"}),
    )
