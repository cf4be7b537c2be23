"""allauth adapters: client address, messages, login throttling, and passkeys."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from companion.accounts import devices
from companion.models import User
from companion.requests import throttle

#: Our messages by allauth's template name. allauth's other messages are not shown.
DONE = {
    "account/messages/password_changed.txt": _("Your password is changed. Other devices sign in anew."),
    "account/messages/password_set.txt": _("Your account has a password now."),
    "mfa/messages/webauthn_added.txt": _("The passkey is ready."),
    "mfa/messages/webauthn_removed.txt": _("The passkey is removed."),
}
TOO_OFTEN = _("Too many tries. Please wait a few minutes.")
#: Correct passwords count, too, since hashing each one costs processor time.
PASSWORDS = throttle.Windows("sign-in", ((30, 60),), of_an_address=True)
NO_PASSKEY = _("This passkey does not open an account here. Please use your name and password.")


class AccountAdapter(DefaultAccountAdapter):
    error_messages: dict[str, str | Promise] = DefaultAccountAdapter.error_messages | {
        "account_inactive": _("This account is closed. Please ask whoever runs this server."),
        "enter_current_password": _("This is not your present password."),
        "incorrect_password": _("This is not your password."),
        "invalid_password_reset": _("This link does not open any more. Please ask for a new e-mail."),
        "too_many_login_attempts": TOO_OFTEN,
        "username_blacklisted": _("This name is taken. Please choose another one."),
        "username_password_mismatch": _("That name and password do not belong together. Please check both."),
        "username_taken": _("This name is taken. Please choose another one."),
        "rate_limited": TOO_OFTEN,
    }

    def get_client_ip(self, request: HttpRequest) -> str:
        return throttle.client_address(request)

    def get_login_stages(self) -> list[str]:
        """Return no further stage: a password or a passkey alone is enough."""
        return []

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Throttle a password attempt before it is verified. allauth would count by account only."""
        self._guess = guess = _guess(request, credentials["username"])
        try:
            PASSWORDS.demand(guess.who)
            guess.record_attempt()
        except throttle.TooManyRequests as often:
            said, seconds = throttle.retry_sentence(often.seconds), {"seconds": often.seconds}
            raise ValidationError(said, "too_many_login_attempts", seconds) from often

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the user. A right password does not count as a wrong one."""
        user: User | None = super().authenticate(request, **credentials)
        if user:
            self._guess.forgive()
        return user

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        if said := message or DONE.get(message_template or ""):
            messages.add_message(request, level, said, extra_tags=extra_tags)

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """Sign in, remember this device, and offer to take over its guest's belongings."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        devices.remember_device(request, response, user)
        devices.offer_takeover(request)
        return response

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        """Redirect to sign-in, with the reason."""
        messages.error(request, str(self.error_messages["account_inactive"]))
        return redirect("account_login")

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return a link on ``PUBLIC_URL``, since clients can forge the Host header."""
        path = urlsplit(super().get_reset_password_from_key_url(key)).path
        return f"{settings.PUBLIC_URL}{path}"

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("companion:account")


def _guess(request: HttpRequest, name: str) -> throttle.PasswordAttempt:
    user = User.objects.filter(username__iexact=name).first()
    device = devices.known_device_key(request, user) if user else ""
    door = str(user.pk) if user else f"nobody {name}"
    return throttle.PasswordAttempt("account", door, throttle.client_address(request), device)


class PasskeyAdapter(DefaultMFAAdapter):
    error_messages: dict[str, str | Promise] = DefaultMFAAdapter.error_messages | {
        "incorrect_code": NO_PASSKEY
    }

    def _get_site_name(self) -> str:
        return gettext("Takujō")

    def generate_authenticator_name(self, user: User, type: str) -> str:  # noqa: A002
        return gettext("Passkey %(number)s") % {"number": Authenticator.objects.filter(user=user).count() + 1}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        """Give the passkey the user name, under which the device lists it."""
        name = user.get_username()
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return entity | {"name": name, "display_name": name}
