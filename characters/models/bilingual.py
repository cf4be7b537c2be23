"""Reference texts in Japanese, as the source has them, and in English."""

from __future__ import annotations

from typing import Any

from django.utils.translation import get_language


def in_active_language(row: Any, field: str) -> str:
    """Return ``field_ja`` or ``field_en`` of a row, as the reader reads."""
    language = "ja" if (get_language() or "ja").startswith("ja") else "en"
    text: str = getattr(row, f"{field}_{language}")
    return text
