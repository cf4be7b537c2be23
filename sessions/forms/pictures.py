"""The form field for pictures."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from companion.files import gallery, pictures


class PictureField(forms.FileField):
    """An uploaded picture, encoded again, by default for a large screen; None if none was sent."""

    def __init__(self, shape: pictures.Shape = pictures.SCENE, **kwargs: Any) -> None:
        self.shape = shape
        widget = forms.FileInput(attrs={"accept": "image/*"})
        super().__init__(label=_("Picture"), required=False, widget=widget, **kwargs)

    def clean(self, data: Any, initial: Any = None) -> pictures.EncodedPicture | None:
        """Decode the upload and encode its pixels as a new picture.

        :raises ValidationError: the upload is refused as a picture.
        """
        sent = super().clean(data, initial)
        if not sent:
            return None
        try:
            return pictures.rewritten(sent.read(), self.shape)
        except pictures.PictureRefused as refused:
            raise ValidationError(gallery.SENTENCES[refused.code]) from refused
