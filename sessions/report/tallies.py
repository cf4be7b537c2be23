"""Wins and losses among people, counted over many games. Pure: people are numbers, games are keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

#: The id of a person, which only the caller can resolve.
Who = int


@dataclass(frozen=True)
class GameResult:
    """A finished game: the people who played it to the end themselves, and the winners among them."""

    key: str
    people: frozenset[Who]
    winners: frozenset[Who]


@dataclass(frozen=True)
class WinCount:
    """A number of games, and of wins among them."""

    played: int
    won: int

    @property
    def share(self) -> int:
        """The wins in a hundred games, rounded."""
        return round(100 * self.won / self.played) if self.played else 0


@dataclass(frozen=True)
class Standing:
    """A person's scores in total and by game, and their current and longest streaks of wins."""

    who: Who
    total: WinCount
    by_game: dict[str, WinCount]
    streak: int
    longest: int


def standings(games: Sequence[GameResult], people: Iterable[Who]) -> list[Standing]:
    """Return the standings of those people who have played, by most wins, then by the best share.

    :param games: the oldest first.
    """
    found = [_standing(games, who) for who in people]
    return sorted(
        (standing for standing in found if standing.total.played),
        key=lambda standing: (-standing.total.won, -standing.total.share),
    )


def _standing(games: Sequence[GameResult], who: Who) -> Standing:
    own = [game for game in games if who in game.people]
    keys = dict.fromkeys(game.key for game in own)
    by_game = {key: _score([game for game in own if game.key == key], who) for key in keys}
    streak = longest = 0
    for game in own:
        streak = streak + 1 if who in game.winners else 0
        longest = max(longest, streak)
    return Standing(who, _score(own, who), by_game, streak, longest)


def _score(games: Collection[GameResult], who: Who) -> WinCount:
    return WinCount(len(games), sum(who in game.winners for game in games))


def count_wins_by_pair(games: Iterable[GameResult]) -> Counter[tuple[Who, Who]]:
    """Count by pair the games that the first person won and the second played without winning."""
    return Counter(
        (one, other) for game in games for one in game.winners for other in game.people - game.winners
    )


def opponents_never_beaten(games: Sequence[GameResult], people: Sequence[Who]) -> list[tuple[Who, list[Who]]]:
    """Return the people with opponents whom they met but never beat, and these opponents, in order."""
    met = {pair for game in games for one in game.people for pair in ((one, other) for other in game.people)}
    won = count_wins_by_pair(games)
    rest = [(one, [other for other in people if _waits((one, other), met, won)]) for one in people]
    return [(one, others) for one, others in rest if others]


def _waits(pair: tuple[Who, Who], met: Collection[tuple[Who, Who]], won: Counter[tuple[Who, Who]]) -> bool:
    return pair[0] != pair[1] and pair in met and not won[pair]
