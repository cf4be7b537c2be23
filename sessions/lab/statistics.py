"""Statistics of many games, and shares with their confidence intervals. Pure Python.

Results are in the order of the games or sorted by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from statistics import fmean, pstdev
from typing import NamedTuple

from sessions.lab.games import GameRecord

Z = 1.959964  # 95 %
Games = Sequence[GameRecord]
NOBODY = Counter[str]()


class Proportion(NamedTuple):
    """A number of hits and the total that they are counted from."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """The share itself; 0 if the total is 0."""
        return self.hits / self.of if self.of else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Wilson's interval, right 95 times in 100; from 0 to 1 if the total is 0."""
        if not self.of:
            return 0.0, 1.0
        share, square = self.value, Z * Z / self.of
        middle = (share + square / 2) / (1 + square)
        half = Z * sqrt(share * (1 - share) / self.of + square / self.of / 4) / (1 + square)
        return max(0.0, middle - half), min(1.0, middle + half)


class Difference(NamedTuple):
    """The difference of two shares, with Newcombe's interval."""

    value: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """True if the interval does not contain 0."""
        return self.low > 0 or self.high < 0


def difference(one: Proportion, other: Proportion) -> Difference:
    """Return ``one`` minus ``other``."""
    value, (low, high), (other_low, other_high) = one.value - other.value, one.bounds, other.bounds
    down = sqrt((one.value - low) ** 2 + (other_high - other.value) ** 2)
    up = sqrt((high - one.value) ** 2 + (other.value - other_low) ** 2)
    return Difference(value, value - down, value + up)


class Spread(NamedTuple):
    """Numbers from many games, by game or by seat, sorted."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.values) if self.values else 0.0

    def at(self, percent: int) -> float:
        """Return the percentile: the value that ``percent`` of the numbers do not exceed."""
        return self.values[max(0, -(-len(self.values) * percent // 100) - 1)] if self.values else 0.0


class Taken(NamedTuple):
    """An option: its share of the decisions that offered it, and the wins of seats with and without it."""

    option: str
    chosen: Proportion
    with_it: Proportion
    without: Proportion

    @property
    def difference(self) -> Difference:
        return difference(self.with_it, self.without)

    @property
    def is_never_worth_it(self) -> bool:
        """True if seats that took it won clearly less often than seats that could have and never did."""
        return self.difference.high < 0


class ChapterStats(NamedTuple):
    """A season, day or turn: the games that reached it, the gains of seats, and how often leaders won."""

    number: int
    games: int
    gained: Spread  # by one seat
    leads_change: Proportion  # of games that have a leader before and after it
    leader_wins: Proportion  # of ended games that had one leader at the end of this chapter


def seats(games: Games) -> list[str]:
    return list(games[0].bots) if games else []


def wins(games: Games, having: Callable[[GameRecord, str], bool]) -> Proportion:
    """Return the wins of the seats for which ``having`` holds, in games that ended."""
    ended = [(game, seat) for game in games if game.reason for seat in game.bots if having(game, seat)]
    return Proportion(sum(seat in game.winners for game, seat in ended), len(ended))


def seat(games: Games, place: str) -> Proportion:
    return wins(games, lambda _, one: one == place)


def bot(games: Games, kind: str) -> Proportion:
    return wins(games, lambda game, one: game.bots[one] == kind)


def reasons(games: Games) -> dict[str, Proportion]:
    found = Counter(game.reason or "-" for game in games)
    return {reason: Proportion(found[reason], len(games)) for reason in sorted(found)}


def values(games: Games, kind: str) -> list[str]:
    return sorted({value for game in games for value in game.traits.get(kind, {})})


def kinds(games: Games) -> list[str]:
    return sorted({kind for game in games for kind in game.traits})


def trait(games: Games, kind: str, value: str) -> tuple[Proportion, Proportion]:
    """Return the wins of seats that had this value of a trait, and of seats that did not."""

    def has(game: GameRecord, seat: str) -> bool:
        return seat in game.traits.get(kind, {}).get(value, ())

    return wins(games, has), wins(games, lambda game, seat: not has(game, seat))


def spread(numbers: Iterable[float]) -> Spread:
    return Spread(tuple(sorted(numbers)))


def lengths(games: Games) -> Spread:
    return spread(game.moves for game in games)


def scores(games: Games) -> Spread:
    return spread(score for game in games for score in game.scores.values())


def longest(games: Games) -> int:
    """Return the number of the longest game, the first one of equally long ones."""
    return max(games, key=lambda game: (game.moves, -game.number)).number


def options(games: Games) -> list[Taken]:
    """Return the options of all decisions by name, without those that were always taken."""
    names = sorted({option for game in games for option in game.offered})
    counted = [_option(games, option) for option in names]
    return [one for one in counted if one.chosen.hits < one.chosen.of]


def _option(games: Games, option: str) -> Taken:
    offered = sum(game.offered.get(option, NOBODY).total() for game in games)
    taken = sum(game.taken.get(option, NOBODY).total() for game in games)

    def took(game: GameRecord, seat: str) -> bool:
        return game.taken.get(option, NOBODY)[seat] > 0

    def could(game: GameRecord, seat: str) -> bool:
        return game.offered.get(option, NOBODY)[seat] > 0

    left = wins(games, lambda game, seat: could(game, seat) and not took(game, seat))
    return Taken(option, Proportion(taken, offered), wins(games, took), left)


def rules(games: Games, names: Iterable[str]) -> dict[str, tuple[Proportion, float]]:
    """Return by rule the share of games in which it decided something, and the average count per game."""
    return {name: _often(games, [game.rules.get(name, 0) for game in games]) for name in names}


def events(games: Games) -> dict[str, tuple[Proportion, float]]:
    """Return by kind the share of games in which an event happened, and the average count per game."""
    names = sorted({kind for game in games for kind in game.events})
    return {name: _often(games, [game.events.get(name, 0) for game in games]) for name in names}


def _often(games: Games, counts: Sequence[int]) -> tuple[Proportion, float]:
    return Proportion(sum(map(bool, counts)), len(games)), fmean(counts) if counts else 0.0


def chapters(games: Games) -> list[ChapterStats]:
    return [_chapter(games, number) for number in sorted({n for game in games for n in game.chapters})]


def _chapter(games: Games, number: int) -> ChapterStats:
    there = [game for game in games if number in game.chapters]
    gained, ends = list[float](), list[tuple[GameRecord, str | None, str | None]]()
    for game in there:
        before = game.chapters.get(number - 1, {})
        now = game.chapters[number]
        gained += [score - before.get(seat, 0.0) for seat, score in now.items()]
        ends.append((game, _leader(before), _leader(now)))
    changes = [before != now for _, before, now in ends if before and now]
    led = [now in game.winners for game, _, now in ends if now and game.reason]
    return ChapterStats(
        number,
        len(there),
        spread(gained),
        Proportion(sum(changes), len(changes)),
        Proportion(sum(led), len(led)),
    )


def _leader(standing: dict[str, float]) -> str | None:
    """Return the seat with the highest score, None if several tie or there is only one seat."""
    top = [seat for seat, score in standing.items() if score == max(standing.values())]
    return top[0] if len(top) == 1 and len(standing) > 1 else None


def deviation(numbers: Spread) -> float:
    return pstdev(numbers.values) if numbers.values else 0.0
