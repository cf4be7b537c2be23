"""Detection of the in-app browsers of LINE, Instagram and Facebook, which lose cookies and thus guests."""

from __future__ import annotations

from companion.http import HttpRequest

#: Substrings of their User-Agent headers. LINE opens the regular browser if a link requests it.
IN_APP_BROWSERS = {"line": (" Line/",), "instagram": ("Instagram ",), "facebook": ("FBAN/", "FBAV/", "FB_IAB/")}


def in_app_browser(request: HttpRequest) -> str:
    """Return the app of an in-app browser; "" for a regular browser."""
    agent = request.headers.get("User-Agent", "")
    return next((app for app, signs in IN_APP_BROWSERS.items() if any(sign in agent for sign in signs)), "")
