"""Home, and whether the server is well."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """The front door: enter a code, make a character, or run a session."""
    return render(request, "home.html")


@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """Answer "ok" while the process serves."""
    return HttpResponse("ok", content_type="text/plain")
