"""A bot that lies if it has no high card, and doubts claims that the cards it knows make unlikely."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Fate

from .moves import AnyMove, Believe, Doubt, Lay
from .state import CARDS, COPIES, OpenClaim
from .view import View

#: The number that it claims for lower cards, and the lowest claim that it may doubt.
HIGH = 4
#: It believes a claim if the player has the card with this probability at least.
LIKELY = 0.5


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return a legal move, chosen from the seat's own view."""
    return _answer(view, view.claim) if view.claim else _lay(view)


def _lay(view: View) -> Lay:
    """Lay the highest card before the player with the fewest points."""
    assert view.hand
    points = {seat: total for seat, total in view.totals.items() if seat != view.turn}
    card, number = max(view.hand.items(), key=lambda held: held[1])
    return Lay(card, min(points, key=lambda seat: points[seat]), max(number, HIGH))


def _answer(view: View, claim: OpenClaim) -> AnyMove:
    """Doubt a high claim of a player who is unlikely to have the card."""
    assert view.turn
    known = [*(view.hand or {}).values(), *(view.down or ()), *view.shown]
    others = 1 - (len(COPIES) - known.count(claim.number)) / (len(CARDS) - len(known))
    has_it = 1 - others ** (view.players[view.turn].hand_count + 1)
    return Doubt() if claim.number >= HIGH and has_it < LIKELY else Believe()
