"""Respond to htmx and to plain forms from one URL."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers


def render_fragment(
    request: HttpRequest, fragment: str, context: dict[str, Any], *, page: str
) -> HttpResponse:
    """Respond to a change with the fragment for htmx, or with a redirect to the page for a plain form.

    :param fragment: the template of the fragment; its root element has the id that the form targets.
    :param page: the URL of the page that contains the fragment.
    """
    if not request.headers.get("HX-Request"):
        return redirect(page)
    response = render(request, fragment, context)
    patch_vary_headers(response, ["HX-Request"])
    return response
