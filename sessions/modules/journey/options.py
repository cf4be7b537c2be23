"""The options of a table."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """``single_key``: the points of a single event at a location, 1 or the full key bonus. [JO-5.2]"""

    single_key: Literal[1, "full"] = 1
