"""Views of accounts: sign-in, sign-up, passwords, passkeys, settings, export and erasure.

Those of sign-in, passwords and passkeys are allauth's, with our templates under allauth's names.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from ipaddress import ip_address
from typing import Any, cast

from allauth.account import views as account_views
from allauth.account.decorators import reauthentication_required
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import views as webauthn_views
from allauth.mfa.webauthn.internal import auth
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import HttpRequest as DjangoRequest
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from companion.accounts import devices, turn_mail
from companion.accounts.forms import AddressForm, EstatesForm, NameForm
from companion.identity import personal_data
from companion.identity.people import COOKIE, HttpRequest, announce_change, guest_of
from companion.models import Person, User
from companion.pages.defaults import file_response
from companion.requests.queue import heavy
from companion.requests.throttle import Windows, client_address, set_retry_after
from companion.server import environment

PersonView = Callable[[HttpRequest, Person], HttpResponse]
HOME = reverse_lazy("companion:account")
SIGN_UPS = Windows("sign-up", ((20, 60), (60, 60 * 60), (200, 24 * 60 * 60)), of_an_address=True)
#: The command that runs management commands on this server.
COMMAND = "takujo" if settings.INSTALLED else ".venv/bin/python manage.py"


def passkeys_work(request: DjangoRequest) -> bool:
    """True if browsers allow passkeys at this address: a host name over https, or localhost."""
    name = request.get_host().rsplit(":", 1)[0].strip("[]")
    try:
        ip_address(name)
    except ValueError:
        return request.is_secure() or name == "localhost"
    return False


def too_often(form: Form) -> ValidationError | None:
    errors = (error for errors in form.errors.as_data().values() for error in errors)
    return next((error for error in errors if error.code == "too_many_login_attempts"), None)


class AccountPageMixin:
    """Add ``page_context`` to the context of our pages. Invalid forms give 422, throttled ones 429."""

    request: DjangoRequest

    def page_context(self) -> dict[str, Any]:
        return {}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)  # type: ignore[misc]
        return context | {"passkeys_work": passkeys_work(self.request)} | self.page_context()

    def form_invalid(self, form: Form) -> HttpResponse:
        response: HttpResponse = super().form_invalid(form)  # type: ignore[misc]
        if response.status_code == 200:
            often = too_often(form)
            response.status_code = 429 if often else 422
            return set_retry_after(response, often.params["seconds"]) if often and often.params else response
        return response


class PasskeyPage(AccountPageMixin):
    """A page that needs an address where passkeys work."""

    def dispatch(self, request: DjangoRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not passkeys_work(request):
            return render(request, "account/no_passkeys.html", status=404)
        return super().dispatch(request, *args, **kwargs)  # type: ignore[misc, no-any-return]


# Sign-in and sign-up


class SignIn(AccountPageMixin, account_views.LoginView):
    """Sign in by name and password, or by a passkey if the address allows passkeys."""


class SignUp(AccountPageMixin, account_views.SignupView):
    """Create an account for this device's guest, who keeps their belongings."""

    def post(self, request: DjangoRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        SIGN_UPS.demand(client_address(request))
        return super().post(request, *args, **kwargs)  # type: ignore[no-any-return]

    def form_valid(self, form: Form) -> HttpResponse:
        try:
            response: HttpResponse = super().form_valid(form)
        except IntegrityError:  # another request took the name after the form was validated
            form.add_error("username", _("This name is taken. Please choose another one."))
            return self.form_invalid(form)
        messages.success(self.request, _("Your account is ready."))
        return response

    def page_context(self) -> dict[str, Any]:
        guest = guest_of(cast(HttpRequest, self.request))
        return {"things": personal_data.list_belongings(guest) if guest else []}


class PasskeySignIn(PasskeyPage, webauthn_views.LoginWebAuthnView):
    pass


class Reauthenticate(AccountPageMixin, account_views.ReauthenticateView):
    pass


class PasskeyConfirm(PasskeyPage, webauthn_views.ReauthenticateWebAuthnView):
    def page_context(self) -> dict[str, Any]:
        return {"options": json.dumps(auth.begin_authentication(self.request.user))}


# Passwords


class PasswordPage(AccountPageMixin):
    """Mixin of views that set a password; this device remains a known device."""

    def form_valid(self, form: Form) -> HttpResponse:
        response: HttpResponse = super().form_valid(form)  # type: ignore[misc]
        if person := Person.objects.filter(user=form.user).first():  # type: ignore[attr-defined]
            announce_change(person)
        devices.remember_device(self.request, response, form.user)  # type: ignore[attr-defined]
        return response


class PasswordChange(PasswordPage, account_views.PasswordChangeView):
    pass


class PasswordSet(PasswordPage, account_views.PasswordSetView):
    """Set the password of an account without one."""

    template_name = PasswordChange.template_name


class PasswordReset(AccountPageMixin, account_views.PasswordResetView):
    """Send an email with a password link; on servers without email, advise the user to ask the host."""

    def page_context(self) -> dict[str, Any]:
        return {"mail": environment.can_send_emails(), "command": f"{COMMAND} changepassword NAME"}

    def post(self, request: DjangoRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not environment.can_send_emails():
            return self.get(request, *args, **kwargs)  # type: ignore[no-any-return]
        return super().post(request, *args, **kwargs)  # type: ignore[no-any-return]


class NewPassword(PasswordPage, account_views.PasswordResetFromKeyView):
    success_url = reverse_lazy("account_login")


# Passkeys


class AddPasskey(PasskeyPage, webauthn_views.AddWebAuthnView):
    def page_context(self) -> dict[str, Any]:
        # allauth registers second factors by default. Our passkeys replace the password: verify the user.
        return {"options": json.dumps(auth.begin_registration(self.request.user, passwordless=True))}

    def get_success_url(self) -> str:
        return str(HOME)


class RenamePasskey(AccountPageMixin, webauthn_views.EditWebAuthnView):
    success_url = HOME


class RemovePasskey(AccountPageMixin, webauthn_views.RemoveWebAuthnView):
    success_url = HOME


# The account


def with_person(view: PersonView) -> Callable[[HttpRequest], HttpResponse]:
    """Pass the person of the request. Without one, redirect to sign-in: they may have an account."""

    @wraps(view)
    def page(request: HttpRequest) -> HttpResponse:
        if request.person is None:
            return redirect_to_login(request.get_full_path())
        return view(request, request.person)

    return never_cache(page)


def with_account(view: PersonView) -> Callable[[HttpRequest], HttpResponse]:
    """Require sign-in, and pass the person."""
    return never_cache(login_required(with_person(view)))


@require_safe
@with_account
def account(request: HttpRequest, person: Person) -> HttpResponse:
    return _account(request, person, NameForm(instance=person))


def _account(request: HttpRequest, person: Person, form: NameForm) -> HttpResponse:
    things = devices.guest_belongings(request, person)
    passkeys = Authenticator.objects.filter(user=request.user.pk, type=Authenticator.Type.WEBAUTHN)
    context = {
        "form": form,
        "passkeys": passkeys.order_by("created_at"),
        "passkeys_work": passkeys_work(request),
        "mail": environment.can_send_emails(),
        "turn_mail": turn_mail.is_on(cast(User, request.user)),
        "things": things if any(not thing.stays for thing in things) else [],
        "own": personal_data.list_belongings(person),
    }
    return render(request, "account/account.html", context, status=422 if form.errors else 200)


@require_POST
@with_account
def rename(request: HttpRequest, person: Person) -> HttpResponse:
    form = NameForm(request.POST, instance=person)
    if not form.is_valid():
        person.refresh_from_db()
        return _account(request, person, form)
    form.save()
    messages.success(request, _("Saved."))
    return redirect("companion:account")


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
def change_address(request: DjangoRequest) -> HttpResponse:
    """Change the email address. It allows a password reset, so reauthentication is required."""
    user = cast(User, request.user)
    form = AddressForm(request.POST if request.method == "POST" else None, initial={"email": user.email})
    if not form.is_valid():
        return render(request, "account/address.html", {"form": form}, status=422 if form.errors else 200)
    form.save(user)
    messages.success(request, _("Saved."))
    return redirect("companion:account")


@require_POST
@with_account
def take_belongings(request: HttpRequest, person: Person) -> HttpResponse:
    count = devices.take_belongings(request, person)
    said = ngettext(
        "%(count)s thing is in your account now.", "%(count)s things are in your account now.", count
    )
    messages.success(request, said % {"count": count} if count else _("There was nothing to take along."))
    back = request.POST.get("next", "")
    inside = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return redirect(back if inside else "companion:account")


# Stored data of a person, with an account or as a guest


@require_safe
@with_person
def data_page(request: HttpRequest, person: Person) -> HttpResponse:
    return render(request, "account/data.html", {"own": personal_data.list_belongings(person)})


@heavy("GET")
@require_safe
@with_person
def data_file(request: HttpRequest, person: Person) -> HttpResponse:
    name = f"takujo-{timezone.localdate():%Y-%m-%d}.zip"
    return file_response(personal_data.export_zip(person), "application/zip", name)


@require_http_methods(["GET", "HEAD", "POST"])
@with_person
def delete(request: HttpRequest, person: Person) -> HttpResponse:
    """Ask for confirmation, then erase a person. An account requires reauthentication first."""
    return _delete_account(request) if person.user_id else _delete(request)


def _delete(request: HttpRequest) -> HttpResponse:
    person = cast(Person, request.person)
    guest, host = person.user is None, bool(person.user and person.user.is_staff)
    sent = request.POST if request.method == "POST" else None
    form = EstatesForm(sent, estates=personal_data.list_estates(person))
    # A guest of this device becomes its person again after the account is erased.
    beside = None if guest else guest_of(request)
    things = personal_data.list_belongings(beside) if beside else []
    if sent is None or host or not form.is_valid():
        context = {"own": personal_data.list_belongings(person), "host": host, "form": form, "things": things}
        return render(request, "account/delete.html", context, status=422 if form.errors else 200)
    response = redirect("companion:home")
    if person.user:
        devices.forget_device(response, person.user)
    with_device = bool(beside and request.POST.get("device") == "1")
    with transaction.atomic():
        personal_data.erase(person, form.heirs)
        if beside and with_device:
            personal_data.erase(beside, {})
    logout(request)
    if things and not with_device:
        said = _("Your account is erased. What this device had before you signed in is still here.")
        messages.warning(request, said)
    else:
        messages.success(request, _("Everything of yours is erased."))
    if guest or with_device:
        response.delete_cookie(COOKIE)
    return response


_delete_account = reauthentication_required(_delete)
