"""The language of a request: the user's choice, or the browser's first fully translated preference."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.utils.translation import get_language_from_request


def language_of(request: HttpRequest) -> str:
    """Return the language of a request.

    A partly translated language is used only if the user chose it here: the preferences of a browser are
    often its defaults and no choice.
    """
    asked = request.META.get("HTTP_ACCEPT_LANGUAGE", "")
    request.META["HTTP_ACCEPT_LANGUAGE"] = ",".join(one for one in asked.split(",") if _is_whole(one))
    return get_language_from_request(request)


def _is_whole(asked: str) -> bool:
    """True unless an entry of Accept-Language, such as "ko-KR;q=0.9", names a partly translated language."""
    return asked.strip().lower().partition(";")[0].partition("-")[0] not in settings.PARTLY_TRANSLATED


class LanguageMiddleware(LocaleMiddleware):
    """Django's ``LocaleMiddleware`` without partly translated languages from Accept-Language."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of the request."""
        language_of(request)
        super().process_request(request)
