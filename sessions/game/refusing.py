"""Refusals by the rules. Pure Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .vocabulary import IllegalMove


def demand(holds: object, code: str, rule: str, **details: Any) -> None:
    """Refuse the move unless the condition holds.

    :param rule: the id of the rule that demands it.
    :raises IllegalMove: ``code``, if the condition does not hold.
    """
    if not holds:
        raise IllegalMove(code, rule=rule, **details)


def refusal(check: Callable[..., object], *given: Any) -> str | None:
    """Call a check with these arguments; return the code of its refusal, None if it does not refuse."""
    try:
        check(*given)
    except IllegalMove as refused:
        return refused.code
    return None


def allows(check: Callable[..., object], *given: Any) -> bool:
    """True if a check does not refuse these arguments."""
    return refusal(check, *given) is None
