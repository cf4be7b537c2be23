"""The first game of LIAR MAFIA: the newcomer learns to catch a lie.

The first claim of the bot Blue is true and every later one is a lie, so that the lesson can say so. Blue has
BOSS in hand, so that the loss of a field card does not end the game.
"""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Fate, FirstGame, Seat

from .moves import AnyMove, Declare, GainChip, Hit, Pass, Place, Replace, Rotate
from .state import SLOTS, Action, Laid, State
from .view import View

NEWCOMER: Seat = "p1"
TELLER: Seat = "p2"
FIELD = (Laid("police", "up"), Laid("hitman", "down"))
#: Blue's lies in their order, the most threatening first.
LIES: tuple[Action, ...] = ("murder", "smuggle", "embezzle")


def ends(state: State) -> str:
    """Return ``caught`` once Blue is caught lying."""
    caught = state.phase == "penalty" and state.loser == TELLER and state.shown is None
    return "caught" if caught else ""


def step(view: View) -> str:
    """Return the lesson's step: a phase in which the newcomer is asked, or the present activity of Blue."""
    assert view.mine
    if view.phase == "over":
        return ""
    if view.phase == "place":
        return "placed" if view.players[NEWCOMER].ready else "place"
    if NEWCOMER not in view.waiting_for:
        return "answers" if view.turn == NEWCOMER else "thinks"
    if view.phase == "react":
        return "lie" if view.turns else "truth"
    if view.phase == "declare" and not set(view.mine.able) & set(view.payable[NEWCOMER]):
        return "all_lies"
    return "hit" if "hit" in view.mine.can else view.phase


def script(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the next move of Blue, who believes every claim."""
    assert view.me
    match view.phase:
        case "place":
            return Place(FIELD)
        case "declare":
            return Declare(_claim(view, legal))
        case "react" | "rereact":
            return Pass()
        case "resolve" if view.claim and view.claim.action == "embezzle":
            return GainChip("take")
        case "resolve":
            return next(move for move in legal if isinstance(move, Hit))
        case "replace":
            return Replace("down")
        case _:
            # BAD POLICE, else BOSS: the next claim stays a lie, and HITMAN is never upright.
            cards = [laid.card if laid else None for laid in view.me.slots]
            return Rotate(SLOTS[cards.index("police" if "police" in cards else "boss")])


def _claim(view: View, legal: Sequence[AnyMove]) -> Action:
    """Return a true claim first, then lies. A lie always exists: the two free actions are never both true."""
    if view.turns == 0:
        return "embezzle"
    assert view.mine
    return next(action for action in LIES if action not in view.mine.able and Declare(action) in legal)


first_game = FirstGame(players=2, deal="nothing is drawn", options={"first": TELLER}, step=step, ends=ends)
