"""Takujō as a web app on a phone's home screen: manifest, service worker and offline page.

Browsers allow service workers only over https and on localhost; on plain http they are not used.
"""

from __future__ import annotations

from functools import cache

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from companion.models import Person
from companion.version import version

#: The response header that names the person of a page; the device deletes its offline copies of others.
HEADER = "Kept-Of"
#: The background of the dark theme in static/css/tokens.css, which phones show before the page.
GROUND = "#10201b"
#: Name, pixels and purpose; "make pictures" renders them from favicon.svg.
ICONS = (("icon-192", 192, "any"), ("icon-512", 512, "any"), ("icon-maskable", 512, "maskable"))


def build() -> str:
    """Return an identifier that changes with the code and with any static file."""
    return f"{version()}.{getattr(staticfiles_storage, 'manifest_hash', '')}"


def mark(person: Person | None) -> str:
    """Return the name of a person's offline cache on a device, a one-way hash; "" without a person."""
    if person is None:
        return ""
    return salted_hmac("companion.pages.home_screen", person.key.hex, algorithm="sha256").hexdigest()[:24]


@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    content = {
        "id": "/",
        "name": _("Takujō"),
        "short_name": _("Takujō"),
        "description": _("a companion for tabletop nights"),
        "lang": get_language(),
        "start_url": reverse("companion:home"),
        "scope": reverse("companion:home"),
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": [
            {
                "src": static(f"img/{name}.png"),
                "sizes": f"{size}x{size}",
                "purpose": purpose,
                "type": "image/png",
            }
            for name, size, purpose in ICONS
        ],
    }
    response = JsonResponse(content, content_type="application/manifest+json")
    patch_vary_headers(response, ["Cookie", "Accept-Language"])
    return response


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker. Its text changes with any static file, so it never serves old code."""
    headers = {"Cache-Control": "no-cache"}
    return HttpResponse(_worker_script(), content_type="text/javascript", headers=headers)


@cache
def _worker_script() -> str:
    source = (settings.SHARED_DIR / "static" / "js" / "worker.js").read_text("utf-8")
    return source.replace("__VERSION__", build()).replace("__STATIC__", settings.STATIC_URL)


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    return render(request, "offline.html")
