"""The strong bot: counts cards to know what rivals may still hold, and so the chance of each rank.

A hidden card is any of those that its owner has not shown yet, with equal probability. The bot knows its
own seat's view alone. It shares out its ten action cards over five incidents, two at each, and improves
the shares by swaps.

Over 1,000 games one strong bot among plain ones wins 58 % with three seats (a third would be chance) and
53 % with four; with five it won 52 % of 200. Measure again with
``python -m sessions.modules.twentyfour.tests.measure 1000``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import NamedTuple

from sessions.game import Fate

from .bot import ASSIST, bot, standing, worth
from .incidents import BONUS, CLASHING_SCOTCH, Odds
from .moves import AnyMove, Challenge, Decline, Place
from .state import ACTIONS, HERO, INCIDENTS, NPC, SEASONS, SIDES, Action, value
from .view import DOWN, JudgementView, MyView, PlayerView, View

Share = tuple[Action, Action]
#: A function that returns the value of two cards at a place, counted from 0.
Worth = Callable[[int, Share], float]
#: All swaps between two places; cards are numbered from 0, two to a place.
_SWAPS = [(one, other) for one, other in combinations(range(2 * INCIDENTS), 2) if one // 2 != other // 2]
#: The assumed probability that a rival challenges, with the red die.
CHALLENGES = 0.3
TRIES = 2  # random ways to share out the cards, each improved; the best one is laid
#: The cost in VP of a wound for each season to come, and of a scratch at the first incident.
WOUND, SCRATCH = 1.0, 0.35
SEASON = 9.0  # the VP that a dead detective loses for each season to come
MARGIN = 0.1  # the least VP by which a challenge must be better than declining


def improve_shares(cards: Sequence[Action], worth: Worth) -> list[Share]:
    """Return the cards in pairs, after all swaps between two places that raise their total value."""
    shares = list(zip(cards[::2], cards[1::2], strict=True))
    worths = [worth(place, share) for place, share in enumerate(shares)]
    better = True
    while better:
        better = False
        for one, other in _SWAPS:
            here, there = list(shares[one // 2]), list(shares[other // 2])
            here[one % 2], there[other % 2] = there[other % 2], here[one % 2]
            traded: dict[int, Share] = {one // 2: (here[0], here[1]), other // 2: (there[0], there[1])}
            gains = [worth(place, share) for place, share in traded.items()]
            if sum(gains) > sum(worths[place] for place in traded) + 1e-9:
                better = True
                for (place, share), gain in zip(traded.items(), gains, strict=True):
                    shares[place], worths[place] = share, gain
    return shares


class Pair(NamedTuple):
    """Two cards at an incident: their power, the first card's part of it, and both if heroes clash."""

    hero: bool
    power: int
    first: int
    clash_power: int
    clash_first: int


class Hope(NamedTuple):
    """The probabilities to be alone first, alone second, and tied for either."""

    first: float
    second: float
    tied: float


Chances = Mapping[Pair, float]


class Count(NamedTuple):
    """The numbers of rivals above and equal to a pair; heroes apart, because a lone hero ranks first."""

    heroes: int = 0
    above: int = 0
    equal: int = 0
    heroes_above: int = 0
    heroes_equal: int = 0


@lru_cache(maxsize=1024)
def _and_one(count: Count, hero: bool, above: bool, equal: bool) -> Count:
    """Return the count with one more rival. Numbers saturate at two, because more make no difference."""
    more = Count(1, 0, 0, int(above), int(equal)) if hero else Count(0, int(above), int(equal))
    return Count(*(min(one + other, 2) for one, other in zip(count, more, strict=True)))


@lru_cache(maxsize=256)
def pair(first: str, second: str, *, scotch: bool) -> Pair:
    """Return the power of two cards; ``scotch`` is True if his skill is at work. [TF-5.1, 5.2, 9.1]"""
    clash = CLASHING_SCOTCH if scotch else 0
    one, two = (0 if card == HERO else int(card) for card in (first, second))
    one_clash, two_clash = (clash if card == HERO else int(card) for card in (first, second))
    return Pair(HERO in (first, second), one + two, one, one_clash + two_clash, one_clash)


def rivals(view: View, place: int) -> list[Chances]:
    """Return the possible final pairs of each rival in this season at a place, counted from 0."""
    return [
        _chances(one, place, place + 1 if who != NPC else None)
        for who, one in view.players.items()
        if who != view.seat and not one.out
    ]


def hope(mine: Pair, others: Sequence[Chances]) -> Hope:
    """Return the chances of the ranks for a pair against these rivals. [TF-6.1 to 6.4]"""
    against = {id(hands): _against(mine, hands) for hands in others}  # unknown hands are one object
    counts: dict[Count, float] = {Count(): 1.0}
    for hands in others:
        after: dict[Count, float] = {}
        for count, chance in counts.items():
            for one, share in against[id(hands)].items():
                then = _and_one(count, *one)
                after[then] = after.get(then, 0.0) + chance * share
        counts = after
    first = second = tied = 0.0
    for count, chance in counts.items():
        ahead, level = _ahead(mine, count)
        tied += chance if level and ahead < 2 else 0.0
        first += chance if not level and ahead == 0 else 0.0
        second += chance if not level and ahead == 1 else 0.0
    return Hope(first, second, tied)


