"""Friendlier error messages for all forms; Django's own sound like an authority."""

from __future__ import annotations

from django.core import validators
from django.forms import fields
from django.utils.translation import gettext_lazy as _


def replace_form_messages() -> None:
    """Replace the default error messages of Django's fields. Call it once, before any form is created."""
    fields.Field.default_error_messages["required"] = _("Please fill this in.")
    fields.ChoiceField.default_error_messages |= {
        "required": _("Please choose one."),
        "invalid_choice": _("Please choose one of these."),
    }
    fields.MultipleChoiceField.default_error_messages |= {
        "invalid_choice": _("Please choose from these."),
        "invalid_list": _("Please choose from these."),
    }
    fields.FileField.default_error_messages |= {
        "required": _("Please choose a file."),
        "invalid": _("Please choose a file."),
        "missing": _("Please choose a file."),
        "empty": _("This file is empty."),
    }
    fields.IntegerField.default_error_messages["invalid"] = _("Please write a number.")
    validators.EmailValidator.message = _("This is not an e-mail address. Please check it.")
    validators.MinValueValidator.message = _("%(limit_value)s or more, please.")
    validators.MaxValueValidator.message = _("%(limit_value)s or less, please.")
    # Django passes the limit as a count for plural forms; these messages need none.
    validators.MinLengthValidator.message = _(
        "At least %(limit_value)s characters, please (now %(show_value)s)."
    )
    validators.MaxLengthValidator.message = _(
        "Up to %(limit_value)s characters, please (now %(show_value)s)."
    )
