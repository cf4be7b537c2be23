"""Defaults for every page: its language, caching and websockets, messages of forms, and fragments for htmx.

Middlewares enforce them, so that no new view can forget them. The error messages of all forms are friendlier
than Django's own, which sound like an authority.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core import validators
from django.core.exceptions import DisallowedHost, ObjectDoesNotExist
from django.forms import fields
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.locale import LocaleMiddleware
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.http import content_disposition_header
from django.utils.translation import get_language_from_request
from django.utils.translation import gettext_lazy as _

logger = logging.getLogger(__name__)
#: The largest id that our databases support.
LARGEST = 2**63 - 1
#: The endings of URL parameters that hold an id.
ROWS = ("pk", "item")


class Middleware:
    """The base of our Django middlewares: it only passes a request on."""

    def __init__(self, get_response: Callable[[Any], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponse:
        return self.get_response(request)


class GuardMiddleware(Middleware):
    """Disable caching by default, respond 404 to ids out of range, and restrict websockets to our host.

    If another device deletes a row while a view works on it, the response is 404, too.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if "Cache-Control" not in response:
            patch_cache_control(response, private=True, no_store=True)
        response._csp_update = {"connect-src": own_sockets(request)}  # type: ignore[attr-defined]
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
    ) -> None:
        rows = [value for name, value in kwargs.items() if name.endswith(ROWS)]
        if any(isinstance(row, int) and row > LARGEST for row in rows):
            raise Http404

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        if isinstance(exception, ObjectDoesNotExist):
            logger.warning("%s: %s", request.path, exception, exc_info=exception)
            raise Http404 from exception


def own_sockets(request: HttpRequest) -> list[str]:
    """Older Safari does not count our websockets as 'self' in a CSP."""
    try:
        host = request.get_host()
    except DisallowedHost:
        return []
    return [f"ws://{host}", f"wss://{host}"]


def file_response(content: str | bytes, content_type: str, name: str) -> HttpResponse:
    """Let the browser save ``content`` under a file name in any script."""
    headers = {"Content-Disposition": str(content_disposition_header(True, name))}
    return HttpResponse(content, content_type=content_type, headers=headers)


def render_fragment(
    request: HttpRequest, fragment: str, context: dict[str, Any], *, page: str
) -> HttpResponse:
    """Respond to a change with the fragment for htmx, or with a redirect to the page for a plain form.

    :param fragment: the template of the fragment; its root element has the id that the form targets.
    """
    if not request.headers.get("HX-Request"):
        return redirect(page)
    response = render(request, fragment, context)
    patch_vary_headers(response, ["HX-Request"])
    return response


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


def language_of(request: HttpRequest) -> str:
    """Return the user's choice, or the browser's first preference that is fully translated.

    A partly translated language must be chosen here: the preferences of a browser are often its defaults.
    """
    asked = request.META.get("HTTP_ACCEPT_LANGUAGE", "").split(",")
    # The language of an entry such as "ko-KR;q=0.9" is "ko".
    partly = settings.PARTLY_TRANSLATED
    whole = (one for one in asked if re.split("[-;]", one.strip().lower())[0] not in partly)
    request.META["HTTP_ACCEPT_LANGUAGE"] = ",".join(whole)
    return get_language_from_request(request)


class LanguageMiddleware(LocaleMiddleware):
    """Django's ``LocaleMiddleware`` without partly translated languages from Accept-Language."""

    def process_request(self, request: HttpRequest) -> None:
        language_of(request)
        super().process_request(request)
