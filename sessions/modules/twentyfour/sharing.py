"""Share out ten action cards over five incidents, two at each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from .cards import Action
from .state import INCIDENTS

Share = tuple[Action, Action]
#: A function that returns the value of two cards at a place, counted from 0.
Worth = Callable[[int, Share], float]

_SWAPS = [(one, other) for one, other in combinations(range(2 * INCIDENTS), 2) if one // 2 != other // 2]


def improve_shares(cards: Sequence[Action], worth: Worth) -> list[Share]:
    """Return the cards in pairs, after all swaps between two places that raise their total value."""
    shares = list(zip(cards[::2], cards[1::2], strict=True))
    worths = [worth(place, share) for place, share in enumerate(shares)]
    better = True
    while better:
        better = False
        for one, other in _SWAPS:
            traded = _swap_cards(shares, one, other)
            gains = [worth(place, share) for place, share in traded.items()]
            if sum(gains) > sum(worths[place] for place in traded) + 1e-9:
                better = True
                for (place, share), gain in zip(traded.items(), gains, strict=True):
                    shares[place], worths[place] = share, gain
    return shares


def _swap_cards(shares: Sequence[Share], one: int, other: int) -> dict[int, Share]:
    """Return two places after a swap of two cards; cards are numbered from 0, two to a place."""
    here, there = list(shares[one // 2]), list(shares[other // 2])
    here[one % 2], there[other % 2] = there[other % 2], here[one % 2]
    return {one // 2: (here[0], here[1]), other // 2: (there[0], there[1])}
