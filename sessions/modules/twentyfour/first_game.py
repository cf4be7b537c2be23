"""The first game of 24: one incident, one die, one challenge won.

Owl lays cards at every incident so that a newcomer who follows the instructions is one power behind; the deal
that makes the dice succeed was found by trying. Other placements meet Owl at the next incident.
"""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Fate, FirstGame, Seat

from .bot import bot
from .moves import AnyMove, Decline, Place
from .state import HERO, INCIDENTS, Action, State
from .view import View

NEWCOMER: Seat = "p1"
RIVAL: Seat = "p2"
#: By seat, the first cards of the others: Owl's is large where the newcomer is to challenge.
FIRST: dict[Seat, tuple[Action, Action, Action, Action, Action]] = {
    RIVAL: ("5", "1", "0", "3", "0"),
    "p3": ("0", "0", "1", "2", "3"),
}
#: Owl's power at an incident minus the newcomer's first card there.
AHEAD = 3


def ends(state: State) -> str:
    """Return the end that was reached, "" before it.

    ``first``: a challenge took the main card; ``won``: it only succeeded; ``day``: the season's last
    incident is over.
    """
    dice = state.dice
    if dice and dice.bonus:
        solved = next((one for one in state.solved if one.number == dice.incident), None)
        if solved:
            return "first" if solved.main_to == NEWCOMER else "won"
    return "day" if state.phase == "style" or state.season > 1 else ""


def step(view: View) -> str:
    """Return the newcomer's step: a placement as instructed or their own, a challenge, or waiting."""
    assert view.me
    asked = NEWCOMER in view.waiting_for
    match view.phase:
        case "place1" | "place2" if not asked:
            return "placed"
        case "place2" if view.me.first and view.me.first[0] == "4" and "2" in view.me.available:
            return "place2"
        case "place2":
            return "place2_freely"
        case "challenge" if not asked:
            return "others"
    return view.phase


def script(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the next move of Owl or Cat; they never challenge."""
    assert view.seat
    match view.phase:
        case "place1":
            return Place(FIRST[view.seat])
        case "place2" if view.seat == RIVAL:
            return _just_ahead(view)
        case "place2":
            assert view.me
            a, b, c, d, e = sorted(view.me.hand)
            return Place((a, b, c, d, e))
        case "challenge":
            return Decline()
    return bot(view, legal, fate)


def _just_ahead(view: View) -> Place:
    """Lay second cards that bring Owl ahead of the newcomer's open first cards, from incident 1 on."""
    assert view.me
    theirs, hand = view.players[NEWCOMER].first or (), sorted(view.me.available)
    laid: list[Action] = []
    for place in range(INCIDENTS):
        wanted = _hours(theirs[place]) + AHEAD - _hours(FIRST[RIVAL][place])
        nearest = min(hand, key=lambda card: (card == HERO, abs(_hours(card) - wanted)))
        hand.remove(nearest)
        laid.append(nearest)
    a, b, c, d, e = laid
    return Place((a, b, c, d, e))


def _hours(card: str) -> int:
    return 0 if card == HERO else int(card)


first_game = FirstGame(players=3, deal="5333", options={"detectives": "random"}, step=step, ends=ends)
