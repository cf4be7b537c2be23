"""QR codes as inline SVG."""

from __future__ import annotations

from functools import lru_cache

import segno
from django.utils.safestring import SafeString, mark_safe


@lru_cache(maxsize=64)
def qr_svg(url: str) -> SafeString:
    """Render a QR code, dark on white with its quiet zone also in dark mode, or phones could not read it."""
    code = segno.make(url, error="m", micro=False)
    return mark_safe(code.svg_inline(border=4, dark="#1d2321", light="#ffffff", omitsize=True))  # noqa: S308
