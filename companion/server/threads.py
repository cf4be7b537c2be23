"""The threads that work for the event loop: every one of them answers."""

from __future__ import annotations

from typing import Any

from asgiref.sync import SyncToAsync

#: What an event loop cannot take from a thread. A StopIteration is lost, and its caller waits for ever (until Python
#: 3.11.8); the others are no errors to ``except Exception``, and some of them end the server.
NOT_CARRIED = StopIteration, GeneratorExit, SystemExit, KeyboardInterrupt

_thread_handler = SyncToAsync.thread_handler


def carry_exceptions() -> None:
    """Turn what a view, a template, a middleware or a socket's work must not raise into a RuntimeError.

    All of Django's and of channels' threads work in this one method of asgiref.
    """
    SyncToAsync.thread_handler = _handle  # type: ignore[method-assign]


def _handle(self: SyncToAsync[Any, Any], *arguments: Any, **named: Any) -> Any:
    try:
        return _thread_handler(self, *arguments, **named)  # type: ignore[no-untyped-call]
    except NOT_CARRIED as problem:
        raise RuntimeError(f"{type(problem).__name__} got out") from problem
