"""Which language a page is in: the one that was chosen, or of what its browser asks for one that is whole."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.middleware.locale import LocaleMiddleware
from django.utils.translation import get_language_from_request


def language_of(request: HttpRequest) -> str:
    """Return the language of a request.

    A browser asks for languages that its person may never have thought about: one that is translated partly
    is for those who chose it.
    """
    asked = request.META.get("HTTP_ACCEPT_LANGUAGE", "")
    request.META["HTTP_ACCEPT_LANGUAGE"] = ",".join(one for one in asked.split(",") if _is_whole(one))
    return get_language_from_request(request)


def _is_whole(asked: str) -> bool:
    """Return whether "ko-KR;q=0.9" asks for a language that we have whole, or not at all."""
    return asked.strip().lower().partition(";")[0].partition("-")[0] not in settings.PARTLY_TRANSLATED


class LanguageMiddleware(LocaleMiddleware):
    """Django's, by our answer."""

    def process_request(self, request: HttpRequest) -> None:
        """Speak the language of the request until it is answered."""
        language_of(request)
        super().process_request(request)
