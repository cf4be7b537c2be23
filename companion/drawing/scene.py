"""Functions of templates that want to know more than their arguments."""

from __future__ import annotations

from collections.abc import Callable

Function = Callable[..., str]


def of_scene(*names: str) -> Callable[[Function], Function]:
    """Let a function have these values of the scene before its arguments."""

    def marked(function: Function) -> Function:
        function.of_scene = names  # type: ignore[attr-defined]
        return function

    return marked


def of_template(function: Function) -> Function:
    """Let a function have the name of the template that calls it before its arguments.

    It returns the same for the same arguments.
    """
    function.of_template = True  # type: ignore[attr-defined]
    return function
