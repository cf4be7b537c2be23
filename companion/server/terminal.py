"""The language of the terminal in which a command runs."""

from __future__ import annotations

import os

from django.conf import settings


def language() -> str:
    """Return the language that the terminal speaks if we do, too, all of it, else the first of ours."""
    spoken = os.environ.get("LANG", "")[:2]
    is_ours = spoken in dict(settings.LANGUAGES) and spoken not in settings.PARTLY_TRANSLATED
    return spoken if is_ours else settings.LANGUAGE_CODE
