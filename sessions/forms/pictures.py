"""A picture in a form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from companion.files import gallery, pictures


class PictureField(forms.FileField):
    """A picture as it was written anew, for a screen at the wall by default; None where none was sent."""

    def __init__(self, shape: pictures.Shape = pictures.SCENE, **kwargs: Any) -> None:
        self.shape = shape
        widget = forms.FileInput(attrs={"accept": "image/*"})
        super().__init__(label=_("Picture"), required=False, widget=widget, **kwargs)

    def clean(self, data: Any, initial: Any = None) -> pictures.Picture | None:
        """Write the picture anew.

        :raises ValidationError: it is not taken as a picture.
        """
        sent = super().clean(data, initial)
        if not sent:
            return None
        try:
            return pictures.rewritten(sent.read(), self.shape)
        except pictures.PictureRefused as refused:
            raise ValidationError(gallery.SENTENCES[refused.code]) from refused
