"""The context of one move of a journey."""

from __future__ import annotations

from sessions.game import Scene as AnyScene

from .state import Reason, State


class JourneyScene(AnyScene[State]):
    """The context of one move. All its events are public."""

    def finish(self, reason: Reason) -> None:
        """End the journey."""
        self.state.phase, self.state.reason = "over", reason
        self.tell("ended", reason=reason)