def _ahead(mine: Pair, count: Count) -> tuple[int, int]:
    """Return how many rivals rank above and equal, taking a lone hero into account."""
    if mine.hero and not count.heroes:
        return 0, 0
    if count.heroes == 1 and not mine.hero:
        return count.above + 1, count.equal
    return count.above + count.heroes_above, count.equal + count.heroes_equal


def _against(mine: Pair, hands: Chances) -> dict[tuple[bool, bool, bool], float]:
    """Return the probability of each combination: the rival has a hero, is above, is equal."""
    found: dict[tuple[bool, bool, bool], float] = {}
    own = (mine.clash_power, mine.clash_first) if mine.hero else (mine.power, mine.first)
    for one, chance in hands.items():
        theirs = (one.clash_power, one.clash_first)  # without a hero these equal power and first
        key = (one.hero, theirs > own, theirs == own)
        found[key] = found.get(key, 0.0) + chance
    return found


def _chances(rival: PlayerView, place: int, number: int | None) -> Chances:
    """Return the possible pairs of a rival; ``number`` is the incident's, None for the NPC (no challenge)."""
    scotch = rival.skill and rival.detective == "scotch"
    if rival.first is None or rival.first[place] == DOWN:
        return _any_pair(number, scotch=scotch)
    first, second = rival.first[place], rival.second[place] if rival.second else DOWN
    left = Counter[str](ACTIONS)
    left.subtract(card for card in (*rival.first, *(rival.second or ())) if card != DOWN)
    seconds = left.elements() if second == DOWN else [second]
    return _likely([pair(first, card, scotch=scotch) for card in seconds], number)


@lru_cache(maxsize=32)
def _any_pair(number: int | None, *, scotch: bool) -> Chances:
    return _likely([pair(one, two, scotch=scotch) for one, two in permutations(ACTIONS, 2)], number)


def _likely(pairs: Sequence[Pair], number: int | None) -> Chances:
    """Return the chances of equally likely pairs, including the power that a challenge may add. [TF-5.7]"""
    found: dict[Pair, float] = {}
    for one in pairs:
        for bonus, share in _bonuses(number):
            then = one._replace(power=one.power + bonus, clash_power=one.clash_power + bonus)
            found[then] = found.get(then, 0.0) + share / len(pairs)
    return found


def _bonuses(number: int | None) -> list[tuple[int, float]]:
    if number is None:
        return [(0, 1.0)]
    great, success = CHALLENGES / SIDES, CHALLENGES * (SIDES - 1 - number) / SIDES
    return [(0, 1 - great - success), (BONUS["red"], success), (BONUS["red"] + 1, great)]


def strong_bot(view: View, legal: Sequence[AnyMove], fate: Fate) -> AnyMove:
    """Return the move with the highest expected VP, or the plain bot's where there is nothing to count."""
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
    """Share out all ten cards as if both placements were one, and lay the first card of each pair."""
    places = [_Incident(view, me, mine, place) for place in range(INCIDENTS)]

    def promise(place: int, share: Share) -> float:
        return places[place].promise(*_laying_order(share))

    tries = (improve_shares(fate.shuffle("shares", me.available), promise) for _ in range(TRIES))
    best = max(tries, key=lambda shares: sum(promise(place, share) for place, share in enumerate(shares)))
    a, b, c, d, e = (_laying_order(share)[0] for share in best)
    return Place((a, b, c, d, e))


def _laying_order(share: Share) -> Share:
    """Return two cards in the order to lay them: the larger first, but the hero always second."""
    low, high = sorted(share)  # as text, the hero is last
    return (low, high) if high == HERO else (high, low)


def _second(view: View, me: MyView, first: Sequence[Action], mine: PlayerView) -> Place:
    """Lay the second cards in the order with the highest expected VP."""
    places = [_Incident(view, me, mine, place) for place in range(INCIDENTS)]

    def promise(cards: Sequence[Action]) -> float:
        return sum(place.promise(*both) for place, *both in zip(places, first, cards, strict=True))

    a, b, c, d, e = max(permutations(me.available), key=promise)
    return Place((a, b, c, d, e))


class _Incident:
    """An incident that is not judged yet, in the view of one seat."""

    def __init__(self, view: View, me: MyView, mine: PlayerView, place: int) -> None:
        column = me.peek[place] if me.peek else view.layout[place]
        self.main, self.sub = (worth(card, mine, view.season) for card in (column.main, column.sub))
        self.rivals = rivals(view, place)
        self.scotch = mine.skill and mine.detective == "scotch"
        self.known: dict[Share, float] = {}

    def promise(self, first: Action, second: Action) -> float:
        """Return the expected VP of two cards here."""
        if (first, second) not in self.known:
            ranks = hope(pair(first, second, scotch=self.scotch), self.rivals)
            self.known[first, second] = (
                self.main * ranks.first + self.sub * ranks.second + ASSIST * ranks.tied
            )
        return self.known[first, second]


def _challenge(view: View, judgement: JudgementView, mine: PlayerView) -> AnyMove:
    """Roll if the expected gain in rank is worth more than the expected cost of damage."""
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
