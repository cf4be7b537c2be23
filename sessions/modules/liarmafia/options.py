"""The options of a table."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    first: Literal["fate", "p1", "p2"] = "fate"  # [LM-2.1]
    adjust_optional: bool = False  # ``pass`` may end the turn without turning or exchanging a card [LM-3.7]
    second_edition: bool = False  # only abilities of own field cards can be claimed
