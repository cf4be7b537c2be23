"""Turn errors of games into GameFailed, which names the game and the function that broke the contract.

Games come from any author. The registry wraps all their functions, so that callers need to handle only one
exception, after which the table is unchanged.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from functools import wraps
from types import CodeType, FrameType
from typing import Any

import msgspec

from companion.fate import BadFate
from sessions.game import AnyModule, BadTable, GameFailed, IllegalMove, Module

#: Exceptions that the contract allows, by function.
MAY_RAISE: dict[str, tuple[type[Exception], ...]] = {
    "apply": (IllegalMove,),
    "setup": (BadTable, msgspec.ValidationError),
    "sheets.seat_of": (ValueError,),
}


class Hung(BaseException):
    """Raised from outside in a game call that does not return. Handlers of the game should not catch it."""


#: Exceptions that break the contract: all but KeyboardInterrupt (Ctrl-C in a terminal).
PROBLEM = Exception, SystemExit, GeneratorExit, Hung


class guard_call:  # noqa: N801 (used as a function)
    """Run code of a game, and raise GameFailed in place of any exception of it."""

    # Not by contextlib: every region of every page is drawn in one of these.
    def __init__(self, key: str, what: str) -> None:
        self.key, self.what = key, what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> None:
        if isinstance(problem, PROBLEM) and not isinstance(problem, GameFailed):
            raise GameFailed(self.key, self.what) from problem


def guard_module(module: AnyModule) -> AnyModule:
    """Return the module with its functions wrapped: exceptions against the contract become GameFailed."""
    whole: AnyModule = _guard_group(module.key, "", module)
    return whole


def _guard_group(key: str, path: str, group: Any) -> Any:
    given = {each.name: getattr(group, each.name) for each in fields(group)}
    return replace(group, **{name: _careful(key, path + name, one) for name, one in given.items()})


def _careful(key: str, name: str, given: Any) -> Any:
    if isinstance(given, type):
        return given
    if is_dataclass(given):
        return _guard_group(key, f"{name}.", given)
    ours = getattr(given, "__module__", "") == Module.__module__  # the contract's own defaults
    if ours or name == "move" or not callable(given):
        return given
    allowed: tuple[type[Exception], ...] = (GameFailed, BadFate, *MAY_RAISE.get(name, ()))

    @wraps(given)
    def call(*values: Any, **named: Any) -> Any:
        try:
            return given(*values, **named)
        except allowed:
            raise
        except PROBLEM as problem:
            raise GameFailed(key, name) from problem

    _guards.add(call.__code__)  # type: ignore[attr-defined]
    return call


#: The code objects of all wrappers; ``game_call`` recognizes frames by them.
_guards: set[CodeType] = set()


def game_call(frame: FrameType) -> str:
    """Return the game, the function and the seat of a wrapper's frame; "" for any other frame."""
    if frame.f_code not in _guards:
        return ""
    known = frame.f_locals
    first, second = (*known["values"], None, None)[:2]
    seat = second if isinstance(second, str) else getattr(first, "seat", None)
    return f"{known['key']}: {known['name']}" + (f" of {seat}" if seat else "")
