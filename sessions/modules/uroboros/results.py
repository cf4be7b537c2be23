"""The results that everybody knows."""

from __future__ import annotations

from typing import Any

from .state import Result, State

RESULTS_KEPT = 10


def add(state: State, result: Result, text: str) -> None:
    """Make this the newest result.

    :param text: how an attack was made.
    """
    state.results = [*state.results, result][-RESULTS_KEPT:]
    state.result_text = text


def fields(result: Result) -> dict[str, Any]:
    """Return a result as the data of an event."""
    return {name: getattr(result, name) for name in result.__struct_fields__}
