"""The options of a table."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    zombies: bool = False  # [chapter 8]
    react_only_to_shots: bool = False  # [GC-6.2]
    auto_pass: bool = True  # the table passes for a seat without equipment [GC-6.2]
    start: Literal["fate", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"] = "fate"  # [GC-2.3]
