"""allauth's forms with our labels, and hardened against input that crashes them."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account
from allauth.account.models import EmailAddress
from allauth.mfa.webauthn import forms as webauthn
from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from companion.accounts.adapters import NO_PASSKEY
from companion.identity.people import HttpRequest, give_account
from companion.identity.personal_data import OwnedResource
from companion.models import Person, User
from companion.names.fields import LineFormField

LABELS = {
    "login": _("Account name"),
    "username": _("Account name"),
    "email": _("E-mail (if you like)"),
    "password": _("Password"),
    "password1": _("Password"),
    "password2": _("The same password again"),
    "oldpassword": _("Present password"),
    "name": _("What is this passkey called?"),
}
HINTS = {
    "username": _("You sign in with it, and nobody else sees it. Letters and numbers, and @ . + - _"),
    "email": _("Only for a new password, should you forget yours."),
    "password1": _("At least 8 characters, and not one that everybody uses."),
}
#: As long as the name of a character.
NAME_LENGTH = 40
#: Limit of a WebAuthn response in characters; a real one has about one thousand.
ANSWER_LENGTH = 16_000


class Ours(forms.Form):
    """Form with our labels and hints instead of allauth's placeholders and help texts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in list(self.fields.items()):
            field.label = LABELS.get(name, field.label)
            field.help_text = HINTS.get(name, "")
            field.widget.attrs.pop("placeholder", None)
            if name in ("login", "username"):
                field.widget.attrs |= {"autocapitalize": "none", "spellcheck": "false"}
            if name == "name":
                field.widget.attrs["autocomplete"] = "off"
                self.fields[name] = _as_line(field, max_length=NAME_LENGTH)
            elif name == "username":
                self.fields[name] = _as_line(field)


def _as_line(field: Any, **other: int) -> LineFormField:
    kept = ("label", "help_text", "required", "widget", "min_length", "max_length")
    return LineFormField(**{name: getattr(field, name) for name in kept} | other)


class SignInForm(Ours, account.LoginForm):
    """Sign-in by name and password."""


class SignUpForm(Ours, account.SignupForm):
    """The guest of this device becomes the person of the account, with all belongings."""

    @transaction.atomic
    def save(self, request: HttpRequest) -> User:
        user: User = super().save(request)
        give_account(request.person, user)
        return user


class ChangePasswordForm(Ours, account.ChangePasswordForm):
    """Change of a password, with the present one."""


class SetPasswordForm(Ours, account.SetPasswordForm):
    """First password of an account without one."""


class ForgottenForm(Ours, account.ResetPasswordForm):
    """Address for the email with a password link."""


class NewPasswordForm(Ours, account.ResetPasswordKeyForm):
    """New password instead of a forgotten one."""


class ConfirmForm(Ours, account.ReauthenticateForm):
    """Reauthentication by password."""


class CredentialField(forms.JSONField):
    """A WebAuthn response. Huge and deeply nested values are refused."""

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and len(value) > ANSWER_LENGTH:
            raise ValidationError(NO_PASSKEY, code="incorrect_code")
        try:
            answer = super().to_python(value)
        except RecursionError:
            answer = None
        if not isinstance(answer, dict) or not isinstance(answer.get("response"), dict):
            raise ValidationError(NO_PASSKEY, code="incorrect_code")
        return answer

    def bound_data(self, data: Any, initial: Any) -> Any:
        # A response is valid for one challenge; the form that is shown again has a new challenge.
        return initial


#: The errors that malformed responses raise in the library. They are treated as wrong responses.
STUMBLES = (ArithmeticError, AttributeError, LookupError, NotImplementedError, TypeError, ValueError)


class PasskeyResponseForm(forms.Form):
    """A form with a WebAuthn response."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"] = CredentialField()

    def clean(self) -> dict[str, Any] | None:
        try:
            return super().clean()
        except STUMBLES:
            raise ValidationError(NO_PASSKEY, code="incorrect_code") from None


class PasskeyAnswerForm(PasskeyResponseForm):
    """A form that verifies a registered passkey."""

    def clean_credential(self) -> Any:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except STUMBLES:
            raise ValidationError(NO_PASSKEY, code="incorrect_code") from None


class AddPasskeyForm(PasskeyResponseForm, Ours, webauthn.AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # There is no choice: each of our passkeys can sign in without a password.
        del self.fields["passwordless"]


class RenamePasskeyForm(Ours, webauthn.EditWebAuthnForm):
    """New name of a passkey."""


class PasskeySignInForm(PasskeyAnswerForm, Ours, webauthn.LoginWebAuthnForm):
    """Sign-in by a passkey."""


class PasskeyConfirmForm(PasskeyAnswerForm, Ours, webauthn.ReauthenticateWebAuthnForm):
    """Reauthentication by passkey."""


class NameForm(forms.ModelForm):
    """The name that others see."""

    class Meta:
        model = Person
        fields = ["name"]
        labels = {"name": _("Your name at the table")}
        help_texts = {"name": ""}


class AddressForm(forms.Form):
    email = forms.EmailField(
        label=LABELS["email"],
        help_text=HINTS["email"],
        required=False,
        widget=forms.EmailInput({"autocomplete": "email"}),
    )

    def save(self, user: User) -> None:
        """Replace the address, in our table and in allauth's, and unsubscribe from turn emails."""
        address = self.cleaned_data["email"]
        with transaction.atomic():
            EmailAddress.objects.filter(user=user).delete()
            if address:
                EmailAddress.objects.create(user=user, email=address, primary=True)
            user.email, user.turn_mail = address, ""
            user.save(update_fields=["email", "turn_mail"])


class EstatesForm(forms.Form):
    """New owners of the shared resources of a person who is about to be erased."""

    def __init__(self, *args: Any, estates: list[OwnedResource], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.people = {str(heir.pk): heir for estate in estates for heir in estate.heirs}
        for estate in estates:
            heirs = [(str(heir.pk), _("Hand it over to %(name)s") % {"name": heir}) for heir in estate.heirs]
            choices = [("", _("Please choose")), ("delete", _("Delete it with everything in it")), *heirs]
            self.fields[estate.key] = forms.ChoiceField(
                label=estate.title, help_text=estate.note, choices=choices
            )

    @property
    def heirs(self) -> dict[str, Person]:
        """The chosen new owners by the key of the resource."""
        return {key: self.people[who] for key, who in self.cleaned_data.items() if who in self.people}
