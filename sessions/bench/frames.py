"""Middleware for the pages in the frames of a bench."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse

from companion.http import HttpRequest
from django.shortcuts import redirect
from django.templatetags.static import static

#: Pages of tables, which no longer exist when another table has been opened.
LEFT = ("/t/", "/face/")


class FrameMiddleware:
    """Add a script to every page; it reports the page's JavaScript errors to the bench."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 404 and request.path.startswith(LEFT):
            return redirect("bench:sit")
        if not response.streaming and response.get("Content-Type", "").startswith("text/html"):
            script = f'<script src="{static("bench/frame.js")}"></script>'
            response.content = response.content.replace(b"<head>", b"<head>" + script.encode(), 1)
        return response
