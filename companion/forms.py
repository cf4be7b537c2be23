"""Signing in."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from companion import throttle


class SignInForm(AuthenticationForm):
    """Name and password; whoever guesses gets slow."""

    error_messages = AuthenticationForm.error_messages | {
        "invalid_login": _("That name and password do not belong together. Please check both."),
    }

    def clean(self) -> dict[str, Any]:
        # Before the password is looked at: a right guess too many must look like a wrong one.
        address = throttle.client_address(self.request) if self.request else ""
        if not throttle.allowed(address, "sign-in", limit=20, seconds=300):
            raise ValidationError(_("Too many tries. Please wait a few minutes."), code="slow")
        return super().clean()
