"""Decorators for template functions that need context values or the template's name."""

from __future__ import annotations

from collections.abc import Callable

Function = Callable[..., str]


def of_scene(*names: str) -> Callable[[Function], Function]:
    """Pass these context values to a function before its own arguments."""

    def decorate(function: Function) -> Function:
        function.of_scene = names  # type: ignore[attr-defined]
        return function

    return decorate


def of_template(function: Function) -> Function:
    """Pass the name of the calling template to a function before its own arguments.

    The function must be pure, as its result can become a constant.
    """
    function.of_template = True  # type: ignore[attr-defined]
    return function
