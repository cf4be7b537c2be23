"""One move being carried out."""

from __future__ import annotations

from sessions.game import Scene as AnyScene

from .state import Judgement, State


class Scene(AnyScene[State]):
    """The state being changed, the fate of this move, and what has happened so far."""

    @property
    def judgement(self) -> Judgement:
        """The incident being judged; asked for only while there is one."""
        assert self.state.judgement
        return self.state.judgement
