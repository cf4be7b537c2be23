"""Pages in frames of the bench."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static

#: Pages of tables, which go when another one is begun.
LEFT = ("/t/", "/face/")


class FrameMiddleware:
    """Gives every page a script that tells the bench what its own scripts complain of."""

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
