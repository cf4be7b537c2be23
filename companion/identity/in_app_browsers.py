"""The browsers within LINE, Instagram and Facebook: they forget cookies, and so who somebody is."""

from __future__ import annotations

from companion.http import HttpRequest

#: What each of them says of itself. LINE opens the real browser where a link asks for it.
SIGNS = {"line": (" Line/",), "instagram": ("Instagram ",), "facebook": ("FBAN/", "FBAV/", "FB_IAB/")}


def app_of(request: HttpRequest) -> str:
    """Return the app whose own browser this is; "" for a real one."""
    agent = request.headers.get("User-Agent", "")
    return next((app for app, signs in SIGNS.items() if any(sign in agent for sign in signs)), "")
