"""One move being carried out."""

from __future__ import annotations

from sessions.game import Scene as AnyScene

from .state import Reason, State


class Scene(AnyScene[State]):
    """The state being changed, the fate of this move, and what has happened so far; all of it is public."""

    def finish(self, reason: Reason) -> None:
        """End the journey."""
        self.state.phase, self.state.reason = "over", reason
        self.tell("ended", reason=reason)
