"""The language of the terminal in which a command runs."""

from __future__ import annotations

import os

from django.conf import settings


def terminal_language() -> str:
    """Return the terminal's language if it is fully translated, else ``LANGUAGE_CODE``."""
    spoken = os.environ.get("LANG", "")[:2]
    is_ours = spoken in dict(settings.LANGUAGES) and spoken not in settings.PARTLY_TRANSLATED
    return spoken if is_ours else settings.LANGUAGE_CODE
