"""One URL for a part and its page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers


def changed(request: HttpRequest, fragment: str, context: dict[str, Any], *, page: str) -> HttpResponse:
    """Answer a change: the changed fragment for htmx, the whole page again for a plain form.

    :param fragment: template of the part; its root carries the id that the form targets.
    :param page: address of the page that holds the part.
    """
    if not request.headers.get("HX-Request"):
        return redirect(page)
    response = render(request, fragment, context)
    patch_vary_headers(response, ["HX-Request"])
    return response
