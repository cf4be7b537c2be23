"""The options of a table."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    detectives: Literal["choose", "random"] = "choose"  # [TF-2.1]
