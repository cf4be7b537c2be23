"""The strong level counts cards: what rivals may still hold is known, and so is the chance of each rank.

Over 1,000 games one strong bot among plain ones wins 58 % with three seats (a third would be chance) and 53 %
with four; with five it won 52 % of 200. Measure again with
``python -m sessions.modules.twentyfour.tests.measure 1000``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from sessions.game import Fate

from .bot import ASSIST, bot, standing, worth
from .cards import HERO, Action, value
from .foreseeing import hope, pair, rivals
from .moves import AnyMove, Challenge, Decline, Place
from .odds import Odds
from .sharing import Share, improved
from .state import INCIDENTS, SEASONS
from .view import JudgementView, MyView, PlayerView, View

TRIES = 2  # ways to share the cards out that are improved; the best is laid
#: The cost of a wound for each season to come, and of a scratch at the first incident.
WOUND, SCRATCH = 1.0, 0.35
SEASON = 9.0  # the VP of a season, for who would not see it
MARGIN = 0.1  # what a challenge has to promise more than declining


def strong_bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the move that promises most; as the plain level where there is nothing to count."""
    assert view.me
    assert view.seat
    mine = view.players[view.seat]
    match legal[0]:
        case Place() if view.me.first and view.phase == "place2":
            return _second(view, view.me, view.me.first, mine)
        case Place():
            return _first(view, view.me, mine, fate)
        case Challenge() | Decline():
            assert view.judgement
            return _challenge(view, view.judgement, mine)
    return bot(view, legal, fate)


def _first(view: View, me: MyView, mine: PlayerView, fate: Fate) -> Place:
    """Share all ten cards out as if nothing were learnt between the placements, and lay one of each two."""
    places = [_Incident(view, me, mine, place) for place in range(INCIDENTS)]

    def promise(place: int, share: Share) -> float:
        return places[place].promise(*_ordered(share))

    tries = (improved(fate.shuffle("shares", me.available), promise) for _ in range(TRIES))
    best = max(tries, key=lambda shares: sum(promise(place, share) for place, share in enumerate(shares)))
    a, b, c, d, e = (_ordered(share)[0] for share in best)
    return Place((a, b, c, d, e))


def _ordered(share: Share) -> Share:
    """Return two cards with the one to lay first in front: the larger, and never the hero."""
    low, high = sorted(share)  # as text, the hero is last
    return (low, high) if high == HERO else (high, low)


def _second(view: View, me: MyView, first: Sequence[Action], mine: PlayerView) -> Place:
    """Lay the second cards in the order that promises most."""
    places = [_Incident(view, me, mine, place) for place in range(INCIDENTS)]

    def promise(cards: Sequence[Action]) -> float:
        return sum(place.promise(*both) for place, *both in zip(places, first, cards, strict=True))

    a, b, c, d, e = max(permutations(me.available), key=promise)
    return Place((a, b, c, d, e))


class _Incident:
    """An incident that is not judged yet, as one seat sees it."""

    def __init__(self, view: View, me: MyView, mine: PlayerView, place: int) -> None:
        column = me.peek[place] if me.peek else view.layout[place]
        self.main, self.sub = (worth(card, mine, view.season) for card in (column.main, column.sub))
        self.rivals = rivals(view, place)
        self.scotch = mine.skill and mine.detective == "scotch"
        self.known: dict[Share, float] = {}

    def promise(self, first: Action, second: Action) -> float:
        """Return about how many VP two cards bring here."""
        if (first, second) not in self.known:
            ranks = hope(pair(first, second, scotch=self.scotch), self.rivals)
            self.known[first, second] = (
                self.main * ranks.first + self.sub * ranks.second + ASSIST * ranks.tied
            )
        return self.known[first, second]


def _challenge(view: View, judgement: JudgementView, mine: PlayerView) -> AnyMove:
    """Roll when the rank to be gained is worth more than what damage puts at risk."""
    main, sub = (worth(card, mine, view.season) for card in (judgement.main, judgement.sub))
    now, loss = standing(view, judgement, main, sub), _loss(view, judgement, mine)
    scratch = SCRATCH * (INCIDENTS - judgement.number) / (INCIDENTS - 1)

    def gain(odds: Odds) -> float:
        risk = loss * odds.hurt + scratch * max(0, odds.damage - odds.hurt)
        return (main * odds.first + sub * odds.second - risk) / 100 - now

    best = max(judgement.odds, key=gain)
    return Challenge(best.dice) if gain(best) > MARGIN else Decline()


def _loss(view: View, judgement: JudgementView, mine: PlayerView) -> float:
    """Return the cost of being badly hurt at this incident: the rest of the season, a card, later risks."""
    me = view.me
    assert me
    assert me.first
    assert me.second
    rest = sum(
        _Incident(view, me, mine, place).promise(me.first[place], me.second[place])
        for place in range(judgement.number, INCIDENTS)
    )
    cheapest = min((worth(card, mine, view.season) for card in mine.gained), default=ASSIST)
    cost, seasons = rest + max(0.0, cheapest - ASSIST), SEASONS - view.season
    if mine.hurt:
        return cost + SEASON * seasons - (value(judgement.main) + 6 - judgement.number)
    return cost + WOUND * seasons
