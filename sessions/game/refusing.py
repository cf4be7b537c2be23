"""Refusals by the rules. Pure Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .vocabulary import IllegalMove


def demand(holds: object, code: str, rule: str, **details: Any) -> None:
    """Refuse unless the condition holds.

    :param rule: the id of the rule that demands it.
    :raises IllegalMove: ``code``.
    """
    if not holds:
        raise IllegalMove(code, rule=rule, **details)


def refusal(check: Callable[..., object], *given: Any) -> str | None:
    """Return the code with which a check refuses what it is given, None when it lets it pass."""
    try:
        check(*given)
    except IllegalMove as refused:
        return refused.code
    return None


def allows(check: Callable[..., object], *given: Any) -> bool:
    """True if a check lets pass what it is given."""
    return refusal(check, *given) is None
