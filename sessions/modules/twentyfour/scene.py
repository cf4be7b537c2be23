"""The context in which one move is applied."""

from __future__ import annotations

from sessions.game import Scene as AnyScene

from .state import Judgement, State


class TwentyFourScene(AnyScene[State]):
    """The state being changed, the fate of this move, and its events so far."""

    @property
    def judgement(self) -> Judgement:
        """The incident being judged. There must be one."""
        assert self.state.judgement
        return self.state.judgement
