"""The first game of Good Cop Bad Cop: look at a card, arm, aim, shoot.

The bot Owl has the kingpin in the middle of its three cards, and never shoots first. It takes the newcomer's
equipment away, so that the table then passes for the newcomer.
"""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Fate, FirstGame, Seat

from .moves import AnyMove, Arm, Discard, Equip, Investigate, Keep, Pass, Play, Shoot
from .state import State
from .view import View

NEWCOMER: Seat = "p1"
RIVAL: Seat = "p2"
#: The lesson ends after this many turns, even if the newcomer has not shot.
TURNS = 24


def ends(state: State) -> str:
    """Return ``kingpin`` once the kingpin is hit, ``shot`` once another player is, ``late`` after ``TURNS``.

    Only the newcomer shoots in this game.
    """
    if any(card.wounded and card.face == "kingpin" for one in state.players.values() for card in one.cards):
        return "kingpin"
    hit = any(not one.alive or any(card.wounded for card in one.cards) for one in state.players.values())
    return "shot" if hit else "late" if state.turns > TURNS else ""


def kingpin_of(view: View) -> Seat | None:
    """Return the other seat that the newcomer knows to have the kingpin, if any."""
    holders = (
        seat for seat, one in view.players.items() if any(card.face == "kingpin" for card in one.cards)
    )
    return next((seat for seat in holders if seat != NEWCOMER), None)


def step(view: View) -> str:
    """Return the lesson's step: the newcomer's next action, a question of the table, or a reason to wait."""
    assert view.mine
    me, found = view.players[NEWCOMER], kingpin_of(view)
    if view.phase == "over":
        return ""
    if not view.mine.asked and view.declared and view.declared["type"] == "shoot":
        return "fires"
    if not view.mine.asked:
        return "threatened" if view.players[RIVAL].aim == NEWCOMER else "others"
    if view.phase in ("reaction", "end_reaction", "dice"):
        return "window"
    if view.phase != "action":
        return view.phase
    if me.armed:
        return "shoot" if me.can_fire and me.aim == found else "aim_later"
    return "arm" if found else "look"


def script(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the next move of a seat other than the newcomer's: its preferred legal move."""
    return min(legal, key=lambda move: _liking(view, move))


def _liking(view: View, move: AnyMove) -> int:
    """Return a move's rank in a seat's preference, 0 first; only Owl robs and arms against the newcomer."""
    owl = view.seat == RIVAL
    match move:
        case Play("evidence_bag", source=source) if owl and source == NEWCOMER:
            return 0
        case Arm() if owl and view.players[NEWCOMER].armed and move.aim == NEWCOMER:
            assert view.me
            return 2 if move.reveal is not None and view.me.cards[move.reveal] == "kingpin" else 1
        case Pass() | Keep() | Discard():
            return 3
        case Investigate():
            return 4 if owl is (move.seat == NEWCOMER) else 5
        case Equip():
            return 6
        case Shoot():
            return 8
    return 7


first_game = FirstGame(
    players=4,
    deal="4636",
    options={"react_only_to_shots": True, "start": NEWCOMER},
    step=step,
    ends=ends,
)
