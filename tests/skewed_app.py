"""The product on a machine whose clock is wrong by ``TAKUJO_TEST_SKEW`` seconds."""

from __future__ import annotations

import os
import time
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

SKEW = float(os.environ.get("TAKUJO_TEST_SKEW", "0"))
_time = time.time


class _Datetime(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return datetime.now(tz) + timedelta(seconds=SKEW)


time.time = lambda: _time() + SKEW
timezone.datetime = _Datetime  # type: ignore[attr-defined]

from companion.asgi import application  # noqa: E402

__all__ = ["application"]
