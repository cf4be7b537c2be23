"""Fields for one line of user text, such as a name or a title, cleaned by ``names.clean``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import ProhibitNullCharactersValidator
from django.db import models

from companion import names

if TYPE_CHECKING:
    CharField = models.CharField[str, str]
else:
    CharField = models.CharField


class LineFormField(forms.CharField):
    """One line of text; "" if it has no visible character."""

    def to_python(self, value: Any) -> str:
        typed = super().to_python(value) or ""
        ProhibitNullCharactersValidator()(typed)  # refuse null characters, which no user can type
        return names.clean(typed)


class LineField(CharField):
    """One line of text. Migrations see a CharField."""

    def to_python(self, value: Any) -> Any:
        return _clean_value(super().to_python(value))

    def get_prep_value(self, value: Any) -> Any:
        return _clean_value(super().get_prep_value(value))

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": LineFormField, **kwargs})

    def deconstruct(self) -> Any:
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs


def _clean_value(value: Any) -> Any:
    return names.clean(value) if isinstance(value, str) else value
