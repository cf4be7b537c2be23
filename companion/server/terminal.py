"""The language of the terminal in which a command runs."""

from __future__ import annotations

import os

from django.conf import settings


def language() -> str:
    """Return the language that the terminal speaks if we do, too, else the first of ours."""
    spoken = os.environ.get("LANG", "")[:2]
    return spoken if spoken in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
