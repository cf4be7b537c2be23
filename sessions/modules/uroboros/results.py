"""The public results of tasks."""

from __future__ import annotations

from typing import Any

from .state import State, TaskResult

RESULTS_KEPT = 10


def add_result(state: State, result: TaskResult, text: str) -> None:
    """Make this the newest result.

    :param text: the description of an attack.
    """
    state.results = [*state.results, result][-RESULTS_KEPT:]
    state.result_text = text


def result_fields(result: TaskResult) -> dict[str, Any]:
    """Return a result as the data of an event."""
    return {name: getattr(result, name) for name in result.__struct_fields__}
