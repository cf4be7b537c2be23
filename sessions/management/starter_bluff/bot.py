"""Plays a seat from its own view: lies when it has nothing high, and doubts what its cards speak against."""

from __future__ import annotations

from collections.abc import Sequence

from sessions.game import Fate

from .moves import AnyMove, Believe, Doubt, Lay
from .state import CARDS, COPIES, Claim
from .view import View

#: What it says of a low card, and from when on it suspects that others do.
HIGH = 4
#: How likely it must be that somebody has a card, for them to be believed.
LIKELY = 0.5


def bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return one of the legal moves."""
    return _answer(view, view.claim) if view.claim else _lay(view)


def _lay(view: View) -> Lay:
    """Lay the highest card before whoever has the fewest points."""
    assert view.hand
    points = {seat: total for seat, total in view.totals.items() if seat != view.turn}
    card, number = max(view.hand.items(), key=lambda held: held[1])
    return Lay(card, min(points, key=lambda seat: points[seat]), max(number, HIGH))


def _answer(view: View, claim: Claim) -> AnyMove:
    """Doubt a high claim of somebody who hardly has the card."""
    assert view.turn
    known = [*(view.hand or {}).values(), *(view.down or ()), *view.shown]
    others = 1 - (len(COPIES) - known.count(claim.number)) / (len(CARDS) - len(known))
    has_it = 1 - others ** (view.players[view.turn].hand_count + 1)
    return Doubt() if claim.number >= HIGH and has_it < LIKELY else Believe()
