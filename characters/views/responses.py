"""The shape of the views of characters: data that a form sends, buttons, and refusals as sentences."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from characters import access
from characters.models import Character
from characters.models.creation import ADDRESS_LENGTH
from characters.refusals import sentence
from characters.rules import SheetRefused
from companion.identity.people import HttpRequest

View = Callable[..., HttpResponse]
Action = Callable[..., HttpResponse | None]
#: The response after a button's action: to a request, for a character, with a refusal as a sentence or "".
Answer = Callable[[HttpRequest, Character, str], HttpResponse]

form_page = require_http_methods(["GET", "HEAD", "POST"])


def action(
    answer: Answer, find: Callable[[HttpRequest, int], Character] = access.get_own_character
) -> Callable[[Action], View]:
    """Decorate the action of a button, which receives the character. Only POST is allowed.

    :param answer: the response if the action returns none, or if it is refused.
    :param find: the access check.
    """

    def decorate(act: Action) -> View:
        @require_POST
        @wraps(act)
        def inner(request: HttpRequest, pk: int, **kwargs: Any) -> HttpResponse:
            character, response = find(request, pk), None
            try:
                response = act(request, character, **kwargs)
            except SheetRefused as refused:
                return answer(request, character, report_refusal(request, refused))
            return response or answer(request, character, "")

        return inner

    return decorate


def redirect_to(page: Callable[[Character], str]) -> Answer:
    """Return the answer that redirects to a page of the character."""
    return lambda request, character, refusal: redirect(page(character))


def report_refusal(request: HttpRequest, refused: SheetRefused) -> str:
    """Return a refusal as a sentence. Without htmx, the next page shows it as a message."""
    if not request.headers.get("HX-Request"):
        messages.error(request, sentence(refused))
    return sentence(refused)


def run_service(request: HttpRequest, verb: Callable[[], Any]) -> str:
    """Call ``verb`` and report its refusal. Return the refusal as a sentence, or ""."""
    try:
        verb()
    except SheetRefused as refused:
        return report_refusal(request, refused)
    return ""


def submit_form(form: Form, verb: Callable[[], Any]) -> bool:
    """Call ``verb`` if the form is valid; add its refusal to the form. Return True on success."""
    if not form.is_valid():
        return False
    try:
        verb()
    except SheetRefused as refused:
        form.add_error(None, sentence(refused))
    return form.is_valid()


def posted_data(request: HttpRequest) -> dict[str, Any]:
    """Return what a form is bound to, as its arguments: none if the page is only shown."""
    return {"data": request.POST, "files": request.FILES} if request.method == "POST" else {}


def status(form: Form) -> int:
    """Return the HTTP status of a page with this form: 422 if the form was sent."""
    return 422 if form.is_bound else 200


def local_path(address: str) -> str:
    """Return a path of this site unchanged, "" for any other address."""
    is_local = address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return address if is_local and len(address) <= ADDRESS_LENGTH else ""


def forbid_caching(response: HttpResponse) -> HttpResponse:
    """Forbid caching and indexing, since a sheet that is shown today may be private tomorrow."""
    response["Cache-Control"] = "no-store"
    response["X-Robots-Tag"] = "noindex"
    return response
